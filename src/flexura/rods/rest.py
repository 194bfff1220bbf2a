"""Shapes of unloaded rods."""

from itertools import pairwise

import numpy as np

from flexura.lie import se3
from flexura.robot import Rod
from flexura.rods.discretization import StrainField
from flexura.typing import Array, Pose

# Fourth-order steps along a rod whose rest shape is a function.
STEPS = 128
GAUSS = 0.5 * (1.0 + np.array([-1.0, 1.0]) / np.sqrt(3.0))


def rest_steps(rod: Rod, s: Array, pieces: int = 4) -> Pose:
    """Pose of the rest shape at s[i + 1] relative to s[i], by the midpoint rule on ``pieces``."""
    steps = np.tile(np.eye(4), (len(s) - 1, 1, 1))
    if not callable(rod.rest):
        return se3.exp(np.diff(s)[:, None] * rod.rest_strain(0.0))
    for i, (a, b) in enumerate(pairwise(s)):
        h = (b - a) / pieces
        for j in range(pieces):
            steps[i] = steps[i] @ se3.exp(h * rod.rest_strain(a + (j + 0.5) * h))
    return steps


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
