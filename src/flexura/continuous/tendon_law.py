"""Kernels of tendons: the strain that belongs to a total stress.

A tendon with tension τ at D(s) in the section frame has the energy τ |Γ| per arc length,
Γ = ν + κ × D + D'. With the elastic wrench Λ = K (ξ - ξ*), the total stress is

    Σ = Λ + Σ_i τ_i b_i,    b = (D × t, t),    t = Γ/|Γ|.                             (theory 9.2)

It is continuous where tendons begin, end or kink, and obeys the equation of Λ without tendons. The
strain of a given Σ is the minimum of φ(ξ) = ½ (ξ-ξ*)ᵀ K (ξ-ξ*) + Σ_i τ_i |Γ_i| - Σ·ξ, which is
strictly convex, with the Hessian

    H = K + Σ_i (τ_i / |Γ_i|) (G_iᵀ G_i - b_i b_iᵀ),    G = ∂Γ/∂ξ = [-hat(D), I].     (theory 9.3)
"""

from math import sqrt

import numpy as np

from flexura._kernel import kernel
from flexura.continuous.segment_law import VARIATIONS, Pull, Strands
from flexura.continuous.table import clenshaw
from flexura.lie.kernels.vector import Vec, blend, dot, scaled, vec
from flexura.typing import Array, Strain, Wrench

# A step that changes no Γ by more than this part of itself is the last: what is left is its square.
LAST_CHANGE = 1e-8
# Newton's method takes some four steps, and needs more where Γ nearly vanishes.
MAX_ITERATIONS = 60
# |φ'''| ≤ 3 ρ φ'' along a step, where ρ is the largest change |G d| / |Γ|. So a full step lowers φ
# by at least 1 - 1/(2 - 2ρ) of the squared decrement, which is a sixth at this ρ.
LARGEST_CHANGE = 0.4


@kernel
def separate(
    strands: Strands,
    panel: int,
    terms: int,
    x: float,
    flexibility: Array,
    rest: Strain,
    elastic: Wrench,
    pull: Pull,
    c: int,
) -> None:
    """Turn a total stress Σ into its elastic part Λ, and write what the tendons do at stage c.

    Newton's method on φ, its steps shortened so that φ decreases. It begins with what the tendons
    carried at the stage before; should it crawl around a Γ that nearly vanishes, with nothing.
    Where Σ has no strain, because a Γ does vanish, Λ is not a number.

    Args:
        strands: the tendons.
        panel: where the stage is.
        terms: of the series there.
        x: place in the panel, from -1 to 1.
        flexibility: diagonal of K⁻¹, (6,).
        rest: ξ*, (6,).
        elastic: Σ, then Λ, (6,).
        pull: where the rest goes.
        c: the stage.
    """
    for i in range(6):
        pull.trial[0, i] = elastic[i]
    _place(strands, panel, terms, x, pull)
    if not _search(strands, panel, flexibility, rest, elastic, pull):
        pull.wrench.fill(0.0)
        if not _search(strands, panel, flexibility, rest, elastic, pull):
            elastic.fill(np.nan)
    _invert(pull.factor, pull.compliance[c])
    _measure(strands, panel, pull, c)


@kernel
def _search(
    strands: Strands, panel: int, flexibility: Array, rest: Strain, elastic: Wrench, pull: Pull
) -> bool:
    """Newton's method for Λ from where tendons carry ``pull.wrench``; whether it was found."""
    stress, trial, step = pull.trial
    for i in range(6):
        elastic[i] = stress[i] - pull.wrench[i]
        trial[i] = rest[i] + flexibility[i] * elastic[i]
    for _ in range(MAX_ITERATIONS):
        _linearise(strands, panel, flexibility, elastic, pull)
        _factorise(pull.factor)
        _solve(pull.factor, step)
        change = _change(strands, panel, pull)
        part = 1.0 if change <= LARGEST_CHANGE else (1.0 - 1.0 / sqrt(1.0 + 2.0 * change)) / change
        for i in range(6):
            elastic[i] += part * step[i] / flexibility[i]
            trial[i] = rest[i] + flexibility[i] * elastic[i]
        if change <= LAST_CHANGE:
            for i in range(6):
                pull.wrench[i] = stress[i] - elastic[i]
            return True
    return False


