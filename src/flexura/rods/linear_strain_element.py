"""One linear strain element: its forces and its tangent, from the laws at its points.

Names as in ``linear_strain_kernels``.
"""

from typing import NamedTuple

from flexura._kernel import inline
from flexura.lie.kernels import dual, matrix6, se3
from flexura.typing import Array


class Element(NamedTuple):
    """An element, or all of them: then each of its parts has an index more."""

    h: Array | float
    slope: Array
    mean: Array
    omega: Array
    from_end: Array
    to_end: Array
    inverse: Array


class Scratch(NamedTuple):
    """Work space of an element.

    Attributes:
        vectors: gradients by (ζ_{n-1}, β, x), that by x with the stress ahead, and more, (6, 6).
        duals: (8, 18).
        forms: of the groups, (3, 3, 18).
        moments: Σ K, Σ (s - h/2) K, Σ (s - h/2)² K, (3, 36).
        local: the tangent, (3, 3, 36).
        mixed: (3, 3, 36).
    """

    vectors: Array
    duals: Array
    forms: Array
    moments: Array
    local: Array
    mixed: Array


@inline
def element_at(elements, n):
    """The element that leads to node n."""
    return Element(
        elements.h[n], elements.slope[n], elements.mean[n], elements.omega[n],
        elements.from_end[n], elements.to_end[n], elements.inverse[n],
    )  # fmt: skip


@inline
def put_twist(out, s, h, slope, mean):
    """Ω(s)."""
    se3.ad_apply(out, slope, mean)
    for c in range(6):
        out[c] = s * (mean[c] + 0.5 * (s - h) * slope[c] - s * s / 12.0 * out[c])


