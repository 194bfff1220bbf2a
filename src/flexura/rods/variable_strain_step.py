"""One integration step of a variable-strain rod, from its end to its beginning.

Twists, wrenches and tangents are taken in the frame of the element: world axes, at its first
node. There a wrench is the same wherever it acts, and what acts on a rod just adds up. A change z_0
before the step and e of its expansion Ω move a place with the adjoint Ad by

    z = z_0 + a + ½ [z_0, a] + …,    a = S e + ½ Ad DJ_r[e] e,    S = Ad J_r(Ω),

where Ω is linear in the twists (ξ_1, ξ_2, β), the third of which is then eliminated. The three
places are the two Gauss points, where loads act, and the end, on which acts all that comes after.
See docs/theory.md, section 5. Matrices of 6x6 are flat rows of 36.
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, matrix6, se3
from flexura.typing import Array, Pose, Strain

ROOT3 = np.sqrt(3.0)
GAUSS = (0.5 - ROOT3 / 6.0, 0.5 + ROOT3 / 6.0)
PLACES = (*GAUSS, 1.0)  # where wrenches act in a step
# Rows of ``squares``: of the places, then by pairs 11, 21, 22, β1, β2, ββ of (ξ_1, ξ_2, β)
PRODUCT, SQUARE, CARRIED, MIXED, LOCAL = 0, 3, 6, 8, 11
REACH = 3  # first row of ``duals``


class Step(NamedTuple):
    """A step of an element.

    Attributes:
        k: its number; it has the points 2k and 2k + 1.
        h: its length.
        origin: pose of the first node of the element.
        end: pose of its end.
        first, second: ξ_1, ξ_2.
        pose: of all points.
    """

    k: int
    h: float
    origin: Pose
    end: Pose
    first: Strain
    second: Strain
    pose: Pose


class Scratch(NamedTuple):
    """Work space of a step, (11, 6), (7, 18), (20, 36)."""

    vectors: Array
    duals: Array
    squares: Array


@inline
def weights(h, x):
    """(w_1, w_2, w_3) at the part x of a step of length h."""
    bulge = ROOT3 * x * (x - 1.0)
    return 0.5 * h * (x - bulge), 0.5 * h * (x + bulge), h * h * ROOT3 / 12.0 * x * x * x


@inline
def expansion(out, w, first, second):
    """Ω = w_1 ξ_1 + w_2 ξ_2 + w_3 [ξ_1, ξ_2]."""
    se3.ad_apply(out, first, second)
    for c in range(6):
        out[c] = w[0] * first[c] + w[1] * second[c] + w[2] * out[c]


@inline
def adjoint(out, inverse, g, origin):
    """Ad of a pose in the frame of the element, and its inverse, whose blocks are transposed."""
    x, y, z = g[0, 3] - origin[0, 3], g[1, 3] - origin[1, 3], g[2, 3] - origin[2, 3]
    for j in range(3):
        a, b, c = g[0, j], g[1, j], g[2, j]
        out[j], out[3 + j], out[6 + j] = a, b, c
        out[9 + j], out[12 + j], out[15 + j] = y * c - z * b, z * a - x * c, x * b - y * a
    for i in range(3):
        for j in range(3):
            inverse[3 * i + j] = out[3 * j + i]
            inverse[9 + 3 * i + j] = out[9 + 3 * j + i]


@inline
def step_back(step, transposed, laws, wrench, tangent, scratch):
    """Carry a wrench and its tangent from the end of a step to its beginning.

    Leaves for δξ_1, δξ_2 the gradient in ``vectors[:2]``, M_zx at ``MIXED``, of M_xx what is below
    and half the diagonal at ``LOCAL``, A = ∂z_end/∂ξ at ``REACH``.
    """
    vectors, duals, squares = scratch.vectors, scratch.duals, scratch.squares
    mixed, local = squares[MIXED:LOCAL], squares[LOCAL : LOCAL + 6]
    gradient, brackets = vectors[:3], vectors[3:5]
    for c in range(6):
        brackets[0, c], brackets[1, c] = -step.second[c], step.first[c]
    _add_places(step, transposed, laws, wrench, tangent, gradient, scratch)
    _add_up(step.h, squares, mixed, local)
    _condense(brackets, gradient, mixed, local, vectors[5], duals[5])
    w = weights(step.h, 1.0)
    for i in range(2):
        matrix6.add(local[2 * i], laws.stiffness[2 * step.k + i], 0.5, transposed)
        dual.bracket(duals[5], w[i], w[2], brackets[i])
        dual.mul(duals[REACH + i], duals[2], duals[5])


@inline
def carry_step(step, loads, wrench, vectors, duals):
    """Carry a wrench from the end of a step to its beginning, past the loads in it.

    Leaves the gradient for δξ_1, δξ_2 in ``vectors[:2]``.
    """
    first, second, load = step.first, step.second, loads.load
    gradient, bracket, twist, f, turned = (
        vectors[:3], vectors[3], vectors[5], vectors[6], vectors[7],
    )  # fmt: skip
    dual.clear(gradient[2])
    for i in range(2, -1, -1):
        p = 2 * step.k + i
        if i < 2 and not loads.posed[p]:
            continue
        adjoint(duals[0], duals[1], step.pose[p] if i < 2 else step.end, step.origin)
        if i < 2:
            dual.apply_T(turned, duals[1], load[p])
            for c in range(6):
                f[c] = load[p, c]
                wrench[c] += turned[c]
        else:
            dual.apply_T(f, duals[0], wrench)
        w = weights(step.h, PLACES[i])
        expansion(twist, w, first, second)
        dual.step(duals[0], duals[1], twist, 1.0)
        dual.apply_T(turned, duals[1], f)
        for j in range(3):
            for c in range(6):
                gradient[j, c] += w[j] * turned[c]
    for i in range(2):
        for c in range(6):
            bracket[c] = first[c] if i == 1 else -second[c]
        se3.ad_T_apply(turned, bracket, gradient[2])
        for c in range(6):
            gradient[i, c] += turned[c]


@inline
def _add_places(step, transposed, laws, wrench, tangent, gradient, scratch):
    """What acts on the end of a step and on its points: two squares and S of each place."""
    vectors, duals, squares = scratch.vectors, scratch.duals, scratch.squares
    twist, f, turned, pulled = vectors[5], vectors[6], vectors[7], vectors[8]
    Ad, inverse = duals[3], duals[4]
    carried = squares[CARRIED]
    dual.clear(gradient[0])
    dual.clear(gradient[1])
    dual.clear(gradient[2])
    for i in range(2, -1, -1):
        p = 2 * step.k + i
        if i < 2 and not laws.posed[p]:
            dual.clear(squares[PRODUCT + i])
            dual.clear(squares[SQUARE + i])
            continue
        adjoint(Ad, inverse, step.pose[p] if i < 2 else step.end, step.origin)
        if i < 2:
            for c in range(6):
                f[c] = laws.load[p, c]
            dual.apply_T(turned, inverse, f)
            pulled_by(carried, inverse, laws.load_tangent[p], squares[CARRIED + 1])
            if transposed:
                transpose(carried)
        else:
            for c in range(6):
                turned[c] = wrench[c]
            dual.apply_T(f, Ad, turned)
        w = weights(step.h, PLACES[i])
        expansion(twist, w, step.first, step.second)
        dual.tangent_and_form(duals[5], duals[6], twist, f)
        dual.mul(duals[i], Ad, duals[5])
        matrix6.from_form(squares[SQUARE + i], duals[6])
        _add_place(
            w, duals[i], turned, carried if i < 2 else tangent, gradient, squares[PRODUCT + i],
            squares[SQUARE + i], pulled,
        )  # fmt: skip
        if i < 2:
            for c in range(6):
                wrench[c] += turned[c]
            matrix6.add(tangent, carried, 1.0, False)


@kernel
def pulled_by(out, x, h, work):
    """out = xᵀ h x, a 6x6 matrix passed through a dual; not copied to each place that asks."""
    matrix6.pulled(out, x, h, x, work)


@inline
def transpose(h):
    """h = hᵀ, a 6x6 matrix."""
    for i in range(6):
        for j in range(i):
            h[6 * i + j], h[6 * j + i] = h[6 * j + i], h[6 * i + j]


@inline
def _add_place(w, S, f, K, gradient, product, square, pulled):
    """What a wrench f with the tangent K adds, in the frame of the element.

    To the gradient w_i Sᵀ f for the twists ξ_i = (ξ_1, ξ_2, β). Then product = (K - ½ M) S and
    square = Sᵀ K S + N, where fᵀ [x, y] = yᵀ M x and N = sym ∂(fᵀ J_r), which is there already.
    """
    dual.apply_T(pulled, S, f)
    for i in range(3):
        for c in range(6):
            gradient[i, c] += w[i] * pulled[c]
    matrix6.mul(product, K, S)
    matrix6.add_T_mul(square, S, product)
    _add_bracket_mul(product, -0.5, f, S)


@inline
def _add_up(h, squares, mixed, local):
    """Σ w_i product and, below the diagonal, Σ w_i w_j square over the places of a step."""
    a, b, e = weights(h, PLACES[0]), weights(h, PLACES[1]), weights(h, PLACES[2])
    for i in range(3):
        for j in range(i + 1):
            _combine(
                local[i * (i + 1) // 2 + j], a[i] * a[j], b[i] * b[j], e[i] * e[j], squares, SQUARE
            )
        _combine(mixed[i], a[i], b[i], e[i], squares, PRODUCT)


@inline
def _combine(out, x, y, z, squares, k):
    """A combination of three matrices."""
    one, two, three = squares[k], squares[k + 1], squares[k + 2]
    for c in range(36):
        out[c] = x * one[c] + y * two[c] + z * three[c]


@inline
def _condense(brackets, gradient, mixed, local, pulled, form):
    """Change from the twists (ξ_1, ξ_2, β) to (ξ_1, ξ_2), and halve the diagonal.

    δβ = D_1 δξ_1 + D_2 δξ_2 + [δξ_1, δξ_2],    D = ad of the ``brackets`` -ξ_2 and ξ_1

    The diagonal is ½ M_ii + (M_βi + ½ D_iᵀ M_ββ) D_i, which makes the whole with the
    transpose of its like from the same or the other pass. Below it there is
    M_21 + D_2ᵀ M_β1 + (M_β2 + D_2ᵀ M_ββ) D_1.
    """
    for i in range(2):
        se3.ad_T_apply(pulled, brackets[i], gradient[2])
        for c in range(6):
            gradient[i, c] += pulled[c]
        _add_mul_ad(mixed[i], mixed[2], brackets[i])
    _add_ad_T_mul(local[1], 1.0, brackets[1], local[3])
    for i in range(2):
        for c in range(36):
            local[2 * i, c] *= 0.5
        _add_ad_T_mul(local[3 + i], 0.5, brackets[i], local[5])
        _add_mul_ad(local[2 * i], local[3 + i], brackets[i])
    _add_ad_T_mul(local[4], 0.5, brackets[1], local[5])
    _add_mul_ad(local[1], local[4], brackets[0])
    dual.bracket_form(form, gradient[2], 1.0)
    matrix6.add_form(local[1], form, 1.0, False)


@inline
def _add_mul_ad(out, h, x):
    """out += h ad_x."""
    _add_crossed(out, h, 1.0, x, 6, 1)


@inline
def _add_ad_T_mul(out, scale, x, h):
    """out += scale ad_xᵀ h."""
    _add_crossed(out, h, scale, x, 1, 6)


@inline
def _add_crossed(out, h, scale, x, next_line, next_entry):
    """Add (t × w + m × v, m × w) for each line (t, m) of h, row or column, and scale x = (w, v)."""
    w0, w1, w2 = scale * x[0], scale * x[1], scale * x[2]
    v0, v1, v2 = scale * x[3], scale * x[4], scale * x[5]
    for line in range(6):
        i0 = next_line * line
        i1, i2, i3 = i0 + next_entry, i0 + 2 * next_entry, i0 + 3 * next_entry
        i4, i5 = i0 + 4 * next_entry, i0 + 5 * next_entry
        t0, t1, t2, m0, m1, m2 = h[i0], h[i1], h[i2], h[i3], h[i4], h[i5]
        out[i0] += t1 * w2 - t2 * w1 + m1 * v2 - m2 * v1
        out[i1] += t2 * w0 - t0 * w2 + m2 * v0 - m0 * v2
        out[i2] += t0 * w1 - t1 * w0 + m0 * v1 - m1 * v0
        out[i3] += m1 * w2 - m2 * w1
        out[i4] += m2 * w0 - m0 * w2
        out[i5] += m0 * w1 - m1 * w0


@inline
def _add_bracket_mul(out, scale, f, x):
    """out += scale M x for a dual x, with fᵀ [x, y] = yᵀ M x: M = [[m̂, n̂], [n̂, 0]], f = (m, n)."""
    m0, m1, m2 = scale * f[0], scale * f[1], scale * f[2]
    n0, n1, n2 = scale * f[3], scale * f[4], scale * f[5]
    for j in range(3):
        a0, a1, a2, b0, b1, b2 = x[j], x[3 + j], x[6 + j], x[9 + j], x[12 + j], x[15 + j]
        c0, c1, c2 = n1 * a2 - n2 * a1, n2 * a0 - n0 * a2, n0 * a1 - n1 * a0
        out[j] += m1 * a2 - m2 * a1 + n1 * b2 - n2 * b1
        out[6 + j] += m2 * a0 - m0 * a2 + n2 * b0 - n0 * b2
        out[12 + j] += m0 * a1 - m1 * a0 + n0 * b1 - n1 * b0
        out[3 + j] += c0
        out[9 + j] += c1
        out[15 + j] += c2
        out[18 + j] += c0
        out[24 + j] += c1
        out[30 + j] += c2
