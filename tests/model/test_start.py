"""Where rods that are held at both ends begin: what pulls at them there."""

import numpy as np
import pytest
from model.own_mechanics import Bed

import flexura as fx
from flexura.lie import se3
from flexura.model.chain import Chains
from flexura.model.piece import Pieces
from flexura.model.start import nodes_of, start_state
from flexura.model.start_load import mean_loads

SOFT = fx.Material(young=1e6, poisson=0.4, density=1000.0)
UP = se3.pose(rotation=(0.0, -np.pi / 2, 0.0))  # x points up, z to -x
DESCRIPTIONS = pytest.mark.parametrize(
    "rods",
    [fx.Spline(), fx.Hermite(4), fx.VariableStrain(), fx.RotationInterpolation(4), fx.Power(3, 4)],
    ids=lambda rods: type(rods).__name__,
)


def held_rod(loads, offset=UP, length=1.0, reach=1.0, name="rod"):
    """A rod that is clamped where ``offset`` puts it, and further along its x axis."""
    end = offset @ se3.pose((reach, 0.0, 0.0))
    rod = fx.Rod(name, length, fx.Circle(1e-2), SOFT)
    joints = [fx.Weld("world", f"{name}.base", offset), fx.Weld("world", f"{name}.tip", end)]
    return fx.Robot("held", [rod], joints, loads)


def loads_of(model):
    """Mean loads on all rods that close loops."""
    inputs, chains = model.read_inputs(None), Chains(model, model.layout)
    nodes = nodes_of(model.layout, start_state(model, inputs).state.poses)
    closing = model.layout.closing.tolist()
    held = [chains.clamped(chains.along(a, b), nodes) for a, b in closing]
    return np.array(mean_loads(model, model.layout, nodes, held, inputs))


@DESCRIPTIONS
def test_a_follower_pulls_in_the_frame_of_its_rod(rods):
    load = fx.LineLoad("push", "rod", force=(0.0, 0.0, 5.0), follower=True)
    found = loads_of(fx.build(held_rod([load]), rods=rods))
    np.testing.assert_allclose(found, [[-5.0, 0.0, 0.0]], atol=1e-12)


@DESCRIPTIONS
def test_a_dead_load_pulls_the_same_way_everywhere(rods):
    loads = [fx.LineLoad("wind", "rod", force=(0.0, 3.0, 0.0)), fx.Gravity()]
    found = loads_of(fx.build(held_rod(loads, reach=0.8), rods=rods))
    weight = 1000.0 * np.pi * 1e-4 * 9.81
    np.testing.assert_allclose(found, [[0.0, 3.0, -weight]], rtol=1e-12, atol=1e-12)


@DESCRIPTIONS
def test_a_law_of_the_user_sees_where_the_rod_is(rods):
    """Half a meter beside its bed of springs it is pulled back by k / 2 on each meter."""
    robot = held_rod([], offset=se3.pose((0.0, 0.5, 0.0)))
    found = loads_of(fx.build(robot, rods=rods, also=[Bed("rod", 8.0)]))
    np.testing.assert_allclose(found, [[0.0, -4.0, 0.0]], atol=1e-12)


def test_each_piece_of_each_rod_has_its_own_load():
    """Rods that are welded to the world in the middle, too; the second half is loaded."""
    robot = held_rod([fx.LineLoad("push", "rod", force=(0, 0, 5.0), start=0.5)])
    middle = fx.Weld("world", fx.At("rod", 0.5), UP @ se3.pose((0.5, 0.0, 0.0)))
    other = held_rod([], se3.pose((3.0, 0.0, 0.0)), name="other")
    joints = [*robot.joints, middle, *other.joints]
    both = fx.Robot("both", [*robot.rods, *other.rods], joints, robot.loads)
    found = loads_of(fx.build(both))
    assert sorted(found[:, 2].tolist()) == pytest.approx([0.0, 0.0, 5.0])
    np.testing.assert_array_equal(found[:, :2], 0.0)


def test_a_piece_has_the_section_that_the_rod_has_there():
    taper = fx.Taper(fx.Circle(1e-2), fx.Circle(1e-3))
    rod = fx.Rod("rod", 1.0, taper, SOFT)
    at = fx.At("rod", 0.5)
    joints = [fx.Weld("world", "rod.base"), fx.Weld("world", at, se3.pose((0.45, 0.0, 0.0)))]
    model = fx.build(fx.Robot("cut", [rod], joints))
    (first, last), *_ = model.layout.closing.tolist()
    pieces = Pieces(model)
    assert pieces.between(first, last).rod.section == taper.between(0.0, 0.5)
    beyond = pieces.between(last, model.layout.n_nodes - 1).rod
    assert beyond.section_at(0.0).radius == pytest.approx(0.0055, rel=1e-12)


@DESCRIPTIONS
def test_a_rod_beside_a_held_one_begins_at_rest(rods):
    """Its tip has no coordinate of its own where strains lead to it, as the ends in the world."""
    beside = fx.Rod("beside", 0.7, fx.Circle(1e-2), SOFT, rest=(0.0, 0.0, 1.0))
    robot = held_rod([], offset=np.eye(4))
    robot = fx.Robot("two", [*robot.rods, beside], [*robot.joints, fx.Weld("world", "beside.base")])
    model = fx.build(robot, rods=rods)
    result = fx.statics(model).unwrap()
    assert result.iterations <= 1
    np.testing.assert_allclose(
        result.pose("beside", 0.7)[:3, 3], (np.sin(0.7), 1.0 - np.cos(0.7), 0.0), atol=1e-4
    )