@kernel
def _place(strands: Strands, panel: int, terms: int, x: float, pull: Pull) -> None:
    """Offsets and slopes of the strands of a panel."""
    first = strands.first[panel]
    for q in range(first, strands.first[panel + 1]):
        clenshaw(pull.offset[q - first], strands.series[q], terms, x)


@kernel
def _aim(strain: Strain, pull: Pull, n: int) -> None:
    """Γ and b of n strands."""
    for j in range(n):
        gamma, b = _gamma(strain, pull.offset[j]), pull.unit[j]
        t = scaled(1.0 / sqrt(dot(gamma, gamma)), gamma)
        y, z = pull.offset[j, 0], pull.offset[j, 1]
        b[0], b[1], b[2] = y * t[2] - z * t[1], z * t[0], -y * t[0]
        for i in range(3):
            pull.gamma[j, i], b[3 + i] = gamma[i], t[i]


@kernel
def _gamma(xi: Strain, offset: Array) -> Vec:
    """Γ = ν + κ × D + D' for an offset (y, z, y', z')."""
    y, z = offset[0], offset[1]
    stretch = xi[3] + xi[1] * z - xi[2] * y
    return stretch, xi[4] - xi[0] * z + offset[2], xi[5] + xi[0] * y + offset[3]


@kernel
def _linearise(
    strands: Strands, panel: int, flexibility: Array, elastic: Wrench, pull: Pull
) -> None:
    """The Hessian H, its lower triangle, and the downhill slope Σ - Λ - Σ_i τ_i b_i of φ."""
    first, n = strands.first[panel], strands.first[panel + 1] - strands.first[panel]
    stress, trial, slope = pull.trial
    H = pull.factor
    _aim(trial, pull, n)
    for i in range(6):
        slope[i] = stress[i] - elastic[i]
        for j in range(i):
            H[i, j] = 0.0
        H[i, i] = 1.0 / flexibility[i]
    for j in range(n):
        tension, b = strands.tension[strands.tendon[first + j]], pull.unit[j]
        gamma = vec(pull.gamma[j], 0)
        for i in range(6):
            slope[i] -= tension * b[i]
        _stiffen(H, tension / sqrt(dot(gamma, gamma)), b, pull.offset[j, 0], pull.offset[j, 1])


@kernel
def _stiffen(H: Array, k: float, b: Array, y: float, z: float) -> None:
    """Add k (Gᵀ G - b bᵀ) to a lower triangle, Gᵀ G = [[D·D - D Dᵀ, hat(D)], [-hat(D), I]]."""
    for i in range(6):
        for j in range(i + 1):
            H[i, j] -= k * b[i] * b[j]
    for i in range(3, 6):
        H[i, i] += k
    H[0, 0] += k * (y * y + z * z)
    H[1, 1] += k * z * z
    H[2, 1] -= k * y * z
    H[2, 2] += k * y * y
    H[3, 1] += k * z
    H[3, 2] -= k * y
    H[4, 0] -= k * z
    H[5, 0] += k * y


@kernel
def _factorise(H: Array) -> None:
    """Cholesky factor of H in its lower triangle, with the reciprocals of the diagonal."""
    for i in range(6):
        for j in range(i):
            total = H[i, j]
            for l in range(j):
                total -= H[i, l] * H[j, l]
            H[i, j] = total * H[j, j]
        total = H[i, i]
        for l in range(i):
            total -= H[i, l] * H[i, l]
        H[i, i] = 1.0 / np.sqrt(total)


@kernel
def _solve(factor: Array, x: Array) -> None:
    """Write H⁻¹ x in place of x."""
    for i in range(6):
        for j in range(i):
            x[i] -= factor[i, j] * x[j]
        x[i] *= factor[i, i]
    for i in range(5, -1, -1):
        for j in range(i + 1, 6):
            x[i] -= factor[j, i] * x[j]
        x[i] *= factor[i, i]


@kernel
def _invert(factor: Array, inverse: Array) -> None:
    """Write H⁻¹."""
    for i in range(6):
        for j in range(6):
            inverse[i, j] = 1.0 if i == j else 0.0
        _solve(factor, inverse[i])


