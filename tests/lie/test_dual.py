"""Duals and forms against the 6x6 matrices that they stand for."""

import numpy as np
import pytest

from flexura.lie import dual, se3

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
    dual.matrix_mul(out, h, x)
    close(out.reshape(6, 6), h.reshape(6, 6) @ matrix(x))
    out = np.ones(36)
    dual.add_matrix_mul(out, h, x)
    close(out.reshape(6, 6), 1.0 + h.reshape(6, 6) @ matrix(x))
    out = np.ones(36)
    dual.add_T_mul(out, x, h)
    close(out.reshape(6, 6), 1.0 + matrix(x).T @ h.reshape(6, 6))


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


def test_brackets(rng):
    f, x, y = rng.normal(size=(3, 6))
    out = np.empty(18)
    dual.bracket_form(out, f, 2.0)
    close(y @ form(out) @ x, 2.0 * f @ se3.ad(x) @ y)
    dual.double_bracket_form(out, f, y)
    close(x @ form(out) @ x, f @ se3.ad(x) @ se3.ad(x) @ y)
    close(form(out), form(out).T)
