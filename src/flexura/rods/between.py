"""First guesses for a rod between two poses; the one of least energy is taken."""

from dataclasses import dataclass

import numpy as np

from flexura.lie import se3
from flexura.robot import Rod
from flexura.rods.bridge import curve_between
from flexura.rods.cord import cord_between
from flexura.rods.shape import PLACES, WEIGHT, Shape
from flexura.typing import Array, Pose, Strain, Twist, Vector


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


def shape_between(rod: Rod, end: Pose, load: Vector) -> Shape:
    """A shape of little energy from the identity to an end.

    Args:
        rod: its length, stiffness and rest shape.
        end: pose of its tip.
        load: on each meter [N/m].
    """
    cord = cord_between(rod, end, load)
    if cord is not None and cord.limp:
        return cord
    guesses: list[Shape | None] = [cord]
    if np.linalg.norm(end[:3, 3]) < rod.length:
        guesses += [curve_between(rod, turn, end[:3, 3]) for turn in _turns(rod, end)]
    found = [shape for shape in guesses if shape is not None]
    if not found:
        return Geodesic(rod, se3.log(end))
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda shape: shape.energy(rod, end, load))


def _turns(rod: Rod, end: Pose) -> list[Vector]:
    """Rotation vectors that lead to the end: the shortest, and the nearest to the rest shape's."""
    shortest = se3.log(end)[:3]
    rest = rod.length * WEIGHT @ rod.rest_strain(rod.length * PLACES)[:, :3]
    angle = float(np.linalg.norm(shortest))
    axis = shortest / angle if angle > 1e-9 else rest / max(float(np.linalg.norm(rest)), 1e-300)
    turns = np.round((axis @ rest - angle) / (2.0 * np.pi))
    return [shortest, shortest + 2.0 * np.pi * turns * axis] if turns else [shortest]
