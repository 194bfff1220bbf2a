"""Compiled part of ``thread``: forces, and small matrices of points that get to the matrix."""

from flexura._kernel import kernel
from flexura.lie.kernels import dual
from flexura.lie.kernels.vector import cross, dot, rotate, rotate_back, vec
from flexura.matrix.slot import add_part
from flexura.model.point_kernels import add_curvature


@kernel
def read(numbers, first, slides, rest, s, force):
    """s and λ of all points from all unknowns; the largest entry of λ."""
    largest = 0.0
    for e in range(len(first)):
        at = first[e]
        s[e] = rest[e] + (numbers[at + 3] if slides[e] else 0.0)
        for i in range(3):
            force[e, i] = numbers[at + i]
            if not abs(force[e, i]) <= largest:  # what is not a number is told
                largest = abs(force[e, i])
    return largest


@kernel
def beyond(numbers, first, slides, rest, length, out):
    """How far beyond an end of its rod each point is, by the numbers that threads bring."""
    for e in range(len(first)):
        s = rest[e] + (numbers[first[e] + 3] if slides[e] else 0.0)
        out[e] = max(-s, s - length[e])


@kernel
def largest_of(numbers, places):
    """The largest of some numbers, in size."""
    largest = 0.0
    for i in range(len(places)):
        x = abs(numbers[places[i]])
        if not x <= largest:
            largest = x
    return largest


@kernel
def turn(pose, strain, force, load, along):
    """λ in the axes of the rods, as a wrench, and p' = R ν."""
    for e in range(len(pose)):
        load[e, 3], load[e, 4], load[e, 5] = rotate_back(pose[e], vec(force[e], 0))
        along[e, 0], along[e, 1], along[e, 2] = rotate(pose[e], vec(strain[e], 3))


@kernel
def add_to_rods(pulled, nodes, inner_nodes, inner_begin, n_inner, force, inner_force):
    """What the points do to the nodes and inner numbers of the rods, (m, w)."""
    r = nodes.shape[1]
    for e in range(len(nodes)):
        for a in range(r):
            for c in range(6):
                force[nodes[e, a], c] += pulled[e, 6 * a + c]
        for b in range(inner_nodes.shape[1]):
            for c in range(n_inner):
                at = inner_begin[e, b] + c
                inner_force[inner_nodes[e, b], at] += pulled[e, 6 * r + n_inner * b + c]


@kernel
def add_to_particles(
    pose, force, along, particles, weights, slides, first, rest, displacement, on_particles,
    residual,
):  # fmt: skip
    """-λ on the points of the volumes, the gaps p - x, and λ · p' where rods slide."""
    for e in range(len(pose)):
        for i in range(3):
            gap = pose[e, i, 3]
            for k in range(particles.shape[1]):
                p, w = particles[e, k], weights[e, k]
                gap -= w * (rest[p, i] + displacement[p, i])
                on_particles[p, i] -= w * force[e, i]
            residual[first[e] + i] += gap
        if slides[e]:
            residual[first[e] + 3] += dot(vec(force[e], 0), vec(along[e], 0))


@kernel
def curve(load, out):
    """Second variations of f · p in the charts of the poses, (m, 36)."""
    for e in range(len(load)):
        add_curvature(out[e], 1.0, (0.0, 0.0, 0.0), vec(load[e], 3))


@kernel
def border(matrix, strain, slope, load, along):
    """Complete symmetric matrices whose last four rows are there, but for their last columns.

    These are p' between λ and s, and f · (κ × ν + ν') of s with itself.
    """
    w = matrix.shape[1] - 4
    for e in range(len(matrix)):
        own = matrix[e]
        for i in range(4):
            for j in range(w):
                own[j, w + i] = own[w + i, j]
        for i in range(3):
            own[w + i, w + 3] = own[w + 3, w + i] = along[e, i]
        f, turned = vec(load[e], 3), cross(vec(strain[e], 0), vec(strain[e], 3))
        own[w + 3, w + 3] = dot(f, turned) + dot(f, vec(slope[e], 3))


@kernel
def add_matrices(values, slots, adjoint, plain, matrix, slides, n_inner, six):
    """Matrices of (poses, inner numbers, λ and s) of each point; poses are carried on."""
    m, r = adjoint.shape[0], adjoint.shape[1]
    blocks = slots.shape[1]
    for e in range(m):
        own, size = matrix[e], matrix.shape[1]
        for a in range(r):
            if not plain[e, a]:
                for i in range(size):  # columns, then rows
                    dual.apply_T(six, adjoint[e, a], own[i, 6 * a : 6 * a + 6])
                    for c in range(6):
                        own[i, 6 * a + c] = six[c]
                for i in range(size):
                    dual.apply_T(six, adjoint[e, a], own[6 * a : 6 * a + 6, i])
                    for c in range(6):
                        own[6 * a + c, i] = six[c]
        last = size - 4
        for a in range(blocks):
            top, height = _extent(a, r, n_inner, last, slides[e])
            for b in range(blocks):
                slot = slots[e, a, b]
                if slot[0] >= 0:
                    left, width = _extent(b, r, n_inner, last, slides[e])
                    add_part(values, slot[0], slot[1], slot[2], own, top, left, height, width)


@kernel
def _extent(block, r, n_inner, last, slides):
    """Where a block begins in the matrix of a point, and how large it is."""
    if block < r:
        return 6 * block, 6
    at = 6 * r + (block - r) * n_inner
    if at < last:
        return at, n_inner
    return last, 3 + slides


@kernel
def add_particles(values, rows, columns, particles, weights, ride, reach, block):
    """-w between λ and the particles of each point, both ways."""
    for e in range(len(particles)):
        for k in range(particles.shape[1]):
            w, p = weights[e, k], ride[particles[e, k]]
            if rows[e, k, 0] < 0 or w == 0.0:
                continue
            width = 3 if p < 0 else 6
            for i in range(3):
                for j in range(width):
                    if p < 0:
                        block[i, j] = -w if i == j else 0.0
                    else:
                        block[i, j] = -w * reach[p, i, j]
            slot, mirrored = rows[e, k], columns[e, k]
            for i in range(3):
                for j in range(width):
                    values[slot[0] + i * slot[1] + j * slot[2]] += block[i, j]
                    values[mirrored[0] + j * mirrored[1] + i * mirrored[2]] += block[i, j]
