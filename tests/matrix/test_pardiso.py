"""Pardiso in the place of fronts, where it is installed."""

import numpy as np
import pytest
from saddles import saddle

from flexura.matrix import pardiso
from flexura.matrix.fronts import FrontFactor

pytest.importorskip("pypardiso")


@pytest.fixture(autouse=True)
def _for_small_ones(monkeypatch):
    monkeypatch.setattr(pardiso, "PAYS", 0)


@pytest.mark.parametrize("shift", [30.0, 5.0])
def test_solutions_signs_and_eigenvalues_are_those_of_the_dense_matrix(shift):
    rng = np.random.default_rng(2)
    for _ in range(10):
        structure, values, _ = saddle(rng, shift)
        dense = structure.dense(values)
        factor = structure.factorise(values, False)
        right = rng.normal(size=(structure.n, 3))
        exact, small = np.linalg.solve(dense, right), 1e-13 * np.linalg.cond(dense)
        assert factor.solve(right) == pytest.approx(exact, abs=small * np.abs(exact).max())
        assert factor.solve_transposed(right[:, 0]) == pytest.approx(
            exact[:, 0], abs=small * np.abs(exact).max()
        )
        assert factor.sign == np.linalg.slogdet(dense)[0]
        assert structure.inertia(values) == np.count_nonzero(np.linalg.eigvalsh(dense) < 0.0)


def test_it_is_used_for_symmetric_matrices_only():
    rng = np.random.default_rng(3)
    structure, values, _ = saddle(rng, 30.0)
    assert isinstance(structure.factorise(values, False).fronted, pardiso.PardisoFactor)
    values = values + 0.3 * rng.normal(size=len(values)) * (values != 0.0)
    assert isinstance(structure.factorise(values, False).fronted, FrontFactor)
