"""Small dense systems against LAPACK."""

import numpy as np

from flexura.rods import dense_kernels


def test_solutions(rng):
    for n in (1, 2, 9, 30):
        matrix = rng.normal(size=(n, n))
        matrix[0, 0] = 0.0 if n > 1 else 2.0  # needs a pivot
        factors, pivots = matrix.copy(), np.empty(n, dtype=np.int64)
        assert dense_kernels.factorise(factors, pivots)
        right = rng.normal(size=(3, n))
        found = right[0].copy()
        dense_kernels.solve(factors, pivots, found)
        np.testing.assert_allclose(found, np.linalg.solve(matrix, right[0]), rtol=1e-9)
        rows = right.copy()
        dense_kernels.solve_transposed(factors, pivots, rows)
        np.testing.assert_allclose(rows, np.linalg.solve(matrix.T, right.T).T, rtol=1e-9)


def test_singular_matrices_are_told():
    pivots = np.empty(2, dtype=np.int64)
    assert not dense_kernels.factorise(np.ones((2, 2)), pivots)
    assert not dense_kernels.factorise(np.full((2, 2), np.nan), pivots)
