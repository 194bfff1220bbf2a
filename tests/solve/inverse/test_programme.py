"""Quadratic programmes against bounded least squares of SciPy, and optimality conditions."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from flexura.solve.inverse.programme import Rows, solve

NONE = Rows(np.zeros((0, 0)), np.zeros(0), np.zeros(0))


def problem(seed, m, n, condition):
    random = np.random.default_rng(seed)
    u, _, v = np.linalg.svd(random.normal(size=(m, n)))
    A = (u * np.geomspace(1.0, 1.0 / condition, m)) @ v[:m]
    e = random.normal(size=m) * 10.0 ** random.uniform(-9.0, 0.0)
    low, high = -random.uniform(0.0, 0.3, n), random.uniform(0.0, 0.3, n)
    low[0] = 0.0  # a bound that holds already
    return A, e, low, high


def none(n):
    return NONE._replace(matrix=np.zeros((0, n)))


@pytest.mark.parametrize(("m", "n"), [(3, 3), (3, 9), (6, 6), (6, 9)])
@pytest.mark.parametrize("condition", [1.0, 1e3])
def test_is_as_low_as_bounded_least_squares(m, n, condition):
    for seed in range(30):
        A, e, low, high = problem(seed, m, n, condition)
        x = solve(A, e, low, high, none(n), 0.0)
        assert (x >= low).all()
        assert (x <= high).all()
        best = lsq_linear(A, -e, (low - 1e-300, high), method="bvls", tol=1e-15).x
        here, there = (0.5 * np.sum((A @ y + e) ** 2) for y in (x, best))
        assert here <= there + 1e-10 * 0.5 * e @ e


def test_bounds_that_hold_are_released():
    # down from an upper bound and up from a lower one: a minimum within those that hold is none
    A, e = np.array([[1.0, -1.0, 0.0]]), np.array([1.0])
    x = solve(A, e, np.array([-5.0, 0.0, 0.0]), np.array([0.0, 5.0, 0.0]), none(3), 0.0)
    assert np.allclose(x, [-0.5, 0.5, 0.0], atol=1e-9)  # of all that reach it, the shortest


def test_rows_are_kept():
    A, e = np.eye(2), np.array([-3.0, -1.0])
    free = np.full(2, 10.0)
    rows = Rows(np.array([[1.0, 1.0]]), np.array([-np.inf]), np.array([2.0]))
    x = solve(A, e, -free, free, rows, 100.0)
    assert np.allclose(x, [2.0, 0.0], atol=1e-9)  # the point of x + y <= 2 closest to (3, 1)


def test_rows_that_cannot_be_kept_are_left_as_little_as_bounds_allow():
    rows = Rows(np.array([[1.0]]), np.array([5.0]), np.array([np.inf]))
    x = solve(np.eye(1), np.zeros(1), np.array([-1.0]), np.array([1.0]), rows, 10.0)
    assert x == pytest.approx(1.0)
