"""First guesses for a rod between two poses; the one of least energy is taken."""

from dataclasses import dataclass

import numpy as np

from flexura.lie import se3, so3
from flexura.robot.bending import bending
from flexura.robot.elastic import Elastic
from flexura.rods.bridge import Bridge, Curve, Curves
from flexura.rods.cord import Cord, cord_between
from flexura.rods.shape import PLACES, WEIGHT, Shape
from flexura.typing import Array, Pose, Strain, Twist, Vector

# Ends closer than this part of the length may close a ring; others where they take more than this
# part of the energy of one.
CLOSE, HALF = 0.5, 0.5
# w L³ / EI, what the load does to a rod over what its stiffness does, from which on it counts.
LIGHT = 1.0
# What is stretched, or too taut for a curve, begins as one whose ends are nearer to each other: the
# first of these parts of its length that there is one for.
TAUT = (0.95, 0.8, 0.5)


@dataclass(frozen=True)
class Geodesic(Shape):
    """A curve of constant strain, which stretches to meet its end."""

    rod: Elastic
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
    rod: Elastic,
    end: Pose,
    load: Vector,
    stretches: bool,
    sharpest: float,
    rings: bool = True,
    fixed: bool = True,
) -> Shape:
    """A shape of little energy from the identity to an end.

    Args:
        rod: its length, stiffness and rest shape.
        end: pose of its tip.
        load: on each meter [N/m].
        stretches: whether its description lets it.
        sharpest: the least length within which its description lets it turn [m].
        rings: whether it may close a ring, as it need not where its ends point as they like.
        fixed: whether its ends are known; if they are guessed, so is how a load bends it.
    """
    cord = cord_between(rod, end, load, stretches, sharpest)
    if cord is not None and cord.limp:
        return cord
    if cord is not None and cord.other:
        cord = None
    found: list[Shape] = []
    apart = float(np.linalg.norm(end[:3, 3])) / rod.length
    if apart < 1.0:
        found = _curves(rod, end, load, cord, rings)
        if fixed:
            found = _loaded(rod, end, load, found)
    bent = any(isinstance(shape, Bridge | Curve) for shape in found)
    if stretches and apart > TAUT[-1] and not bent:
        far = end[:3, 3] / apart
        guesses = (_stretched(rod, turn, far, apart) for turn in _turns(rod, end))
        found += [shape for shape in guesses if shape is not None]
    if apart >= 1.0 or not found:
        found += [Geodesic(rod, twist) for twist in _twists(rod, end)]
    return _least(found, rod, end, load)


def _curves(rod: Elastic, end: Pose, load: Vector, cord: Cord | None, rings: bool) -> list[Shape]:
    """A cord, if there is one, and the best curve that no load bends; as for ``shape_between``."""
    curves, apart = Curves(rod, np.zeros(3)), float(np.linalg.norm(end[:3, 3])) / rod.length
    turns = _turns(rod, end)
    guesses: list[Shape | None] = [cord, *(curves.between(turn, end[:3, 3]) for turn in turns)]
    if bent_at_rest(rod):
        guesses.append(curves.refined(end, rod.rest_strain))
    if apart < CLOSE or (rings and _much(rod, end, guesses)):
        others = _rings(end) if rings else _back_round(end)
        guesses += [curves.along(end, bend / rod.length) for bend in others]
    found = [shape for shape in guesses[1:] if shape is not None]
    hanging: list[Shape] = [] if cord is None else [cord]
    return hanging + ([_least(found, rod, end, load)] if found else [])


def _loaded(rod: Elastic, end: Pose, load: Vector, found: list[Shape]) -> list[Shape]:
    """What was found, and the best curves under a load, settled if it bends the rod.

    Arguments as for ``shape_between``, and shapes that it has found.
    """
    if float(np.linalg.norm(load)) * rod.length**3 <= LIGHT * bending(rod).least:
        return found
    curves = Curves(rod, load)
    others = (curves.between(turn, end[:3, 3]) for turn in _turns(rod, end))
    found = [*found, *(shape for shape in others if shape is not None)]
    return [(isinstance(x, Curve) and curves.settled(x)) or x for x in found]


def _least(found: list[Shape], rod: Elastic, end: Pose, load: Vector) -> Shape:
    """The one of least energy."""
    if len(found) == 1:
        return found[0]
    return min(found, key=lambda shape: shape.energy(rod, end, load))


def _stretched(rod: Elastic, turn: Vector, far: Vector, apart: float) -> Stretched | None:
    """A curve whose ends are nearly as far from each other as they can be, stretched to its end."""
    curves = Curves(rod, np.zeros(3))  # its tension is far more than any load
    for taut in TAUT:
        curve = curves.between(turn, taut * far) if taut < apart else None
        if curve is not None:
            return Stretched(curve, apart / taut)
    return None


def _much(rod: Elastic, end: Pose, guesses: list[Shape | None]) -> bool:
    """Whether all guesses take more energy than a part of a ring, whatever pulls at them."""
    stored = (shape.energy(rod, end, np.zeros(3)) for shape in guesses if shape is not None)
    return min(stored, default=np.inf) > HALF * 2.0 * np.pi**2 * bending(rod).least / rod.length


def bent_at_rest(rod: Elastic) -> bool:
    """Whether a rod is bent or twisted where nothing acts on it."""
    return bool(rod.rest_strain(rod.length * PLACES)[:, :3].any())


def _rings(end: Pose) -> list[Vector]:
    """Turns by which a rod whose ends are close may close a ring, to four sides."""
    sides = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
    return [2.0 * np.pi * np.array(side) + so3.log(end[:3, :3]) for side in sides]


def _back_round(end: Pose) -> list[Vector]:
    """The turn that leads to the end the other way round, of what leaves away from its end."""
    shortest = se3.log(end)[:3]
    angle = float(np.linalg.norm(shortest))
    away = end[0, 3] < 0.0 and angle > 1e-9
    return [(1.0 - 2.0 * np.pi / angle) * shortest] if away else []


def _twists(rod: Elastic, end: Pose) -> list[Twist]:
    """Twists that lead to the end, by turns that lead to it."""
    found = [se3.log(end)]
    for turn in _turns(rod, end)[1:]:
        way = np.linalg.lstsq(so3.dexp_left(turn), end[:3, 3], rcond=None)[0]
        if np.allclose(so3.dexp_left(turn) @ way, end[:3, 3], atol=1e-9 * rod.length):
            found.append(np.concatenate([turn, way]))
    return found


def _turns(rod: Elastic, end: Pose) -> list[Vector]:
    """Rotation vectors that lead to the end: the shortest, and the nearest to the rest shape's."""
    shortest = se3.log(end)[:3]
    rest = rod.length * WEIGHT @ rod.rest_strain(rod.length * PLACES)[:, :3]
    angle = float(np.linalg.norm(shortest))
    axis = shortest / angle if angle > 1e-9 else rest / max(float(np.linalg.norm(rest)), 1e-300)
    turns = np.round((axis @ rest - angle) / (2.0 * np.pi))
    return [shortest, shortest + 2.0 * np.pi * turns * axis] if turns else [shortest]
