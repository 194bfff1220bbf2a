"""Compiled part of the tendons along rods."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import blend, cross, dot, vec


@kernel
def add(
    source, point, weight, offset, slope, strain, values, ahead, stress, stress_ahead, stiffness,
    conjugate, tangents,
):  # fmt: skip
    """Add τ (D × t, t) and τ/|Γ| Gᵀ (1 - t tᵀ) G with G = [-D̂, 1], and |Γ|, times the weight.

    ``ahead`` has the tension for the geometric part of the tangent.
    """
    for e in range(len(source)):
        p, D = point[e], vec(offset[e], 0)
        t, size = _direction(D, vec(slope[e], 0), strain[p])
        conjugate[source[e]] += weight[e] * size
        tau, expected = weight[e] * values[source[e]], weight[e] * ahead[source[e]]
        if (tau == 0.0 and expected == 0.0) or size == 0.0:
            continue
        m = cross(D, t)
        for i in range(3):
            stress[p, i] += tau * m[i]
            stress[p, 3 + i] += tau * t[i]
            stress_ahead[p, i] += expected * m[i]
            stress_ahead[p, 3 + i] += expected * t[i]
        if tangents:
            _add_stiffness(stiffness[p], tau / size, D, t, m)


@kernel
def add_slope(source, point, weight, offset, slope, strain, change, stress):
    """Add δτ (D × t, t) times the weight."""
    for e in range(len(source)):
        tau = weight[e] * change[source[e]]
        if tau == 0.0:
            continue
        p, D = point[e], vec(offset[e], 0)
        t, _ = _direction(D, vec(slope[e], 0), strain[p])
        m = cross(D, t)
        for i in range(3):
            stress[p, i] += tau * m[i]
            stress[p, 3 + i] += tau * t[i]


@kernel
def add_length(source, point, weight, offset, slope, strain, conjugate):
    """Add |Γ| times the weight."""
    for e in range(len(source)):
        _, size = _direction(vec(offset[e], 0), vec(slope[e], 0), strain[point[e]])
        conjugate[source[e]] += weight[e] * size


@inline
def _direction(D, slope, strain):
    """t = Γ/|Γ| and |Γ|."""
    gamma = blend(1.0, cross(vec(strain, 0), D), 1.0, slope)
    gamma = blend(1.0, gamma, 1.0, vec(strain, 3))
    size = sqrt(dot(gamma, gamma))
    inverse = 1.0 / size if size > 0.0 else 0.0
    return (inverse * gamma[0], inverse * gamma[1], inverse * gamma[2]), size


@inline
def _add_stiffness(out, k, D, t, m):
    """Add k Gᵀ (1 - t tᵀ) G = k ([[D̂ᵀD̂, D̂], [D̂ᵀ, 1]] - (m, t) (m, t)ᵀ), m = D × t."""
    square = dot(D, D)
    for i in range(3):
        for j in range(3):
            out[6 * i + j] -= k * (D[i] * D[j] + m[i] * m[j])
            out[6 * i + 3 + j] -= k * m[i] * t[j]
            out[18 + 6 * i + j] -= k * t[i] * m[j]
            out[21 + 6 * i + j] -= k * t[i] * t[j]
        out[7 * i] += k * square
        out[21 + 7 * i] += k
        j, l = (i + 1) % 3, (i + 2) % 3
        out[6 * j + 3 + l] -= k * D[i]
        out[6 * l + 3 + j] += k * D[i]
        out[18 + 6 * l + j] -= k * D[i]
        out[18 + 6 * j + l] += k * D[i]
