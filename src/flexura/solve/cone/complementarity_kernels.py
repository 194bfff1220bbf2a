"""Compiled part of ``cone``: which constraints hold, by exchanges [JudicePires1994]."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from flexura._kernel import inline, kernel
from flexura.typing import Array, Indices, Matrix

# Rounding: violations of this part of the largest excess are none.
EPS = 1e-15
# Exchanges of all violated constraints that do not make them fewer, before it is one at a time.
PATIENCE = 3


@kernel
def symmetrise(matrix: Matrix, part: float, mean: Matrix) -> tuple[float, float, float]:
    """Half the sum of a matrix and its transpose, with a part of the trace on the diagonal.

    Returns:
        The largest entries of what is left of the matrix and of the mean, not numbers where there
        are any such, and what was added to the diagonal.
    """
    n = len(matrix)
    skew = size = trace = odd = 0.0
    for i in range(n):
        trace += matrix[i, i]
        for j in range(n):
            mean[i, j] = 0.5 * (matrix[i, j] + matrix[j, i])
            skew = max(skew, abs(matrix[i, j] - mean[i, j]))
            size = max(size, abs(mean[i, j]))
            odd += mean[i, j] - mean[i, j]
    for i in range(n):
        mean[i, i] += part * trace
    return skew + odd, size + odd, part * trace


@kernel
def exchange(
    matrix: Matrix, excess: Array, holds: NDArray[np.bool_], found: Array, root: Matrix,
    active: Indices, wrong: NDArray[np.bool_], trifle: float,
) -> bool:  # fmt: skip
    """Find λ ≥ 0 with w = excess - matrix λ ≤ 0 and λ w = 0, for a positive definite matrix.

    Constraints with the wrong sign change sides, all of them as long as they get fewer, then the
    last one alone, which ends after finitely many exchanges.

    Args:
        matrix: of the problem, (n, n).
        excess: its right side, (n,).
        holds: a guess which constraints hold; overwritten.
        found: λ.
        root: to write in, (n, n).
        active: to write in, (n,).
        wrong: to write in, (n,).
        trifle: violations of this part of the largest excess are none.

    Returns:
        Whether it was found; not where the matrix is not definite.
    """
    n = len(excess)
    fewest, patience, size = n + 1, PATIENCE, 0.0
    for i in range(n):
        size = max(size, abs(excess[i]))
    for _ in range(n * n + 100):
        if not _solve_active(matrix, excess, holds, found, root, active):
            return False
        count = _find_wrong(matrix, excess, holds, found, trifle * size, wrong)
        if count == 0:
            return True
        if count < fewest:
            fewest, patience = count, PATIENCE
        else:
            patience -= 1
        for i in range(n - 1, -1, -1):
            if wrong[i]:
                holds[i] = not holds[i]
                if patience < 0:
                    break
    return False


@inline
def _find_wrong(
    matrix: Matrix, excess: Array, holds: NDArray[np.bool_], found: Array, trifle: float,
    wrong: NDArray[np.bool_],
) -> int:  # fmt: skip
    """Tell constraints that hold but push back, and others that are violated; how many."""
    count = 0
    for i in range(len(excess)):
        left = -found[i] * matrix[i, i]
        if not holds[i]:
            left = excess[i]
            for j in range(len(excess)):
                left -= matrix[i, j] * found[j]
        wrong[i] = left > trifle
        if wrong[i]:
            count += 1
        elif found[i] < 0.0:
            found[i] = 0.0
    return count


@inline
def _solve_active(
    matrix: Matrix, excess: Array, holds: NDArray[np.bool_], found: Array, root: Matrix,
    active: Indices,
) -> bool:  # fmt: skip
    """Solve for the multipliers of those that hold, by Cholesky; the others have none."""
    m = 0
    for i in range(len(excess)):
        found[i] = 0.0
        if holds[i]:
            active[m] = i
            m += 1
    for i in range(m):
        for j in range(i + 1):
            entry = matrix[active[i], active[j]]
            for k in range(j):
                entry -= root[i, k] * root[j, k]
            if i > j:
                root[i, j] = entry / root[j, j]
            elif entry > 0.0:
                root[i, i] = sqrt(entry)
            else:
                return False
    for i in range(m):
        value = excess[active[i]]
        for k in range(i):
            value -= root[i, k] * found[active[k]]
        found[active[i]] = value / root[i, i]
    for i in range(m - 1, -1, -1):
        value = found[active[i]]
        for k in range(i + 1, m):
            value -= root[k, i] * found[active[k]]
        found[active[i]] = value / root[i, i]
    return True
