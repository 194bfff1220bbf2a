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
from flexura.rods.factors import Factors, Point


@inline
def at(factors, first, p):
    """The factors at point p of a piece; ``first`` is the row of ``omega`` before its first."""
    return Point(
        first, factors.b[p], factors.db[p], factors.omega, factors.transport[p],
        factors.tangent[p], factors.eta[p],
    )  # fmt: skip


@kernel
def strains(span_first, span_points, b, db, omega, transport, tangent, eta, strain):
    """ξ at every point, with what its derivatives need."""
    factors = Factors(b, db, omega, transport, tangent, eta)
    for span in range(len(span_first)):
        for p in range(span_points[span], span_points[span + 1]):
            strain_at(at(factors, span_first[span], p), strain[p])


@inline
def strain_at(point, xi):
    """ξ at a point."""
    transport, eta = point.transport, point.eta
    xi[:] = 0.0
    for i in range(len(point.b)):
        w = point.omega[point.first + 1 + i]
        dual.step(transport[i], point.tangent[i], w, point.b[i])
        dual.apply(eta[i], transport[i], xi)
        for c in range(6):
            xi[c] = eta[i, c] + point.db[i] * w[c]


@inline
def strain_jacobian(point, x, work):
    """x[j] = ∂ξ/∂Ω_j at a point, duals."""
    for i in range(len(point.db)):
        _pass_factor(point, i, x, work)


@inline
def _pass_factor(point, i, x, work):
    """From x[j] = ∂ξ_{i-1}/∂Ω_j, j < i, to ∂ξ_i/∂Ω_j, j ≤ i."""
    for j in range(i):
        dual.mul(work, point.transport[i], x[j])
        for c in range(18):
            x[j, c] = work[c]
    if i == 0:
        x[0] = 0.0
    else:
        dual.ad_mul(x[i], point.eta[i], point.tangent[i])
    for c in range(0, 9, 4):
        x[i, c] += point.db[i]


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
def strain_increments(span_first, span_points, factors, d_omega, d_strain, work):
    """δξ for changes of Ω.

    δξ_i = Ad_{A_i}⁻¹ δξ_{i-1} + [η_i, P_i δΩ_i] + b_i' δΩ_i
    """
    db, transport, tangent, eta = factors.db, factors.transport, factors.tangent, factors.eta
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
def carry_point(point, stress, posed, load, before, gamma, vectors):
    """Add ∂U/∂Ω and the force on g_f, ``before``, of the stress and the load at a point."""
    exact, carried, mu, pulled = vectors[0], vectors[1], vectors[2], vectors[3]
    for c in range(6):
        exact[c] = stress[c]
        carried[c] = load[c] if posed else 0.0
    for i in range(len(point.db) - 1, -1, -1):
        _add_gradient(point, i, exact, carried, gamma, mu, pulled)
        _carry(exact, point.transport[i], pulled)
        if posed:
            _carry(carried, point.transport[i], pulled)
    if posed:
        for c in range(6):
            before[c] += carried[c]


@inline
def _add_gradient(point, i, stress, carried, gamma, mu, pulled):
    """Add ∂U/∂Ω_i of a stress and a wrench behind the factor; ``mu`` becomes ad_ηᵀ σ + wrench."""
    n = point.first + 1 + i
    se3.ad_T_apply(mu, point.eta[i], stress)
    for c in range(6):
        mu[c] += carried[c]
    dual.apply_T(pulled, point.tangent[i], mu)
    for c in range(6):
        gamma[n, c] += pulled[c] + point.db[i] * stress[c]


@inline
def _carry(x, transport, pulled):
    """Carry a stress or a wrench from behind a factor to before it."""
    dual.apply_T(pulled, transport, x)
    for c in range(6):
        x[c] = pulled[c]


@inline
def piece_tangent(begin, stop, first, factors, laws, before, slopes, scratch):
    """Tangent of a piece in (ζ_f, Ω_1 … Ω_k), and its gradient, from the laws at its points.

    Args (all weights are inside the laws):
        begin, stop: its points.
        first: row of ``omega`` before its first.
        factors: those of all pieces.
        laws: at all points (``PointLaws``).
        before: force on g_f, added to.
        slopes: results.
        scratch: work space; its ``local`` is the result, without the second variation of Ω.

    Returns:
        The first index of ``local`` that is not zero: 0 if loads act on poses, else 1.
    """
    clear(scratch)
    posed_at_all = add_points(begin, stop, first, factors, laws, before, slopes, scratch)
    start = 0 if posed_at_all else 1
    add_up(start, scratch)
    return start


@inline
def clear(scratch):
    """Begin with the tangent of a piece."""
    scratch.forms[:] = 0.0
    scratch.material[:] = 0.0
    scratch.local[:] = 0.0


