"""Factorisation of the tangent, kept in one place so that it can be exchanged."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigvals
from scipy.linalg.lapack import dgbtrf, dgbtrs, dpbtrf, dpbtrs

from flexura.typing import Array, Indices, Matrix

# Eigenvalues of an unsymmetric tangent are found densely, in n³ operations: up to this size.
MAX_DENSE = 1500


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
    """Whether no small motion finds a force that pushes it on.

    Symmetric tangent: positive definite, by Cholesky. Unsymmetric (loads without a potential): its
    symmetric part is positive definite, or else all eigenvalues have a positive real part; None
    where that would cost too much.
    """
    h = half_bandwidth
    lower = band.T[2 * h :]
    if not symmetric:
        n = len(band)
        upper = np.zeros_like(lower)
        for d in range(h + 1):
            upper[d, : n - d] = band.T[2 * h - d, d:]
        lower = 0.5 * (lower + upper)
    if dpbtrf(lower, lower=1)[1] == 0:
        return True
    if symmetric:
        return False
    if len(band) > MAX_DENSE:
        return None
    return bool(eigvals(dense(band, h)).real.min() > 0.0)


def dense(band: Array, half_bandwidth: int) -> Matrix:
    """The matrix written out, for small ones."""
    h, n = half_bandwidth, len(band)
    matrix = np.zeros((n, n))
    for d in range(-h, h + 1):
        columns = np.arange(max(0, -d), min(n, n - d))
        matrix[columns + d, columns] = band[columns, 2 * h + d]
    return matrix
