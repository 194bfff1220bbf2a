"""What is called surely definite is so."""

import numpy as np
import pytest

from flexura.matrix.held import surely_definite
from tests.matrix.test_quick_inertia import random_band, stored


def tied(rng, n, half, count, shift):
    """A random band with multipliers without stiffness, some of which give; none ties another."""
    whole = random_band(rng, n, half) + shift * np.eye(n)
    multiplier = np.zeros(n, dtype=np.bool_)
    multiplier[rng.choice(n, count, replace=False)] = True
    whole[np.ix_(multiplier, multiplier)] = 0.0
    give = np.where(rng.random(n) < 0.3, 10.0 ** rng.uniform(-8.0, 0.0, n), 0.0)
    return whole - np.diag(np.where(multiplier, give, 0.0)), multiplier


@pytest.mark.parametrize("seed", range(60))
def test_it_is_never_wrong(seed):
    rng = np.random.default_rng(seed)
    whole, multiplier = tied(rng, 30, 4, 6, rng.uniform(0.0, 12.0))
    if surely_definite(stored(whole, 4), multiplier):
        assert (np.linalg.eigvalsh(whole) < 0.0).sum() == multiplier.sum()


def test_units_make_no_difference():
    rng = np.random.default_rng(3)
    whole, multiplier = tied(rng, 60, 5, 3, 20.0)
    far = np.abs(np.subtract.outer(np.arange(60), np.flatnonzero(multiplier))) > 2
    whole[:, multiplier] *= ~far  # what a multiplier ties is within the band
    whole[multiplier] = whole[:, multiplier].T
    units = 10.0 ** rng.uniform(-6.0, 6.0, 60)
    assert surely_definite(stored(whole, 5), multiplier)
    assert surely_definite(stored(whole * np.outer(units, units), 5), multiplier)


def test_motions_without_stiffness_are_held_by_what_ties_them():
    """A chain: stiff - tie - free - tie - stiff; pivots in that order vanish."""
    whole = np.diag([1.0, 0.0, 0.0, 0.0, 1.0])
    for tie, (a, b) in {1: (0, 2), 3: (2, 4)}.items():
        whole[tie, a] = whole[a, tie] = 1.0
        whole[tie, b] = whole[b, tie] = -1.0
    multiplier = np.array([False, True, False, True, False])
    assert surely_definite(stored(whole, 2), multiplier)
    whole[0, 0] = -1.1
    assert not surely_definite(stored(whole, 2), multiplier)
    whole[0, 0] = 1.0
    whole[1, 3] = whole[3, 1] = 1e-3  # multipliers that meet are not looked at
    assert not surely_definite(stored(whole, 2), multiplier)


@pytest.mark.parametrize("seed", range(20))
def test_ties_that_hardly_reach_what_is_stiff_do_not_drown_the_rest(seed):
    """What is stiff by itself is tied a 1e-8th as much as what gives way, (-b, 0, a) for (a, b)."""
    a, b = np.random.default_rng(seed).uniform(0.2, 1.0, 2)
    whole = np.diag([-1e-3, 8.0, -1e-3, 0.0])
    whole[3, :3] = whole[:3, 3] = a, 1e-8, b
    assert (np.linalg.eigvalsh(whole) < 0.0).sum() == 2
    assert not surely_definite(stored(whole, 3), np.array([False, False, False, True]))
