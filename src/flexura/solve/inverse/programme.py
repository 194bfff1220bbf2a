"""Quadratic programmes, by a solver of the ecosystem: the extra ``inverse``.

    minimise  ½ |A x + b|² + Σ (price · s + ½ s²)
    subject to  least ≤ x ≤ most,   low - s ≤ B x ≤ high + s,   s ≥ 0

Inputs that do nearly the same make AᵀA nearly singular: the solver finds which bounds hold, with a
little added to it; within those the minimum is found from A itself. What the rows of B ask for can
be had at a price: there is a solution always.
"""

from functools import cache
from importlib import import_module
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space
from scipy.linalg.lapack import dgelsd, dgelsd_lwork

from flexura.errors import MissingExtra
from flexura.solve.inverse import programme_kernels as kernels
from flexura.typing import Array, Matrix

# An active-set method: it ends at the solution up to rounding, in less than 0.1 ms for ten inputs.
SOLVER = "daqp"
TOLERANCES = {"primal_tol": 1e-10, "dual_tol": 1e-11}
# Bounds of this size are none.
ENDLESS = 1e20
# What is added to AᵀA, relative to its largest entry, more where the solver gives up: what moves
# nothing changes little.
DEFINITE = (1e-9, 1e-7, 1e-5, 1e-3)
# Singular values below this part of the largest one move nothing.
NOTHING = 1e-9
# A bound this close, in units of the step, holds.
TOUCHING = 1e-9
# Steps this small are rounding: numbers are relative to what is a large change.
ROUNDED = 1e-15
# What a price is above the forces that limits exert.
KEPT = 1e2
# How often bounds may be met on the way to the minimum within those that hold.
MET = 5


