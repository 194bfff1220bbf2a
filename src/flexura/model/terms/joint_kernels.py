"""Compiled part of the joints; symbols as in ``flexura.model.terms.joint``."""

from flexura._kernel import inline, kernel
from flexura.lie import dual, se3


@kernel
def write(
    nodes, offset, adjoint, pose, hold, x, force, blocks, jacobian, frames, duals, squares, row
):
    """Forces, tangents in (ζ_a, ζ_b) and derivatives of all joints.

    δx = D_a ζ_a + D_b ζ_b,    λᵀ δ²x = (D_a ζ_a + D_b ζ_b)ᵀ (N ζ_b - (N + M) ζ_a)
    """
    for e in range(len(nodes)):
        a, b = nodes[e, 0], nodes[e, 1]
        se3.compose_into(frames[0], pose[a], offset[e, 0])
        se3.compose_into(frames[1], pose[b], offset[e, 1])
        ends, forms = duals[0:2], duals[2:4]
        _relative(x[e], frames, squares[0, :16].reshape(4, 4))
        dual.difference(ends[0], ends[1], x[e])
        dual.difference_form(forms[1], x[e], hold[e])
        dual.bracket_form(forms[0], hold[e], 1.0)
        for c in range(18):
            forms[0, c] = -(forms[0, c] + forms[1, c])
        blocks[e] = 0.0
        for side in range(2):
            dual.mul(duals[4], ends[side], adjoint[e, side])
            dual.apply_T(row, duals[4], hold[e])
            for c in range(6):
                force[nodes[e, side], c] += row[c]
            _put_matrix(jacobian[e, side], duals[4])
        for i in range(2):
            for j in range(2):
                dual.form_product(duals[5], ends[i], forms[j])
                _put_half(squares[0], duals[5])
                _add_embedded(blocks[e, i, j], adjoint[e, i], squares[0], adjoint[e, j], squares[1])
                _put_half_transposed(squares[0], duals[5])
                _add_embedded(blocks[e, j, i], adjoint[e, j], squares[0], adjoint[e, i], squares[1])


@inline
def _relative(x, frames, work):
    """x = log(g_a⁻¹ g_b)."""
    se3.between_into(work, frames[0], frames[1])
    se3.log_into(x, work)


@inline
def _put_matrix(out, x):
    """The 6x6 matrix of a dual."""
    for i in range(3):
        for j in range(3):
            out[6 * i + j] = x[3 * i + j]
            out[6 * i + 3 + j] = 0.0
            out[18 + 6 * i + j] = x[9 + 3 * i + j]
            out[21 + 6 * i + j] = x[3 * i + j]


@inline
def _put_half(out, form):
    """Half the 6x6 matrix of a form."""
    for i in range(3):
        for j in range(3):
            out[6 * i + j] = 0.5 * form[3 * i + j]
            out[6 * i + 3 + j] = 0.5 * form[9 + 3 * i + j]
            out[18 + 6 * i + j] = 0.5 * form[9 + 3 * i + j]
            out[21 + 6 * i + j] = 0.0


@inline
def _put_half_transposed(out, form):
    """Half the transposed 6x6 matrix of a form."""
    for i in range(3):
        for j in range(3):
            out[6 * j + i] = 0.5 * form[3 * i + j]
            out[18 + 6 * j + i] = 0.5 * form[9 + 3 * i + j]
            out[6 * j + 3 + i] = 0.5 * form[9 + 3 * i + j]
            out[21 + 6 * i + j] = 0.0


@inline
def _add_embedded(out, left, square, right, work):
    """out += leftᵀ square right."""
    dual.matrix_mul(work, square, right)
    dual.add_T_mul(out, left, work)


@kernel
def wrench(x, hold, out, duals):
    """Minus the gradient of λᵀ x by the motion of the second frame."""
    dual.difference(duals[0], duals[1], x)
    dual.apply_T(out, duals[1], hold)
    for c in range(6):
        out[c] = -out[c]
