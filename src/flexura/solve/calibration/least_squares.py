"""Nonlinear least squares with bounds: steps of Levenberg and Marquardt.

    min over d of  |r + J d|² + λ |D d|²,      lower ≤ x + d ≤ upper                  (theory 17.3)

D has the norms of the columns of J, the largest so far, so that units do not matter. A step that
cannot be evaluated counts as one that leads uphill.
"""

from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy.optimize import lsq_linear

from flexura.typing import Array, Matrix

# Damping to begin with, and its limits: below the least it is rounding, as columns have length 1.
FIRST, LEAST, MOST = 1e-3, 1e-14, 1e10
# Part of the predicted gain that a step needs.
ENOUGH = 1e-4
# It ends where the full step is within this part of the standard errors of the unknowns, or where
# steps fail whose gain would be no more than this part of the squares.
NEAR, ROUNDED = 1e-3, 1e-10


class Point(Protocol):
    """Values of the unknowns, evaluated."""

    @property
    def residual(self) -> Array:
        """r, weighted, (m,)."""


P = TypeVar("P", bound=Point)


class Problem(Protocol[P]):
    """What is to be fitted."""

    def moved(self, point: P, step: Array) -> P | None:
        """The point after a step, (n,); None where there is none."""

    def jacobian(self, point: P) -> Matrix:
        """J = dr/dx, (m, n)."""

    def next_jacobian(self, point: P) -> Matrix | None:
        """The same; None where there is none, and the step that led there counts as failed."""

    def room(self, point: P) -> tuple[Array, Array]:
        """How far each unknown may go down (not above 0) and up, (n,) each."""

    @property
    def rounding(self) -> float:
        """Size of a change of all residuals together that is rounding."""


class Fitted(NamedTuple, Generic[P]):
    """Where a search ended.

    Attributes:
        point: the best.
        jacobian: there.
        converged: whether no small step is better.
        stuck: whether every step failed, or led uphill, else iterations ran out.
        iterations: Jacobians that were found.
    """

    point: P
    jacobian: Matrix
    converged: bool
    stuck: bool
    iterations: int


def fit(problem: Problem[P], point: P, iterations: int) -> Fitted[P]:
    """Go downhill from a point."""
    damping, growth = FIRST, 2.0
    J = problem.jacobian(point)
    norms = np.zeros(J.shape[1])
    for count in range(1, iterations + 1):
        r, room = point.residual, problem.room(point)
        norms = np.maximum(norms, np.linalg.norm(J, axis=0))
        D = np.where(norms > 0.0, norms, 1.0)
        A = J / D
        near = max(NEAR * np.linalg.norm(r) / np.sqrt(len(r)), problem.rounding)
        if np.linalg.norm(A @ _step(A, r, LEAST, room, D)) <= near:
            return Fitted(point, J, True, False, count)
        while True:
            step = _step(A, r, damping, room, D)
            expected = _squares(r) - _squares(r + A @ step)
            tried = problem.moved(point, step / D)
            gain = -np.inf if tried is None else _squares(r) - _squares(tried.residual)
            if tried is not None and gain > max(ENOUGH * expected, 0.0):
                slopes = problem.next_jacobian(tried)
                if slopes is not None:
                    break
            if tried is not None and expected <= ROUNDED * _squares(r):
                return Fitted(point, J, True, False, count)
            damping, growth = damping * growth, 2.0 * growth
            if damping > MOST:
                return Fitted(point, J, False, True, count)
        damping *= max(1.0 / 9.0, 1.0 - (2.0 * min(gain / expected, 1.0) - 1.0) ** 3)
        damping, growth = max(damping, LEAST), 2.0
        point, J = tried, slopes
    return Fitted(point, J, False, False, iterations)


def _squares(r: Array) -> float:
    return float(r @ r)


def _step(A: Matrix, r: Array, damping: float, room: tuple[Array, Array], D: Array) -> Array:
    """The damped step in units of 1/D, within the bounds."""
    n = A.shape[1]
    stacked = np.vstack([A, np.sqrt(damping) * np.eye(n)])
    right = np.concatenate([-r, np.zeros(n)])
    found = np.linalg.lstsq(stacked, right, rcond=None)[0]
    lower, upper = room[0] * D, room[1] * D
    if (found >= lower).all() and (found <= upper).all():
        return np.asarray(found)
    bounded = lsq_linear(stacked, right, (lower, upper), method="bvls")
    return np.asarray(np.clip(bounded.x, lower, upper))
