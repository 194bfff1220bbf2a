"""Closed loops, bodies, joints and motors: references, closed forms and balance."""

from dataclasses import replace

import numpy as np
import pytest
from support import OFFSET, RUBBER, mixed, rod_of

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases
from flexura.lie import se3

FINE = {
    "spline": fx.Spline(3, 12),
    "hermite": fx.Hermite(12),
    "power": fx.Power(4, 4),
    "linear strain": fx.LinearStrain(24),
    "variable strain": fx.VariableStrain((7, 9, 9, 5, 5, 5), steps=32),
}
COARSE = {
    "spline": fx.Spline(),
    "hermite": fx.Hermite(8),
    "power": fx.Power(3, 4),
    "linear strain": fx.LinearStrain(8),
    "variable strain": fx.VariableStrain(),
    "constant strain": fx.ConstantStrain(8),
    "rotation interpolation": fx.RotationInterpolation(2),
}
EACH = pytest.mark.parametrize("rods", COARSE.values(), ids=COARSE.keys())
SIX = cases.three_motors_references()
STEWART_GOUGH = cases.stewart_gough_references()
FREE, LOADED = SIX[1].inputs, SIX[-1].inputs
DOWN = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0))  # x, along which rods run, to -z


def world_wrench(result, joint, frame, about):
    """What a joint exerts on its second frame, in world axes, about a point."""
    T = result.pose(frame)
    moment, force = np.split(result.reaction(joint), 2)
    moment, force = T[:3, :3] @ moment, T[:3, :3] @ force
    return np.concatenate([moment + np.cross(T[:3, 3] - about, force), force])


def hanging(joint, *loads):
    """A stiff rod whose base is held by a joint, with loads."""
    return fx.Robot("hanging", rods=[rod_of(EI=50.0)], joints=[joint], loads=loads)


# --- parallel robots ----------------------------------------------------------------------------


@mixed(case=[case.name for case in SIX], rods=FINE)
def test_three_motors(case, rods):
    """Pose to a millionth of the length of a rod, torques to six digits of 1e-2 N m."""
    case = next(one for one in SIX if one.name == case)
    result = fx.statics(fx.build(case.robot, rods=FINE[rods]), case.inputs).unwrap()
    distance, angle, torque = case.error(result)
    assert distance < 1e-6 * 0.25
    assert angle < 2e-6
    assert torque < 1e-8
    assert result.load_steps == 1
    assert result.stable is not False


@pytest.mark.parametrize("case", STEWART_GOUGH, ids=lambda case: case.name)
@pytest.mark.parametrize("description", ["linear strain", "variable strain"])
def test_stewart_gough_from_straight(case, description):
    """Coarse rods, so 1e-4 of the length: there is no doubt which equilibrium it is."""
    rods = FINE[description]
    result = fx.statics(fx.build(case.robot, rods=rods)).unwrap()
    distance, angle, _ = case.error(result)
    assert distance < 1e-4 * 0.4
    assert angle < 1e-4


@EACH
def test_every_description_finds_the_same(rods):
    """Within what is left of a coarse model, or of one that does not stretch."""
    result = fx.statics(fx.build(SIX[1].robot, rods=rods), FREE).unwrap()
    distance, _, torque = SIX[1].error(result)
    assert distance < (2e-3 if isinstance(rods, fx.ConstantStrain) else 5e-5)
    assert torque < (2e-4 if isinstance(rods, fx.ConstantStrain) else 5e-6)


def test_descriptions_can_be_mixed():
    """Six rods of five descriptions, closed through one platform."""
    choices = dict(
        zip(
            [f"rod{k}" for k in range(6)],
            [fx.Spline(5, 8), *FINE.values()],
            strict=True,
        )
    )
    result = fx.statics(fx.build(SIX[-1].robot, rods=choices), LOADED).unwrap()
    distance, _, torque = SIX[-1].error(result)
    assert distance < 1e-6 * 0.25
    assert torque < 1e-8


