"""Compiled heart of the cumulative spline: kinematics at the points, forces back to the nodes.

Symbols, for a span whose first control pose is g_f, with i = 1 … k counting its factors:

    Ω_i = log(g_{f+i-1}⁻¹ g_{f+i}),   A_i = exp(b_i Ω_i),   g = g_f A_1 … A_k
    η_i = Ad_{A_i}⁻¹ ξ_{i-1},         ξ_i = η_i + b_i' Ω_i,  ξ = ξ_k

Per point and factor, ``transport`` is Ad_{A_i}⁻¹ and ``tangent`` is P_i = b_i J_r(b_i Ω_i), as
duals (``flexura.lie.dual``). Ω_i is stored with the node that it leads to. Matrices of 6x6 are
flat rows of 36. See docs/theory.md, section 2.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.lie import dual, matrix6, se3


@kernel
def differences(nodes, rod_nodes, omega, from_end, to_end, work):
    """Ω of every pair of neighbouring nodes and its tangents to both."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            se3.between_into(work, nodes[n - 1], nodes[n])
            se3.log_into(omega[n], work)
            dual.difference(from_end[n], to_end[n], omega[n])


@kernel
def strains(span_first, span_points, b, db, omega, transport, tangent, eta, strain):
    """ξ at every point, with what its derivatives need."""
    k = b.shape[1]
    for span in range(len(span_first)):
        for p in range(span_points[span], span_points[span + 1]):
            xi = strain[p]
            xi[:] = 0.0
            for i in range(k):
                w = omega[span_first[span] + 1 + i]
                dual.step(transport[p, i], tangent[p, i], w, b[p, i])
                dual.apply(eta[p, i], transport[p, i], xi)
                for c in range(6):
                    xi[c] = eta[p, i, c] + db[p, i] * w[c]


@kernel
def poses(points, point_first, nodes, b, omega, pose, work, twist):
    """g at the chosen points."""
    k = b.shape[1]
    for p in points:
        first = point_first[p]
        g = nodes[first]
        for i in range(k):
            for c in range(6):
                twist[c] = b[p, i] * omega[first + 1 + i, c]
            se3.exp_into(work[2], twist)
            target = pose[p] if i == k - 1 else work[i % 2]
            se3.compose_into(target, g, work[2])
            g = target


@kernel
def strain_increments(
    rod_nodes, span_first, span_points, from_end, to_end, tangent, transport, eta, db,
    d_nodes, d_omega, d_strain, work,
):  # fmt: skip
    """δΩ and δξ for increments of the nodes.

    δξ_i = Ad_{A_i}⁻¹ δξ_{i-1} + [η_i, P_i δΩ_i] + b_i' δΩ_i
    """
    k = db.shape[1]
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.apply(work[0], from_end[n], d_nodes[n - 1])
            dual.apply(work[1], to_end[n], d_nodes[n])
            for c in range(6):
                d_omega[n, c] = work[0, c] + work[1, c]
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


@kernel
def links(rod_nodes, fraction, omega, d_omega, link, twist):
    """exp(Ω + fraction δΩ): the pose of every node in the one before it."""
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            for c in range(6):
                twist[c] = omega[n, c] + fraction * d_omega[n, c]
            se3.exp_into(link[n], twist)


@heavy
def pull_back_aside(*args):
    """``pull_back`` while other threads run."""
    pull_back(*args)


@kernel
def pull_back(
    span_first, span_points, b, db, omega, from_end, to_end, transport, tangent, eta,
    stress, stress_ahead, stiffness, posed, load, load_tangent, symmetric,
    force, gamma, gamma_ahead, blocks, jacobian, vectors, duals, forms, material, local, mixed,
):  # fmt: skip
    """Generalised forces and tangent blocks of the nodes, from the laws at the points.

    Args (all weights are inside the laws):
        stress, stiffness: ∂U/∂ξ and ∂²U/∂ξ² at the points.
        stress_ahead: the stress that the geometric part of the tangent uses (mixed iteration).
        posed, load, load_tangent: where a load acts on the pose; its ∂U/∂ζ and tangent.
        symmetric: whether all load tangents are.
        force, blocks: results, added to; ``blocks[n, j]`` couples the nodes n and n + j - reach.
        gamma, gamma_ahead: ∂U/∂Ω, zero on entry.
        jacobian: ∂ξ/∂Ω_j of every point, duals, kept for others; what follows is work space.
    """
    k = b.shape[1]
    reach = (blocks.shape[1] - 1) // 2
    for span in range(len(span_first)):
        first = span_first[span]
        forms[:] = 0.0
        material[:] = 0.0
        local[:] = 0.0
        start = 1
        for p in range(span_points[span], span_points[span + 1]):
            _gradients(
                first, b[p], db[p], omega, transport[p], tangent[p], eta[p], stress[p],
                stress_ahead[p], posed[p], load[p], force, gamma, gamma_ahead,
                vectors, duals[k + 1], duals[k + 2], forms,
            )  # fmt: skip
            _strain_tangent(
                db[p], transport[p], tangent[p], eta[p], stiffness[p], vectors,
                jacobian[p], duals[k + 1], duals[k + 2], mixed[0, 0], forms, material,
            )  # fmt: skip
            if posed[p]:
                start = 0
                _pose_tangent(
                    transport[p], tangent[p], load[p], load_tangent[p],
                    duals, duals[k + 1], duals[k + 2], mixed[0, 0], forms, local,
                )  # fmt: skip
        for i in range(start, k + 1):
            for j in range(start, i + 1):
                matrix6.add_form(material[i, j], forms[i, j], 1.0, False)
                matrix6.add(local[i, j], material[i, j], 1.0, False)
                if i != j:
                    matrix6.add(local[j, i], material[i, j], 1.0, True)
        _to_nodes(first, start, reach, symmetric, from_end, to_end, local, mixed, blocks)