@kernel
def _change(strands: Strands, panel: int, pull: Pull) -> float:
    """The largest |G d| / |Γ| of a step d over the tendons that pull; not a number if d is none."""
    first, step = strands.first[panel], pull.trial[2]
    largest: float = 0.0 * step[0]
    for q in range(first, strands.first[panel + 1]):
        if strands.tension[strands.tendon[q]] != 0.0:
            offset, gamma = pull.offset[q - first], vec(pull.gamma[q - first], 0)
            change = blend(1.0, _gamma(step, offset), -1.0, (0.0, offset[2], offset[3]))
            part = sqrt(dot(change, change) / dot(gamma, gamma))
            if not part <= largest:
                largest = part
    return largest


@kernel
def _measure(strands: Strands, panel: int, pull: Pull, c: int) -> None:
    """|Γ| of the tendons, and what their unknown tensions change, at stage c."""
    first, n = strands.first[panel], strands.first[panel + 1] - strands.first[panel]
    rate, lost, shorter = pull.rate[c], pull.strain_loss[c], pull.length_loss[c]
    _aim(pull.trial[1], pull, n)
    rate.fill(0.0)
    lost.fill(0.0)
    shorter.fill(0.0)
    for j in range(n):
        gamma, u = vec(pull.gamma[j], 0), strands.unknown[first + j]
        rate[strands.tendon[first + j]] = sqrt(dot(gamma, gamma))
        if u >= 0:
            for i in range(6):
                lost[u, i] = pull.unit[j, i]
            _solve(pull.factor, lost[u])
    for j in range(n):
        u = strands.unknown[first + j]
        if u >= 0:
            for v in range(len(lost)):
                for i in range(6):
                    shorter[u, v] += pull.unit[j, i] * lost[v, i]


@kernel
def strain_change(pull: Pull, c: int, stress: Wrench, unknown: int) -> tuple[Vec, Vec]:
    """δξ = H⁻¹ (δΣ - b δτ) at stage c, for a unit of one unknown tension or, if -1, of none."""
    C = pull.compliance[c]
    k0 = k1 = k2 = e0 = e1 = e2 = 0.0
    for j in range(6):
        k0 += C[0, j] * stress[j]
        k1 += C[1, j] * stress[j]
        k2 += C[2, j] * stress[j]
        e0 += C[3, j] * stress[j]
        e1 += C[4, j] * stress[j]
        e2 += C[5, j] * stress[j]
    if unknown >= 0:
        b = pull.strain_loss[c, unknown]
        return (k0 - b[0], k1 - b[1], k2 - b[2]), (e0 - b[3], e1 - b[4], e2 - b[5])
    return (k0, k1, k2), (e0, e1, e2)


@kernel
def lengthen(pull: Pull, c: int, weight: float, variations: Array, lengths: Array) -> None:
    """Add what the variations at stage c do to tendons that are driven by their length.

        δ|Γ_i| = b_iᵀ δξ = b_iᵀ H⁻¹ (δΣ - b_j δτ_j)

    Args:
        pull: what the tendons do.
        c: the stage.
        weight: of the stage in the integral.
        variations: (ζ, δΣ) there, (n, 12).
        lengths: the changes, (u, n).
    """
    for i in range(len(lengths)):
        for k in range(lengths.shape[1]):
            total = 0.0 if k < VARIATIONS else -pull.length_loss[c, i, k - VARIATIONS]
            for l in range(6):
                total += pull.strain_loss[c, i, l] * variations[k, 6 + l]
            lengths[i, k] += weight * total


@kernel
def add_tendons(
    strands: Strands, panel: int, terms: int, x: float, strain: Strain, stress: Wrench, pull: Pull
) -> None:
    """Add the stress Σ_i τ_i b_i of the tendons to an elastic wrench."""
    first, n = strands.first[panel], strands.first[panel + 1] - strands.first[panel]
    _place(strands, panel, terms, x, pull)
    _aim(strain, pull, n)
    for j in range(n):
        for i in range(6):
            stress[i] += strands.tension[strands.tendon[first + j]] * pull.unit[j, i]
