"""Surfaces of triangles for ``mesh_kernels``: normals of all features, and a tree of boxes."""

from typing import NamedTuple

import numpy as np

from flexura.contact.mesh_kernels import DEEPEST
from flexura.typing import Array, Indices, frozen

NO_POINTS = np.empty((0, 3))


class Meshes(NamedTuple):
    """Arrays of all meshes together.

    Attributes:
        normals: outward, of the corners, sides and the inside of each triangle, (7 m, 3).
        boxes: lower and upper corner of the boxes of the tree, (n, 6).
        children: two boxes inside each, or a triangle and -1, (n, 2).
        corners: of the triangles, one after another, (3 m, 3).
        roots: of the trees.
    """

    normals: Array
    boxes: Array
    children: Indices
    corners: Array
    roots: Indices

    def with_stack(self) -> tuple[Array | Indices, ...]:
        """The arrays for kernels, with one to write in."""
        return (*self, np.empty(2 * DEEPEST + 2, dtype=np.int64))

    @classmethod
    def of(cls, surfaces: "list[tuple[Array, Indices]]") -> "Meshes":
        """Of points and triangles of several surfaces."""
        normals, corners = [NO_POINTS], [NO_POINTS]
        boxes: list[Array] = []
        children: list[tuple[int, int]] = []
        roots, begin = [], 0
        for points, triangles in surfaces:
            own = points[triangles]
            normals.append(_normals(points, triangles))
            corners.append(own.reshape(-1, 3))
            middle = own.mean(axis=1)
            roots.append(grow(own, middle, np.arange(len(own)), begin, boxes, children))
            begin += len(own)
        return cls(
            frozen(np.concatenate(normals)),
            frozen(np.array(boxes).reshape(-1, 6)),
            frozen(np.array(children, dtype=np.int64).reshape(-1, 2)),
            frozen(np.concatenate(corners)),
            frozen(np.array(roots, dtype=np.int64)),
        )


def grow(
    own: Array,
    middle: Array,
    which: Indices,
    begin: int,
    boxes: list[Array],
    children: list[tuple[int, int]],
) -> int:
    """Add the tree about some triangles, or edges, by their corners; its root."""
    corners = own[which].reshape(-1, 3)
    at = len(boxes)
    boxes.append(np.concatenate([corners.min(axis=0), corners.max(axis=0)]))
    children.append((begin + int(which[0]), -1))
    if len(which) > 1:
        axis = int(np.argmax(np.ptp(middle[which], axis=0)))
        order = which[np.argsort(middle[which, axis], kind="stable")]
        halves = np.array_split(order, 2)
        left, right = (grow(own, middle, half, begin, boxes, children) for half in halves)
        children[at] = (left, right)
    return at


def _normals(points: Array, triangles: Indices) -> Array:
    """Outward normals of features: those of corners are weighted by the angles there.

    They tell inside from outside wherever the nearest point is [Baerentzen2005].
    """
    a, b, c = (points[triangles[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    at_corner, found = np.zeros_like(points), np.empty((len(triangles), 7, 3))
    for i in range(3):
        here, u, v = (points[triangles[:, (i + k) % 3]] for k in range(3))
        x, y = u - here, v - here
        cosine = np.sum(x * y, axis=1)
        angle = np.arctan2(np.linalg.norm(np.cross(x, y), axis=1), cosine)
        np.add.at(at_corner, triangles[:, i], angle[:, None] * flat)
    side: dict[tuple[int, int], Array] = {}
    for i, j in ((0, 1), (1, 2), (2, 0)):
        for pair, n in zip(triangles[:, [i, j]].tolist(), flat, strict=True):
            key = (min(pair), max(pair))
            side[key] = side.get(key, 0.0) + n
    found[:, :3] = at_corner[triangles]
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        found[:, 3 + k] = [side[min(x), max(x)] for x in triangles[:, [i, j]].tolist()]
    found[:, 6] = flat
    found /= np.linalg.norm(found, axis=2)[:, :, None]
    return found.reshape(-1, 3)
