"""The cord: first guess for a rod between two points that hangs by a load more than it resists.

A load w on each meter, the same everywhere, pulls it into a plane, where it is an elastic catenary.
At ends whose direction is another one, it is clamped, and turns within a short length.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from flexura.lie import so3
from flexura.robot.bending import bending
from flexura.robot.elastic import Elastic
from flexura.rods.catenary import Catenary, catenary_to
from flexura.rods.clamp_layer import ClampLayer
from flexura.rods.leaning import Leaning, leaning
from flexura.rods.shape import PLACES, WEIGHT, Shape
from flexura.typing import Array, Matrix, Pose, Strain, Vector, Wrench

# The radius of its lowest bend is no less than this part of the length, nor than this many times
# (EI/w)^⅓, where stiffness keeps it open.
SHARPEST, OPEN = 1e-3, 1.0
# Ends that lie this much of the length beside each other, across the load, are above each other; if
# they point as they like, this much.
BESIDE, ABOVE = 1e-2, 1e-9
# Ends whose directions add up to less than this across the load are upright, or opposite.
UPRIGHT = 1e-6
# w L³ / EI, what the load does to a rod over what its stiffness does, of something limp.
LIMP = 300.0
# The same of something that clamps turn back, by more than this angle [rad].
LIMPEST, BACK = 2000.0, 2.0
# What a clamp does reaches beyond the middle of a rod where it moves it by this part of its length.
REACHING = 0.02
# What clamps do moves the ends of the cord between them, which turns them a little: rounds.
ROUNDS = 2


@dataclass(frozen=True)
class Cord(Shape):
    """A cord in the frame of its base.

    Attributes:
        rod: what hangs.
        load: its size [N/m].
        across, up: axes of the plane; the load pulls against ``up``.
        line: the curve in the plane.
        begin: where the line begins [m].
        frame: rotation of the section at its beginning.
        twist: of the sections along the rod [rad/m].
        layers: what clamps add to it at its ends.
    """

    rod: Elastic
    load: float
    across: Vector
    up: Vector
    line: Catenary
    begin: Vector
    frame: Matrix
    twist: float = 0.0
    layers: tuple[ClampLayer, ...] = ()

    hangs = True

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        x, z = self.line.places(s)
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        pose[:, :3, :3] = self.sections(s)
        pose[:, :3, 3] = self.begin + x[:, None] * self.across + z[:, None] * self.up
        for layer in self.layers:
            pose[:, :3, :3] = layer.rotations(s) @ pose[:, :3, :3]
            pose[:, :3, 3] += layer.shift(s)
        return pose

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]: curvature, twist and the stretch of the tension."""
        bend = np.outer(self.line.bend(s), np.cross(self.across, self.up))
        for layer in self.layers:
            bend += layer.bend(s)
        strain = np.zeros((len(s), 6))
        strain[:, :3] = np.einsum("nji,nj->ni", self.sections(s), bend)
        strain[:, 0] += self.twist
        strain[:, 3] = 1.0 + self.load * self.line.tension(s) / self.rod.stiffness(s)[:, 3]
        return strain

    def wrench(self, s: Array) -> Wrench:
        """Moment [N·m] and tension [N] at arc lengths s [m], in axes of the sections."""
        angle, rod = self.line.pull(s)[:, None], self.rod
        pull = np.cos(angle) * self.across + np.sin(angle) * self.up
        pull *= self.load * self.line.tension(s)[:, None]
        found = rod.stiffness(s) * (self.strain(s) - rod.rest_strain(s))
        found[:, 3:] = np.einsum("nji,nj->ni", self.poses(s)[:, :3, :3], pull)
        return found

    @property
    def limp(self) -> bool:
        """Whether its stiffness makes next to no difference; clamps that turn it back take more."""
        stiff = bending(self.rod).most
        back = any(float(np.linalg.norm(layer.turn)) > BACK for layer in self.layers)
        return self.load * self.rod.length**3 > (LIMPEST if back else LIMP) * stiff

    @property
    def other(self) -> bool:
        """Whether its energy is that of another one: it is wider, or its clamps reach too far."""
        moved = [layer.shift(np.array([0.5 * self.rod.length])) for layer in self.layers]
        return isinstance(self.line, Leaning) or any(
            float(np.linalg.norm(x)) > REACHING * self.rod.length for x in moved
        )

    def energy(self, rod: Elastic, end: Pose, load: Vector) -> float:
        """The same, and what clamps take [J]: 4 √(EI λT) (1 - cos θ/2) where they turn it by θ."""
        found = Shape.energy(replace(self, layers=()), rod, end, load)
        for layer in self.layers:
            stiff = float(self.rod.stiffness(layer.place)[1:3].mean())
            half = 0.5 * float(np.linalg.norm(layer.turn))
            found += 4.0 * stiff / layer.decay * (1.0 - math.cos(half))
        return found

    def direction(self, s: float) -> Vector:
        """Its tangent, but for what clamps do."""
        angle = float(self.line.angle(np.array(s)))
        return math.cos(angle) * self.across + math.sin(angle) * self.up

    def sections(self, s: Array) -> Array:
        """Their rotations but for what clamps do: the first one, carried along and twisted."""
        angle = self.line.angle(s) - self.line.angle(np.zeros(1))
        carried = so3.exp(np.outer(angle, np.cross(self.across, self.up)))
        return np.asarray(carried @ self.frame @ so3.exp(np.outer(self.twist * s, [1.0, 0.0, 0.0])))


