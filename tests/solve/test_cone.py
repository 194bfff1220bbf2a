"""The small problem of constraints, against SciPy's least squares with nonnegative unknowns."""

import numpy as np
import pytest
from scipy.optimize import nnls

from flexura.solve.cone.complementarity import not_negative, solve_cone


@pytest.mark.parametrize("seed", range(40))
def test_multipliers_are_those_of_least_squares(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    root = rng.normal(size=(n, n)) + 2.0 * np.eye(n)
    excess = rng.normal(size=n) * 10.0 ** rng.integers(-6, 3)
    expected = nnls(root.T, np.linalg.solve(root, excess))[0]
    found = not_negative(root @ root.T, excess)
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-10 * np.abs(expected).max())


def test_equal_ones_hold_with_any_sign():
    rng = np.random.default_rng(1)
    root = rng.normal(size=(5, 5)) + 2.0 * np.eye(5)
    compliance, b, equal = root @ root.T, rng.normal(size=5), np.array([1, 0, 0, 1, 0], dtype=bool)
    found = solve_cone(compliance, b, equal)
    gap = b + compliance @ found
    assert gap[equal] == pytest.approx(0.0, abs=1e-10)
    assert (found[~equal] >= 0.0).all()
    assert gap[~equal].min() >= -1e-12
    assert found[~equal] * gap[~equal] == pytest.approx(0.0, abs=1e-10)


def test_what_floats_cannot_hold_is_no_number():
    assert not np.isfinite(not_negative(np.array([[1e-200]]), np.array([1e200]))).any()
