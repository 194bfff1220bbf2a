"""Gaps of pairs of a sample or bow and a solid, block by block, where their frames are."""

from math import sqrt

import numpy as np

from flexura._kernel import inline, kernel
from flexura.contact.bow_kernels import (
    AHEAD,
    WELLS,
    WIDE,
    along_bow,
    bow,
    over_edge,
    seen_from,
    shares,
)
from flexura.contact.distance_kernels import FAR, RIDGES, cubic, set_far
from flexura.contact.edge_kernels import PLACES, along
from flexura.contact.measure_kernels import distance, turned
from flexura.contact.ridge_kernels import SLOTS, crossing, find
from flexura.contact.rim_kernels import around
from flexura.lie.kernels.vector import cross, dot, rotate, rotate_back, scaled, vec

# Edges are looked at where their middle is nearer to a solid than so many times their half length,
# rims likewise by their radius.
LOOK = 2.0


@kernel
def wrap(blocks, sample, end, offset, edge, rim, radius, place, frames, samples, solids):
    """Write boxes about the samples of blocks, and about solids (lower, upper corner)."""
    for k in range(len(blocks.lead)):
        first, last = blocks.begin[blocks.lead[k]], blocks.begin[blocks.lead[k] + 1]
        for c in range(first, last):
            g = frames[sample[c]]
            if end[c] >= 0:
                g1, margin = frames[end[c]], radius[c] + 2.0 * AHEAD * edge[c, 0]
                for i in range(3):
                    low, high = min(g[i, 3], g1[i, 3]) - margin, max(g[i, 3], g1[i, 3]) + margin
                    samples[k, i] = low if c == first else min(samples[k, i], low)
                    samples[k, 3 + i] = high if c == first else max(samples[k, 3 + i], high)
                continue
            x, e = rotate(g, vec(offset[c], 0)), rotate(g, vec(edge[c], 0))
            a = vec(rim[c], 0)
            square = dot(a, a)
            if square > 0.0:
                a = rotate(g, a)
            for i in range(3):
                middle, half = g[i, 3] + x[i], radius[c] + abs(e[i])
                if square > 0.0:
                    half += sqrt(max(square - a[i] * a[i], 0.0))
                low, high = middle - half, middle + half
                samples[k, i] = low if c == first else min(samples[k, i], low)
                samples[k, 3 + i] = high if c == first else max(samples[k, 3 + i], high)
    for f in range(len(place)):
        T, size = place[f], vec(blocks.half[f], 0)
        x = rotate(T, vec(blocks.middle[f], 0))
        for i in range(3):
            half = size[0]
            if half < np.inf:
                half = abs(T[i, 0]) * size[0] + abs(T[i, 1]) * size[1] + abs(T[i, 2]) * size[2]
            solids[f, i], solids[f, 3 + i] = x[i] + T[i, 3] - half, x[i] + T[i, 3] + half


@inline
def _apart(a, b):
    """Square of the distance between two boxes."""
    total = 0.0
    for i in range(3):
        out = max(a[i] - b[3 + i], b[i] - a[3 + i], 0.0)
        total += out * out
    return total