@EACH
def test_reactions_balance_the_platform(rods):
    """What the platform exerts on its rods is what the pulley exerts on it."""
    case = SIX[-1]
    result = fx.statics(fx.build(case.robot, rods=rods), LOADED).unwrap()
    at = result.pose("platform")[:3, 3]
    given = sum(world_wrench(result, f"platform-rod{k}.tip", f"rod{k}.tip", at) for k in range(6))
    pulley = np.array(case.robot.loads[0].point) - at
    force = LOADED["pull"] * pulley / np.linalg.norm(pulley)
    np.testing.assert_allclose(given, [0.0, 0.0, 0.0, *force], atol=1e-7)


@EACH
def test_torques_are_derivatives_of_the_energy(rods):
    """dU/dθ = τ, by central differences; the pulley does not pull."""
    model = fx.build(SIX[1].robot, rods=rods)
    middle, h = fx.statics(model, FREE).unwrap(), 1e-4
    for name in cases.MOTORS:
        ends = [
            fx.statics(model, {**FREE, name: FREE[name] + x}, start=middle).unwrap().energy
            for x in (h, -h)
        ]
        assert (ends[0] - ends[1]) / (2.0 * h) == pytest.approx(middle.torque(name), rel=1e-5)


@EACH
def test_moving_the_whole_robot_moves_the_result(rods):
    """Clamps, pulley point and all; nothing else changes."""
    G = se3.pose(position=(0.3, -0.2, 0.5), rotation=(0.4, 1.1, -0.7))
    robot = cases.stewart_gough((0.4, 0.41, 0.4, 0.39, 0.4, 0.4))
    pulley = np.array([0.3, 0.1, 0.2])
    moved = replace(
        robot,
        joints=[
            replace(joint, offset=G @ np.array(joint.offset)) if joint.a == "world" else joint
            for joint in robot.joints
        ],
        loads=[fx.Pulley("pull", "platform", G[:3, :3] @ pulley + G[:3, 3], force=2.0)],
    )
    robot = replace(robot, loads=[fx.Pulley("pull", "platform", pulley, force=2.0)])
    a, b = (fx.statics(fx.build(r, rods=rods)).unwrap() for r in (robot, moved))
    np.testing.assert_allclose(b.pose("platform"), G @ a.pose("platform"), atol=1e-9)
    np.testing.assert_allclose(
        b.reaction("clamp3"), a.reaction("clamp3"), atol=1e-6 * np.abs(a.reaction("clamp3")).max()
    )
    assert b.energy == pytest.approx(a.energy, rel=1e-8)


@EACH
def test_warm_starts_reach_what_straight_starts_reach(rods):
    model = fx.build(SIX[0].robot, rods=rods)
    first = fx.statics(model, cases.inputs(cases.CYCLE[3], True)).unwrap()
    again = cases.inputs(cases.CYCLE[4], True)
    warm, straight = fx.statics(model, again, start=first).unwrap(), fx.statics(model, again)
    np.testing.assert_allclose(warm.pose("platform"), straight.pose("platform"), atol=1e-9)
    assert warm.iterations <= straight.iterations


# --- loops --------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("count", [1, 2, 5])
def test_equal_rods_between_two_bodies_share_the_load(count, rods):
    """Rods in the same place are one rod of that many times the stiffness."""
    force = np.array([0.0, 0.5, 0.2]) * count
    bundle = [rod_of(EI=1.0, name=f"rod{k}") for k in range(count)]
    robot = fx.Robot(
        "bundle",
        rods=bundle,
        bodies=[fx.Body("plate")],
        joints=[
            joint
            for rod in bundle
            for joint in (
                fx.Weld("world", f"{rod.name}.base"),
                fx.Weld(f"{rod.name}.tip", "plate")
                if rod is bundle[0]
                else fx.Weld("plate", f"{rod.name}.tip"),
            )
        ],
        loads=[fx.PointLoad("push", "plate", force)],
    )
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    single = fx.Robot(
        "single",
        rods=bundle[:1],
        joints=[fx.Weld("world", "rod0.base")],
        loads=[fx.PointLoad("push", "rod0.tip", force / count)],
    )
    alone = fx.statics(fx.build(single, rods=rods)).unwrap()
    np.testing.assert_allclose(result.pose("plate"), alone.pose("rod0.tip"), atol=1e-8)
    for rod in bundle:
        np.testing.assert_allclose(
            result.reaction(f"world-{rod.name}.base"),
            alone.reaction("world-rod0.base"),
            atol=1e-6,
        )


