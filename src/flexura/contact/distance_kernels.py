"""Distance of a point from a solid: φ, its gradient n and its second derivative H.

φ is negative inside. H is symmetric, (xx, yy, zz, xy, xz, yz); all in the frame of the solid, whose
axis is x. Where the nearest point is not unique, one of them counts.
"""

from math import hypot, sqrt

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import dot, scaled, vec

PLANE, SPHERE, BOX, CYLINDER, CAPSULE, VESSEL, MESH, RIDGES = range(8)
X = (1.0, 0.0, 0.0)
FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
# Farther than anything: open ends of vessels have no wall.
FAR = 1e30
# Edges of boxes and rims of cylinders are rounded, by this part of the thickness: on a sharp edge,
# nothing says where is up, and what lies there tips from one face to the other.
ROUND = 0.01


@inline
def difference(u, v):
    """u - v."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


@inline
def origin(frames, k):
    """Where a frame is."""
    return frames[k, 0, 3], frames[k, 1, 3], frames[k, 2, 3]


@inline
def set_far(c, gap, normal):
    """Write that a pair is far apart: it has no normal then, whatever it had before."""
    gap[c] = FAR
    for i in range(3):
        normal[c, i] = 0.0


@inline
def projector(a, n, b, t, c):
    """a (1 - n nᵀ) + b t tᵀ + c 1, symmetric."""
    return (
        a * (1.0 - n[0] * n[0]) + b * t[0] * t[0] + c,
        a * (1.0 - n[1] * n[1]) + b * t[1] * t[1] + c,
        a * (1.0 - n[2] * n[2]) + b * t[2] * t[2] + c,
        -a * n[0] * n[1] + b * t[0] * t[1],
        -a * n[0] * n[2] + b * t[0] * t[2],
        -a * n[1] * n[2] + b * t[1] * t[2],
    )


@inline
def from_point(v, d):
    """n and H of the distance d from a point, by the vector v from it."""
    if d == 0.0:
        return X, FLAT
    n = scaled(1.0 / d, v)
    return n, projector(1.0 / d, n, 0.0, n, 0.0)


@inline
def round_edge(x, y, z):
    """Radius of edges, by half sizes."""
    return 2.0 * ROUND * min(x, y, z)


@inline
def from_box(p, x, y, z):
    """From a box of half sizes x, y, z, with round edges."""
    r = round_edge(x, y, z)
    d, n, h = _from_sharp_box(p, x - r, y - r, z - r)
    return d - r, n, h


@inline
def from_cylinder(p, radius, half):
    """From a cylinder of half its length, with round rims."""
    r = round_edge(radius, half, half)
    d, n, h = _from_sharp_cylinder(p, radius - r, half - r)
    return d - r, n, h


@inline
def _from_sharp_box(p, x, y, z):
    """From a box of half sizes x, y, z."""
    sx, sy, sz = 1.0 if p[0] >= 0 else -1.0, 1.0 if p[1] >= 0 else -1.0, 1.0 if p[2] >= 0 else -1.0
    q = (abs(p[0]) - x, abs(p[1]) - y, abs(p[2]) - z)
    if q[0] <= 0.0 and q[1] <= 0.0 and q[2] <= 0.0:
        if q[0] >= q[1] and q[0] >= q[2]:
            return q[0], (sx, 0.0, 0.0), FLAT
        if q[1] >= q[2]:
            return q[1], (0.0, sy, 0.0), FLAT
        return q[2], (0.0, 0.0, sz), FLAT
    v = (sx * max(q[0], 0.0), sy * max(q[1], 0.0), sz * max(q[2], 0.0))
    d = sqrt(dot(v, v))
    n = scaled(1.0 / d, v)
    h = projector(1.0 / d, n, 0.0, n, 0.0)
    ox = 0.0 if q[0] > 0.0 else 1.0 / d
    oy = 0.0 if q[1] > 0.0 else 1.0 / d
    oz = 0.0 if q[2] > 0.0 else 1.0 / d
    return d, n, (h[0] - ox, h[1] - oy, h[2] - oz, h[3], h[4], h[5])


@inline
def _from_sharp_cylinder(p, radius, half):
    """From a cylinder of half its length."""
    rho, sx = hypot(p[1], p[2]), 1.0 if p[0] >= 0 else -1.0
    r = (0.0, 1.0, 0.0) if rho == 0.0 else (0.0, p[1] / rho, p[2] / rho)
    t = (0.0, -r[2], r[1])
    along, out = abs(p[0]) - half, rho - radius
    if out <= 0.0 and (along > 0.0 or along > out):  # beyond or nearest to a flat end
        return along, (sx, 0.0, 0.0), FLAT
    if along <= 0.0:
        b = 0.0 if rho == 0.0 else 1.0 / rho
        return out, r, projector(0.0, r, b, t, 0.0)
    d = hypot(along, out)
    n = (sx * along / d, r[1] * out / d, r[2] * out / d)
    m = (-sx * out / d, r[1] * along / d, r[2] * along / d)
    a, b = projector(0.0, n, 1.0 / d, m, 0.0), projector(0.0, n, out / (d * rho), t, 0.0)
    return d, n, (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@inline
def from_capsule(p, radius, half):
    """From a capsule of half the length of its line."""
    x = min(max(p[0], -half), half)
    v = (p[0] - x, p[1], p[2])
    d = sqrt(dot(v, v))
    if d == 0.0:
        return -radius, (0.0, 1.0, 0.0), FLAT
    n, h = from_point(v, d)
    if -half < p[0] < half:
        h = (h[0] - 1.0 / d, h[1], h[2], h[3], h[4], h[5])
    return d - radius, n, h


@inline
def cubic(c, u):
    """Point, first and second derivative of a cubic, coefficients by powers, at u."""
    x = (
        c[0] + u * (c[3] + u * (c[6] + u * c[9])),
        c[1] + u * (c[4] + u * (c[7] + u * c[10])),
        c[2] + u * (c[5] + u * (c[8] + u * c[11])),
    )
    dx = (
        c[3] + u * (2.0 * c[6] + 3.0 * u * c[9]),
        c[4] + u * (2.0 * c[7] + 3.0 * u * c[10]),
        c[5] + u * (2.0 * c[8] + 3.0 * u * c[11]),
    )
    ddx = (2.0 * c[6] + 6.0 * u * c[9], 2.0 * c[7] + 6.0 * u * c[10], 2.0 * c[8] + 6.0 * u * c[11])
    return x, dx, ddx


@inline
def _from_chord(p, c):
    """Distance of a point from the chord of a cubic, and the part of it before the nearest."""
    e, v = vec(c, 12), difference(p, vec(c, 0))
    u = min(max(dot(v, e) / dot(e, e), 0.0), 1.0)
    w = difference(v, scaled(u, e))
    return sqrt(dot(w, w)), u


@inline
def _slope(p, c, u):
    """First and second derivative of half the square of the distance from a cubic at u."""
    x, dx, ddx = cubic(c, u)
    v = difference(p, x)
    return -dot(v, dx), dot(dx, dx) - dot(v, ddx)


@inline
def _nearest_on(p, c, u):
    """Parameter of the nearest point of a cubic: by Newton's method from u, or halves."""
    low, high = 0.0, 1.0
    if _slope(p, c, low)[0] >= 0.0:
        return low
    if _slope(p, c, high)[0] <= 0.0:
        return high
    while high - low > 1e-15:
        slope, bend = _slope(p, c, u)
        if slope > 0.0:
            high = u
        else:
            low = u
        step = -slope / bend if bend > 0.0 else 1.0
        if abs(step) < 1e-15:
            break
        if not low < u + step < high:
            step = 0.5 * (low + high) - u
        u += step
    return u


