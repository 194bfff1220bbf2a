"""Compiled part of ``scatter``: blocks of nodes are carried to coordinates and added to values."""

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, matrix6
from flexura.matrix.slot import add_block, add_part

# Where parts of frames of tubes begin: pose of the centreline, angle, ties, own pose; the end.
MARK = (0, 6, 7, 13, 19)


@kernel
def add_blocks(values, slots, adjoint, plain, blocks, work):
    """Blocks between node n and its neighbours, ``blocks[n, j]``, flat 6x6."""
    reach = (blocks.shape[1] - 1) // 2
    for n in range(len(blocks)):
        for j in range(blocks.shape[1]):
            slot = slots[n, j]
            if slot[0] < 0:
                continue
            m = n + j - reach
            block = blocks[n, j]
            if not (plain[n] and plain[m]):
                matrix6.pulled(work[1], adjoint[n], block, adjoint[m], work[0])
                block = work[1]
            add_block(values, slot, block.reshape(6, 6))


@kernel
def add_rows(values, slots, across, numbers, numbers_across, adjoint, rows, between, work):
    """Rows between numbers stored with node n and poses, with transposes; and between numbers."""
    reach = rows.shape[1] // 2
    v = between.shape[2]
    block = work.reshape(72)[: 6 * v].reshape(v, 6)
    for n in range(len(rows)):
        for j in range(rows.shape[1]):
            if slots[n, j, 0] < 0:
                continue
            m = n + j - reach
            for r in range(v):
                dual.apply_T(block[r], adjoint[m], rows[n, j, 6 * r : 6 * r + 6])
            add_block(values, slots[n, j], block)
            add_block(values, across[n, j], block.T)
        for j in range(between.shape[1]):
            _add_diagonal(values, numbers[n, j], between[n, j])
            _add_diagonal(values, numbers_across[n, j], between[n, j])


@inline
def _add_diagonal(values, slot, diagonal):
    """Add a diagonal block."""
    if slot[0] >= 0:
        for i in range(len(diagonal)):
            values[slot[0] + i * (slot[1] + slot[2])] += diagonal[i]


@kernel
def add_elements(values, slots, begins, sizes, adjoint, plain, matrices, work, row):
    """Matrices of elements (pose before, shared, inner, pose)."""
    for n in range(len(matrices)):
        _add_element(
            values, slots[n], begins, sizes[n], adjoint, plain, n - 1, n, matrices[n], work, row
        )


@kernel
def add_marks(values, slots, at, sizes, adjoint, plain, matrices, work, row):
    """Matrices of frames of tubes (pose of the centreline at a node, angle, ties, pose)."""
    first = len(adjoint) - len(at)
    for m in range(len(at)):
        _add_element(
            values, slots[m, at[m]], MARK, sizes[m], adjoint, plain, at[m], first + m, matrices[m],
            work, row,
        )  # fmt: skip


@inline
def _add_element(
    values, slots, begins, sizes, adjoint, plain, first, second, matrix, work, row
):  # fmt: skip
    """A matrix of four parts, of which the outer ones are poses of two nodes."""
    before = slots[0, 0, 0] >= 0 and not plain[first]
    after = slots[3, 3, 0] >= 0 and not plain[second]
    if before or after:
        for i in range(len(work)):
            for j in range(len(work)):
                work[i, j] = matrix[i, j]
        matrix = work
    if before:
        _transform(matrix, 0, adjoint[first], row)
    if after:
        _transform(matrix, begins[3], adjoint[second], row)
    for i in range(4):
        for j in range(4):
            slot = slots[i, j]
            if slot[0] >= 0:
                add_part(
                    values, slot[0], slot[1], slot[2], matrix, begins[i], begins[j], sizes[i],
                    sizes[j],
                )  # fmt: skip


