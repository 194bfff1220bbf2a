"""The scalar coefficients against 80 digits, on both sides of every threshold."""

import numpy as np
import pytest
from lie_oracle import mp, mpf

from flexura.lie.kernels import series

EDGES = (series.SHORT, series.LONG)
SQUARES = np.concatenate(
    [
        np.geomspace(1e-12, 1.0, 25) ** 2,
        np.linspace(1.0, 6.0, 41) ** 2,
        EDGES,
        np.nextafter(EDGES, np.inf),
        [0.0],
    ]
)


def stumpff(first, order, t2):
    """The ``order``-th 2 d/d(t²) of Σ (−t²)ᵏ/(2k + first)!, term by term."""
    total = mpf(0)
    for k in range(order, 80):
        factor = mpf(2) ** order * mp.ff(k, order)
        total += (-1) ** k * factor * t2 ** (k - order) / mp.factorial(2 * k + first)
    return total


def cotangent(order, t2):
    """The same derivative of (1 − (t/2) cot(t/2))/t², numerically, with 200 digits."""
    if t2 == 0:
        return {0: mpf(1) / 12, 1: mpf(2) / 720, 2: mpf(8) / 30240}[order]
    with mp.workdps(200):

        def function(u):
            half = mp.sqrt(u) / 2
            return (1 - half * mp.cot(half)) / u

        step = mpf(10) ** -40 * t2
        if order == 0:
            return function(t2)
        near = [function(t2 + k * step) for k in (-1, 0, 1)]
        if order == 1:
            return (near[2] - near[0]) / step
        return 4 * (near[2] - 2 * near[1] + near[0]) / step**2


def definitions(t2):
    """(name, value) of every coefficient at t²."""
    t2 = mpf(t2)
    values = {f"a{n}": stumpff(2, n, t2) for n in range(3)}
    values |= {f"b{n}": stumpff(3, n, t2) for n in range(3)}
    return values | {f"d{n}": cotangent(n, t2) for n in range(3)}


def relative(got, exact):
    return float(abs(got - exact) / abs(exact))


# Up to t = 4 rounding only. Then a and a₁ approach their zero at 2π and d its pole: t = 6 is
# 0.28 away, and the rounding of t itself is amplified by 2 · 6/0.28 = 43 halves of 2⁻⁵³.
def tolerance(t2):
    return 1e-15 if t2 <= series.LONG else 5e-15


@pytest.mark.parametrize("t2", SQUARES)
def test_tangent_coefficients(t2):
    names = ["a0", "b0", "a1", "b1", "a2", "b2", "d0", "d1", "d2"]
    got = series.dexp_coefficients_2(t2) + series.dexpinv_coefficients_2(t2)
    exact = definitions(t2)
    errors = {name: relative(value, exact[name]) for name, value in zip(names, got, strict=True)}
    assert max(errors.values()) <= tolerance(t2), errors


@pytest.mark.parametrize("t2", SQUARES)
def test_shorter_tuples_are_the_same_numbers(t2):
    a, b, a1, b1, _, _ = series.dexp_coefficients_2(t2)
    assert series.dexp_coefficients_1(t2) == (a, b, a1, b1)
    assert series.dexp_coefficients(t2) == (a, b)
    d, d1, _ = series.dexpinv_coefficients_2(t2)
    assert series.dexpinv_coefficients_1(t2) == (d, d1)
    assert series.dexpinv_coefficient(t2) == d


@pytest.mark.parametrize("t2", SQUARES)
def test_exp_coefficients(t2):
    s, a, b = series.exp_coefficients(t2)
    assert abs(s - stumpff(1, 0, mpf(t2))) <= 2.3e-16  # absolute: s vanishes at π
    assert relative(a, stumpff(2, 0, mpf(t2))) <= tolerance(t2)
    assert relative(b, stumpff(3, 0, mpf(t2))) <= tolerance(t2)


@pytest.mark.parametrize("edge", EDGES)
def test_no_jump_at_thresholds(edge):
    below, above = edge, np.nextafter(edge, np.inf)
    for function in (
        series.exp_coefficients,
        series.dexp_coefficients_2,
        series.dexpinv_coefficients_2,
    ):
        np.testing.assert_allclose(function(above), function(below), rtol=2e-15, atol=0)


@pytest.mark.parametrize("t", [7.0, 20.0, 100.0])
def test_beyond_a_full_turn(t):
    exact = [cotangent(n, mpf(t) ** 2) for n in range(3)]
    got = series.dexpinv_coefficients_2(t * t)
    assert max(map(relative, got, exact)) <= 1e-13  # rounding of t = 100, 0.53 from a pole
    with mp.workdps(120):
        u = mpf(t * t)
        s = mp.sin(mp.sqrt(u)) / mp.sqrt(u)
    assert abs(series.exp_coefficients(t * t)[0] - s) <= 1e-15


def test_series_that_does_not_converge_is_refused():
    with pytest.raises(ArithmeticError, match="more than"):
        series._truncated(series._cotangent(), 200.0)
