"""Tangents with motions that nothing resists or drives, for steps that leave these alone.

    [ K   Cᵀ ] [ dq ]   [ b ]
    [ C   0  ] [ s  ] = [ 0 ],      s = 0 where b does not act along them

K may be singular along them, and gets the margin.
"""

import numpy as np

from flexura.matrix.structure import Factor
from flexura.typing import Array, Matrix


class Resting:
    """A factorised tangent with some motions left out of all solutions; a ``Factor``.

    Attributes:
        moved: K⁻¹ Cᵀ (C K⁻¹ Cᵀ)⁻¹: motions with C dq = 1, one by one, (n_dof, k).
    """

    singular = False

    def __init__(self, factor: Factor, rows: Matrix) -> None:
        """Leave motions out.

        Args:
            factor: of the tangent, where all motions resist by a margin.
            rows: C, (k, n_dof).
        """
        self._factor, self._rows = factor, rows
        moved = factor.solve(np.asfortranarray(rows.T))
        across = np.linalg.inv(rows @ moved)
        self.moved: Matrix = np.asarray(moved @ across, dtype=np.float64)
        self.sign = factor.sign

    def solve(self, right: Array) -> Array:
        """Solve the system for a vector, or for the columns of a matrix."""
        dq = self._factor.solve(right)
        return np.asarray(dq - self.moved @ (self._rows @ dq))

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""
        free = right - self._rows.T @ (self.moved.T @ right)
        return np.asarray(self._factor.solve_transposed(free))
