"""What results say beside their status: joints that hold too much."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

G, MASS = 9.81, 3.0


def at(*position):
    return se3.pose(position=position)


def door(lower=(0.0, 0.0, 0.2)):
    """A door on two hinges about the vertical."""
    joints = [
        fx.Hinge(
            "lower", "world", fx.At("door", offset=at(*lower)), axis=(0, 0, 1), offset=at(*lower)
        ),
        fx.Hinge(
            "upper",
            "world",
            fx.At("door", offset=at(0, 0, 1.8)),
            axis=(0, 0, 1),
            offset=at(0, 0, 1.8),
        ),
    ]
    body = fx.Body("door", mass=MASS, center=(0.4, 0.0, 1.0))
    return fx.Robot("door", bodies=[body], joints=joints, loads=[fx.Gravity()])


def test_two_hinges_on_one_axis_hold_five_directions_twice():
    result = fx.statics(fx.build(door())).unwrap()
    remark, free = result.remarks
    assert "'lower', 'upper' hold 5 directions more than needed" in remark
    assert "turns freely about the line through joints 'lower', 'upper', (0, 0, 1)" in free
    lower, upper = (result.reaction(name) for name in ("lower", "upper"))
    # What they carry together is determined.
    assert lower[5] + upper[5] == pytest.approx(MASS * G)
    moments = lower[1] + upper[1] + 0.2 * lower[3] + 1.8 * upper[3]
    assert abs(moments) == pytest.approx(0.4 * MASS * G, rel=1e-6)


def test_a_planar_linkage_of_four_hinges_holds_three_directions_twice():
    y = (0, 1, 0)
    joints = [
        fx.Hinge("a", "world", "crank", axis=y),
        fx.Hinge("b", fx.At("crank", offset=at(0, 0, -0.3)), "coupler", axis=y),
        fx.Hinge("c", fx.At("coupler", offset=at(0.5, 0, 0)), "rocker", axis=y),
        fx.Hinge(
            "d", "world", fx.At("rocker", offset=at(0, 0, 0.4)), axis=y, offset=at(0.5, 0, 0.1)
        ),
    ]
    bodies = [fx.Body(name, mass=1.0) for name in ("crank", "coupler", "rocker")]
    robot = fx.Robot("four bars", bodies=bodies, joints=joints, loads=[fx.Gravity()])
    result = fx.statics(fx.build(robot)).unwrap()
    assert "hold 3 directions more than needed" in result.remarks[0]


def test_joints_that_are_just_enough_get_no_remark():
    chain = [
        fx.Hinge("a", "world", "one", axis=(0, 1, 0)),
        fx.Hinge("b", fx.At("one", offset=at(0.1, 0, 0)), "two", axis=(0, 0, 1)),
    ]
    bodies = [fx.Body(name, mass=1.0, center=(0.1, 0, 0)) for name in ("one", "two")]
    robot = fx.Robot("chain", bodies=bodies, joints=chain, loads=[fx.Gravity()])
    assert fx.statics(fx.build(robot)).unwrap().remarks == ()
    balls = [
        fx.Ball("left", "world", "swing", offset=at(0, 0.5, 0)),
        fx.Ball("right", "world", fx.At("swing", offset=at(0, -1.0, 0)), offset=at(0, -0.5, 0)),
    ]
    swing = fx.Body("swing", mass=1.0, center=(0.0, -0.5, -1.0))
    robot = fx.Robot("swing", bodies=[swing], joints=balls, loads=[fx.Gravity()])
    result = fx.statics(fx.build(robot)).unwrap()
    # Two balls hold the line between them twice.
    assert "hold 1 direction more than needed" in result.remarks[0]
    np.testing.assert_allclose(result.pose("swing") @ [0, -0.5, -1.0, 1], [0, 0, -1, 1], atol=1e-9)


@pytest.mark.parametrize("length", [1.0, 1e-2, 1e-4])
def test_joints_that_are_pulled_too_far_are_named_at_any_scale(length):
    """Two rods that do not stretch, 0.3 % too short; at 1e-4 m nothing was said before."""
    stiff = fx.Material(young=1e9, poisson=0.3)
    rods = [fx.Rod(name, length, fx.Circle(length / 50.0), stiff) for name in "ab"]
    joints = [
        fx.Weld("world", "a.base"),
        fx.Ball("middle", "a.tip", "b.base"),
        fx.Ball("end", "world", "b.tip", offset=at(2.006 * length, 0.0, 0.0)),
    ]
    model = fx.build(fx.Robot("pulled", rods, joints), rods=fx.RotationInterpolation(4))
    result = fx.statics(model)
    assert result.status is fx.Status.OPEN
    assert any("is open by" in remark and "'end'" in remark for remark in result.remarks)
