"""Compiled heart of the variable-strain rod.

An element is a smooth piece of a rod, from one node to the next. Its strain is

    ξ(s) = ξ*(s) + Σ_j φ_j(u) e_{c(j)} q_j,     u from 0 to 1 along the element;

the functions of component c are ``runs[c] … runs[c + 1] - 1``. Poses follow on steps of length h by
the fourth-order Magnus expansion. With the strains ξ_1, ξ_2 at the two Gauss points of the step and
β = [ξ_1, ξ_2], at the part x of the step

    g = g_0 exp(Ω),    Ω = w_1 ξ_1 + w_2 ξ_2 + w_3 β,
    w_1,2 = h (x ∓ √3 x (x - 1))/2,    w_3 = h² √3 x³/12.

Step k has the points 2k and 2k + 1. Steps of the element that leads to node n are ``node_steps[n] …
node_steps[n + 1] - 1``, none where n is the first node of a rod; its unknowns are (ζ of the node
before, q, λ, ζ of the node n), where λ ties the end of the integration to the node
(``closure_kernels``).

One pass from the end of an element to its beginning carries the wrench F of all that acts further
on, and its derivatives: P by the pose, R by q, a column each (``variable_strain_step``). Everything
is exact to second order. See docs/theory.md, section 5. Matrices of 6x6 are flat rows of 36.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import dual, matrix6
from flexura.rods import closure_kernels
from flexura.rods.variable_strain_step import (
    LOCAL,
    MIXED,
    REACH,
    adjoint,
    carry_step,
    step_back,
    transpose,
)

END_WRENCH, WRENCH = 9, 10  # rows of ``vectors``: F at the end of an element, and on the way
END_TANGENT, TANGENT = 17, 18  # rows of ``squares``: P there, and on the way in each pass
CLOSING, REACHED, SPARE = 2, 3, 4  # of ``columns``: R by (λ, ζ of the node), ∂z_end/∂q, any


@kernel
def carry_back(
    node_steps, step, runs, phi, strain, nodes, poses, end, pose, stress, posed, load, end_wrench,
    force, inner_force, vectors, duals,
):  # fmt: skip
    """Forces from stresses and loads at the points, and from a wrench at the end of each element.

    The stress alone adds Σ_p φ_j(s_p) Λ_c(j)(s_p) to the force of the coefficient j.
    """
    wrench = vectors[WRENCH]
    for node in range(len(node_steps) - 1):
        first, stop = node_steps[node], node_steps[node + 1]
        if first == stop:
            continue
        origin, loaded = nodes[node - 1], False
        adjoint(duals[0], duals[1], end[node], origin)
        dual.apply_T(wrench, duals[1], end_wrench[node])
        for c in range(6):
            loaded |= wrench[c] != 0.0
        for k in range(stop - 1, first - 1, -1):
            dual.clear(vectors[0])
            dual.clear(vectors[1])
            loaded |= posed[2 * k] or posed[2 * k + 1]
            if loaded:
                after = end[node] if k + 1 == stop else poses[k + 1]
                carry_step(
                    k, step[k], origin, after, strain, posed, pose, load, wrench, vectors, duals
                )
            _add_force(inner_force[node], runs, phi, k, vectors, stress)
        if loaded:
            _turn_to_node(duals[0], origin)
            dual.apply_T(vectors[0], duals[0], wrench)
            for c in range(6):
                force[node - 1, c] += vectors[0, c]


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    node_steps, step, runs, phi, strain, inner, nodes, poses, end, pose, stress, stiffness, posed,
    load, load_tangent, loose, end_tangent, symmetric, force, inner_force, matrices, vectors, duals,
    squares, columns, pulled, rows, small,
):  # fmt: skip
    """Forces and tangents of all elements, from the laws at the points.

    An unsymmetric tangent H takes two passes: H = X + Yᵀ, where Y is what the pass makes of the
    transposed laws. The tangent of a symmetric one is H = X + Xᵀ.

    Args (all weights are inside the laws):
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        loose, end_tangent: ends on which ``force`` acts; its tangent.
        symmetric: whether all load tangents are.
        force, inner_force: results, added to.
        matrices: results; row n is the tangent in the order of the module's head.
        columns, rows: work space; R and X in each pass.
        pulled: Aᵀ R + M_xx Φ at the points of an element.
        vectors, duals, squares, small: more work space.
    """
    n = runs[6]
    last = 0 if symmetric else 1
    closing, reach = columns[CLOSING], columns[REACHED]
    for node in range(len(node_steps) - 1):
        first, stop = node_steps[node], node_steps[node + 1]
        if first == stop:
            continue
        matrix, origin, held = matrices[node], nodes[node - 1], not loose[node]
        if held:
            matrix[6 + n :, 6 + n :] = 0.0
            closure_kernels.close(
                end[node], nodes[node], inner[node, n:], force, inner_force, node, n, matrix,
                vectors[0], squares[:4], small, duals,
            )  # fmt: skip
        else:
            closure_kernels.release(force[node], end_tangent[node], vectors[0], squares[:3])
        adjoint(duals[0], duals[1], end[node], origin)
        _begin(closing, duals[1], vectors, squares, columns[SPARE])
        for side in range(last + 1):
            wrench, tangent = vectors[WRENCH], squares[TANGENT + side]
            _copy(wrench, vectors[END_WRENCH])
            _copy(tangent, squares[END_TANGENT])
            if side == 1:
                transpose(tangent)
            columns[side] = 0.0
            reach[:] = 0.0
            for k in range(stop - 1, first - 1, -1):
                after = end[node] if k + 1 == stop else poses[k + 1]
                step_back(
                    k, side == 1, step[k], origin, after, strain, stiffness, posed, pose, load,
                    load_tangent, wrench, tangent, vectors, duals, squares,
                )  # fmt: skip
                if side == 0:
                    _add_force(inner_force[node], runs, phi, k, vectors, stress)
                own = pulled[2 * (k - first) :]
                for i in range(2):
                    _pull(own[i], duals[REACH + i], columns[side])
                _add_rows(runs, phi[2 * k], phi[2 * k + 1], squares, columns[side], own)
                if held:
                    _add_reach(runs, phi[2 * k], phi[2 * k + 1], duals, reach)
            _add_products(runs, phi, pulled, 2 * first, 2 * stop, rows[side])
        _finish(node, origin, n, last, held, force, matrix, vectors, duals, squares, columns, rows)


@inline
def _begin(closing, inverse, vectors, squares, work):
    """F and P at the end of an element, and R by λ, (∂c/∂z)ᵀ, and by ζ of the node.

    From what ``closure_kernels.close`` leaves in ``vectors[0]`` and ``squares[:3]``.
    """
    dual.apply_T(vectors[END_WRENCH], inverse, vectors[0])
    matrix6.pulled(squares[END_TANGENT], inverse, squares[1], inverse, squares[4])
    for i in range(6):
        for j in range(6):
            work[i, j] = squares[0, 6 * j + i]
            work[i, 6 + j] = squares[2, 6 * i + j]
    _pull(closing, inverse, work)


@inline
def _copy(out, x):
    """out = x."""
    for c in range(len(x)):
        out[c] = x[c]


@inline
def _add_force(force, runs, phi, k, gradient, stress):
    """Add Φᵀ (gradient + stress) of the points of step k to the force of q."""
    for c in range(6):
        first = gradient[0, c] + stress[2 * k, c]
        second = gradient[1, c] + stress[2 * k + 1, c]
        for j in range(runs[c], runs[c + 1]):
            force[j] += phi[2 * k, j] * first + phi[2 * k + 1, j] * second


@inline
def _add_rows(runs, phi_first, phi_second, squares, columns, pulled):
    """Add M_zx Φ to R, and M_xx Φ to Aᵀ R, which is ``pulled``.

    Of M_xx there is what is below and half the diagonal. See ``step_back``.
    """
    one, other = pulled[0], pulled[1]
    for c in range(6):
        z_first, z_second = _column(squares, MIXED, c), _column(squares, MIXED + 1, c)
        half_first, half_second = _column(squares, LOCAL, c), _column(squares, LOCAL + 2, c)
        below = _column(squares, LOCAL + 1, c)
        for j in range(runs[c], runs[c + 1]):
            a, b = phi_first[j], phi_second[j]
            _add_column(columns, j, a, z_first, b, z_second)
            _add_scaled(one, j, a, half_first)
            _add_column(other, j, a, below, b, half_second)


@inline
def _add_reach(runs, phi_first, phi_second, duals, reach):
    """Add A Φ to ``reach``."""
    for c in range(6):
        first, second = _dual_column(duals, REACH, c), _dual_column(duals, REACH + 1, c)
        for j in range(runs[c], runs[c + 1]):
            _add_column(reach, j, phi_first[j], first, phi_second[j], second)


@inline
def _add_products(runs, phi, pulled, begin, stop, rows):
    """X = Σ_p Φᵀ pulled over the points of an element, four of them at once."""
    for c in range(6):
        for j in range(runs[c], runs[c + 1]):
            for i in range(rows.shape[1]):
                rows[j, i] = 0.0
            m = 0
            for p in range(begin, stop - 3, 4):
                x0, x1, x2, x3 = phi[p, j], phi[p + 1, j], phi[p + 2, j], phi[p + 3, j]
                for i in range(rows.shape[1]):
                    rows[j, i] += (
                        x0 * pulled[m, c, i]
                        + x1 * pulled[m + 1, c, i]
                        + x2 * pulled[m + 2, c, i]
                        + x3 * pulled[m + 3, c, i]
                    )
                m += 4
            if m < stop - begin:
                x0, x1 = phi[stop - 2, j], phi[stop - 1, j]
                for i in range(rows.shape[1]):
                    rows[j, i] += x0 * pulled[m, c, i] + x1 * pulled[m + 1, c, i]


@inline
def _column(x, k, c):
    """Column c of the flat 6x6 matrix k, as locals."""
    return x[k, c], x[k, 6 + c], x[k, 12 + c], x[k, 18 + c], x[k, 24 + c], x[k, 30 + c]


@inline
def _dual_column(x, k, c):
    """Column c of the dual k, as locals."""
    if c < 3:
        return x[k, c], x[k, 3 + c], x[k, 6 + c], x[k, 9 + c], x[k, 12 + c], x[k, 15 + c]
    return 0.0, 0.0, 0.0, x[k, c - 3], x[k, c], x[k, c + 3]


@inline
def _add_scaled(out, j, a, x):
    """Column j of six rows += a x."""
    out[0, j] += a * x[0]
    out[1, j] += a * x[1]
    out[2, j] += a * x[2]
    out[3, j] += a * x[3]
    out[4, j] += a * x[4]
    out[5, j] += a * x[5]


@inline
def _add_column(out, j, a, x, b, y):
    """Column j of six rows += a x + b y."""
    out[0, j] += a * x[0] + b * y[0]
    out[1, j] += a * x[1] + b * y[1]
    out[2, j] += a * x[2] + b * y[2]
    out[3, j] += a * x[3] + b * y[3]
    out[4, j] += a * x[4] + b * y[4]
    out[5, j] += a * x[5] + b * y[5]


@inline
def _pull(out, x, rows):
    """out = xᵀ rows, a dual times six rows; as one loop over columns, which vectorises."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]
    b0, b1, b2, b3, b4, b5 = x[9], x[10], x[11], x[12], x[13], x[14]
    b6, b7, b8 = x[15], x[16], x[17]
    r0, r1, r2, r3, r4, r5 = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
    o0, o1, o2, o3, o4, o5 = out[0], out[1], out[2], out[3], out[4], out[5]
    for j in range(len(r0)):
        m0, m1, m2, n0, n1, n2 = r0[j], r1[j], r2[j], r3[j], r4[j], r5[j]
        o0[j] = a0 * m0 + a3 * m1 + a6 * m2 + b0 * n0 + b3 * n1 + b6 * n2
        o1[j] = a1 * m0 + a4 * m1 + a7 * m2 + b1 * n0 + b4 * n1 + b7 * n2
        o2[j] = a2 * m0 + a5 * m1 + a8 * m2 + b2 * n0 + b5 * n1 + b8 * n2
        o3[j] = a0 * n0 + a3 * n1 + a6 * n2
        o4[j] = a1 * n0 + a4 * n1 + a7 * n2
        o5[j] = a2 * n0 + a5 * n1 + a8 * n2


