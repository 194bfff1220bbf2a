"""Products of exponentials along pieces of rods: kinematics at their points, and back.

A piece (a span of a spline, an element) has k factors with the twists Ω_i, and begins at the pose
g_f. With i = 1 … k counting its factors,

    A_i = exp(b_i Ω_i),   g = g_f A_1 … A_k
    η_i = Ad_{A_i}⁻¹ ξ_{i-1},         ξ_i = η_i + b_i' Ω_i,  ξ = ξ_k

Ω_i of a piece is row ``first`` + i of ``omega``; its points are ``span_points[n] … span_points[n +
1] - 1``. Per point and factor, ``transport`` is Ad_{A_i}⁻¹ and ``tangent`` is P_i = b_i J_r(b_i
Ω_i), as duals (``lie.kernels.dual``). Matrices of 6x6 are flat rows of 36. See docs/theory.md,
section 2.
"""

from flexura._kernel import inline, kernel
from flexura.lie.kernels import dual, matrix6, se3


@kernel
def strains(span_first, span_points, b, db, omega, transport, tangent, eta, strain):
    """ξ at every point, with what its derivatives need."""
    for span in range(len(span_first)):
        for p in range(span_points[span], span_points[span + 1]):
            strain_at(
                span_first[span], b[p], db[p], omega, transport[p], tangent[p], eta[p], strain[p]
            )


@inline
def strain_at(first, b, db, omega, transport, tangent, eta, xi):
    """ξ at a point."""
    xi[:] = 0.0
    for i in range(len(b)):
        w = omega[first + 1 + i]
        dual.step(transport[i], tangent[i], w, b[i])
        dual.apply(eta[i], transport[i], xi)
        for c in range(6):
            xi[c] = eta[i, c] + db[i] * w[c]


@inline
def strain_jacobian(db, transport, tangent, eta, x, work):
    """x[j] = ∂ξ/∂Ω_j at a point, duals."""
    for i in range(len(db)):
        for j in range(i):
            dual.mul(work, transport[i], x[j])
            for c in range(18):
                x[j, c] = work[c]
        if i == 0:
            x[0] = 0.0
        else:
            dual.ad_mul(x[i], eta[i], tangent[i])
        for c in range(0, 9, 4):
            x[i, c] += db[i]


@kernel
def poses(points, point_node, point_first, nodes, b, omega, pose, work, twist):
    """g at the chosen points, whose pieces begin at the nodes ``point_node``."""
    k = b.shape[1]
    for p in points:
        first = point_first[p]
        g = nodes[point_node[p]]
        for i in range(k):
            for c in range(6):
                twist[c] = b[p, i] * omega[first + 1 + i, c]
            se3.exp_into(work[2], twist)
            target = pose[p] if i == k - 1 else work[i % 2]
            se3.compose_into(target, g, work[2])
            g = target


@kernel
def strain_increments(
    span_first, span_points, tangent, transport, eta, db, d_omega, d_strain, work
):
    """δξ for changes of Ω.

    δξ_i = Ad_{A_i}⁻¹ δξ_{i-1} + [η_i, P_i δΩ_i] + b_i' δΩ_i
    """
    k = db.shape[1]
    for span in range(len(span_first)):
        for p in range(span_points[span], span_points[span + 1]):
            dxi = d_strain[p]
            dxi[:] = 0.0
            for i in range(k):
                dw = d_omega[span_first[span] + 1 + i]
                dual.apply(work[0], tangent[p, i], dw)
                se3.ad_apply(work[1], eta[p, i], work[0])
                dual.apply(work[0], transport[p, i], dxi)
                for c in range(6):
                    dxi[c] = work[0, c] + work[1, c] + db[p, i] * dw[c]


@inline
def carry_point(first, db, transport, tangent, eta, stress, posed, load, before, gamma, vectors):
    """Add ∂U/∂Ω and the force on g_f, ``before``, of the stress and the load at a point."""
    exact, carried, mu, pulled = vectors[0], vectors[1], vectors[2], vectors[3]
    for c in range(6):
        exact[c] = stress[c]
        carried[c] = load[c] if posed else 0.0
    for i in range(len(db) - 1, -1, -1):
        n = first + 1 + i
        se3.ad_T_apply(mu, eta[i], exact)
        for c in range(6):
            mu[c] += carried[c]
        dual.apply_T(pulled, tangent[i], mu)
        for c in range(6):
            gamma[n, c] += pulled[c] + db[i] * exact[c]
        dual.apply_T(pulled, transport[i], exact)
        for c in range(6):
            exact[c] = pulled[c]
        if posed:
            dual.apply_T(pulled, transport[i], carried)
            for c in range(6):
                carried[c] = pulled[c]
    if posed:
        for c in range(6):
            before[c] += carried[c]


