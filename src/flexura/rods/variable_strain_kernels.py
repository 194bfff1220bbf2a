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

One pass from the end of an element to its beginning carries the wrench F on the end of a step, and
its derivatives: P by the pose there, R by (q, λ, ζ of the node), a column each. What a step adds to
the tangent is first taken between the twists (ξ_1, ξ_2, β), in which Ω is linear. Everything is
exact to second order. See docs/theory.md, section 5. Matrices of 6x6 are flat rows of 36.
"""

import numpy as np

from flexura._kernel import heavy, inline, kernel
from flexura.lie import dual, se3
from flexura.rods import closure_kernels

ROOT3 = np.sqrt(3.0)
GAUSS = (0.5 - ROOT3 / 6.0, 0.5 + ROOT3 / 6.0)
PLACES = (*GAUSS, 1.0)  # where wrenches act in a step


@kernel
def strains(node_steps, runs, phi, rest, inner, strain):
    """ξ at every point."""
    for n in range(len(node_steps) - 1):
        q = inner[n]
        for p in range(2 * node_steps[n], 2 * node_steps[n + 1]):
            for c in range(6):
                value = rest[p, c]
                for j in range(runs[c], runs[c + 1]):
                    value += phi[p, j] * q[j]
                strain[p, c] = value


@kernel
def integrate(node_steps, step, strain, nodes, poses, end, twist, frame):
    """Poses at the beginning of every step, and ``end[n]`` of the element that leads to node n."""
    for n in range(len(node_steps) - 1):
        first, stop = node_steps[n], node_steps[n + 1]
        for k in range(first, stop):
            start = poses[k]
            if k == first:
                start[:] = nodes[n - 1]
            after = end[n] if k + 1 == stop else poses[k + 1]
            _put_pose(after, start, step[k], 1.0, strain[2 * k], strain[2 * k + 1], twist, frame)


@kernel
def place(steps, x, step, strain, poses, pose, twist, frame):
    """Poses at the parts x of chosen steps."""
    for i in range(len(steps)):
        k = steps[i]
        first, second = strain[2 * k], strain[2 * k + 1]
        _put_pose(pose[i], poses[k], step[k], x[i], first, second, twist, frame)


@kernel
def kinematics(
    node_steps, step, runs, phi, rest, inner, nodes, posed, strain, poses, end, pose, twist, frame
):
    """ξ at every point, poses along the elements and at the points ``posed``."""
    strains(node_steps, runs, phi, rest, inner, strain)
    integrate(node_steps, step, strain, nodes, poses, end, twist, frame)
    for p in posed:
        k = p // 2
        first, second = strain[2 * k], strain[2 * k + 1]
        _put_pose(pose[p], poses[k], step[k], GAUSS[p % 2], first, second, twist, frame)


@kernel
def carry_back(node_steps, runs, phi, stress, inner_force):
    """Add Σ_p φ_j(s_p) Λ_c(j)(s_p) to the forces of the coefficients."""
    for n in range(len(node_steps) - 1):
        for p in range(2 * node_steps[n], 2 * node_steps[n + 1]):
            for c in range(6):
                for j in range(runs[c], runs[c + 1]):
                    inner_force[n, j] += phi[p, j] * stress[p, c]


@inline
def _put_pose(out, start, h, x, first, second, twist, frame):
    """Write the pose at the part x of a step: start exp(Ω)."""
    _expansion(twist, _weights(h, x), first, second)
    se3.exp_into(frame, twist)
    se3.compose_into(out, start, frame)


@inline
def _weights(h, x):
    """(w_1, w_2, w_3) at the part x of a step of length h."""
    bulge = ROOT3 * x * (x - 1.0)
    return 0.5 * h * (x - bulge), 0.5 * h * (x + bulge), h * h * ROOT3 / 12.0 * x * x * x


@inline
def _expansion(out, w, first, second):
    """Ω = w_1 ξ_1 + w_2 ξ_2 + w_3 [ξ_1, ξ_2]."""
    se3.ad_apply(out, first, second)
    for c in range(6):
        out[c] = w[0] * first[c] + w[1] * second[c] + w[2] * out[c]


@heavy
def pull_back(
    node_steps, step, runs, phi, strain, inner, nodes, end, stress, stiffness, posed, load,
    load_tangent, symmetric, force, inner_force, matrices, vectors, duals, squares, mixed, local,
    tangents, columns, rows, small,
):  # fmt: skip
    """Forces and tangents of all elements, from the laws at the points.

    An unsymmetric tangent H takes two passes: H = X + Yᵀ, where Y is what the pass makes of the
    transposed laws. The tangent of a symmetric one is H = X + Xᵀ.

    Args (all weights are inside the laws):
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        symmetric: whether all load tangents are.
        force, inner_force: results, added to.
        matrices: results; row n is the tangent in the order of the module's head.
        tangents, columns, rows: work space; P and R at both ends of a step, and X, in each pass.
        vectors, duals, squares, small: more of it.
    """
    closure = squares[:4]
    wrench = vectors[:2]
    n = runs[6]
    last = 0 if symmetric else 1
    for node in range(len(node_steps) - 1):
        first, stop = node_steps[node], node_steps[node + 1]
        if first == stop:
            continue
        matrix = matrices[node]
        matrix[6 + n :, 6 + n :] = 0.0
        closure_kernels.close(
            end[node], nodes[node], inner[node, n:], force, inner_force, node, n, matrix,
            vectors[2], closure, small, duals,
        )  # fmt: skip
        for side in range(last + 1):
            wrench[stop % 2] = vectors[2]
            tangents[side, stop % 2] = closure[1]
            rows[side] = 0.0
            _begin_columns(columns[side, stop % 2], n, closure)
            for k in range(stop - 1, first - 1, -1):
                _step_back(
                    k, side == 1, step[k], runs, phi, strain, stress, stiffness, posed, load,
                    load_tangent, inner_force[node], vectors, duals, squares, mixed, local,
                    tangents[side], columns[side], columns[2], rows[side],
                )  # fmt: skip
        here = first % 2
        for c in range(6):
            force[node - 1, c] += wrench[here, c]
        _write(
            matrix, n, tangents[0, here], columns[0, here], columns[last, here], rows[0], rows[last]
        )


@inline
def _begin_columns(columns, n, closure):
    """R at the end of an element: nothing by q, (∂c/∂z)ᵀ by λ, and by ζ of the node."""
    columns[:] = 0.0
    for i in range(6):
        for j in range(6):
            columns[i, n + j] = closure[0, 6 * j + i]
            columns[i, n + 6 + j] = closure[2, 6 * i + j]


@inline
def _step_back(
    k, transposed, h, runs, phi, strain, stress, stiffness, posed, load, load_tangent, force,
    vectors, duals, squares, mixed, local, tangents, columns, pulled, rows,
):  # fmt: skip
    """Carry F, P and R from the end of step k to its beginning; add to the force of q and to X.

    With A_i = ∂z_end/∂ξ_i and T = ∂z_end/∂z_begin, R becomes Tᵀ R + M_zx Φ.
    """
    first, second = strain[2 * k], strain[2 * k + 1]
    ahead, here = (k + 1) % 2, k % 2
    gradient, brackets = vectors[3:6], vectors[6:8]
    for c in range(6):
        brackets[0, c], brackets[1, c] = -second[c], first[c]
    _add_places(
        k, transposed, h, first, second, posed, load, load_tangent, vectors, duals, squares, mixed,
        local, tangents,
    )  # fmt: skip
    _condense(brackets, gradient, mixed, local, vectors[8], duals[2])
    w = _weights(h, 1.0)
    for i in range(2):
        p = 2 * k + i
        _copy(squares[4], stiffness[p], transposed)
        _add_scaled(local[i, i], 1.0, squares[4])
        if not transposed:
            _add_force(force, runs, phi[p], gradient[i], stress[p])
        _bracket(duals[2], w[i], w[2], brackets[i])
        dual.mul(duals[3], duals[1], duals[2])
        _pull(pulled[i], duals[3], columns[ahead])
    _pull(columns[here], duals[0], columns[ahead])
    _add_rows(runs, phi[2 * k], phi[2 * k + 1], mixed, local, columns[here], pulled, rows)


@inline
def _add_places(
    k, transposed, h, first, second, posed, load, load_tangent, vectors, duals, squares, mixed,
    local, tangents,
):  # fmt: skip
    """Add up what acts on the points of step k and on its end; leave T and J_r of the end."""
    ahead, here = (k + 1) % 2, k % 2
    wrench, gradient, twist = vectors[:2], vectors[3:6], vectors[8]
    _clear(wrench[here])
    _clear(tangents[here])
    for i in range(3):
        _clear(gradient[i])
        _clear(mixed[i])
        for j in range(i + 1):
            _clear(local[i, j])
    for i in range(3):
        p = 2 * k + i
        if i < 2 and not posed[p]:
            continue
        f = load[p] if i < 2 else wrench[ahead]
        if i < 2:
            _copy(squares[4], load_tangent[p], transposed)
        else:
            _copy(squares[4], tangents[ahead], False)
        w = _weights(h, PLACES[i])
        _expansion(twist, w, first, second)
        _add_place(
            w, twist, f, squares[4], wrench[here], tangents[here], gradient, mixed, local,
            vectors[9], duals, squares,
        )  # fmt: skip


@inline
def _add_place(w, twist, f, K, wrench, tangent, gradient, mixed, local, pulled, duals, squares):
    """Add a wrench f with the tangent K on one place of a step.

    z = T z_0 + a + ½ [T z_0, a] + …,    a = J_r e + ½ DJ_r[e] e,    e = Σ_i w_i δξ_i

    Adds Tᵀ f and Tᵀ K T to ``wrench`` and ``tangent``; for the twists ξ_i = (ξ_1, ξ_2, β) adds w_i
    J_rᵀ f to their gradient, w_i Tᵀ (K J_r - ½ M J_r) to ``mixed`` and w_i w_j (J_rᵀ K J_r + N) to
    ``local``, below the diagonal, where fᵀ [x, y] = yᵀ M x and N = sym ∂(fᵀ J_r).
    """
    T, J, form = duals[0], duals[1], duals[2]
    product, square = squares[5], squares[6]
    dual.step(T, J, twist, 1.0)
    dual.apply_T(pulled, T, f)
    for c in range(6):
        wrench[c] += pulled[c]
    dual.apply_T(pulled, J, f)
    for i in range(3):
        for c in range(6):
            gradient[i, c] += w[i] * pulled[c]
    dual.matrix_mul(product, K, T)
    dual.add_T_mul(tangent, T, product)
    dual.matrix_mul(product, K, J)
    _clear(form)
    dual.add_step_form(form, twist, 1.0, f)
    _clear(square)
    _add_form(square, form)
    dual.add_T_mul(square, J, product)
    for i in range(3):
        for j in range(i + 1):
            _add_scaled(local[i, j], w[i] * w[j], square)
    dual.bracket_form(form, f, -0.5)
    _add_form_mul(product, form, J)
    _clear(square)
    dual.add_T_mul(square, T, product)
    for i in range(3):
        _add_scaled(mixed[i], w[i], square)


@inline
def _condense(brackets, gradient, mixed, local, pulled, form):
    """Change from the twists (ξ_1, ξ_2, β) to (ξ_1, ξ_2).

    δβ = ad_d1 δξ_1 + ad_d2 δξ_2 + [δξ_1, δξ_2],    ``brackets`` d_1 = -ξ_2, d_2 = ξ_1
    """
    for i in range(2):
        se3.ad_T_apply(pulled, brackets[i], gradient[2])
        for c in range(6):
            gradient[i, c] += pulled[c]
        _add_bracketed(mixed[i], mixed[2], brackets[i], 6, 1)
        for j in range(i + 1):
            _add_bracketed(local[i, j], local[2, i], brackets[j], 6, 1)
    for j in range(2):
        _add_bracketed(local[2, j], local[2, 2], brackets[j], 6, 1)
    for i in range(2):
        for j in range(i + 1):
            _add_bracketed(local[i, j], local[2, j], brackets[i], 1, 6)
    dual.bracket_form(form, gradient[2], 1.0)
    _add_form(local[1, 0], form)


@inline
def _add_bracketed(out, h, x, row, column):
    """out += h ad_x for steps of 6 and 1 from row to row and column to column; ad_xᵀ h for 1 and 6.

    (t, m) ad_x = (t × w + m × v, m × w) for each row (t, m) of h and x = (w, v).
    """
    w0, w1, w2, v0, v1, v2 = x[0], x[1], x[2], x[3], x[4], x[5]
    for i in range(0, 6 * row, row):
        t0, t1, t2 = h[i], h[i + column], h[i + 2 * column]
        m0, m1, m2 = h[i + 3 * column], h[i + 4 * column], h[i + 5 * column]
        out[i] += t1 * w2 - t2 * w1 + m1 * v2 - m2 * v1
        out[i + column] += t2 * w0 - t0 * w2 + m2 * v0 - m0 * v2
        out[i + 2 * column] += t0 * w1 - t1 * w0 + m0 * v1 - m1 * v0
        out[i + 3 * column] += m1 * w2 - m2 * w1
        out[i + 4 * column] += m2 * w0 - m0 * w2
        out[i + 5 * column] += m0 * w1 - m1 * w0


@inline
def _add_force(force, runs, phi, gradient, stress):
    """Add Φᵀ (gradient + stress) of a point to the force of q."""
    for c in range(6):
        value = gradient[c] + stress[c]
        for j in range(runs[c], runs[c + 1]):
            force[j] += phi[j] * value


@inline
def _bracket(out, diagonal, scale, x):
    """out = diagonal + scale ad_x as a dual: the hats of both halves of x."""
    dual.bracket_form(out, x, scale)
    for c in range(0, 9, 4):
        out[c] = diagonal


@inline
def _add_rows(runs, phi_first, phi_second, mixed, local, columns, pulled, rows):
    """Add M_zx Φ to R, and Φᵀ (Aᵀ R + M_xx Φ) to X, of M_xx what is below and half the diagonal.

    M_zx is ``mixed``, M_xx is ``local``, and Aᵀ R is ``pulled``.
    """
    for c in range(6):
        for j in range(runs[c], runs[c + 1]):
            a, b = phi_first[j], phi_second[j]
            for i in range(6):
                k = 6 * i + c
                columns[i, j] += a * mixed[0, k] + b * mixed[1, k]
                pulled[0, i, j] += 0.5 * a * local[0, 0, k]
                pulled[1, i, j] += a * local[1, 0, k] + 0.5 * b * local[1, 1, k]
    for c in range(6):
        one, other = pulled[0, c], pulled[1, c]
        for j in range(runs[c], runs[c + 1]):
            a, b, row = phi_first[j], phi_second[j], rows[j]
            for i in range(len(row)):
                row[i] += a * one[i] + b * other[i]


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
def _write(matrix, n, square, columns, mirrored_columns, rows, mirrored_rows):
    """The tangent of an element from P and R at its beginning, and X; with those of the other pass.

    What couples λ and ζ of the node to each other is there already.
    """
    for i in range(6):
        for j in range(6):
            matrix[i, j] = square[6 * i + j]
        for j in range(n + 12):
            matrix[i, 6 + j] = columns[i, j]
            matrix[6 + j, i] = mirrored_columns[i, j]
    for i in range(n):
        for j in range(n):
            matrix[6 + i, 6 + j] = rows[i, j] + mirrored_rows[j, i]
        for j in range(n, n + 12):
            matrix[6 + i, 6 + j] = rows[i, j]
            matrix[6 + j, 6 + i] = mirrored_rows[i, j]


@inline
def _add_scaled(out, scale, x):
    """out += scale x."""
    for c in range(len(x)):
        out[c] += scale * x[c]


@inline
def _clear(out):
    """out = 0."""
    for c in range(len(out)):
        out[c] = 0.0


@inline
def _copy(out, x, transposed):
    """out = x or its transpose, of 6x6 matrices."""
    for i in range(6):
        for j in range(6):
            out[6 * i + j] = x[6 * j + i] if transposed else x[6 * i + j]


@inline
def _add_form(out, form):
    """Add a form to a 6x6 matrix."""
    for i in range(3):
        for j in range(3):
            out[6 * i + j] += form[3 * i + j]
            out[6 * i + 3 + j] += form[9 + 3 * i + j]
            out[18 + 6 * i + j] += form[9 + 3 * i + j]


@inline
def _add_form_mul(out, form, x):
    """Add a form times a dual to a 6x6 matrix."""
    for i in range(3):
        for j in range(3):
            e = 0.0
            f = 0.0
            for l in range(3):
                e += form[3 * i + l] * x[3 * l + j] + form[9 + 3 * i + l] * x[9 + 3 * l + j]
                f += form[9 + 3 * i + l] * x[3 * l + j]
            out[6 * i + j] += e
            out[6 * i + 3 + j] += f
            out[18 + 6 * i + j] += f
