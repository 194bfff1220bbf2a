"""Results as cosseratbench takes them: positions of nodes, and a direction of each segment."""

from collections.abc import Sequence

import numpy as np
from cosseratbench.scenario import Rod
from scipy.interpolate import CubicSpline

import flexura as fx


def sampled(
    results: Sequence[fx.StaticResult], rod: Rod, n_elements: int
) -> tuple[np.ndarray, np.ndarray]:
    """Positions (t, n + 1, 3) and directors (t, n, 3); the first result is the beginning."""
    s = np.linspace(0.0, rod.length, 2 * n_elements + 1)
    poses = np.array([result.pose("rod", s) for result in results])
    turns = poses[:, 1::2, :3, :3]
    local = np.einsum("nji,nj->ni", turns[0], rod.directors(n_elements))
    return poses[:, ::2, :3, 3], np.einsum("tnij,nj->tni", turns, local)


def at_times(
    times: np.ndarray, t: np.ndarray, positions: np.ndarray, directors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and directors at given times [s], from those at the times t."""
    if len(t) == len(times):
        return positions, directors
    turned = CubicSpline(t, directors)(times)
    return CubicSpline(t, positions)(times), turned / np.linalg.norm(turned, axis=2, keepdims=True)
