"""Functions on the unit interval that strains are expanded in."""

from collections.abc import Callable

import numpy as np
from scipy.interpolate import BSpline

from flexura.errors import UnknownName
from flexura.typing import Array, Matrix


def legendre(count: int, u: Array) -> Matrix:
    """Legendre polynomials on [0, 1]: well conditioned, the default."""
    table = np.polynomial.legendre.legvander(2.0 * u - 1.0, count - 1)
    return np.asarray(table, dtype=np.float64)


def chebyshev(count: int, u: Array) -> Matrix:
    """Chebyshev polynomials of the first kind on [0, 1]."""
    table = np.polynomial.chebyshev.chebvander(2.0 * u - 1.0, count - 1)
    return np.asarray(table, dtype=np.float64)


def monomial(count: int, u: Array) -> Matrix:
    """1, u, u² …: easy to read, ill conditioned beyond ten."""
    return np.vander(u, count, increasing=True)


def bspline(count: int, u: Array) -> Matrix:
    """B-splines of degree three (or less, if there are fewer than four) on equal spans."""
    degree = min(3, count - 1)
    inner = np.linspace(0.0, 1.0, count - degree + 1)
    knots = np.concatenate([np.zeros(degree), inner, np.ones(degree)])
    table = BSpline.design_matrix(np.clip(u, 0.0, 1.0), knots, degree)
    return np.asarray(table.toarray())


BASES: dict[str, Callable[[int, Array], Matrix]] = {
    "legendre": legendre,
    "chebyshev": chebyshev,
    "monomial": monomial,
    "bspline": bspline,
}


def tabulate(function: Callable[[int, Array], Matrix], orders: tuple[int, ...], u: Array) -> Matrix:
    """All functions of all strain components side by side, (len(u), sum(orders)).

    The first one of every basis is 1 if it is the only one.
    """
    tables = {n: function(n, u) if n > 1 else np.ones((len(u), n)) for n in set(orders)}
    return np.concatenate([tables[n] for n in orders], axis=1)


def find_basis(name: object) -> Callable[[int, Array], Matrix]:
    """The basis of that name."""
    if not isinstance(name, str) or name not in BASES:
        raise UnknownName("basis", name, BASES)
    return BASES[name]
