"""Duals, forms and flat 6x6 matrices against the dense matrices that they stand for."""

import numpy as np
import pytest

from flexura.lie import se3
from flexura.lie.kernels import dual, matrix6

SIZES = [1e-6, 0.3, 2.5]


def matrix(x):
    """The 6x6 matrix of a dual."""
    A, B = x.reshape(2, 3, 3)
    return np.block([[A, np.zeros((3, 3))], [B, A]])


def form(x):
    """The 6x6 matrix of a form."""
    E, F = x.reshape(2, 3, 3)
    return np.block([[E, F], [F, np.zeros((3, 3))]])


def close(a, b):
    np.testing.assert_allclose(a, b, atol=1e-13 * max(1.0, np.abs(b).max()))


@pytest.fixture
def pair(rng):
    return rng.normal(size=18), rng.normal(size=18)


def test_products(pair, rng):
    x, y = pair
    out, work, twist = np.empty(18), np.empty(18), rng.normal(size=6)
    dual.mul(out, x, y)
    close(matrix(out), matrix(x) @ matrix(y))
    vector = np.empty(6)
    dual.apply(vector, x, twist)
    close(vector, matrix(x) @ twist)
    dual.apply_T(vector, x, twist)
    close(vector, matrix(x).T @ twist)
    dual.ad_mul(out, twist, y)
    close(matrix(out), se3.ad(twist) @ matrix(y))
    f = rng.normal(size=18)
    dual.form_product(out, x, f)
    close(form(out), matrix(x).T @ form(f))
    pulled = np.ones(18)
    dual.add_pulled(pulled, x, f, y, work)
    close(form(pulled), form(np.ones(18)) + matrix(x).T @ form(f) @ matrix(y))


def test_products_with_matrices(pair, rng):
    x, _ = pair
    h = rng.normal(size=36)
    out = np.empty(36)
    matrix6.mul(out, h, x)
    close(out.reshape(6, 6), h.reshape(6, 6) @ matrix(x))
    out = np.ones(36)
    matrix6.add_mul(out, h, x)
    close(out.reshape(6, 6), 1.0 + h.reshape(6, 6) @ matrix(x))
    out = np.ones(36)
    matrix6.add_T_mul(out, x, h)
    close(out.reshape(6, 6), 1.0 + matrix(x).T @ h.reshape(6, 6))


def test_matrices_between_duals(pair, rng):
    x, y = pair
    h = rng.normal(size=36)
    out, work = np.full(36, np.nan), np.full(36, np.nan)
    matrix6.pulled(out, x, h, y, work)
    close(out.reshape(6, 6), matrix(x).T @ h.reshape(6, 6) @ matrix(y))


def test_as_matrices(pair):
    x, _ = pair
    out = np.full(36, np.nan)  # every entry is written
    matrix6.from_dual(out, x)
    np.testing.assert_array_equal(out.reshape(6, 6), matrix(x))
    out = np.full(36, np.nan)
    matrix6.from_form(out, x)
    np.testing.assert_array_equal(out.reshape(6, 6), form(x))
    dual.clear(out)
    np.testing.assert_array_equal(out, np.zeros(36))


@pytest.mark.parametrize("transposed", [False, True])
def test_added_to_matrices(transposed, pair, rng):
    x, _ = pair
    h, before = rng.normal(size=(2, 36))
    turn = np.transpose if transposed else np.asarray
    out = before.copy()
    matrix6.add_form(out, x, 0.7, transposed)
    close(out.reshape(6, 6), before.reshape(6, 6) + 0.7 * turn(form(x)))
    out = before.copy()
    matrix6.add(out, h, 0.7, transposed)
    close(out.reshape(6, 6), before.reshape(6, 6) + 0.7 * turn(h.reshape(6, 6)))


@pytest.mark.parametrize("size", SIZES)
def test_step(size, rng):
    x, b = size * rng.normal(size=6), 0.7
    transport, tangent = np.empty(18), np.empty(18)
    dual.step(transport, tangent, x, b)
    close(matrix(transport), se3.Ad(se3.exp(-b * x)))
    close(matrix(tangent), b * se3.dexp(b * x))


@pytest.mark.parametrize("size", SIZES)
def test_difference(size, rng):
    x = size * rng.normal(size=6) / 3.0
    from_end, to_end = np.empty(18), np.empty(18)
    dual.difference(from_end, to_end, x)
    close(matrix(from_end), -se3.dexpinv_left(x))
    close(matrix(to_end), se3.dexpinv(x))


@pytest.mark.parametrize("size", SIZES)
def test_second_variations(size, rng):
    x, f, b = size * rng.normal(size=6) / 3.0, rng.normal(size=6), 0.7
    out = np.ones(18)
    dual.add_step_form(out, x, b, f)
    N = se3.dexp_derivative(b * x, f)
    close(form(out), form(np.ones(18)) + 0.5 * b**2 * (N + N.T))
    dual.difference_form(out, x, f)
    close(form(out), se3.dexpinv_derivative(x, f))


@pytest.mark.parametrize("size", SIZES)
def test_second_variation_of_a_difference(size, rng):
    x, (f, a, b) = size * rng.normal(size=6) / 3.0, rng.normal(size=(3, 6))
    from_end, to_end, from_form, to_form = np.empty((4, 18))
    dual.difference(from_end, to_end, x)
    dual.difference_forms(from_form, to_form, x, f)
    N = se3.dexpinv_derivative(x, f)
    M = np.array([se3.ad(e).T @ f for e in np.eye(6)]).T
    close(form(from_form), -(N + M))
    close(form(to_form), N)
    # d²/dt² fᵀ log((g_a exp(t a))⁻¹ g_b exp(t b)) by differences of fourth order in t
    t = 1e-2 * np.arange(-2, 3)[:, None]
    values = se3.log(se3.exp(-t * a) @ se3.exp(x) @ se3.exp(t * b)) @ f
    second = values @ [-1.0, 16.0, -30.0, 16.0, -1.0] / (12.0 * 1e-4)
    change = matrix(from_end) @ a + matrix(to_end) @ b
    found = change @ (form(from_form) @ a + form(to_form) @ b)
    # The differences are off by t⁴/90 times the sixth derivative: 6e-8 at most in 200 draws.
    assert found == pytest.approx(second, rel=1e-6, abs=1e-6)


def test_brackets(rng):
    f, x, y = rng.normal(size=(3, 6))
    out = np.empty(18)
    dual.bracket(out, 0.7, 2.0, x)
    close(matrix(out), 0.7 * np.eye(6) + 2.0 * se3.ad(x))
    dual.bracket_form(out, f, 2.0)
    close(y @ form(out) @ x, 2.0 * f @ se3.ad(x) @ y)
    dual.double_bracket_form(out, f, y)
    close(x @ form(out) @ x, f @ se3.ad(x) @ se3.ad(x) @ y)
    close(form(out), form(out).T)
