"""Volumes, and pieces of one, that fill the same place: nothing joins them there."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from scipy.spatial import cKDTree

from flexura.robot.volume import Volume
from flexura.typing import Array

# Middles of so many tetrahedra of a piece are looked for in another, each in the nearest few.
LOOKED, NEAREST = 200, 32
# A point is inside where its barycentric coordinates are at least this: what touches is outside.
INSIDE = 1e-6


def same_places(volumes: Sequence[Volume]) -> Iterator[str]:
    """A sentence for the first two pieces of volumes that fill the same place."""
    pieces = [
        (volume, volume.mesh.points[volume.mesh.corners[own]])
        for volume in volumes
        for own in volume.mesh.pieces
    ]
    for (a, first), (b, second) in combinations(pieces, 2):
        if _meet(first, second):
            who = f"two pieces of volume {a.name!r} fill"
            if a is not b:
                who = f"volumes {a.name!r} and {b.name!r} fill"
            yield (
                f"{who} the same place: is that meant? Nothing joins them, and they go through "
                "each other: leave one out, make one mesh of them, move one, or let them touch by "
                "a Contact"
            )
            return


def _meet(a: Array, b: Array) -> bool:
    """Whether tetrahedra of one piece lie in those of the other, by their corners, (m, 4, 3)."""
    low = np.maximum(a.min(axis=(0, 1)), b.min(axis=(0, 1)))
    high = np.minimum(a.max(axis=(0, 1)), b.max(axis=(0, 1)))
    if (low >= high).any():
        return False
    return any(_inside(*pair, low, high) for pair in ((a, b), (b, a)))


def _inside(a: Array, b: Array, low: Array, high: Array) -> bool:
    """Whether middles of tetrahedra, in a box, lie in other ones."""
    points = a.mean(axis=1)
    points = points[((points > low) & (points < high)).all(axis=1)]
    points = points[:: max(1, len(points) // LOOKED)]
    count = min(NEAREST, len(b))
    _, near = cKDTree(b.mean(axis=1)).query(points, k=count)
    corners = b[np.reshape(near, (len(points), count))]
    edges = np.swapaxes(corners[:, :, 1:] - corners[:, :, :1], 2, 3)
    inner = np.linalg.solve(edges, (points[:, None] - corners[:, :, 0])[..., None])[..., 0]
    least = np.minimum(inner.min(axis=2), 1.0 - inner.sum(axis=2))
    return bool((least > INSIDE).any())
