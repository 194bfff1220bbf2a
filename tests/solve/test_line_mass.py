"""Rods whose mass is not that of their section weigh what they are said to."""

import numpy as np
import pytest

import flexura as fx

LENGTH, MASS, FALL = 0.5, 0.3, np.array([0.0, 2.0, -9.81])
SOFT = fx.Material(young=1e8, poisson=0.4, density=900.0)
TAPER = fx.Taper(fx.Circle(8e-3), fx.Circle(4e-3))


def arm(loads, **line):
    """Two tapered rods, the second one solid."""
    rods = [
        fx.Rod("first", LENGTH, TAPER, SOFT, **line),
        fx.Rod("second", LENGTH, fx.Circle(4e-3), SOFT),
    ]
    joints = [fx.Weld("world", "first.base"), fx.Weld("first.tip", "second.base")]
    return fx.Robot("arm", rods, joints, [fx.Gravity(FALL), *loads])


@pytest.mark.parametrize(
    "solve",
    [lambda robot: fx.statics(fx.build(robot, rods=fx.LinearStrain(8))), fx.shooting],
    ids=["statics", "shooting"],
)
def test_a_line_mass_weighs_as_much_as_a_line_load(solve):
    heavy = solve(arm([], line_mass=MASS)).unwrap()
    pulled = solve(arm([fx.LineLoad("weight", "first", MASS * FALL)], line_mass=0.0)).unwrap()
    s = np.linspace(0.0, LENGTH, 7)
    for rod in ("first", "second"):
        np.testing.assert_allclose(heavy.pose(rod, s), pulled.pose(rod, s), atol=1e-12)
    assert heavy.evaluation.potential == pytest.approx(pulled.evaluation.potential, rel=1e-10)
    own = FALL @ heavy.reaction("world-first.base")[3:] / -(FALL @ FALL)
    assert own == pytest.approx(LENGTH * (MASS + 900.0 * np.pi * 16e-6), rel=1e-6)
