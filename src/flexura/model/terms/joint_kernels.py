"""Compiled part of the joints; symbols as in ``flexura.model.terms.joint``."""

from math import pi, sqrt

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, matrix6, se3
from flexura.lie.kernels.series import dexpinv_coefficient
from flexura.lie.kernels.vector import Vec, cross, dot, polynomial, put, rotate_back, vec
from flexura.typing import Array

# Rotations this near to half a turn [rad] have one of two vectors: the one along this direction,
# which is across no axis that robots have.
HALF_TURN = 1e-6
ALONG: Vec = (0.83, 0.47, 0.29)


@kernel
def relative_into(x: Array, frames: Array) -> None:
    """Write x, the twist of the second of two frames in the first; the third is work space.

    Half a turn about an axis is one about its opposite. A rod that hangs below a ball where it was
    to stand is turned like that, and which of them it is must not be left to rounding: what
    multipliers exert would change.
    """
    se3.between_into(frames[2], frames[0], frames[1])
    se3.log_into(x, frames[2])
    turn = vec(x, 0)
    if dot(turn, turn) > (pi - HALF_TURN) ** 2 and dot(turn, ALONG) < 0.0:
        _turn_round(x, frames[2])


@inline
def _turn_round(x: Array, pose: Array) -> None:
    """Write the twist of a pose that turns the other way round than x does."""
    turn = vec(x, 0)
    part = 1.0 - 2.0 * pi / sqrt(dot(turn, turn))
    turn = (part * turn[0], part * turn[1], part * turn[2])
    put(x, 0, turn)
    put(x, 3, polynomial(turn, -0.5, dexpinv_coefficient(dot(turn, turn)), se3.position(pose)))


@kernel
def near_into(x: Array, near: Array, frames: Array) -> None:
    """The same as ``relative_into``; of the two ways round, the one whose turn is nearer."""
    relative_into(x, frames)
    turn = vec(x, 0)
    angle = sqrt(dot(turn, turn))
    # |x - 2π x/|x| - y| < |x - y|, where x is a quarter of a turn or more
    if angle > 0.5 * pi and (pi - angle) * angle + dot(turn, vec(near, 0)) < 0.0:
        _turn_round(x, frames[2])


@kernel
def relative(nodes, offset, pose, near, x, frames):
    """x of all joints, near those that are given, if any are."""
    for e in range(len(nodes)):
        for side in range(2):
            se3.compose_into(frames[side], pose[nodes[e, side]], offset[e, side])
        if len(near):
            near_into(x[e], near[e], frames)
        else:
            relative_into(x[e], frames)


@inline
def _turns(held):
    """Whether a joint holds no rotation."""
    return not (held[0] or held[1] or held[2])


@inline
def _apart(x, from_end, to_end, relative):
    """Write p, where the second of two frames is in the first, and its derivatives as duals.

    δp = p̂ ω_a - v_a + R v_b, whichever way round one has turned in the other. Their upper rows,
    R ω_b - ω_a, are how it turns.
    """
    p, zero = se3.position(relative), (0.0, 0.0, 0.0)
    put(x, 3, p)
    nothing = (zero, zero, zero)
    one = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    # minus p̂, row by row
    skew = ((0.0, p[2], -p[1]), (-p[2], 0.0, p[0]), (p[1], -p[0], 0.0))
    dual.put(from_end, -1.0, one, skew)
    rows = (vec(relative[0], 0), vec(relative[1], 0), vec(relative[2], 0))
    dual.put(to_end, 1.0, rows, nothing)


@inline
def _form_apart(out, f, p, relative, i, j):
    """The 6x6 matrix of the second variation of fᵀ p by the frames i and j, both in their axes.

    fᵀ δ²p = fᵀ (ω̂_a ω̂_a p + ω̂_a v_a - 2 ω̂_a R v_b + R ω̂_b v_b)
    """
    for k in range(36):
        out[k] = 0.0
    if i != j:
        for c in range(3):
            h = cross(f, (relative[0, c], relative[1, c], relative[2, c]))
            for r in range(3):
                out[6 * r + 3 + c if i == 0 else 18 + 6 * c + r] = h[r]
        return
    h = f if i == 0 else rotate_back(relative, f)
    half = ((0.0, -h[2], h[1]), (h[2], 0.0, -h[0]), (-h[1], h[0], 0.0))
    for r in range(3):
        for c in range(3):
            out[6 * r + 3 + c] = -0.5 * half[r][c]
            out[18 + 6 * r + c] = 0.5 * half[r][c]
            if i == 0:
                out[6 * r + c] = 0.5 * (f[r] * p[c] + p[r] * f[c])
        if i == 0:
            out[7 * r] -= dot(f, p)


