"""The signs and orders of docs/conventions.md, each by a case that one can check by hand."""

import numpy as np
import pytest
from support import cantilever, rod_of

import flexura as fx
from flexura.lie import se3

S = 1e-3  # small loads: the answers are those of linear beams


def solve(**load):
    return fx.statics(
        fx.build(cantilever(rod_of(EI=2.0, GJ=3.0, EA=50.0, GA=20.0), **load))
    ).unwrap()


def test_angular_part_comes_first():
    turn = se3.exp([0.0, 0.0, np.pi / 2.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(turn[:3, :3] @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-15)
    move = se3.exp([0.0, 0.0, 0.0, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(move[:3, 3], [1.0, 2.0, 3.0])


def test_poses_map_coordinates_of_the_second_frame_to_the_first():
    base = se3.pose(position=(1.0, 2.0, 3.0), rotation=(0.0, 0.0, np.pi / 2.0))
    rod = rod_of()
    robot = fx.Robot("r", [rod], [fx.Weld("world", "rod.base", offset=base)])
    tip = fx.statics(fx.build(robot)).pose("rod.tip")
    np.testing.assert_allclose(tip, base @ se3.pose(position=(1.0, 0.0, 0.0)), atol=1e-14)
    np.testing.assert_allclose(tip[:3, 3], (1.0, 3.0, 3.0), atol=1e-14)  # along its own x axis


@pytest.mark.parametrize(("axis", "stiffness"), [(0, 3.0), (1, 2.0), (2, 2.0)])
def test_moments_and_curvatures_have_the_same_order(axis, stiffness):
    moment = S * np.eye(3)[axis]
    strain = solve(moment=moment).strain("rod", 0.5)
    np.testing.assert_allclose(strain[:3], moment / stiffness, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(("axis", "stiffness"), [(0, 50.0), (1, 20.0), (2, 20.0)])
def test_forces_and_stretches_have_the_same_order(axis, stiffness):
    force = S * np.eye(3)[axis]
    strain = solve(force=force).strain("rod", 1.0)
    np.testing.assert_allclose(
        strain[3:], [1.0, 0.0, 0.0] + force / stiffness, rtol=0.0, atol=1e-2 * S / stiffness
    )


def test_bending_about_z_goes_towards_y():
    assert solve(moment=(0.0, 0.0, S)).pose("rod.tip")[1, 3] > 0.0
    assert solve(moment=(0.0, S, 0.0)).pose("rod.tip")[2, 3] < 0.0


def test_internal_wrench_is_what_the_far_part_exerts():
    wrench = solve(force=(S, 0.0, 0.0), moment=(S, 0.0, 0.0)).internal_wrench("rod", 0.5)
    np.testing.assert_allclose(wrench, [S, 0.0, 0.0, S, 0.0, 0.0], atol=1e-12)


def test_reaction_holds_the_second_frame():
    wall = solve(force=(0.0, S, 0.0)).reaction("world-rod.base")
    np.testing.assert_allclose(wall, [0.0, 0.0, -S, 0.0, -S, 0.0], atol=1e-5 * S)


def test_rectangle_is_wide_along_y_and_high_along_z():
    tall = fx.Rectangle(width=0.01, height=0.05)
    assert tall.iy == pytest.approx(0.01 * 0.05**3 / 12.0)
    rod = fx.Rod("rod", 1.0, tall, fx.Material(young=1e9, poisson=0.3))
    sag = [
        np.abs(
            fx.statics(fx.build(cantilever(rod, force=f))).pose("rod.tip")[:3, 3] - (1.0, 0, 0)
        ).max()
        for f in ((0.0, S, 0.0), (0.0, 0.0, S))
    ]
    assert sag[0] == pytest.approx(25.0 * sag[1], rel=0.01)  # soft along y, stiff along z


def test_followers_turn_with_the_frame():
    """A follower along the tangent of a bent tip pulls along that tangent."""
    rod = rod_of(rest=(0.0, 0.0, np.pi / 2.0))  # a quarter circle: the tip looks along y
    follower = cantilever(rod, force=(S, 0.0, 0.0), follower=True)
    dead = cantilever(rod, force=(0.0, S, 0.0))
    tips = [fx.statics(fx.build(robot)).unwrap().pose("rod.tip") for robot in (follower, dead)]
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-6)


def tendon_model(drive):
    """A clamped rod with a tendon at +y."""
    tendon = fx.Tendon("pull", "rod", fx.Parallel(y=0.05, z=0.0), drive=drive)
    robot = fx.Robot("r", [rod_of()], [fx.Weld("world", "rod.base")], tendons=[tendon])
    return fx.build(robot)


@pytest.mark.parametrize("drive", ["tension", "length"])
def test_a_tendon_pulls_towards_its_side(drive):
    result = fx.statics(tendon_model(drive), {"pull": S}).unwrap()
    assert result.pose("rod.tip")[1, 3] > 0.0
    assert result.tension("pull") > 0.0
    assert result.tendon_length("pull") < 1.0
    slack = fx.statics(tendon_model("length"), {"pull": -S}).unwrap()
    assert slack.slack("pull")


def test_a_pulley_pulls_towards_its_point():
    load = fx.Pulley("pull", at="rod.tip", point=(1.0, 0.0, 5.0), force=0.0)
    model = fx.build(fx.Robot("r", [rod_of()], [fx.Weld("world", "rod.base")], [load]))
    assert fx.statics(model, {"pull": S}).unwrap().pose("rod.tip")[2, 3] > 0.0


def test_drives_are_right_handed_and_move_the_second_frame():
    """And what holds them is along the axis, on the second frame."""
    load = fx.PointLoad("tip", "rod.tip", force=(0.0, -S, 0.0))
    axis = {"axis": (0.0, 0.0, 1.0)}
    joints = [
        fx.Motor("drive", drives={"rod.base": np.eye(4)}, **axis),
        fx.Hinge("drive", "world", "rod.base", driven=True, **axis),
        fx.Slider("drive", "world", "rod.base", axis=(0.0, 1.0, 0.0), driven=True),
    ]
    tips = ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (1.0, np.pi / 2.0, 0.0))
    held = (0.0, 0.0, S)
    for joint, tip, torque in zip(joints, tips, held, strict=True):
        model = fx.build(fx.Robot("r", [rod_of()], [joint], [load]))
        result = fx.statics(model, {"drive": np.pi / 2.0}).unwrap()
        np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=S)
        assert result.torque("drive") == pytest.approx(torque, abs=1e-3 * S)
        assert fx.statics(model).unwrap().torque("drive") == pytest.approx(S, rel=1e-3)


def test_what_is_not_given_has_its_described_value_or_is_zero():
    robot = fx.Robot(
        "r",
        rods=[rod_of()],
        joints=[fx.Hinge("drive", "world", "rod.base", axis=(0.0, 0.0, 1.0), driven=True)],
        loads=[fx.Gravity(), fx.PointLoad("tip", "rod.tip", force=(0.0, S, 0.0))],
        tendons=[fx.Tendon("pull", "rod", fx.Parallel(y=0.05, z=0.0))],
    )
    given = fx.statics(fx.build(robot)).inputs
    np.testing.assert_array_equal(given["gravity"], [0.0, 0.0, -9.81])
    np.testing.assert_array_equal(given["tip"], [0.0, 0.0, 0.0, 0.0, S, 0.0])
    assert given["drive"] == given["pull"] == 0.0
