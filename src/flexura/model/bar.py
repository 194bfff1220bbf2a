"""Bodies between two balls: they hang along the tension, as bars with a weight."""

from dataclasses import dataclass

import numpy as np

from flexura.rods.cord import aimed, some_across
from flexura.rods.funicular import NOTHING, Span
from flexura.typing import Matrix, Pose, Vector

# Directions shorter than this, over the size of a body, are none.
NONE = 1e-9


@dataclass(frozen=True, eq=False)
class Bar:
    """A body that two balls hold, and nothing else.

    Attributes:
        coordinate: that it is.
        enters, leaves: where the balls are in it [m].
        joint: number of the second one.
        beyond: the node that this one leads to.
    """

    coordinate: int
    enters: Vector
    leaves: Vector
    joint: int
    beyond: int

    @property
    def length(self) -> float:
        """How far its balls are apart [m]."""
        return float(np.linalg.norm(self.leaves - self.enters))

    def span(self, force: Vector, center: Vector) -> Span:
        """It as a rod that does not bend, with a force that acts at a place of it."""
        way = self.leaves - self.enters
        square = float(way @ way)
        part = float((center - self.enters) @ way) / square if square > 0.0 else 0.5
        return Span(self.length, NOTHING, 0.0, 0.0, weight=force, center=part)

    def placed(self, rest: Pose, begin: Vector, end: Vector, force: Vector, center: Vector) -> Pose:
        """Its pose between two places, with the force that acts at a place of it downwards.

        Args:
            rest: its pose, which is turned no more than that takes.
            begin: where the first ball is [m].
            end: where the second one is [m].
            force: on it [N].
            center: where that acts, in it [m].
        """
        R, arm, way = rest[:3, :3], center - self.enters, end - begin
        if self.length > 0.0:
            R = _turned(R @ (self.leaves - self.enters), way) @ R
            axis = way / float(np.linalg.norm(way))
            arm, force = (x - (x @ axis) * axis for x in (R @ arm, force))
            R = _turned(arm, force, axis) @ R
        else:
            R = _turned(R @ arm, force) @ R
        found = np.eye(4)
        found[:3, :3] = R
        found[:3, 3] = 0.5 * (begin + end) - R @ (0.5 * (self.enters + self.leaves))
        return found


def _turned(here: Vector, there: Vector, about: Vector | None = None) -> Matrix:
    """The rotation from one direction to another one: the shortest, or about an axis across both.

    None where there is no direction.
    """
    sizes = float(np.linalg.norm(here)), float(np.linalg.norm(there))
    if min(sizes) <= NONE:
        return np.eye(3)
    first = here / sizes[0]
    second = some_across(first) if about is None else about
    second = second / np.linalg.norm(second)
    frame = np.stack([first, second, np.cross(first, second)], axis=1)
    if about is None:
        return np.asarray(aimed(frame, there / sizes[1]) @ frame.T)
    aim = there / sizes[1]
    return np.asarray(np.stack([aim, second, np.cross(aim, second)], axis=1) @ frame.T)
