"""Compiled part of the tendons."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.lie._vector import blend, cross, dot, rotate, rotate_back, vec


@kernel
def write(
    tendon, point, weight, offset, slope, strain, tension, ahead, stress, stress_ahead, stiffness,
    length,
):  # fmt: skip
    """Add τ (D × t, t) and τ/|Γ| Gᵀ (1 - t tᵀ) G with G = [-D̂, 1], and |Γ|, times the weight.

    ``ahead`` is the tension for the geometric part of the tangent.
    """
    for e in range(len(tendon)):
        p, D = point[e], vec(offset[e], 0)
        t, size = _direction(D, vec(slope[e], 0), strain[p])
        length[tendon[e]] += weight[e] * size
        tau, expected = weight[e] * tension[tendon[e]], weight[e] * ahead[tendon[e]]
        if (tau == 0.0 and expected == 0.0) or size == 0.0:
            continue
        m = cross(D, t)
        for i in range(3):
            stress[p, i] += tau * m[i]
            stress[p, 3 + i] += tau * t[i]
            stress_ahead[p, i] += expected * m[i]
            stress_ahead[p, 3 + i] += expected * t[i]
        _add_stiffness(stiffness[p], tau / size, D, t, m)


@kernel
def add_length(tendon, point, weight, offset, slope, strain, length):
    """Add |Γ| times the weight."""
    for e in range(len(tendon)):
        _, size = _direction(vec(offset[e], 0), vec(slope[e], 0), strain[point[e]])
        length[tendon[e]] += weight[e] * size


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


@kernel
def unit_stress(chosen, tendon, point, weight, offset, slope, strain, stress):
    """Add (D × t, t) times the weight along one tendon."""
    for e in range(len(tendon)):
        if tendon[e] == chosen:
            p, D = point[e], vec(offset[e], 0)
            t, _ = _direction(D, vec(slope[e], 0), strain[p])
            m = cross(D, t)
            for i in range(3):
                stress[p, i] += weight[e] * m[i]
                stress[p, 3 + i] += weight[e] * t[i]


@kernel
def write_segments(tendon, nodes, holes, pose, tension, ahead, force, blocks, length, jacobian):
    """Forces τ ∂l/∂ζ of both nodes, τ ∂²l/∂ζ² in the exponential charts, and l = |p_b - p_a|.

    p = R (d + v + w × d + ½ w × (v + w × d)) + …; ``ahead`` is the tension for the tangent,
    ``jacobian`` work space: ∂p/∂ζ = R [-d̂, 1].
    """
    for e in range(len(tendon)):
        t, size = _span(nodes[e], holes[e], pose)
        tau, expected = tension[tendon[e]], ahead[tendon[e]]
        length[tendon[e]] += size
        blocks[e] = 0.0
        if size == 0.0:
            continue
        for side in range(2):
            d, g = vec(holes[e, side], 0), pose[nodes[e, side]]
            sign = 1.0 if side == 1 else -1.0
            _pull(force[nodes[e, side]], g, d, t, sign * tau)
            _put_jacobian(jacobian[side], g, d)
            _add_curvature(blocks[e, side, side], sign * expected, d, rotate_back(g, t))
        for a in range(2):
            for b in range(2):
                scale = expected / size if a == b else -expected / size
                _add_projected(blocks[e, a, b], scale, jacobian[a], jacobian[b], t)


@inline
def _span(nodes, holes, pose):
    """Direction from the first hole to the second, and their distance."""
    a, b = pose[nodes[0]], pose[nodes[1]]
    gap = blend(1.0, rotate(b, vec(holes[1], 0)), -1.0, rotate(a, vec(holes[0], 0)))
    gap = (
        gap[0] + b[0, 3] - a[0, 3],
        gap[1] + b[1, 3] - a[1, 3],
        gap[2] + b[2, 3] - a[2, 3],
    )
    size = sqrt(dot(gap, gap))
    inverse = 1.0 / size if size > 0.0 else 0.0
    return (inverse * gap[0], inverse * gap[1], inverse * gap[2]), size


@inline
def _pull(force, g, d, t, scale):
    """Add a force along t at the point d of a node."""
    f = rotate_back(g, t)
    m = cross(d, f)
    for i in range(3):
        force[i] += scale * m[i]
        force[3 + i] += scale * f[i]


@inline
def _put_jacobian(out, g, d):
    """R [-d̂, 1]."""
    for i in range(3):
        a, b, c = g[i, 0], g[i, 1], g[i, 2]
        out[i, 0], out[i, 1], out[i, 2] = (
            c * d[1] - b * d[2],
            a * d[2] - c * d[0],
            b * d[0] - a * d[1],
        )
        out[i, 3], out[i, 4], out[i, 5] = a, b, c


@inline
def _add_curvature(out, scale, d, f):
    """Second variation of f·p: ½ f·(w × v) + ½ f·(w × (w × d))."""
    along = dot(f, d)
    for i in range(3):
        for j in range(3):
            out[6 * i + j] += 0.5 * scale * (f[i] * d[j] + d[i] * f[j])
        out[7 * i] -= scale * along
        j, l = (i + 1) % 3, (i + 2) % 3
        out[6 * j + 3 + l] += 0.5 * scale * f[i]
        out[6 * l + 3 + j] -= 0.5 * scale * f[i]
        out[18 + 6 * l + j] += 0.5 * scale * f[i]
        out[18 + 6 * j + l] -= 0.5 * scale * f[i]


@inline
def _add_projected(out, scale, left, right, t):
    """Add scale · leftᵀ (1 - t tᵀ) right."""
    for i in range(6):
        x = left[0, i] * t[0] + left[1, i] * t[1] + left[2, i] * t[2]
        for j in range(6):
            y = right[0, j] * t[0] + right[1, j] * t[1] + right[2, j] * t[2]
            value = left[0, i] * right[0, j] + left[1, i] * right[1, j] + left[2, i] * right[2, j]
            out[6 * i + j] += scale * (value - x * y)


@kernel
def unit_force(chosen, tendon, nodes, holes, pose, force):
    """Add ∂l/∂ζ of both nodes of all segments of one tendon."""
    for e in range(len(tendon)):
        if tendon[e] == chosen:
            t, _ = _span(nodes[e], holes[e], pose)
            for side in range(2):
                n = nodes[e, side]
                _pull(force[n], pose[n], vec(holes[e, side], 0), t, 1.0 if side == 1 else -1.0)
