"""Gaps of all pairs of a sample and a solid, where the frames that carry them are."""

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
)
from flexura.contact.mesh_kernels import from_mesh
from flexura.lie.kernels.vector import dot, rotate, rotate_back


@kernel
def distance(kind, size, table, first, last, mesh, p):
    """φ, n and H of a solid at a point of its frame.

    Args:
        kind: what it is.
        size: its measures, (3,).
        table: pieces of the curves of all vessels, (n, 12).
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


@kernel
def measure(
    sample, offset, radius, solid, kind, size, span, table, mesh, place, frames,
    gap, normal, bend, point,
):  # fmt: skip
    """Gap, normal, its turning with the sample, and the point between them, of all pairs.

    Args:
        sample: frame of the sample of each pair, (n,).
        offset: its centre there, (n, 3).
        radius: its radius, (n,).
        solid: the solid of each pair, (n,).
        kind: of the solids, (m,).
        size: their measures, (m, 3).
        span: where their pieces or trees are, (m, 2).
        table: see ``distance``.
        mesh: see ``distance``.
        place: poses of the solids in the world, (m, 4, 4).
        frames: poses of all frames, (k, 4, 4).
        gap: φ - radius [m], written, (n,).
        normal: out of the solid, written, (n, 3).
        bend: ∂n/∂(centre) [1/m], written, (n, 9).
        point: where they would touch [m], written, (n, 3).
    """
    for c in range(len(sample)):
        g, f = frames[sample[c]], solid[c]
        o = (offset[c, 0], offset[c, 1], offset[c, 2])
        x = rotate(g, o)
        x = (x[0] + g[0, 3], x[1] + g[1, 3], x[2] + g[2, 3])
        T = place[f]
        p = rotate_back(T, (x[0] - T[0, 3], x[1] - T[1, 3], x[2] - T[2, 3]))
        phi, n, h = distance(kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p)
        n = rotate(T, n)
        gap[c] = phi - radius[c]
        turned(T, h, bend[c])
        for i in range(3):
            normal[c, i] = n[i]
            point[c, i] = x[i] - radius[c] * n[i]