@kernel
def _nearest(p, table, first, last):
    """Piece and parameter of the nearest point of a curve of cubics, each of which hardly bends.

    A cubic is no further from its chord than max |x''| / 8, which ends its row.
    """
    best, start = FAR, first
    for k in range(first, last):
        d = _from_chord(p, table[k])[0] + table[k, 15]
        if d < best:
            best, start = d, k
    best, where, at = FAR, first, 0.0
    for i in range(first - 1, last):
        k = start if i < first else i
        d, u = _from_chord(p, table[k])
        if d - table[k, 15] >= best:
            continue
        u = _nearest_on(p, table[k], u)
        w = difference(p, cubic(table[k], u)[0])
        d = sqrt(dot(w, w))
        if d < best:
            best, where, at = d, k, u
    return where, at


@kernel
def from_vessel(p, radius, table, first, last):
    """From the wall of a tube about a curve, inside; nothing is beyond its ends."""
    k, u = _nearest(p, table, first, last)
    slope = _slope(p, table[k], u)[0]
    if (k == first and u == 0.0 and slope > 0.0) or (k == last - 1 and u == 1.0 and slope < 0.0):
        return FAR, X, FLAT
    x, dx, ddx = cubic(table[k], u)
    v = difference(p, x)
    d, speed = sqrt(dot(v, v)), dot(dx, dx)
    t = scaled(1.0 / sqrt(speed), dx)
    if d < 1e-12 * radius:  # in the middle: far from the wall
        n = (t[1], -t[0], 0.0) if abs(t[2]) < 0.9 else (0.0, t[2], -t[1])
        return radius, scaled(1.0 / sqrt(dot(n, n)), n), FLAT
    e = scaled(1.0 / d, v)
    bent = dot(ddx, e) / speed  # curvature towards the point
    h = projector(-1.0 / d, e, 1.0 / d + bent / (1.0 - d * bent), t, 0.0)
    return radius - d, scaled(-1.0, e), h