@kernel
def _add_ball(x, frames, adjoint, hold, blocks, ends, D, squares, tangents):
    """The same as ``add`` of a joint that holds no rotation, but for its forces."""
    _apart(x, ends[0], ends[1], frames[2])
    for side in range(2):
        dual.mul(D[side], ends[side], adjoint[side])
    if not tangents:
        return
    for i in range(2):
        for j in range(2):
            _form_apart(squares[0], vec(hold, 3), vec(x, 3), frames[2], i, j)
            matrix6.pulled(blocks[i, j], adjoint[i], squares[0], adjoint[j], squares[1])


@inline
def add(
    nodes, offset, adjoint, held, pose, near, hold, x, force, blocks, jacobian, frames, duals,
    squares, row, tangents,
):  # fmt: skip
    """Forces, tangents in (ζ_a, ζ_b) and derivatives of all joints; these if asked for.

    δx = D_a ζ_a + D_b ζ_b,    λᵀ δ²x = δxᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``
    """
    for e in range(len(nodes)):
        a, b = nodes[e, 0], nodes[e, 1]
        se3.compose_into(frames[0], pose[a], offset[e, 0])
        se3.compose_into(frames[1], pose[b], offset[e, 1])
        ends, forms, D, pulled, work = duals[0:2], duals[2:4], duals[4:6], duals[6], duals[7]
        if len(near):
            near_into(x[e], near[e], frames)
        else:
            relative_into(x[e], frames)
        ball = _turns(held[e])
        if ball:
            _add_ball(
                x[e], frames, adjoint[e], hold[e], blocks[e], ends, D, squares, tangents
            )  # fmt: skip
        else:
            dual.difference(ends[0], ends[1], x[e])
        for side in range(2):
            if not ball:
                dual.mul(D[side], ends[side], adjoint[e, side])
            dual.apply_T(row, D[side], hold[e])
            for c in range(6):
                force[nodes[e, side], c] += row[c]
        if not tangents:
            continue
        for side in range(2):
            matrix6.from_dual(jacobian[e, side], D[side])
        if ball:
            continue
        dual.difference_forms(forms[0], forms[1], x[e], hold[e])
        blocks[e] = 0.0
        for i in range(2):
            for j in range(2):
                dual.clear(pulled)
                dual.add_pulled(pulled, D[i], forms[j], adjoint[e, j], work)
                matrix6.add_form(blocks[e, i, j], pulled, 0.5, False)
                matrix6.add_form(blocks[e, j, i], pulled, 0.5, True)


@kernel
def add_held(
    nodes, offset, adjoint, held, pose, near, numbers, force, blocks, gap, rows, x, hold, jacobian,
    frames, duals, squares, row, tangents,
):  # fmt: skip
    """The same with multipliers of the components that are held, and the gaps of these."""
    n, k = len(nodes), 0
    for e in range(n):
        for c in range(6):
            hold[e, c] = 0.0
            if held[e, c]:
                hold[e, c] = numbers[k]
                k += 1
    add(
        nodes, offset, adjoint, held, pose, near, hold, x, force, blocks, jacobian, frames, duals,
        squares, row, tangents,
    )  # fmt: skip
    k = 0
    for e in range(n):
        for c in range(6):
            if held[e, c]:
                gap[k] = x[e, c]
                if tangents:
                    for side in range(2):
                        for d in range(6):
                            rows[k, side, d] = jacobian[e, side, 6 * c + d]
                k += 1


@kernel
def wrench(x, hold, out, duals):
    """Minus the gradient of λᵀ x by the motion of the second frame."""
    dual.difference(duals[0], duals[1], x)
    dual.apply_T(out, duals[1], hold)
    for c in range(6):
        out[c] = -out[c]
