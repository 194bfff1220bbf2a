"""Compiled part of ``Layout``: between nodes and coordinates, and into the band matrix."""

from flexura._kernel import inline, kernel
from flexura.lie import dual, matrix6, se3
from flexura.lie._se3 import copy_into
from flexura.model.tangent import add_entry, add_rectangle


@kernel
def ride(coordinates, coordinate, offset, nodes):
    """g_n = q_c T_n."""
    for n in range(len(coordinate)):
        _put_node(nodes[n], coordinates, coordinate[n], offset[n])


@kernel
def carry(dq, dof, adjoint, d_nodes):
    """ζ_n = Ad_{T_n}⁻¹ ζ_c."""
    for n in range(len(dof)):
        if dof[n] < 0:
            for i in range(6):
                d_nodes[n, i] = 0.0
        else:
            dual.apply(d_nodes[n], adjoint[n], dq[dof[n] : dof[n] + 6])


@kernel
def move(coordinates, coordinate, dof, offset, dq, links, moved, work):
    """q exp(ζ) for every coordinate; a loose one has its link to the node before it."""
    for n in range(len(coordinate)):
        c = coordinate[n]
        if c < 0:
            continue
        if dof[n] >= 0:
            se3.exp_into(work[0], dq[dof[n] : dof[n] + 6])
            se3.compose_into(moved[c], coordinates[c], work[0])
        else:
            _put_node(work[0], moved, coordinate[n - 1], offset[n - 1])
            se3.compose_into(work[1], work[0], links[n])
            se3.inverse_into(work[0], offset[n])
            se3.compose_into(moved[c], work[1], work[0])


@inline
def _put_node(out, coordinates, c, offset):
    """q_c T of a node, or T if it is fixed."""
    if c < 0:
        copy_into(out, offset)
    else:
        se3.compose_into(out, coordinates[c], offset)


@kernel
def adjoints(offset, found):
    """Ad of the inverse of every pose, as duals: Rᵀ and -Rᵀ p̂."""
    for n in range(len(offset)):
        g = offset[n]
        x, y, z = g[0, 3], g[1, 3], g[2, 3]
        for i in range(3):
            a, b, c = g[0, i], g[1, i], g[2, i]
            found[n, 3 * i], found[n, 3 * i + 1], found[n, 3 * i + 2] = a, b, c
            found[n, 9 + 3 * i] = c * y - b * z
            found[n, 10 + 3 * i] = a * z - c * x
            found[n, 11 + 3 * i] = b * x - a * y


@kernel
def compose(walk, jump, links, coordinate, offset, nodes, coordinates, work):
    """Walk from the world along rods and joints; the first node on a coordinate sets it."""
    for c in range(len(coordinates)):
        for i in range(4):
            for j in range(4):
                coordinates[c, i, j] = 1.0 if i == j else 0.0
    for r in range(len(walk)):
        near, far, direction = walk[r]
        n = near
        _put_node(nodes[n], coordinates, coordinate[n], offset[n])
        while n != far:
            m = far if direction == 0 else n + direction
            if direction == 0:
                se3.compose_into(nodes[m], nodes[n], jump[r])
            elif direction > 0:
                se3.compose_into(nodes[m], nodes[n], links[m])
            else:
                se3.inverse_into(work[0], links[n])
                se3.compose_into(nodes[m], nodes[n], work[0])
            se3.inverse_into(work[1], offset[m])
            se3.compose_into(coordinates[coordinate[m]], nodes[m], work[1])
            n = m


@kernel
def scatter_forces(dof, adjoint, force, residual, work):
    """Add the forces of the nodes to those of the coordinates."""
    for n in range(len(dof)):
        if dof[n] >= 0:
            dual.apply_T(work, adjoint[n], force[n])
            for i in range(6):
                residual[dof[n] + i] += work[i]


@kernel
def gather_inner(dq, inner_dof, inner_size, d_inner):
    """Increments of the inner unknowns of each element, zero for those that are none."""
    for n in range(len(inner_dof)):
        for i in range(d_inner.shape[1]):
            d_inner[n, i] = dq[inner_dof[n] + i] if i < inner_size[n] else 0.0


@kernel
def scatter_inner(inner_dof, inner_size, force, residual):
    """Add the forces of the inner unknowns of each element."""
    for n in range(len(inner_dof)):
        for i in range(inner_size[n]):
            residual[inner_dof[n] + i] += force[n, i]


@kernel
def largest(residual, units, multiplier):
    """Largest force, and largest gap of a constraint, in their units."""
    force = gap = 0.0
    for i in range(len(residual)):
        value = abs(residual[i]) * units[i]
        if multiplier[i]:
            gap = value if not value <= gap else gap
        else:
            force = value if not value <= force else force
    return force, gap


@kernel
def measure(dq, starts, length):
    """Largest rotation of the poses, and sum of squares of rotations and of translations/length."""
    largest = total = 0.0
    for s in starts:
        rotation = translation = 0.0
        for i in range(3):
            rotation += dq[s + i] * dq[s + i]
            translation += dq[s + 3 + i] * dq[s + 3 + i]
        largest = max(largest, rotation)
        total += rotation + translation / (length * length)
    return largest**0.5, total


