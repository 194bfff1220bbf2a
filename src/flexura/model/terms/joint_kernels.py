"""Compiled part of the joints; symbols as in ``flexura.model.terms.joint``."""

from flexura._kernel import kernel
from flexura.lie.kernels import dual, matrix6, se3


@kernel
def add(nodes, offset, adjoint, pose, hold, x, force, blocks, jacobian, frames, duals, row):
    """Forces, tangents in (ζ_a, ζ_b) and derivatives of all joints.

    δx = D_a ζ_a + D_b ζ_b,    λᵀ δ²x = δxᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``
    """
    for e in range(len(nodes)):
        a, b = nodes[e, 0], nodes[e, 1]
        se3.compose_into(frames[0], pose[a], offset[e, 0])
        se3.compose_into(frames[1], pose[b], offset[e, 1])
        ends, forms, D, pulled, work = duals[0:2], duals[2:4], duals[4:6], duals[6], duals[7]
        se3.between_into(frames[2], frames[0], frames[1])
        se3.log_into(x[e], frames[2])
        dual.difference(ends[0], ends[1], x[e])
        dual.difference_forms(forms[0], forms[1], x[e], hold[e])
        blocks[e] = 0.0
        for side in range(2):
            dual.mul(D[side], ends[side], adjoint[e, side])
            dual.apply_T(row, D[side], hold[e])
            for c in range(6):
                force[nodes[e, side], c] += row[c]
            matrix6.from_dual(jacobian[e, side], D[side])
        for i in range(2):
            for j in range(2):
                dual.clear(pulled)
                dual.add_pulled(pulled, D[i], forms[j], adjoint[e, j], work)
                matrix6.add_form(blocks[e, i, j], pulled, 0.5, False)
                matrix6.add_form(blocks[e, j, i], pulled, 0.5, True)


@kernel
def wrench(x, hold, out, duals):
    """Minus the gradient of λᵀ x by the motion of the second frame."""
    dual.difference(duals[0], duals[1], x)
    dual.apply_T(out, duals[1], hold)
    for c in range(6):
        out[c] = -out[c]
