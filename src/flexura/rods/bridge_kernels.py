"""Newton's method for the interpolated curve of least energy between two poses."""

import numpy as np

from flexura._kernel import allocating
from flexura.rods import dense_kernels
from flexura.rods.rotation_curve_kernels import curvature, derivatives, end_rows

ITERATIONS = 60
# A step of this size is the last [rad].
SMALL = 1e-6


@allocating
def solve(length, basis, weight, stiffness, rest, target, y):
    """Slopes y[3:] that make the curve end at ``target`` with the least energy, in place.

    Args:
        length: of the curve.
        basis: of the cubic functions at the points, (n, 2, 3).
        weight: of the points on the unit interval, (n,).
        stiffness: of torsion and bending at the points, (n, 3).
        rest: curvature of the unloaded rod there, (n, 3).
        target: where the curve ends.
        y: unknowns (x1, k0, c) of the interpolation, (9,).

    Returns:
        The energy, or NaN if the iteration did not converge.
    """
    n = len(weight)
    kappa, rotation, work = np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((25, 3))
    moment, pulls, curved = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3, 3))
    gradient, hessian, rows = np.empty(9), np.empty((9, 9)), np.empty((3, 9))
    matrix, right, force = np.zeros((9, 9)), np.zeros(9), np.zeros(3)
    pivots = np.empty(9, dtype=np.int64)
    for p in range(n):
        for i in range(3):
            curved[p, i, i] = weight[p] * stiffness[p, i] / length
    for _ in range(ITERATIONS):
        curvature(y, length, basis, kappa, rotation, work)
        right[6:] = target
        for p in range(n):
            for i in range(3):
                moment[p, i] = weight[p] * stiffness[p, i] * (kappa[p, i] - rest[p, i])
                pulls[p, i] = length * weight[p] * force[i]
                right[6 + i] -= length * weight[p] * rotation[p, i, 0]
        derivatives(y, basis, moment, curved, pulls, gradient, hessian, work)
        matrix[:6, :6] = hessian[3:, 3:]
        right[:6] = -gradient[3:]
        end_rows(y, length, basis, weight, rotation, rows, work)
        matrix[6:, :6] = rows[:, 3:]
        matrix[:6, 6:] = rows[:, 3:].T
        matrix[6:, 6:] = 0.0
        if not dense_kernels.factorise(matrix, pivots):
            return np.nan
        dense_kernels.solve(matrix, pivots, right)
        size = np.abs(right[:6]).max()
        if not size < np.inf:
            return np.nan
        fraction = min(1.0, 1.0 / max(size, 1e-300))
        y[3:] += fraction * right[:6]
        force += fraction * right[6:]
        if size < SMALL:
            energy = 0.0
            for p in range(n):
                for i in range(3):
                    change = kappa[p, i] - rest[p, i]
                    energy += 0.5 * length * weight[p] * stiffness[p, i] * change * change
            return energy
    return np.nan
