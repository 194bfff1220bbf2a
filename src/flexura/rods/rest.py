"""Shapes of unloaded rods."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from flexura.lie import se3
from flexura.robot import Rod
from flexura.rods.discretization import StrainField
from flexura.typing import Array, Pose, Twist

# Fourth-order steps along a rod whose rest shape is a function.
STEPS = 128
GAUSS = 0.5 * (1.0 + np.array([-1.0, 1.0]) / np.sqrt(3.0))


def rest_steps(rods: Sequence[Rod], places: Sequence[Array], pieces: int = 4) -> Pose:
    """Poses of rest shapes at s[i + 1] relative to s[i], rod by rod, by the midpoint rule.

    Args:
        rods: one after the other.
        places: arc lengths s of each [m].
        pieces: between two of them, where the rest shape is a function.
    """
    pieces = pieces if any(callable(rod.rest) for rod in rods) else 1
    twists = [_twists(rod, s, pieces) for rod, s in zip(rods, places, strict=True)]
    factors = se3.exp(np.concatenate(twists))
    steps = factors[:, 0]
    for k in range(1, pieces):
        steps = steps @ factors[:, k]
    return np.asarray(steps)


def _twists(rod: Rod, s: Array, pieces: int) -> Twist:
    """Twists of pieces between places of the rest shape, (len(s) - 1, pieces, 6)."""
    h = np.diff(s)[:, None] / pieces
    if not callable(rod.rest):
        return np.repeat(h[:, :, None] * rod.rest_strain(0.0), pieces, axis=1)
    return np.asarray(h[:, :, None] * rod.rest_strain(s[:-1, None] + h * (np.arange(pieces) + 0.5)))


def rest_pose(rod: Rod, s: float) -> Pose:
    """Pose of the rest shape at s [m] in its base; of functions to fourth order."""
    if not callable(rod.rest) or s == 0.0:
        return se3.exp(s * rod.rest_strain(0.0))
    g, smooth = np.eye(4), [0.0, *(kink for kink in rod.kinks if kink < s), s]
    for begin, end in pairwise(smooth):
        steps = max(1, round(STEPS * (end - begin) / s))
        h = (end - begin) / steps
        for k in range(steps):
            first, second = (rod.rest_strain(begin + (k + x) * h) for x in GAUSS)
            bracket = np.sqrt(3.0) / 12.0 * h * h * (se3.ad(first) @ second)
            g = g @ se3.exp(0.5 * h * (first + second) + bracket)
    return g


def steps_along(strain: StrainField, s: Array, pieces: int = 8) -> Pose:
    """Pose at s[i + 1] relative to s[i] of the curve with a strain, (len(s) - 1, 4, 4).

    By fourth-order Magnus steps, ``pieces`` between neighbours.
    """
    h = np.repeat(np.diff(s) / pieces, pieces)[:, None]
    begin = np.repeat(s[:-1], pieces) + h[:, 0] * np.tile(np.arange(pieces), len(s) - 1)
    first, second = (strain(begin + x * h[:, 0]) for x in GAUSS)
    bracket = np.sqrt(3.0) / 12.0 * h * h * np.einsum("nij,nj->ni", se3.ad(first), second)
    factors = se3.exp(0.5 * h * (first + second) + bracket).reshape(-1, pieces, 4, 4)
    steps = factors[:, 0]
    for k in range(1, pieces):
        steps = steps @ factors[:, k]
    return np.asarray(steps)