@inline
def _turn_to_node(turn, origin):
    """From the axes of a node to those of the world, as a dual."""
    for i in range(3):
        for j in range(3):
            turn[3 * i + j] = origin[i, j]
            turn[9 + 3 * i + j] = 0.0


@inline
def _finish(node, origin, n, last, held, force, matrix, vectors, duals, squares, columns, rows):
    """Turn F, P and R at the beginning of an element to its first node, and write the tangent.

    What couples λ and ζ of the second node to each other is there already, if it is held.
    """
    turn, turned = duals[0], columns[SPARE]
    _turn_to_node(turn, origin)
    dual.apply_T(vectors[0], turn, vectors[WRENCH])
    for c in range(6):
        force[node - 1, c] += vectors[0, c]
    matrix6.pulled(squares[1], turn, squares[TANGENT], turn, squares[0])
    for i in range(6):
        for j in range(6):
            matrix[i, j] = squares[1, 6 * i + j]
    _pull(turned, turn, columns[0])
    for i in range(6):
        for j in range(n):
            matrix[i, 6 + j] = turned[i, j]
    _pull(turned, turn, columns[last])
    for i in range(6):
        for j in range(n):
            matrix[6 + j, i] = turned[i, j]
    for i in range(n):
        for j in range(n):
            matrix[6 + i, 6 + j] = rows[0, i, j] + rows[last, j, i]
    if not held:
        return
    _pull(turned, turn, columns[CLOSING])
    for i in range(6):
        for j in range(12):
            matrix[i, 6 + n + j] = matrix[6 + n + j, i] = turned[i, j]
    for i in range(n):
        for j in range(12):
            value = 0.0
            for c in range(6):
                value += columns[REACHED, c, i] * columns[CLOSING, c, j]
            matrix[6 + i, 6 + n + j] = matrix[6 + n + j, 6 + i] = value
