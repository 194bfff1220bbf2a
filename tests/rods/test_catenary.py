"""Cords between two points."""

import numpy as np
import pytest

from flexura.rods.catenary import catenary_to


@pytest.mark.parametrize("steep", [False, True], ids=["any way", "taut and nearly upright"])
def test_a_catenary_ends_where_it_should_or_there_is_none(steep):
    """Of random ones, short, steep, or stretched; what rounding leaves of tensions is 1e-8."""
    rng, met = np.random.default_rng(3), 0
    for _ in range(500):
        if steep:
            x, z, give = 10.0 ** rng.uniform(-9, -3), rng.uniform(1.2, 3.0), rng.uniform(-12, -2)
        else:
            x, z, give = 10.0 ** rng.uniform(-6, 0.5), rng.uniform(-2.0, 2.0), rng.uniform(-9, 3)
        line = catenary_to(1.0, x, z, 10.0**give)
        if line is None:
            continue
        met += 1
        end = np.concatenate(line.places(np.ones(1)))
        np.testing.assert_allclose(end, (x, z), rtol=0.0, atol=1e-8)
    assert met > 50


def test_what_is_pulled_straight_hangs_in_no_catenary():
    """With a million times its weight, across the load and along it."""
    give = 1e-9
    assert catenary_to(1.0, 1.5, 0.0, give) is None
    assert catenary_to(1.0, 1e-6, 1.5, give) is None