@inline
def put_inverse(out, slope, h):
    """A⁻¹ = (1 + t̂ + t tᵀ) / (1 + t·t) / h over the dual numbers, with t = h²/12 β."""
    r = h * h / 12.0
    t = (r * slope[0], r * slope[1], r * slope[2])
    u = (r * slope[3], r * slope[4], r * slope[5])
    a = 1.0 / (h * (1.0 + t[0] * t[0] + t[1] * t[1] + t[2] * t[2]))
    b = -2.0 * h * a * a * (t[0] * u[0] + t[1] * u[1] + t[2] * u[2])
    for i in range(3):
        for j in range(3):
            k = 3 * i + j
            out[k] = a * t[i] * t[j]
            out[9 + k] = a * (t[i] * u[j] + u[i] * t[j]) + b * t[i] * t[j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[4 * i] += a
        out[9 + 4 * i] += b
        out[3 * j + k] -= a * t[i]
        out[3 * k + j] += a * t[i]
        out[9 + 3 * j + k] -= a * u[i] + b * t[i]
        out[9 + 3 * k + j] += a * u[i] + b * t[i]


@inline
def add_strain_law(lever, p, laws, vectors, moments):
    """Add what the law of strain at point p makes to the gradients and the moments."""
    stress, stress_ahead, stiffness = laws.stress[p], laws.stress_ahead[p], laws.stiffness[p]
    for c in range(6):
        vectors[1, c] += lever * stress[c]
        vectors[2, c] += stress[c]
        vectors[3, c] += stress_ahead[c]
    for c in range(36):
        moments[0, c] += stiffness[c]
        moments[1, c] += lever * stiffness[c]
        moments[2, c] += lever * lever * stiffness[c]


@inline
def add_pose_law(s, element, load, load_tangent, symmetric, scratch):
    """Add the gradient and tangent of a load on the pose at s; z = ∂ζ/∂(ζ_{n-1}, β, x) are duals.

    ζ = z_0 + z_1 + ½ [z_0, z_1] + …,  z_0 = Ad⁻¹ ζ_{n-1},  z_1 = J_r e + ½ DJ_r[e] e,
    e = δΩ(s) - s³/12 [δβ, δx],  δΩ(s) = (s - s³/12 ad_β) δx + (s (s - h)/2 + s³/12 ad_x) δβ.
    """
    vectors, duals, forms = scratch.vectors, scratch.duals, scratch.forms
    local, product = scratch.local, scratch.mixed[0, 0]
    z, tangent, e_slope, e_mean = duals[:3], duals[3], duals[4], duals[5]
    form, work, pulled = duals[6], duals[7], vectors[4]
    pose_tangents(s, element, pulled, duals)
    form[:] = 0.0
    dual.add_step_form(form, pulled, 1.0, load)
    dual.add_pulled(forms[1, 1], e_slope, form, e_slope, work)
    dual.add_pulled(forms[2, 1], e_mean, form, e_slope, work)
    dual.add_pulled(forms[2, 2], e_mean, form, e_mean, work)
    dual.apply_T(pulled, tangent, load)
    dual.bracket_form(form, pulled, -s * s * s / 12.0)
    for c in range(18):
        forms[2, 1, c] += form[c]
    dual.bracket_form(form, load, 0.5)
    dual.add_pulled(forms[1, 0], z[1], form, z[0], work)
    dual.add_pulled(forms[2, 0], z[2], form, z[0], work)

    add_pulled_load(load, vectors, duals)
    for j in range(3):
        matrix6.mul(product, load_tangent, z[j])
        for i in range(j if symmetric else 0, 3):
            matrix6.add_T_mul(local[i, j], z[i], product)


@inline
def pose_tangents(s, element, twist, duals):
    """Ω(s); then z, J_r and e, by δβ and δx, of ``add_pose_law`` to duals[:6]."""
    r = s * s * s / 12.0
    put_twist(twist, s, element.h, element.slope, element.mean)
    dual.step(duals[0], duals[3], twist, 1.0)
    dual.bracket(duals[4], 0.5 * s * (s - element.h), r, element.mean)
    dual.bracket(duals[5], s, -r, element.slope)
    dual.mul(duals[1], duals[3], duals[4])
    dual.mul(duals[2], duals[3], duals[5])


@inline
def add_pulled_load(load, vectors, z):
    """Add zᵀ load to the gradients, that of x also to the one with the stress ahead."""
    pulled = vectors[4]
    for i in range(3):
        dual.apply_T(pulled, z[i], load)
        for c in range(6):
            vectors[i, c] += pulled[c]
            if i == 2:
                vectors[3, c] += pulled[c]


@inline
def add_forces(element, vectors, before, slope, after):
    """Forces of both nodes and of the slope; ``vectors[4]`` becomes A⁻ᵀ ∂U/∂x, stress ahead."""
    h, mu, pulled = element.h, vectors[4], vectors[5]
    dual.apply_T(mu, element.inverse, vectors[2])
    dual.apply_T(pulled, element.from_end, mu)
    for c in range(6):
        before[c] += vectors[0, c] + pulled[c]
    dual.apply_T(pulled, element.to_end, mu)
    for c in range(6):
        after[c] += pulled[c]
    se3.ad_T_apply(pulled, element.mean, mu)
    for c in range(6):
        slope[c] += vectors[1, c] - h * h * h / 12.0 * pulled[c]
    dual.apply_T(mu, element.inverse, vectors[3])


@inline
def add_symmetric_part(h, scratch):
    """Add material part and forms; among them that of μ·δ²x = h³/6 μ·[δβ, δx] + μ·δ²Ω."""
    forms, moments, local, form = scratch.forms, scratch.moments, scratch.local, scratch.duals[0]
    dual.bracket_form(form, scratch.vectors[4], h * h * h / 12.0)
    for c in range(18):
        forms[2, 1, c] += form[c]
    for i in range(3):
        for j in range(i + 1):
            scale = 0.5 if i == j else 1.0
            matrix6.add_form(local[i, j], forms[i, j], scale, False)
            matrix6.add_form(local[j, i], forms[i, j], scale, True)
    for c in range(36):
        local[1, 1, c] += moments[2, c]
        local[2, 1, c] += moments[1, c]
        local[1, 2, c] += moments[1, c]
        local[2, 2, c] += moments[0, c]


@inline
def to_nodes(element, symmetric, loaded, scratch):
    """Change ``local`` from (ζ_{n-1}, β, x) to (ζ_{n-1}, β, ζ_n); X_i = ∂x/∂ of the latter.

    C_ij + X_iᵀ C_2j with C_ij = H_ij + H_i2 X_j; ζ_n acts through x alone, so that the first term
    of the sum is left out for i = 2, and H_ij for j = 2.
    """
    local, mixed, duals = scratch.local, scratch.mixed, scratch.duals
    h, inverse, x = element.h, element.inverse, duals[:3]
    dual.mul(x[0], inverse, element.from_end)
    dual.bracket(duals[3], 0.0, -h * h * h / 12.0, element.mean)
    dual.mul(x[1], inverse, duals[3])
    dual.mul(x[2], inverse, element.to_end)
    first = 0 if loaded else 1
    for j in range(3):
        for i in range(j if symmetric else 0, 3):
            if i < first:
                continue
            out = mixed[i, j]
            for c in range(36):
                out[c] = local[i, j, c] if j < 2 else 0.0
            matrix6.add_mul(out, local[i, 2], x[j])
    for j in range(3):
        for i in range(j if symmetric else 0, 3):
            out = local[i, j]
            for c in range(36):
                out[c] = mixed[i, j, c] if first <= i < 2 else 0.0
            matrix6.add_T_mul(out, x[i], mixed[2, j])


@inline
def add_difference_curvature(element, mu, local, duals):
    """Second variation of Ω contracted with μ = ``mu``.

    μᵀ δ²Ω = (D_a ζ_a + D_b ζ_b)ᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``.
    """
    from_form, to_form, product = duals[0], duals[1], duals[2]
    dual.difference_forms(from_form, to_form, element.omega, mu)
    for j in range(0, 3, 2):
        form = to_form if j == 2 else from_form
        for i in range(0, 3, 2):
            end = element.to_end if i == 2 else element.from_end
            dual.form_product(product, end, form)
            matrix6.add_form(local[i, j], product, 0.5, False)
            matrix6.add_form(local[j, i], product, 0.5, True)


@inline
def mirror(blocks):
    """Fill the blocks above the diagonal, which are zero, from those below."""
    for i in range(3):
        for j in range(i):
            matrix6.add(blocks[j, i], blocks[i, j], 1.0, True)


@inline
def write(matrix, blocks, symmetric):
    """Put the blocks side by side; of a symmetric matrix those on and below the diagonal."""
    for i in range(3):
        for j in range(i + 1 if symmetric else 3):
            for k in range(6):
                for l in range(6):
                    matrix[6 * i + k, 6 * j + l] = blocks[i, j, 6 * k + l]
                    if symmetric and i != j:
                        matrix[6 * j + l, 6 * i + k] = blocks[i, j, 6 * k + l]