class Rows(NamedTuple):
    """Bounds on combinations.

    Attributes:
        matrix: B, (k, n).
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


def solve(A: Matrix, b: Array, least: Array, most: Array, rows: Rows, price: float) -> Array | None:
    """The minimum x, (n,); None if the solver gives up.

    Args:
        A: of the objective, (m, n).
        b: likewise, (m,).
        least: bounds below, (n,), not above zero.
        most: bounds above, (n,), not below zero.
        rows: bounds on combinations.
        price: of leaving those.
    """
    if not kernels.all_move(least, most):  # what cannot change has no say in sizes
        room = most > least
        x = np.zeros(len(room))
        own = Rows(rows.matrix[:, room], rows.low, rows.high)
        found = solve(A[:, room], b, least[room], most[room], own, price)
        if found is None:
            return None
        x[room] = found
        return x
    if not len(least):
        return np.zeros(0)
    return _solve(A, b, least, most, rows, price)


def _solve(
    A: Matrix, b: Array, least: Array, most: Array, rows: Rows, price: float
) -> Array | None:
    """The same where all can change."""
    x = -least_squares(A, b, NOTHING)
    if kernels.within(x, least, most, rows.matrix, rows.low, rows.high):
        return x
    from qpsolvers import solve_qp

    unit = max(float(np.abs(x).max(initial=0.0)), _far(rows))  # its tolerances are absolute
    if unit <= ROUNDED:
        return np.clip(x, least, most)
    n, k, g, H = len(x), len(rows.low), A.T @ b, A.T @ A
    size = float(np.abs(H).max(initial=0.0)) or 1.0
    P, q = np.zeros((n + k, n + k)), np.zeros(n + k)
    P[:n, :n] = H / size
    P[np.arange(n, n + k), np.arange(n, n + k)] = 1.0
    q[:n], q[n:] = g / (size * unit), price / (size * unit)
    G = h = None
    if k:
        slack = -np.eye(k)
        G = np.block([[rows.matrix, slack], [-rows.matrix, slack]])
        h = _bounded(np.concatenate([rows.high, -rows.low]) / unit)
    low = np.concatenate([_bounded(least / unit), np.zeros(k)])
    high = np.concatenate([_bounded(most / unit), np.full(k, ENDLESS)])
    added, found = 0.0, None
    for more in DEFINITE:
        P[np.arange(n), np.arange(n)] += more - added
        added = more
        found = solve_qp(P, q, G, h, lb=low, ub=high, solver=SOLVER, **TOLERANCES)
        if found is not None and np.isfinite(found).all():
            break
    else:
        return None
    x = np.clip(unit * found[:n], least, most)
    for _ in range(MET):
        x, met = _onwards(A, b, x, least, most, rows, TOUCHING * unit)
        if not met:
            break
    return x


def keeping(A: Matrix, b: Array, rows: Rows) -> float:
    """A price above the forces of limits, by rows whose entries are about 1."""
    if not len(rows.low):
        return 1.0
    slope, bend = np.abs(A.T @ b).max(initial=0.0), np.abs(A.T @ A).max(initial=0.0)
    return KEPT * float(slope + bend * _far(rows)) or 1.0


def least_squares(A: Matrix, b: Array, least: float) -> Array:
    """The shortest x of least |A x - b|, (n,), in a few microseconds.

    Args:
        A: (m, n).
        b: (m,).
        least: singular values below this part of the largest one are none.
    """
    m, n = A.shape
    if not A.size:
        return np.zeros(n)
    right = np.zeros(max(m, n))
    right[:m] = b
    x, _, _, failed = dgelsd(A, right, *_room(m, n), cond=least, overwrite_b=True)
    return np.full(n, np.nan) if failed else np.asarray(x[:n])


@cache
def _room(m: int, n: int) -> tuple[int, int]:
    """What LAPACK needs to work in."""
    real, whole, _ = dgelsd_lwork(m, n, 1)
    return int(real), int(whole)


def _far(rows: Rows) -> float:
    """How far at most it is to limits that are broken at zero."""
    over = np.maximum(0.0, np.maximum(rows.low, -rows.high))
    steep = np.abs(rows.matrix).max(axis=1, initial=0.0)
    return float(
        np.divide(over, steep, out=np.zeros(len(over)), where=steep > 0.0).max(initial=0.0)
    )


def broken(rows: Rows) -> float:
    """By how much bounds on combinations are broken at zero, in all."""
    return float(np.maximum(0.0, np.maximum(rows.low, -rows.high)).sum())


def broken_after(rows: Rows, x: Array) -> float:
    """By how much they are broken at x."""
    values = rows.matrix @ x
    return broken(Rows(rows.matrix, rows.low - values, rows.high - values))


def _onwards(
    A: Matrix, b: Array, x: Array, least: Array, most: Array, rows: Rows, near: float
) -> tuple[Array, bool]:
    """Towards the minimum with all bounds kept that are near; and whether another one was met."""
    ways = np.eye(len(x))[:, (x - least > near) & (most - x > near)]
    values = rows.matrix @ x
    holding = (values - rows.low <= near) | (rows.high - values <= near)
    if holding.any():
        ways = ways @ null_space(rows.matrix[holding] @ ways, rcond=NOTHING)
    if not ways.shape[1]:
        return x, False
    step = -ways @ np.linalg.lstsq(A @ ways, A @ x + b, rcond=NOTHING)[0]
    part = _part(step, least - x, most - x)
    if len(values):
        part = min(part, _part(rows.matrix @ step, rows.low - values, rows.high - values))
    return np.clip(x + part * step, least, most), part < 1.0


def _part(step: Array, low: Array, high: Array) -> float:
    """How much of a step is within bounds."""
    room = np.where(step > 0.0, high, low)
    moving = np.isfinite(room) & (np.abs(step) > 0.0)
    ratio = np.maximum(room[moving] / step[moving], 0.0)
    return float(min(1.0, ratio.min(initial=1.0)))


def _bounded(values: Array) -> Array:
    """Bounds as the solver knows them."""
    return np.clip(values, -ENDLESS, ENDLESS)
