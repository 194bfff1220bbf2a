"""What the vectorised functions accept, and what they say about the rest."""

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.lie import se3, so3

REFLECTION = np.diag([1.0, 1.0, -1.0])
SHEARED = np.array([[1.0, 2e-6, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def pose_with(R):
    g = np.eye(4)
    g[:3, :3] = R
    return g


BAD = [
    (so3.exp, ([1, 2],), r"so3\.exp: vector must have the shape \(\.\.\., 3\), got \(2,\)"),
    (so3.exp, (1.0,), r"got \(\)"),
    (so3.exp, ([[1, 2, 3], [1, 2]],), "must be numbers"),
    (so3.exp, ("abc",), "must be numbers"),
    (so3.exp, ([1j, 0, 0],), "complex"),
    (so3.hat, ([np.inf, 0, 0],), "must be finite, got inf"),
    (so3.dexp, ([np.nan, 0, 0],), "must be finite, got nan"),
    (so3.log, (REFLECTION,), "rotation matrix R, but det R is -1"),
    (so3.log, (SHEARED,), r"RᵀR - I\| is 2e-06, at most 1e-06"),
    (so3.log, (1e200 * np.eye(3),), "rotation matrix R, but"),
    (so3.log, (np.eye(4),), r"\(\.\.\., 3, 3\), got \(4, 4\)"),
    (so3.Ad, (2 * np.eye(3),), "is 3, at most"),
    (so3.inverse, (REFLECTION,), "reflection"),
    (so3.vee, (np.eye(3),), "skew"),
    (se3.exp, (np.zeros((2, 3)),), r"se3\.exp: twist must have the shape \(\.\.\., 6\)"),
    (se3.log, (pose_with(REFLECTION),), r"pose \[\[R, p\], \[0, 1\]\], but det R is -1"),
    (se3.log, (np.ones((4, 4)),), "last row"),
    (se3.Ad, (np.eye(3),), r"got \(3, 3\)"),
    (se3.inverse, (np.full((4, 4), np.nan),), "finite"),
    (se3.vee, (np.eye(4),), "skew"),
    (se3.vee, (np.diag([0.0, 0, 0, 1]),), "last row"),
    (se3.pose, ([1, 2],), "position"),
    (se3.pose, ([1, 2, 3], [np.nan, 0, 0]), "rotation must be finite"),
    (se3.dexp_derivative, (np.zeros(6), np.zeros(3)), "wrench"),
    (se3.dexp_derivative, (np.zeros((2, 6)), np.zeros((3, 6))), "twist and wrench must match"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), BAD)
def test_bad_input(function, arguments, message):
    with pytest.raises(ModelError, match=message):
        function(*arguments)


def test_one_bad_item_of_a_stack_is_enough():
    stack = np.tile(np.eye(4), (5, 1, 1))
    stack[3, 0, 0] = 2.0
    with pytest.raises(ModelError, match="at most"):
        se3.log(stack)


def test_nearly_a_rotation_is_good_enough():
    np.testing.assert_allclose(so3.log(np.eye(3) + 2e-7 * np.ones((3, 3))), 0, atol=1e-15)


def test_integers_and_lists_are_numbers():
    np.testing.assert_array_equal(se3.exp([0, 0, 0, 1, 2, 3]), se3.pose([1, 2, 3]))
    np.testing.assert_array_equal(
        se3.log([[1, 0, 0, 4], [0, 1, 0, 5], [0, 0, 1, 6], [0, 0, 0, 1]]), [0, 0, 0, 4, 5, 6]
    )


@pytest.mark.parametrize("lead", [(), (1,), (4,), (2, 3), (0,), (2, 0)])
def test_leading_shapes(lead):
    x = np.random.default_rng(0).standard_normal((*lead, 6))
    g, N = se3.exp(x), se3.dexp_derivative(x, np.ones(6))
    assert (g.shape, N.shape) == ((*lead, 4, 4), (*lead, 6, 6))
    assert se3.log(g).shape == x.shape
    for index in np.ndindex(*lead):
        np.testing.assert_array_equal(g[index], se3.exp(x[index]))
        np.testing.assert_array_equal(N[index], se3.dexp_derivative(x[index], np.ones(6)))


def test_stacks_broadcast_against_each_other():
    rng = np.random.default_rng(0)
    x, mu = rng.standard_normal((3, 1, 6)), rng.standard_normal((4, 6))
    N = se3.dexpinv_derivative(x, mu)
    assert N.shape == (3, 4, 6, 6)
    np.testing.assert_array_equal(N[2, 1], se3.dexpinv_derivative(x[2, 0], mu[1]))


def test_views_and_read_only_arrays_are_left_alone():
    x = np.random.default_rng(0).standard_normal((6, 5))
    x.setflags(write=False)
    before = x.copy()
    np.testing.assert_array_equal(se3.dexp_left(x.T), se3.dexp(-before.T))
    np.testing.assert_array_equal(x, before)


def test_result_is_new_and_writable():
    R = np.eye(3)
    for function in (so3.Ad, so3.Ad_dual, so3.inverse):
        out = function(R)
        out[0, 0] = 7.0
        assert R[0, 0] == 1.0
        assert out.flags.c_contiguous
    assert se3.Ad_dual(np.eye(4)).flags.c_contiguous
