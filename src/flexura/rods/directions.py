"""Directions in which a rod may leave and arrive where it can turn at its ends."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from flexura.robot.elastic import Elastic
from flexura.rods.cord import hung_between
from flexura.typing import Vector

# What has no more of it across a chord than this is along it, and tells no side to bulge to.
SMALL = 1e-9
# More than the angle of an elastica whose ends meet [rad].
LOOP = 2.5


def directions_between(
    rod: Elastic,
    chord: Vector,
    distance: float,
    load: Vector,
    stretches: bool,
    sides: Sequence[Vector],
) -> list[tuple[Vector, Vector]]:
    """Directions at base and tip of a rod between two places: a cord's, and those of elastica.

    Args:
        rod: its length and stiffness.
        chord: direction from its base to its tip.
        distance: of both [m].
        load: on each meter [N/m].
        stretches: whether its description lets it.
        sides: directions that it may bulge to besides that of the load, or against them.
    """
    straight = np.eye(4)
    straight[:3, 3] = distance * chord
    cord = hung_between(rod, np.zeros(3), straight, load, stretches, turns=True)
    found = [] if cord is None else [(cord.direction(0.0), cord.direction(rod.length))]
    if cord is not None and cord.limp:
        return found
    angle = _end_angle(min(1.0, distance / rod.length))
    for side in (load, *(sign * side for side in sides for sign in (1.0, -1.0))):
        bulge = side - (side @ chord) * chord
        if np.linalg.norm(bulge) > SMALL * np.linalg.norm(side):
            out = math.sin(angle) / np.linalg.norm(bulge) * bulge
            found.append((math.cos(angle) * chord + out, math.cos(angle) * chord - out))
    return found


def _end_angle(ratio: float) -> float:
    """Angle between chord and ends of an elastica whose ends are that part of its length apart.

    The one that turns at its ends without any moment: 2 E(m) / K(m) - 1 = ratio, m = sin² α/2.
    """

    def beyond(angle: float) -> float:
        m = math.sin(0.5 * angle) ** 2
        return float(2.0 * ellipe(m) / ellipk(m)) - 1.0 - ratio

    return float(brentq(beyond, 0.0, LOOP))
