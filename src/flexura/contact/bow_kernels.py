"""Bows: pieces of rods from one frame to the next, as contacts see them.

The cubic of Hermite through both origins along both tangents, L what the rod has between them,

    c(u) = h₀ p₀ + L k₀ t₀ + h₁ p₁ + L k₁ t₁ = Σ hᵢ (pᵢ + Rᵢ oᵢ),    0 ≤ u ≤ 1,
    h₁ = u² (3 - 2 u) = 1 - h₀,    o₀ = L u / (1 + 2 u) x,    o₁ = -L (1 - u) / (3 - 2 u) x,

so that frames have shares hᵢ of a force at c, with the arms of oᵢ. Where a bow ends the next one
begins, along the same tangent: what touches goes from one to the other without a jump.

    G = min φ(c(u)) - ½ σ u (1 - u),    0 < u < 1,    so that dG = n · dc at constant u

is where a bow touches; where that falls to one of its ends the next one does, or the end of the
rod. The spring σ draws bows that lie flat to their middles, so that they stay while rods that wind
about something bend as that does. It is the same along a rod, however long bows are: beside an end
both count, one not before the other is as near. What is soft is shorter between its frames than L,
bends more at both than in the middle between them, and may be nearest at two places: each counts.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import BOX, FAR, FLAT, X, cubic, difference
from flexura.contact.edge_kernels import JUMP, OPPOSITE, PLACES, SHORT, bend, jumped
from flexura.contact.measure_kernels import distance, roundness
from flexura.lie.kernels.vector import dot, rotate, rotate_back

# A bow is no further from the box about both of its ends than this part of its length: there are
# the inner points of Bézier.
AHEAD = 1.0 / 3.0
# Normals of boxes whose cosine is more are those of one side, which is for points.
EVEN = 1.0 - 5e-7
# Places at which a bow may be nearest.
WELLS = 2
# Edges that a bow may be over are looked for along its chord, made longer by this.
WIDE = 1.3


@inline
def shares(u):
    """h₀ and h₁."""
    second = u * u * (3.0 - 2.0 * u)
    return 1.0 - second, second


@inline
def levers(u):
    """x of o₀ and o₁, relative to L."""
    return u / (1.0 + 2.0 * u), (u - 1.0) / (3.0 - 2.0 * u)


@inline
def changes(u):
    """How h₁ changes with u, and x of o₀ and o₁."""
    return 6.0 * u * (1.0 - u), 1.0 / (1.0 + 2.0 * u) ** 2, 1.0 / (3.0 - 2.0 * u) ** 2


@inline
def bow(g0, g1, length):
    """Coefficients of c by powers of u, three of each."""
    x = (length, 0.0, 0.0)
    a, b = rotate(g0, x), rotate(g1, x)
    d = (g1[0, 3] - g0[0, 3], g1[1, 3] - g0[1, 3], g1[2, 3] - g0[2, 3])
    return (
        g0[0, 3], g0[1, 3], g0[2, 3], a[0], a[1], a[2],
        3.0 * d[0] - 2.0 * a[0] - b[0],
        3.0 * d[1] - 2.0 * a[1] - b[1],
        3.0 * d[2] - 2.0 * a[2] - b[2],
        a[0] + b[0] - 2.0 * d[0], a[1] + b[1] - 2.0 * d[1], a[2] + b[2] - 2.0 * d[2],
    )  # fmt: skip


@inline
def seen_from(T, c):
    """A cubic in the axes of a pose."""
    p = rotate_back(T, (c[0] - T[0, 3], c[1] - T[1, 3], c[2] - T[2, 3]))
    q, r = rotate_back(T, (c[3], c[4], c[5])), rotate_back(T, (c[6], c[7], c[8]))
    s = rotate_back(T, (c[9], c[10], c[11]))
    return p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2], s[0], s[1], s[2]


@kernel
def along_bow(kind, size, table, first, last, mesh, c, soft, begin):
    """G, n, H and u where a bow is nearest to a solid, in its frame; G is FAR where none counts.

    Also the place from which to look for the next.

    Args:
        kind: see ``distance``, as the next ones.
        size: its measures.
        table: of vessels.
        first: of its pieces, or its tree.
        last: of them.
        mesh: of all meshes.
        c: the bow.
        soft: σ [m].
        begin: the place of ``PLACES`` from which to look.
    """
    low = begin / (PLACES - 1.0)
    x, e, _ = cubic(c, low)
    _, n, _ = distance(kind, size, table, first, last, mesh, x)
    falls = dot(n, e) + soft * (low - 0.5)
    for i in range(begin + 1, PLACES):
        high = i / (PLACES - 1.0)
        x, e, _ = cubic(c, high)
        _, m, _ = distance(kind, size, table, first, last, mesh, x)
        rises = dot(m, e) + soft * (high - 0.5)
        turns = falls < 0.0 and (rises > 0.0 or (rises == 0.0 and high < 1.0))
        if turns and not (kind == BOX and dot(n, m) > EVEN):
            phi, g, h, u = _between(
                kind, size, table, first, last, mesh, c, soft, low, high, n, m, falls, rises
            )
            if phi < FAR:
                return phi, g, h, u, i
        low, n, falls = high, m, rises
    return FAR, X, FLAT, 0.0, PLACES


@kernel
def _between(
    kind, size, table, first, last, mesh, c, soft, low, high, n, m, falls, rises
):  # fmt: skip
    """G, n, H and u between two places, by the gradients and slopes there."""
    u = 0.5 * (low + high)
    phi, g, h, e = FAR, n, FLAT, m
    for i in range(200):
        x, e, bent = cubic(c, u)
        phi, g, h = distance(kind, size, table, first, last, mesh, x)
        slope = dot(g, e) + soft * (u - 0.5)
        if slope >= 0.0:
            high, m, rises = u, g, slope
        if slope <= 0.0:
            low, n, falls = u, g, slope
        if high - low < SHORT:
            break
        curve = bend(e, h) + dot(g, bent) + soft
        step = -slope / curve if curve > 0.0 else high - low
        if i % 4 == 3 or not low < u + step < high:
            step = 0.5 * (low + high) - u
        if abs(step) < 1e-16:
            break
        u += step
    if high - low < SHORT and rises - falls > JUMP * sqrt(dot(e, e)):
        if dot(n, m) < OPPOSITE:
            return FAR, X, FLAT, 0.0
        r = roundness(kind, size)
        phi, g, h, du = jumped(phi + r - 0.5 * soft * u * (1.0 - u), n, m, e, falls, rises)
        return phi - r, g, h, min(max(u + du, 0.0), 1.0)
    return phi - 0.5 * soft * u * (1.0 - u), g, h, u


@inline
def _over(c, u, q, f):
    """Half the slope of the square of the distance from an edge, and how that changes."""
    x, e, bent = cubic(c, u)
    w, a = difference(x, q), dot(f, f)
    v = min(max(dot(w, f) / a, 0.0), 1.0)
    way = (w[0] - v * f[0], w[1] - v * f[1], w[2] - v * f[2])
    part = dot(e, f) if 0.0 < v < 1.0 else 0.0
    return dot(way, e), dot(e, e) - part * part / a + dot(way, bent)


@inline
def over_edge(c, q, f):
    """Where a bow is nearest to the edge from q to q + f; 2 where it is at one of its ends."""
    low, high = 0.0, 1.0
    falls, rises = _over(c, low, q, f)[0], _over(c, high, q, f)[0]
    if falls >= 0.0 or rises <= 0.0:
        return 2.0
    u = falls / (falls - rises)
    for _ in range(100):
        slope, curve = _over(c, u, q, f)
        if slope >= 0.0:
            high = u
        if slope <= 0.0:
            low = u
        step = -slope / curve if curve > 0.0 else high - low
        if not low < u + step < high:
            step = 0.5 * (low + high) - u
        if abs(step) < 1e-16 or high - low < SHORT:
            break
        u += step
    return u
