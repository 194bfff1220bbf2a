"""Compiled part of ``AssumedStrain``; names as there."""

from flexura._kernel import inline, kernel


@kernel
def compliance(point_first, basis, inverse, found):
    """∫ N_a K⁻¹ N_b ds."""
    k = basis.shape[1]
    for p in range(len(basis)):
        for i in range(k):
            for j in range(i, k):
                for c in range(3):
                    found[point_first[p] + 1 + i, j - i, c] += (
                        basis[p, i] * basis[p, j] * inverse[p, c]
                    )


@kernel
def interpolate(point_first, basis, coefficients, found):
    """Σ_a N_a n_a at every point."""
    for p in range(len(basis)):
        for i in range(basis.shape[1]):
            for c in range(3):
                found[p, c] += basis[p, i] * coefficients[point_first[p] + 1 + i, c]


@kernel
def law(point_first, basis, flexibility, coefficients, excess, found):
    """∫ N_a (ν - ν* - K⁻¹ n) ds."""
    k = basis.shape[1]
    for p in range(len(basis)):
        for i in range(k):
            for c in range(3):
                found[point_first[p] + 1 + i, c] += basis[p, i] * excess[p, c]
    for a in range(len(found)):
        for j in range(k):
            if a + j < len(found):
                for c in range(3):
                    found[a, c] -= flexibility[a, j, c] * coefficients[a + j, c]
                    if j > 0:
                        found[a + j, c] -= flexibility[a, j, c] * coefficients[a, c]


@kernel
def gradients(span_first, span_points, basis, weight, from_end, to_end, jacobian, found, work):
    """∂/∂(poses) of ∫ N_a ν ds: ``found[a, c]`` is flat 3x6, for the node a - k + c.

    ``jacobian[p, j]`` is ∂ξ/∂Ω_j of a point, a dual.
    """
    k = basis.shape[1]
    found[:] = 0.0
    for span in range(len(span_first)):
        first = span_first[span]
        for i in range(k):
            a = first + 1 + i
            for j in range(k):
                work[:] = 0.0
                for p in range(span_points[span], span_points[span + 1]):
                    factor = weight[p] * basis[p, i]
                    x = jacobian[p, j]
                    for r in range(3):
                        for c in range(3):
                            work[6 * r + c] += factor * x[9 + 3 * r + c]
                            work[6 * r + 3 + c] += factor * x[3 * r + c]
                _add_rows(found[a, j + k - 1 - i], work, from_end[first + 1 + j])
                _add_rows(found[a, j + k - i], work, to_end[first + 1 + j])


@inline
def _add_rows(out, rows, x):
    """out += rows x, a flat 3x6 matrix times a dual."""
    for i in range(0, 18, 6):
        for j in range(3):
            left = 0.0
            right = 0.0
            for l in range(3):
                left += rows[i + l] * x[3 * l + j] + rows[i + 3 + l] * x[9 + 3 * l + j]
                right += rows[i + 3 + l] * x[3 * l + j]
            out[i + j] += left
            out[i + 3 + j] += right
