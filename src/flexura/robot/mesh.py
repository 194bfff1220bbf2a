"""Meshes of volumes: points, tetrahedra, and named triangles on their surface."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from flexura.robot.check import BadField
from flexura.robot.tetrahedron import EDGES, FACES, KINDS, Tetrahedron
from flexura.typing import Array, Indices, Vector, frozen
from flexura.value import Catalog, Value

# A point this far outside, in sizes of the mesh, is on its surface.
OUTSIDE = 1e-6
# Barycentric coordinates of points on faces are negative by rounding.
ROUNDING = 1e-9
# Candidates that a point is looked for in at once; of these, curved ones, and steps in them.
NEAREST = 64
ABOUT, STEPS = 8, 12


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
        """Diameter of the ball about its middle that it fits into, however it is turned [m]."""
        weight = np.abs(self.volumes)
        middle = self.points[self.corners].mean(axis=1).T @ (weight / (weight.sum() or 1.0))
        return 2.0 * float(np.linalg.norm(self.points - middle, axis=1).max())

    @cached_property
    def volumes(self) -> Array:
        """Volumes of the tetrahedra between their corners [m³], (m,)."""
        return signed_volumes(self.points, self.corners)

    @cached_property
    def pieces(self) -> tuple[Indices, ...]:
        """Tetrahedra that hang together by common nodes, piece by piece."""
        n, (first, *others) = len(self.points), self.corners.T
        pairs = np.tile(first, 3), np.concatenate(others)
        graph = coo_array((np.ones(len(pairs[0])), pairs), shape=(n, n))
        piece = connected_components(graph, directed=False)[1][first]
        return tuple(np.flatnonzero(piece == i) for i in np.unique(piece))

    @cached_property
    def boundary(self) -> Indices:
        """Triangles of the surface, by their corners, turning to the left from outside, (k, 3)."""
        faces = self.corners[:, FACES].reshape(-1, 3)
        _, first, count = np.unique(
            np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
        )
        return frozen(faces[np.sort(first[count == 1])])

    def turned(self, who: str, name: str, triangles: Indices) -> Indices:
        """Triangles of a surface by their corners, turned as the boundary is."""
        known, number = self._sorted(self.boundary)
        wanted = self._keys(triangles)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        strange = np.flatnonzero(known[at] != wanted)
        if len(strange):
            face = triangles[strange[0]].tolist()
            raise BadField(
                f"{who}: triangle {face} of surface {name!r} is no face of the volume's boundary; "
                "name triangles between three nodes of one tetrahedron that no other one shares",
                "surfaces",
            )
        return self.boundary[number[at]]

    def _keys(self, nodes: Indices) -> Indices:
        """A number for each set of nodes, whatever their order, (..., k) to (...)."""
        key = np.zeros(nodes.shape[:-1], dtype=np.int64)
        for node in np.moveaxis(np.sort(nodes, axis=-1), -1, 0):
            key = key * len(self.points) + node
        return key

    def _sorted(self, nodes: Indices) -> tuple[Indices, Indices]:
        """Numbers of sets of nodes in ascending order, and which set each belongs to."""
        keys = self._keys(nodes)
        order = np.argsort(keys)
        return keys[order], order

    @cached_property
    def _middles(self) -> tuple[Indices, Indices]:
        """Edges by the numbers of their ends, ascending, and the node in the middle of each."""
        ends = self.cells[:, self.kind.functions.edges].reshape(-1, 2)
        known, order = self._sorted(ends)
        return known, self.cells[:, 4:].ravel()[order]

    def faces(self, corners: Indices) -> Indices:
        """All nodes of triangles of the boundary: their corners, and the middles of 01, 12, 20."""
        known, middle = self._middles
        at = np.searchsorted(known, self._keys(corners[:, self.kind.face.edges]))
        return np.concatenate([corners, middle[at]], axis=1)

    @cached_property
    def skin(self) -> Indices:
        """Flat triangles between all nodes of the boundary, (k, 3)."""
        return frozen(self.faces(self.boundary)[:, self.kind.flat].reshape(-1, 3))

    @cached_property
    def _near(self) -> cKDTree:
        """The tetrahedra, by the means of their corners."""
        return cKDTree(self.points[self.corners].mean(axis=1))

    def find(self, points: Array) -> tuple[Indices, Array, Array]:
        """The tetrahedra that points are in; outside, where the smallest coordinate is largest.

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
                outside[i] = self._distance(point)
        return cell, weights, outside

    def _best(self, point: Vector, cells: Indices) -> tuple[int, Array]:
        """Of some tetrahedra, the one whose smallest barycentric coordinate is largest."""
        a = self.points[self.corners[cells]]
        edges = np.swapaxes(a[:, 1:] - a[:, :1], 1, 2)
        inner = np.linalg.solve(edges, (point - a[:, 0])[..., None])[..., 0]
        weights = np.concatenate([1.0 - inner.sum(axis=1, keepdims=True), inner], axis=1)
        if self.curved:
            about = np.argsort(-weights.min(axis=1))[:ABOUT]
            cells, weights = cells[about], self._bent(point, cells[about], weights[about])
        best = int(np.argmax(weights.min(axis=1)))
        return int(cells[best]), weights[best]

    @cached_property
    def curved(self) -> bool:
        """Whether nodes in the middles of edges are elsewhere."""
        middles = self.points[self.cells[:, self.kind.functions.edges]].mean(axis=2)
        off = np.abs(self.points[self.cells[:, 4:]] - middles)
        return bool(off.max(initial=0.0) > ROUNDING * self.size)

    def _bent(self, point: Vector, cells: Indices, weights: Array) -> Array:
        """Barycentric coordinates in curved tetrahedra, from those between their corners.

        By Newton's method for Σ N_a(w) x_a = p; where it does not get there, they are far outside.
        """
        functions, nodes = self.kind.functions, self.points[self.cells[cells]]
        for _ in range(STEPS):
            gap = point - np.einsum("nk,nki->ni", functions.values(weights), nodes)
            slope = np.einsum("nki,nkj->nij", nodes, functions.slopes(weights))
            step = np.einsum("nij,nj->ni", np.linalg.pinv(slope), gap)
            step /= np.maximum(1.0, np.abs(step).max(axis=1, keepdims=True))
            weights = weights + np.concatenate([-step.sum(axis=1, keepdims=True), step], axis=1)
        gap = point - np.einsum("nk,nki->ni", functions.values(weights), nodes)
        found = np.abs(gap).max(axis=1) <= ROUNDING * self.size
        return np.where(found[:, None], weights, -1.0)

    def _distance(self, point: Vector) -> float:
        """How far a point is from the surface [m]."""
        a, b, c = np.moveaxis(self.points[self.skin], 1, 0)
        return float(_to_triangles(point, a, b, c).min())

    def enclosed(self, points: Array) -> float:
        """Volume inside the boundary where the nodes are elsewhere, ⅓ ∫ x · n dA [m³]."""
        functions, (at, weights) = self.kind.face, self.kind.face_rule
        x = points[self.faces(self.boundary)] - points.mean(axis=0)
        p = np.einsum("qk,mki->mqi", functions.values(at), x)
        s, t = np.moveaxis(np.einsum("qkj,mki->mqji", functions.slopes(at), x), 2, 0)
        return float(np.einsum("q,mqi,mqi->", weights, p, np.cross(s, t)) / 6.0)


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
