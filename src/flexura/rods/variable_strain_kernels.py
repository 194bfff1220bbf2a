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

from typing import NamedTuple

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import dual
from flexura.rods import closure_kernels
from flexura.rods.closure_kernels import Closure
from flexura.rods.point_laws import Loads, PointLaws
from flexura.rods.variable_strain_columns import add_products, add_reach, add_rows, pull_rows
from flexura.rods.variable_strain_step import (
    REACH,
    Scratch,
    Step,
    adjoint,
    carry_step,
    pulled_by,
    step_back,
    transpose,
)
from flexura.typing import Array, Indices, Pose, Strain

END_WRENCH, WRENCH = 9, 10  # rows of ``vectors``: F at the end of an element, and on the way
END_TANGENT, TANGENT = 17, 18  # rows of ``squares``: P there, and on the way in each pass
CLOSING, REACHED, SPARE = 2, 3, 4  # of ``columns``: R by (λ, ζ of the node), ∂z_end/∂q, any


class Curve(NamedTuple):
    """The integrated rods.

    Attributes:
        node_steps: steps of the elements.
        step: h of the steps.
        strain: ξ at the points.
        poses: at the beginning of the steps.
        end: of the elements, by the node that they lead to.
        pose: at the points where loads act.
    """

    node_steps: Indices
    step: Array
    strain: Strain
    poses: Pose
    end: Pose
    pose: Pose


@inline
def _step(curve, node, k, origin):
    """Step k, of the element that leads to a node."""
    last = k + 1 == curve.node_steps[node + 1]
    after = curve.end[node] if last else curve.poses[k + 1]
    first, second = curve.strain[2 * k], curve.strain[2 * k + 1]
    return Step(k, curve.step[k], origin, after, first, second, curve.pose)


@kernel
def carry_back(
    node_steps, step, strain, poses, end, pose, runs, phi, nodes, stress, posed, load, end_wrench,
    force, inner_force, vectors, duals,
):  # fmt: skip
    """Forces from stresses and loads at the points, and from a wrench at the end of each element.

    The stress alone adds Σ_p φ_j(s_p) Λ_c(j)(s_p) to the force of the coefficient j.
    """
    curve = Curve(node_steps, step, strain, poses, end, pose)
    loads, wrench = Loads(posed, load), vectors[WRENCH]
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
                carry_step(_step(curve, node, k, origin), loads, wrench, vectors, duals)
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
    node_steps, step, strain, poses, end, pose, runs, phi, nodes, inner, stress, stress_ahead,
    stiffness, posed, load, load_tangent, loose, end_tangent, symmetric, force, inner_force,
    matrices, vectors, duals, squares, columns, pulled, rows, small,
):  # fmt: skip
    """Forces and tangents of all elements, from the laws at the points.

    An unsymmetric tangent H takes two passes: H = X + Yᵀ, where Y is what the pass makes of the
    transposed laws. The tangent of a symmetric one is H = X + Xᵀ.

    Args (all weights are inside the laws):
        node_steps … pose: of ``Curve``.
        stress … end_tangent: of ``PointLaws``; on loose ends acts ``force``.
        symmetric: whether all load tangents are.
        force, inner_force: results, added to.
        matrices: results; row n is the tangent in the order of the module's head.
        columns, rows: work space; R and X in each pass.
        pulled: Aᵀ R + M_xx Φ at the points of an element.
        vectors, duals, squares, small: more work space.
    """
    curve = Curve(node_steps, step, strain, poses, end, pose)
    laws = PointLaws(stress, stress_ahead, stiffness, posed, load, load_tangent, loose, end_tangent)
    scratch = Scratch(vectors, duals, squares)
    closure = Closure(vectors[0], squares[:4], small, duals)
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
                end[node], nodes[node], inner[node, n:], force[node], inner_force[node, n:],
                matrix, closure,
            )  # fmt: skip
        else:
            closure_kernels.release(force[node], end_tangent[node], closure)
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
                here = _step(curve, node, k, origin)
                step_back(here, side == 1, laws, wrench, tangent, scratch)
                if side == 0:
                    _add_force(inner_force[node], runs, phi, k, vectors, stress)
                own = pulled[2 * (k - first) :]
                for i in range(2):
                    pull_rows(own[i], duals[REACH + i], columns[side])
                add_rows(runs, phi[2 * k], phi[2 * k + 1], squares, columns[side], own)
                if held:
                    add_reach(runs, phi[2 * k], phi[2 * k + 1], duals, reach)
            add_products(runs, phi, pulled, 2 * first, 2 * stop, rows[side])
        _finish(origin, last, held, force[node - 1], matrix, scratch, columns, rows)


