"""Compiled part of ``elements``."""

from flexura._kernel import kernel


@kernel
def least_ratios(rest, u, cells, slopes, before, out, J):
    """Least ratio of determinants of the positions by local coordinates to those at rest.

    ``slopes`` are those of the shape functions, (p, k, 3), ``before`` at rest, (m, p); J is work.
    """
    for e in range(len(cells)):
        for p in range(len(slopes)):
            ratio = _determinant(rest, u, cells[e], slopes[p], J) / before[e, p]
            if p == 0 or ratio < out[e] or ratio != ratio:
                out[e] = ratio


@kernel
def _determinant(rest, u, cell, slope, J):
    """det Σ x_a ⊗ ∂N_a."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for a in range(len(cell)):
                total += (rest[cell[a], i] + u[cell[a], i]) * slope[a, j]
            J[i, j] = total
    return (
        J[0, 0] * (J[1, 1] * J[2, 2] - J[1, 2] * J[2, 1])
        - J[0, 1] * (J[1, 0] * J[2, 2] - J[1, 2] * J[2, 0])
        + J[0, 2] * (J[1, 0] * J[2, 1] - J[1, 1] * J[2, 0])
    )
