"""Solids of a robot and its obstacles as arrays: each is known by its distance function."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.spatial import ConvexHull

from flexura.contact.distance_kernels import (
    BOX,
    CAPSULE,
    CYLINDER,
    MESH,
    PLANE,
    RIDGES,
    SPHERE,
    VESSEL,
)
from flexura.contact.measure_kernels import roundness as _roundness
from flexura.contact.mesh import Meshes
from flexura.contact.ridge import Ridged, Ridges
from flexura.robot import (
    AnyObstacle,
    AnyShape,
    Box,
    Capsule,
    Cylinder,
    Plane,
    Sphere,
    Triangles,
    Vessel,
)
from flexura.typing import Array, Indices, Pose, frozen
from flexura.value import Value

# Pieces of the curve of a vessel turn by no more than this [rad]; halves of halves suffice.
TURN, HALVES = 0.3, 16
# What a convex mesh leaves of its hull by rounding, relative to that.
DENT = 1e-9

AnySolid: TypeAlias = AnyShape | AnyObstacle | Ridged


@dataclass(frozen=True, eq=False, repr=False)
class Solids(Value):
    """Solids as arrays.

    Attributes:
        carrier: frame that carries each, -1 for the world, (m,).
        placement: pose there, axis along x, (m, 4, 4).
        kind: what it is, (m,).
        size: its measures [m], (m, 3).
        span: where its pieces or its tree are, (m, 2).
        scope: a motion of this size may lead through it [m], (m,).
        table: pieces of the curves of vessels: a cubic by powers, its chord, and how far it is from
            that at most, (n, 16).
        meshes: of all meshes.
        ridges: edges of meshes that are solids by themselves.
    """

    carrier: Indices
    placement: Pose
    kind: Indices
    size: Array
    span: Indices
    scope: Array
    table: Array
    meshes: Meshes
    ridges: Ridges

    @classmethod
    def of(cls, shapes: Sequence[tuple[AnySolid, int, Pose]]) -> "Solids":
        """Of shapes, the frames that carry them, and their poses there."""
        kind, size, span, scope = [], [], [], []
        pieces: list[Array] = [np.empty((0, 16))]
        meshes: dict[int, Triangles] = {}
        ridged: list[int] = []
        count = 0
        for shape, _, _ in shapes:
            what, sizes, thin = _measures(shape)
            first = last = 0
            if isinstance(shape, Vessel):
                pieces.append(_pieces(shape))
                first, count = count, count + len(pieces[-1])
                last = count
            elif isinstance(shape, Triangles):
                first = _number(meshes, shape)
            elif isinstance(shape, Ridged):
                last = _number(meshes, shape.mesh)
                if last not in ridged:
                    ridged.append(last)
                first = ridged.index(last)
            kind.append(what)
            size.append(sizes)
            span.append((first, last))
            scope.append(thin)
        surfaces = [(np.array(x.points), np.array(x.triangles)) for x in meshes.values()]
        trees, ridges = Meshes.of(surfaces), Ridges.of([surfaces[k] for k in ridged])
        where, kinds = (np.array(x, dtype=np.int64) for x in (span, kind))
        where = where.reshape(-1, 2)
        where[kinds == MESH, 0] = trees.roots[where[kinds == MESH, 0]]
        where[kinds == RIDGES, 0] = ridges.roots[where[kinds == RIDGES, 0]]
        where[kinds == RIDGES, 1] = trees.roots[where[kinds == RIDGES, 1]]
        return cls(
            frozen(np.array([carrier for _, carrier, _ in shapes], dtype=np.int64)),
            frozen(np.array([pose for _, _, pose in shapes], dtype=np.float64).reshape(-1, 4, 4)),
            frozen(np.array(kind, dtype=np.int64)),
            frozen(np.array(size, dtype=np.float64).reshape(-1, 3)),
            frozen(where),
            frozen(np.array(scope, dtype=np.float64)),
            frozen(np.concatenate(pieces)),
            trees,
            ridges,
        )


def _number(meshes: dict[int, Triangles], mesh: Triangles) -> int:
    """The number of a mesh among several, which it joins."""
    meshes.setdefault(id(mesh), mesh)
    return list(meshes).index(id(mesh))


def thickness(shape: AnySolid) -> float:
    """How far the middle of a solid is from its surface [m]; infinite for planes and vessels."""
    return np.inf if isinstance(shape, Vessel) else _measures(shape)[2]


def roundness(shape: AnyShape | AnyObstacle) -> float:
    """Radius of the edges and rims of a solid [m]."""
    kind, sizes, _ = _measures(shape)
    return float(_roundness(kind, np.array(sizes)))


def is_convex(shape: AnyShape | AnyObstacle) -> bool:
    """Whether a solid is convex: a mesh is, if it fills its hull."""
    if not isinstance(shape, Triangles):
        return not isinstance(shape, Vessel)
    hull = ConvexHull(np.array(shape.points))
    return bool(_volume(shape) > (1.0 - DENT) * hull.volume)


def _measures(shape: AnySolid) -> tuple[int, tuple[float, float, float], float]:
    """Kind, measures and thickness of a shape."""
    if isinstance(shape, Ridged):
        return RIDGES, (0.0, 0.0, 0.0), _thickness(shape.mesh)
    if isinstance(shape, Plane):
        return PLANE, (0.0, 0.0, 0.0), np.inf
    if isinstance(shape, Sphere):
        return SPHERE, (shape.radius, 0.0, 0.0), shape.radius
    if isinstance(shape, Box):
        sizes = (0.5 * shape.x, 0.5 * shape.y, 0.5 * shape.z)
        return BOX, sizes, min(sizes)
    if isinstance(shape, Cylinder):
        half = 0.5 * shape.length
        return CYLINDER, (shape.radius, half, 0.0), min(shape.radius, half)
    if isinstance(shape, Capsule):
        return CAPSULE, (shape.radius, 0.5 * shape.length, 0.0), shape.radius
    if isinstance(shape, Vessel):
        return VESSEL, (shape.radius, 0.0, 0.0), shape.radius
    assert isinstance(shape, Triangles)
    return MESH, (0.0, 0.0, 0.0), _thickness(shape)


def _thickness(mesh: Triangles) -> float:
    """Volume over area [m]: half of the thickness of a plate or shell, however it is bent.

    Of what is convex, the largest ball inside has at least this radius, and at most three times it.
    """
    a, b, c = _corners(mesh)
    return _volume(mesh) / float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def _volume(mesh: Triangles) -> float:
    """What a mesh holds [m³]."""
    a, b, c = _corners(mesh)
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def _corners(mesh: Triangles) -> tuple[Array, Array, Array]:
    """Corners of triangles, as seen from one of them [m], (n, 3) each."""
    points = np.array(mesh.points)
    a, b, c = np.moveaxis((points - points[0])[np.array(mesh.triangles)], 1, 0)
    return a, b, c


def centreline(vessel: Vessel, count: int) -> Array:
    """Points of the curve of a vessel [m], so many on each of its pieces, and its end, (n, 3)."""
    pieces = _pieces(vessel)[:, :12].reshape(-1, 4, 3)
    u = np.linspace(0.0, 1.0, count, endpoint=False)[:, None]
    points = [c[0] + u * (c[1] + u * (c[2] + u * c[3])) for c in pieces]
    return np.concatenate([*points, pieces[-1].sum(axis=0)[None]])


def _pieces(vessel: Vessel) -> Array:
    """Cubics of the curve of a vessel, by powers of u in [0, 1].

    They are cut where they turn by more than ``TURN``: no two places of a piece are nearest then.
    Their chords follow, and max |x''| / 8, by which a cubic is off its chord at most.
    """
    curve = vessel.curve
    ways = curve.x
    for _ in range(HALVES):
        ends = curve(ways, 1)
        middle = curve(0.5 * (ways[:-1] + ways[1:]), 1)
        turns = np.maximum(_angle(ends[:-1], middle), _angle(middle, ends[1:]))
        bent = np.flatnonzero(turns > 0.5 * TURN)
        ways = np.insert(ways, bent + 1, 0.5 * (ways[bent] + ways[bent + 1]))
    step = np.diff(ways)[:, None]
    powers = [curve(ways[:-1], k) * step**k / math.factorial(k) for k in range(3)]
    third = np.asarray(curve(0.5 * (ways[:-1] + ways[1:]), 3)) * step**3 / 6.0
    bends = np.linalg.norm(curve(ways, 2), axis=1)[:, None]
    off = 0.125 * np.maximum(bends[:-1], bends[1:]) * step**2
    return np.concatenate([*powers, third, np.diff(curve(ways), axis=0), off], axis=1)


def _angle(a: Array, b: Array) -> Array:
    """Angles between vectors [rad], (n,)."""
    across = np.linalg.norm(np.cross(a, b), axis=1)
    return np.asarray(np.arctan2(across, np.sum(a * b, axis=1)))
