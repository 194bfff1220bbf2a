"""Distance of samples from skins: closed surfaces of triangles whose corners move on their own.

Triangles are in an order in which neighbours are near, and in packs of that order. Boxes about
packs and triangles follow them; samples look into those that are nearer than what they have found.
"""

from math import atan2, sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, difference, origin, set_far
from flexura.contact.mesh_kernels import from_triangle, to_box
from flexura.lie.kernels.vector import cross, dot, rotate, scaled

# Triangles in a pack.
PACK = 16
# Pairs of a sample and a skin: three planes meet at a point.
SLOTS = 3
# Planes of triangles beside the nearest one count this part of their sides beyond them, where these
# are no edges to go round, less where they rise by less than this part of a side: with surfaces
# that are nearly even, they would be as near as what a sample is over. Below the last they are.
BEYOND, STEEP, EVEN = 0.25, 0.1, 1e-9
# Nearer than this part of a side, a sample on an edge or corner has the mean normal.
ON = 1e-9
# Corners of a skin touch what some of their own surface opposes, by this cosine. Planes of such
# triangles count this part of their sides beyond them, and no deeper than that part: what has come
# in by another side leaves by it, or it would be thrown out.
OPPOSED, BESIDE, DEEP = 0.2, 0.02, 1e-3


@inline
def _add(x, i, v):
    """x[i] += v."""
    x[i, 0] += v[0]
    x[i, 1] += v[1]
    x[i, 2] += v[2]


@kernel
def dress(corner, vertex, begin, frames, face, mean, box, pack):
    """Write normals and boxes of all skins where their corners are.

    Args:
        corner: frames of the corners of triangles, turned to the left from outside, (m, 3).
        vertex: numbers of these corners among those of all skins, (m, 3).
        begin: first triangle of each skin, and the end.
        frames: poses of all frames.
        face: normals of triangles, written, (m, 3).
        mean: of corners, weighted by angles, written, (k, 3); not of length one.
        box: lower and upper corner of the boxes of triangles, written, (m, 6).
        pack: of packs, which begin anew with each skin, written.
    """
    for i in range(len(mean)):
        mean[i, 0] = mean[i, 1] = mean[i, 2] = 0.0
    at = 0
    for f in range(len(begin) - 1):
        for t in range(begin[f], begin[f + 1]):
            p, q, r = (
                origin(frames, corner[t, 0]),
                origin(frames, corner[t, 1]),
                origin(frames, corner[t, 2]),
            )
            e, g, h = difference(q, p), difference(r, p), difference(r, q)
            n = cross(e, g)
            size = sqrt(dot(n, n))
            n = scaled(1.0 / size if size > 0.0 else 0.0, n)
            face[t, 0], face[t, 1], face[t, 2] = n
            _add(mean, vertex[t, 0], scaled(atan2(size, dot(e, g)), n))
            _add(mean, vertex[t, 1], scaled(atan2(size, -dot(e, h)), n))
            _add(mean, vertex[t, 2], scaled(atan2(size, dot(g, h)), n))
            first = (t - begin[f]) % PACK == 0
            if first and t > begin[f]:
                at += 1
            for i in range(3):
                box[t, i], box[t, 3 + i] = min(p[i], q[i], r[i]), max(p[i], q[i], r[i])
                pack[at, i] = box[t, i] if first else min(pack[at, i], box[t, i])
                pack[at, 3 + i] = box[t, 3 + i] if first else max(pack[at, 3 + i], box[t, 3 + i])
        at += 1


@inline
def _opposes(k, t, fan, fans, face, mean):
    """Whether the surface around a corner opposes a triangle; all do if there is no corner."""
    n, m = (face[t, 0], face[t, 1], face[t, 2]), (mean[k, 0], mean[k, 1], mean[k, 2])
    found = k < 0 or dot(n, m) < -OPPOSED * sqrt(dot(m, m))
    for i in range(0 if found else fans[k], 0 if found else fans[k + 1]):
        o = fan[i]
        found |= n[0] * face[o, 0] + n[1] * face[o, 1] + n[2] * face[o, 2] < -OPPOSED
    return found


