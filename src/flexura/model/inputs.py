"""What can change from solve to solve: loads, poses of named welds, tendons, driven joints."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.lie import se3
from flexura.typing import Array, ArrayLike, Pose, frozen

Kind: TypeAlias = Literal["wrench", "pose", "tendon", "pull", "drive"]
SHAPES: dict[str, tuple[int, ...]] = {
    "wrench": (6,), "pose": (4, 4), "tendon": (), "pull": (), "drive": (),
}  # fmt: skip


@dataclass(frozen=True)
class Input:
    """A quantity that the user may give.

    Attributes:
        kind: wrench of a load, pose of a weld, tension or shortening of a tendon, force of a
            pulley, or coordinate of a driven joint or motor.
        default: its described value.
        meaning: what the numbers are.
        size: how many numbers the user gives for a wrench: the last ``size`` of the six.
        least: what a number must not fall below.
        row: its place among the inputs of its kind.
        vectors: what each three of its numbers are, with a place for x, y or z; a wrench has some.
    """

    kind: Kind
    default: Array
    meaning: str
    size: int = 6
    least: float = -np.inf
    row: int = 0
    vectors: tuple[str, ...] = ()

    @property
    def is_pose(self) -> bool:
        """Whether the input is a pose."""
        return self.kind == "pose"

    def read(self, name: str, value: ArrayLike) -> Array:
        """The value that the user gave, checked."""
        if (
            isinstance(value, float)
            and not SHAPES[self.kind]
            and isfinite(value)
            and value >= self.least
        ):
            return np.float64(value)  # most inputs are that simple
        wanted, count = {
            "pose": ((4, 4), "a 4x4 matrix"),
            "wrench": ((self.size,), f"{self.size} finite numbers"),
        }.get(self.kind, ((), "a finite number"))
        try:
            given = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.array(np.nan)
        if not wanted and given.size == 1:
            given = given.reshape(())
        if given.shape != wanted or not np.isfinite(given).all():
            raise ModelError(f"input {name!r} takes {count}, {self.meaning}; got {value!r}")
        if self.is_pose:
            _check_pose(name, given)
        if not wanted and given < self.least:
            raise ModelError(
                f"input {name!r} takes a number >= {self.least:g}, {self.meaning}; got {value!r}"
            )
        if self.kind == "wrench":
            return np.concatenate([self.default[: 6 - self.size], given])
        return given

    def number(self, i: int) -> str:
        """What number i of a value is."""
        if not self.vectors:
            return f"number {i}: {self.meaning}"
        return self.vectors[i // 3].format("xyz"[i % 3])

    def shown(self, value: Array) -> Array:
        """A value as the user gives it."""
        return value[6 - self.size :] if self.kind == "wrench" else value


@dataclass(frozen=True)
class Inputs:
    """The values of all inputs of a model, by kind.

    Attributes:
        wrench: rows (moment, force) of the loads, (n, 6).
        pose: offsets of the named welds, (m, 4, 4).
        tendon: tension [N] or shortening [m] of the tendons, (k,).
        pull: forces of the pulleys [N], (p,).
        drive: coordinates of driven joints and motors [rad, m], (d,).
    """

    wrench: Array
    pose: Pose
    tendon: Array
    pull: Array
    drive: Array

    @classmethod
    def described(cls, entries: Mapping[str, Input]) -> "Inputs":
        """The described values of all inputs, in the order of their rows."""
        found: dict[str, list[Array]] = {kind: [] for kind in SHAPES}
        for entry in entries.values():
            found[entry.kind].append(entry.default)
        return cls(
            **{
                kind: frozen(np.array(rows, dtype=np.float64).reshape(-1, *SHAPES[kind]))
                for kind, rows in found.items()
            }
        )

    def changed(
        self, entries: Mapping[str, Input], values: Mapping[str, ArrayLike] | None
    ) -> "Inputs":
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
        found: dict[str, Array] = {}
        for name, value in values.items():
            if name not in entries:
                raise UnknownName("input", name, entries)
            entry = entries[name]
            if entry.kind not in found:
                found[entry.kind] = getattr(self, entry.kind).copy()
            found[entry.kind][entry.row] = entry.read(name, value)
        for rows in found.values():
            frozen(rows)
        return Inputs(**{kind: found.get(kind, getattr(self, kind)) for kind in SHAPES})

    def unloaded(self) -> "Inputs":
        """The same poses without any load."""
        none = (frozen(np.zeros_like(x)) for x in (self.wrench, self.tendon, self.pull))
        wrench, tendon, pull = none
        return Inputs(wrench, self.pose, tendon, pull, self.drive)

    def towards(self, end: "Inputs", fraction: float) -> "Inputs":
        """The inputs on the way to others: numbers linearly, poses along the shortest screw."""

        def between(a: Array, b: Array) -> Array:
            return frozen(a + fraction * (b - a))

        pose = self.pose
        if len(pose):
            step = se3.log(se3.inverse(pose) @ end.pose)
            pose = pose @ se3.exp(fraction * step)
        return Inputs(
            between(self.wrench, end.wrench),
            frozen(pose),
            between(self.tendon, end.tendon),
            between(self.pull, end.pull),
            between(self.drive, end.drive),
        )

    def by_name(self, entries: Mapping[str, Input]) -> dict[str, Array]:
        """The value of every input, as the user gives it."""
        rows = {kind: iter(getattr(self, kind)) for kind in SHAPES}
        return {
            name: np.asarray(entry.shown(next(rows[entry.kind]))) for name, entry in entries.items()
        }


def _check_pose(name: str, pose: Pose) -> None:
    """Raise unless the matrix is a pose."""
    R = pose[:3, :3]
    straight = np.allclose(R.T @ R, np.eye(3), atol=1e-8) and np.linalg.det(R) > 0.0
    if not straight or not np.array_equal(pose[3], [0.0, 0.0, 0.0, 1.0]):
        raise ModelError(
            f"input {name!r} takes a pose: a rotation and a position in a 4x4 matrix, got "
            f"{pose.tolist()}; make one with lie.se3.pose(position, rotation)"
        )
