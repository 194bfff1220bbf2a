"""The rotation nearest to a matrix."""

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.lie import so3

RNG = np.random.default_rng(5)


def test_it_is_the_rotation_of_the_polar_decomposition():
    R = so3.exp(RNG.normal(size=(20, 3)))
    A = RNG.normal(size=(20, 3, 3))
    np.testing.assert_allclose(
        so3.nearest(R @ (A @ A.swapaxes(1, 2) + 0.1 * np.eye(3))), R, atol=1e-12
    )


def test_no_other_rotation_is_nearer():
    """Also where the matrix is a reflection, or has no inverse."""
    others = so3.exp(RNG.normal(size=(500, 3)) * 2.0)
    for M in (*RNG.normal(size=(10, 3, 3)), -np.eye(3), np.diag([1.0, 2.0, 0.0])):
        R = so3.nearest(M)
        np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
        assert np.linalg.det(R) == pytest.approx(1.0, rel=1e-14)
        assert np.linalg.norm(others - M, axis=(1, 2)).min() >= np.linalg.norm(R - M) - 1e-12


def test_bad_matrices():
    with pytest.raises(ModelError, match=r"so3\.nearest: matrix must have the shape"):
        so3.nearest(np.eye(4))
