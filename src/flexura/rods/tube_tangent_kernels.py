"""Compiled part of ``tube_group``: tangents of angles of tubes, and of their centreline.

Names as in ``tube_kernels``.
"""

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual


@kernel
def couple_angles(node_points, value, slope, n, stiffness, columns, matrices):
    """Add the tangent between unknowns of angles to the matrices of elements."""
    p, c = value.shape[1], 6 + 2 * n
    first, own = columns[3], columns[0]
    for node in range(1, len(node_points) - 1):
        matrix = matrices[node]
        if node_points[node] == node_points[node + 1]:
            continue
        _add_ties(matrix, n, p, first, own, columns[2])
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for i in range(n):
                for j in range(n):
                    aa, ab = K[c * (6 + i) + 6 + j], K[c * (6 + i) + 6 + n + j]
                    ba, bb = K[c * (6 + n + i) + 6 + j], K[c * (6 + n + i) + 6 + n + j]
                    if aa == 0.0 and ab == 0.0 and ba == 0.0 and bb == 0.0:
                        continue
                    matrix[first + i, first + j] += aa
                    row, column = own + i * p, own + j * p
                    for k in range(p):
                        x, y = value[q, k], slope[q, k]
                        matrix[first + i, column + k] += aa * x + ab * y
                        matrix[row + k, first + j] += x * aa + y * ba
                        left, right = x * aa + y * ba, x * ab + y * bb
                        for l in range(p):
                            matrix[row + k, column + l] += left * value[q, l] + right * slope[q, l]


@inline
def _add_ties(matrix, n, p, first, own, last):
    """The multipliers of angles."""
    tie = own + n * p
    for j in range(n):
        matrix[tie + j, last + j] += 1.0
        matrix[last + j, tie + j] += 1.0
        matrix[tie + j, first + j] -= 1.0
        matrix[first + j, tie + j] -= 1.0
        if p > 0:
            matrix[tie + j, own + j * p] -= 1.0
            matrix[own + j * p, tie + j] -= 1.0


@kernel
def embed(base, columns, last, matrices):
    """Write the tangents of the centreline into larger matrices, whose other entries become zero.

    Unknowns of the node before come first, those of the node at ``last``, others at ``columns``.
    """
    m, at = base.shape[1], columns[1]
    for node in range(len(base)):
        matrix = matrices[node]
        matrix[:] = 0.0
        for i in range(m):
            row = i if i < 6 else (at + i - 6 if i < m - 6 else last + i - (m - 6))
            for j in range(m):
                column = j if j < 6 else (at + j - 6 if j < m - 6 else last + j - (m - 6))
                matrix[row, column] = base[node, i, j]


@kernel
def couple_functions(node_points, runs, phi, value, slope, n, stiffness, columns, matrices):
    """Add the tangent between angles and strain functions of the centreline; both ways."""
    p, c = value.shape[1], 6 + 2 * n
    first, own, at = columns[3], columns[0], columns[1]
    for node in range(1, len(node_points) - 1):
        matrix = matrices[node]
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for r in range(6):
                for j in range(n):
                    a, b = K[c * r + 6 + j], K[c * r + 6 + n + j]
                    d, e = K[c * (6 + j) + r], K[c * (6 + n + j) + r]
                    if a == 0.0 and b == 0.0 and d == 0.0 and e == 0.0:
                        continue
                    for f in range(runs[r], runs[r + 1]):
                        x = phi[q, f]
                        matrix[at + f, first + j] += x * a
                        matrix[first + j, at + f] += x * d
                        for k in range(p):
                            y, z = value[q, k], slope[q, k]
                            matrix[at + f, own + j * p + k] += x * (a * y + b * z)
                            matrix[own + j * p + k, at + f] += x * (d * y + e * z)


@kernel
def couple_points(shown, after, locked, led, n, p, stretch, stiffness, columns, matrices):
    """Add the tangents of points without length to the matrices of elements.

    Angles and torques at plates belong to the elements ``after`` them, stretch and what ties it to
    the elements that are ``led`` to.
    """
    c, first = 6 + 2 * n, columns[3]
    for i in range(len(shown)):
        K, matrix = stiffness[shown[i]], matrices[after[i]]
        for r in range(2 * n):
            for s in range(2 * n):
                matrix[first + r, first + s] += K[c * (6 + r) + 6 + s]
    at, tie = columns[1] + stretch, columns[0] + n * p + n
    for i in range(len(locked)):
        K, matrix = stiffness[locked[i]], matrices[led[i]]
        matrix[at, at] += K[c * 6 + 6]
        matrix[at, tie] += K[c * 6 + 6 + n]
        matrix[tie, at] += K[c * (6 + n) + 6]


@kernel
def couple_elements(
    base, last, node_points, runs, phi, value, slope, n, stiffness, shown, after, locked, led,
    stretch, columns, matrices,
):  # fmt: skip
    """Tangents of elements of strain functions: centreline, angles, and what is between them."""
    embed(base, columns, last, matrices)
    couple_angles(node_points, value, slope, n, stiffness, columns, matrices)
    couple_functions(node_points, runs, phi, value, slope, n, stiffness, columns, matrices)
    couple_points(
        shown, after, locked, led, n, value.shape[1], stretch, stiffness, columns, matrices
    )


@kernel
def couple_poses(
    node_points, angle_nodes, point_first, value, slope, n, stiffness, jacobian, from_end, to_end,
    cross, gamma, column,
):  # fmt: skip
    """The tangent between angles and the poses that a spline goes through, to ``cross``.

    The ``jacobian`` is ∂ξ/∂Ω at the points, ``from_end`` and ``to_end`` lead from Ω to the poses;
    ``gamma``, a row for each Ω of an element, and ``column`` are work space.
    """
    p, c = value.shape[1], 6 + 2 * n
    turning, twisting, pulled, more = column[0], column[1], column[2], column[3]
    for node in range(1, len(node_points) - 1):
        if node_points[node] == node_points[node + 1]:
            continue
        gamma[:] = 0.0
        begin, stop = angle_nodes[node - 1], angle_nodes[node]
        for q in range(node_points[node], node_points[node + 1]):
            K = stiffness[q]
            for j in range(n):
                for r in range(6):
                    turning[r] = K[c * r + 6 + j]
                    twisting[r] = K[c * r + 6 + n + j]
                for i in range(jacobian.shape[1]):
                    dual.apply_T(pulled, jacobian[q, i], turning)
                    dual.apply_T(more, jacobian[q, i], twisting)
                    out = gamma[point_first[q] + 1 + i - begin]
                    for r in range(6):
                        out[r, j] += pulled[r]
                        for k in range(p):
                            out[r, n + j * p + k] += pulled[r] * value[q, k] + more[r] * slope[q, k]
        for l in range(stop - begin + 1):
            own = cross[node, l]
            own[:] = 0.0
            if l > 0:
                _add_pulled(own, to_end[begin + l], gamma[l], turning, pulled)
            if begin + l < stop:
                _add_pulled(own, from_end[begin + l + 1], gamma[l + 1], turning, pulled)


@inline
def _add_pulled(out, x, rows, column, pulled):
    """out += xᵀ rows, a dual times six rows."""
    for k in range(rows.shape[1]):
        for r in range(6):
            column[r] = rows[r, k]
        dual.apply_T(pulled, x, column)
        for r in range(6):
            out[r, k] += pulled[r]
