"""Elimination front by front, against dense matrices."""

import numpy as np
import pytest
from saddles import saddle

from flexura.matrix.sparse import FrontedFactor, SparseFactor, sparse_structure


@pytest.mark.parametrize("draws", [4, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("shift", [30.0, 5.0, 0.0])
def test_solutions_signs_and_eigenvalues_are_those_of_the_dense_matrix(shift, draws):
    rng = np.random.default_rng(2)
    for _ in range(draws):
        structure, values, multiplier = saddle(rng, shift)
        dense = structure.dense(values)
        factor = structure.factorise(values, False)
        assert isinstance(factor, FrontedFactor)
        right = rng.normal(size=(structure.n, 3))
        small = 1e-13 * np.linalg.cond(dense)
        exact = np.linalg.solve(dense, right)
        assert factor.solve(right) == pytest.approx(exact, abs=small * np.abs(exact).max())
        one = factor.solve(right[:, 0])
        assert one == pytest.approx(exact[:, 0], abs=small * np.abs(exact).max())
        assert factor.sign == np.linalg.slogdet(dense)[0]
        negative = np.count_nonzero(np.linalg.eigvalsh(dense) < 0.0)
        assert structure.inertia(values) == negative
        assert structure.quick_inertia(values) in (None, negative)
        if shift == 30.0:
            assert structure.quick_inertia(values) == multiplier.sum()


def test_unsymmetric_values_and_transposed_systems():
    rng = np.random.default_rng(3)
    structure, values, _ = saddle(rng, 30.0)
    values = values + 0.3 * rng.normal(size=len(values)) * (values != 0.0)
    kept, dense = values.copy(), structure.dense(values)
    factor, right = structure.factorise(values, False), rng.normal(size=(structure.n, 2))
    assert dense @ factor.solve(right) == pytest.approx(right, abs=1e-11)
    assert dense.T @ factor.solve_transposed(right) == pytest.approx(right, abs=1e-11)
    assert np.array_equal(values, kept)


@pytest.mark.parametrize("n", [3, 30, 67, 190, 260])
def test_fronts_of_any_size_and_columns_of_any_number(n):
    """One dense front, by strips or by BLAS, with exchanges; columns one by one or together."""
    rng = np.random.default_rng(n)
    every = np.array([(i, j) for i in range(n) for j in range(i)])
    structure = sparse_structure(np.arange(n), np.ones(n, dtype=np.int64), every, [])
    dense = rng.normal(size=(n, n))
    np.fill_diagonal(dense, 0.0)
    rows, columns = structure.entries
    factor = structure.factorise(dense[rows, columns], False)
    assert isinstance(factor, FrontedFactor)
    assert len(factor.fronted.fronts.tree.own) == 1
    assert factor.fronted.exchanged > 0
    for count in (1, 2, 3, 8):
        x = rng.normal(size=(n, count))
        small = 1e-13 * np.linalg.cond(dense)
        found = factor.fronted.solve(dense @ x)  # by itself: others would solve what it does not
        assert found is not None
        assert found == pytest.approx(x, abs=small)
        found = factor.fronted.solve(dense.T @ x, transposed=True)
        assert found is not None
        assert found == pytest.approx(x, abs=small)


def test_what_fronts_leave_goes_to_their_parents_in_order():
    """Places in parents rise, of fronts that were joined, too: ``_add_child`` relies on it."""
    for seed in range(5):
        structure, _, _ = saddle(np.random.default_rng(seed), 30.0)
        tree = structure.fronts.tree
        for own, begin, end in zip(tree.own, tree.at, tree.at[1:], strict=False):
            place = tree.up[begin + own : end]
            assert (np.diff(place) > 0).all() or (place < 0).all()


def test_units_of_unknowns_do_not_matter():
    rng = np.random.default_rng(4)
    structure, values, _ = saddle(rng, 30.0)
    rows, columns = structure.entries
    units = 10.0 ** rng.uniform(-6, 6, size=structure.n)
    factor = structure.factorise(values * units[rows] * units[columns], False)
    x = rng.normal(size=structure.n)
    right = units * (structure.dense(values) @ x)
    assert units * factor.solve(right) == pytest.approx(x, abs=1e-9)


def test_what_fronts_cannot_solve_others_do():
    """A pivot of nearly nothing, whose partner is in another front."""
    sizes = np.ones(4, dtype=np.int64)
    structure = sparse_structure(np.arange(4), sizes, np.array([(0, 1), (1, 2), (2, 3)]), [])
    dense = np.array([[1e-300, 1.0, 0, 0], [1.0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    rows, columns = structure.entries
    factor = structure.factorise(dense[rows, columns], False)
    right = np.arange(1.0, 5.0)
    assert factor.solve(right) == pytest.approx(np.linalg.solve(dense, right))
    assert structure.inertia(dense[rows, columns]) == 2


def test_singular_matrices_are_told_or_have_no_numbers():
    structure, values, _ = saddle(np.random.default_rng(5), 30.0)
    rows, columns = structure.entries
    values[(rows == 7) | (columns == 7)] = 0.0
    factor = structure.factorise(values, False)
    assert isinstance(factor, SparseFactor)
    assert factor.singular
