"""Compiled heart of the linear strain element: kinematics at the points, forces back to the nodes.

Symbols, for the element of length h that leads to node n, at arc length s from its beginning:

    ξ(s) = x + (s - h/2) β,     Ω = log(g_{n-1}⁻¹ g_n) = A x,     A = h - h³/12 ad_β
    g(s) = g_{n-1} exp(Ω(s)),   Ω(s) = s x + s (s - h)/2 β - s³/12 [β, x],   Ω(h) = Ω

``mean`` is x, ``slope`` is β, ``inverse`` is A⁻¹ as a dual (``lie.kernels.dual``). Everything that
belongs to an element is stored with the node that it leads to; its points are
``first_point[n] … first_point[n + 1] - 1``. Matrices of 6x6 are flat rows of 36.

Variations are taken in three groups of six: (ζ_{n-1}, β, x) at the points, where the strain is
linear, and (ζ_{n-1}, β, ζ_n) in the result, which has the same order.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.lie.kernels import dual, matrix6, se3


@kernel
def strains(rod_nodes, first_point, s, length, slope, omega, inverse, mean, strain):
    """x of every element and ξ at every point."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            _inverse(inverse[n], slope[n], length[n])
            dual.apply(mean[n], inverse[n], omega[n])
            for p in range(first_point[n], first_point[n + 1]):
                lever = s[p] - 0.5 * length[n]
                for c in range(6):
                    strain[p, c] = mean[n, c] + lever * slope[n, c]


@kernel
def poses(points, point_node, s, length, nodes, slope, mean, pose, work, twist):
    """g at the chosen points."""
    for p in points:
        n = point_node[p]
        _twist(twist, s[p], length[n], slope[n], mean[n])
        se3.exp_into(work, twist)
        se3.compose_into(pose[p], nodes[n - 1], work)


