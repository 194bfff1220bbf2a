"""What went through something between two places of all frames, though it touches at neither.

Samples go straight from one place to the other, as seen from what is in their way.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.bow_kernels import levers, shares
from flexura.contact.distance_kernels import FAR, difference, origin
from flexura.contact.measure_kernels import distance
from flexura.lie.kernels.vector import dot, rotate, rotate_back, scaled, vec

# What was deeper than this part of the way to the middle of what it left again went through it:
# less is the chord of a way around that, by half a radian at most.
DEEP = 0.1
NOWHERE = (0.0, 0.0, 0.0)


@inline
def _in_world(g, x):
    """Where a place of a frame is."""
    y = rotate(g, x)
    return y[0] + g[0, 3], y[1] + g[1, 3], y[2] + g[2, 3]


@inline
def _at(probes, i, frames):
    """Where a probe is."""
    g, o = frames[probes.frame[i]], vec(probes.center[i], 0)
    if probes.end[i] < 0:
        return _in_world(g, o)
    (a, b), (h, k) = levers(probes.along[i]), shares(probes.along[i])
    x, y = _in_world(g, scaled(a, o)), _in_world(frames[probes.end[i]], scaled(b, o))
    return h * x[0] + k * y[0], h * x[1] + k * y[1], h * x[2] + k * y[2]


@inline
def _seen(T, x):
    """Where a place is in a frame."""
    return rotate_back(T, (x[0] - T[0, 3], x[1] - T[1, 3], x[2] - T[2, 3]))


@inline
def _crosses(p, way, low, high):
    """Whether a straight way leads through a box."""
    enters, leaves = 0.0, 1.0
    for i in range(3):
        if abs(way[i]) > 0.0:
            a, b = (low[i] - p[i]) / way[i], (high[i] - p[i]) / way[i]
            enters, leaves = max(enters, min(a, b)), min(leaves, max(a, b))
        elif p[i] < low[i] or p[i] > high[i]:
            leaves = -1.0
    return enters <= leaves


@inline
def _depth(f, walls, mesh, x):
    """How deep a place is in a solid, in whose frame it is; negative outside."""
    first, last = walls.span[f, 0], walls.span[f, 1]
    phi, _, _ = distance(walls.kind[f], walls.size[f], walls.table, first, last, mesh, x)
    return -phi


@inline
def _is_through(p, way, size, f, walls, mesh, least):
    """Whether a straight way is deeper in a solid than it is at both of its ends.

    A place is as far at least from what is deep as distances tell.
    """
    if _depth(f, walls, mesh, (p[0] + way[0], p[1] + way[1], p[2] + way[2])) > least:
        return False
    u, begins = 0.0, True
    while u < 1.0:
        d = _depth(f, walls, mesh, (p[0] + u * way[0], p[1] + u * way[1], p[2] + u * way[2]))
        if d > least:
            return not begins
        u, begins = u + max(least - d, 0.5 * least) / size, False
    return False


@kernel
def through_solids(probes, walls, mesh, before, after, begin, frames):
    """The first pair of a sample and a solid whose sample went through it; -1 for none.

    Args:
        probes: places of samples, see ``Probes``.
        walls: the solids, see ``Walls``.
        mesh: of all meshes.
        before: poses of the solids at the beginning, (m, 4, 4).
        after: and at the end.
        begin: poses of all frames at the beginning, (k, 4, 4).
        frames: and at the end.
    """
    for i in range(len(probes.pair)):
        f = probes.solid[i]
        p, q = _seen(before[f], _at(probes, i, begin)), _seen(after[f], _at(probes, i, frames))
        way, least = difference(q, p), DEEP * walls.scope[f]
        size = sqrt(dot(way, way))
        if size <= 2.0 * (least + probes.radius[i]):
            continue
        if not _crosses(p, way, vec(walls.low[f], 0), vec(walls.high[f], 0)):
            continue
        if _is_through(p, way, size, f, walls, mesh, least):
            return probes.pair[i]
    return -1


@inline
def _moved(c, who, share, begin, frames):
    """How far the first side of a pair moved beside what the other is."""
    x = NOWHERE
    for e in range(4):
        k, s = who[c, e], share[c, e]
        if k >= 0:
            a, b = frames[k], begin[k]
            x = (
                x[0] + s * (a[0, 3] - b[0, 3]),
                x[1] + s * (a[1, 3] - b[1, 3]),
                x[2] + s * (a[2, 3] - b[2, 3]),
            )
    return x


@kernel
def through_surfaces(first, radii, scope, gap, seen, gap_before, before, begin, frames):
    """The first pair from one on that went through its skin or its link; -1 for none.

    What was nearest before, or is after, was passed: its distance along the normal changed sign,
    and what is nearest at the other end, if anything is, is of an opposite side: else the way led
    around an edge, or an end.

    Args:
        first: number of the first pair that is asked for.
        radii: of both sides of these together [m], (n,).
        scope: motions of this size may lead through what is in the way [m], (n,).
        gap: at the end [m], of all pairs.
        seen: geometry at the end, see ``Seen``.
        gap_before: at the beginning [m], (n,).
        before: ``who``, ``share`` and ``normal`` at the beginning, (n, 4), (n, 4) and (n, 3).
        begin: poses of all frames at the beginning.
        frames: and at the end.
    """
    who, share, normal = before
    for i in range(len(gap_before)):
        c, least = first + i, DEEP * scope[i]
        n, m, was, stays = vec(normal[i], 0), vec(seen.normal[c], 0), gap_before[i], gap[c]
        if was < FAR and stays < FAR and dot(n, m) >= 0.0:
            continue
        if was < FAR and was + radii[i] + dot(n, _moved(i, who, share, begin, frames)) < -least:
            return c
        moved = _moved(c, seen.who, seen.share, begin, frames)
        if stays < FAR and stays + radii[i] - dot(m, moved) < -least:
            return c
    return -1


@inline
def _box_about(corner, first, last, begin, frames):
    """Lower and upper corner of the box about triangles at the beginning, and their mean way."""
    low = high = origin(begin, corner[first, 0])
    way = NOWHERE
    part = 1.0 / (3.0 * (last - first))
    for t in range(first, last):
        for i in range(3):
            x, y = origin(begin, corner[t, i]), origin(frames, corner[t, i])
            low = (min(low[0], x[0]), min(low[1], x[1]), min(low[2], x[2]))
            high = (max(high[0], x[0]), max(high[1], x[1]), max(high[2], x[2]))
            d = difference(y, x)
            way = (way[0] + part * d[0], way[1] + part * d[1], way[2] + part * d[2])
    return low, high, way


@kernel
def over_skins(first, probes, corner, triangles, scope, gap_before, gap, begin, frames):
    """The first pair that led through a skin from where that is not seen to where it is not.

    Args:
        first: number of the first pair of a sample and a skin.
        probes: places of samples, see ``Probes``, of all pairs with the same skin together.
        corner: frames of the corners of triangles, (m, 3).
        triangles: first one of each skin, and the end.
        scope: how far each skin is seen [m].
        gap_before: at the beginning [m], of pairs from the first one on.
        gap: at the end [m], of all pairs.
        begin: poses of all frames at the beginning.
        frames: and at the end.
    """
    last = -1
    low = high = along = NOWHERE
    for i in range(len(probes.pair)):
        c, f, k, o = probes.pair[i], probes.solid[i], probes.frame[i], vec(probes.center[i], 0)
        if gap_before[c - first] < FAR or gap[c] < FAR:
            continue
        if f != last:
            low, high, along = _box_about(corner, triangles[f], triangles[f + 1], begin, frames)
            last = f
        p = _in_world(begin[k], o)
        way = difference(difference(_in_world(frames[k], o), p), along)
        most = 2.0 * (scope[f] + probes.radius[i])
        if dot(way, way) > most * most and _crosses(p, way, low, high):
            return c
    return -1
