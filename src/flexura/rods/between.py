"""First guesses for a rod between two poses; the one of least energy is taken."""

from dataclasses import dataclass

import numpy as np

from flexura.lie import se3, so3
from flexura.robot import Rod
from flexura.rods.bridge import curve_along, curve_between
from flexura.rods.cord import cord_between
from flexura.rods.shape import PLACES, WEIGHT, Shape
from flexura.typing import Array, Pose, Strain, Twist, Vector

# Ends closer than this part of the length may close a ring.
CLOSE = 0.5
# What is stretched begins as a curve whose ends are the first of these parts of its length from
# each other that there is one for.
TAUT = (0.95, 0.8, 0.5)


@dataclass(frozen=True)
class Geodesic(Shape):
    """A curve of constant strain, which stretches to meet its end."""

    rod: Rod
    twist: Twist

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        return se3.exp(s[:, None] / self.rod.length * self.twist)

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""
        return np.tile(self.twist / self.rod.length, (len(s), 1))


@dataclass(frozen=True)
class Stretched(Shape):
    """Another curve, which ends as much nearer as this one is longer all along."""

    curve: Shape
    factor: float

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        pose = self.curve.poses(s)
        pose[:, :3, 3] *= self.factor
        return pose

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""
        return np.asarray(self.curve.strain(s) * np.repeat([1.0, self.factor], 3))


def shape_between(
    rod: Rod, end: Pose, load: Vector, stretches: bool, sharpest: float, rings: bool = True
) -> Shape:
    """A shape of little energy from the identity to an end.

    Args:
        rod: its length, stiffness and rest shape.
        end: pose of its tip.
        load: on each meter [N/m].
        stretches: whether its description lets it.
        sharpest: the least length within which its description lets it turn [m].
        rings: whether it may close a ring, as it need not where its ends point as they like.
    """
    cord = cord_between(rod, end, load, stretches, sharpest)
    if cord is not None and cord.limp:
        return cord
    guesses: list[Shape | None] = []
    if cord is not None and cord.lean:  # its energy would be that of another one
        cord = None
    apart = float(np.linalg.norm(end[:3, 3])) / rod.length
    if apart < 1.0:
        guesses += [cord, *(curve_between(rod, turn, end[:3, 3]) for turn in _turns(rod, end))]
    if apart < CLOSE and rings:
        guesses += [curve_along(rod, end, bend / rod.length) for bend in _rings(end)]
    if apart >= 1.0 and stretches:
        guesses += [_stretched(rod, turn, end[:3, 3] / apart, apart) for turn in _turns(rod, end)]
    found = [shape for shape in guesses if shape is not None]
    if apart >= 1.0 or not found:
        found += [Geodesic(rod, twist) for twist in _twists(rod, end)]
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda shape: shape.energy(rod, end, load))


def _stretched(rod: Rod, turn: Vector, far: Vector, apart: float) -> Stretched | None:
    """A curve whose ends are nearly as far from each other as they can be, stretched to its end."""
    for taut in TAUT:
        curve = curve_between(rod, turn, taut * far)
        if curve is not None:
            return Stretched(curve, apart / taut)
    return None


def _rings(end: Pose) -> list[Vector]:
    """Turns by which a rod whose ends are close may close a ring, to four sides."""
    sides = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
    return [2.0 * np.pi * np.array(side) + so3.log(end[:3, :3]) for side in sides]


def _twists(rod: Rod, end: Pose) -> list[Twist]:
    """Twists that lead to the end, by turns that lead to it."""
    found = [se3.log(end)]
    for turn in _turns(rod, end)[1:]:
        way = np.linalg.lstsq(so3.dexp_left(turn), end[:3, 3], rcond=None)[0]
        if np.allclose(so3.dexp_left(turn) @ way, end[:3, 3], atol=1e-9 * rod.length):
            found.append(np.concatenate([turn, way]))
    return found


def _turns(rod: Rod, end: Pose) -> list[Vector]:
    """Rotation vectors that lead to the end: the shortest, and the nearest to the rest shape's."""
    shortest = se3.log(end)[:3]
    rest = rod.length * WEIGHT @ rod.rest_strain(rod.length * PLACES)[:, :3]
    angle = float(np.linalg.norm(shortest))
    axis = shortest / angle if angle > 1e-9 else rest / max(float(np.linalg.norm(rest)), 1e-300)
    turns = np.round((axis @ rest - angle) / (2.0 * np.pi))
    return [shortest, shortest + 2.0 * np.pi * turns * axis] if turns else [shortest]
