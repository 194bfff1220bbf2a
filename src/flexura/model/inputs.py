"""What can change from solve to solve: wrenches of loads, poses of named welds."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.lie import se3
from flexura.typing import Array, ArrayLike, Pose, frozen


@dataclass(frozen=True)
class Input:
    """A quantity that the user may give.

    Attributes:
        default: its described value, as (moment, force), or a pose.
        size: how many numbers the user gives for a wrench: the last ``size`` of the six.
        meaning: what the numbers are.
    """

    default: Array
    size: int
    meaning: str

    @property
    def is_pose(self) -> bool:
        """Whether the input is a pose."""
        return self.default.shape == (4, 4)

    def read(self, name: str, value: ArrayLike) -> Array:
        """The value that the user gave, checked."""
        shape = (4, 4) if self.is_pose else (self.size,)
        try:
            given = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.array(np.nan)
        if given.shape != shape or not np.isfinite(given).all():
            count = "a 4x4 matrix" if self.is_pose else f"{self.size} finite numbers"
            raise ModelError(f"input {name!r} takes {count}, {self.meaning}; got {value!r}")
        if self.is_pose:
            _check_pose(name, given)
            return given
        return np.concatenate([self.default[: 6 - self.size], given])


@dataclass(frozen=True)
class Inputs:
    """The values of all inputs of a model.

    Attributes:
        wrench: rows (moment, force) of the loads, (n, 6).
        pose: offsets of the named welds, (m, 4, 4).
    """

    wrench: Array
    pose: Pose

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
        wrench = [x for x in found if x.shape == (6,)]
        pose = [x for x in found if x.shape == (4, 4)]
        return cls(
            frozen(np.array(wrench).reshape(-1, 6)), frozen(np.array(pose).reshape(-1, 4, 4))
        )

    def unloaded(self) -> "Inputs":
        """The same poses without any load."""
        return Inputs(frozen(np.zeros_like(self.wrench)), self.pose)

    def towards(self, end: "Inputs", fraction: float) -> "Inputs":
        """The inputs on the way to others: wrenches linearly, poses along the shortest screw."""
        wrench = self.wrench + fraction * (end.wrench - self.wrench)
        pose = self.pose
        if len(pose):
            step = se3.log(se3.inverse(pose) @ end.pose)
            pose = pose @ se3.exp(fraction * step)
        return Inputs(frozen(wrench), frozen(pose))

    def by_name(self, entries: Mapping[str, Input]) -> dict[str, Array]:
        """The value of every input, as the user gives it."""
        wrenches, poses = iter(self.wrench), iter(self.pose)
        return {
            name: next(poses) if entry.is_pose else next(wrenches)[6 - entry.size :]
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
