"""Motions that go on from an instant of another integrator, or of a mode."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx


@pytest.fixture(scope="module")
def swinging():
    """An arm in its first mode, by 1e-4 m: the mode's instant, and its period [s]."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)
    robot = fx.Robot("arm", [rod], joints=[fx.Weld("world", "rod.base")], loads=[fx.Gravity()])
    modes = fx.modes(fx.statics(fx.build(robot, rods=fx.Spline(3, 4))), 1)
    return modes.result, modes.shape(0, 1e-4), 1.0 / float(modes.frequency[0])


@pytest.mark.parametrize("begun", ["mode", "generalised alpha"])
@pytest.mark.parametrize(
    ("integrator", "steps"),
    [
        pytest.param(fx.Variational(), 80, id="symmetric"),
        pytest.param(fx.SymplecticEuler(), 8000, id="explicit", marks=pytest.mark.long),
    ],
)
def test_variational_steps_from_an_instant_without_momentum(swinging, begun, integrator, steps):
    """Half a period of a mode leads to its other side."""
    rest, start, period = swinging
    part = 0.5 * period
    if begun == "generalised alpha":
        first = fx.simulate(start.model, 0.25 * period, period / 80, start=start)
        start, part = first.unwrap()[-1], 0.25 * period
    motion = fx.simulate(start.model, part, period / steps, start=start, integrator=integrator)
    ends = [x.pose("rod.tip")[:3, 3] for x in (swinging[1], motion.unwrap()[-1])]
    first, last = (end - rest.pose("rod.tip")[:3, 3] for end in ends)
    # the default of generalised alpha damps a little, and a mode is right to first order
    np.testing.assert_allclose(last, -first, atol=2e-2 * np.linalg.norm(first))