@kernel
def measure(
    sample, end, offset, edge, rim, soft, radius, solid, kind, size, span, table, mesh, ridges,
    place, frames, blocks, samples, solids, beyond, asleep, gap, seen,
):  # fmt: skip
    """Gap, normal, its turning with the sample, and the point between them, of all pairs.

    Pairs of blocks that are farther from their solid than matters have the gap ``FAR`` and no
    normal.

    Args:
        sample: frame of the sample of each pair, (n,).
        end: where its bow ends, -1 for what is none, (n,).
        offset: its centre there, (n, 3).
        edge: from there to its end if it is an edge, (n, 3).
        rim: axis times radius of the circle about it if it is one, (n, 3).
        soft: what draws edges to their middles [m], (n,).
        radius: its radius, (n,).
        solid: the solid of each pair, (n,).
        kind: of the solids, (m,).
        size: their measures, (m, 3).
        span: where their pieces or trees are, (m, 2).
        table: see ``distance``.
        mesh: see ``distance``.
        ridges: see ``Ridges``.
        place: poses of the solids in the world, (m, 4, 4).
        frames: poses of all frames, (k, 4, 4).
        blocks: of pairs, see ``Blocks``.
        samples: boxes about their samples, see ``wrap``.
        solids: boxes about solids.
        beyond: how much more than their own distances matters [m].
        asleep: blocks that are far, written, (n,).
        gap: φ - radius [m], written, (n,).
        seen: written, see ``Seen``: ``normal``, ``bend``, ``point``; ``offset`` and ``edge`` of
            edges, rims and bows, where they are nearest, ``soft`` of rims and bows, and ``share``
            and ``along`` of bows.
    """
    for b in range(len(blocks.shell)):
        first, last = blocks.begin[b], blocks.begin[b + 1]
        f = solid[first]
        T, far = place[f], blocks.within[b] + beyond
        if _apart(samples[blocks.shell[b]], solids[f]) <= far * far:
            asleep[b] = False
            if kind[f] == RIDGES:
                for c in range(first, last, SLOTS):
                    _lean(c, f, sample, end, edge, radius, span, mesh, ridges, T, frames, gap, seen)
                continue
            c = first
            while c < last:
                if end[c] >= 0:
                    _bend(
                        c, f, sample, end, edge, soft[c], radius, kind, size, span, table, mesh, T,
                        frames, gap, seen,
                    )  # fmt: skip
                    c += WELLS
                    continue
                _measure(
                    c, f, sample, offset, edge, rim, soft, radius, kind, size, span, table, mesh, T,
                    frames, gap, seen,
                )  # fmt: skip
                c += 1
        elif not asleep[b]:
            for c in range(first, last):
                set_far(c, gap, seen.normal)
            asleep[b] = True


@inline
def _measure(
    c, f, sample, offset, edge, rim, soft, radius, kind, size, span, table, mesh, T, frames, gap,
    seen,
):  # fmt: skip
    """What ``measure`` writes, of one pair."""
    g, o, e, a = frames[sample[c]], vec(offset[c], 0), vec(edge[c], 0), vec(rim[c], 0)
    half, u, rho = sqrt(dot(e, e)), 0.0, dot(a, a)
    way, ahead = e, 0.0
    x = rotate(g, o)
    x = (x[0] + g[0, 3], x[1] + g[1, 3], x[2] + g[2, 3])
    p = rotate_back(T, (x[0] - T[0, 3], x[1] - T[1, 3], x[2] - T[2, 3]))
    if rho > 0.0:
        a, rho = rotate(g, a), sqrt(rho)
        phi, n, h, way, ahead = around(
            kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p, rotate_back(T, a),
            LOOK * rho + radius[c],
        )  # fmt: skip
    elif half == 0.0:
        phi, n, h = distance(kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p)
    else:
        e = rotate(g, e)
        phi, n, h, u = along(
            kind[f], size[f], table, span[f, 0], span[f, 1], mesh, p, rotate_back(T, e), soft[c],
            LOOK * half + radius[c],
        )  # fmt: skip
    set_far(c, gap, seen.normal)
    if phi < FAR:
        if rho > 0.0:
            way = rotate(T, way)
            e, own = scaled(1.0 / rho, cross(a, way)), rotate_back(g, way)
            x, seen.soft[c, 0] = (x[0] + way[0], x[1] + way[1], x[2] + way[2]), ahead
            for i in range(3):
                seen.offset[c, i], seen.edge[c, i] = o[i] + own[i], e[i]
        elif half > 0.0:
            x = (x[0] + u * e[0], x[1] + u * e[1], x[2] + u * e[2])
            for i in range(3):
                seen.offset[c, i], seen.edge[c, i] = o[i] + u * edge[c, i], e[i]
        n = rotate(T, n)
        gap[c] = phi - radius[c]
        turned(T, h, seen.bend[c])
        for i in range(3):
            seen.normal[c, i] = n[i]
            seen.point[c, i] = x[i] - radius[c] * n[i]


