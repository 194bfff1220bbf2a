"""Quadratic programmes, by a solver of the ecosystem: the extra ``inverse``.

    minimise  ½ xᵀ H x + gᵀ x + penalty · Σ s
    subject to  least ≤ x ≤ most,   low - s ≤ A x ≤ high + s,   s ≥ 0

Whatever the rows ask for can be had at a price: there is a solution always.
"""

from importlib import import_module
from typing import NamedTuple

import numpy as np

from flexura.errors import MissingExtra
from flexura.typing import Array, Matrix

# An active-set method: it ends at the solution up to rounding, in less than 0.1 ms for ten inputs.
SOLVER = "daqp"
TOLERANCES = {"primal_tol": 1e-10, "dual_tol": 1e-11}
# Bounds of this size are none.
ENDLESS = 1e20
# What is added to a matrix, relative to its largest entry: what moves nothing changes little.
DEFINITE = 1e-9


class Rows(NamedTuple):
    """Bounds on combinations.

    Attributes:
        matrix: A, (k, n).
        low, high: least and largest values, (k,).
    """

    matrix: Matrix
    low: Array
    high: Array


def require() -> None:
    """Load the packages.

    Raises:
        MissingExtra: if they are not installed, with how to do that.
    """
    for package in ("qpsolvers", SOLVER):
        try:
            import_module(package)
        except ImportError as error:
            if error.name != package:  # it is there, and something that it needs is not
                raise
            raise MissingExtra("inverse", package, "inverse") from error


def solve(H: Matrix, g: Array, least: Array, most: Array, rows: Rows, penalty: float) -> Array:
    """The minimum x, (n,).

    Args:
        H: symmetric, not negative, (n, n).
        g: slope at zero, (n,).
        least, most: bounds, which leave room, (n,).
        rows: bounds on combinations.
        penalty: price of leaving those.
    """
    from qpsolvers import solve_qp

    n, k = len(g), len(rows.low)
    size = float(np.abs(H).max(initial=0.0)) or 1.0
    unit = _unit(H / size, g / size)  # the solver's tolerances are absolute
    P, q = np.zeros((n + k, n + k)), np.zeros(n + k)
    P[:n, :n] = H / size
    P[np.arange(n + k), np.arange(n + k)] += DEFINITE
    q[:n], q[n:] = g / (size * unit), penalty / (size * unit)
    G = h = None
    if k:
        slack = -np.eye(k)
        G = np.block([[rows.matrix, slack], [-rows.matrix, slack]])
        h = _bounded(np.concatenate([rows.high, -rows.low]) / unit)
    low = np.concatenate([_bounded(least / unit), np.zeros(k)])
    high = np.concatenate([_bounded(most / unit), np.full(k, ENDLESS)])
    found = solve_qp(P, q, G, h, lb=low, ub=high, solver=SOLVER, **TOLERANCES)
    if found is None or not np.isfinite(found).all():
        return np.zeros(n)
    return np.clip(unit * found[:n], least, most)


def _unit(H: Matrix, g: Array) -> float:
    """Size of the minimum without bounds."""
    found = float(np.abs(np.linalg.lstsq(H, g, rcond=DEFINITE)[0]).max(initial=0.0))
    return found if np.isfinite(found) and found > 0.0 else 1.0


def _bounded(values: Array) -> Array:
    """Bounds as the solver knows them."""
    return np.clip(values, -ENDLESS, ENDLESS)
