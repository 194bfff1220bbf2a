"""Parameters of a description: numbers in it, named by the way that leads to them.

``"backbone.material.young"`` starts at a part of the robot (a rod, a body, a volume, a joint by its
label, a tendon, a load) and goes on by fields, and by numbers in lists:
``"left.routing.pieces.0.1.y"``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from numbers import Real
from typing import Any, cast

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.robot.robot import Robot
from flexura.typing import Array, ArrayLike, real_numbers

KINDS = ("rods", "bodies", "joints", "tendons", "loads", "tubes", "volumes")
# What is meant where nothing is given.
MEANT: dict[str, ArrayLike] = {"rest": (0.0, 0.0, 0.0), "offset": np.eye(4)}


@dataclass(frozen=True, eq=False)
class Parameter:
    """A number of a robot, several that belong together, or a pose.

    Attributes:
        robot: whose it is.
        path: how it is called.
        kind: list of the robot that its part is in.
        index: of the part there.
        steps: fields, and numbers in lists, that lead to it from there.
        value: what it is: a number (), several (n,) or a pose (4, 4).
    """

    robot: Robot
    path: str
    kind: str
    index: int
    steps: tuple[str, ...]
    value: Array

    @property
    def is_pose(self) -> bool:
        """Whether it is a pose, which changes by six numbers, a body twist."""
        return self.value.shape == (4, 4)

    @property
    def size(self) -> int:
        """By how many numbers it can change."""
        return 6 if self.is_pose else self.value.size

    def with_value(self, value: ArrayLike) -> Robot:
        """The robot with another value of it.

        Raises:
            ModelError: for a value that the description does not take.
        """
        try:
            new = real_numbers(value)
        except (TypeError, ValueError):
            new = np.array(np.nan)
        if new.shape != self.value.shape:
            count = {0: "a number", 1: f"{self.value.size} numbers"}.get(self.value.ndim, "a pose")
            raise ModelError(f"parameter {self.path!r} takes {count}, got {show(value)}")
        parts = list(getattr(self.robot, self.kind))
        parts[self.index] = _replaced(parts[self.index], self.steps, new.tolist())
        return cast(Robot, replace(cast(Any, self.robot), **{self.kind: tuple(parts)}))

    def moved(self, change: Array) -> Robot:
        """The robot after a change of it, (size,)."""
        if self.is_pose:
            return self.with_value(self.value @ se3.exp(change))
        return self.with_value(self.value + np.reshape(change, self.value.shape))


def parameter(robot: Robot, path: str) -> Parameter:
    """The parameter of a robot that a path leads to.

    Raises:
        UnknownName: if there is none, with those that there are on the way.
        ModelError: if it leads to something that is no number.
    """
    if not isinstance(path, str):
        raise ModelError(
            f"a parameter is named by its path, such as 'arm.length', got {show(path)}"
        )
    found = list(_parts(robot, path))
    if not found:
        raise UnknownName("parameter", path, names(robot))
    errors = []
    for kind, index, steps in found:
        try:
            value = _value(path, getattr(robot, kind)[index], steps)
        except ModelError as error:
            errors.append(error)
        else:
            return Parameter(robot, path, kind, index, steps, value)
    raise errors[0]


def names(robot: Robot) -> list[str]:
    """Paths of all numbers of a robot, lists and poses as a whole."""
    found = []
    for kind in KINDS:
        for part in getattr(robot, kind):
            own = part.tubes if kind == "tubes" else (part,)
            found += [f"{_name(one)}.{path}" for one in own for path in _leaves(one)]
    return found


def _name(part: Any) -> str:
    """How a part is called."""
    return str(part.label if hasattr(part, "label") else part.name)


def _parts(robot: Robot, path: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Parts whose name a path begins with, and what is left of it; longest names first."""
    found = []
    for kind in KINDS:
        for index, part in enumerate(getattr(robot, kind)):
            name = _name(part)
            if path.startswith(f"{name}."):
                steps = tuple(path[len(name) + 1 :].split("."))
                found.append((len(name), kind, index, steps))
            for i, tube in enumerate(part.tubes if kind == "tubes" else ()):
                if path.startswith(f"{tube.name}."):
                    way = ("tubes", str(i), *path[len(tube.name) + 1 :].split("."))
                    found.append((len(tube.name), kind, index, way))
    for _, kind, index, steps in sorted(found, key=lambda x: -x[0]):
        yield kind, index, steps


def _below(value: Any) -> dict[str, Any]:
    """What there is to go on to, by name."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, tuple):
        return {str(i): entry for i, entry in enumerate(value)}
    return {}


def _value(path: str, part: Any, steps: tuple[str, ...]) -> Array:
    """The numbers at the end of a path."""
    value, way = part, path[: -len(".".join(steps)) - 1]
    for step in steps:
        if step not in _below(value):
            around = [f"{way}.{leaf}" for leaf in _leaves(value)]
            raise UnknownName("parameter", path, around)
        value, way = _below(value)[step], f"{way}.{step}"
    found = _numbers(MEANT.get(steps[-1]) if value is None else value)
    if found is None:
        inside = [f"{path}.{leaf}" for leaf in _leaves(value)]
        if inside:
            raise UnknownName("parameter", path, inside)
        what = "not given" if value is None else f"no number: {show(value)}"
        raise ModelError(f"parameter {path!r} is {what}; derivatives are taken by numbers")
    return found


def _numbers(value: Any) -> Array | None:
    """A number, several, or a pose, as an array; None if it is something else."""
    if isinstance(value, bool | str) or not isinstance(value, Real | tuple | np.ndarray):
        return None
    try:
        found = real_numbers(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return found if found.size and (found.ndim <= 1 or found.shape == (4, 4)) else None


def _leaves(value: Any) -> list[str]:
    """Paths of all numbers from a value on."""
    found = []
    for step, below in _below(value).items():
        given = MEANT.get(step) if below is None else below
        if _numbers(given) is not None:
            found.append(step)
        else:
            found += [f"{step}.{leaf}" for leaf in _leaves(below)]
    return found


def _replaced(value: Any, steps: tuple[str, ...], new: Any) -> Any:
    """The value with something else at the end of a path."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    below = _replaced(_below(value)[step], rest, new)
    if isinstance(value, tuple):
        i = int(step)
        return (*value[:i], below, *value[i + 1 :])
    return replace(value, **{step: below})
