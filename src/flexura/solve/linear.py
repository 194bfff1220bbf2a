"""Factorisation of the tangent, kept in one place so that it can be exchanged."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dgbtrf, dgbtrs, dpbtrf, dpbtrs

from flexura.typing import Array, Indices


@dataclass(frozen=True)
class Factor:
    """A factorised band matrix.

    Attributes:
        positive: whether the matrix is symmetric and positive definite.
        singular: whether the factorisation broke down.
    """

    factors: Array
    half_bandwidth: int
    pivots: Indices | None
    positive: bool
    singular: bool

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector."""
        if self.pivots is None:
            solution, _ = dpbtrs(self.factors, right, lower=1)
        else:
            h = self.half_bandwidth
            solution, _ = dgbtrs(self.factors, h, h, right, self.pivots)
        return np.asarray(solution)


def factorise(band: Array, half_bandwidth: int, symmetric: bool) -> Factor:
    """Factorise a matrix in the storage of ``Assembly.band``.

    Cholesky where the matrix is symmetric and positive definite, LU with pivoting elsewhere.
    """
    h = half_bandwidth
    if symmetric:
        factors, failed = dpbtrf(band.T[2 * h :], lower=1)
        if failed == 0:
            return Factor(factors, h, None, positive=True, singular=False)
    factors, pivots, failed = dgbtrf(band.T, h, h)
    return Factor(factors, h, pivots, positive=False, singular=failed != 0)


def is_stable(band: Array, half_bandwidth: int, symmetric: bool) -> bool | None:
    """Whether small motions are pushed back, as far as the tangent can tell.

    A symmetric tangent (loads with a potential) tells all: stable if and only if it is positive
    definite. An unsymmetric one is stable if its symmetric part is positive definite, and
    unstable if its determinant is negative; in between, mass and damping would decide, and the
    answer is None.
    """
    h, n = half_bandwidth, len(band)
    lower = band.T[2 * h :]
    if not symmetric:
        upper = np.zeros_like(lower)
        for d in range(h + 1):
            upper[d, : n - d] = band.T[2 * h - d, d:]
        lower = 0.5 * (lower + upper)
    if dpbtrf(lower, lower=1)[1] == 0:
        return True
    if symmetric:
        return False
    factors, pivots, _ = dgbtrf(band.T, h, h)
    negative = np.count_nonzero(factors[2 * h] < 0.0)
    swaps = np.count_nonzero(pivots != np.arange(n))
    return False if (negative + swaps) % 2 else None
