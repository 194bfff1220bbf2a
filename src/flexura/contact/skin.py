"""Skins of volumes for ``skin_kernels``: triangles in an order in which neighbours are near."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.contact.skin_kernels import PACK
from flexura.typing import Array, Indices, frozen
from flexura.value import Value

# Samples this many times as far from a skin as its sides are long are not looked at.
SCOPE = 2.0


@dataclass(frozen=True, eq=False, repr=False)
class Skins(Value):
    """All skins of a model.

    Attributes:
        corner: frames of the corners of triangles, (m, 3).
        vertex: numbers of these corners among those of all skins, (m, 3).
        across: triangles beyond the sides 01, 02 and 12, (m, 3).
        fan: triangles around each corner, one after the other.
        fans: where those of each corner begin, and the end.
        begin: first triangle of each skin, and the end.
        packs: first pack of each skin, and the end.
        scope: how far samples look for each skin [m].
    """

    corner: Indices
    vertex: Indices
    across: Indices
    fan: Indices
    fans: Indices
    begin: Indices
    packs: Indices
    scope: Array

    @classmethod
    def of(cls, skins: Sequence[tuple[Indices, Array]]) -> "Skins":
        """Of triangles, by frames of their corners, and where these are at rest, (m, 3, 3)."""
        none = np.empty((0, 3), dtype=np.int64)
        corner, across, begin, packs, scope = [none], [none], [0], [0], []
        for triangles, places in skins:
            order = _sorted(places.mean(axis=1), np.arange(len(places)))
            corner.append(triangles[order])
            across.append(begin[-1] + _neighbours(triangles[order]))
            begin.append(begin[-1] + len(order))
            packs.append(packs[-1] + -(-len(order) // PACK))
            sides = np.linalg.norm(places - np.roll(places, 1, axis=1), axis=2)
            scope.append(SCOPE * float(sides.mean()))
        corners = np.concatenate(corner)
        _, vertex = np.unique(corners, return_inverse=True)
        vertex = vertex.reshape(-1).astype(np.int64)
        counts = np.bincount(vertex)
        return cls(
            frozen(corners),
            frozen(vertex.reshape(-1, 3)),
            frozen(np.concatenate(across)),
            frozen(np.argsort(vertex, kind="stable") // 3),
            frozen(np.append(0, np.cumsum(counts))),
            frozen(np.array(begin)),
            frozen(np.array(packs)),
            frozen(np.array(scope)),
        )

    def corner_of(self, frames: Indices) -> Indices:
        """Numbers of the corners that frames are, -1 for those that are none."""
        found = np.full(int(max(self.corner.max(initial=-1), frames.max(initial=-1))) + 1, -1)
        found[self.corner] = self.vertex
        return found[frames]

    def work(self) -> tuple[Array, Array, Array, Array]:
        """Arrays for normals of triangles and corners, boxes of triangles and of packs."""
        m, k = len(self.corner), int(self.vertex.max(initial=-1)) + 1
        return np.zeros((m, 3)), np.zeros((k, 3)), np.zeros((m, 6)), np.zeros((self.packs[-1], 6))


def _sorted(middle: Array, which: Indices) -> Indices:
    """An order of places in which neighbours are near: halves of halves, along what is longest."""
    if len(which) <= PACK:
        return which
    axis = int(np.argmax(np.ptp(middle[which], axis=0)))
    order = which[np.argsort(middle[which, axis], kind="stable")]
    # whole packs on the left, so that packs do not cross the cut
    half = PACK * -(-len(order) // (2 * PACK))
    return np.concatenate([_sorted(middle, order[:half]), _sorted(middle, order[half:])])


def _neighbours(triangles: Indices) -> Indices:
    """Triangles beyond the sides 01, 02 and 12 of each; itself where there is none."""
    found = np.repeat(np.arange(len(triangles))[:, None], 3, axis=1)
    first: dict[tuple[int, ...], tuple[int, int]] = {}
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        for t, pair in enumerate(np.sort(triangles[:, [i, j]], axis=1).tolist()):
            other = first.setdefault(tuple(pair), (t, k))
            if other != (t, k):
                found[t, k], found[other] = other[0], t
    return found
