"""Intel's Pardiso, where pypardiso is installed (extra ``fast``): L D Lᵀ of symmetric matrices.

It pays where matrices are large. Pivots are chosen within parts of the matrix, and changed where
they vanish: such factors are not taken, and solutions are improved, as those of fronts are.
"""

import importlib
import weakref
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csc_array, triu

from flexura.typing import Array

# From so many unknowns on it is faster than fronts by 1.5 or more, with its order found anew.
PAYS = 25_000
# Its numbers: real and symmetric matrices, and where it tells of pivots that it has changed and of
# eigenvalues below zero.
SYMMETRIC, CHANGED, NEGATIVE = -2, 14, 23
# No defaults; an order by METIS, pivots of one or two rows down to 1e-8, scaled and matched, so
# that multipliers, whose diagonals are zero, find some.
OPTIONS = {1: 1, 2: 2, 10: 8, 21: 1, 11: 1, 13: 1}
# Parts of a matrix that are less symmetric are not left to it.
ALIKE = 1e-12
# What solutions may miss, and how often they are improved.
EXACT, ENOUGH, MOST = 1e-13, 1e-10, 4


@cache
def _pypardiso() -> Any:
    """The class of its solvers; None where it is not installed, or its library is not."""
    try:
        found = importlib.import_module("pypardiso").PyPardisoSolver
        found(mtype=SYMMETRIC)
    except (ImportError, OSError, AttributeError):
        return None
    return found


def factorised(matrix: csc_array, scale: Array) -> "PardisoFactor | None":
    """The factors; None where it is not installed, or does not do for this matrix.

    Args:
        matrix: with all entries of its diagonal, also those that are zero.
        scale: of the unknowns, and of the equations.
    """
    make = _pypardiso()
    if make is None:
        return None
    mirrored = csc_array(matrix.T)
    mirrored.sort_indices()
    apart = np.abs(matrix.data - mirrored.data).max(initial=0.0)
    if not apart <= ALIKE * np.abs(matrix.data).max(initial=0.0):
        return None
    solver, upper = make(mtype=SYMMETRIC), triu(matrix, format="csr")
    for place, value in OPTIONS.items():
        solver.set_iparm(place, value)
    try:
        solver.factorize(upper)
    except Exception:  # its own, which is no other exception's child
        return None
    weakref.finalize(upper, solver.free_memory, everything=True)
    if solver.get_iparm(CHANGED) > 0:
        return None
    return PardisoFactor(solver, upper, matrix, scale)


@dataclass(frozen=True, eq=False)
class PardisoFactor:
    """A symmetric matrix that was factorised by Pardiso.

    Attributes:
        solver: which has the factors.
        upper: half of the scaled matrix.
        matrix: all of it.
        scale: of the unknowns, and of the equations.
    """

    solver: Any
    upper: Any
    matrix: csc_array
    scale: Array

    exchanged = 0

    @property
    def negative(self) -> int:
        """Number of eigenvalues below zero."""
        return int(self.solver.get_iparm(NEGATIVE))

    def solve(self, right: Array, transposed: bool = False) -> Array | None:
        """Solve for a vector, or the columns of a matrix; None where that is not exact."""
        matrix = self.matrix.T if transposed else self.matrix
        b = np.asfortranarray(right.reshape(len(self.scale), -1) * self.scale[:, None])
        x, left, worst = np.zeros_like(b), b, np.inf
        for _ in range(MOST):
            x = x + self.solver.solve(self.upper, np.asfortranarray(left)).reshape(x.shape)
            left = b - matrix @ x
            size = np.abs(matrix.data).max() * np.abs(x).max(initial=0.0) + np.abs(b).max()
            before, worst = worst, float(np.abs(left).max() / max(size, 1e-300))
            if worst <= EXACT or not worst < 0.5 * before:
                break
        if not (worst <= ENOUGH and np.isfinite(x).all()):
            return None
        return np.asarray((x * self.scale[:, None]).reshape(right.shape))
