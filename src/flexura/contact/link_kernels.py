"""Gaps between links of rods and chains of links: capsules, nearest to nearest.

Links that are nearly parallel touch in their middles: springs draw the nearest points there,

    d² = min |p(s) - q(t)|² + σ (s - ½)² + τ (t - ½)²       [Ericson2005, 5.1.9]

Their σ are constants, so that ∂d/∂p(s) = v / d, v = p(s) - q(t), and d |v|⁻¹ (d - radii) has the
normal for its gradient where it vanishes: what presses along it has a potential.

A link has several pairs with a chain: one for each place of the chain that is nearer than those
before and after it, as strands that cross it are.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, difference, origin, set_far
from flexura.contact.mesh_kernels import to_box
from flexura.lie.kernels.vector import dot

# σ, relative to the square of the length of a link, or of so many times both radii if these are
# shorter: gaps are too large by at most a quarter of it over the distance, 0.6 % of both radii.
MIDDLE, LONG = 0.001, 5.0
# Pairs of a link and a chain: so many strands may cross it.
SLOTS = 3
# A link beside a place of a chain is a place, too, if it is as near but for this part of the radii:
# which of them is the nearer one may change from one step of an iteration to the next.
ALIKE = 2e-3
# Links of a chain in a pack.
PACK = 16
# Links whose middles nearly meet are as deep in each other as their radii, times this at most.
STEEPEST = 2.0


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
def wrap(chain, chain_begin, chain_radius, packs, frames, box):
    """Write the boxes about packs of the links of all chains, with their thickness.

    Args:
        chain: see ``Contacts``, as the next ones.
        chain_begin: where chains begin.
        chain_radius: of the link that begins at each frame.
        packs: first pack of each chain.
        frames: poses of all frames.
        box: lower and upper corners, written, (n, 6).
    """
    for f in range(len(chain_begin) - 1):
        first = chain_begin[f]
        for k in range(first, chain_begin[f + 1] - 1):
            at, fresh = packs[f] + (k - first) // PACK, (k - first) % PACK == 0
            p, q, r = origin(frames, chain[k]), origin(frames, chain[k + 1]), chain_radius[k]
            for i in range(3):
                low, high = min(p[i], q[i]) - r, max(p[i], q[i]) + r
                box[at, i] = low if fresh else min(box[at, i], low)
                box[at, 3 + i] = high if fresh else max(box[at, 3 + i], high)


@inline
def _offer(phi, k, near, found, held):
    """Keep a place of a chain among the nearest ones; how many there are."""
    if found > 0 and phi >= near and phi >= held[0, 0]:
        return found
    at = min(found, SLOTS - 1)
    if found == SLOTS and phi >= held[at, 0]:
        return found
    while at > 0 and held[at - 1, 0] > phi:
        held[at, 0], held[at, 1] = held[at - 1, 0], held[at - 1, 1]
        at -= 1
    held[at, 0], held[at, 1] = phi, k
    return min(found + 1, SLOTS)


@inline
def _skipped(c, k, links, chains):
    """Whether a link of a chain is too near along the rod to the link of a pair, or behind it."""
    ahead = 0.5 * (chains.length[k] + chains.length[k + 1]) - links.length[c]
    return links.apart[c] > 0.0 and ahead < links.apart[c]


@inline
def _distance(c, k, p0, p1, links, chains, frames):
    """How far the link of a pair is from the surface of a link of its chain, and where on it."""
    q0, q1 = origin(frames, chains.frame[k]), origin(frames, chains.frame[k + 1])
    _, t, square = nearest(p0, p1, q0, q1, links.soft[c], chains.soft[k])
    return sqrt(square) - chains.radius[k], t


@inline
def _is_held(k, found, held):
    """Whether a link of a chain is among the places that are kept."""
    known = False
    for i in range(found):
        known |= int(held[i, 1]) == k
    return known


@inline
def _add_alike(c, p0, p1, links, near, chains, frames, found, held):
    """Keep also the links beside the places of a chain that are as near; how many there are.

    Not where both are nearest at the end that they share, nor in place of another strand.
    """
    f, places = links.chain[c], found
    for i in range(places - 1, -1, -1):  # what is added is behind them
        if held[i, 0] >= near:
            continue
        j = int(held[i, 1])
        phi, t = _distance(c, j, p0, p1, links, chains, frames)
        for k in (j - 1, j + 1):
            if k < chains.begin[f] or k >= chains.begin[f + 1] - 1 or found == SLOTS:
                continue
            if _skipped(c, k, links, chains) or _is_held(k, found, held):
                continue
            beside, u = _distance(c, k, p0, p1, links, chains, frames)
            if (k > j and t == 1.0 and u == 0.0) or (k < j and t == 0.0 and u == 1.0):
                continue
            if beside - phi < ALIKE * (links.radius[c] + chains.radius[k]):
                found = _offer(beside, k, near, found, held)
    return found


@inline
def _search(c, p0, p1, links, near, chains, packs, box, frames, held):
    """Keep the places of its chain that a link is nearest to, least first; how many there are.

    Those beside the nearest count if they are nearer than ``near``. What is skipped is not.
    """
    d, middle = difference(p1, p0), _between(p0, p1, 0.5)
    half, f = 0.5 * sqrt(dot(d, d)), links.chain[c]
    first, last = chains.begin[f], chains.begin[f + 1] - 1
    found, before, falls = 0, FAR, False
    for begin in range(first, last, PACK):
        limit = near if found == 0 else max(near, held[0, 0])
        away = sqrt(to_box(middle, box[packs[f] + (begin - first) // PACK])) - half
        if found > 0 and away >= limit:
            if falls:
                found = _offer(before, begin - 1, near, found, held)
            before, falls = FAR, False
            continue
        for k in range(begin, min(begin + PACK, last)):
            if _skipped(c, k, links, chains):
                continue
            phi, _ = _distance(c, k, p0, p1, links, chains, frames)
            if falls and phi > before:
                found = _offer(before, k - 1, near, found, held)
            falls = phi <= before
            before = phi
    if falls:
        found = _offer(before, last - 1, near, found, held)
    while found > 1 and held[found - 1, 0] >= near:
        found -= 1
    return found


@inline
def _ascending(held, found):
    """Sort places by where they are, so that each keeps its slot as long as the others do."""
    for i in range(1, found):
        j = i
        while j > 0 and held[j - 1, 1] > held[j, 1]:
            for m in range(2):
                held[j, m], held[j - 1, m] = held[j - 1, m], held[j, m]
            j -= 1


@kernel
def measure(links, chains, packs, box, frames, held, gap, normal, point, seen):
    """Gap, normal, the point between, and the frames that share the force.

    Args:
        links: see ``Links``, of each pair, (m,).
        chains: see ``Chains``.
        packs: first pack of each chain.
        box: see ``wrap``.
        frames: poses of all frames.
        held: to write in, (SLOTS, 2).
        gap: written, as all that follow, (m,).
        normal: towards the link, (m, 3).
        point: between both, (m, 3).
        seen: ``who``, frames that the force acts on, -1 for none, (m, 4); ``share``, their part of
            the force, (m, 4); ``moves``, shares that move with s and t, from one frame to another,
            -1 where they stay at an end, (m, 2, 2); ``soft``, σ and τ, (m, 2); ``apart``, |v|.
    """
    for first in range(0, len(links.radius), SLOTS):
        i0, i1 = links.ends[first, 0], links.ends[first, 1]
        p0, p1, r = origin(frames, i0), origin(frames, i1), links.radius[first]
        near = 2.0 * r + chains.radius[chains.begin[links.chain[first]]]
        found = _search(first, p0, p1, links, near, chains, packs, box, frames, held)
        found = _add_alike(first, p0, p1, links, near, chains, frames, found, held)
        _ascending(held, found)
        for slot in range(SLOTS):
            c = first + slot
            if slot >= found:
                set_far(c, gap, normal)
                for i in range(4):
                    seen.who[c, i] = -1
                continue
            j = int(held[slot, 1])
            k0, k1 = chains.frame[j], chains.frame[j + 1]
            q0, q1 = origin(frames, k0), origin(frames, k1)
            s, t, square = nearest(p0, p1, q0, q1, links.soft[c], chains.soft[j])
            p, size = _between(p0, p1, s), sqrt(square)
            v = difference(p, _between(q0, q1, t))
            apart = sqrt(dot(v, v))
            steep = size / apart if size < STEEPEST * apart else STEEPEST
            gap[c] = (size - chains.radius[j] - r) * steep
            seen.apart[c] = apart
            seen.who[c, 0], seen.who[c, 1], seen.who[c, 2], seen.who[c, 3] = i0, i1, k0, k1
            seen.share[c, 0], seen.share[c, 1] = 1.0 - s, s
            seen.share[c, 2], seen.share[c, 3] = t - 1.0, -t
            seen.soft[c, 0], seen.soft[c, 1] = links.soft[c], chains.soft[j]
            seen.moves[c, 0, 0] = 0 if 0.0 < s < 1.0 else -1
            seen.moves[c, 1, 0] = 2 if 0.0 < t < 1.0 else -1
            seen.moves[c, 0, 1], seen.moves[c, 1, 1] = 1, 3
            for i in range(3):
                normal[c, i] = v[i] / apart if apart > 0.0 else (1.0 if i == 2 else 0.0)
                point[c, i] = p[i] - r * normal[c, i]