@inline
def _begin(closing, inverse, vectors, squares, work):
    """F and P at the end of an element, and R by λ, (∂c/∂z)ᵀ, and by ζ of the node.

    From what ``closure_kernels.close`` leaves in ``vectors[0]`` and ``squares[:3]``.
    """
    dual.apply_T(vectors[END_WRENCH], inverse, vectors[0])
    pulled_by(squares[END_TANGENT], inverse, squares[1], squares[4])
    for i in range(6):
        for j in range(6):
            work[i, j] = squares[0, 6 * j + i]
            work[i, 6 + j] = squares[2, 6 * i + j]
    pull_rows(closing, inverse, work)


@inline
def _copy(out, x):
    """out = x."""
    for c in range(len(x)):
        out[c] = x[c]


@inline
def _add_force(force, runs, phi, k, gradient, stress):
    """Add Φᵀ (gradient + stress) of the points of step k to the force of q."""
    for c in range(len(runs) - 1):  # 6, which makes no six copies of what is inside
        first = gradient[0, c] + stress[2 * k, c]
        second = gradient[1, c] + stress[2 * k + 1, c]
        for j in range(runs[c], runs[c + 1]):
            force[j] += phi[2 * k, j] * first + phi[2 * k + 1, j] * second


@inline
def _turn_to_node(turn, origin):
    """From the axes of a node to those of the world, as a dual."""
    for i in range(3):
        for j in range(3):
            turn[3 * i + j] = origin[i, j]
            turn[9 + 3 * i + j] = 0.0


@inline
def _finish(origin, last, held, before, matrix, scratch, columns, rows):
    """Turn F, P and R at the beginning of an element to its first node, and write the tangent.

    What couples λ and ζ of the second node to each other is there already, if it is held.
    """
    vectors, squares, n = scratch.vectors, scratch.squares, len(matrix) - 18
    turn, turned = scratch.duals[0], columns[SPARE]
    _turn_to_node(turn, origin)
    dual.apply_T(vectors[0], turn, vectors[WRENCH])
    for c in range(6):
        before[c] += vectors[0, c]
    pulled_by(squares[1], turn, squares[TANGENT], squares[0])
    for i in range(6):
        for j in range(6):
            matrix[i, j] = squares[1, 6 * i + j]
    pull_rows(turned, turn, columns[0])
    _put(matrix, 0, 6, turned, n)
    pull_rows(turned, turn, columns[last])
    _put_transposed(matrix, 6, 0, turned, n)
    for i in range(n):
        for j in range(n):
            matrix[6 + i, 6 + j] = rows[0, i, j] + rows[last, j, i]
    if not held:
        return
    pull_rows(turned, turn, columns[CLOSING])
    _put(matrix, 0, 6 + n, turned, 12)
    _put_transposed(matrix, 6 + n, 0, turned, 12)
    for i in range(n):
        for j in range(12):
            value = 0.0
            for c in range(6):
                value += columns[REACHED, c, i] * columns[CLOSING, c, j]
            matrix[6 + i, 6 + n + j] = matrix[6 + n + j, 6 + i] = value


@kernel
def _put(matrix, row, column, block, count):
    """Write so many columns of a block from some row and column on."""
    for i in range(len(block)):
        for j in range(count):
            matrix[row + i, column + j] = block[i, j]


@kernel
def _put_transposed(matrix, row, column, block, count):
    """The same of its transpose."""
    for i in range(len(block)):
        for j in range(count):
            matrix[row + j, column + i] = block[i, j]
