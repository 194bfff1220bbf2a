"""Edges of closed meshes from which both sides descend: rods lean on them, bodies cross by them."""

from typing import NamedTuple

import numpy as np

from flexura.typing import Array, Indices


class Edges(NamedTuple):
    """Edges of a mesh.

    Attributes:
        ends: numbers of the points there, (m, 2).
        side: outward normals of both sides, then ways along them away from the edge, (m, 12).
        turn: from one side to the other [rad], (m,).
    """

    ends: Indices
    side: Array
    turn: Array


def edges(points: Array, triangles: Indices, sharp: float) -> Edges:
    """Edges over which a surface turns outward by more than an angle.

    Args:
        points: of the mesh [m], (n, 3).
        triangles: turned to the left from outside, (k, 3).
        sharp: the angle [rad].
    """
    normal = _normals(points, triangles)
    ends, faces, along, turn = _turns(points, triangles, normal)
    kept = np.flatnonzero(turn > sharp)
    (left, right), along = np.moveaxis(normal[faces[kept]], 1, 0), along[kept]
    side = np.concatenate([left, right, np.cross(left, along), np.cross(along, right)], axis=1)
    return Edges(ends[kept], side, turn[kept])


def turns_beyond(points: Array, triangles: Indices, sharp: float) -> bool:
    """Whether a surface has any such edge; arguments as for ``edges``."""
    return bool((_turns(points, triangles, _normals(points, triangles))[3] > sharp).any())


def _normals(points: Array, triangles: Indices) -> Array:
    """Outward normals of triangles, (k, 3)."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    return np.asarray(normal / np.linalg.norm(normal, axis=1)[:, None])


def _turns(
    points: Array, triangles: Indices, normal: Array
) -> tuple[Indices, Indices, Array, Array]:
    """Ends of all edges, triangles on their left and right, their directions, and turns [rad]."""
    ends = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    face = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((ends[:, 0], ends.max(axis=1), ends.min(axis=1))).reshape(-1, 2)
    own, faces = ends[order[:, 0]], face[order]  # along the left side; the right one runs back
    way = points[own[:, 1]] - points[own[:, 0]]
    along = way / np.linalg.norm(way, axis=1)[:, None]
    left, right = np.moveaxis(normal[faces], 1, 0)
    across = np.sum(np.cross(left, right) * along, axis=1)
    return own, faces, along, np.arctan2(across, np.sum(left * right, axis=1))
