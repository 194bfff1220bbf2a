"""Functions of arc length as series on panels."""

import numpy as np
import pytest

from flexura.robot.chebyshev import Table, fits


def wave(s):
    return np.stack([np.sin(7.0 * s), np.exp(-s)], axis=-1)


def wave_slope(s):
    return np.stack([7.0 * np.cos(7.0 * s), -np.exp(-s)], axis=-1)


def good(fit):
    assert fit.end - fit.begin > 1e-3
    return fit.miss.max() < 1e-14


@pytest.mark.parametrize("continuous", [False, True])
def test_values_and_slopes(continuous):
    found = list(fits(wave, 0.5, 2.0, good, continuous=continuous))
    assert found[0].begin == 0.5
    assert found[-1].end == 2.0
    assert [fit.end for fit in found[:-1]] == [fit.begin for fit in found[1:]]
    table = Table(np.array([0.5, *(fit.end for fit in found)]), np.array([f.series for f in found]))
    s = np.linspace(0.5, 2.0, 100)
    np.testing.assert_allclose(table(s), wave(s), atol=1e-13)
    # Markov: a slope may be off by 17² times as much, over half the width of a panel
    np.testing.assert_allclose(table.slope(s), wave_slope(s), atol=1e-11)
    np.testing.assert_array_equal(table(s[3]), table(s)[3])
    np.testing.assert_array_equal(table(np.array([0.0, 3.0])), table(np.array([0.5, 2.0])))


def test_jumps_at_round_numbers_cost_one_cut():
    def step(s):
        return np.where(s < 1.0, 2.0, 3.0)[:, None]

    found = fits(step, 0.0, 2.0, good, continuous=False)
    assert [(fit.begin, fit.end) for fit in found] == [(0.0, 1.0), (1.0, 2.0)]
