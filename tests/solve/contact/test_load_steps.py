"""How equilibria with contacts are found that are not found at once, and what they say of it."""

from dataclasses import replace

import numpy as np
import pytest
from solve.contact.test_driven import finger, jaw

import flexura as fx
from flexura.solve import leaning

LONG = fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=12)


def test_what_goes_downhill_in_steps_says_so():
    model = fx.build(jaw(), rods=LONG)
    found = fx.statics(model, {"close": 0.045}, start=fx.statics(model))
    assert found.load_steps > 1
    assert found.status is fx.Status.RELAXED


def test_steps_that_are_newtons_go_on(monkeypatch):
    """The load is raised in steps where it is not found at once, here for want of iterations."""
    monkeypatch.setattr(leaning, "RELAXING", 2)
    model = fx.build(finger(), rods=LONG)
    found = fx.statics(model, {"close": 0.9}, start=fx.statics(model))
    assert found.load_steps > 1
    assert found.status is fx.Status.CONTINUED


@pytest.mark.parametrize("seek_stable", [True, False])
def test_what_ends_unstable_is_left_or_says_so(seek_stable):
    """A straight column beside the finger, under three times what it buckles at."""
    robot = finger()
    column = replace(robot.rods[0], name="column")
    bending = float(column.stiffness(0.0)[1])
    limit = 0.25 * 3.141592653589793**2 * bending / column.length**2
    far = fx.Weld("world", "column.base", offset=fx.lie.se3.pose((0.0, 1.0, 0.0)))
    load = fx.PointLoad("press", "column.tip", force=(-3.0 * limit, 0.0, 0.0))
    robot = replace(robot, rods=(*robot.rods, column), joints=(*robot.joints, far), loads=(load,))
    model = fx.build(robot, rods=LONG)
    start = fx.statics(model, {"press": (0.0, 0.0, 0.0, -0.5 * limit, 0.0, 0.0)})
    found = fx.statics(model, {"close": 1.1}, start=start, seek_stable=seek_stable)
    assert found.converged
    assert found.stable is seek_stable
    aside = np.linalg.norm(found.pose("column.tip")[1:3, 3] - (1.0, 0.0))
    assert aside > 0.5 * column.length if seek_stable else aside < 1e-9