@inline
def add_points(begin, stop, first, factors, laws, before, slopes, scratch):
    """What the points of a piece add: see ``piece_tangent``. Whether a load acts on a pose."""
    loaded = False
    for p in range(begin, stop):
        point, posed, load = at(factors, first, p), laws.posed[p], laws.load[p]
        _gradients(
            point, laws.stress[p], laws.stress_ahead[p], posed, load, before, slopes, scratch
        )
        _strain_tangent(point, laws.stiffness[p], slopes.jacobian[p], scratch)
        if posed:
            loaded = True
            _pose_tangent(point, load, laws.load_tangent[p], scratch)
    return loaded


@inline
def add_pose(point, nothing, load, load_tangent, before, slopes, scratch):
    """What a load on one pose of a piece adds, where the stress is zero, ``nothing``.

    ``scratch.duals`` begins with ∂ζ/∂(ζ_f, Ω_1 … Ω_k) then.
    """
    _gradients(point, nothing, nothing, True, load, before, slopes, scratch)
    _pose_tangent(point, load, load_tangent, scratch)


@inline
def add_up(start, scratch):
    """Add forms and material parts, given on and below the diagonal, to the tangent of a piece."""
    forms, material, local = scratch.forms, scratch.material, scratch.local
    k = len(local) - 1
    for i in range(start, k + 1):
        for j in range(start, i + 1):
            matrix6.add_form(material[i, j], forms[i, j], 1.0, False)
            matrix6.add(local[i, j], material[i, j], 1.0, False)
            if i != j:
                matrix6.add(local[j, i], material[i, j], 1.0, True)


@inline
def _gradients(point, stress, stress_ahead, posed, load, before, slopes, scratch):
    """Carry stress and load back through the factors; collect ∂U/∂Ω and the curvature of each.

    ``vectors[i]`` keeps the stress ahead at factor i for the forms of ``_strain_tangent``.
    """
    k, vectors, forms = len(point.b), scratch.vectors, scratch.forms
    exact, carried, mu, pulled = vectors[k], vectors[k + 1], vectors[k + 2], vectors[k + 3]
    form, work = scratch.duals[k + 1], scratch.duals[k + 2]
    for c in range(6):
        vectors[k - 1, c] = stress_ahead[c]
        exact[c] = stress[c]
        carried[c] = load[c] if posed else 0.0
    for i in range(k - 1, -1, -1):
        ahead, tangent, transport = vectors[i], point.tangent[i], point.transport[i]
        _add_gradient(point, i, exact, carried, slopes.gamma, mu, pulled)
        _add_gradient(point, i, ahead, carried, slopes.gamma_ahead, mu, pulled)
        if i > 0 or posed:
            w = point.omega[point.first + 1 + i]
            dual.add_step_form(forms[i + 1, i + 1], w, point.b[i], mu)
        if i > 0:
            dual.double_bracket_form(form, ahead, point.eta[i])
            dual.add_pulled(forms[i + 1, i + 1], tangent, form, tangent, work)
            dual.apply_T(vectors[i - 1], transport, ahead)
            _carry(exact, transport, pulled)
        if posed:
            _carry(carried, transport, pulled)
    if posed:
        for c in range(6):
            before[c] += carried[c]


@inline
def _strain_tangent(point, stiffness, x, scratch):
    """Add Xᵀ K X and the forms that couple two factors; x[j] = ∂ξ_i/∂Ω_j is a dual."""
    k, product = len(point.db), scratch.product
    form, work = scratch.duals[k + 1], scratch.duals[k + 2]
    for i in range(k):
        _pass_factor(point, i, x, work)
        dual.bracket_form(form, scratch.vectors[i], 1.0)
        for j in range(i):
            dual.add_pulled(scratch.forms[i + 1, j + 1], point.tangent[i], form, x[j], work)
    for j in range(k):
        matrix6.mul(product, stiffness, x[j])
        for i in range(j, k):
            matrix6.add_T_mul(scratch.material[i + 1, j + 1], x[i], product)


@inline
def _pose_tangent(point, load, load_tangent, scratch):
    """Add Zᵀ K Z and the forms of a load on the pose; z[j] = ∂ζ/∂(ζ_f, Ω_1 … Ω_k) is a dual.

    exp(z_0) exp(z_1) … = exp(Σ z_j + ½ Σ_{i<j} [z_i, z_j] + …).
    """
    k, z, product = len(point.transport), scratch.duals, scratch.product
    form, work = z[k + 1], z[k + 2]
    z[0] = 0.0
    for c in range(0, 9, 4):
        z[0, c] = 1.0
    for i in range(k):
        for j in range(i + 1):
            dual.mul(work, point.transport[i], z[j])
            for c in range(18):
                z[j, c] = work[c]
        for c in range(18):
            z[i + 1, c] = point.tangent[i, c]
    dual.bracket_form(form, load, 0.5)
    for j in range(k + 1):
        matrix6.mul(product, load_tangent, z[j])
        for i in range(k + 1):
            matrix6.add_T_mul(scratch.local[i, j], z[i], product)
            if i > j:
                dual.add_pulled(scratch.forms[i, j], z[i], form, z[j], work)
