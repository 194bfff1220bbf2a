"""Laws of the groups; sizes of rotations and translations are drawn independently."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.lie import se3, so3

ROUNDING = 1e-14  # some tens of operations of 1e-16 each


def law(**strategies):
    """A property that holds for all draws; the first one compiles, so there is no deadline."""
    return lambda test: settings(deadline=None, max_examples=60, derandomize=True)(
        given(**strategies)(test)
    )


@st.composite
def vectors(draw, lowest=-12.0, highest=12.0):
    """Directions of the ball, with lengths log-uniform between two powers of ten."""
    component = st.floats(-1.0, 1.0)
    direction = np.array(draw(st.tuples(component, component, component)))
    norm = np.linalg.norm(direction)
    direction = direction / norm if norm > 0.1 else np.array([0.0, 0.0, 1.0])
    return direction * 10.0 ** draw(st.floats(lowest, highest))


def turns():
    return vectors(highest=np.log10(np.pi - 1e-9))


@st.composite
def twists(draw):
    return np.concatenate([draw(turns()), draw(vectors())])


@st.composite
def poses(draw):
    return se3.pose(draw(vectors()), draw(turns()))


def elements(n):
    return turns() if n == 3 else twists()


def close(got, expected, size=1.0):
    """Equal up to rounding, relative to the largest intermediate result."""
    np.testing.assert_allclose(got, expected, rtol=0, atol=ROUNDING * size)


def weigh(matrix, length):
    """A matrix on twists with lengths measured in units of ``length``."""
    scale = np.repeat([1.0, length], 3)
    return matrix * scale / scale[:, None]


GROUPS = pytest.mark.parametrize(("group", "n"), [(so3, 3), (se3, 6)], ids=["so3", "se3"])


@GROUPS
@law(data=st.data())
def test_log_undoes_exp(group, n, data):
    x = data.draw(elements(n))
    got = group.log(group.exp(x))
    for part in (slice(0, 3), slice(3, n)):
        close(got[part], x[part], np.linalg.norm(x[part]))


@law(g=poses())
def test_exp_undoes_log(g):
    got = se3.exp(se3.log(g))
    close(got[:3, :3], g[:3, :3])
    close(got[:3, 3], g[:3, 3], np.linalg.norm(g[:3, 3]))
    close(so3.exp(so3.log(g[:3, :3])), g[:3, :3])


@law(g=poses(), h=poses())
def test_adjoint_is_a_homomorphism(g, h):
    length = np.linalg.norm(g[:3, 3]) + np.linalg.norm(h[:3, 3])
    close(weigh(se3.Ad(g @ h), length), weigh(se3.Ad(g) @ se3.Ad(h), length))
    close(weigh(se3.Ad_dual(g @ h).T, length), weigh((se3.Ad_dual(g) @ se3.Ad_dual(h)).T, length))


@law(g=poses())
def test_inverse(g):
    length = np.linalg.norm(g[:3, 3])
    got = se3.inverse(g) @ g
    close(got[:, :3], np.eye(4)[:, :3])
    close(got[:, 3], [0, 0, 0, 1], 1 + length)
    close(weigh(se3.Ad(se3.inverse(g)) @ se3.Ad(g), length), np.eye(6))


@law(g=poses(), x=twists())
def test_adjoint_conjugates(g, x):
    got, expected = se3.hat(se3.Ad(g) @ x), g @ se3.hat(x) @ se3.inverse(g)
    size = np.linalg.norm(x[3:]) + np.linalg.norm(x[:3]) * np.linalg.norm(g[:3, 3])
    close(got[:3, :3], expected[:3, :3], np.linalg.norm(x[:3]))
    close(got[:3, 3], expected[:3, 3], size)


@GROUPS
@law(data=st.data())
def test_left_tangent_is_the_right_one_seen_from_the_other_side(group, n, data):
    x = data.draw(elements(n))
    length = np.linalg.norm(x[3:]) if n == 6 else 1.0
    left, right, Ad = group.dexp_left(x), group.dexp(x), group.Ad(group.exp(x))
    difference = left - Ad @ right
    close(difference if n == 3 else weigh(difference, length), np.zeros((n, n)))


@GROUPS
@law(data=st.data())
def test_inverse_tangents(group, n, data):
    x = data.draw(elements(n))
    scale = (lambda A: A) if n == 3 else (lambda A: weigh(A, np.linalg.norm(x[3:])))
    close(scale(group.dexp(x) @ group.dexpinv(x)), np.eye(n))
    close(scale(group.dexp_left(x) @ group.dexpinv_left(x)), np.eye(n))
    close(scale(group.dexpinv_left(x) - group.dexpinv(x) + group.ad(x)), np.zeros((n, n)))


@GROUPS
@law(data=st.data())
def test_jacobi_and_antisymmetry(group, n, data):
    x, y = data.draw(elements(n)), data.draw(elements(n))
    A, B = group.ad(x), group.ad(y)
    bracket = A @ y
    scale = np.abs(A) @ np.abs(B) + np.abs(B) @ np.abs(A)
    assert np.all(np.abs(group.ad(bracket) - (A @ B - B @ A)) <= ROUNDING * scale)
    assert np.all(np.abs(bracket + B @ x) <= ROUNDING * (np.abs(A) @ np.abs(y)))


@law(g=poses(), x=twists(), y=twists(), f=twists())
def test_duals_pair(g, x, y, f):
    power = (se3.Ad_dual(g) @ f) @ (se3.Ad(g) @ x)
    size = (np.abs(se3.Ad_dual(g)) @ np.abs(f)) @ (np.abs(se3.Ad(g)) @ np.abs(x))
    close(power, f @ x, size)
    close((se3.ad_dual(x) @ f) @ y, f @ (se3.ad(x) @ y), np.abs(f) @ np.abs(se3.ad(x)) @ np.abs(y))
    moment, turn, other = f[:3], x[:3], y[:3]
    R = g[:3, :3]
    sizes = np.linalg.norm(moment) * np.linalg.norm(turn)
    close((so3.Ad_dual(R) @ moment) @ (so3.Ad(R) @ turn), moment @ turn, sizes)
    pairing = moment @ (so3.ad(turn) @ other)
    close((so3.ad_dual(turn) @ moment) @ other, pairing, sizes * np.linalg.norm(other))


@law(w=turns())
def test_rotations_are_poses_without_translation(w):
    x = np.concatenate([w, np.zeros(3)])
    np.testing.assert_array_equal(se3.exp(x)[:3, :3], so3.exp(w))
    np.testing.assert_array_equal(se3.dexp(x)[:3, :3], so3.dexp(w))
    np.testing.assert_array_equal(se3.dexpinv(x)[3:, 3:], so3.dexpinv(w))
    np.testing.assert_array_equal(se3.log(se3.pose(rotation=w))[:3], so3.log(so3.exp(w)))


@GROUPS
@law(data=st.data())
def test_vee_undoes_hat(group, n, data):
    x = data.draw(elements(n))
    np.testing.assert_array_equal(group.vee(group.hat(x)), x)


@pytest.mark.parametrize(
    "axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (-1, 2, -3), (-1, -1, -1)]
)
def test_half_turn_has_its_largest_component_positive(axis):
    n = np.array(axis) / np.linalg.norm(axis)
    w = so3.log(2 * np.outer(n, n) - np.eye(3))
    sign = np.sign(n[np.argmax(np.abs(n) > 0.999 * np.max(np.abs(n)))])
    close(w, np.pi * n * sign, np.pi)
    g = se3.pose((1.0, -2.0, 3.0))
    g[:3, :3] = 2 * np.outer(n, n) - np.eye(3)
    close(se3.exp(se3.log(g)), g, 4.0)


def test_half_turn_with_two_equal_components_has_the_first_positive():
    half = np.pi * np.sqrt(0.5)
    close(so3.log([[-1, 0, 0], [0, 0, -1], [0, -1, 0]]), [0, half, -half], np.pi)
    close(so3.log([[0, -1, 0], [-1, 0, 0], [0, 0, -1]]), [half, -half, 0], np.pi)


@pytest.mark.parametrize("axis", [(0, 0, 1), (3, -1, 2), (-1, -1, -1)])
@pytest.mark.parametrize("beyond", [-1e-3, -1e-6, -1e-9, -1e-12, 1e-12, 1e-9, 1e-6, 1e-3])
def test_log_near_a_half_turn(axis, beyond):
    n = np.array(axis) / np.linalg.norm(axis)
    w = so3.log(so3.exp((np.pi + beyond) * n))
    expected = np.pi + beyond if beyond < 0 else beyond - np.pi
    close(w, expected * n, np.pi)