@kernel
def scatter_blocks(
    nodes_begin, rod_nodes, dof, adjoint, plain, blocks, band, right, below, corner, piece, columns,
    work,
):  # fmt: skip
    """Add the blocks of a group of rods to the tangent."""
    reach = (blocks.shape[1] - 1) // 2
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod], rod_nodes[rod + 1]):
            a = nodes_begin + n
            if dof[a] < 0:
                continue
            low = max(n - reach, rod_nodes[rod])
            for m in range(low, min(n + reach + 1, rod_nodes[rod + 1])):
                b = nodes_begin + m
                if dof[b] < 0:
                    continue
                block = blocks[n, reach + m - n]
                if not (plain[a] and plain[b]):
                    matrix6.pulled(work[1], adjoint[a], block, adjoint[b], work[0])
                    block = work[1]
                add_rectangle(
                    band, right, below, corner, piece, columns, dof[a], dof[b], block.reshape(6, 6)
                )


@kernel
def scatter_forced(
    nodes_begin, rod_nodes, dof, inner_dof, adjoint, gradient, compliance, band, right, below,
    corner, piece, columns, work,
):  # fmt: skip
    """Add what couples unknown forces to nodes and to each other."""
    k = compliance.shape[1]
    rows, diagonal = work[0, :18].reshape(3, 6), work[1, :9].reshape(3, 3)
    diagonal[:] = 0.0
    for rod in range(len(rod_nodes) - 1):
        begin, end = rod_nodes[rod], rod_nodes[rod + 1]
        for a in range(begin + 1, end):
            inner = inner_dof[a]
            for j in range(2 * k):
                n = a - k + j
                if n < begin or n >= end or dof[nodes_begin + n] < 0:
                    continue
                column = dof[nodes_begin + n]
                for r in range(3):
                    dual.apply_T(
                        rows[r], adjoint[nodes_begin + n], gradient[a, j, 6 * r : 6 * r + 6]
                    )
                add_rectangle(band, right, below, corner, piece, columns, inner, column, rows)
                add_rectangle(band, right, below, corner, piece, columns, column, inner, rows.T)
            for j in range(k):
                if a + j < end:
                    other = inner_dof[a + j]
                    for c in range(3):
                        diagonal[c, c] = -compliance[a, j, c]
                    add_rectangle(
                        band, right, below, corner, piece, columns, inner, other, diagonal
                    )
                    if j > 0:
                        add_rectangle(
                            band, right, below, corner, piece, columns, other, inner, diagonal
                        )


@kernel
def scatter_elements(
    nodes_begin, rod_nodes, dof, inner_dof, inner_size, adjoint, plain, matrices, band, right,
    below, corner, piece, columns, work,
):  # fmt: skip
    """Add the matrices of elements (node before, inner, node) to the tangent."""
    last = matrices.shape[1] - 6
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            a, b = nodes_begin + n - 1, nodes_begin + n
            matrix = matrices[n]
            if not plain[a]:
                _transform(matrix, 0, adjoint[a], work)
            if dof[b] >= 0 and not plain[b]:
                _transform(matrix, last, adjoint[b], work)
            starts = (dof[a], inner_dof[n], dof[b])
            begins, ends = (0, 6, last), (6, 6 + inner_size[n], last + 6)
            for i in range(3):
                for j in range(3):
                    if starts[i] >= 0 and starts[j] >= 0:
                        part = matrix[begins[i] : ends[i], begins[j] : ends[j]]
                        add_rectangle(
                            band, right, below, corner, piece, columns, starts[i], starts[j], part
                        )


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
def scatter_diagonal(dof, adjoint, diagonal, band, right, below, corner, piece, columns, work):
    """Add a 6x6 tangent of each node."""
    for n in range(len(dof)):
        if dof[n] >= 0:
            matrix6.pulled(work[1], adjoint[n], diagonal[n], adjoint[n], work[0])
            add_rectangle(
                band, right, below, corner, piece, columns, dof[n], dof[n], work[1].reshape(6, 6)
            )


@kernel
def scatter_joints(
    nodes, rows, joint_dof, dof, adjoint, jacobian, band, right, below, corner, piece, columns, work
):
    """Add the derivatives of the held components of joints, and their transposes."""
    for e in range(len(nodes)):
        for side in range(2):
            n = nodes[e, side]
            if dof[n] < 0:
                continue
            k = joint_dof[e]
            for r in range(6):
                if not rows[e, r]:
                    continue
                dual.apply_T(work[0, :6], adjoint[n], jacobian[e, side, 6 * r : 6 * r + 6])
                for c in range(6):
                    add_entry(band, right, below, corner, piece, columns, k, dof[n] + c, work[0, c])
                    add_entry(band, right, below, corner, piece, columns, dof[n] + c, k, work[0, c])
                k += 1


@kernel
def scatter_pairs(nodes, dof, adjoint, blocks, band, right, below, corner, piece, columns, work):
    """Add the 2x2 blocks of pairs of nodes."""
    for e in range(len(nodes)):
        for i in range(2):
            for j in range(2):
                a, b = nodes[e, i], nodes[e, j]
                if dof[a] >= 0 and dof[b] >= 0:
                    matrix6.pulled(work[1], adjoint[a], blocks[e, i, j], adjoint[b], work[0])
                    add_rectangle(
                        band,
                        right,
                        below,
                        corner,
                        piece,
                        columns,
                        dof[a],
                        dof[b],
                        work[1].reshape(6, 6),
                    )
