"""Rods one after the other, seen as one."""

import numpy as np

import flexura as fx
from flexura.rods.joined import BACKWARDS, Joined, Run

NYLON = fx.Material(young=2e9, poisson=0.4, density=1150.0)


def test_rods_as_one_have_the_stiffness_and_rest_of_each_and_no_section():
    """The second one runs backwards: its z axis is that of all, its curvature about it turns."""
    thick = fx.Rod("thick", 1.0, fx.Circle(1e-2), NYLON)
    cone = fx.Taper(fx.Circle(1e-3), fx.Circle(3e-3))
    bent = fx.Rod("bent", 2.0, cone, NYLON, rest=lambda s: (0.1, s, 2.0))
    both = Joined.of([Run(thick, 0.0, np.eye(3)), Run(bent, 1.0, BACKWARDS)])
    assert both.length == 3.0
    assert not isinstance(both, fx.Rod)
    s = np.array([0.2, 1.5, 3.0])
    expected = [thick.stiffness(0.2), bent.stiffness(1.5), bent.stiffness(0.0)]
    np.testing.assert_allclose(both.stiffness(s), expected, rtol=1e-12)
    expected = [[0, 0, 0, 1, 0, 0], [0.1, 1.5, -2.0, 1, 0, 0], [0.1, 0.0, -2.0, 1, 0, 0]]
    np.testing.assert_allclose(both.rest_strain(s), expected, rtol=1e-12, atol=1e-15)


def test_a_rod_alone_is_itself():
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-2), NYLON)
    assert Joined.of([Run(rod, 0.0, np.eye(3))]) is rod
