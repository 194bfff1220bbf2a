"""Checks that every description shares: they return the value in its normal form or raise."""

import math
import types
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any, get_args

import numpy as np

from flexura.errors import ModelError, show
from flexura.typing import ArrayLike

# A rotation typed with nine digits is orthonormal to about 2e-9.
ORTHONORMAL_TOL = 1e-8
# A direction that was made to have length one has it to 4 units in the last place; as it is left
# alone then, reading a file that was written changes nothing.
UNIT_TOL = 4.0 * 2.0**-52
# Moments of a flat body add up exactly; typed with nine digits, to about 2e-9.
TRIANGLE_TOL = 1e-8
# Numbers in SI units lie within these, by far; products of several of them are floats then. The
# second moment of an atom's section is 1e-41 m⁴.
SMALLEST, LARGEST = 1e-50, 1e50


class BadField(ModelError):
    """A field of a description with a value that makes no sense; ``field`` is its name."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message, field)
        self.field = field

    def __str__(self) -> str:
        return str(self.args[0])


def bad(who: str, field: str, allowed: str, value: object, remedy: str) -> BadField:
    """The error for a bad value, in the words that all of them use."""
    return BadField(f"{who}: {field} must be {allowed}, got {show(value)}; {remedy}", field)


@contextmanager
def within(who: str, field: str) -> Iterator[None]:
    """Let errors of a part of a description say that it is ``field`` of ``who``."""
    try:
        yield
    except BadField as error:
        raise BadField(f"{who}: {error}", f"{field}.{error.field}") from error


def assign(instance: object, **values: object) -> None:
    """Set fields of a frozen dataclass from its own ``__post_init__``."""
    for field, value in values.items():
        object.__setattr__(instance, field, value)


def finite(who: str, field: str, value: object, largest: float = LARGEST) -> float:
    """A finite number as a float, not larger than any quantity is."""
    number = _plain(value)
    if isinstance(number, bool) or not isinstance(number, Real):
        raise bad(who, field, "a finite number", value, "write a plain number in SI units")
    try:
        number = float(number)
    except (OverflowError, ValueError):
        number = math.inf
    if not math.isfinite(number):
        raise bad(who, field, "a finite number", value, "look at where this value comes from")
    if abs(number) > largest:
        allowed = f"a number of at most {largest:g} in size"
        raise bad(who, field, allowed, value, "check its unit: metres, newtons, pascals")
    return number


def positive(who: str, field: str, value: object) -> float:
    """A finite number above zero as a float."""
    number = finite(who, field, value)
    if number <= 0.0:
        raise bad(who, field, "a finite number > 0", value, "give a positive value in SI units")
    if number < SMALLEST:
        allowed = f"a number of at least {SMALLEST:g}"
        raise bad(who, field, allowed, value, "check its unit: metres, newtons, pascals")
    return number


def in_range(values: ArrayLike) -> bool:
    """Whether all are positive numbers that the library can reckon with."""
    found = np.asarray(values)
    return bool(((found >= SMALLEST) & (found <= LARGEST)).all())


def nonnegative(who: str, field: str, value: object) -> float:
    """A finite number not below zero as a float."""
    number = finite(who, field, value)
    if number < 0.0:
        raise bad(who, field, "a finite number >= 0", value, "give zero or more, in SI units")
    return number


def check_count(
    who: str, what: str, value: object, most: int, hint: str = "", least: int = 1
) -> None:
    """Raise unless an option is a whole number from ``least`` to ``most``."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not least <= int(value) <= most:  # type: ignore[call-overload]
        advice = f"; {hint}" if hint else ""
        raise ModelError(
            f"{who} {what} must be a whole number from {least} to {most}, got {show(value)}{advice}"
        )


def flag(who: str, field: str, value: object) -> bool:
    """True or False."""
    truth = _plain(value)
    if not isinstance(truth, bool):
        raise bad(who, field, "True or False", value, "write one of them")
    return truth


def one_given(who: str, example: str, **values: object) -> str:
    """The name of the one value that is not None, of several that say the same thing."""
    given = [field for field, value in values.items() if value is not None]
    if len(given) == 1:
        return given[0]
    *most, last = values
    got = ", ".join(f"{field}={show(values[field])}" for field in given) or "none"
    raise BadField(
        f"{who}: exactly one of {', '.join(most)} and {last} must be given, got {got}; "
        f"write for example {example}",
        most[0],
    )


def numbers(who: str, field: str, value: object) -> tuple[float, ...]:
    """Finite numbers, at least one."""
    entries = _plain(value)
    if not isinstance(entries, list | tuple) or not entries:
        raise bad(who, field, "a nonempty list of numbers", value, "write for example [0.1, 0.2]")
    return tuple(finite(who, f"{field}[{i}]", entry) for i, entry in enumerate(entries))


