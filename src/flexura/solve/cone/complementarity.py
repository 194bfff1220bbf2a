"""The small problem of constraints in their compliance: which of them hold, and with what.

w = b + compliance λ   with   w = 0 for equal ones,   λ ≥ 0, w ≥ 0, λ w = 0 for the others
"""

from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from flexura.solve.cone import complementarity_kernels as kernels
from flexura.typing import Array, Matrix

# Part of the compliance that is added to it: far below what a steel backbone gives when tendons
# pull against each other.
TRIFLE = 1e-13
# A compliance is as symmetric as rounding lets it be.
ROUNDING = 1e-9


def solve_cone(compliance: Matrix, b: Array, equal: NDArray[np.bool_]) -> Array:
    """Multipliers λ of all constraints.

    Args:
        compliance: what a multiplier adds to the gaps [m/N], (n, n).
        b: gaps without multipliers [m], (n,).
        equal: which gaps shall vanish whatever the sign of the multiplier, (n,).
    """
    if not equal.any():
        return not_negative(compliance, -b)
    found, rest = np.zeros(len(b)), ~equal
    own = np.linalg.lstsq(compliance[np.ix_(equal, equal)], np.eye(equal.sum()), rcond=None)[0]
    if rest.any():  # the equal ones follow the others
        across = compliance[np.ix_(rest, equal)] @ own
        reduced = compliance[np.ix_(rest, rest)] - across @ compliance[np.ix_(equal, rest)]
        found[rest] = not_negative(reduced, across @ b[equal] - b[rest])
    found[equal] = -own @ (b[equal] + compliance[np.ix_(equal, rest)] @ found[rest])
    return found


@overload
def not_negative(compliance: Matrix, excess: Array) -> Array: ...
@overload
def not_negative(
    compliance: Matrix, excess: Array, exact: Literal[True], trifle: float
) -> Array | None: ...
def not_negative(
    compliance: Matrix, excess: Array, exact: bool = False, trifle: float = kernels.EPS
) -> Array | None:
    """Multipliers λ ≥ 0 with excess - compliance λ ≤ 0, where either is zero for each.

    Where the compliance is positive definite, there is one solution; where tendons pull against
    each other on a robot that cannot give, the smallest tensions. Near an unstable robot it may not
    be; then all that are too long are taken as taut. Where floats cannot hold them, they are not
    numbers. Without a potential the compliance is not symmetric: which constraints hold is then
    told by its symmetric part, and what they hold with by itself.

    Args:
        compliance: what a multiplier takes off the excess [m/N], (n, n).
        excess: by how much constraints are violated without multipliers [m], (n,).
        exact: whether None shall come back where the compliance is not positive definite.
        trifle: violations of this part of the largest excess are none.
    """
    n = len(excess)
    mean, root = np.empty((2, n, n))
    skew, size, little = kernels.symmetrise(np.ascontiguousarray(compliance), TRIFLE, mean)
    if not np.isfinite(skew + size + excess.sum()):
        return np.full(n, np.nan)
    found, holds = np.empty(n), excess > 0.0
    work = root, np.empty(n, dtype=np.int64), np.empty(n, dtype=np.bool_)
    if not kernels.exchange(mean, excess, holds.copy(), found, *work, trifle):  # not definite
        return None if exact else np.maximum(_solve_active(mean, excess, holds), 0.0)
    if skew <= ROUNDING * size:
        return found
    whole = _solve_active(compliance + little * np.eye(n), excess, found > 0.0)
    return whole if (whole >= 0.0).all() else found


def _solve_active(compliance: Matrix, excess: Array, active: NDArray[np.bool_]) -> Array:
    """Multipliers of constraints that hold, zero for the others."""
    found, own = np.zeros_like(excess), np.ix_(active, active)
    found[active] = np.linalg.lstsq(compliance[own], excess[active], rcond=None)[0]
    return found
