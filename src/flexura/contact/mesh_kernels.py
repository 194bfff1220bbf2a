"""Distance from closed surfaces of triangles, by a tree of boxes about them."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, FLAT, X, difference, projector
from flexura.lie.kernels.vector import dot, scaled

# A tree of 2^40 leaves.
DEEPEST = 40
# Nearer than this part of the size of its triangle, a point is on it: n is that of the surface.
ON = 1e-9
# Sides and corners whose normal is that of their triangle, but for this angle, are in the middle of
# a flat face, or where one begins.
EVEN = 1e-6


@inline
def _row(x, i):
    """Row i of an array as a vector."""
    return x[i, 0], x[i, 1], x[i, 2]


@inline
def in_triangle(p, a, e, g):
    """Nearest point a + u e + v g of a triangle, and its feature [Ericson2005, 5.1.5].

    Returns u, v and 0 to 2 for the corners a, a + e, a + g, 3 to 5 for the sides e, g and the one
    across, 6 for the inside.
    """
    w = difference(p, a)
    d1, d2 = dot(e, w), dot(g, w)
    if d1 <= 0.0 and d2 <= 0.0:
        return 0.0, 0.0, 0
    w = difference(w, e)
    d3, d4 = dot(e, w), dot(g, w)
    if d3 >= 0.0 and d4 <= d3:
        return 1.0, 0.0, 1
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return d1 / (d1 - d3), 0.0, 3
    w = difference(difference(p, a), g)
    d5, d6 = dot(e, w), dot(g, w)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 1.0, 2
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return 0.0, d2 / (d2 - d6), 4
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        v = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 1.0 - v, v, 5
    total = va + vb + vc
    return vb / total, vc / total, 6


@inline
def from_triangle(p, a, b, c):
    """What leads from the nearest point of a triangle to p, and u, v and its feature."""
    e, g = difference(b, a), difference(c, a)
    u, v, feature = in_triangle(p, a, e, g)
    return difference(difference(difference(p, a), scaled(u, e)), scaled(v, g)), u, v, feature


@inline
def to_box(p, box):
    """Square of the distance from a box (lower, upper corner)."""
    total = 0.0
    for i in range(3):
        out = max(box[i] - p[i], p[i] - box[3 + i], 0.0)
        total += out * out
    return total


@kernel
def nearest(p, mesh, root):
    """The triangle nearest to a point, its feature, and what leads from there to the point."""
    _, boxes, children, corners, _, stack = mesh
    best, found, feature, way = FAR, -1, 6, (0.0, 0.0, 0.0)
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if to_box(p, boxes[node]) >= best:
            continue
        left, right = children[node, 0], children[node, 1]
        if right < 0:
            w, _, _, kind = from_triangle(
                p, _row(corners, 3 * left), _row(corners, 3 * left + 1), _row(corners, 3 * left + 2)
            )
            d = dot(w, w)
            if d < best:
                best, found, feature, way = d, left, kind, w
            continue
        if to_box(p, boxes[left]) < to_box(p, boxes[right]):
            left, right = right, left
        stack[top], stack[top + 1] = left, right
        top += 2
    return found, feature, way


@kernel
def from_mesh(p, mesh, root):
    """φ, n and H; inside is where the mean normal of the nearest feature points away."""
    normals, _, _, corners, _, _ = mesh
    t, feature, v = nearest(p, mesh, root)
    outward = _row(normals, 7 * t + feature)
    d = sqrt(dot(v, v))
    e, g = difference(_row(corners, 3 * t + 1), _row(corners, 3 * t)), X
    if d <= ON * sqrt(dot(e, e)):
        return 0.0, outward, FLAT
    side = 1.0 if dot(v, outward) >= 0.0 else -1.0
    n = scaled(side / d, v)
    tilt = difference(n, _row(normals, 7 * t + 6))
    if feature == 6 or dot(tilt, tilt) < EVEN * EVEN:
        return side * d, n, FLAT
    if feature < 3:
        return side * d, n, projector(side / d, n, 0.0, n, 0.0)
    a, b = (0, 1) if feature == 3 else (0, 2) if feature == 4 else (1, 2)
    g = difference(_row(corners, 3 * t + b), _row(corners, 3 * t + a))
    g = scaled(1.0 / sqrt(dot(g, g)), g)
    return side * d, n, projector(side / d, n, -side / d, g, 0.0)
