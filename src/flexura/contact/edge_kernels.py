"""Where an edge is nearest to a solid: edges that cross, sides of cylinders, capsules.

    G = min φ(p + u e) + ½ σ u²,    -1 < u < 1,    so that dG = n · d(p + u e) at constant u

The spring σ draws edges that lie flat on a solid to their middles; those without
count over corners and round sides alone, and leave what is flat to points. Ends of an edge touch by
themselves: where the minimum is there, the edge does not count. φ of what is convex is convex.
Inside of sharp edges its gradient jumps, from n₁ to n₂: that part of both which is across e is the
direction in which two edges go apart soonest, e × (n₁ × n₂), and φ over its size how far they go.
Pieces of rods through the middle of a ball, or of what has no thickness, have none: they do not
count. Edges of bodies are as far inside as can be, so that steps are cut before they get there.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, FLAT, X, difference, projector
from flexura.contact.measure_kernels import distance, roundness
from flexura.lie.kernels.vector import dot, scaled

# Places of an edge from which the search begins; of what is not convex, minima between are missed.
PLACES = 5
# Gradients that differ by this part over an interval that short have a jump there.
JUMP, SHORT = 1e-6, 1e-13
# Over what turns by less than this [rad], edges without a spring lie flat.
CORNER = 1e-3
# Gradients of a jump whose cosine is less are opposite: in the middle no direction is nearest.
OPPOSITE = -1.0 + 1e-9
# Edges that are nearer than this part of their half length meet: for their turning they are that
# far.
MEET = 1e-9


@inline
def _at(p, e, u):
    """p + u e."""
    return p[0] + u * e[0], p[1] + u * e[1], p[2] + u * e[2]


@inline
def bend(e, h):
    """eᵀ H e."""
    return (
        h[0] * e[0] * e[0]
        + h[1] * e[1] * e[1]
        + h[2] * e[2] * e[2]
        + 2.0 * (h[3] * e[0] * e[1] + h[4] * e[0] * e[2] + h[5] * e[1] * e[2])
    )


@inline
def jumped(phi, n, m, e, low, high):
    """φ, n and H of edges that cross, by gradients and slopes on both sides of a jump.

    Also how much further along e the two lines are nearest to each other.
    """
    t = -low / (high - low)
    g = (n[0] + t * (m[0] - n[0]), n[1] + t * (m[1] - n[1]), n[2] + t * (m[2] - n[2]))
    size = sqrt(dot(g, g))
    g = scaled(1.0 / size, g)
    across = difference(m, n)
    tilt = dot(across, g)
    across = difference(across, scaled(tilt, g))
    wide = sqrt(dot(across, across))
    t = scaled(1.0 / wide, across)
    du = tilt * phi / (size * wide * dot(e, t))
    deep = phi / size
    a = -1.0 / max(-deep, MEET * sqrt(dot(e, e)))
    h = projector(0.0, g, a, t, 0.0)
    return deep, g, h, du


@kernel
def along(kind, size, table, first, last, mesh, p, e, soft, far):
    """G, n, H and u of an edge, at points of the frame of the solid; G is FAR where none counts.

    Args:
        kind: see ``distance``, as the next ones.
        size: its measures.
        table: of vessels.
        first: of its pieces, or its tree.
        last: of them.
        mesh: of all meshes.
        p: middle of the edge.
        e: from there to its end.
        soft: σ [m], or 0 for what counts over corners alone.
        far: edges whose middle is farther than this do not count [m].
    """
    phi, n, h = distance(kind, size, table, first, last, mesh, p)
    if phi > far:
        return FAR, X, FLAT, 0.0
    best, at = phi, 0.0
    for i in range(PLACES):
        u = 2.0 * i / (PLACES - 1.0) - 1.0
        value = distance(kind, size, table, first, last, mesh, _at(p, e, u))[0] + 0.5 * soft * u * u
        if value < best:
            best, at = value, u
    step = 2.0 / (PLACES - 1.0)
    low, high = max(at - step, -1.0), min(at + step, 1.0)
    phi, n, h = distance(kind, size, table, first, last, mesh, _at(p, e, low))
    _, m, _ = distance(kind, size, table, first, last, mesh, _at(p, e, high))
    falls, rises = dot(n, e) + soft * low, dot(m, e) + soft * high
    if falls >= 0.0 or rises <= 0.0:
        return FAR, X, FLAT, 0.0
    if soft == 0.0 and rises - falls < CORNER * sqrt(dot(e, e)):
        return FAR, X, FLAT, 0.0
    u = at if low < at < high else 0.5 * (low + high)
    for i in range(200):
        phi, g, h = distance(kind, size, table, first, last, mesh, _at(p, e, u))
        slope = dot(g, e) + soft * u
        if slope >= 0.0:
            high, m, rises = u, g, slope
        if slope <= 0.0:
            low, n, falls = u, g, slope
        if high - low < SHORT:
            break
        curve = bend(e, h) + soft
        step = -slope / curve if curve > 0.0 else high - low
        if i % 4 == 3 or not low < u + step < high:
            step = 0.5 * (low + high) - u
        if abs(step) < 1e-16:
            break
        u += step
    if high - low < SHORT and rises - falls > JUMP * sqrt(dot(e, e)):
        if soft == 0.0 and dot(n, m) < OPPOSITE:
            return FAR, X, FLAT, 0.0
        r = roundness(kind, size)
        phi, g, h, du = jumped(phi + r + 0.5 * soft * u * u, n, m, e, falls, rises)
        return phi - r, g, h, min(max(u + du, -1.0), 1.0)
    return phi + 0.5 * soft * u * u, g, h, u
