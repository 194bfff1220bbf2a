"""Gaps between links of rods and chains of links: capsules, nearest to nearest.

Links that are nearly parallel touch in their middles: springs draw the nearest points there,

    d² = min |p(s) - q(t)|² + σ (s - ½)² + τ (t - ½)²       [Ericson2005, 5.1.9]

Their σ are constants, so that ∂d/∂p(s) = v / d, v = p(s) - q(t), and d |v|⁻¹ (d - radii) has the
normal for its gradient where it vanishes: what presses along it has a potential.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, difference
from flexura.lie.kernels.vector import dot

# σ, relative to the square of the length of a link: what gaps are too large by is at most an eighth
# of it, times the length over the distance.
MIDDLE = 0.001


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
def nearest(p0, p1, q0, q1, sigma, tau):
    """Parameters of the nearest points of two links, and the square of d."""
    d, e, r = difference(p1, p0), difference(q1, q0), difference(p0, q0)
    b = dot(d, e)
    a, g = dot(d, d) + sigma, dot(e, e) + tau
    c, f = dot(d, r) - 0.5 * sigma, dot(e, r) + 0.5 * tau
    s = _clamped((b * f - c * g) / (a * g - b * b))
    t = (b * s + f) / g
    if t < 0.0 or t > 1.0:
        t = _clamped(t)
        s = _clamped((b * t - c) / a)
    v = difference(_between(p0, p1, s), _between(q0, q1, t))
    return s, t, dot(v, v) + sigma * (s - 0.5) ** 2 + tau * (t - 0.5) ** 2


@kernel
def measure(
    links, link_radius, link_chain, link_soft, apart_from, link_length, chain, chain_begin,
    chain_radius, chain_soft, chain_length, frames, gap, normal, point, who, share, moves, soft,
    apart,
):  # fmt: skip
    """Gap, normal, the point between, and the frames that share the force.

    Args:
        links: frames at the ends of each link, (m, 2).
        link_radius: of each, (m,).
        link_chain: that it may touch, (m,).
        link_soft: σ of each [m²], (m,).
        apart_from: from which arc length apart on it may touch its own rod, (m,).
        link_length: arc length of its middle, (m,).
        chain: see ``Contacts``, as all that begins like it.
        chain_begin: where chains begin.
        chain_radius: of the link that begins at each frame.
        chain_soft: σ likewise.
        chain_length: arc lengths of frames.
        frames: poses of all frames.
        gap: written, as all that follow, (m,).
        normal: towards the link, (m, 3).
        point: between both, (m, 3).
        who: frames that the force acts on, -1 for none, (m, 4).
        share: their part of the force, (m, 4).
        moves: shares that move with s and t, from one frame to another, -1 where they stay at an
            end, (m, 2, 2).
        soft: σ and τ, (m, 2).
        apart: |v|, (m,).
    """
    for c in range(len(links)):
        i0, i1 = links[c, 0], links[c, 1]
        p0, p1 = _at(frames, i0), _at(frames, i1)
        d = difference(p1, p0)
        middle, half = _between(p0, p1, 0.5), 0.5 * sqrt(dot(d, d))
        best, j, s, t, size = FAR, -1, 0.0, 0.0, 0.0
        for k in range(chain_begin[link_chain[c]], chain_begin[link_chain[c] + 1] - 1):
            if apart_from[c] > 0.0:
                away = 0.5 * (chain_length[k] + chain_length[k + 1]) - link_length[c]
                if abs(away) < apart_from[c]:
                    continue
            q0, q1 = _at(frames, chain[k]), _at(frames, chain[k + 1])
            e = difference(q1, q0)
            w = difference(_between(q0, q1, 0.5), middle)
            far = half + 0.5 * sqrt(dot(e, e)) + best + chain_radius[k]
            if best < FAR and (far < 0.0 or dot(w, w) > far * far):
                continue
            a, b, square = nearest(p0, p1, q0, q1, link_soft[c], chain_soft[k])
            phi = sqrt(square) - chain_radius[k]
            if phi < best:
                best, j, s, t, size = phi, k, a, b, sqrt(square)
        if j < 0:
            gap[c] = FAR
            for i in range(4):
                who[c, i] = -1
            continue
        p = _between(p0, p1, s)
        v = difference(p, _between(_at(frames, chain[j]), _at(frames, chain[j + 1]), t))
        apart[c] = sqrt(dot(v, v))
        gap[c] = (best - link_radius[c]) * (size / apart[c] if apart[c] > 0.0 else 1.0)
        who[c, 0], who[c, 1], who[c, 2], who[c, 3] = i0, i1, chain[j], chain[j + 1]
        share[c, 0], share[c, 1], share[c, 2], share[c, 3] = 1.0 - s, s, t - 1.0, -t
        soft[c, 0], soft[c, 1] = link_soft[c], chain_soft[j]
        moves[c, 0, 0] = 0 if 0.0 < s < 1.0 else -1
        moves[c, 1, 0] = 2 if 0.0 < t < 1.0 else -1
        moves[c, 0, 1], moves[c, 1, 1] = 1, 3
        for i in range(3):
            normal[c, i] = v[i] / apart[c] if apart[c] > 0.0 else (1.0 if i == 2 else 0.0)
            point[c, i] = p[i] - link_radius[c] * normal[c, i]
