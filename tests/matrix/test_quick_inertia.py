"""A quick count of negative eigenvalues is right, or there is none."""

import numpy as np
import pytest

from flexura.matrix.bordered import plain_band
from flexura.matrix.quick_inertia import quick_inertia


def stored(whole, half):
    """A matrix in the storage of a band."""
    structure = plain_band(len(whole), half)
    values = np.zeros(structure.n_values)
    i, j = np.indices(whole.shape)
    pairs = np.argwhere(np.abs(i - j) <= half)
    values[structure.slots(*pairs.T)[:, 0]] = whole[pairs[:, 0], pairs[:, 1]]
    return values.reshape(-1, 3 * half + 1)


def random_band(rng, n, half):
    i, j = np.indices((n, n))
    whole = np.where(np.abs(i - j) <= half, rng.normal(size=(n, n)), 0.0)
    return whole + whole.T


@pytest.mark.parametrize("seed", range(20))
def test_random_bands(seed):
    rng = np.random.default_rng(seed)
    whole = random_band(rng, 40, 5)
    found = quick_inertia(stored(whole, 5))
    assert found in (None, int((np.linalg.eigvalsh(whole) < 0.0).sum()))


def test_units_make_no_difference():
    rng = np.random.default_rng(1)
    whole = random_band(rng, 40, 5) + 12.0 * np.diag(rng.choice([-1.0, 1.0], 40))
    units = 10.0 ** rng.uniform(-8.0, 8.0, 40)
    count = int((np.linalg.eigvalsh(whole) < 0.0).sum())
    assert quick_inertia(stored(whole * np.outer(units, units), 5)) == count


def test_pivots_that_vanish_are_noticed():
    """A multiplier before what it ties, nearly: rounding would be all that is left."""
    whole = np.diag([0.0, 1.0, 1.0]) + np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert quick_inertia(stored(whole, 1)) is None
    whole[0, 0] = 1e-17
    whole[1, 2] = whole[2, 1] = 0.3
    assert quick_inertia(stored(whole, 1)) is None