@inline
def piece_tangent(
    begin, stop, first, b, db, omega, transport, tangent, eta, stress, stress_ahead, stiffness,
    posed, load, load_tangent, before, gamma, gamma_ahead, jacobian, vectors, duals, forms,
    material, local, product,
):  # fmt: skip
    """Tangent of a piece in (ζ_f, Ω_1 … Ω_k), and its gradient, from the laws at its points.

    Args (all weights are inside the laws):
        begin, stop: its points.
        first: row of ``omega`` before its first.
        before: force on g_f, added to.
        gamma, gamma_ahead: ∂U/∂Ω with the stress and with the stress ahead, added to.
        jacobian: ∂ξ/∂Ω_j of every point, duals, kept for others.
        vectors, duals, forms, material, product: work space.
        local: result, (k + 1, k + 1, 36), without the second variation of Ω.

    Returns:
        The first index of ``local`` that is not zero: 0 if loads act on poses, else 1.
    """
    clear(forms, material, local)
    posed_at_all = add_points(
        begin, stop, first, b, db, omega, transport, tangent, eta, stress, stress_ahead, stiffness,
        posed, load, load_tangent, before, gamma, gamma_ahead, jacobian, vectors, duals, forms,
        material, local, product,
    )  # fmt: skip
    start = 0 if posed_at_all else 1
    add_up(start, forms, material, local)
    return start


@inline
def clear(forms, material, local):
    """Begin with the tangent of a piece."""
    forms[:] = 0.0
    material[:] = 0.0
    local[:] = 0.0


@inline
def add_points(
    begin, stop, first, b, db, omega, transport, tangent, eta, stress, stress_ahead, stiffness,
    posed, load, load_tangent, before, gamma, gamma_ahead, jacobian, vectors, duals, forms,
    material, local, product,
):  # fmt: skip
    """What the points of a piece add: see ``piece_tangent``. Whether a load acts on a pose."""
    k = b.shape[1]
    loaded = False
    for p in range(begin, stop):
        _gradients(
            first, b[p], db[p], omega, transport[p], tangent[p], eta[p], stress[p],
            stress_ahead[p], posed[p], load[p], before, gamma, gamma_ahead,
            vectors, duals[k + 1], duals[k + 2], forms,
        )  # fmt: skip
        _strain_tangent(
            db[p], transport[p], tangent[p], eta[p], stiffness[p], vectors,
            jacobian[p], duals[k + 1], duals[k + 2], product, forms, material,
        )  # fmt: skip
        if posed[p]:
            loaded = True
            _pose_tangent(
                transport[p], tangent[p], load[p], load_tangent[p],
                duals, duals[k + 1], duals[k + 2], product, forms, local,
            )  # fmt: skip
    return loaded


@inline
def add_pose(
    first, b, db, omega, transport, tangent, eta, nothing, load, load_tangent, before, gamma,
    gamma_ahead, vectors, duals, forms, local, product,
):  # fmt: skip
    """What a load on one pose of a piece adds; ``duals`` begins with ∂ζ/∂(ζ_f, Ω_1 … Ω_k).

    ``nothing`` is the stress there, zero.
    """
    k = len(b)
    _gradients(
        first, b, db, omega, transport, tangent, eta, nothing, nothing, True, load, before, gamma,
        gamma_ahead, vectors, duals[k + 1], duals[k + 2], forms,
    )  # fmt: skip
    _pose_tangent(
        transport, tangent, load, load_tangent, duals, duals[k + 1], duals[k + 2], product, forms,
        local,
    )  # fmt: skip


@inline
def add_up(start, forms, material, local):
    """Add forms and material parts, given on and below the diagonal, to the tangent of a piece."""
    k = len(local) - 1
    for i in range(start, k + 1):
        for j in range(start, i + 1):
            matrix6.add_form(material[i, j], forms[i, j], 1.0, False)
            matrix6.add(local[i, j], material[i, j], 1.0, False)
            if i != j:
                matrix6.add(local[j, i], material[i, j], 1.0, True)


