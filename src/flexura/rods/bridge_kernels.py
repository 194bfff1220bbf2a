"""Newton's method for the interpolated curve of least energy between two poses."""

import numpy as np

from flexura._kernel import inline, kernel
from flexura.rods import dense_kernels
from flexura.rods.rotation_curve_kernels import curvature, derivatives, end_rows

ITERATIONS = 60
# A step of this size is the last [rad].
SMALL = 1e-6


@kernel
def solve(
    length, basis, weight, stiffness, rest, beyond, target, y, kappa, rotation, moment, pulls,
    curved, gradient, hessian, rows, matrix, right, force, pivots, work,
):  # fmt: skip
    """Slopes y[3:] that make the curve end at ``target`` with the least energy, in place.

    It is told the length, the cubic functions at the points (n, 2, 3), the weights of these (n,) on
    the unit interval, the stiffness of torsion and bending there, the curvature of the unloaded rod
    and the load f on what lies beyond, (n, 3) each, and the unknowns y = (x1, k0, c) of the
    interpolation, (9,). The rest is room, as `bridge.py` makes it.

    Returns the energy with the potential of the load, -∫ f·t ds with the tangents t, or NaN if the
    iteration did not converge.
    """
    n = len(weight)
    for p in range(n):
        for i in range(3):
            curved[p, i, i] = weight[p] * stiffness[p, i] / length
    for _ in range(ITERATIONS):
        curvature(y, length, basis, kappa, rotation, work)
        for i in range(3):
            right[6 + i] = target[i]
        for p in range(n):
            for i in range(3):
                moment[p, i] = weight[p] * stiffness[p, i] * (kappa[p, i] - rest[p, i])
                pulls[p, i] = length * weight[p] * (force[i] - beyond[p, i])
                right[6 + i] -= length * weight[p] * rotation[p, i, 0]
        derivatives(y, basis, moment, curved, pulls, gradient, hessian, work)
        end_rows(y, length, basis, weight, rotation, rows, work)
        _put_equations(gradient, hessian, rows, matrix, right)
        if not dense_kernels.factorise(matrix, pivots):
            return np.nan
        dense_kernels.solve(matrix, pivots, right)
        size = _largest(right)
        if not size < np.inf:
            return np.nan
        fraction = min(1.0, 1.0 / max(size, 1e-300))
        for i in range(6):
            y[3 + i] += fraction * right[i]
        for i in range(3):
            force[i] += fraction * right[6 + i]
        if size < SMALL:
            energy = 0.0
            for p in range(n):
                for i in range(3):
                    change = kappa[p, i] - rest[p, i]
                    stored = 0.5 * stiffness[p, i] * change * change
                    energy += length * weight[p] * (stored - beyond[p, i] * rotation[p, i, 0])
            return energy
    return np.nan


@inline
def _put_equations(gradient, hessian, rows, matrix, right):
    """Equations of a step of the slopes, and of the force that keeps the end at its target."""
    for i in range(6):
        right[i] = -gradient[3 + i]
        for j in range(6):
            matrix[i, j] = hessian[3 + i, 3 + j]
        for j in range(3):
            matrix[6 + j, i] = matrix[i, 6 + j] = rows[j, 3 + i]
    for i in range(3):
        for j in range(3):
            matrix[6 + i, 6 + j] = 0.0


@inline
def _largest(step):
    """The largest change of a slope; NaN if there is one among them."""
    size = 0.0
    for i in range(6):
        if not abs(step[i]) <= size:
            size = abs(step[i])
        if np.isnan(size):
            return size
    return size
