"""How far points are from the surface of one solid, or of a mesh, wherever that is."""

import numpy as np

from flexura.contact.distance_kernels import MESH
from flexura.contact.measure_kernels import distance
from flexura.contact.mesh import Meshes
from flexura.contact.solid import AnySolid, Solids
from flexura.typing import Array, Indices, Pose


class Surface:
    """The surface of a solid in its own frame."""

    def __init__(
        self, kind: int, size: Array, span: tuple[int, int], table: Array, meshes: Meshes
    ) -> None:
        self._known = kind, size, table, *span, meshes.with_stack()

    @classmethod
    def of(cls, shape: AnySolid) -> "Surface":
        """Of a body or an obstacle."""
        own = Solids.of([(shape, -1, np.eye(4))])
        first, last = own.span[0].tolist()
        return cls(int(own.kind[0]), own.size[0], (first, last), own.table, own.meshes)

    @classmethod
    def of_triangles(cls, points: Array, triangles: Indices) -> "Surface":
        """Of what triangles enclose, turned to the left from outside."""
        meshes = Meshes.of([(points, triangles)])
        root = int(meshes.roots[0])
        return cls(MESH, np.zeros(3), (root, 0), np.zeros((0, 16)), meshes)

    def distance(self, points: Array, pose: Pose) -> Array:
        """Signed distance of points from it where it has a pose [m], negative inside, (n,)."""
        local = (points - pose[:3, 3]) @ pose[:3, :3]
        return np.array([float(distance(*self._known, tuple(p))[0]) for p in local.tolist()])