@inline
def _gradients(
    first, b, db, omega, transport, tangent, eta, stress, stress_ahead, posed, load,
    before, gamma, gamma_ahead, vectors, form, work, forms,
):  # fmt: skip
    """Carry stress and load back through the factors; collect ∂U/∂Ω and the curvature of each.

    ``vectors[i]`` keeps the stress ahead at factor i for the forms of ``_strain_tangent``.
    """
    k = len(b)
    exact, carried, mu, pulled = vectors[k], vectors[k + 1], vectors[k + 2], vectors[k + 3]
    for c in range(6):
        vectors[k - 1, c] = stress_ahead[c]
        exact[c] = stress[c]
        carried[c] = load[c] if posed else 0.0
    for i in range(k - 1, -1, -1):
        n = first + 1 + i
        ahead = vectors[i]
        se3.ad_T_apply(mu, eta[i], exact)
        for c in range(6):
            mu[c] += carried[c]
        dual.apply_T(pulled, tangent[i], mu)
        for c in range(6):
            gamma[n, c] += pulled[c] + db[i] * exact[c]
        se3.ad_T_apply(mu, eta[i], ahead)
        for c in range(6):
            mu[c] += carried[c]
        dual.apply_T(pulled, tangent[i], mu)
        for c in range(6):
            gamma_ahead[n, c] += pulled[c] + db[i] * ahead[c]
        if i > 0 or posed:
            dual.add_step_form(forms[i + 1, i + 1], omega[n], b[i], mu)
        if i > 0:
            dual.double_bracket_form(form, ahead, eta[i])
            dual.add_pulled(forms[i + 1, i + 1], tangent[i], form, tangent[i], work)
            dual.apply_T(vectors[i - 1], transport[i], ahead)
            dual.apply_T(pulled, transport[i], exact)
            for c in range(6):
                exact[c] = pulled[c]
        if posed:
            dual.apply_T(pulled, transport[i], carried)
            for c in range(6):
                carried[c] = pulled[c]
    if posed:
        for c in range(6):
            before[c] += carried[c]


@inline
def _strain_tangent(
    db, transport, tangent, eta, stiffness, vectors, x, form, work, product, forms, material
):
    """Add Xᵀ K X and the forms that couple two factors; x[j] = ∂ξ_i/∂Ω_j is a dual."""
    k = len(db)
    for i in range(k):
        dual.bracket_form(form, vectors[i], 1.0)
        for j in range(i):
            dual.mul(work, transport[i], x[j])
            for c in range(18):
                x[j, c] = work[c]
            dual.add_pulled(forms[i + 1, j + 1], tangent[i], form, x[j], work)
        if i == 0:
            x[0] = 0.0
        else:
            dual.ad_mul(x[i], eta[i], tangent[i])
        for c in range(0, 9, 4):
            x[i, c] += db[i]
    for j in range(k):
        matrix6.mul(product, stiffness, x[j])
        for i in range(j, k):
            matrix6.add_T_mul(material[i + 1, j + 1], x[i], product)


@inline
def _pose_tangent(transport, tangent, load, load_tangent, z, form, work, product, forms, local):
    """Add Zᵀ K Z and the forms of a load on the pose; z[j] = ∂ζ/∂(ζ_f, Ω_1 … Ω_k) is a dual.

    exp(z_0) exp(z_1) … = exp(Σ z_j + ½ Σ_{i<j} [z_i, z_j] + …).
    """
    k = len(transport)
    z[0] = 0.0
    for c in range(0, 9, 4):
        z[0, c] = 1.0
    for i in range(k):
        for j in range(i + 1):
            dual.mul(work, transport[i], z[j])
            for c in range(18):
                z[j, c] = work[c]
        for c in range(18):
            z[i + 1, c] = tangent[i, c]
    dual.bracket_form(form, load, 0.5)
    for j in range(k + 1):
        matrix6.mul(product, load_tangent, z[j])
        for i in range(k + 1):
            matrix6.add_T_mul(local[i, j], z[i], product)
            if i > j:
                dual.add_pulled(forms[i, j], z[i], form, z[j], work)
