"""Gauss-Legendre points mapped to the spans of a rod."""

from functools import cache

import numpy as np

from flexura.typing import Array, Matrix, frozen


@cache
def gauss_rule(count: int) -> tuple[Array, Array]:
    """Points and weights of the Gauss-Legendre rule on [-1, 1], read-only."""
    x, w = np.polynomial.legendre.leggauss(count)
    return frozen(x), frozen(w)


@cache
def unit_rule(count: int) -> tuple[Array, Array]:
    """Points and weights of the Gauss-Legendre rule on [0, 1], read-only."""
    x, w = gauss_rule(count)
    return frozen(0.5 + 0.5 * x), frozen(0.5 * w)


def gauss_points(breaks: Array, count: int) -> tuple[Array, Array]:
    """Points and weights of the composite Gauss-Legendre rule, exact to degree 2·count - 1.

    Args:
        breaks: ends of the spans, increasing [m], shape (n_spans + 1,).
        count: points per span.

    Returns:
        Arc lengths [m] and weights [m], shape (n_spans, count) each.
    """
    x, w = gauss_rule(count)
    half = 0.5 * np.diff(breaks)[:, None]
    middle = 0.5 * (breaks[1:] + breaks[:-1])[:, None]
    return middle + half * x, half * w


def integral_rows(u: Array, count: int) -> Matrix:
    """Weights of the Gauss points of [0, 1] in the integral of their polynomial up to each u.

    ∫₀ᵘ ℓ_i = ½ w_i Σ_k ½ P_k(x_i) (P_{k+1}(y) - P_{k-1}(y)),   y = 2u - 1,  P_{-1} = -1
    """
    at_u = np.polynomial.legendre.legvander(2.0 * u - 1.0, count)
    before = np.concatenate([np.full((len(u), 1), -1.0), at_u[:, : count - 1]], axis=1)
    return np.ascontiguousarray(0.25 * (at_u[:, 1:] - before) @ _weighted(count).T)


def value_rows(u: Array, count: int) -> Matrix:
    """Weights of the Gauss points of [0, 1] in the value of their polynomial at each u.

    ℓ_i(u) = w_i Σ_k (k + ½) P_k(x_i) P_k(y),   y = 2u - 1
    """
    at_u = np.polynomial.legendre.legvander(2.0 * u - 1.0, count - 1)
    return np.asarray((at_u * (np.arange(count) + 0.5)) @ _weighted(count).T)


@cache
def _weighted(count: int) -> Matrix:
    """w_i P_k(x_i) at the Gauss points, read-only, (count, count)."""
    x, w = gauss_rule(count)
    return frozen(w[:, None] * np.polynomial.legendre.legvander(x, count - 1))
