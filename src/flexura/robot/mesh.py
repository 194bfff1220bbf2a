"""Meshes of volumes: points, tetrahedra, and named triangles on their surface."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from flexura.errors import ModelError, show
from flexura.robot.check import LARGEST, BadField
from flexura.robot.tetrahedron import EDGES, FACES, KINDS, SIDES, Tetrahedron
from flexura.typing import Array, ArrayLike, Indices, Vector, frozen, real_numbers
from flexura.value import Catalog, Value

# Elements whose volume is less than this part of that of a regular one on their longest edge are
# flat: their matrices would be rounding.
FLAT = 1e-9
# A point this far outside, in sizes of the mesh, is on its surface.
OUTSIDE = 1e-6
# Barycentric coordinates of points on faces are negative by rounding.
ROUNDING = 1e-9
# Candidates that a point is looked for in at once.
NEAREST = 64


@dataclass(frozen=True, eq=False, repr=False)
class Mesh(Value):
    """Tetrahedra that fill a volume.

    Attributes:
        points: Positions of the nodes [m], (n, 3).
        cells: Nodes of the tetrahedra, (m, 4), or (m, 10) with nodes in the middles of the edges
            01, 12, 02, 03, 13, 23.
        surfaces: Triangles of named surfaces, by their corners, (k, 3).
        path: Where it was read, if it was read; how a file refers to it.
    """

    points: Array
    cells: Indices
    surfaces: Mapping[str, Indices]
    path: str | None = None

    def __eq__(self, other: object) -> bool:
        """Whether it is the same mesh, wherever it comes from."""
        if not isinstance(other, Mesh):
            return NotImplemented
        if self is other:
            return True
        same = np.array_equal(self.points, other.points) and np.array_equal(self.cells, other.cells)
        return same and _same_surfaces(self.surfaces, other.surfaces)

    def __hash__(self) -> int:
        return hash((self.points.shape, self.cells.shape, float(self.points.sum())))

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        return f"Mesh({len(self.points)} nodes, {len(self.cells)} tetrahedra)"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.points, self.cells, dict(self.surfaces), self.path)

    @property
    def kind(self) -> Tetrahedron:
        """What its tetrahedra are."""
        return KINDS[self.cells.shape[1]]

    @property
    def corners(self) -> Indices:
        """The corners of the tetrahedra, (m, 4)."""
        return self.cells[:, :4]

    @cached_property
    def quadratic(self) -> "Mesh":
        """The same tetrahedra with nodes in the middles of their edges, behind the others."""
        if self.cells.shape[1] > 4:
            return self
        ends = np.sort(self.cells[:, EDGES].reshape(-1, 2), axis=1)
        edges, number = np.unique(ends, axis=0, return_inverse=True)
        points = np.concatenate([self.points, self.points[edges].mean(axis=1)])
        own = len(self.points) + number.reshape(-1, len(EDGES))
        cells = np.concatenate([self.cells, own], axis=1)
        return Mesh(frozen(points), frozen(cells), self.surfaces, self.path)

    @cached_property
    def size(self) -> float:
        """Diagonal of the box that it fits into [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def volumes(self) -> Array:
        """Volumes of the tetrahedra between their corners [m³], (m,)."""
        return signed_volumes(self.points, self.corners)

    @cached_property
    def boundary(self) -> Indices:
        """Triangles of the surface, by their corners, turning to the left from outside, (k, 3)."""
        return frozen(self._faces[0])

    @cached_property
    def boundary_cells(self) -> Indices:
        """The tetrahedron behind each triangle of the surface, (k,)."""
        return frozen(self._faces[1])

    @cached_property
    def _faces(self) -> tuple[Indices, Indices]:
        faces = self.corners[:, FACES].reshape(-1, 3)
        _, first, count = np.unique(
            np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
        )
        outer = np.sort(first[count == 1])
        return faces[outer], outer // 4

    @cached_property
    def _number(self) -> dict[tuple[int, ...], int]:
        """Of each triangle of the boundary, by its corners in ascending order."""
        faces = np.sort(self.boundary, axis=1).tolist()
        return {tuple(face): i for i, face in enumerate(faces)}

    def turned(self, who: str, name: str, triangles: Indices) -> Indices:
        """Triangles of a surface by their corners, turned as the boundary is."""
        wanted = np.sort(triangles, axis=1).tolist()
        found = [self._number.get(tuple(face), -1) for face in wanted]
        if -1 in found:
            face = triangles[found.index(-1)].tolist()
            raise BadField(
                f"{who}: triangle {face} of surface {name!r} is no face of the volume's boundary; "
                "name triangles between three nodes of one tetrahedron that no other one shares",
                "surfaces",
            )
        return self.boundary[found]

    @cached_property
    def _middles(self) -> dict[tuple[int, ...], int]:
        """The node in the middle of each edge, by the ends in ascending order."""
        edges = self.kind.functions.edges
        ends = np.sort(self.cells[:, edges].reshape(-1, 2), axis=1).tolist()
        return dict(zip(map(tuple, ends), self.cells[:, 4:].ravel().tolist(), strict=True))

    def faces(self, corners: Indices) -> Indices:
        """All nodes of triangles of the boundary: their corners, and the middles of 01, 12, 20."""
        sides = np.sort(corners[:, self.kind.face.edges], axis=2)
        middles = [[self._middles[tuple(side)] for side in own] for own in sides.tolist()]
        return np.concatenate([corners, np.array(middles, dtype=np.int64)], axis=1)

    @cached_property
    def skin(self) -> Indices:
        """Flat triangles between all nodes of the boundary, (k, 3)."""
        return frozen(self.faces(self.boundary)[:, self.kind.flat].reshape(-1, 3))

    @cached_property
    def _near(self) -> cKDTree:
        """The tetrahedra, by the means of their corners."""
        return cKDTree(self.points[self.corners].mean(axis=1))

    def find(self, points: Array) -> tuple[Indices, Array, Array]:
        """The tetrahedra that points are in, or nearest to.

        Returns:
            Number of each tetrahedron, (n,), the barycentric coordinates, (n, 4), and how far
            the points are outside of the volume [m], (n,).
        """
        count = min(NEAREST, len(self))
        _, near = self._near.query(points, k=count)
        near = np.reshape(near, (len(points), count))
        cell, weights = np.empty(len(points), dtype=np.int64), np.empty((len(points), 4))
        outside = np.zeros(len(points))
        for i, point in enumerate(points):
            cell[i], weights[i] = self._best(point, near[i])
            if weights[i].min() < -ROUNDING:
                cell[i], weights[i] = self._best(point, np.arange(len(self)))
            if weights[i].min() < -ROUNDING:
                outside[i] = self.distance(point)
        return cell, weights, outside

    def _best(self, point: Vector, cells: Indices) -> tuple[int, Array]:
        """Of some tetrahedra, the one whose smallest barycentric coordinate is largest."""
        a = self.points[self.corners[cells]]
        edges = np.swapaxes(a[:, 1:] - a[:, :1], 1, 2)
        inner = np.linalg.solve(edges, (point - a[:, 0])[..., None])[..., 0]
        weights = np.concatenate([1.0 - inner.sum(axis=1, keepdims=True), inner], axis=1)
        best = int(np.argmax(weights.min(axis=1)))
        return int(cells[best]), weights[best]

    def distance(self, point: Vector) -> float:
        """How far a point is from the surface [m]."""
        a, b, c = np.moveaxis(self.points[self.boundary], 1, 0)
        return float(_to_triangles(point, a, b, c).min())


def make_mesh(
    who: str,
    points: ArrayLike,
    cells: ArrayLike,
    surfaces: Mapping[str, ArrayLike] | None = None,
    path: str | None = None,
) -> Mesh:
    """A mesh, checked.

    Raises:
        BadField: for elements that are flat or inverted, nodes that belong to none, and whatever
            else is no mesh.
    """
    x, t = _points(who, points), _cells(who, cells)
    _check_used(who, x, t)
    t = _oriented(who, x, t)
    found = {name: triangles(who, name, faces, len(x)) for name, faces in (surfaces or {}).items()}
    mesh = Mesh(frozen(x), frozen(t), Catalog(found), path)
    for name, faces in found.items():
        mesh.turned(who, name, faces)
    return mesh


def _same_surfaces(a: Mapping[str, Indices], b: Mapping[str, Indices]) -> bool:
    """Whether surfaces have the same names and triangles."""
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def _again(points: Array, cells: Indices, surfaces: Mapping[str, Indices], path: str) -> Mesh:
    """A mesh that was checked before."""
    return Mesh(frozen(points), frozen(cells), Catalog(surfaces), path)


def signed_volumes(points: Array, corners: Indices) -> Array:
    """Volumes of tetrahedra, negative for inverted ones [m³], (m,)."""
    a, b, c, d = np.moveaxis(points[corners], 1, 0)
    return np.asarray(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0)


def _points(who: str, value: ArrayLike) -> Array:
    """Positions of at least four nodes."""
    try:
        x = real_numbers(value)
    except (TypeError, ValueError):
        x = np.empty(0)
    good = x.ndim == 2 and x.shape[1] == 3 and len(x) >= 4 and (np.abs(x) <= LARGEST).all()
    if not good:
        raise BadField(
            f"{who}: the points of a mesh must be finite positions in metres, (n, 3) with n >= 4, "
            f"got {show(value)}; give mesh=(points, tetrahedra) or the path of a mesh file",
            "mesh",
        )
    return np.array(x)


def _cells(who: str, value: ArrayLike) -> Indices:
    """Whole numbers in rows of four or ten."""
    t = np.asarray(value)
    if t.ndim != 2 or t.shape[1] not in (4, 10) or not len(t) or t.dtype.kind not in "iu":
        raise BadField(
            f"{who}: the tetrahedra of a mesh must be rows of 4 or 10 whole numbers, the nodes of "
            f"each, got an array of {t.dtype} {t.shape}; give mesh=(points, tetrahedra)",
            "mesh",
        )
    return np.array(t, dtype=np.int64)


def triangles(who: str, name: str, value: ArrayLike, count: int) -> Indices:
    """Triangles of a surface."""
    t = np.asarray(value)
    if t.ndim != 2 or t.shape[1] != 3 or not len(t) or t.dtype.kind not in "iu":
        raise BadField(
            f"{who}: surface {name!r} must be rows of 3 whole numbers, the corners of triangles, "
            f"got an array of {t.dtype} {t.shape}",
            "surfaces",
        )
    if t.min() < 0 or t.max() >= count:
        raise BadField(
            f"{who}: surface {name!r} names node {int(t.max())}, but the nodes are 0 to "
            f"{count - 1}; count them from 0",
            "surfaces",
        )
    return frozen(np.array(t, dtype=np.int64))


def _check_used(who: str, x: Array, t: Indices) -> None:
    """Raise unless all nodes are there, each in an element, and no element has one twice."""
    if t.min() < 0 or t.max() >= len(x):
        worst = int(np.argmax((t < 0).any(axis=1) | (t >= len(x)).any(axis=1)))
        raise BadField(
            f"{who}: tetrahedron {worst} has the nodes {t[worst].tolist()}, but the nodes are 0 to "
            f"{len(x) - 1}; count them from 0",
            "mesh",
        )
    unused = np.setdiff1d(np.arange(len(x)), t)
    if len(unused):
        raise BadField(
            f"{who}: {_few('node', unused)} belong{'s' * (len(unused) == 1)} to no tetrahedron; "
            "leave out what the mesh does not use (meshio: mesh.remove_orphaned_nodes())",
            "mesh",
        )
    doubled = np.flatnonzero((np.diff(np.sort(t, axis=1), axis=1) == 0).any(axis=1))
    if len(doubled):
        raise BadField(
            f"{who}: {_few('tetrahedron', doubled)} has a node twice: {t[doubled[0]].tolist()}; "
            "repair the mesh",
            "mesh",
        )


def _oriented(who: str, x: Array, t: Indices) -> Indices:
    """The elements with positive volumes: all of them may be numbered the other way round."""
    volume = signed_volumes(x, t[:, :4])
    edges = x[t[:, EDGES]]
    longest = np.linalg.norm(edges[:, :, 0] - edges[:, :, 1], axis=2).max(axis=1)
    flat = np.flatnonzero(np.abs(volume) <= FLAT * longest**3 / (6.0 * np.sqrt(2.0)))
    if len(flat):
        raise BadField(
            f"{who}: {_few('tetrahedron', flat)} is flat: the nodes {t[flat[0]].tolist()} lie in "
            "a plane; repair the mesh",
            "mesh",
        )
    if (volume < 0.0).all():
        return np.ascontiguousarray(t[:, KINDS[t.shape[1]].mirrored])
    inverted = np.flatnonzero(volume < 0.0)
    if len(inverted):
        raise BadField(
            f"{who}: {_few('tetrahedron', inverted)} is inverted, while others are not: the nodes "
            f"{t[inverted[0]].tolist()}; repair the mesh, or exchange two nodes of such elements "
            "if only their numbering is at fault",
            "mesh",
        )
    return t


def _few(kind: str, numbers: Indices) -> str:
    """The numbers of some elements or nodes, not too many."""
    if len(numbers) == 1:
        return f"{kind} {int(numbers[0])}"
    more = ", ..." if len(numbers) > 4 else ""
    plural = "tetrahedra" if kind == "tetrahedron" else f"{kind}s"
    return f"each of {plural} {', '.join(map(str, numbers[:4].tolist()))}{more} ({len(numbers)})"


def check_closed(who: str, field: str, faces: Indices) -> None:
    """Raise unless triangles close a surface: every edge is passed once in each direction."""
    edges = faces[:, SIDES].reshape(-1, 2)
    forward = set(map(tuple, edges.tolist()))
    open_edges = [edge for edge in forward if edge[::-1] not in forward]
    if open_edges:
        raise BadField(
            f"{who}: the surface is open, with {len(open_edges)} edges of one triangle only, for "
            f"example between nodes {open_edges[0][0]} and {open_edges[0][1]}; pressure acts on "
            "closed surfaces: the walls of a cavity, or the boundary",
            field,
        )


def _to_triangles(p: Vector, a: Array, b: Array, c: Array) -> Array:
    """Distances of a point from triangles, (n,)."""
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    safe = np.where(size > 0.0, size, 1.0)
    height = np.einsum("ij,ij->i", p - a, normal) / safe
    foot = p - (height / safe)[:, None] * normal
    inside = size > 0.0
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(v - u, foot - u), normal) >= 0.0
    to_edges = np.min([_to_segments(p, u, v) for u, v in ((a, b), (b, c), (c, a))], axis=0)
    return np.asarray(np.where(inside, np.abs(height), to_edges))


def _to_segments(p: Vector, a: Array, b: Array) -> Array:
    """Distances of a point from segments, (n,)."""
    along = b - a
    square = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
    x = np.clip(np.einsum("ij,ij->i", p - a, along) / square, 0.0, 1.0)
    return np.asarray(np.linalg.norm(a + x[:, None] * along - p, axis=1))


def check_pair(who: str, value: Sequence[object]) -> None:
    """Raise unless a mesh is given by two arrays."""
    if len(value) != 2:
        raise ModelError(f"{who}: mesh must be (points, tetrahedra), got {len(value)} entries")
