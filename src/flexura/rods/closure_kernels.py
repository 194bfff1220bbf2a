"""How the end of an element's integration is tied to the node that it leads to.

The unknowns of an element are (ζ of the node before, n of its own, λ, ζ of the node), in that
order. Six multipliers λ hold c = log(g_end⁻¹ g_node) = 0, where g_end follows from the first 6 + n
unknowns. Everything is exact to second order, also where c is not zero. A loose end needs no
multipliers: what acts on its node acts on the end of the integration.
"""

from typing import NamedTuple

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, matrix6, se3
from flexura.typing import Array


class Closure(NamedTuple):
    """What holds the end of an element, or acts on it if it is loose.

    Attributes:
        pull: the wrench at the end, (6,).
        square: ∂c/∂z_end, and the second derivatives zz and zb of λᵀ c, flat; more is work space.
        small: work space, (28,).
        duals: work space, (5, 18).
    """

    pull: Array
    square: Array
    small: Array
    duals: Array


@kernel
def tie(rod_nodes, end, nodes, inner, loose, force, inner_force, wrench, small, forms):
    """What the multipliers of all elements exert on both ends, and the gaps.

    The one at the end of an integration goes to ``wrench``, zero where it is loose.
    """
    n = inner.shape[1] - 6
    for rod in range(len(rod_nodes) - 1):
        for tip in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            if loose[tip]:
                dual.clear(wrench[tip])
            else:
                pull_ends(
                    end[tip], nodes[tip], inner[tip, n:], force[tip], inner_force[tip, n:],
                    wrench[tip], small, forms,
                )  # fmt: skip


@inline
def pull_ends(end, tip_pose, multiplier, tip_force, gaps, pull, small, forms):
    """The gap c, and what λ exerts at the tip; ``pull`` becomes what it exerts at the end.

    ``forms`` begins with ∂c by both ends, ``small`` holds c after a pose.
    """
    relative, gap = small[0:16].reshape(4, 4), small[16:22]
    se3.between_into(relative, end, tip_pose)
    se3.log_into(gap, relative)
    dual.difference(forms[0], forms[1], gap)
    dual.apply_T(pull, forms[0], multiplier)
    dual.apply_T(small[22:28], forms[1], multiplier)
    for c in range(6):
        tip_force[c] += small[22 + c]
        gaps[c] += gap[c]


@kernel
def act(rod_nodes, loose, force, wrench):
    """What acts on loose tips acts on the ends of integrations, to ``wrench``; nothing else."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for c in range(6):
                wrench[n, c] = force[n, c] if loose[n] else 0.0


@inline
def close(end, tip_pose, multiplier, tip_force, gaps, matrix, closure):
    """The closure c = log(g_end⁻¹ g_tip): its forces, and its tangent at both of its ends."""
    square, small, forms = closure.square, closure.small, closure.duals
    pull_ends(end, tip_pose, multiplier, tip_force, gaps, closure.pull, small, forms)
    from_end, to_end, from_form, to_form, product = forms[0], forms[1], forms[2], forms[3], forms[4]
    dual.difference_forms(from_form, to_form, small[16:22], multiplier)
    zz, zb, bb = square[1], square[2], square[3]
    dual.clear(zz)
    dual.clear(zb)
    dual.clear(bb)
    dual.form_product(product, from_end, from_form)
    matrix6.add_form(zz, product, 0.5, False)
    matrix6.add_form(zz, product, 0.5, True)
    dual.form_product(product, from_end, to_form)
    matrix6.add_form(zb, product, 0.5, False)
    dual.form_product(product, to_end, from_form)
    matrix6.add_form(zb, product, 0.5, True)
    dual.form_product(product, to_end, to_form)
    matrix6.add_form(bb, product, 0.5, False)
    matrix6.add_form(bb, product, 0.5, True)
    last = len(matrix) - 6
    matrix6.from_dual(square[0], to_end)
    for i in range(6):
        for j in range(6):
            matrix[last - 6 + i, last + j] = matrix[last + j, last - 6 + i] = square[0, 6 * i + j]
            matrix[last + i, last + j] += bb[6 * i + j]
    matrix6.from_dual(square[0], from_end)


@inline
def release(wrench, tangent, closure):
    """A loose end: what acts on it, where ``close`` leaves what λ does."""
    square = closure.square
    for c in range(6):
        closure.pull[c] = wrench[c]
    for c in range(36):
        square[0, c] = square[2, c] = 0.0
        square[1, c] = tangent[c]


@inline
def finish(n, moved, square, matrix, product):
    """Couple the end of the integration to the multipliers and to the tip's node."""
    add_square(n, moved, square[1], matrix, product)
    couple(6 + n, n, moved, square, matrix)


@inline
def couple(count, n, moved, square, matrix):
    """What couples the first unknowns, which move the end, to the multipliers and the tip."""
    last = n + 12
    for i in range(count):
        for c in range(6):
            constraint = 0.0
            cross = 0.0
            for l in range(6):
                constraint += square[0, 6 * c + l] * moved[i, l]
                cross += square[2, 6 * l + c] * moved[i, l]
            matrix[6 + n + c, i] += constraint
            matrix[i, 6 + n + c] += constraint
            matrix[i, last + c] += cross
            matrix[last + c, i] += cross


@inline
def add_square(n, jacobian, tangent, matrix, product):
    """Add Zᵀ K Z for a Jacobian whose rows are columns, and a flat 6x6 tangent."""
    for j in range(6 + n):
        for c in range(6):
            value = 0.0
            for l in range(6):
                value += tangent[6 * c + l] * jacobian[j, l]
            product[j, c] = value
    for i in range(6 + n):
        for j in range(6 + n):
            value = 0.0
            for c in range(6):
                value += jacobian[i, c] * product[j, c]
            matrix[i, j] += value