@kernel
def add_difference_curvature(
    rod_nodes, omega, from_end, to_end, gamma, gamma_ahead, force, blocks, work
):
    """Forces of the nodes from ∂U/∂Ω, and the second variation of Ω contracted with it.

    γᵀ δ²Ω = (D_a ζ_a + D_b ζ_b)ᵀ (F_a ζ_a + F_b ζ_b), F of ``dual.difference_forms``.
    """
    k = (blocks.shape[1] - 1) // 2
    from_form, to_form, product = work[0], work[1], work[2]
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.apply_T(product[:6], from_end[n], gamma[n])
            dual.apply_T(product[6:12], to_end[n], gamma[n])
            for c in range(6):
                force[n - 1, c] += product[c]
                force[n, c] += product[6 + c]
            dual.difference_forms(from_form, to_form, omega[n], gamma_ahead[n])
            for j in range(2):
                form = to_form if j == 1 else from_form
                for i in range(2):
                    end = to_end[n] if i == 1 else from_end[n]
                    dual.form_product(product, end, form)
                    matrix6.add_form(blocks[n - 1 + i, k + j - i], product, 0.5, False)
                    matrix6.add_form(blocks[n - 1 + j, k + i - j], product, 0.5, True)


@kernel
def carry_back(
    rod_nodes, span_first, span_points, db, from_end, to_end, transport, tangent, eta, stress,
    force, gamma, vectors,
):  # fmt: skip
    """Forces of the nodes from a stress at the points; ``gamma`` becomes its ∂U/∂Ω."""
    k = db.shape[1]
    carried, mu, pulled = vectors[0], vectors[1], vectors[2]
    gamma[:] = 0.0
    for span in range(len(span_first)):
        for p in range(span_points[span], span_points[span + 1]):
            for c in range(6):
                carried[c] = stress[p, c]
            for i in range(k - 1, -1, -1):
                n = span_first[span] + 1 + i
                se3.ad_T_apply(mu, eta[p, i], carried)
                dual.apply_T(pulled, tangent[p, i], mu)
                for c in range(6):
                    gamma[n, c] += pulled[c] + db[p, i] * carried[c]
                dual.apply_T(pulled, transport[p, i], carried)
                for c in range(6):
                    carried[c] = pulled[c]
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            dual.apply_T(mu, from_end[n], gamma[n])
            dual.apply_T(pulled, to_end[n], gamma[n])
            for c in range(6):
                force[n - 1, c] += mu[c]
                force[n, c] += pulled[c]


@inline
def _gradients(
    first, b, db, omega, transport, tangent, eta, stress, stress_ahead, posed, load,
    force, gamma, gamma_ahead, vectors, form, work, forms,
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
            force[first, c] += carried[c]


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


@inline
def _to_nodes(first, start, reach, symmetric, from_end, to_end, local, mixed, blocks):
    """Add a span's tangent, given in (ζ_f, Ω_1 … Ω_k), to the blocks of its nodes."""
    k = len(local) - 1
    for i in range(start, k + 1):
        for c in range(k + 1):
            mixed[i, c] = 0.0
            if c >= 1:
                matrix6.add_mul(mixed[i, c], local[i, c], to_end[first + c])
            elif start == 0:
                matrix6.add(mixed[i, 0], local[i, 0], 1.0, False)
            if c < k:
                matrix6.add_mul(mixed[i, c], local[i, c + 1], from_end[first + c + 1])
    for c in range(k + 1):
        for d in range(c + 1 if symmetric else k + 1):
            out = local[c, d]
            out[:] = 0.0
            if c >= 1:
                matrix6.add_T_mul(out, to_end[first + c], mixed[c, d])
            elif start == 0:
                matrix6.add(out, mixed[0, d], 1.0, False)
            if c < k:
                matrix6.add_T_mul(out, from_end[first + c + 1], mixed[c + 1, d])
            matrix6.add(blocks[first + c, reach + d - c], out, 1.0, False)
            if symmetric and c != d:
                matrix6.add(blocks[first + d, reach + c - d], out, 1.0, True)
