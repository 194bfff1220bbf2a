"""Distances from solids of every kind, and where they are."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import (
    BOX,
    CAPSULE,
    CYLINDER,
    FLAT,
    PLANE,
    SPHERE,
    VESSEL,
    X,
    from_box,
    from_capsule,
    from_cylinder,
    from_point,
    from_vessel,
    round_edge,
)
from flexura.contact.mesh_kernels import from_mesh
from flexura.lie.kernels.vector import dot, rotate, rotate_back


@kernel
def distance(kind, size, table, first, last, mesh, p):
    """φ, n and H of a solid at a point of its frame.

    Args:
        kind: what it is.
        size: its measures, (3,).
        table: pieces of the curves of all vessels, (n, 16).
        first: its first one; of a mesh, its tree.
        last: and where they end.
        mesh: arrays of all meshes.
        p: the point.
    """
    if kind == PLANE:
        return p[0], X, FLAT
    if kind == SPHERE:
        d = sqrt(dot(p, p))
        n, h = from_point(p, d)
        return d - size[0], n, h
    if kind == BOX:
        return from_box(p, size[0], size[1], size[2])
    if kind == CYLINDER:
        return from_cylinder(p, size[0], size[1])
    if kind == CAPSULE:
        return from_capsule(p, size[0], size[1])
    if kind == VESSEL:
        return from_vessel(p, size[0], table, first, last)
    return from_mesh(p, mesh, first)


@inline
def roundness(kind, size):
    """Radius of the edges of a solid."""
    if kind == BOX:
        return round_edge(size[0], size[1], size[2])
    if kind == CYLINDER:
        return round_edge(size[0], size[1], size[1])
    return 0.0


@inline
def turned(T, h, out):
    """Write R H Rᵀ, all nine entries."""
    for j in range(3):
        row = rotate_back(
            T, (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        )
        x = (
            h[0] * row[0] + h[3] * row[1] + h[4] * row[2],
            h[3] * row[0] + h[1] * row[1] + h[5] * row[2],
            h[4] * row[0] + h[5] * row[1] + h[2] * row[2],
        )
        y = rotate(T, x)
        out[j], out[3 + j], out[6 + j] = y[0], y[1], y[2]


@kernel
def place(carrier, placement, frames, out):
    """Where solids are in the world: carried by a frame, or fixed there."""
    for f in range(len(carrier)):
        for i in range(3):
            for j in range(4):
                total = placement[f, i, j]
                if carrier[f] >= 0:
                    g = frames[carrier[f]]
                    total = g[i, 3] if j == 3 else 0.0
                    for k in range(3):
                        total += g[i, k] * placement[f, k, j]
                out[f, i, j] = total
