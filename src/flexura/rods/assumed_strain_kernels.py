"""Compiled part of ``AssumedStrain``; names as there."""

from flexura._kernel import inline, kernel


@kernel
def interpolate(node, column, basis, inner, force):
    """n = Σ_a N_a n_a at every point."""
    for p in range(len(basis)):
        for c in range(3):
            force[p, c] = 0.0
        for i in range(basis.shape[1]):
            for c in range(3):
                force[p, c] += basis[p, i] * inner[node[p, i], column[p, i] + c]


@kernel
def carry(node, column, basis, excess, inner_force):
    """Add Σ_p N_a e_p to the residuals of n_a."""
    for p in range(len(basis)):
        for i in range(basis.shape[1]):
            for c in range(3):
                inner_force[node[p, i], column[p, i] + c] += basis[p, i] * excess[p, c]


@kernel
def couple(
    span_first, span_points, node, column, basis, weight, flexibility, excess, from_end, to_end,
    jacobian, inner_force, rows, between, work,
):  # fmt: skip
    """Residuals and tangent of the forces of splines.

    Args (all weights are inside the laws):
        span_first, span_points: nodes and points of the spans.
        node, column, basis: of ``AssumedStrain``.
        weight: of the points.
        flexibility, excess: what laws add at the points.
        from_end, to_end: tangents of Ω to the control poses.
        jacobian: ∂ξ/∂Ω_j of the points, duals.
        inner_force: residuals, added to.
        rows: ∂/∂(poses) of ∫ N_a ν ds; ``rows[a, j]`` is flat 3x6, for the node a - k + j.
        between: -∫ N_a K⁻¹ N_b ds for b = a … a + k - 1, (n_nodes, k, 3).
        work: (18,).
    """
    k = basis.shape[1]
    carry(node, column, basis, excess, inner_force)
    between[:] = 0.0
    for p in range(len(basis)):
        for i in range(k):
            for j in range(i, k):
                product = basis[p, i] * basis[p, j]
                for c in range(3):
                    between[node[p, i], j - i, c] -= product * flexibility[p, c]
    rows[:] = 0.0
    for span in range(len(span_first)):
        for i in range(k):
            a = span_first[span] + 1 + i
            for j in range(k):
                work[:] = 0.0
                for p in range(span_points[span], span_points[span + 1]):
                    add_stretch(work, weight[p] * basis[p, i], jacobian[p, j])
                add_rows(rows[a, j + k - 1 - i], work, from_end[span_first[span] + 1 + j])
                add_rows(rows[a, j + k - i], work, to_end[span_first[span] + 1 + j])


@inline
def add_stretch(out, factor, x):
    """out += factor ∂ν, the lower half of a dual as a flat 3x6 matrix."""
    for r in range(3):
        for c in range(3):
            out[6 * r + c] += factor * x[9 + 3 * r + c]
            out[6 * r + 3 + c] += factor * x[3 * r + c]


@inline
def add_rows(out, rows, x):
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
