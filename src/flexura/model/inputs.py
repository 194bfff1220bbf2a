"""What can change from solve to solve: wrenches of loads, poses of named welds, tendons."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.lie import se3
from flexura.typing import Array, ArrayLike, Pose, frozen

WRENCH, POSE, NUMBER = (6,), (4, 4), ()


@dataclass(frozen=True)
class Input:
    """A quantity that the user may give.

    Attributes:
        default: its described value: (moment, force), a pose, or a number.
        meaning: what the numbers are.
        size: how many numbers the user gives for a wrench: the last ``size`` of the six.
        least: what a number must not fall below.
    """

    default: Array
    meaning: str
    size: int = 6
    least: float = -np.inf

    @property
    def is_pose(self) -> bool:
        """Whether the input is a pose."""
        return self.default.shape == POSE

    def read(self, name: str, value: ArrayLike) -> Array:
        """The value that the user gave, checked."""
        kind = self.default.shape
        wanted, count = {
            POSE: (POSE, "a 4x4 matrix"),
            NUMBER: (NUMBER, "a finite number"),
            WRENCH: ((self.size,), f"{self.size} finite numbers"),
        }[kind]
        try:
            given = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.array(np.nan)
        if kind == NUMBER and given.size == 1:
            given = given.reshape(())
        if given.shape != wanted or not np.isfinite(given).all():
            raise ModelError(f"input {name!r} takes {count}, {self.meaning}; got {value!r}")
        if kind == POSE:
            _check_pose(name, given)
        if kind == NUMBER and given < self.least:
            raise ModelError(
                f"input {name!r} takes a number >= {self.least:g}, {self.meaning}; got {value!r}"
            )
        return np.concatenate([self.default[: 6 - self.size], given]) if kind == WRENCH else given

    def shown(self, value: Array) -> Array:
        """A value as the user gives it."""
        return value[6 - self.size :] if self.default.shape == WRENCH else value


@dataclass(frozen=True)
class Inputs:
    """The values of all inputs of a model.

    Attributes:
        wrench: rows (moment, force) of the loads, (n, 6).
        pose: offsets of the named welds, (m, 4, 4).
        tendon: tension [N] or shortening [m] of the tendons, (k,).
    """

    wrench: Array
    pose: Pose
    tendon: Array

    @classmethod
    def read(cls, entries: Mapping[str, Input], values: Mapping[str, ArrayLike] | None) -> "Inputs":
        """The given values, and the described ones of the rest.

        Raises:
            UnknownName: for a name that is no input.
            ModelError: for a value of the wrong size, or that is not finite.
        """
        if values is not None and not isinstance(values, Mapping):
            kind = type(values).__name__
            raise ModelError(f"inputs must be a dict of names and values, got {kind}")
        given = dict(values or {})
        for name in given:
            if name not in entries:
                raise UnknownName("input", name, entries)
        found = [
            entry.read(name, given[name]) if name in given else entry.default
            for name, entry in entries.items()
        ]

        def stacked(kind: tuple[int, ...]) -> Array:
            return frozen(np.array([x for x in found if x.shape == kind]).reshape(-1, *kind))

        return cls(stacked(WRENCH), stacked(POSE), stacked(NUMBER))

    def unloaded(self) -> "Inputs":
        """The same poses without any load."""
        return Inputs(
            frozen(np.zeros_like(self.wrench)), self.pose, frozen(np.zeros_like(self.tendon))
        )

    def towards(self, end: "Inputs", fraction: float) -> "Inputs":
        """The inputs on the way to others: numbers linearly, poses along the shortest screw."""
        wrench = self.wrench + fraction * (end.wrench - self.wrench)
        tendon = self.tendon + fraction * (end.tendon - self.tendon)
        pose = self.pose
        if len(pose):
            step = se3.log(se3.inverse(pose) @ end.pose)
            pose = pose @ se3.exp(fraction * step)
        return Inputs(frozen(wrench), frozen(pose), frozen(tendon))

    def by_name(self, entries: Mapping[str, Input]) -> dict[str, Array]:
        """The value of every input, as the user gives it."""
        rows = {WRENCH: iter(self.wrench), POSE: iter(self.pose), NUMBER: iter(self.tendon)}
        return {
            name: np.asarray(entry.shown(next(rows[entry.default.shape])))
            for name, entry in entries.items()
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
