"""How stiff rods bend along all of them."""

import numpy as np
import pytest

import flexura as fx
from flexura.robot.bending import bending

NYLON = fx.Material(young=2e9, poisson=0.4, density=1150.0)


@pytest.mark.parametrize("thin_first", [True, False])
def test_a_cone_bends_as_its_ends_at_least_and_at_most(thin_first):
    """E π r⁴ / 4, whichever end it is written from."""
    ends = (1e-3, 4e-3) if thin_first else (4e-3, 1e-3)
    rod = fx.Rod("cone", 2.0, fx.Taper(fx.Circle(ends[0]), fx.Circle(ends[1])), NYLON)
    expected = 2e9 * np.pi / 4.0 * np.array([1e-3, 4e-3]) ** 4
    np.testing.assert_allclose(bending(rod), expected, rtol=1e-12)


def test_a_strip_bends_least_about_its_wide_side():
    rod = fx.Rod("strip", 1.0, fx.Rectangle(6e-3, 3e-3), NYLON)
    expected = 2e9 / 12.0 * np.array([6e-3 * 3e-3**3, 3e-3 * 6e-3**3])
    np.testing.assert_allclose(bending(rod), expected, rtol=1e-12)
