"""Points that ride on poses: how they move, to second order."""

from flexura._kernel import inline
from flexura.lie.kernels.vector import dot


@inline
def add_curvature(out, scale, d, f):
    """Second variation of f·p for p = g d: ½ f·(w × v) + ½ f·(w × (w × d)); f in body axes."""
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