def cord_between(
    rod: Elastic, end: Pose, load: Vector, stretches: bool = True, sharpest: float = 0.0
) -> Cord | None:
    """The cord from the identity to an end, clamped at both; None where it would be straight.

    Args:
        rod: what hangs.
        end: pose of its tip.
        load: on each meter [N/m].
        stretches: whether it does.
        sharpest: the least length within which it may turn at its ends [m].
    """
    begin, tip, cord = np.zeros(3), end.copy(), None
    for _ in range(ROUNDS):
        hung = hung_between(rod, begin, tip, load, stretches, sharpest)
        if hung is None:
            break
        cord = _clamped(hung, end, sharpest)
        first, last = cord.layers
        begin = -first.shift(np.zeros(1))[0]
        tip[:3, 3] = end[:3, 3] - last.shift(np.array([rod.length]))[0]
    return cord


def hung_between(
    rod: Elastic,
    begin: Vector,
    end: Pose,
    load: Vector,
    stretches: bool,
    sharpest: float = 0.0,
    turns: bool = False,
) -> Cord | None:
    """The cord between two places, which does not twist; None where it would be straight.

    Where they are close to each other, it is a wider one that leans.

    Args:
        rod: what hangs.
        begin: place of its base [m].
        end: pose of its tip, whose direction counts where both are above each other.
        load: on each meter [N/m].
        stretches: whether it does.
        sharpest: the least radius of a bend [m].
        turns: whether its ends point as they like, so that it need not cross itself.
    """
    length, size = rod.length, float(np.linalg.norm(load))
    if size == 0.0:
        return None
    up, way = -load / size, end[:3, 3] - begin
    rise = float(up @ way)
    across = way - rise * up
    beside = float(np.linalg.norm(across))
    if beside < (ABOVE if turns else BESIDE) * length:
        across = _back(end, up)
    across = across / np.linalg.norm(across)
    sharpest = max(sharpest, SHARPEST * length, OPEN * (bending(rod).least / size) ** (1.0 / 3.0))
    slack = math.sqrt(max(0.0, length**2 - rise**2))
    wide = max(beside, 2.0 * sharpest * math.asinh(0.5 * slack / sharpest), BESIDE * length)
    give = 0.0
    if stretches:
        give = size * float(WEIGHT @ (1.0 / rod.stiffness(length * PLACES)[:, 3]))
    line = catenary_to(length, wide, rise, give)
    if line is not None and wide > beside:
        line = leaning(line, length, beside, rise)
    return None if line is None else Cord(rod, size, across, up, line, begin, np.eye(3))


def _clamped(cord: Cord, end: Pose, sharpest: float) -> Cord:
    """The cord with its ends turned to those of the rod, and no more twist than that takes."""
    length, layers, frames = cord.rod.length, [], []
    for s, sense, held in ((0.0, 1.0, np.eye(3)), (length, -1.0, end[:3, :3])):
        tangent, tension = cord.direction(s), float(cord.line.tension(np.array(s)))
        frame = aimed(held, tangent)
        stretch = 1.0 + cord.line.give * tension
        stiff = float(cord.rod.stiffness(s)[1:3].mean())
        decay = max(sharpest, math.sqrt(stiff / (stretch * cord.load * tension)))
        layers.append(ClampLayer(s, sense, so3.log(frame @ held.T), tangent, decay, stretch))
        frames.append(frame)
    cord = replace(cord, frame=frames[0], layers=tuple(layers))
    twist = so3.log(cord.sections(np.array([length]))[0].T @ frames[1])[0]
    return replace(cord, twist=float(twist) / length)


def _back(end: Pose, up: Vector) -> Vector:
    """The direction at the lowest point of a cord whose ends are above each other.

    Against that of its ends, so that it turns in one sense all the way; any where they are upright.
    """
    ends = np.array([1.0, 0.0, 0.0]) + end[:3, 0]
    back = (up @ ends) * up - ends
    return back if np.linalg.norm(back) > UPRIGHT else some_across(up)


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
