"""Compiled part of ``thread``: small matrices of points get to the matrix."""

from flexura._kernel import kernel
from flexura.lie.kernels import dual
from flexura.matrix.slot import add_part


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
