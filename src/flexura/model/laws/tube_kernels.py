"""Compiled part of ``tube_elastic``: tubes inside each other at points of their centreline.

At a point of the weight w, on a section whose arc length is λ times that of reference, tube j has

    ε_j = Ad(Rot_x(-θ_j)) ξ/λ + θ_j'/λ e_1 - ξ*_j,    E = w λ/2 Σ_j ε_jᵀ K_j ε_j

where ξ and θ' are by the arc length of reference. Sections shorter than a least length λ_f are as
stiff as if they had it, and not longer: ξ*_j λ/λ_f then takes the place of ξ*_j, λ_f of λ.
"""

from math import cos, sin

from flexura._kernel import inline, kernel


@inline
def bend(K, rest, part, lam, c, s, y, z):
    """ε about y and z, and the same with the rest shape left in."""
    whole_y, whole_z = (c * y + s * z) / lam, (c * z - s * y) / lam
    return whole_y - part * rest[1], whole_z - part * rest[2], whole_y, whole_z


@kernel
def add(
    weight, lam, part, K, rest, gauge, known, strain, strain_ahead, stress, stress_ahead, stiffness
):  # fmt: skip
    """Stress, the one ahead, and stiffness.

    ``lam`` is λ_f and ``part`` λ/λ_f, K and rest are those of each tube, (n, m, 6), ``gauge`` is
    the stiffness of the centreline against twist, and ``known`` 6, or 3 where forces of stretch and
    shear are unknowns.
    """
    n = K.shape[1]
    for q in range(len(weight)):
        size = 6 + 2 * n
        _add_stress(
            weight[q], lam[q], part[q], K[q], rest[q], gauge[q], known, strain[q], stress[q]
        )
        _add_stress(
            weight[q], lam[q], part[q], K[q], rest[q], gauge[q], known, strain_ahead[q],
            stress_ahead[q],
        )  # fmt: skip
        _add_stiffness(
            weight[q], lam[q], part[q], K[q], rest[q], gauge[q], known, strain[q],
            stiffness[q].reshape(size, size),
        )  # fmt: skip


@inline
def _add_stress(w, lam, part, K, rest, gauge, known, x, stress):
    """Stress at a point."""
    n = len(K)
    stress[0] += w * gauge * x[0] / lam
    for j in range(n):
        c, s = cos(x[6 + j]), sin(x[6 + j])
        twist = w * K[j, 0] * ((x[0] + x[6 + n + j]) / lam - part * rest[j, 0])
        y, z, whole_y, whole_z = bend(K[j], rest[j], part, lam, c, s, x[1], x[2])
        m_y, m_z = w * K[j, 1] * y, w * K[j, 2] * z
        stress[0] += twist
        stress[6 + n + j] += twist
        stress[1] += c * m_y - s * m_z
        stress[2] += s * m_y + c * m_z
        stress[6 + j] += lam * (m_y * whole_z - m_z * whole_y)
        if known == 6:
            stress[3] += w * K[j, 3] * (x[3] / lam - part * rest[j, 3])
            stress[4] += w * K[j, 4] * x[4] / lam
            stress[5] += w * K[j, 5] * x[5] / lam


@inline
def _add_turned(H, a, t, c, s, lam, k0, k1, k2):
    """Stiffness of a tube in the axes of the centreline: k0 of torsion, k1 and k2 of bending."""
    H[0, 0] += k0 / lam
    H[0, t] += k0 / lam
    H[t, 0] += k0 / lam
    H[t, t] += k0 / lam
    H[1, 1] += (c * c * k1 + s * s * k2) / lam
    H[2, 2] += (s * s * k1 + c * c * k2) / lam
    H[1, 2] += c * s * (k1 - k2) / lam
    H[2, 1] += c * s * (k1 - k2) / lam


@inline
def _add_geometric(H, a, c, s, lam, k1, k2, m_y, m_z, y, z):
    """Derivatives of the moments m by the angle, and of their turned axes; y, z are curvatures."""
    b1 = c * k1 * z + s * k2 * y - s * m_y - c * m_z
    b2 = s * k1 * z - c * k2 * y + c * m_y - s * m_z
    H[1, a] += b1
    H[a, 1] += b1
    H[2, a] += b2
    H[a, 2] += b2
    H[a, a] += lam * (k1 * z * z + k2 * y * y - m_y * y - m_z * z)