@inline
def _opposes_all(k, t, feature, vertex, across, fan, fans, face, mean):
    """Whether the surface around a corner opposes all triangles at a feature of one of them."""
    found = _opposes(k, t, fan, fans, face, mean)
    if 3 <= feature < 6:
        found &= _opposes(k, across[t, feature - 3], fan, fans, face, mean)
    if feature < 3:
        v = vertex[t, feature]
        for i in range(fans[v], fans[v + 1]):
            found &= _opposes(k, fan[i], fan, fans, face, mean)
    return found


@inline
def _nearest(p, own, first, last, at, corner, frames, fan, fans, face, mean, box, pack, far):
    """Triangle nearest to a point within a square of a distance, -1 for none, and its feature.

    If the point is a corner of a skin, only what its own surface opposes.
    """
    best, found, feature = far, -1, 6
    for begin in range(first, last, PACK):
        if to_box(p, pack[at + (begin - first) // PACK]) >= best:
            continue
        for t in range(begin, min(begin + PACK, last)):
            if to_box(p, box[t]) >= best:
                continue
            w, _, _, kind = from_triangle(
                p,
                origin(frames, corner[t, 0]),
                origin(frames, corner[t, 1]),
                origin(frames, corner[t, 2]),
            )
            d = dot(w, w)
            if d < best and _opposes(own, t, fan, fans, face, mean):
                best, found, feature = d, t, kind
    return found, feature


@inline
def _outward(t, feature, vertex, across, face, mean):
    """Mean normal of a feature of a triangle, which tells inside from outside."""
    if feature == 6:
        return face[t, 0], face[t, 1], face[t, 2]
    if feature < 3:
        k = vertex[t, feature]
        n = (mean[k, 0], mean[k, 1], mean[k, 2])
    else:
        o = across[t, feature - 3]
        n = (face[t, 0] + face[o, 0], face[t, 1] + face[o, 1], face[t, 2] + face[o, 2])
    size = sqrt(dot(n, n))
    return scaled(1.0 / size, n) if size > 0.0 else (face[t, 0], face[t, 1], face[t, 2])


@inline
def _over(p, a, e, g):
    """Where on the plane of a triangle a point is: a + u e + v g."""
    w = difference(p, a)
    ee, eg, gg, we, wg = dot(e, e), dot(e, g), dot(g, g), dot(w, e), dot(w, g)
    det = ee * gg - eg * eg
    return (gg * we - eg * wg) / det, (ee * wg - eg * we) / det


@inline
def _is_over(p, t, corner, frames, face):
    """Whether a point is over a triangle, or nearly, and not deep below it."""
    a = origin(frames, corner[t, 0])
    e = difference(origin(frames, corner[t, 1]), a)
    g = difference(origin(frames, corner[t, 2]), a)
    u, v = _over(p, a, e, g)
    height = dot(difference(p, a), (face[t, 0], face[t, 1], face[t, 2]))
    return min(u, v, 1.0 - u - v) >= -BESIDE and height > -DEEP * sqrt(dot(e, e))


@inline
def _rise(k, t, corner, frames, face):
    """How high the middle of a triangle is above the plane of another one, over its side."""
    a = origin(frames, corner[k, 0])
    e = difference(origin(frames, corner[k, 1]), a)
    g = difference(origin(frames, corner[k, 2]), a)
    n = (face[t, 0], face[t, 1], face[t, 2])
    rise = dot(n, difference(a, origin(frames, corner[t, 0]))) + (dot(n, e) + dot(n, g)) / 3.0
    return rise / sqrt(dot(e, e))


@inline
def _is_edge(t, feature, across, corner, frames, face):
    """Whether the nearest point of a triangle is on an edge, or a corner, to go round."""
    found = False
    for side in range(3):
        # corners 0, 1 and 2 are on the sides 01 and 02, 01 and 12, 02 and 12
        own = feature == 3 + side or (feature < 3 and feature != 2 - side)
        found |= own and _rise(across[t, side], t, corner, frames, face) < -EVEN
    return found


@inline
def _counts(k, u, v, rise, across, corner, frames, face):
    """Whether the plane of a triangle counts over a place: not beyond edges to go round."""
    w = 1.0 - u - v
    if min(u, v, w) < -BEYOND * min(1.0, rise / STEEP):
        return False
    if v < 0.0 and _rise(across[k, 0], k, corner, frames, face) < -EVEN:
        return False
    if u < 0.0 and _rise(across[k, 1], k, corner, frames, face) < -EVEN:
        return False
    return w >= 0.0 or _rise(across[k, 2], k, corner, frames, face) >= -EVEN


@inline
def _beside(p, t, first, last, at, corner, vertex, across, frames, face, box, pack, far, slots):
    """Triangles that share a corner with another one and rise above it, over which a point is.

    Written to slots from 1 on, the nearest, -1 for none. In a groove a sample touches several.
    """
    slots[1] = slots[2] = -1
    nearest, second = FAR, FAR
    for begin in range(first, last, PACK):
        if to_box(p, pack[at + (begin - first) // PACK]) >= far:
            continue
        for k in range(begin, min(begin + PACK, last)):
            if k == t or to_box(p, box[k]) >= far:
                continue
            shared = False
            for i in range(3):
                for j in range(3):
                    shared |= vertex[k, i] == vertex[t, j]
            rise = _rise(k, t, corner, frames, face) if shared else 0.0
            if rise <= EVEN:
                continue
            a = origin(frames, corner[k, 0])
            e = difference(origin(frames, corner[k, 1]), a)
            g = difference(origin(frames, corner[k, 2]), a)
            u, v = _over(p, a, e, g)
            if not _counts(k, u, v, rise, across, corner, frames, face):
                continue
            d = abs(dot(difference(p, a), (face[k, 0], face[k, 1], face[k, 2])))
            if d < nearest:
                second, slots[2] = nearest, slots[1]
                nearest, slots[1] = d, k
            elif d < second:
                second, slots[2] = d, k


@inline
def _none(c, gap, normal, who, moves):
    """Write that a pair is far apart."""
    set_far(c, gap, normal)
    who[c, 1] = who[c, 2] = who[c, 3] = -1
    moves[c, 0, 0] = moves[c, 1, 0] = -1


@inline
def _ascending(x):
    """Sort three numbers, so that each triangle keeps its slot as long as the others do."""
    if x[0] > x[1]:
        x[0], x[1] = x[1], x[0]
    if x[1] > x[2]:
        x[1], x[2] = x[2], x[1]
    if x[0] > x[1]:
        x[0], x[1] = x[1], x[0]


@inline
def _touch(
    c, t, plane, p, radius, corner, vertex, across, frames, face, mean, gap, normal, point, who,
    share, moves, apart, flat,
):  # fmt: skip
    """Write the geometry of a sample at p and a triangle, or its plane; see ``measure``."""
    a = origin(frames, corner[t, 0])
    e = difference(origin(frames, corner[t, 1]), a)
    h = difference(origin(frames, corner[t, 2]), a)
    w, u, v, feature = from_triangle(
        p, a, origin(frames, corner[t, 1]), origin(frames, corner[t, 2])
    )
    if plane:
        u, v = _over(p, a, e, h)
        feature = 6
        w = difference(difference(difference(p, a), scaled(u, e)), scaled(v, h))
    n = _outward(t, feature, vertex, across, face, mean)
    d = sqrt(dot(w, w))
    side = 1.0 if dot(w, n) >= 0.0 else -1.0
    flat[c], apart[c] = feature == 6, side * d
    if feature < 6:
        if d > ON * sqrt(dot(e, e)):
            n = scaled(side / d, w)
        else:
            apart[c] = 0.0
    gap[c] = apart[c] - radius
    for i in range(3):
        who[c, 1 + i] = corner[t, i]
        normal[c, i] = n[i]
        point[c, i] = p[i] - radius * n[i]
    share[c, 1], share[c, 2], share[c, 3] = u + v - 1.0, -u, -v
    moves[c, 0, 0] = moves[c, 1, 0] = -1
    if feature == 3 or feature == 6:
        moves[c, 0, 0], moves[c, 0, 1] = 1, 2
    if feature == 4 or feature == 6:
        moves[c, 1, 0], moves[c, 1, 1] = 1, 3
    if feature == 5:
        moves[c, 0, 0], moves[c, 0, 1] = 2, 3


@kernel
def measure(
    sample, offset, radius, own, skin, scope, corner, vertex, across, fan, fans, begin, packs,
    frames, face, mean, box, pack, slots, gap, normal, point, who, share, moves, apart, flat,
):  # fmt: skip
    """Gap, normal, the point between, and the frames that share the force.

    Each sample has ``SLOTS`` pairs: with the nearest triangle, and with others beside it that rise
    above it, as in a groove. Where the sample is a corner of another skin, which lies on this one,
    edge upon edge, sides of both are as near as what they lie on: these do not oppose each other.

    Args:
        sample: frame of the sample of each pair, (n,).
        offset: its centre there, (n, 3).
        radius: its radius, (n,).
        own: number of the corner that it is, -1 if it is none, (n,).
        skin: of each pair, (n,).
        scope: samples farther than this from a skin are not looked at [m], for each skin.
        corner: see ``dress``, as the next ones.
        vertex: (m, 3).
        across: triangles beyond the sides 01, 02 and 12, (m, 3).
        fan: triangles around each corner, one after the other.
        fans: where those of each corner begin, and the end.
        begin: first triangle of each skin, and the end.
        packs: first pack of each skin.
        frames: poses of all frames.
        face: see ``dress``, as the next ones.
        mean: (k, 3).
        box: (m, 6).
        pack: boxes of packs.
        slots: for three numbers.
        gap: written, as all that follow; FAR where nothing is near, (n,).
        normal: out of the skin, (n, 3).
        point: where they would touch, (n, 3).
        who: frames of the sample and of the three corners, (n, 4).
        share: of the force on each, (n, 4).
        moves: shares that move as parts do, from one frame to another, (n, 2, 2).
        apart: signed distance of the centre, 0 where the normal is a mean, (n,).
        flat: whether the nearest point is inside a triangle, (n,).
    """
    for c in range(0, len(sample), SLOTS):
        g, f = frames[sample[c]], skin[c]
        p = rotate(g, (offset[c, 0], offset[c, 1], offset[c, 2]))
        p = (p[0] + g[0, 3], p[1] + g[1, 3], p[2] + g[2, 3])
        far = scope[f] + radius[c]
        first, last, at = begin[f], begin[f + 1], packs[f]
        t, feature = _nearest(
            p, -1, first, last, at, corner, frames, fan, fans, face, mean, box, pack, far * far
        )
        beside = False
        if t >= 0 and not _opposes_all(own[c], t, feature, vertex, across, fan, fans, face, mean):
            o, _ = _nearest(
                p, own[c], first, last, at, corner, frames, fan, fans, face, mean, box, pack,
                far * far,
            )  # fmt: skip
            if o >= 0 and _is_over(p, o, corner, frames, face):
                t, feature, beside = o, 6, True
        slots[0], slots[1], slots[2] = t, -1, -1
        if t >= 0 and not _is_edge(t, feature, across, corner, frames, face):
            far = min(far, scope[f])
            _beside(
                p, t, first, last, at, corner, vertex, across, frames, face, box, pack, far * far,
                slots,
            )  # fmt: skip
        _ascending(slots)
        for i in range(SLOTS):
            d = c + i
            who[d, 0], share[d, 0] = sample[d], 1.0
            if slots[i] < 0:
                _none(d, gap, normal, who, moves)
                continue
            _touch(
                d, slots[i], beside or slots[i] != t, p, radius[d], corner, vertex, across, frames,
                face, mean, gap, normal, point, who, share, moves, apart, flat,
            )  # fmt: skip
