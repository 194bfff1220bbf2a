"""What answers refuse, in words."""

import pytest

import flexura as fx
from flexura.errors import ModelError, UnknownName

ROD = fx.Rod("rod", 1.0, fx.Circle(1e-2), fx.Material(young=1e9, poisson=0.3))
MODEL = fx.build(fx.Robot("arm", [ROD], [fx.Weld("world", "rod.base")]))
RESULT = fx.statics(MODEL)


@pytest.mark.parametrize("name", [[], {}, ["rod"], 3, None, "road"])
def test_what_is_no_name_of_a_part(name):
    for ask in (MODEL.robot.rod, MODEL.robot.body, MODEL.robot.volume):
        with pytest.raises(UnknownName, match=r"no (rod|body|volume)"):
            ask(name)
    for ask in (RESULT.strain, RESULT.internal_wrench, RESULT.energy_density, RESULT.curvature):
        with pytest.raises(UnknownName, match="there is 'rod'"):
            ask(name, 0.1)
    if name is not None:
        with pytest.raises(UnknownName, match="there is 'rod'"):
            fx.shape_error(RESULT, RESULT, name)


@pytest.mark.parametrize("told", ["x", 1, None, []])
def test_unwrap_takes_true_or_false(told):
    many = fx.statics_many(MODEL, [{}])
    for result in (RESULT, many):
        with pytest.raises(ModelError, match="unwrap: unstable must be True or False"):
            result.unwrap(told)


def test_shapes_of_no_rod():
    body = fx.Robot("body", [], [fx.Weld("world", "box")], bodies=[fx.Body("box", mass=1.0)])
    result = fx.statics(fx.build(body))
    with pytest.raises(ModelError, match="the robot has no rods"):
        fx.shape_error(result, result)
