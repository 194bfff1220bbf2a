"""What can change from solve to solve: loads, tendons, poses of welds, driven joints, anything.

All inputs are one vector; each has its slice of it. A solver may own places of the vector too: the
multipliers of constraints.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, prod
from typing import Literal, TypeAlias

import numpy as np

from flexura.errors import ModelError, UnknownName, show
from flexura.lie import se3
from flexura.robot.check import LARGEST
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose, frozen, real_numbers
from flexura.value import Value

Manifold: TypeAlias = Literal["number", "vector", "wrench", "pose"]
# What the numbers of a body twist are called, and those by which inputs change.
TWIST = ("rx", "ry", "rz", "x", "y", "z")
NUMBERS: dict[Manifold, tuple[str, ...]] = {
    "number": ("",),
    "vector": ("x", "y", "z"),
    "wrench": ("mx", "my", "mz", "fx", "fy", "fz"),
    "pose": TWIST,
}
SHAPES: dict[str, tuple[int, ...]] = {"number": (), "vector": (3,), "wrench": (6,), "pose": (4, 4)}


@dataclass(frozen=True, eq=False)
class Input(Value):
    """A quantity that the user may give.

    Attributes:
        kind: what has it: a load, a tendon, a pulley, a joint, a weld.
        manifold: what its values are.
        default: its described value.
        meaning: what the numbers are, with their unit.
        bounds: least and largest value of a number.
        loads: whether it is zero on the unloaded robot; else it says where the robot is.
        parts: what each three of its numbers are, with a place for x, y or z; a wrench has some.
        turning: how many of its numbers, the first ones, turn sections at once, as moments do.
        begin: place of its first number in the vector of all.
    """

    kind: str
    manifold: Manifold
    default: Array
    meaning: str
    bounds: tuple[float, float] = (-inf, inf)
    loads: bool = True
    parts: tuple[str, ...] = ()
    turning: int = 0
    begin: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a value, as the user gives it."""
        return SHAPES[self.manifold]

    @property
    def place(self) -> slice:
        """Where its numbers are in the vector of all."""
        return slice(self.begin, self.begin + prod(self.shape))

    @property
    def directions(self) -> range:
        """Where a change of it is in a change of all: six numbers, a twist, for a pose."""
        return range(self.begin, self.begin + (6 if self.manifold == "pose" else prod(self.shape)))

    def read(self, name: str, value: ArrayLike) -> Array | float:
        """The value that the user gave, checked."""
        least, largest = self.bounds
        simple = isinstance(value, float) and self.manifold == "number" and abs(value) <= LARGEST
        if simple and least <= value <= largest:  # type: ignore[operator]
            return value  # type: ignore[return-value]  # most inputs are that simple
        if isinstance(value, tuple) and self.shape == (len(value),) and _plain(value):
            return np.array(value)
        count = {"number": "a finite number", "pose": "a 4x4 matrix"}.get(
            self.manifold, f"{prod(self.shape)} finite numbers"
        )
        try:
            given = real_numbers(value)
        except (TypeError, ValueError):
            given = np.array(np.nan)
        if not self.shape and given.size == 1:
            given = given.reshape(())
        size = np.abs(given).max() if given.shape == self.shape else np.inf
        if not size < np.inf:
            raise ModelError(f"input {name!r} takes {count}, {self.meaning}; got {show(value)}")
        if size > LARGEST:
            raise ModelError(
                f"input {name!r} takes numbers of at most {LARGEST:g} in size, {self.meaning}; got "
                f"{show(value)}; check its unit"
            )
        if self.manifold == "pose":
            _check_pose(name, given)
        if not self.shape and not least <= given <= largest:
            allowed = f">= {least:g}" if largest == inf else f"from {least:g} to {largest:g}"
            raise ModelError(
                f"input {name!r} takes a number {allowed}, {self.meaning}; got {show(value)}"
            )
        return given

    def labels(self, name: str) -> tuple[str, ...]:
        """What the numbers are called by which an input of that name changes."""
        return tuple(f"{name}.{x}" if x else name for x in NUMBERS[self.manifold])

    def number(self, i: int) -> str:
        """What number i of a value is."""
        if not self.parts:
            return f"number {i}: {self.meaning}"
        return self.parts[i // 3].format("xyz"[i % 3])


@dataclass(frozen=True, eq=False, repr=False)
class InputTable(Value, Mapping[str, Input]):
    """All inputs of a model by name.

    Attributes:
        names: of the inputs, in their order.
        entries: the inputs.
        n_values: length of the vector of all.
        multipliers: its places that solvers choose, (n_rows,).
    """

    names: tuple[str, ...]
    entries: tuple[Input, ...]
    n_values: int
    multipliers: Indices

    @cached_property
    def _by_name(self) -> dict[str, Input]:
        return dict(zip(self.names, self.entries, strict=True))

    def __getitem__(self, name: str) -> Input:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def poses(self) -> Indices:
        """Where poses begin."""
        found = [entry.begin for entry in self.entries if entry.manifold == "pose"]
        return np.array(found, dtype=np.int64)

    @cached_property
    def loading(self) -> Array:
        """1 for numbers that are zero on the unloaded robot, else 0."""
        found = np.zeros(self.n_values)
        for entry in self.entries:
            found[entry.place] = float(entry.loads)
        return found

    @cached_property
    def staying(self) -> Array:
        """1 for numbers that the unloaded robot has, too, else 0."""
        return frozen(1.0 - self.loading)

    @cached_property
    def moving(self) -> Array:
        """1 for numbers that say where the robot is, else 0."""
        found = self.staying.copy()
        found[self.multipliers] = 0.0
        return found

    @cached_property
    def turning(self) -> Indices:
        """Places of the numbers that turn sections at once."""
        found = [entry.begin + np.arange(entry.turning) for entry in self.entries]
        return np.concatenate([np.empty(0, dtype=np.int64), *found])

    def units(self, places: Sequence[int] | Indices) -> Matrix:
        """Changes of all inputs by one of each of some numbers, (n_values, m)."""
        found = np.zeros((self.n_values, len(places)), order="F")
        found[places, np.arange(len(places))] = 1.0
        return found

    @cached_property
    def described(self) -> "Inputs":
        """The described values of all inputs."""
        values = np.zeros(self.n_values)
        for entry in self.entries:
            values[entry.place] = entry.default.ravel()
        return Inputs(self, frozen(values))


@dataclass(frozen=True, eq=False, repr=False)
class Inputs(Value):
    """The values of all inputs of a model.

    Attributes:
        table: the inputs.
        values: their numbers, (n_values,); zero at the places of multipliers.
    """

    table: InputTable
    values: Array

    def __post_init__(self) -> None:
        """Its values are read-only already."""

    def changed(self, values: Mapping[str, ArrayLike] | None) -> "Inputs":
        """The given values, and these for the rest.

        Raises:
            UnknownName: for a name that is no input.
            ModelError: for a value of the wrong size, or that is not finite.
        """
        if values is not None and not isinstance(values, Mapping):
            kind = type(values).__name__
            raise ModelError(f"inputs must be a dict of names and values, got {kind}")
        if not values:
            return self
        found, entries = self.values.copy(), self.table._by_name
        for name, value in values.items():
            if name not in entries:
                raise UnknownName("input", name, self.table)
            entry = entries[name]
            own = entry.read(name, value)
            if entry.shape:
                found[entry.place] = np.ravel(own)
            else:
                found[entry.begin] = own
        return Inputs(self.table, frozen(found))

    def value(self, name: str) -> Array:
        """The value of an input, as the user gives it."""
        entry = self.table[name]
        return self.values[entry.place].reshape(entry.shape)

    def by_name(self) -> dict[str, Array]:
        """The value of every input, as the user gives it."""
        return {name: self.value(name) for name in self.table}

    @cached_property
    def unloaded(self) -> "Inputs":
        """The same without any load: where inputs have moved the robot, and nothing else."""
        return Inputs(self.table, frozen(self.values * self.table.staying))

    def towards(self, end: "Inputs", fraction: float) -> "Inputs":
        """The inputs on the way to others: numbers linearly, poses along the shortest screw."""
        if fraction == 1.0:
            return end
        values = self.values + fraction * (end.values - self.values)
        if len(self.table.poses):
            begin, step = self.poses, se3.log(se3.inverse(self.poses) @ end.poses)
            values[self._pose_places] = (begin @ se3.exp(fraction * step)).reshape(-1, 16)
        return Inputs(self.table, frozen(values))

    def moved(self, change: Array, table: InputTable | None = None) -> "Inputs":
        """The inputs after a change as ``change`` has it: numbers straight, poses along a screw.

        Args:
            change: of all inputs, (n_values,).
            table: of another model with the same inputs, which they are for then.
        """
        values = self.values + change
        if len(self.table.poses):
            twist = change[self.table.poses[:, None] + np.arange(6)]
            values[self._pose_places] = (self.poses @ se3.exp(twist)).reshape(-1, 16)
        return Inputs(self.table if table is None else table, frozen(values))

    def change(self, end: "Inputs") -> Array:
        """The change of the inputs with the fraction on the way to others, (n_values,).

        Of a pose it is the twist of the screw, six numbers at its ``directions``.
        """
        found = end.values - self.values
        if len(self.table.poses):
            found[self._pose_places] = 0.0
            twist = se3.log(se3.inverse(self.poses) @ end.poses)
            found[self.table.poses[:, None] + np.arange(6)] = twist
        return found

    @property
    def turning(self) -> bool:
        """Whether anything turns sections at once."""
        places = self.table.turning
        return len(places) > 0 and bool(self.values[places].any())

    @property
    def poses(self) -> Pose:
        """The poses among the inputs, (m, 4, 4)."""
        return self.values[self._pose_places].reshape(-1, 4, 4)

    @property
    def _pose_places(self) -> Indices:
        return self.table.poses[:, None] + np.arange(16)


def _plain(values: tuple[object, ...]) -> bool:
    """Whether these are floats that inputs may have."""
    return all(isinstance(x, float) and abs(x) <= LARGEST for x in values)


def _check_pose(name: str, pose: Pose) -> None:
    """Raise unless the matrix is a pose."""
    R = pose[:3, :3]
    straight = np.allclose(R.T @ R, np.eye(3), atol=1e-8) and np.linalg.det(R) > 0.0
    if not straight or not np.array_equal(pose[3], [0.0, 0.0, 0.0, 1.0]):
        raise ModelError(
            f"input {name!r} takes a pose: a rotation and a position in a 4x4 matrix, got "
            f"{pose.tolist()}; make one with lie.se3.pose(position, rotation)"
        )