@inline
def _add_stiffness(w, lam, part, K, rest, gauge, known, x, H):
    """Stiffness at a point."""
    n = len(K)
    H[0, 0] += w * gauge / lam
    for j in range(n):
        t, a = 6 + n + j, 6 + j
        c, s = cos(x[a]), sin(x[a])
        y, z, whole_y, whole_z = bend(K[j], rest[j], part, lam, c, s, x[1], x[2])
        k1, k2 = w * K[j, 1], w * K[j, 2]
        _add_turned(H, a, t, c, s, lam, w * K[j, 0], k1, k2)
        _add_geometric(H, a, c, s, lam, k1, k2, k1 * y, k2 * z, whole_y, whole_z)
        if known == 6:
            for i in range(3, 6):
                H[i, i] += w * K[j, i] / lam


@kernel
def add_viscous(
    weight, lam, D, rate, pace, known, strain, strain_ahead, stress, stress_ahead, stiffness
):  # fmt: skip
    """Stress D_j (pace ξ_j + rate_j) of all tubes, the one ahead, and its tangent."""
    n = D.shape[1]
    size = 6 + 2 * n
    for q in range(len(weight)):
        for j in range(n):
            _add_drag(
                weight[q], lam[q], D[q, j], rate[q, j], pace, known, n, j, strain[q], stress[q]
            )
            _add_drag(
                weight[q], lam[q], D[q, j], rate[q, j], pace, known, n, j, strain_ahead[q],
                stress_ahead[q],
            )  # fmt: skip
            _add_drag_tangent(
                weight[q], lam[q], D[q, j], rate[q, j], pace, known, n, j, strain[q],
                stiffness[q].reshape(size, size),
            )  # fmt: skip


@inline
def _add_drag(w, lam, D, rate, pace, known, n, j, x, stress):
    """Viscous stress of a tube at a point."""
    a, t = 6 + j, 6 + n + j
    c, s = cos(x[a]), sin(x[a])
    y, z = (c * x[1] + s * x[2]) / lam, (c * x[2] - s * x[1]) / lam
    twist = w * D[0] * (pace * (x[0] + x[t]) / lam + rate[0])
    m_y, m_z = w * D[1] * (pace * y + rate[1]), w * D[2] * (pace * z + rate[2])
    stress[0] += twist
    stress[t] += twist
    stress[1] += c * m_y - s * m_z
    stress[2] += s * m_y + c * m_z
    stress[a] += lam * (m_y * z - m_z * y)
    if known == 6:
        for i in range(3, 6):
            stress[i] += w * D[i] * (pace * x[i] / lam + rate[i])


@inline
def _add_drag_tangent(w, lam, D, rate, pace, known, n, j, x, H):
    """Tangent of the viscous stress of a tube at a point."""
    a, t = 6 + j, 6 + n + j
    c, s = cos(x[a]), sin(x[a])
    y, z = (c * x[1] + s * x[2]) / lam, (c * x[2] - s * x[1]) / lam
    m_y, m_z = w * D[1] * (pace * y + rate[1]), w * D[2] * (pace * z + rate[2])
    _add_turned(H, a, t, c, s, lam, pace * w * D[0], pace * w * D[1], pace * w * D[2])
    _add_geometric(H, a, c, s, lam, pace * w * D[1], pace * w * D[2], m_y, m_z, y, z)
    if known == 6:
        for i in range(3, 6):
            H[i, i] += pace * w * D[i] / lam


