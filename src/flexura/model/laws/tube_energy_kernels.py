"""Energies of tubes inside each other, and how they change with insertions.

Names as in ``tube_kernels``.
"""

from math import cos, sin

from flexura._kernel import kernel
from flexura.model.laws.tube_kernels import agreed, bend, pulled_slopes, strain_slope


@kernel
def energy(weight, lam, part, K, rest, gauge, known, strain):
    """Strain energy."""
    total = 0.0
    n = K.shape[1]
    for q in range(len(weight)):
        x, h = strain[q], weight[q] * lam[q]
        total += h * gauge[q] * (x[0] / lam[q]) ** 2
        for j in range(n):
            c, s = cos(x[6 + j]), sin(x[6 + j])
            twist = (x[0] + x[6 + n + j]) / lam[q] - part[q] * rest[q, j, 0]
            y, z, _, _ = bend(K[q, j], rest[q, j], part[q], lam[q], c, s, x[1], x[2])
            total += h * (K[q, j, 0] * twist**2 + K[q, j, 1] * y**2 + K[q, j, 2] * z**2)
            if known == 6:
                stretch = x[3] / lam[q] - part[q] * rest[q, j, 3]
                total += h * K[q, j, 3] * stretch**2
                for i in range(4, 6):
                    total += h * K[q, j, i] * (x[i] / lam[q]) ** 2
    return 0.5 * total


@kernel
def energy_slope(weight, lam, part, d_lam, K, rest, d_K, d_rest, gauge, known, strain):
    """Derivative of the strain energy by changes of λ, K and ξ*, strains by reference as they are.

    Of w λ/2 K ε² it is w (½ K ε² dλ + ½ λ dK ε² + λ K ε dε). Sections shorter than the least length
    bend as soon as they grow: w dλ (½ Σ K (κ - κ*)² - m κ).
    """
    n, total = K.shape[1], 0.0
    for q in range(len(weight)):
        x, a, growth = strain[q], lam[q], d_lam[q] / lam[q]
        total -= weight[q] * a * gauge[q] * (x[0] / a) ** 2 * growth / 2.0
        short, agreed_y, agreed_z = part[q] < 1.0, 0.0, 0.0
        if short:
            agreed_y, agreed_z, m_y, m_z = agreed(K[q], rest[q], part[q], a, x)
            total -= weight[q] * d_lam[q] * (m_y * agreed_y + m_z * agreed_z)
        for j in range(n):
            c, s = cos(x[6 + j]), sin(x[6 + j])
            k, more, r, d_r = K[q, j], d_K[q, j], rest[q, j], d_rest[q, j]
            if short:
                y, z = c * agreed_y + s * agreed_z - r[1], c * agreed_z - s * agreed_y - r[2]
                total += weight[q] * d_lam[q] * 0.5 * (k[1] * y * y + k[2] * z * z)
            for i in range(known):
                if short and 1 <= i <= 2:
                    continue
                if i == 0:
                    whole = (x[0] + x[6 + n + j]) / a
                elif i == 1:
                    whole = (c * x[1] + s * x[2]) / a
                elif i == 2:
                    whole = (c * x[2] - s * x[1]) / a
                else:
                    whole = x[i] / a
                own, d_own = (r[i], d_r[i]) if i < 4 else (0.0, 0.0)
                epsilon = whole - part[q] * own
                slope = strain_slope(whole, own, d_own, part[q], growth)
                square = 0.5 * (k[i] * growth + more[i]) * epsilon * epsilon
                total += weight[q] * a * (square + k[i] * epsilon * slope)
    return total


@kernel
def tie_energy(n, shown, rotation, values, turned, hidden, locked, stretch, strain):
    """What multipliers have of the energy: none, where gaps are closed and nothing twists."""
    total = 0.0
    for i in range(len(shown)):
        x = strain[shown[i]]
        for j in range(n):
            torque = x[6 + n + j]
            gap = x[6 + j] - values[rotation[i, j]] - turned[i, j]
            total += torque * (gap - 0.5 * hidden[i, j] * torque)
    for i in range(len(locked)):
        total += strain[locked[i], 6 + n] * (strain[locked[i], 6] - stretch[i])
    return total


@kernel
def tie_energy_slope(n, shown, behind, soft, twist, locked, stretch, strain):
    """Derivative of ``tie_energy`` by lengths behind the plate, and stretches."""
    total = 0.0
    for i in range(len(shown)):
        x = strain[shown[i]]
        for j in range(n):
            torque = x[6 + n + j]
            total -= torque * behind[i, j] * (twist[i, j] + 0.5 * soft[i, j] * torque)
    for i in range(len(locked)):
        total -= strain[locked[i], 6 + n] * stretch[i]
    return total


@kernel
def complementary_energy(weight, lam, part, K, rest, strain, force):
    """Σ w (n (ν - λ ν*) - ½ λ n² / K), with the stiffness and the mean rest of all tubes."""
    found = 0.0
    for q in range(len(weight)):
        for i in range(3):
            total = pull = 0.0
            for j in range(K.shape[1]):
                total += K[q, j, 3 + i]
                pull += K[q, j, 3 + i] * rest[q, j, 3 + i]
            n, length = force[q, i], lam[q] * part[q]
            found += weight[q] * n * (strain[q, 3 + i] - length * (pull + 0.5 * n) / total)
    return found


@kernel
def complementary_slope(weight, lam, d_lam, K, rest, d_K, d_rest, force):
    """Derivative of ``complementary_energy`` by changes of λ, K and ξ*."""
    found = 0.0
    for q in range(len(weight)):
        for i in range(3):
            total, pull, d_total, d_pull = pulled_slopes(K[q], rest[q], d_K[q], d_rest[q], 3 + i)
            n = force[q, i]
            mean = (pull + 0.5 * n) / total
            change = d_lam[q] * mean + lam[q] * (d_pull - mean * d_total) / total
            found -= weight[q] * n * change
    return found
