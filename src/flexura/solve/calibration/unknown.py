"""What is looked for: numbers of the description, inputs, offsets of inputs, a registration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.model.inputs import NUMBERS, TWIST, Input, Inputs, Manifold
from flexura.typing import Array, ArrayLike, Pose, real_numbers

# What some numbers of an input are called together.
TOGETHER: dict[Manifold, tuple[str, str]] = {
    "wrench": ("moment", "force"),
    "pose": ("rotation", "position"),
}


@dataclass(frozen=True, eq=False)
class Unknown:
    """Numbers that belong together.

    Attributes:
        name: what they are called together.
        names: what each is called.
        start: first guess: a number (), several (n,) or a pose (4, 4).
        numbers: which numbers of the body twist of a pose are unknown.
        lower: least value of each number.
        upper: largest value of each.
    """

    name: str
    names: tuple[str, ...]
    start: Array
    numbers: tuple[int, ...] = ()
    lower: Array | float = -np.inf
    upper: Array | float = np.inf

    @property
    def labels(self) -> tuple[str, ...]:
        """What each is called among all unknowns."""
        return self.names

    @property
    def size(self) -> int:
        """How many numbers."""
        return len(self.names)

    @property
    def is_pose(self) -> bool:
        """Whether it is a pose, which changes by numbers of a body twist."""
        return self.start.shape == (4, 4)

    def moved(self, value: Array, step: Array) -> Array:
        """A value after a change, (size,)."""
        if not self.is_pose:
            return np.asarray(value + np.reshape(step, value.shape))
        twist = np.zeros(6)
        twist[list(self.numbers)] = step
        return np.asarray(value @ se3.exp(twist))

    def coordinates(self, value: Array) -> Array:
        """What bounds are about, (size,); zeros for a pose, which has none."""
        return np.zeros(self.size) if self.is_pose else value.ravel()


@dataclass(frozen=True, eq=False)
class Described(Unknown):
    """A number of the description, or several, by path or by the name of an argument."""


@dataclass(frozen=True, eq=False)
class Driven(Unknown):
    """Numbers of an input.

    Attributes:
        inputs: names of the inputs; several only for offsets.
        observation: which one it is for; None for all.
        added: whether it is added to what each observation says.
    """

    inputs: tuple[str, ...] = ()
    observation: int | None = None
    added: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """What each is called among all unknowns: with the observation that it is for."""
        if self.observation is None:
            return self.names
        return tuple(f"{name}[{self.observation}]" for name in self.names)

    def serves(self, observation: int) -> bool:
        """Whether an observation depends on it."""
        return self.observation is None or self.observation == observation

    def applied(self, inputs: Inputs, value: Array) -> Inputs:
        """Inputs with this one at a value."""
        found = {}
        for name in self.inputs:
            now = inputs.value(name)
            if self.added:
                found[name] = now + value
            elif self.is_pose or value.shape == now.shape:
                found[name] = value
            else:
                found[name] = now.copy()
                found[name][list(self.numbers)] = value
        return inputs.changed(found)


@dataclass(frozen=True, eq=False)
class Registration(Unknown):
    """Pose of the world in the measuring system, or its translation alone."""

    def moved(self, value: Pose, step: Array) -> Pose:
        """A translation goes along the axes of the measuring system, a pose by its body twist."""
        if len(self.numbers) == len(TWIST):
            return super().moved(value, step)
        found = value.copy()
        found[:3, 3] += step
        return found


def registration_of(kind: object) -> list[Unknown]:
    """The unknown registration, if there is one."""
    kinds = {None: (), "translation": (3, 4, 5), "pose": tuple(range(6))}
    if not (kind is None or isinstance(kind, str)) or kind not in kinds:
        raise ModelError(
            "registration= takes 'translation', 'pose' or None, got "
            f"{show(kind)}: what is unknown of the place of the measuring system"
        )
    if kind is None:
        return []
    labels = tuple(f"registration.{TWIST[i]}" for i in kinds[kind])
    return [Registration("registration", labels, np.eye(4), kinds[kind])]


def asked(what: str, value: object) -> dict[str, ArrayLike | None]:
    """Names of unknowns, with first guesses if there are some."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ModelError(
            f"calibrate: {what}= takes a list of names, or a dict of names and first guesses; got "
            f"{show(value)}"
        )
    for i, name in enumerate(value):
        if not isinstance(name, str):
            raise ModelError(f"calibrate: {what}= takes names, got {show(name)} among them")
        if name in value[:i]:
            raise ModelError(f"calibrate: {what}= names {show(name)} twice")
    return dict.fromkeys(value)


