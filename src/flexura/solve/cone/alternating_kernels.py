"""Compiled part of ``alternating``: sweeps with one stiffness ρ."""

from math import hypot

from flexura._kernel import inline, kernel

# In each sweep s goes this part of the way to where it follows to: all of it may go in circles.
FOLLOWED = 0.3


@kernel
def sweep(inverse, b, rho, single, normal, friction, y, w, aside, right, x, count):
    """Sweep so often.

    Args:
        inverse: (W + ρ)⁻ᵀ, (n, n).
        b: gaps without multipliers, (n,).
        rho: ρ.
        single: rows that must not be negative.
        normal: first rows of contacts with friction.
        friction: their coefficients.
        y: multipliers in their cones, (n,).
        w: gaps, (n,).
        aside: s, of contacts with friction, (m,).
        right: work, (n,).
        x: multipliers of the linear system, written, (n,).
        count: how often.

    Returns:
        The most by which multipliers differ from those of the linear system, by which the last
        sweep has moved them, and the largest.
    """
    n, apart, moved, largest = len(b), 0.0, 0.0, 0.0
    for _ in range(count):
        for i in range(n):
            right[i] = rho * y[i] + w[i] - b[i]
            x[i] = 0.0
        for j in range(n):
            for i in range(n):
                x[i] += inverse[j, i] * right[j]
        apart = moved = largest = 0.0
        for i in single:
            new = max(0.0, x[i] - w[i] / rho)
            apart, moved = max(apart, abs(new - x[i])), max(moved, abs(new - y[i]))
            largest = max(largest, abs(new))
            w[i] += rho * (new - x[i])
            y[i] = new
        for c in range(len(normal)):
            k = normal[c]
            aside[c] += FOLLOWED * (friction[c] * hypot(w[k + 1], w[k + 2]) - aside[c])
            a, s, t = _projected(
                x[k] - (w[k] + aside[c]) / rho,
                x[k + 1] - w[k + 1] / rho,
                x[k + 2] - w[k + 2] / rho,
                friction[c],
            )
            for i, new in ((k, a), (k + 1, s), (k + 2, t)):
                apart, moved = max(apart, abs(new - x[i])), max(moved, abs(new - y[i]))
                largest = max(largest, abs(new))
                w[i] += rho * (new - x[i])
                y[i] = new
    return apart, moved, largest


@inline
def _projected(a, s, t, mu):
    """The nearest of a cone."""
    along = hypot(s, t)
    if along <= mu * a:
        return a, s, t
    if mu * along <= -a:
        return 0.0, 0.0, 0.0
    pressing = (mu * along + a) / (1.0 + mu * mu)
    part = mu * pressing / along
    return pressing, part * s, part * t
