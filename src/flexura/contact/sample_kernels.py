"""Gaps of all pairs of a sample and a solid, where the frames that carry them are."""

from math import sqrt

from flexura._kernel import kernel
from flexura.contact.distance_kernels import FAR
from flexura.contact.edge_kernels import along
from flexura.contact.measure_kernels import distance, turned
from flexura.lie.kernels.vector import dot, rotate, rotate_back, vec

# Edges are looked at where their middle is nearer to a solid than so many times their half length.
LOOK = 2.0


@kernel
def measure(
    sample, offset, edge, soft, radius, solid, kind, size, span, table, mesh, place, frames, gap,
    seen,
):  # fmt: skip
    """Gap, normal, its turning with the sample, and the point between them, of all pairs.

    Args:
        sample: frame of the sample of each pair, (n,).
        offset: its centre there, (n, 3).
        edge: from there to its end if it is an edge, (n, 3).
        soft: what draws edges to their middles [m], (n,).
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
        seen: written, see ``Seen``: ``normal``, ``bend``, ``point``; ``offset`` and ``edge`` of
            edges, where they are nearest.
    """
    for c in range(len(sample)):
        g, f, o, e = frames[sample[c]], solid[c], vec(offset[c], 0), vec(edge[c], 0)
        T, half, u = place[f], sqrt(dot(e, e)), 0.0
        x = rotate(g, o)
        x = (x[0] + g[0, 3], x[1] + g[1, 3], x[2] + g[2, 3])
        p = rotate_back(T, (x[0] - T[0, 3], x[1] - T[1, 3], x[2] - T[2, 3]))
        if half == 0.0:
            phi, n, h = distance(kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p)
        else:
            e = rotate(g, e)
            phi, n, h, u = along(
                kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p, rotate_back(T, e),
                soft[c], LOOK * half + radius[c],
            )  # fmt: skip
            if phi == FAR:
                gap[c] = FAR
                continue
            x = (x[0] + u * e[0], x[1] + u * e[1], x[2] + u * e[2])
            for i in range(3):
                seen.offset[c, i], seen.edge[c, i] = o[i] + u * edge[c, i], e[i]
        n = rotate(T, n)
        gap[c] = phi - radius[c]
        turned(T, h, seen.bend[c])
        for i in range(3):
            seen.normal[c, i] = n[i]
            seen.point[c, i] = x[i] - radius[c] * n[i]