def _listed(value: object) -> bool:
    return isinstance(value, Sequence)


def guessed(name: str, described: Array, guess: ArrayLike | None) -> Array:
    """The first guess, checked against the described value."""
    if guess is None:
        return np.array(described)
    try:
        found = real_numbers(guess)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found.shape != described.shape or not np.isfinite(found).all():
        count = "a finite number" if not described.shape else f"numbers of shape {described.shape}"
        raise ModelError(f"calibrate: first guess of {name!r} must be {count}, got {show(guess)}")
    return np.array(found)


def driven(
    table: Mapping[str, Input], name: str, guess: ArrayLike | None, observation: int | None
) -> Driven:
    """An unknown input, or some numbers of one: "tip", "tip.force", "tip.fz"."""
    own, numbers = _numbers_of(table, name)
    entry = table[own]
    called = entry.labels(own)
    described = np.array(entry.default)
    if entry.manifold != "pose" and len(numbers) < len(called):
        described = described[list(numbers)]
        described = described[0] if len(numbers) == 1 else described
    least, largest = (np.full(len(numbers), float(bound)) for bound in entry.bounds)
    return Driven(
        name=name,
        names=tuple(called[i] for i in numbers),
        start=guessed(name, np.asarray(described), guess),
        numbers=numbers,
        lower=least,
        upper=largest,
        inputs=(own,),
        observation=observation,
    )


def _numbers_of(table: Mapping[str, Input], name: object) -> tuple[str, tuple[int, ...]]:
    """The input that a name is of, and which of its numbers."""
    if isinstance(name, str) and name in table:
        return name, tuple(range(len(NUMBERS[table[name].manifold])))
    own, _, part = name.rpartition(".") if isinstance(name, str) else ("", "", "")
    if own in table:
        called = NUMBERS[table[own].manifold]
        together = TOGETHER.get(table[own].manifold, ())
        if part in together:
            begin = 3 * together.index(part)
            return own, tuple(range(begin, begin + 3))
        if part and part in called:
            return own, (called.index(part),)
        raise UnknownName("input", name, [own, *(f"{own}.{x}" for x in (*together, *called) if x)])
    raise UnknownName("input", name, table)


def offset(table: Mapping[str, Input], entry: str | Sequence[str]) -> Driven:
    """An unknown number that is added to one input, or to several alike."""
    names = (entry,) if isinstance(entry, str) else tuple(entry) if _listed(entry) else ()
    if not names:
        raise ModelError(
            "calibrate: offsets= takes inputs, or lists of inputs that share one; got "
            f"{show(entry)}"
        )
    for name in names:
        if not isinstance(name, str) or name not in table:
            raise UnknownName("input", name, table)
        if table[name].shape:
            raise ModelError(
                f"calibrate: offsets= takes inputs that are single numbers, and {name!r} is "
                f"{table[name].meaning}; give it to inputs= or each="
            )
        if names.count(name) > 1:
            raise ModelError(
                f"calibrate: offsets= names {name!r} twice in {show(entry)}; an offset is added to "
                "an input once"
            )
    few = names if len(names) < 4 else (names[0], "...", names[-1])
    text = f"{'+'.join(few)}.offset"
    return Driven(
        name=text,
        names=(text,),
        start=np.array(0.0),
        numbers=(0,),
        inputs=names,
        added=True,
    )
