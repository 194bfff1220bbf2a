"""Tensions of tendons that are driven by their length: they pull, or they are slack."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from flexura.typing import Array, Matrix

# Part of ``give`` that is added to it: far below what a steel backbone gives when tendons pull
# against each other.
TRIFLE = 1e-13


def pulling(give: Matrix, excess: Array) -> Array:
    """Tensions τ ≥ 0 with excess - give τ ≤ 0, where either is zero for each tendon.

    Where ``give``, what a tension shortens the ways by, is positive definite, this is a least
    squares problem with nonnegative unknowns; where tendons pull against each other on a robot that
    cannot give, of the smallest tensions. Near an unstable robot it may not be; then all that are
    too long are taken as taut.

    Args:
        give: symmetric [m/N], (n, n).
        excess: how much too long the ways are without tension [m], (n,).
    """
    give = 0.5 * (give + give.T) + TRIFLE * np.trace(give) * np.eye(len(give))
    try:
        root = np.linalg.cholesky(give)
    except np.linalg.LinAlgError:
        taut = excess > 0.0
        tension = np.zeros_like(excess)
        tension[taut] = np.linalg.lstsq(give[np.ix_(taut, taut)], excess[taut], rcond=None)[0]
        return np.maximum(tension, 0.0)
    right = solve_triangular(root, excess, lower=True)
    tension, _ = nnls(root.T, right)
    return np.asarray(tension)
