"""The catenary: first guess for a rod between two points that hangs like a cord.

A load w on each meter, the same everywhere, pulls a cord of length L into a plane, with the
constant tension a w across the load:

    tan φ = σ / a,    κ = a / (a² + σ²),    tension = w √(a² + σ²),    σ from the lowest point
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from flexura.lie import so3
from flexura.robot import Rod
from flexura.rods.shape import Shape
from flexura.typing import Array, Matrix, Pose, Strain, Vector

# Ends that lie this much of the length beside each other, across the load, are taken as such: a
# cord that folds back on itself has no curvature that a rod could follow.
BESIDE = 1e-2
# Ends whose directions add up to less than this across the load are upright, or opposite.
UPRIGHT = 1e-6
# Below this excess of length a cord is a straight line.
TAUT = 1e-9
# w L³ / EI, what the load does to a rod over what its stiffness does, of something limp.
LIMP = 300.0


@dataclass(frozen=True)
class Cord(Shape):
    """A cord in the frame of its base.

    Attributes:
        rod: what hangs.
        load: its size [N/m].
        across, up: axes of the plane; the load pulls against ``up``.
        a: tension across the load, over the load [m].
        lowest: arc length of the lowest point [m], perhaps outside of the rod.
        frame: rotation of the section at the base.
        twist: of the sections along the rod [rad/m].
    """

    rod: Rod
    load: float
    across: Vector
    up: Vector
    a: float
    lowest: float
    frame: Matrix
    twist: float

    hangs = True

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        begin, along = -self.lowest, s - self.lowest
        x = self.a * (np.arcsinh(along / self.a) - np.arcsinh(begin / self.a))
        z = np.hypot(self.a, along) - math.hypot(self.a, begin)
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        pose[:, :3, :3] = self._rotations(s)
        pose[:, :3, 3] = x[:, None] * self.across + z[:, None] * self.up
        return pose

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]: curvature, twist and the stretch of the tension."""
        along = s - self.lowest
        strain = np.zeros((len(s), 6))
        bend = self.frame.T @ np.cross(self.across, self.up)
        strain[:, :3] = (self.a / (self.a**2 + along**2))[:, None] * bend
        turned = so3.exp(-np.outer(self.twist * s, [1.0, 0.0, 0.0]))
        strain[:, :3] = np.einsum("nij,nj->ni", turned, strain[:, :3])
        strain[:, 0] += self.twist
        strain[:, 3] = 1.0 + self.load * np.hypot(self.a, along) / self.rod.stiffness(s)[:, 3]
        return strain

    @property
    def limp(self) -> bool:
        """Whether its stiffness makes next to no difference."""
        bending = float(self.rod.stiffness(0.0)[1:3].max())
        return self.load * self.rod.length**3 > LIMP * bending

    def energy(self, rod: Rod, end: Pose, load: Vector) -> float:
        """The same, and what corners at its ends take [J]."""
        return super().energy(rod, end, load) + self._corner_energy(end)

    def _corner_energy(self, end: Pose) -> float:
        """What it takes to bend the rod from the directions of its held ends to its own [J].

        The decay length √(EI/T) is short: 4 √(EI T) (1 - cos θ/2) at an end that is turned by θ.
        """
        found = 0.0
        for s, held in ((0.0, np.array([1.0, 0.0, 0.0])), (self.rod.length, end[:3, 0])):
            bending = float(self.rod.stiffness(s)[1:3].mean())
            tension = self.load * math.hypot(self.a, s - self.lowest)
            cosine = min(1.0, max(-1.0, float(held @ self.direction(s))))
            found += 4.0 * math.sqrt(bending * tension) * (1.0 - math.sqrt(0.5 * (1.0 + cosine)))
        return found

    def direction(self, s: float) -> Vector:
        """Its tangent."""
        along = s - self.lowest
        return np.asarray((self.a * self.across + along * self.up) / math.hypot(self.a, along))

    def _rotations(self, s: Array) -> Array:
        """Rotations of the sections: the base's, carried along without twist, and twisted."""
        angle = np.arctan((s - self.lowest) / self.a) - math.atan(-self.lowest / self.a)
        carried = so3.exp(np.outer(angle, np.cross(self.across, self.up)))
        return np.asarray(carried @ self.frame @ so3.exp(np.outer(self.twist * s, [1.0, 0.0, 0.0])))


def cord_between(rod: Rod, end: Pose, load: Vector) -> Cord | None:
    """The cord from the identity to an end; None where it would be straight.

    The frames of its ends are as near to the given ones as its direction there allows.

    Args:
        rod: what hangs.
        end: pose of its tip.
        load: on each meter [N/m].
    """
    length, size = rod.length, float(np.linalg.norm(load))
    if size == 0.0 or np.linalg.norm(end[:3, 3]) >= (1.0 - TAUT) * length:
        return None
    up = -load / size
    rise = float(up @ end[:3, 3])
    across = end[:3, 3] - rise * up
    beside = float(np.linalg.norm(across))
    if beside < BESIDE * length:
        across = _back(end, up)
    across /= np.linalg.norm(across)
    flat = math.sqrt(length**2 - rise**2)
    beside = min(max(beside, BESIDE * length), (1.0 - TAUT) * flat)
    a = beside / (2.0 * _half_parameter(flat / beside))
    begin = math.atanh(rise / length) - beside / (2.0 * a)
    cord = Cord(rod, size, across, up, a, -a * math.sinh(begin), np.eye(3), 0.0)
    cord = replace(cord, frame=aimed(np.eye(3), cord.direction(0.0)))
    arrived = cord.poses(np.array([length]))[0, :3, :3]
    wanted = aimed(end[:3, :3], cord.direction(length))
    return replace(cord, twist=float(so3.log(arrived.T @ wanted)[0]) / length)


def _back(end: Pose, up: Vector) -> Vector:
    """The direction at the lowest point of a cord whose ends are above each other.

    Against that of its ends, so that it turns in one sense all the way; any where they are upright.
    """
    ends = np.array([1.0, 0.0, 0.0]) + end[:3, 0]
    back = (up @ ends) * up - ends
    return back if np.linalg.norm(back) > UPRIGHT else some_across(up)


def _half_parameter(ratio: float) -> float:
    """y > 0 with sinh(y) / y = ratio > 1."""
    high = 1.0
    while math.sinh(high) < ratio * high:
        high *= 2.0
    low = high
    while math.sinh(low) >= ratio * low:
        low *= 0.5
    return float(brentq(lambda y: math.sinh(y) / y - ratio, low, high, xtol=1e-15))


def some_across(direction: Vector) -> Vector:
    """Some direction across another one."""
    axis = np.eye(3)[np.argmin(np.abs(direction))]
    return np.asarray(axis - (axis @ direction) * direction)


def aimed(frame: Matrix, direction: Vector) -> Matrix:
    """The frame, turned the shortest way so that its first axis points in a direction."""
    axis = np.cross(frame[:, 0], direction)
    sine, cosine = float(np.linalg.norm(axis)), float(frame[:, 0] @ direction)
    if sine < 1e-12:
        return frame if cosine > 0.0 else np.asarray(frame @ np.diag([-1.0, 1.0, -1.0]))
    return np.asarray(so3.exp(math.atan2(sine, cosine) / sine * axis) @ frame)
