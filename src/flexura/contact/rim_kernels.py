"""Where a circle is nearest to a solid: rims of cylinders, and with them their sides.

    G = min φ(c + x),    x across the axis a, |x| = ρ,    so that dG = n · d(c + x) at constant x

On a plane x = -ρ (n - a (a · n)) / |n - a (a · n)|. A rim counts where it is ahead of its disc,
n · x < 0: else the flat end is nearer. Where that lies flat all places of the rim are equally near,
and points around it touch by themselves.
"""

from math import cos, sin, sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, FLAT, PLANE, X, difference
from flexura.contact.edge_kernels import bend
from flexura.contact.measure_kernels import distance
from flexura.lie.kernels.vector import cross, dot, scaled

# Rims whose disc lies flatter than this [rad] do not count.
FLATTEST = 1e-3
# Places of a rim from which the search begins; of what is not convex, minima between are missed.
PLACES = 8
# They are a quarter of π apart.
NEXT = 0.7853981633974483


@inline
def support(n, rim):
    """x, and how far it is ahead of the disc, -n · x, by the normal and the axis times ρ.

    Zero where the disc lies flat.
    """
    square = dot(rim, rim)
    part = dot(n, rim) / square
    across = difference(n, scaled(part, rim))
    size = sqrt(dot(across, across))
    if size < FLATTEST:
        return (0.0, 0.0, 0.0), 0.0
    rho = sqrt(square)
    return scaled(-rho / size, across), rho * size


@inline
def _first(n, rim, rho):
    """Where the search begins: ahead, as seen from the centre, or anywhere."""
    x, ahead = support(n, rim)
    if ahead > 0.0:
        return x
    x = cross(rim, X if abs(rim[0]) < 0.9 * rho else (0.0, 1.0, 0.0))
    return scaled(rho / sqrt(dot(x, x)), x)


@inline
def _place(p, x, y, u):
    """x cos u + y sin u, and that from p."""
    c, s = cos(u), sin(u)
    w = (c * x[0] + s * y[0], c * x[1] + s * y[1], c * x[2] + s * y[2])
    return w, (p[0] + w[0], p[1] + w[1], p[2] + w[2])


@kernel
def around(kind, size, table, first, last, mesh, p, rim, far):
    """G, n, H, x and -n · x, at points of the frame of the solid; G is FAR where it does not count.

    Args:
        kind: see ``distance``, as the next ones.
        size: its measures.
        table: of vessels.
        first: of its pieces, or its tree.
        last: of them.
        mesh: of all meshes.
        p: centre of the circle.
        rim: its axis times ρ.
        far: circles whose centre is farther than this do not count [m].
    """
    phi, n, h = distance(kind, size, table, first, last, mesh, p)
    if phi > far:
        return FAR, X, FLAT, X, 0.0
    if kind == PLANE:
        x, ahead = support(n, rim)
        return (phi - ahead if ahead > 0.0 else FAR), n, h, x, ahead
    rho = sqrt(dot(rim, rim))
    x = _first(n, rim, rho)
    y = scaled(1.0 / rho, cross(rim, x))
    best, u = FAR, 0.0
    for i in range(PLACES):
        value = distance(kind, size, table, first, last, mesh, _place(p, x, y, NEXT * i)[1])[0]
        if value < best:
            best, u = value, NEXT * i
    low, high = u - NEXT, u + NEXT
    w, at = _place(p, x, y, u)
    phi, n, h = distance(kind, size, table, first, last, mesh, at)
    for i in range(100):
        along = scaled(1.0 / rho, cross(rim, w))
        slope, curve = dot(n, along), bend(along, h) - dot(n, w)
        if slope >= 0.0:
            high = u
        if slope <= 0.0:
            low = u
        if abs(slope) <= 1e-16 * rho or high - low < 1e-15:
            break
        step = -slope / curve if curve > 0.0 else high - low
        if abs(step) < 1e-15:
            break
        if i % 8 == 7 or not low <= u + step <= high:
            step = 0.5 * (low + high) - u
        u += step
        w, at = _place(p, x, y, u)
        phi, n, h = distance(kind, size, table, first, last, mesh, at)
    ahead = -dot(n, w)
    return (phi if ahead >= FLATTEST * rho else FAR), n, h, w, ahead
