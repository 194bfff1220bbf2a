"""Gaps between links of rods and chains of links: capsules, nearest to nearest."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, difference
from flexura.lie.kernels.vector import dot

# Links that are nearly parallel touch in their middles: what their nearest points lose to that is
# of the order of its square, relative to their length.
MIDDLE = 0.01
# Square of the sine from which on lines cross.
CROSSED = 0.01


@inline
def _at(frames, k):
    """Origin of a frame."""
    return frames[k, 0, 3], frames[k, 1, 3], frames[k, 2, 3]


@inline
def _between(p, q, u):
    """(1 - u) p + u q."""
    return p[0] + u * (q[0] - p[0]), p[1] + u * (q[1] - p[1]), p[2] + u * (q[2] - p[2])


@inline
def _clamped(x):
    return min(max(x, 0.0), 1.0)


@inline
def nearest(p0, p1, q0, q1):
    """Parameters of the nearest points of two links, drawn to their middles by a little.

    min |p(s) - q(t)|² + ε |p₁ - p₀|² (s - ½)² + ε |q₁ - q₀|² (t - ½)²       [Ericson2005, 5.1.9]
    """
    d, e, r = difference(p1, p0), difference(q1, q0), difference(p0, q0)
    dd, ee, b = dot(d, d), dot(e, e), dot(d, e)
    a, g = (1.0 + MIDDLE) * dd, (1.0 + MIDDLE) * ee
    c, f = dot(d, r) - 0.5 * MIDDLE * dd, dot(e, r) + 0.5 * MIDDLE * ee
    s = _clamped((b * f - c * g) / (a * g - b * b))
    t = (b * s + f) / g
    if t < 0.0 or t > 1.0:
        t = _clamped(t)
        s = _clamped((b * t - c) / a)
    return s, t


@inline
def _turn(n, size, d, e, inside, other_inside, bend):
    """Write how the normal turns as links move against each other.

    Not where lines cross: their nearest points move along with them. Where one of the points stays
    at an end, or lines are parallel, along all directions but that of the line.
    """
    dd, ee, b = dot(d, d), dot(e, e), dot(d, e)
    crossed = dd * ee - b * b > CROSSED * dd * ee
    a = 0.0 if size == 0.0 or (inside and other_inside and crossed) else 1.0 / size
    along = a if inside or other_inside else 0.0
    t, tt = (d, dd) if inside else (e, ee)
    for i in range(3):
        for k in range(3):
            one = 1.0 if i == k else 0.0
            bend[3 * i + k] = a * (one - n[i] * n[k]) - along * t[i] * t[k] / tt


@kernel
def measure(
    links, link_radius, link_chain, apart, link_length, chain, chain_begin, chain_radius,
    chain_length, frames, gap, normal, bend, point, who, share,
):  # fmt: skip
    """Gap, normal, its turning, the point between, and the frames that share the force.

    Args:
        links: frames at the ends of each link, (m, 2).
        link_radius: of each, (m,).
        link_chain: that it may touch, (m,).
        apart: from which arc length apart on it may touch its own rod, (m,).
        link_length: arc length of its middle, (m,).
        chain: see ``Contacts``, as all that begins like it.
        chain_begin: where chains begin.
        chain_radius: radii of frames.
        chain_length: arc lengths of frames.
        frames: poses of all frames.
        gap: as in ``measure_kernels.measure``, (m,), written, as are the next three.
        normal: (m, 3).
        bend: (m, 9).
        point: (m, 3).
        who: frames that the force acts on, -1 for none, (m, 4), written.
        share: their part of the force, (m, 4), written.
    """
    for c in range(len(links)):
        i0, i1 = links[c, 0], links[c, 1]
        p0, p1 = _at(frames, i0), _at(frames, i1)
        d = difference(p1, p0)
        middle, half = _between(p0, p1, 0.5), 0.5 * sqrt(dot(d, d))
        best, j, s, t = FAR, -1, 0.0, 0.0
        for k in range(chain_begin[link_chain[c]], chain_begin[link_chain[c] + 1] - 1):
            if apart[c] > 0.0:
                away = 0.5 * (chain_length[k] + chain_length[k + 1]) - link_length[c]
                if abs(away) < apart[c]:
                    continue
            q0, q1 = _at(frames, chain[k]), _at(frames, chain[k + 1])
            e = difference(q1, q0)
            w = difference(_between(q0, q1, 0.5), middle)
            radius = max(chain_radius[k], chain_radius[k + 1])
            far = half + 0.5 * sqrt(dot(e, e)) + best + radius
            if best < FAR and far > 0.0 and dot(w, w) > far * far:
                continue
            a, b = nearest(p0, p1, q0, q1)
            v = difference(_between(p0, p1, a), _between(q0, q1, b))
            phi = sqrt(dot(v, v)) - (1.0 - b) * chain_radius[k] - b * chain_radius[k + 1]
            if phi < best:
                best, j, s, t = phi, k, a, b
        if j < 0:
            gap[c] = FAR
            for i in range(4):
                who[c, i] = -1
            continue
        p = _between(p0, p1, s)
        v = difference(p, _between(_at(frames, chain[j]), _at(frames, chain[j + 1]), t))
        size = sqrt(dot(v, v))
        gap[c] = best - link_radius[c]
        who[c, 0], who[c, 1], who[c, 2], who[c, 3] = i0, i1, chain[j], chain[j + 1]
        share[c, 0], share[c, 1], share[c, 2], share[c, 3] = 1.0 - s, s, t - 1.0, -t
        for i in range(3):
            normal[c, i] = v[i] / size if size > 0.0 else (1.0 if i == 2 else 0.0)
            point[c, i] = p[i] - link_radius[c] * normal[c, i]
        q0, q1 = _at(frames, chain[j]), _at(frames, chain[j + 1])
        _turn(normal[c], size, d, difference(q1, q0), 0.0 < s < 1.0, 0.0 < t < 1.0, bend[c])
