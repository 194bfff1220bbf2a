"""Where pieces of rods cross sharp edges of meshes, line to line, or to the end of an edge.

    φ = n · (p + u e - q - v f),    -1 < u < 1,  0 ≤ v ≤ 1,    n along e × f, out of the mesh

so that n moves as the lines turn, whether they are apart or the piece has gone through the edge.
At an end of the edge n leads from there to the piece. What is nearest at an end of the piece is for
the next one, and for points.

A piece has a pair for each slot, with the nearest of the edges of this slot: edges beside each
other have different ones (``Ridges``), so that pairs stay with their edges where others come near.
Edges count a little beyond where both of their sides descend from the piece, too: there its points
are nearer to a side than it is to the edge, and what edges bore has gone before they are left out.
"""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.contact.distance_kernels import FAR, difference, projector
from flexura.contact.edge_kernels import MEET
from flexura.contact.mesh_kernels import from_mesh
from flexura.lie.kernels.vector import cross, dot, scaled, vec

# Pairs of a piece and the edges of a mesh.
SLOTS = 3
# Lines that are as near at the ends of a piece as in between, but for this angle [rad] over their
# distance, are parallel, and for points.
PARALLEL = 0.01
# Sines of the angles by which a side may rise from its edge towards a piece.
BEYOND = 0.25
# Edges that rise over the places of a rod by less than this part of its radius are left to points:
# these are no further apart than two pieces are long.
SLIGHT = 0.01


@inline
def _closest(p, e, q, f):
    """u and v of the nearest points of a line and an edge, and sin² of the angle between."""
    w = difference(p, q)
    a, b, g, we, wf = dot(e, e), dot(e, f), dot(f, f), dot(w, e), dot(w, f)
    det = a * g - b * b
    if det <= 0.0:
        return 2.0, 0.0, 0.0
    v = min(max((a * wf - b * we) / det, 0.0), 1.0)
    return (b * v - we) / a, v, det / (a * g)


@inline
def _way(p, u, e, q, v, f):
    """p + u e - q - v f."""
    return (
        p[0] + u * e[0] - q[0] - v * f[0],
        p[1] + u * e[1] - q[1] - v * f[1],
        p[2] + u * e[2] - q[2] - v * f[2],
    )


@inline
def _is_inside(way, side):
    """Whether a place near an edge is behind both of its sides."""
    return dot(way, vec(side, 0)) <= 0.0 and dot(way, vec(side, 3)) <= 0.0


@inline
def _out(side):
    """Out of an edge, between the normals of its sides."""
    return side[0] + side[3], side[1] + side[4], side[2] + side[5]


@inline
def _beyond(low, high, box):
    """Square of the distance between two boxes."""
    total = 0.0
    for i in range(3):
        out = max(box[i] - high[i], low[i] - box[3 + i], 0.0)
        total += out * out
    return total


@inline
def _line(p, e, line, side):
    """φ, n out of the mesh, u, v and sin² of the angle between the line of a piece and an edge.

    Lines that meet have the n of those that do not, ends of edges that are met one between sides.
    """
    q, f = vec(line, 0), vec(line, 3)
    u, v, sine = _closest(p, e, q, f)
    way, out = _way(p, u, e, q, v, f), _out(side)
    if 0.0 < v < 1.0:
        n = cross(e, f)
        sign = 1.0 if dot(n, out) >= 0.0 else -1.0
    else:
        n, sign = way, -1.0 if _is_inside(way, side) else 1.0
        if dot(way, way) <= MEET * MEET * dot(e, e):
            n, sign = out, 1.0
    if dot(n, n) == 0.0:
        n = out
    n = scaled(sign / sqrt(dot(n, n)), n)
    return dot(way, n), n, u, v, sine


@inline
def _distance(k, p, e, line, side, mesh, root, far):
    """How far an edge is from the line of a piece, FAR if it does not count there.

    What is less deep than a trifle of the depth of its line is on the surface.
    """
    phi, n, u, _, sine = _line(p, e, line[k], side[k])
    square = dot(e, e)
    if not -1.0 < u < 1.0 or abs(phi) >= far or sine * square < PARALLEL * PARALLEL * phi * phi:
        return FAR
    if max(dot(n, vec(side[k], 6)), dot(n, vec(side[k], 9))) > BEYOND:
        return FAR
    if phi < -MEET * sqrt(square):
        x = _way(p, u, e, (0.0, 0.0, 0.0), 0.0, e)
        if not _is_inside(scaled(phi, n), side[k]) or from_mesh(x, mesh, root)[0] > MEET * phi:
            return FAR
    return abs(phi)


@inline
def _end(k, p, e, line):
    """Which end of an edge is nearest to a piece: 0 and 1, or 2 for none."""
    _, v, _ = _closest(p, e, vec(line[k], 0), vec(line[k], 3))
    return 0 if v == 0.0 else 1 if v == 1.0 else 2


@inline
def _part(p, e, line, ends, found):
    """Leave out edges whose nearest end is that of another one."""
    for i in range(1, SLOTS):
        for j in range(i):
            if found[i] >= 0 and found[j] >= 0:
                a, b = _end(found[i], p, e, line), _end(found[j], p, e, line)
                if a < 2 and b < 2 and ends[found[i], a] == ends[found[j], b]:
                    found[i] = -1


@kernel
def find(p, e, radius, ridges, root, mesh, inside, far):
    """Write the nearest edge of each slot, -1 for none, among the room of the edges.

    Args:
        p: middle of the piece, in the frame of the mesh.
        e: from there to its end.
        radius: of the rod.
        ridges: see ``Ridges.with_room``.
        root: of the tree of edges.
        mesh: arrays of all meshes.
        inside: the tree of the mesh.
        far: edges that are farther than this do not count [m].
    """
    line, ends, side, turn, slot, boxes, children, stack, found, best = ridges
    half, least = sqrt(dot(e, e)), far
    low = (p[0] - abs(e[0]), p[1] - abs(e[1]), p[2] - abs(e[2]))
    high = (p[0] + abs(e[0]), p[1] + abs(e[1]), p[2] + abs(e[2]))
    for k in range(SLOTS):
        found[k], best[k] = -1, far
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if _beyond(low, high, boxes[node]) >= least * least:
            continue
        left, right = children[node, 0], children[node, 1]
        if right >= 0:
            stack[top], stack[top + 1] = left, right
            top += 2
            continue
        at = slot[left]
        if turn[left] * half < SLIGHT * radius:
            continue
        d = _distance(left, p, e, line, side, mesh, inside, best[at])
        if d < best[at]:
            found[at], best[at] = left, d
            least = max(best[0], best[1], best[2])
    _part(p, e, line, ends, found)


@inline
def crossing(p, e, k, ridges):
    """φ, n, H and u of a piece and an edge.

    H is that of a line, or of a point at its ends.
    """
    f = vec(ridges[0][k], 3)
    phi, n, u, v, _ = _line(p, e, ridges[0][k], ridges[2][k])
    least = MEET * sqrt(dot(e, e))
    c = 1.0 / (max(phi, least) if phi >= 0.0 else min(phi, -least))
    if v == 0.0 or v == 1.0:
        h = projector(c, n, 0.0, n, 0.0)
    else:
        t = cross(n, f)
        h = projector(0.0, n, c / dot(f, f), t, 0.0)
    return phi, n, h, u
