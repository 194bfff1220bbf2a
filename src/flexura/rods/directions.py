"""Directions in which a rod may leave and arrive where it can turn at its ends."""

import math

import numpy as np
from scipy.optimize import brentq

from flexura.robot import Rod
from flexura.rods.cord import hung_between, some_across
from flexura.typing import Vector

X = np.array([1.0, 0.0, 0.0])
# A load that has no more of it across a chord than this leaves the side to bulge to open.
SMALL = 1e-9
EPS = float(np.finfo(float).eps)


def directions_between(
    rod: Rod, begin: Vector, end: Vector, load: Vector, stretches: bool
) -> list[tuple[Vector, Vector]]:
    """Directions at base and tip of a rod between two places: a cord's, an arc's.

    Args:
        rod: its length and stiffness.
        begin: place of its base [m].
        end: place of its tip [m].
        load: on each meter [N/m].
        stretches: whether its description lets it.
    """
    straight = np.eye(4)
    straight[:3, 3] = end - begin
    cord = hung_between(rod, np.zeros(3), straight, load, stretches)
    if cord is None:
        return [_arc(rod, end - begin, load)]
    hanging = cord.direction(0.0), cord.direction(rod.length)
    return [hanging] if cord.limp else [hanging, _arc(rod, end - begin, load)]


def _arc(rod: Rod, way: Vector, load: Vector) -> tuple[Vector, Vector]:
    """Directions at the ends of an arc that bulges along a load."""
    distance = float(np.linalg.norm(way))
    chord = way / distance if distance > 0.0 else X
    bulge = load - (load @ chord) * chord
    if np.linalg.norm(bulge) <= SMALL * np.linalg.norm(load):
        bulge = some_across(chord)
    half = _half_angle(min(1.0, distance / rod.length))
    side = math.sin(half) / np.linalg.norm(bulge) * bulge
    return math.cos(half) * chord + side, math.cos(half) * chord - side


def _half_angle(ratio: float) -> float:
    """Half the angle of an arc whose chord is a part of its length: sin(x) / x = ratio."""
    if ratio <= EPS:  # sin(π) is no zero
        return math.pi
    return float(brentq(lambda x: np.sinc(x / math.pi) - ratio, 0.0, math.pi))
