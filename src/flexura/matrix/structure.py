"""What every way to store a matrix offers."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from flexura.typing import Array, Indices


class Factor(Protocol):
    """A factorised matrix."""

    @property
    def singular(self) -> bool:
        """Whether the factorisation broke down; then nothing else may be asked."""

    @property
    def sign(self) -> int:
        """Sign of the determinant."""

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""


class Structure(Protocol):
    """Which entries a square matrix may have, and where their values are."""

    @property
    def n(self) -> int:
        """Number of unknowns."""

    @property
    def n_values(self) -> int:
        """Length of the array of values."""

    @property
    def diagonal(self) -> Indices:
        """Place of each entry of the diagonal among the values, (n,)."""

    @property
    def entries(self) -> tuple[Indices, Indices]:
        """Row and column of each value, (n_values,); -1 where it is room for a factorisation."""

    def slots(self, rows: Indices, columns: Indices) -> Indices:
        """Slots of blocks that begin at given rows and columns, shape (..., 3).

        Both are broadcast against each other; -1 stands for what has no unknowns, and so has the
        slot (-1, 0, 0).
        """

    def factorise(self, values: Array, definite: bool, overwrite: bool = False) -> Factor:
        """Factorise the matrix.

        Args:
            values: its entries.
            definite: whether it is symmetric and may be positive definite, so that Cholesky is
                worth a try.
            overwrite: whether the factor may take the array of the values; else they are left as
                they are.
        """

    def inertia(self, values: Array) -> int | None:
        """Number of negative eigenvalues of a symmetric matrix, None where it cannot be told."""

    def quick_inertia(self, values: Array) -> int | None:
        """The same, cheaply, of a matrix that is off by rounding; None where that does not do."""

    def surely_definite(self, values: Array, multiplier: NDArray[np.bool_]) -> bool:
        """Whether motions that multipliers allow meet resistance; False where it is not sure."""

    def symmetric_part(self, values: Array) -> Array:
        """Values of half the sum of the matrix and its transpose."""

    def dense(self, values: Array) -> Array:
        """All entries in a square array."""

    def sparse(self, values: Array) -> csr_array:
        """All entries in compressed rows, for products with vectors."""
