"""What holds the ends of rods."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexura.typing import Matrix, Pose, Vector


class End(Protocol):
    """What holds an end of a rod."""

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""

    @property
    def turns(self) -> bool:
        """Whether the rod may turn there."""

    @property
    def fixed(self) -> bool:
        """Whether its pose is known; else it is a guess."""

    @property
    def rolls(self) -> bool:
        """Whether how it is turned about its own axis there does not matter at all."""

    @property
    def lever(self) -> float:
        """How far the end is from what it turns about [m]."""

    @property
    def direction(self) -> Vector:
        """The direction of the rod there, as long as it has not turned."""

    @property
    def led(self) -> Matrix:
        """Axes along which the direction of the rod stays as it is, (k, 3)."""

    def aim(self, direction: Vector) -> Pose:
        """Pose of the end of the rod, turned so that it points in a direction, or nearly."""

    def nearest(self, frame: Matrix) -> Pose:
        """Pose of the end of the rod, turned as near to a frame as it can."""

    def sides(self, chord: Vector) -> Matrix:
        """Directions that the rod may bulge to, or against them, as far as this end tells, (k, 3).

        Args:
            chord: direction to the other end.
        """


@dataclass(frozen=True, eq=False)
class Clamp:
    """An end of a rod that is where something else holds it.

    Attributes:
        pose: of the end.
        turns: whether the rod may turn there.
        fixed: whether nothing moves it; else its pose is a guess.
    """

    pose: Pose
    turns: bool = False
    fixed: bool = False

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""
        return self.pose[:3, 3]

    @property
    def rolls(self) -> bool:
        """It does not turn."""
        return False

    @property
    def lever(self) -> float:
        """Nothing: it does not turn."""
        return 0.0

    @property
    def direction(self) -> Vector:
        """The direction of the rod there."""
        return self.pose[:3, 0]

    @property
    def led(self) -> Matrix:
        """All axes."""
        return np.eye(3)

    def aim(self, direction: Vector) -> Pose:
        """Its pose, whatever the direction."""
        return self.pose

    def nearest(self, frame: Matrix) -> Pose:
        """Its pose, whatever the frame."""
        return self.pose

    def sides(self, chord: Vector) -> Matrix:
        """The direction of the rod: it bends in the plane of that and a chord."""
        return self.pose[None, :3, 0]


@dataclass(frozen=True, eq=False)
class Turned:
    """An end of a rod whose sections lie otherwise than those of the chain that it belongs to.

    Attributes:
        end: what holds the rod.
        axes: sections of the rod in those of the chain, (3, 3).
    """

    end: End
    axes: Matrix

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""
        return self.end.place

    @property
    def turns(self) -> bool:
        """Whether the rod may turn there."""
        return self.end.turns

    @property
    def fixed(self) -> bool:
        """Whether its pose is known."""
        return self.end.fixed

    @property
    def rolls(self) -> bool:
        """Whether how it is turned about its own axis there does not matter."""
        return self.end.rolls

    @property
    def lever(self) -> float:
        """How far the end is from what it turns about [m]."""
        return self.end.lever

    @property
    def direction(self) -> Vector:
        """The direction of the chain there, as long as it has not turned."""
        return float(self.axes[0, 0]) * self.end.direction

    @property
    def led(self) -> Matrix:
        """Axes along which the direction of the chain stays as it is, (k, 3)."""
        return self.end.led

    def aim(self, direction: Vector) -> Pose:
        """Pose of the end of the chain, turned so that it points in a direction, or nearly."""
        return self._turned(self.end.aim(float(self.axes[0, 0]) * direction))

    def nearest(self, frame: Matrix) -> Pose:
        """Pose of the end of the chain, turned as near to a frame as it can."""
        return self._turned(self.end.nearest(frame @ self.axes))

    def sides(self, chord: Vector) -> Matrix:
        """Directions that the chain may bulge to, or against them, (k, 3)."""
        return self.end.sides(chord)

    def _turned(self, pose: Pose) -> Pose:
        """The end of the chain where that of the rod has a pose."""
        turned = pose.copy()
        turned[:3, :3] = pose[:3, :3] @ self.axes.T
        return turned