@kernel
def strain_increments(
    rod_nodes, first_point, s, length, from_end, to_end, inverse, mean, d_nodes, d_slope,
    d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes and of the slopes.

    δξ = δx + (s - h/2) δβ,   δx = A⁻¹ (δΩ + h³/12 [δβ, x])
    """
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            h = length[n]
            dual.apply(work[0], from_end[n], d_nodes[n - 1])
            dual.apply(work[1], to_end[n], d_nodes[n])
            se3.ad_apply(work[2], d_slope[n], mean[n])
            for c in range(6):
                d_omega[n, c] = work[0, c] + work[1, c]
                work[0, c] = d_omega[n, c] + h * h * h / 12.0 * work[2, c]
            dual.apply(work[1], inverse[n], work[0])
            for p in range(first_point[n], first_point[n + 1]):
                lever = s[p] - 0.5 * h
                for c in range(6):
                    d_strain[p, c] = work[1, c] + lever * d_slope[n, c]


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    rod_nodes, first_point, s, length, slope, mean, omega, from_end, to_end, inverse,
    stress, stress_ahead, stiffness, posed, load, load_tangent, symmetric,
    force, slope_force, matrices, vectors, duals, forms, moments, local, mixed,
):  # fmt: skip
    """Generalised forces and tangent matrices of the elements, from the laws at the points.

    Args (all weights are inside the laws):
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        stress_ahead: the stress that the geometric part of the tangent uses (mixed iteration).
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        symmetric: whether all load tangents are.
        force, slope_force: results, added to.
        matrices: results; row n is the tangent in (ζ_{n-1}, β, ζ_n). What follows is work space.
    """
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            h = length[n]
            loaded = False
            vectors[:4] = 0.0
            forms[:] = 0.0
            moments[:] = 0.0
            local[:] = 0.0
            for p in range(first_point[n], first_point[n + 1]):
                lever = s[p] - 0.5 * h
                _add_strain_law(lever, stress[p], stress_ahead[p], stiffness[p], vectors, moments)
                if posed[p]:
                    loaded = True
                    _add_pose_law(
                        s[p], h, slope[n], mean[n], load[p], load_tangent[p], symmetric,
                        vectors, duals, forms, local, mixed[0, 0],
                    )  # fmt: skip
            _add_forces(
                h, mean[n], from_end[n], to_end[n], inverse[n], vectors,
                force[n - 1], slope_force[n], force[n],
            )  # fmt: skip
            if symmetric and loaded:
                _mirror(local)
            _add_symmetric_part(h, vectors, forms, moments, local, duals[0])
            _to_nodes(
                h, symmetric, loaded, mean[n], from_end[n], to_end[n], inverse[n], local, mixed,
                duals,
            )  # fmt: skip
            _add_difference_curvature(omega[n], from_end[n], to_end[n], vectors[4], local, duals)
            _write(matrices[n], local, symmetric)


@kernel
def carry_back(
    rod_nodes, first_point, s, length, slope, mean, from_end, to_end, inverse, stress, posed, load,
    force, slope_force, vectors, duals,
):  # fmt: skip
    """Forces of nodes and slopes from stresses and loads at the points."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            vectors[:4] = 0.0
            for p in range(first_point[n], first_point[n + 1]):
                for c in range(6):
                    vectors[1, c] += (s[p] - 0.5 * length[n]) * stress[p, c]
                    vectors[2, c] += stress[p, c]
                if posed[p]:
                    _pose_tangents(s[p], length[n], slope[n], mean[n], vectors[4], duals)
                    _add_pulled_load(load[p], vectors, duals)
            _add_forces(
                length[n], mean[n], from_end[n], to_end[n], inverse[n], vectors,
                force[n - 1], slope_force[n], force[n],
            )  # fmt: skip


@inline
def _twist(out, s, h, slope, mean):
    """Ω(s)."""
    se3.ad_apply(out, slope, mean)
    for c in range(6):
        out[c] = s * (mean[c] + 0.5 * (s - h) * slope[c] - s * s / 12.0 * out[c])


@inline
def _inverse(out, slope, h):
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
def _add_strain_law(lever, stress, stress_ahead, stiffness, vectors, moments):
    """Add to ∂U/∂β and ∂U/∂x, and Σ K, Σ (s - h/2) K, Σ (s - h/2)² K to the moments.

    ``vectors`` are the gradients (ζ_{n-1}, β, x), then that of x with the stress ahead.
    """
    for c in range(6):
        vectors[1, c] += lever * stress[c]
        vectors[2, c] += stress[c]
        vectors[3, c] += stress_ahead[c]
    for c in range(36):
        moments[0, c] += stiffness[c]
        moments[1, c] += lever * stiffness[c]
        moments[2, c] += lever * lever * stiffness[c]


@inline
def _add_pose_law(
    s, h, slope, mean, load, load_tangent, symmetric, vectors, duals, forms, local, product
):
    """Add the gradient and tangent of a load on the pose at s; z = ∂ζ/∂(ζ_{n-1}, β, x) are duals.

    ζ = z_0 + z_1 + ½ [z_0, z_1] + …,  z_0 = Ad⁻¹ ζ_{n-1},  z_1 = J_r e + ½ DJ_r[e] e,
    e = δΩ(s) - s³/12 [δβ, δx],  δΩ(s) = (s - s³/12 ad_β) δx + (s (s - h)/2 + s³/12 ad_x) δβ.
    """
    z, tangent, e_slope, e_mean = duals[:3], duals[3], duals[4], duals[5]
    form, work, pulled = duals[6], duals[7], vectors[4]
    _pose_tangents(s, h, slope, mean, pulled, duals)
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

    _add_pulled_load(load, vectors, duals)
    for j in range(3):
        matrix6.mul(product, load_tangent, z[j])
        for i in range(j if symmetric else 0, 3):
            matrix6.add_T_mul(local[i, j], z[i], product)


@inline
def _pose_tangents(s, h, slope, mean, twist, duals):
    """Ω(s); then z, J_r and e, by δβ and δx, of ``_add_pose_law`` to duals[:6]."""
    r = s * s * s / 12.0
    _twist(twist, s, h, slope, mean)
    dual.step(duals[0], duals[3], twist, 1.0)
    dual.bracket(duals[4], 0.5 * s * (s - h), r, mean)
    dual.bracket(duals[5], s, -r, slope)
    dual.mul(duals[1], duals[3], duals[4])
    dual.mul(duals[2], duals[3], duals[5])


@inline
def _add_pulled_load(load, vectors, z):
    """Add zᵀ load to the gradients, that of x also to the one with the stress ahead."""
    pulled = vectors[4]
    for i in range(3):
        dual.apply_T(pulled, z[i], load)
        for c in range(6):
            vectors[i, c] += pulled[c]
            if i == 2:
                vectors[3, c] += pulled[c]


@inline
def _add_forces(h, mean, from_end, to_end, inverse, vectors, before, slope, after):
    """Forces of both nodes and of the slope; ``vectors[4]`` becomes A⁻ᵀ ∂U/∂x, stress ahead."""
    mu, pulled = vectors[4], vectors[5]
    dual.apply_T(mu, inverse, vectors[2])
    dual.apply_T(pulled, from_end, mu)
    for c in range(6):
        before[c] += vectors[0, c] + pulled[c]
    dual.apply_T(pulled, to_end, mu)
    for c in range(6):
        after[c] += pulled[c]
    se3.ad_T_apply(pulled, mean, mu)
    for c in range(6):
        slope[c] += vectors[1, c] - h * h * h / 12.0 * pulled[c]
    dual.apply_T(mu, inverse, vectors[3])


@inline
def _add_symmetric_part(h, vectors, forms, moments, local, form):
    """Add material part and forms; among them that of μ·δ²x = h³/6 μ·[δβ, δx] + μ·δ²Ω."""
    dual.bracket_form(form, vectors[4], h * h * h / 12.0)
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
def _to_nodes(h, symmetric, loaded, mean, from_end, to_end, inverse, local, mixed, duals):
    """Change ``local`` from (ζ_{n-1}, β, x) to (ζ_{n-1}, β, ζ_n); X_i = ∂x/∂ of the latter.

    C_ij + X_iᵀ C_2j with C_ij = H_ij + H_i2 X_j; ζ_n acts through x alone, so that the first term
    of the sum is left out for i = 2, and H_ij for j = 2.
    """
    x = duals[:3]
    dual.mul(x[0], inverse, from_end)
    dual.bracket(duals[3], 0.0, -h * h * h / 12.0, mean)
    dual.mul(x[1], inverse, duals[3])
    dual.mul(x[2], inverse, to_end)
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
def _add_difference_curvature(omega, from_end, to_end, mu, local, duals):
    """Second variation of Ω contracted with μ = ``mu``.

    μᵀ δ²Ω = (D_a ζ_a + D_b ζ_b)ᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``.
    """
    from_form, to_form, product = duals[0], duals[1], duals[2]
    dual.difference_forms(from_form, to_form, omega, mu)
    for j in range(0, 3, 2):
        form = to_form if j == 2 else from_form
        for i in range(0, 3, 2):
            end = to_end if i == 2 else from_end
            dual.form_product(product, end, form)
            matrix6.add_form(local[i, j], product, 0.5, False)
            matrix6.add_form(local[j, i], product, 0.5, True)


@inline
def _mirror(blocks):
    """Fill the blocks above the diagonal, which are zero, from those below."""
    for i in range(3):
        for j in range(i):
            matrix6.add(blocks[j, i], blocks[i, j], 1.0, True)


@inline
def _write(matrix, blocks, symmetric):
    """Put the blocks side by side; of a symmetric matrix those on and below the diagonal."""
    for i in range(3):
        for j in range(i + 1 if symmetric else 3):
            for k in range(6):
                for l in range(6):
                    matrix[6 * i + k, 6 * j + l] = blocks[i, j, 6 * k + l]
                    if symmetric and i != j:
                        matrix[6 * j + l, 6 * i + k] = blocks[i, j, 6 * k + l]
