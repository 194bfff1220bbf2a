"""Meshes for tests: blocks of tetrahedra, with and without a hole inside."""

from itertools import product

import numpy as np

# Six tetrahedra of a cube, all around its diagonal, by corners (x, y, z).
CUBE = [
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)],
    [(0, 0, 0), (1, 0, 1), (1, 0, 0), (1, 1, 1)],
    [(0, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 1)],
    [(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)],
    [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1)],
    [(0, 0, 0), (0, 1, 1), (0, 0, 1), (1, 1, 1)],
]


def block(size=(0.1, 0.02, 0.02), cells=(20, 4, 4), left_out=()):
    """Points and tetrahedra of a block; some cubes may be left out."""
    axes = [np.linspace(0.0, a, n + 1) for a, n in zip(size, cells, strict=True)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(points)).reshape([n + 1 for n in cells])
    rows = [
        [number[tuple(np.add(cube, corner))] for corner in tetrahedron]
        for cube in product(*map(range, cells))
        if cube not in left_out
        for tetrahedron in CUBE
    ]
    tetrahedra = np.array(rows)
    used, tetrahedra = np.unique(tetrahedra, return_inverse=True)
    return points[used], tetrahedra.reshape(-1, 4)


def cavity(points, tetrahedra, lo, hi):
    """Triangles of the boundary that lie in a box."""
    import flexura as fx

    mesh = fx.Volume("x", (points, tetrahedra), fx.Material(young=1.0, poisson=0.3)).mesh
    at = points[mesh.boundary]
    inside = ((at >= np.array(lo) - 1e-9) & (at <= np.array(hi) + 1e-9)).all(axis=(1, 2))
    return mesh.boundary[inside]
