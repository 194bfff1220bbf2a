"""Factorisation of band matrices: kernels for narrow bands, LAPACK for wide ones.

A matrix with h diagonals on each side is stored by columns, entry (i, j) at [j, 2h + i - j], with
room for h more above, which exchanges of rows fill. That is the transpose of LAPACK's storage.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgbtrf, dgbtrs, dpbtrf, dpbtrs, dsytrf

from flexura._kernel import heavy, kernel
from flexura.model.tangent import half_bandwidth
from flexura.typing import Array, Indices

# Up to this half bandwidth the kernels here are faster than LAPACK, which works in blocks.
NARROW = 64
# With this many multiplications or more a kernel lets other threads run meanwhile.
LONG = 100_000
# A pivot this small, relative to the largest entry, could have either sign.
SMALL_PIVOT = 1e-14
# Exchanges that keep symmetry need a dense matrix and n³ operations: up to this size.
MAX_DENSE = 1000


class Factor(NamedTuple):
    """A factorised band matrix.

    Attributes:
        factors: what became of the matrix, in LAPACK's storage.
        half_bandwidth: of the matrix.
        pivots: rows that were exchanged, None where Cholesky served.
        singular: whether the factorisation broke down.
    """

    factors: Array
    half_bandwidth: int
    pivots: Indices | None
    singular: bool

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        if self.pivots is None and right.ndim == 1:
            solution = right.copy()
            _substitute(self.factors.T, solution)
        elif self.pivots is None:
            solution, _ = dpbtrs(self.factors, right, lower=1)
        else:
            h = self.half_bandwidth
            solution, _ = dgbtrs(self.factors, h, h, right, self.pivots)
        return np.asarray(solution)


def factorise(band: Array, symmetric: bool) -> Factor:
    """Factorise a matrix.

    Cholesky where it is symmetric and positive definite, LU with exchanges of rows elsewhere.
    """
    return (_cholesky(band) if symmetric else None) or _lu(band)


def inertia(band: Array) -> tuple[int | None, Factor | None]:
    """Number of negative eigenvalues of a symmetric matrix, and its factors if there are none."""
    if factor := _cholesky(band):
        return 0, factor
    return _negative_eigenvalues(band.T[2 * half_bandwidth(band) :]), None


def _cholesky(band: Array) -> Factor | None:
    """L of L Lᵀ for a symmetric matrix; None unless it is positive definite."""
    h = half_bandwidth(band)
    if h > NARROW:
        factors, failed = dpbtrf(band.T[2 * h :], lower=1)
        return None if failed else Factor(factors, h, None, singular=False)
    columns = np.empty((len(band), h + 1))
    put = _put_cholesky if len(band) * h * h < LONG else _put_cholesky_aside
    return Factor(columns.T, h, None, singular=False) if put(band, columns) else None


def _lu(band: Array) -> Factor:
    """L and U with exchanges of rows."""
    h = half_bandwidth(band)
    if h > NARROW:
        factors, pivots, failed = dgbtrf(band.T, h, h)
        return Factor(factors, h, pivots, singular=failed != 0)
    columns, pivots = band.copy(), np.zeros(len(band), dtype=np.int32)
    put = _put_lu if 2 * len(band) * h * h < LONG else _put_lu_aside
    return Factor(columns.T, h, pivots, singular=not put(columns, pivots))


@kernel
def _put_cholesky(band: Array, columns: Array) -> bool:
    """L of L Lᵀ, ``columns[j, i]`` is entry (j + i, j); whether there is one."""
    n, width = columns.shape
    for j in range(n):
        for i in range(width):
            columns[j, i] = band[j, 2 * width - 2 + i]
    for j in range(n):
        own, reach = columns[j], min(width, n - j)
        if not own[0] > 0.0:
            return False
        scale = 1.0 / own[0] ** 0.5
        for i in range(reach):
            own[i] *= scale
        for i in range(1, reach):
            target, factor = columns[j + i], own[i]
            for l in range(reach - i):
                target[l] -= factor * own[i + l]
    return True


@kernel
def _substitute(columns: Array, x: Array) -> None:
    """x = (L Lᵀ)⁻¹ x."""
    n, width = columns.shape
    for j in range(n):
        own, reach = columns[j], min(width, n - j)
        x[j] /= own[0]
        for i in range(1, reach):
            x[j + i] -= x[j] * own[i]
    for j in range(n - 1, -1, -1):
        own, reach, total = columns[j], min(width, n - j), x[j]
        for i in range(1, reach):
            total -= own[i] * x[j + i]
        x[j] = total / own[0]


@heavy
def _put_cholesky_aside(band: Array, columns: Array) -> bool:
    return _put_cholesky(band, columns)


@kernel
def _put_lu(columns: Array, pivots: Indices) -> bool:
    """L below the diagonal and U, in place; whether there are any."""
    n, middle = len(columns), 2 * half_bandwidth(columns)
    h, last = middle // 2, 0
    for j in range(n):
        below = min(h, n - 1 - j)
        own = columns[j, middle : middle + below + 1]
        p = 0
        for i in range(1, below + 1):
            if abs(own[i]) > abs(own[p]):
                p = i
        pivots[j] = j + p
        if not abs(own[p]) > 0.0:
            return False
        last = max(last, min(j + p + h, n - 1))
        if p > 0:
            for c in range(j, last + 1):
                other = columns[c, middle + j - c : middle + j - c + p + 1]
                other[0], other[p] = other[p], other[0]
        scale, under = 1.0 / own[0], own[1:]
        for i in range(below):
            under[i] *= scale
        for c in range(j + 1, last + 1):
            factor = columns[c, middle + j - c]
            if factor != 0.0:
                target = columns[c, middle + j - c + 1 : middle + j - c + 1 + below]
                for i in range(below):
                    target[i] -= factor * under[i]
    return True


@heavy
def _put_lu_aside(columns: Array, pivots: Indices) -> bool:
    return _put_lu(columns, pivots)


def _negative_eigenvalues(lower: Array) -> int | None:
    """Number of negative eigenvalues of a symmetric matrix given by its lower band.

    Sylvester's law: the signs of the pivots of L D Lᵀ. Without exchanges, which would fill the
    band; where a pivot nearly vanishes, densely with exchanges.
    """
    columns = np.ascontiguousarray(lower.T)
    count = int(_count_negative_pivots(columns, np.zeros(len(columns)), SMALL_PIVOT))
    if count >= 0:
        return count
    return _negative_eigenvalues_dense(lower) if lower.shape[1] <= MAX_DENSE else None


@kernel
def _count_negative_pivots(columns: Array, largest: Array, small: float) -> int:
    """L D Lᵀ in place, ``columns[j, i]`` is entry (j + i, j); -1 where a pivot is too small."""
    n, width = columns.shape
    for j in range(n):  # equilibrate: unknowns of different units, the same inertia
        for i in range(min(width, n - j)):
            size = abs(columns[j, i])
            largest[j], largest[j + i] = max(largest[j], size), max(largest[j + i], size)
    for j in range(n):
        largest[j] = 1.0 / largest[j] ** 0.5 if largest[j] > 0.0 else 1.0
    for j in range(n):
        for i in range(min(width, n - j)):
            columns[j, i] *= largest[j] * largest[j + i]
    count = 0
    for j in range(n):
        pivot = columns[j, 0]
        if not abs(pivot) > small:
            return -1
        if pivot < 0.0:
            count += 1
        own, reach = columns[j], min(width, n - j)
        for i in range(1, reach):
            factor = own[i] / pivot
            if factor != 0.0:
                target, source = columns[j + i], own[i:reach]
                for l in range(len(source)):
                    target[l] -= factor * source[l]
    return count


def _negative_eigenvalues_dense(lower: Array) -> int | None:
    """The same by Bunch-Kaufman."""
    n = lower.shape[1]
    matrix = np.zeros((n, n), order="F")
    for d in range(min(len(lower), n)):
        matrix[np.arange(d, n), np.arange(n - d)] = lower[d, : n - d]
    factors, pivots, failed = dsytrf(matrix, lower=1, lwork=64 * n)
    if failed:
        return None
    single = pivots > 0  # a block of two has one eigenvalue of each sign
    below = int(np.count_nonzero(factors.diagonal()[single] < 0.0))
    return below + int(np.count_nonzero(~single)) // 2
