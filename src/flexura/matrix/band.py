"""Factorisation of band matrices: kernels for narrow bands, LAPACK for wide ones.

A matrix with h diagonals on each side is stored by columns, entry (i, j) at [j, 2h + i - j], with
room for h more above, which exchanges of rows fill. That is the transpose of LAPACK's storage.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgbtrf, dgbtrs, dpbtrf, dpbtrs

from flexura._kernel import heavy, inline, kernel
from flexura.typing import Array, Indices

# Up to this half bandwidth the kernels here are faster than LAPACK, which works in blocks.
NARROW = 64
# With this many multiplications or more a kernel lets other threads run meanwhile.
LONG = 100_000
# Bits of the fraction of a number, twice what is added to its exponent, and 1 as bits.
MANTISSA, TWICE_BIAS, ONE = np.int64(52), np.int64(2046), np.int64(1023 << 52)


@inline
def half_bandwidth(band: Array) -> int:
    """h of a band that is stored with 3 h + 1 entries in each column."""
    return (band.shape[1] - 1) // 3  # type: ignore[no-any-return]


class BandFactor(NamedTuple):
    """A factorised band matrix.

    Attributes:
        factors: what became of the matrix, in LAPACK's storage.
        half_bandwidth: of the matrix.
        pivots: rows that were exchanged, None where Cholesky served.
        singular: whether the factorisation broke down.
        scale: by which its rows were multiplied before, None if by nothing.
    """

    factors: Array
    half_bandwidth: int
    pivots: Indices | None
    singular: bool
    scale: Array | None = None

    @property
    def sign(self) -> int:
        """Sign of the determinant."""
        if self.pivots is None:
            return 1
        diagonal = self.factors[2 * self.half_bandwidth]
        flips = int(np.count_nonzero(diagonal < 0.0))
        flips += int(np.count_nonzero(self.pivots != np.arange(len(diagonal))))
        return 1 if flips % 2 == 0 else -1

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        if right.ndim == 1 and self.half_bandwidth <= NARROW:
            solution = right.copy()
            if self.pivots is None:
                _substitute(self.factors.T, solution)
            else:
                _substitute_exchanged(self.factors.T, self.pivots, solution)
            return solution
        return self._by_lapack(self._scaled(right), 0)

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""
        if self.pivots is None:
            return self.solve(right)
        return self._scaled(self._by_lapack(right, 1))

    def _by_lapack(self, right: Array, transposed: int) -> Array:
        if self.pivots is None:
            solution, _ = dpbtrs(self.factors, right, lower=1)
        else:
            h = self.half_bandwidth
            solution, _ = dgbtrs(self.factors, h, h, right, self.pivots, trans=transposed)
        return np.asarray(solution)

    def _scaled(self, x: Array) -> Array:
        return x if self.scale is None else (x.T * self.scale).T


def cholesky(band: Array) -> BandFactor | None:
    """L of L Lᵀ for a symmetric matrix; None unless it is positive definite."""
    h = band.shape[1] // 3
    if h > NARROW:
        factors, failed = dpbtrf(band.T[2 * h :], lower=1)
        return None if failed else BandFactor(factors, h, None, singular=False)
    columns = np.empty((len(band), h + 1))
    put = _put_cholesky if len(band) * h * h < LONG else _put_cholesky_aside
    return BandFactor(columns.T, h, None, singular=False) if put(band, columns) else None


def lu(band: Array) -> BandFactor:
    """L and U with exchanges of rows, in place.

    Rows of different units compare as if the largest entry of each were about 1.
    """
    h = band.shape[1] // 3
    scale = np.zeros(len(band))
    if h > NARROW:
        _scale_rows(band, scale)
        factors, pivots, failed = dgbtrf(band.T, h, h, overwrite_ab=1)
        return BandFactor(factors, h, pivots, failed != 0, scale)
    pivots = np.zeros(len(band), dtype=np.int32)
    put = _put_lu if 2 * len(band) * h * h < LONG else _put_lu_aside
    return BandFactor(band.T, h, pivots, singular=not put(band, pivots, scale))


@kernel
def make_symmetric(band: Array) -> None:
    """Half the sum of a band and its transpose, in place."""
    n, h = len(band), half_bandwidth(band)
    for j in range(n):
        own = band[j, 2 * h :]
        for i in range(1, min(h + 1, n - j)):
            mean = 0.5 * (own[i] + band[j + i, 2 * h - i])
            own[i] = mean
            band[j + i, 2 * h - i] = mean


def dense(band: Array) -> Array:
    """A band in a square matrix."""
    n, h = len(band), int(half_bandwidth(band))
    whole = np.zeros((n, n))
    for j in range(n):
        rows = np.arange(max(0, j - h), min(n, j + h + 1))
        whole[rows, j] = band[j, 2 * h + rows - j]
    return whole


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
    back_substitute(columns, x)


@inline
def back_substitute(columns: Array, x: Array) -> None:
    """Solve with the transpose of a lower band, in place; ``columns[j, i]`` is (j + i, j)."""
    n, width = columns.shape
    for j in range(n - 1, -1, -1):
        own, reach, total = columns[j], min(width, n - j), x[j]
        for i in range(1, reach):
            total -= own[i] * x[j + i]
        x[j] = total / own[0]


@heavy
def _put_cholesky_aside(band: Array, columns: Array) -> bool:
    return _put_cholesky(band, columns)


@inline
def _put_row_scale(band: Array, scale: Array) -> None:
    """A power of two for each row that makes its largest entry about 1; from zeros."""
    n, h = len(band), half_bandwidth(band)
    for j in range(n):
        first = max(0, j - h)
        own, rows = band[j, 2 * h + first - j :], scale[first : min(n, j + h + 1)]
        for i in range(len(rows)):
            rows[i] = max(rows[i], abs(own[i]))
    bits = scale.view(np.int64)
    for i in range(n):  # 1 for a row of zeros
        bits[i] = (TWICE_BIAS - (bits[i] >> MANTISSA)) << MANTISSA if scale[i] > 0.0 else ONE


@kernel
def _scale_rows(band: Array, scale: Array) -> None:
    """Multiply rows, and put by what."""
    _put_row_scale(band, scale)
    n, h = len(band), half_bandwidth(band)
    for j in range(n):
        first = max(0, j - h)
        own, rows = band[j, 2 * h + first - j :], scale[first : min(n, j + h + 1)]
        for i in range(len(rows)):
            own[i] *= rows[i]


@kernel
def _put_lu(columns: Array, pivots: Indices, scale: Array) -> bool:
    """L below the diagonal and U, in place; whether there are any."""
    _put_row_scale(columns, scale)
    n, middle = len(columns), 2 * half_bandwidth(columns)
    h, last = middle // 2, 0
    for j in range(n):
        below = min(h, n - 1 - j)
        while below > 0 and columns[j, middle + below] == 0.0:
            below -= 1
        own, rows = columns[j, middle : middle + below + 1], scale[j : j + below + 1]
        p, largest = 0, abs(own[0]) * rows[0]
        for i in range(1, below + 1):
            size = abs(own[i]) * rows[i]
            if size > largest:
                p, largest = i, size
        pivots[j] = j + p
        if not largest > 0.0:
            return False
        last = max(last, min(j + p + h, n - 1))
        if p > 0:
            rows[p] = rows[0]
            for c in range(j, last + 1):
                other = columns[c, middle + j - c : middle + j - c + p + 1]
                other[0], other[p] = other[p], other[0]
        over, under = 1.0 / own[0], own[1:]
        for i in range(below):
            under[i] *= over
        for c in range(j + 1, last + 1):
            factor = columns[c, middle + j - c]
            if factor != 0.0:
                target = columns[c, middle + j - c + 1 : middle + j - c + 1 + below]
                for i in range(below):
                    target[i] -= factor * under[i]
    return True


@heavy
def _put_lu_aside(columns: Array, pivots: Indices, scale: Array) -> bool:
    return _put_lu(columns, pivots, scale)


@kernel
def _substitute_exchanged(columns: Array, pivots: Indices, x: Array) -> None:
    """x = (L U)⁻¹ x, with the exchanges of rows."""
    n, middle = len(columns), 2 * half_bandwidth(columns)
    h = middle // 2
    for j in range(n):
        p = pivots[j]
        x[j], x[p] = x[p], x[j]
        below = min(h, n - 1 - j)
        own, target, factor = columns[j, middle + 1 :], x[j + 1 :], x[j]
        for i in range(below):
            target[i] -= factor * own[i]
    for j in range(n - 1, -1, -1):
        x[j] /= columns[j, middle]
        first = max(0, j - middle)
        own, target, factor = columns[j, middle + first - j :], x[first:j], x[j]
        for i in range(len(target)):
            target[i] -= factor * own[i]