@kernel
def add_angles(
    values, slots, begins, sizes, first, count, cross_slots, across_slots, columns, adjoint, own,
    cross, column, turned,
):  # fmt: skip
    """Angles with each other, and with the poses of the nodes of their elements."""
    for e in range(len(own)):
        if count[e] == 0:
            continue
        for i in range(2):
            for j in range(2):
                slot = slots[e, i, j]
                add_part(
                    values, slot[0], slot[1], slot[2], own[e], begins[i], begins[j], sizes[e, i],
                    sizes[e, j],
                )  # fmt: skip
        for l in range(count[e]):
            if cross_slots[e, l, 0, 0] < 0:
                continue
            block = cross[e, l]
            x = adjoint[first[e] + l]
            left = 0
            for part in range(2):
                slot, back = cross_slots[e, l, part], across_slots[e, l, part]
                for d in range(columns[part]):
                    for c in range(6):
                        column[c] = block[c, left + d]
                    dual.apply_T(turned, x, column)
                    for c in range(6):
                        values[slot[0] + c * slot[1] + d * slot[2]] += turned[c]
                        values[back[0] + d * back[1] + c * back[2]] += turned[c]
                left += columns[part]


@inline
def _transform(matrix, begin, x, work):
    """Change the six rows and columns from ``begin`` of a matrix to those of a coordinate."""
    row, turned = work[0], work[1]
    for i in range(len(matrix)):
        for c in range(6):
            row[c] = matrix[i, begin + c]
        dual.apply_T(turned, x, row)
        for c in range(6):
            matrix[i, begin + c] = turned[c]
    for j in range(len(matrix)):
        for c in range(6):
            row[c] = matrix[begin + c, j]
        dual.apply_T(turned, x, row)
        for c in range(6):
            matrix[begin + c, j] = turned[c]


@kernel
def add_pairs(values, slots, nodes, adjoint, blocks, work):
    """Blocks between the nodes of each element of a term."""
    for e in range(len(nodes)):
        for i in range(nodes.shape[1]):
            for j in range(nodes.shape[1]):
                if slots[e, i, j, 0] >= 0:
                    a, b = nodes[e, i], nodes[e, j]
                    matrix6.pulled(work[1], adjoint[a], blocks[e, i, j], adjoint[b], work[0])
                    add_block(values, slots[e, i, j], work[1].reshape(6, 6))


@kernel
def add_held(values, slots, across, nodes, element, adjoint, rows, work):
    """Derivatives of what elements of a term hold, and their transposes."""
    for r in range(len(element)):
        for side in range(nodes.shape[1]):
            if slots[r, side, 0] >= 0:
                dual.apply_T(work[0], adjoint[nodes[element[r], side]], rows[r, side])
                add_block(values, slots[r, side], work)
                add_block(values, across[r, side], work.T)


@kernel
def multiply_blocks(blocks, motion, force):
    """Forces of the nodes of a group for a motion of them; a rod ends where blocks are zero."""
    reach = (blocks.shape[1] - 1) // 2
    for n in range(len(blocks)):
        for j in range(blocks.shape[1]):
            m = n + j - reach
            if 0 <= m < len(blocks):
                for r in range(6):
                    total = 0.0
                    for c in range(6):
                        total += blocks[n, j, 6 * r + c] * motion[m, c]
                    force[n, r] += total


@kernel
def multiply_rows(rows, motion, inner):
    """Residuals of the numbers stored with nodes for a motion of the nodes."""
    reach = rows.shape[1] // 2
    for n in range(len(rows)):
        for j in range(rows.shape[1]):
            m = n + j - reach
            if 0 <= m < len(rows):
                for r in range(inner.shape[1]):
                    total = 0.0
                    for c in range(6):
                        total += rows[n, j, 6 * r + c] * motion[m, c]
                    inner[n, r] += total


@kernel
def multiply_elements(matrices, begins, sizes, shared, motion, force, inner):
    """Forces of nodes and inner numbers for a motion of the nodes."""
    for n in range(1, len(matrices)):
        matrix = matrices[n]
        for i in range(begins[4]):
            total = 0.0
            for c in range(6):
                total += matrix[i, c] * motion[n - 1, c]
                total += matrix[i, begins[3] + c] * motion[n, c]
            if i < begins[1]:
                force[n - 1, i] += total
            elif i < begins[2]:
                if i - begins[1] < sizes[n, 1]:
                    inner[n - 1, shared[n] + i - begins[1]] += total
            elif i < begins[3]:
                if i - begins[2] < sizes[n, 2]:
                    inner[n, i - begins[2]] += total
            else:
                force[n, i - begins[3]] += total