@kernel
def add_ties(
    n, shown, rotation, values, turned, hidden, locked, stretch, strain, stress, stress_ahead,
    stiffness,
):  # fmt: skip
    """What multipliers do at points without length: torques at plates, and what locks stretch."""
    size = 6 + 2 * n
    for i in range(len(shown)):
        q = shown[i]
        for j in range(n):
            a, t = 6 + j, 6 + n + j
            torque = strain[q, t]
            gap = strain[q, a] - values[rotation[i, j]] - turned[i, j] - hidden[i, j] * torque
            stress[q, a] += torque
            stress[q, t] += gap
            stress_ahead[q, a] += torque
            stress_ahead[q, t] += gap
            stiffness[q, a * size + t] += 1.0
            stiffness[q, t * size + a] += 1.0
            stiffness[q, t * size + t] -= hidden[i, j]
    for i in range(len(locked)):
        q, t = locked[i], 6 + n
        gap = strain[q, 6] - stretch[i]
        stress[q, 6] += strain[q, t]
        stress[q, t] += gap
        stress_ahead[q, 6] += strain[q, t]
        stress_ahead[q, t] += gap
        stiffness[q, 6 * size + t] += 1.0
        stiffness[q, t * size + 6] += 1.0


@kernel
def add_tie_slopes(
    n, shown, rotation, change, behind, soft, twist, locked, stretch, strain, stress
):
    """Derivatives of what closes gaps: by rotations, lengths behind the plate, and stretches."""
    for i in range(len(shown)):
        q = shown[i]
        for j in range(n):
            t = 6 + n + j
            turned = behind[i, j] * (twist[i, j] + soft[i, j] * strain[q, t])
            stress[q, t] -= change[rotation[i, j]] + turned
    for i in range(len(locked)):
        stress[locked[i], 6 + n] -= stretch[i]


@kernel
def act(
    weight, lam, part, K, rest, gauge, known, shown, rotation, values, turned, hidden, locked,
    stretch, strain, strain_ahead, stress, stress_ahead, stiffness,
):  # fmt: skip
    """Elasticity and ties."""
    add(
        weight, lam, part, K, rest, gauge, known, strain, strain_ahead, stress, stress_ahead,
        stiffness,
    )  # fmt: skip
    add_ties(
        K.shape[1], shown, rotation, values, turned, hidden, locked, stretch, strain, stress,
        stress_ahead, stiffness,
    )  # fmt: skip


@kernel
def add_complementary(
    weight, lam, part, K, rest, strain, force, stress, stress_ahead, excess, flexibility
):  # fmt: skip
    """Unknown forces of stretch and shear, by how much they miss the law, and how soft that is."""
    for q in range(len(weight)):
        for i in range(3):
            total = pull = 0.0
            for j in range(K.shape[1]):
                total += K[q, j, 3 + i]
                pull += K[q, j, 3 + i] * rest[q, j, 3 + i]
            w, n = weight[q], force[q, i]
            length = w * lam[q] * part[q]
            soft = length / total
            stress[q, 3 + i] += w * n
            stress_ahead[q, 3 + i] += w * n
            excess[q, i] += w * strain[q, 3 + i] - length * pull / total - soft * n
            flexibility[q, i] += soft


