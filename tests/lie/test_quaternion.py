"""Quaternions, scalar first."""

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.lie import quaternion, so3

RNG = np.random.default_rng(0)


def random_unit(n):
    q = RNG.standard_normal((n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def test_round_trip_up_to_sign():
    q = random_unit(500)
    got = quaternion.from_matrix(quaternion.to_matrix(q))
    assert np.all(got[:, 0] >= 0)
    np.testing.assert_allclose(got, q * np.sign(q[:, :1]), rtol=0, atol=1e-15)


@pytest.mark.parametrize("largest", range(4))
def test_every_branch(largest):
    q = np.full(4, 0.1)
    q[largest] = -np.sqrt(1 - 0.03)
    got = quaternion.from_matrix(quaternion.to_matrix(q))
    np.testing.assert_allclose(got, q * np.sign(q[0]), rtol=0, atol=1e-15)


def test_same_rotation_as_exp():
    w = RNG.standard_normal((100, 3))
    angle = np.linalg.norm(w, axis=1, keepdims=True)
    q = np.concatenate([np.cos(angle / 2), np.sin(angle / 2) * w / angle], axis=1)
    np.testing.assert_allclose(quaternion.to_matrix(q), so3.exp(w), rtol=0, atol=1e-15)


def test_quarter_turn_about_z():
    half = np.sqrt(0.5)
    expected = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    got = quaternion.to_matrix([half, 0, 0, half])
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-15)


def test_almost_unit_is_normalised():
    q = random_unit(1)[0]
    np.testing.assert_allclose(
        quaternion.to_matrix(q * (1 + 5e-7)), quaternion.to_matrix(q), rtol=0, atol=1e-15
    )


@pytest.mark.parametrize("bad", [[2.0, 0, 0, 0], [0, 0, 0, 0], [1e200, 1e200, 0, 0], [1, 0, 0]])
def test_bad_quaternion(bad):
    with pytest.raises(ModelError, match=r"quaternion\.to_matrix: quaternion must"):
        quaternion.to_matrix(bad)