@EACH
def test_a_ladder_of_loops_balances(rods):
    """Three closed loops in a row: what the ground gives is what is put on."""
    names = [f"{side}{k}" for k in range(3) for side in ("left", "right")]
    apart = {"left": se3.pose((0.0, 0.1, 0.0)), "right": se3.pose((0.0, -0.1, 0.0))}
    bodies = [fx.Body(f"rung{k}", mass=0.05) for k in range(3)]
    joints = []
    for name in names:
        side, k = name[:-1], int(name[-1])
        below = "world" if k == 0 else f"rung{k - 1}"
        joints.append(fx.Weld(below, f"{name}.base", offset=apart[side]))
        joints.append(fx.Weld(f"rung{k}", f"{name}.tip", offset=apart[side]))
    robot = fx.Robot(
        "ladder",
        rods=[fx.Rod(name, 0.3, fx.Circle(0.01), RUBBER) for name in names],
        bodies=bodies,
        joints=joints,
        loads=[fx.Gravity(), fx.PointLoad("tip", "rung2", (0.02, 0.05, 0.0), (0.0, 0.0, 0.01))],
    )
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    weight = 9.81 * (0.15 + 6 * 0.3 * np.pi * 0.01**2 * 1000.0)
    ground = sum(
        world_wrench(result, f"world-{side}0.base", f"{side}0.base", np.zeros(3))
        for side in ("left", "right")
    )
    np.testing.assert_allclose(ground[3:], [-0.02, -0.05, weight], atol=1e-6)


# --- joints -------------------------------------------------------------------------------------


@EACH
def test_a_hinged_rod_hangs_straight_down(rods):
    """Let go a little below the horizontal: the weight has no moment about the axis below it.

    Exactly at the horizontal, and above, Newton may turn the rod upright, which is unstable.
    """
    tilt = 0.3
    begin = se3.pose(rotation=(0.0, tilt, 0.0))
    hinge = fx.Hinge("pin", "world", "rod.base", axis=(0.0, 1.0, 0.0), offset=begin)
    robot = hanging(hinge, fx.PointLoad("weight", "rod.tip", force=(0.0, 0.0, -2.0)))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    np.testing.assert_allclose(result.pose("rod.tip")[:3, :3], DOWN[:3, :3], atol=1e-7)
    np.testing.assert_allclose(result.pose("rod.tip")[:2, 3], 0.0, atol=1e-7)
    assert result.coordinate("pin") == pytest.approx(np.pi / 2.0 - tilt, abs=1e-7)
    np.testing.assert_allclose(result.reaction("pin"), [0, 0, 0, -2.0, 0, 0], atol=1e-6)
    assert result.stable


@EACH
def test_a_hinge_carries_no_moment_about_its_axis(rods):
    """A force across the axis and one along it: the base carries the rest."""
    hinge = fx.Hinge("pin", "world", "rod.base", axis=(0.0, 1.0, 0.0))
    robot = hanging(hinge, fx.PointLoad("weight", "rod.tip", force=(0.0, 0.3, -2.0)))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    total = world_wrench(result, "pin", "rod.base", np.zeros(3))
    tip = result.pose("rod.tip")[:3, 3]
    expected = -np.concatenate([np.cross(tip, (0.0, 0.3, -2.0)), (0.0, 0.3, -2.0)])
    np.testing.assert_allclose(total, expected, atol=1e-6)
    assert result.reaction("pin")[1] == pytest.approx(0.0, abs=1e-8)