@kernel
def add_slope(weight, lam, part, d_lam, K, rest, d_rest, gauge, known, strain, stress):
    """Derivative of the stress by a change d_lam of λ, and d_rest of ξ*, K as it is.

    The strain is ξ/λ_f - (λ/λ_f) ξ*; sections shorter than the least length are seen as if λ_f
    grew with λ: they bend as longer ones do, as far as their tubes agree, and that turns these.
    """
    n = K.shape[1]
    for q in range(len(weight)):
        x, w, a, d = strain[q], weight[q], lam[q], d_lam[q]
        stress[q, 0] -= w * gauge[q] * x[0] * d / (a * a)
        agreed_y = agreed_z = 0.0
        if part[q] < 1.0:
            agreed_y, agreed_z, _, _ = agreed(K[q], rest[q], part[q], a, x)
        for j in range(n):
            c, s = cos(x[6 + j]), sin(x[6 + j])
            k, r, more = K[q, j], rest[q, j], d_rest[q, j]
            whole = (x[0] + x[6 + n + j]) / a
            twist = w * k[0] * strain_slope(whole, r[0], more[0], part[q], d / a)
            y, z, whole_y, whole_z = bend(k, r, part[q], a, c, s, x[1], x[2])
            d_y, d_z = -whole_y * d / a, -whole_z * d / a
            m_y, m_z = w * k[1] * y, w * k[2] * z
            n_y = w * k[1] * strain_slope(whole_y, r[1], more[1], part[q], d / a)
            n_z = w * k[2] * strain_slope(whole_z, r[2], more[2], part[q], d / a)
            stress[q, 0] += twist
            stress[q, 6 + n + j] += twist
            stress[q, 1] += c * n_y - s * n_z
            stress[q, 2] += s * n_y + c * n_z
            if part[q] < 1.0:
                k_y, k_z = c * agreed_y + s * agreed_z, c * agreed_z - s * agreed_y
                turns = k[1] * (k_y - r[1]) * k_z - k[2] * (k_z - r[2]) * k_y
                follows = w * (k[1] * k_y * whole_z - k[2] * k_z * whole_y) + m_y * k_z - m_z * k_y
                stress[q, 6 + j] += d * (w * turns - follows)
            else:
                stress[q, 6 + j] += d * (m_y * whole_z - m_z * whole_y) + a * (
                    n_y * whole_z + m_y * d_z - n_z * whole_y - m_z * d_y
                )
            if known == 6:
                stretch = strain_slope(x[3] / a, r[3], more[3], part[q], d / a)
                stress[q, 3] += w * k[3] * stretch
                stress[q, 4] -= w * k[4] * x[4] * d / (a * a)
                stress[q, 5] -= w * k[5] * x[5] * d / (a * a)


@inline
def agreed(K, rest, part, lam, x):
    """Curvature that a section takes as soon as it has a length, and the moment in it.

    Of all tubes that are there, by that moment and all of their rests; zero where none is.
    """
    stiff_y, stiff_z, mixed, m_y, m_z, r_y, r_z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(len(K)):
        c, s = cos(x[6 + j]), sin(x[6 + j])
        y, z, _, _ = bend(K[j], rest[j], part, lam, c, s, x[1], x[2])
        k1, k2 = K[j, 1], K[j, 2]
        m_y += c * k1 * y - s * k2 * z
        m_z += s * k1 * y + c * k2 * z
        r_y += c * k1 * rest[j, 1] - s * k2 * rest[j, 2]
        r_z += s * k1 * rest[j, 1] + c * k2 * rest[j, 2]
        stiff_y += c * c * k1 + s * s * k2
        stiff_z += s * s * k1 + c * c * k2
        mixed += c * s * (k1 - k2)
    square = stiff_y * stiff_z - mixed * mixed
    if square <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    a, b = m_y + r_y, m_z + r_z
    return (stiff_z * a - mixed * b) / square, (stiff_y * b - mixed * a) / square, m_y, m_z


@inline
def strain_slope(whole, rest, d_rest, part, growth):
    """Derivative of ξ/λ_f - (λ/λ_f) ξ* where both λ grow by a part, ``growth``, of λ_f."""
    return -(whole - part * rest) * growth - rest * growth - part * d_rest


@inline
def pulled_slopes(K, rest, d_K, d_rest, c):
    """Stiffness of all tubes against a strain, its pull at rest, and derivatives of both."""
    total = pull = d_total = d_pull = 0.0
    for j in range(len(K)):
        k, r = K[j, c], rest[j, c]
        total += k
        pull += k * r
        d_total += d_K[j, c]
        d_pull += d_K[j, c] * r + k * d_rest[j, c]
    return total, pull, d_total, d_pull


@kernel
def add_excess_slope(weight, lam, d_lam, K, rest, d_K, d_rest, force, excess):
    """Derivative of what unknown forces miss by changes of λ, K and ξ*."""
    for q in range(len(weight)):
        for i in range(3):
            total, pull, d_total, d_pull = pulled_slopes(K[q], rest[q], d_K[q], d_rest[q], 3 + i)
            missed = (pull + force[q, i]) / total
            change = d_lam[q] * missed + lam[q] * (d_pull - missed * d_total) / total
            excess[q, i] -= weight[q] * change