@kernel
def leave(within, reach, gap, seen):
    """Leave out spheres at ends of bows that are as near somewhere in that half of theirs.

    Where bows are near, that is: what is far may come near anywhere.

    Args:
        within: pairs of the spheres at both ends of each bow, -1 for none, (n, 2).
        reach: gaps below this may close in a step [m].
        gap: of all pairs [m].
        seen: see ``measure``.
    """
    for c in range(len(within)):
        if gap[c] < reach[c]:
            k = within[c, 0 if seen.along[c] < 0.5 else 1]
            if k >= 0:
                set_far(k, gap, seen.normal)


@inline
def _bend(
    c, f, sample, end, edge, soft, radius, kind, size, span, table, mesh, T, frames, gap, seen,
):  # fmt: skip
    """What ``measure`` writes, of the pairs of a bow, one for each of its ``WELLS``."""
    half, begin = edge[c, 0], 0
    b = bow(frames[sample[c]], frames[end[c]], 2.0 * half)
    own = seen_from(T, b)
    middle = cubic(own, 0.5)[0]
    if (
        distance(kind[f], size[f], table, span[f, 0], span[f, 1], mesh, middle)[0]
        > LOOK * half + radius[c]
    ):
        begin = PLACES
    for k in range(c, c + WELLS):
        set_far(k, gap, seen.normal)
        if begin < PLACES:
            phi, n, h, u, begin = along_bow(
                kind[f], size[f], table, span[f, 0], span[f, 1], mesh, own, soft, begin
            )
            if phi < FAR:
                _write(k, phi, rotate(T, n), u, b, half, radius[c], soft, gap, seen)
                turned(T, h, seen.bend[k])


@inline
def _write(c, phi, n, u, b, half, r, soft, gap, seen):
    """What ``measure`` writes of a bow that is nearest at u, but for how n changes."""
    x, e, bent = cubic(b, u)
    gap[c] = phi - r
    seen.share[c, 0], seen.share[c, 1] = shares(u)
    seen.along[c] = u
    seen.offset[c, 0] = 2.0 * half * u
    seen.soft[c, 0] = dot(n, bent) + soft
    for i in range(3):
        seen.edge[c, i], seen.normal[c, i] = e[i], n[i]
        seen.point[c, i] = x[i] - r * n[i]


@inline
def _lean(c, f, sample, end, edge, radius, span, mesh, ridges, T, frames, gap, seen):
    """What ``measure`` writes, of all pairs of a bow and the edges of a mesh."""
    g, g1, half, r = frames[sample[c]], frames[end[c]], edge[c, 0], radius[c]
    b = bow(g, g1, 2.0 * half)
    own = seen_from(T, b)
    p = cubic(own, 0.5)[0]
    a, z = cubic(own, 0.0)[0], cubic(own, 1.0)[0]
    wide = 0.5 * WIDE
    e = (wide * (z[0] - a[0]), wide * (z[1] - a[1]), wide * (z[2] - a[2]))
    find(p, e, r, ridges, span[f, 0], mesh, span[f, 1], LOOK * WIDE * half + r)
    line, found = ridges[0], ridges[8]
    for k in range(SLOTS):
        d = c + k
        set_far(d, gap, seen.normal)
        if found[k] < 0:
            continue
        u = over_edge(own, vec(line[found[k]], 0), vec(line[found[k]], 3))
        if u > 1.0:
            continue
        x, l, _ = cubic(own, u)
        phi, n, h, _ = crossing(x, l, found[k], ridges)
        _write(d, phi, rotate(T, n), u, b, half, r, 0.0, gap, seen)
        turned(T, h, seen.bend[d])