@EACH
def test_a_ball_carries_no_moment(rods):
    """The rod hangs in the direction of the pull; twist is held by nothing, so by a second rod."""
    pull = np.array([0.3, -0.4, -1.2])
    robot = fx.Robot(
        "two rods",
        rods=[rod_of(EI=5.0, length=0.5, name="upper"), rod_of(EI=5.0, length=0.5, name="lower")],
        bodies=[fx.Body("knee")],
        joints=[
            fx.Weld("world", "upper.base", offset=DOWN),
            fx.Weld("upper.tip", "knee"),
            fx.Ball("ball", "knee", "lower.base"),
            fx.Slider("guide", "world", "lower.tip", axis=(1.0, 0.0, 0.0),
                      offset=se3.pose((0.0, 0.0, -1.0)) @ DOWN),
        ],
        loads=[fx.PointLoad("pull", "knee", pull)],
    )  # fmt: skip
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    np.testing.assert_allclose(result.reaction("ball")[:3], 0.0, atol=1e-8)
    np.testing.assert_allclose(
        result.pose("knee")[:3, 3], result.pose("lower.base")[:3, 3], atol=1e-10
    )
    ground = sum(
        world_wrench(result, joint, frame, np.zeros(3))
        for joint, frame in (("world-upper.base", "upper.base"), ("guide", "lower.tip"))
    )
    at = result.pose("knee")[:3, 3]
    np.testing.assert_allclose(ground, -np.concatenate([np.cross(at, pull), pull]), atol=1e-7)


@EACH
def test_sliders_carry_no_force_along_their_axes(rods):
    """A beam with one end clamped, the other free to move but not to turn: δ = F l³ / 12 EI."""
    EI, force = 2.0, 1e-3
    robot = fx.Robot(
        "guided",
        rods=[rod_of(EI=EI)],
        bodies=[fx.Body("table")],
        joints=[
            fx.Weld("world", "rod.base"),
            fx.Slider("along", "world", "table", axis=(1, 0, 0), offset=se3.pose((1, 0, 0))),
            fx.Slider("across", "table", "rod.tip", axis=(0, 0, 1)),
        ],
        loads=[fx.PointLoad("push", "rod.tip", force=(0.0, 0.0, force))],
    )
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    # Linear theory at a deflection of 4e-5; eight constant strains leave 1 %.
    rough = 2e-2 if isinstance(rods, fx.ConstantStrain) else 1e-4
    assert result.coordinate("across") == pytest.approx(force / (12.0 * EI), rel=rough)
    across, along = result.reaction("across"), result.reaction("along")
    assert across[5] == pytest.approx(0.0, abs=1e-10)
    assert across[3] == pytest.approx(0.0, abs=1e-10)  # the other slider would not hold it
    assert along[3] == pytest.approx(0.0, abs=1e-10)
    # At the guided end, half of the moment of the force about the clamp.
    assert across[1] == pytest.approx(0.5 * force, rel=1e-3)


@EACH
@pytest.mark.parametrize("angle", [0.0, 0.7, -1.9])
def test_a_driven_hinge_is_a_weld_at_that_angle(angle, rods):
    axis = np.array([0.0, 0.6, 0.8])
    load = fx.PointLoad("tip", "rod.tip", force=(0.2, -0.3, 0.4))
    hinge = fx.Hinge("drive", "world", "rod.base", axis=axis, offset=OFFSET, driven=True)
    turned = OFFSET @ se3.pose(rotation=angle * axis)
    weld = fx.Weld("world", "rod.base", offset=turned, name="drive")
    a = fx.statics(fx.build(hanging(hinge, load), rods=rods), {"drive": angle}).unwrap()
    b = fx.statics(fx.build(hanging(weld, load), rods=rods)).unwrap()
    np.testing.assert_allclose(a.pose("rod.tip"), b.pose("rod.tip"), atol=1e-9)
    np.testing.assert_allclose(a.reaction("drive"), b.reaction("drive"), atol=1e-7)
    assert a.torque("drive") == pytest.approx(axis @ b.reaction("drive")[:3], abs=1e-7)


