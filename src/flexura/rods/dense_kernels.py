"""Small dense systems of equations, by elimination with pivots."""

import numpy as np

from flexura._kernel import kernel


@kernel
def factorise(a, pivots):
    """Turn a matrix into its factors L and U, rows exchanged by ``pivots``; whether it has any."""
    n = len(a)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        pivots[k] = pivot
        if not 0.0 < abs(a[pivot, k]) < np.inf:
            return False
        if pivot != k:
            for j in range(n):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]
    return True


@kernel
def solve(a, pivots, x):
    """Turn x into the solution of A x, by the factors of A."""
    n = len(a)
    for k in range(n):
        x[k], x[pivots[k]] = x[pivots[k]], x[k]
        for j in range(k):
            x[k] -= a[k, j] * x[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= a[k, j] * x[j]
        x[k] /= a[k, k]


@kernel
def solve_transposed(a, pivots, x):
    """Turn each row of x into the solution of Aᵀ y = row, by the factors of A."""
    n = len(a)
    for row in range(len(x)):
        y = x[row]
        for k in range(n):
            y[k] /= a[k, k]
            for j in range(k + 1, n):
                y[j] -= a[k, j] * y[k]
        for k in range(n - 1, -1, -1):
            for j in range(k):
                y[j] -= a[k, j] * y[k]
        for k in range(n - 1, -1, -1):
            y[k], y[pivots[k]] = y[pivots[k]], y[k]
