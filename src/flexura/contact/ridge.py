"""Edges of meshes that rods lean on, for ``ridge_kernels``: sharp ones, in a tree of boxes."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from flexura.contact.mesh import grow
from flexura.contact.mesh_edge import edges, turns_beyond
from flexura.contact.mesh_kernels import DEEPEST
from flexura.contact.ridge_kernels import SLOTS
from flexura.robot import Triangles
from flexura.typing import Array, Indices, frozen

# Edges over which a surface turns by less than this [rad] are none: between places of a rod that
# are h apart they rise by less than a quarter of it times h.
SHARP = 0.01
# Edges that have different slots, if they can: so many around each.
BESIDE = 24


class Ridged(NamedTuple):
    """The edges of a mesh."""

    mesh: Triangles


class Ridges(NamedTuple):
    """Edges of several meshes together.

    Attributes:
        line: where each begins, and what leads to its end, (m, 6).
        ends: numbers of the points there, (m, 2).
        side: outward normals of both sides, then ways along them away from the edge, (m, 12).
        turn: from one side to the other [rad], (m,).
        slot: of the pairs of a piece, (m,).
        boxes: lower and upper corner of the boxes of the trees, (n, 6).
        children: two boxes inside each, or an edge and -1, (n, 2).
        roots: of the trees.
    """

    line: Array
    ends: Indices
    side: Array
    turn: Array
    slot: Indices
    boxes: Array
    children: Indices
    roots: Indices

    def with_room(self) -> tuple[Array | Indices, ...]:
        """The arrays for kernels, with a stack and what is nearest to write in."""
        room = np.empty(2 * DEEPEST + 2, dtype=np.int64), np.empty(SLOTS, dtype=np.int64)
        return (*self[:7], *room, np.empty(SLOTS))

    @classmethod
    def of(cls, surfaces: "list[tuple[Array, Indices]]") -> "Ridges":
        """Of points and triangles of several surfaces, each of which has edges."""
        line, side, turn = [np.empty((0, 6))], [np.empty((0, 12))], [np.empty(0)]
        slot, ends = [np.empty(0, dtype=np.int64)], [np.empty((0, 2), dtype=np.int64)]
        boxes: list[Array] = []
        children: list[tuple[int, int]] = []
        roots, begin = [], 0
        for points, triangles in surfaces:
            own = edges(points, triangles, SHARP)
            places = points[own.ends]
            middle = places.mean(axis=1)
            line.append(np.concatenate([places[:, 0], places[:, 1] - places[:, 0]], axis=1))
            ends.append(own.ends)
            side.append(own.side)
            turn.append(own.turn)
            slot.append(_slots(middle))
            roots.append(grow(places, middle, np.arange(len(middle)), begin, boxes, children))
            begin += len(middle)
        return cls(
            frozen(np.concatenate(line)),
            frozen(np.concatenate(ends)),
            frozen(np.concatenate(side)),
            frozen(np.concatenate(turn)),
            frozen(np.concatenate(slot)),
            frozen(np.array(boxes).reshape(-1, 6)),
            frozen(np.array(children, dtype=np.int64).reshape(-1, 2)),
            frozen(np.array(roots, dtype=np.int64)),
        )


def is_edged(mesh: Triangles) -> bool:
    """Whether a mesh has any edges that rods lean on."""
    return turns_beyond(np.array(mesh.points), np.array(mesh.triangles), SHARP)


def _slots(middle: Array) -> Indices:
    """Slots of edges, by their middles: each takes the one whose next edge is the farthest."""
    found = np.full(len(middle), -1)
    count = min(BESIDE, len(middle))
    away, near = cKDTree(middle).query(middle, count)
    for i in range(len(middle)):
        taken, far = found[near.reshape(-1, count)[i]], away.reshape(-1, count)[i]
        next_of = [far[taken == k].min(initial=np.inf) for k in range(SLOTS)]
        found[i] = int(np.argmax(next_of))
    return found
