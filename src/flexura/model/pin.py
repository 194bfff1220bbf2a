"""A joint at an end of a rod, seen from that end: where the rod is, and how it may turn there."""

import math
from dataclasses import dataclass

import numpy as np

from flexura.lie import quaternion, so3
from flexura.rods.cord import aimed
from flexura.typing import Matrix, Pose, Vector

# Axes that turn together need a few rounds to aim.
ROUNDS = 4
# Directions no further than this from along an axis do not tell how to turn about it [rad].
ALONG = 1e-9


@dataclass(frozen=True, eq=False)
class Pin:
    """A joint at an end of a rod that nothing else holds.

    Attributes:
        joint: pose of the joint in the world.
        offset: of the rod's end in the joint, when the joint is at rest.
        free: axes of the joint that it may turn about, (k, 3).
        turns, fixed: the rod turns there, so that its pose is a guess.
        guessed: so is how the joint is turned, or it makes no difference.
    """

    joint: Pose
    offset: Pose
    free: Matrix
    turns: bool = True
    fixed: bool = False
    guessed: bool = False

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""
        return np.asarray((self.joint @ self.offset)[:3, 3])

    @property
    def rolls(self) -> bool:
        """Whether it is a ball at the end of the rod itself, and turned in no way of its own."""
        return self.guessed and len(self.free) == 3 and self.lever == 0.0

    @property
    def lever(self) -> float:
        """How far the end is from the joint [m]."""
        return float(np.linalg.norm(self.offset[:3, 3]))

    @property
    def direction(self) -> Vector:
        """The direction of the rod there, when the joint is at rest."""
        return np.asarray((self.joint @ self.offset)[:3, 0])

    @property
    def led(self) -> Matrix:
        """Axes along which the direction of the rod stays as it is, (k, 3)."""
        if len(self.free) == 0:
            return self.joint[:3, :3].T
        return self.free @ self.joint[:3, :3].T if len(self.free) == 1 else np.empty((0, 3))

    def sides(self, chord: Vector) -> Matrix:
        """Across its axes: it bends in planes that these stand on. A ball leaves that open."""
        axes = self.free if len(self.free) < 3 else np.empty((0, 3))
        return np.cross(axes @ self.joint[:3, :3].T, chord)

    def aim(self, direction: Vector) -> Pose:
        """Pose of the end of the rod, turned so that it points in a direction, or nearly."""
        R = self.joint[:3, :3]
        if len(self.free) == 3:
            turned = R.T @ aimed(R @ self.offset[:3, :3], direction) @ self.offset[:3, :3].T
        else:
            turned, wanted = np.eye(3), R.T @ direction
            for _ in range(ROUNDS if len(self.free) > 1 else 1):
                for axis in self.free:
                    turned = _turned(turned @ self.offset[:3, 0], axis, wanted) @ turned
        return self._moved(turned)

    def nearest(self, frame: Matrix) -> Pose:
        """Pose of the end of the rod, turned as near to a frame as the joint can."""
        turn = quaternion.from_matrix(self.joint[:3, :3].T @ frame @ self.offset[:3, :3].T)
        turn[1:] = self.free.T @ self.free @ turn[1:]
        size = float(np.linalg.norm(turn))
        return self._moved(quaternion.to_matrix(turn / size) if size > 0.0 else np.eye(3))

    def _moved(self, turned: Matrix) -> Pose:
        """Pose of the end of the rod where the joint has turned."""
        motion = np.eye(4)
        motion[:3, :3] = turned
        return np.asarray(self.joint @ motion @ self.offset)


def _turned(arm: Vector, axis: Vector, wanted: Vector) -> Matrix:
    """Rotation about an axis that turns an arm towards a wanted direction; none along the axis."""
    across = np.cross(axis, arm)
    sine, cosine = float(across @ wanted), float((arm - (arm @ axis) * axis) @ wanted)
    if math.hypot(sine, cosine) <= ALONG:
        return np.eye(3)
    return so3.exp(math.atan2(sine, cosine) * axis)
