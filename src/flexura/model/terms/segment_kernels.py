"""Compiled part of the segments."""

from math import sqrt

from flexura._kernel import inline, kernel
from flexura.lie.kernels.vector import blend, cross, dot, rotate, rotate_back, vec
from flexura.model.point_kernels import add_curvature


@kernel
def add(source, nodes, holes, pose, values, ahead, force, blocks, conjugate, jacobian, tangents):
    """Forces τ ∂l/∂ζ of both nodes, τ ∂²l/∂ζ² in the exponential charts, and l = |p_b - p_a|.

    p = R (d + v + w × d + ½ w × (v + w × d)) + …; ``ahead`` has the tension for the tangent,
    ``jacobian`` is work space: ∂p/∂ζ = R [-d̂, 1].
    """
    for e in range(len(source)):
        t, size = _span(nodes[e], holes[e], pose)
        tau, expected = values[source[e]], ahead[source[e]]
        conjugate[source[e]] += size
        if tangents:
            blocks[e] = 0.0
        if size == 0.0:
            continue
        for side in range(2):
            d, g = vec(holes[e, side], 0), pose[nodes[e, side]]
            sign = 1.0 if side == 1 else -1.0
            _pull(force[nodes[e, side]], g, d, t, sign * tau)
            if not tangents:
                continue
            _put_jacobian(jacobian[side], g, d)
            add_curvature(blocks[e, side, side], sign * expected, d, rotate_back(g, t))
        for a in range(2 if tangents else 0):
            for b in range(2):
                scale = expected / size if a == b else -expected / size
                _add_projected(blocks[e, a, b], scale, jacobian[a], jacobian[b], t)


@kernel
def add_slope(source, nodes, holes, pose, change, force):
    """Add δτ ∂l/∂ζ of both nodes."""
    for e in range(len(source)):
        tau = change[source[e]]
        if tau != 0.0:
            t, _ = _span(nodes[e], holes[e], pose)
            for side in range(2):
                n = nodes[e, side]
                _pull(force[n], pose[n], vec(holes[e, side], 0), t, tau if side == 1 else -tau)


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
def _add_projected(out, scale, left, right, t):
    """Add scale · leftᵀ (1 - t tᵀ) right."""
    for i in range(6):
        x = left[0, i] * t[0] + left[1, i] * t[1] + left[2, i] * t[2]
        for j in range(6):
            y = right[0, j] * t[0] + right[1, j] * t[1] + right[2, j] * t[2]
            value = left[0, i] * right[0, j] + left[1, i] * right[1, j] + left[2, i] * right[2, j]
            out[6 * i + j] += scale * (value - x * y)