@EACH
def test_a_driven_hinge_at_the_free_angle_has_no_torque(rods):
    hinge = fx.Hinge("pin", "world", "rod.base", axis=(0.0, 1.0, 0.0))
    load = fx.PointLoad("pull", "rod.tip", force=(1.0, 0.2, -1.0))
    free = fx.statics(fx.build(hanging(hinge, load), rods=rods)).unwrap()
    driven = fx.build(hanging(replace(hinge, driven=True), load), rods=rods)
    held = fx.statics(driven, {"pin": free.coordinate("pin")}).unwrap()
    assert held.torque("pin") == pytest.approx(0.0, abs=1e-7)
    np.testing.assert_allclose(held.pose("rod.tip"), free.pose("rod.tip"), atol=1e-7)


@EACH
def test_motor_and_driven_hinge_are_the_same(rods):
    load = fx.PointLoad("tip", "rod.tip", force=(0.2, -0.3, 0.4))
    motor = fx.Motor("drive", axis=(0, 0, 1), point=(0.1, 0.2, 0.0), drives={"rod.base": OFFSET})
    at_axis = se3.pose((0.1, 0.2, 0.0))
    hinge = fx.Hinge("drive", "world", "arm", axis=(0, 0, 1), offset=at_axis, driven=True)
    arm = fx.Robot(
        "arm",
        rods=[rod_of(EI=50.0)],
        bodies=[fx.Body("arm")],
        joints=[hinge, fx.Weld("arm", "rod.base", offset=se3.inverse(at_axis) @ OFFSET)],
        loads=[load],
    )
    a = fx.statics(fx.build(hanging(motor, load), rods=rods), {"drive": 0.8}).unwrap()
    b = fx.statics(fx.build(arm, rods=rods), {"drive": 0.8}).unwrap()
    np.testing.assert_allclose(a.pose("rod.tip"), b.pose("rod.tip"), atol=1e-9)
    assert a.torque("drive") == pytest.approx(b.torque("drive"), rel=1e-7)
    assert abs(a.torque("drive")) > 0.01


@EACH
def test_a_four_bar_with_one_soft_bar_moves_as_its_rigid_part(rods):
    """A parallelogram of hinges: its coupler stays level, and the driven side holds its weight."""
    l, angle, weight = 0.4, 0.9, 0.5
    side = fx.Rod("side", l, fx.Circle(0.01), fx.Material(young=70e9, poisson=0.3))
    axis = (0.0, 1.0, 0.0)
    robot = fx.Robot(
        "four bar",
        rods=[side],
        bodies=[fx.Body("coupler", mass=0.0), fx.Body("crank")],
        joints=[
            fx.Hinge("drive", "world", "crank", axis, driven=True),
            fx.Hinge("top", fx.At("crank", offset=se3.pose((l, 0, 0))), "coupler", axis),
            fx.Hinge("foot", "world", "side.base", axis, offset=se3.pose((0, 0, 0.3))),
            fx.Hinge("head", "side.tip",
                     fx.At("coupler", offset=se3.pose((0, 0, 0.3))), axis),
        ],
        loads=[fx.PointLoad("weight", "coupler", force=(0.0, 0.0, -weight))],
    )  # fmt: skip
    result = fx.statics(fx.build(robot, rods=rods), {"drive": angle}).unwrap()
    # A bar of aluminium of 20 mm stretches by 1e-8 of its length under half a newton.
    np.testing.assert_allclose(result.pose("coupler")[:3, :3], np.eye(3), atol=1e-6)
    at = np.array([l * np.cos(angle), 0.0, -l * np.sin(angle)])
    np.testing.assert_allclose(result.pose("coupler")[:3, 3], at, atol=1e-6)
    # Virtual work: τ dθ = weight dz, with z = -l sin θ.
    assert result.torque("drive") == pytest.approx(-weight * l * np.cos(angle), rel=1e-5)
