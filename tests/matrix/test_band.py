"""Factorisation of band matrices, against dense ones."""

import numpy as np
import pytest

from flexura.matrix.band import NARROW, BandFactor, cholesky, lu

SHAPES = [(1, 0), (7, 0), (2, 1), (9, 8), (40, 3), (60, 20), (150, NARROW), (150, NARROW + 1)]
ANY = pytest.mark.parametrize(("n", "h"), SHAPES)


def stored(whole, h):
    """A dense matrix in the storage of bands."""
    n = len(whole)
    band = np.zeros((n, 3 * h + 1))
    for j in range(n):
        for i in range(max(0, j - h), min(n, j + h + 1)):
            band[j, 2 * h + i - j] = whole[i, j]
    return band


def random_band(n, h, rng):
    """Entries of size 1 near the diagonal."""
    i, j = np.indices((n, n))
    return np.where(np.abs(i - j) <= h, rng.normal(size=(n, n)), 0.0)


def factorise(band, symmetric):
    """Cholesky where it serves, else LU."""
    return (cholesky(band) if symmetric else None) or lu(band.copy())


def check(factor, whole, rng):
    """Solutions are exact to rounding, for one and for several right sides, and transposed."""
    right = np.asfortranarray(rng.normal(size=(len(whole), 3)))
    assert not factor.singular
    many = factor.solve(right)
    np.testing.assert_allclose(factor.solve(right[:, 1]), many[:, 1], rtol=1e-12)
    size = np.abs(whole).sum(axis=1).max() * np.abs(many).max()
    assert np.abs(whole @ many - right).max() < 1e-14 * len(whole) * size
    across = factor.solve_transposed(right)
    size = np.abs(whole).sum(axis=0).max() * np.abs(across).max()
    assert np.abs(whole.T @ across - right).max() < 1e-14 * len(whole) * size
    assert factor.sign == np.linalg.slogdet(whole)[0]


@ANY
def test_rows_are_exchanged(n, h, rng):
    """The diagonal is of no help: pivots have to be looked for."""
    whole = random_band(n, h, rng)
    if h:
        np.fill_diagonal(whole, 1e-14)
    factor = factorise(stored(whole, h), symmetric=False)
    check(factor, whole, rng)
    assert factor.pivots is not None
    if h:
        assert (factor.pivots != np.arange(n)).any()


@ANY
def test_cholesky_where_the_matrix_is_positive_definite(n, h, rng):
    whole = random_band(n, h, rng)
    whole = whole + whole.T + 10.0 * (h + 1) * np.eye(n)
    band = stored(whole, h)
    factor = factorise(band, symmetric=True)
    assert factor.pivots is None
    check(factor, whole, rng)
    np.testing.assert_array_equal(band, stored(whole, h))  # the matrix itself is kept


@pytest.mark.parametrize("h", [1, 5, NARROW + 1])
def test_a_singular_matrix_is_told(h, rng):
    n = 2 * NARROW
    whole = random_band(n, h, rng)
    whole[:, n // 2] = 0.0
    assert factorise(stored(whole, h), symmetric=False).singular
    definite = stored(np.zeros((n, n)), h)
    assert factorise(definite, symmetric=True).singular


def test_no_unknowns():
    assert isinstance(factorise(np.zeros((0, 4)), symmetric=True), BandFactor)
