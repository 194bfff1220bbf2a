"""How often poses of welds have turned the rods that they hold: counted from result to result.

A pose tells no whole turns. From one to the next it turns the shortest way, and how far that turns
a rod about itself is told by two of them but for whole turns: by the swing that leads its tangent
the shortest way from where it was described, and the rest, which is about the rod.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura.lie import so3
from flexura.model.inputs import Inputs
from flexura.model.layout import OffsetFactor
from flexura.model.model import Model
from flexura.typing import Matrix, Pose, Rotation, Vector, frozen

# Poses are followed in such steps [rad]. By the opposite of what was described, a swing to one side
# and one to the other differ by a turn, and a small way around there makes two. A tangent that
# swings by more than 120 degrees may have made one or undone one (as joints beyond
# ``winding.ALONG``), and all that is told there but what turns about the tangent is in doubt.
STRIDE, AWAY = 0.5, -0.5


class Grip(NamedTuple):
    """A node that poses of welds move, where a loop comes to a body or leaves it.

    Attributes:
        names: of the welds.
        movers: their numbers among what inputs move.
        other: factors of the offset of the node on the other side than the rod, if it is that.
        own: factors of that of the rod's end.
        sign: of a turn of the rod's end about the rod among those that wind up the loop; 0 if they
            are not counted: then it is known how far poses turn, not what.
    """

    names: tuple[str, ...]
    movers: tuple[int, ...]
    other: tuple[OffsetFactor, ...]
    own: tuple[OffsetFactor, ...]
    sign: float

    def rotation(self, motions: Pose, described: Pose) -> Rotation:
        """How the rod's end is turned by the poses alone, seen from the other side.

        Args:
            motions: by all inputs.
            described: the same of the described robot.
        """
        moved, motions = motions, described.copy()
        motions[list(self.movers)] = moved[list(self.movers)]
        return np.asarray(_rotation(self.other, motions).T @ _rotation(self.own, motions))


def turned_on(
    model: Model, grips: Sequence[Grip], begin: Inputs, end: Inputs, before: Matrix
) -> Matrix:
    """Turns after a change of inputs, and those that are in doubt, for each grip, (n, 2).

    Args:
        model: the robot.
        grips: of it.
        begin: inputs before.
        end: inputs after; poses turn the shortest way.
        before: turns before.
    """
    if np.array_equal(begin.poses, end.poses):
        return before
    found, described = before.copy(), model.motions(model.inputs.described)
    far = np.linalg.norm(
        so3.log(begin.poses[:, :3, :3].swapaxes(1, 2) @ end.poses[:, :3, :3]), axis=1
    )
    steps = 1 + int(far.sum() / STRIDE)
    way = [model.motions(begin.towards(end, k / steps)) for k in range(steps + 1)]
    for own, grip in zip(found, grips, strict=True):
        first, last, *later = (grip.rotation(x, described) for x in (described, *way))
        for after in later:
            own += _step(first.T @ last, first.T @ after, grip.sign)
            last = after
    return frozen(found)


def _step(before: Rotation, after: Rotation, sign: float) -> Vector:
    """Turns about the first axis by a step between two rotations, and turns that are in doubt."""
    turn = so3.log(before.T @ after) / (2.0 * np.pi)
    if not sign:
        return np.array([0.0, np.linalg.norm(turn)])
    step = (_about(after) - _about(before)) / (2.0 * np.pi)
    step -= round(step)
    begins, ends = (float(x[0, 0]) for x in (before, after))
    doubt = abs(step - turn[0]) if min(begins, ends) < AWAY else 0.0
    return np.array([sign * step, doubt + float(ends < AWAY <= begins)])


def _about(turn: Rotation) -> float:
    """The angle about the first axis of a rotation, before or after a swing [rad].

    2 atan2(q₁, q₀) = atan2(R₃₂ - R₂₃, R₂₂ + R₃₃),   q = (q₀, q₁, ..) its quaternion
    """
    return float(np.arctan2(turn[2, 1] - turn[1, 2], turn[1, 1] + turn[2, 2]))


def _rotation(factors: Sequence[OffsetFactor], motions: Pose) -> Rotation:
    found = np.eye(3)
    for factor in factors:
        found = found @ factor.at(motions)[:3, :3]
    return found
