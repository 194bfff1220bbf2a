"""Gauss-Legendre points mapped to the spans of a rod."""

from functools import cache

import numpy as np

from flexura.typing import Array, frozen


@cache
def gauss_rule(count: int) -> tuple[Array, Array]:
    """Points and weights of the Gauss-Legendre rule on [-1, 1], read-only."""
    x, w = np.polynomial.legendre.leggauss(count)
    return frozen(x), frozen(w)


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