def vector(
    who: str, field: str, value: object, sizes: Collection[int], largest: float = LARGEST
) -> tuple[float, ...]:
    """Finite numbers, as many as one of ``sizes``."""
    entries = _plain(value)
    counts = " or ".join(str(size) for size in sizes)
    if not isinstance(entries, list | tuple) or len(entries) not in sizes:
        raise bad(who, field, f"{counts} finite numbers", value, f"give a list of {counts} numbers")
    return tuple(finite(who, f"{field}[{i}]", entry, largest) for i, entry in enumerate(entries))


def vector3(who: str, field: str, value: object) -> tuple[float, ...]:
    """Three finite numbers."""
    return vector(who, field, value, (3,))


def moments(who: str, field: str, value: object, heavy: bool) -> tuple[float, ...]:
    """Three moments of inertia, which a mass can have if there is one."""
    found = vector3(who, field, value)
    for i, moment in enumerate(found):
        nonnegative(who, f"{field}[{i}]", moment)
    *smaller, largest = sorted(found)
    if heavy and largest * (1.0 - TRIANGLE_TOL) > sum(smaller):
        allowed = "three moments of which none is larger than the sum of the others"
        remedy = "give the principal moments about the centre of mass"
        raise bad(who, field, allowed, value, remedy)
    return found


def direction(who: str, field: str, value: object) -> tuple[float, ...]:
    """Three finite numbers that are not all zero, as a vector of length one."""
    entries = vector(who, field, value, (3,), largest=math.inf)
    if not any(entries):
        remedy = "write for example (0, 0, 1) for the z axis"
        raise bad(who, field, "three numbers that are not all zero", value, remedy)
    if abs(math.hypot(*entries) - 1.0) <= UNIT_TOL:
        return entries
    largest = max(abs(entry) for entry in entries)
    scaled = [entry / largest for entry in entries]  # so that no square leaves the range of floats
    norm = math.hypot(*scaled)
    return tuple(entry / norm for entry in scaled)


def pose(who: str, field: str, value: object) -> tuple[tuple[float, ...], ...]:
    """A homogeneous 4x4 matrix: a rotation, a translation [m] and the last row (0, 0, 0, 1)."""
    rows = _plain(value)
    if not isinstance(rows, list | tuple) or len(rows) != 4:
        raise bad(who, field, "a 4x4 pose", value, "give four rows of four numbers")
    matrix = tuple(vector(who, f"{field}[{i}]", row, (4,)) for i, row in enumerate(rows))
    if matrix[3] != (0.0, 0.0, 0.0, 1.0):
        remedy = "the last row must be (0, 0, 0, 1)"
        raise bad(who, field, "a 4x4 pose", matrix, f"{remedy} and the translation the last column")
    rotation = np.array(matrix)[:3, :3]
    with np.errstate(all="ignore"):
        error = np.abs(rotation @ rotation.T - np.eye(3)).max()
        proper = error <= ORTHONORMAL_TOL and np.linalg.det(rotation) > 0.0
    if not proper:
        allowed = "a 4x4 pose whose 3x3 block is a rotation (R R^T = 1, det R = 1)"
        remedy = f"R R^T is off by {error:.1e}: write at least nine digits and no mirror or scale"
        raise bad(who, field, allowed, rotation.tolist(), remedy)
    return matrix


def name(who: str, field: str, value: object) -> str:
    """A nonempty printable text without blanks at its ends."""
    if not isinstance(value, str) or not value or value.strip() != value or not value.isprintable():
        raise bad(who, field, "a nonempty printable text", value, "give a short name such as 'arm'")
    return str(value)


def part_name(who: str, value: object) -> str:
    """The name of a rod or a body, of which the names of its frames are made."""
    text = name(who, "name", value)
    if "." in text or "@" in text or text == "world":
        allowed = "a name without '.' and '@' and other than 'world'"
        remedy = "frames are named 'world', 'rod.base', 'rod.tip', 'rod@0.1' and 'body'"
        raise bad(who, "name", allowed, text, remedy)
    return text


def instance(who: str, field: str, value: object, allowed: Any) -> None:
    """Check that a value is of one of the classes of a union (or of the one class)."""
    if not isinstance(value, allowed):
        names = class_names(allowed)
        got = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
        text = show(value)
        got = text if text.startswith(f"{got} ") else f"{got} {text}"
        message = f"{who}: {field} must be {names}, got {got}; make one with {names}"
        raise BadField(f"{message}(...)", field)


def class_names(union: Any) -> str:
    """The names of the classes of a union, for a message."""
    classes = get_args(union) if isinstance(union, types.UnionType) else (union,)
    return " or ".join(c.__name__ for c in classes)


def _plain(value: object) -> object:
    """NumPy scalars and arrays as Python numbers and lists, anything else as it is."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
