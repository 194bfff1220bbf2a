"""Results of sets of tubes know how wrong their discretization may be."""

from functools import cache

import numpy as np
import pytest
from support import OFFSET

import flexura as fx
from benchmarks.concentric_tubes.random_poses import draw, given, loaded_robot

RIGID, ELASTIC = (0, 0, 0), (5, 5, 5)
COARSE = {
    "few functions": fx.VariableStrain((2, 3, 3, 0, 0, 0), steps=12),
    "more functions": fx.VariableStrain((3, 4, 4, 1, 1, 1), steps=24),
    "few steps": fx.VariableStrain((6, 8, 8, 0, 0, 0), steps=24),
    "cubic spline": fx.Spline(3, 12),
    "quintic spline": fx.Spline(5, 12),
    "constant strain": fx.ConstantStrain(24),
}
EACH = pytest.mark.parametrize("rods", COARSE.values(), ids=COARSE.keys())


def neither_stretches_nor_shears(rods):
    """Whether tubes of a description are bent and twisted only."""
    return isinstance(rods, fx.VariableStrain) and not rods.orders[3]


def exact(robot, rods, inputs):
    """A result that is as good as exact, of a description that stretches if the given one does."""
    return fine(robot, neither_stretches_nor_shears(rods), inputs)


def fine(robot, rigid, inputs):
    """A result that is as good as exact."""
    rods = fx.VariableStrain((8, 10, 10, *(RIGID if rigid else ELASTIC)), steps=160)
    return fx.statics(fx.build(robot, rods=rods), inputs).unwrap()


def honest(result, truth):
    """Whether the estimate is the largest distance to a result, to a third of it.

    Splines of a few spans are not yet where their order shows, where they are off by nanometers.
    """
    rods = result.model.robot.slender
    far = max(fx.shape_error(result, truth, rod.name).max_position for rod in rods)
    return 0.67 * far < result.accuracy < 1.5 * far + 1e-9


def drawn(name, loaded):
    """Inputs of a set."""
    return given(loaded_robot(name), draw(name, 1, loaded, seed=5), 0)


@cache
def exact_set(name, loaded, rigid):
    """The result of a set, found once for all descriptions."""
    return fine(loaded_robot(name), rigid, drawn(name, loaded))


@EACH
@pytest.mark.parametrize("name", ["A", "C"])
@pytest.mark.parametrize("loaded", [False, True], ids=["unloaded", "loaded"])
def test_sets_of_three(name, loaded, rods):
    robot = loaded_robot(name)
    result = fx.statics(fx.build(robot, rods=rods), drawn(name, loaded)).unwrap()
    assert honest(result, exact_set(name, loaded, neither_stretches_nor_shears(rods)))


def test_a_set_on_a_rod_that_carries_a_body():
    """Rods beside tubes, a tip that is held, another set that closes the loop."""
    soft = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    tubes = [
        fx.Rod("inner", 0.5, fx.Circle(0.006), soft, rest=(0.0, 2.0, 0.0)),
        fx.Rod("outer", 0.4, fx.Tube(0.01, 0.007), soft, rest=(0.0, 1.0, 1.0)),
    ]
    robot = fx.Robot(
        "stem and needle",
        rods=[fx.Rod("stem", 0.3, fx.Circle(0.015), soft)],
        tubes=[fx.TubeSet("needle", tubes)],
        bodies=[fx.Body("tool", mass=0.01)],
        joints=[
            fx.Weld("world", "stem.base"),
            fx.Weld("stem.tip", "needle.base", offset=OFFSET),
            fx.Weld("inner.tip", "tool"),
        ],
        loads=[fx.Gravity()],
    )
    inputs = {"inner.rotation": 0.4, "outer.insertion": 0.3}
    choices = {"stem": fx.LinearStrain(6), "needle": fx.VariableStrain((2, 3, 3, 2, 2, 2), steps=9)}
    fine = {
        "stem": fx.LinearStrain(64),
        "needle": fx.VariableStrain((8, 10, 10, 5, 5, 5), steps=120),
    }
    truth = fx.statics(fx.build(robot, rods=fine), inputs).unwrap()
    assert honest(fx.statics(fx.build(robot, rods=choices), inputs).unwrap(), truth)


def test_tubes_that_are_wound_up_stay_where_they_are():
    """A finer model begins with the shape of the result, not from cold."""
    tubes = [
        fx.Rod(name, 0.1, fx.Tube(outer, 0.8 * outer), fx.materials.nitinol, rest=(0, 40.0, 0))
        for name, outer in (("inner", 0.6e-3), ("outer", 0.8e-3))
    ]
    joints = [fx.Weld("world", "set.base")]
    robot = fx.Robot("pair", tubes=[fx.TubeSet("set", tubes)], joints=joints)
    model = fx.build(robot, rods=fx.VariableStrain((4, 5, 5, 0, 0, 0), steps=12))
    path = fx.continuation(model, "outer.rotation", to=np.pi, steps=60)
    assert path[-1].accuracy < 1e-4
