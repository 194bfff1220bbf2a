"""Directions in which a rod may leave and arrive where it can turn at its ends."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import brentq

from flexura.robot.elastic import Elastic
from flexura.rods.cord import hung_between
from flexura.typing import Vector

# What has no more of it across a chord than this is along it, and tells no side to bulge to.
SMALL = 1e-9
EPS = float(np.finfo(float).eps)


def directions_between(
    rod: Elastic,
    chord: Vector,
    distance: float,
    load: Vector,
    stretches: bool,
    sides: Sequence[Vector],
) -> list[tuple[Vector, Vector]]:
    """Directions at base and tip of a rod between two places: a cord's, and those of arcs.

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
    half = _half_angle(min(1.0, distance / rod.length))
    for side in (load, *(sign * side for side in sides for sign in (1.0, -1.0))):
        bulge = side - (side @ chord) * chord
        if np.linalg.norm(bulge) > SMALL * np.linalg.norm(side):
            out = math.sin(half) / np.linalg.norm(bulge) * bulge
            found.append((math.cos(half) * chord + out, math.cos(half) * chord - out))
    return found


def _half_angle(ratio: float) -> float:
    """Half the angle of an arc whose chord is a part of its length: sin(x) / x = ratio."""
    if ratio <= EPS:  # sin(π) is no zero
        return math.pi
    return float(brentq(lambda x: np.sinc(x / math.pi) - ratio, 0.0, math.pi))
