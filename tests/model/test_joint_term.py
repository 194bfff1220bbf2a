"""Joints that move freely, bodies, motors and pulleys in a model."""

import numpy as np
import pytest
from support import (
    OFFSET,
    RUBBER,
    check_tangent,
    moved,
    random_state,
    rod_of,
    start_of,
    tangent_of,
)

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead
from flexura.model.law import Given
from flexura.model.term import NodeForces

CHOICES = [
    fx.Spline(3, 4),
    fx.Hermite(3),
    fx.Power(2, 2),
    fx.LinearStrain(4),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.RotationInterpolation(2),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=lambda c: type(c).__name__)


def machine():
    """A robot with everything: a loop, a body inside a rod, every joint, a motor, a pulley."""
    rods = [
        fx.Rod(name, length, fx.Circle(0.03), RUBBER, rest=(0.1, 0.2, -0.3))
        for name, length in (("one", 1.0), ("two", 0.8), ("three", 0.7))
    ]
    install = se3.pose(position=(0.2, 0.1, 0.0), rotation=(0.1, 0.2, 0.3))
    return fx.Robot(
        "machine",
        rods=rods,
        bodies=[
            fx.Body("hub", mass=0.3, center=(0.01, 0.02, 0.0)),
            fx.Body("arm", mass=0.2),
            fx.Body("sled"),
        ],
        joints=[
            fx.Motor(
                "motor", axis=(0.0, 1.0, 1.0), point=(0.1, 0.0, 0.0), drives={"one.base": install}
            ),
            fx.Weld(fx.At("one", 0.4, OFFSET), "two.base", offset=OFFSET),
            fx.Hinge("hinge", "one.tip", "hub", axis=(1.0, 2.0, 0.5), offset=OFFSET),
            fx.Ball("ball", "two.tip", fx.At("hub", offset=OFFSET)),
            fx.Slider("slider", "hub", "sled", axis=(0.0, 0.0, 1.0)),
            fx.Hinge("elbow", "hub", "arm", axis=(0.0, 1.0, 0.0), driven=True),
            fx.Weld("sled", "three.base"),
            fx.Ball("floor", "world", "three.tip", offset=se3.pose(position=(1.5, 0.3, 0.2))),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("push", fx.At("hub", offset=OFFSET), force=(1.0, 2.0, 0.5)),
            fx.Pulley("pull", at=fx.At("arm", offset=OFFSET), point=(0.5, 1.0, 2.0), force=2.0),
        ],
    )


@EACH
def test_tangent_is_the_derivative_of_the_residual(choice, rng):
    """With joints that do not fit, and forces in them."""
    model = fx.build(machine(), rods=choice)
    state = moved(model, random_state(model, rng, 0.2), 0.1 * rng.normal(size=model.n_dof))
    inputs = model.read_inputs({"motor": 0.3, "elbow": -0.4})
    check_tangent(model, state, inputs, rng.normal(size=model.n_dof), 5e-9)


@EACH
def test_everything_together_in_equilibrium(choice):
    """Joints fit, and what the ground exerts balances weight, push and pull."""
    model = fx.build(machine(), rods=choice)
    result = fx.statics(model, {"motor": 0.3, "elbow": -0.4}).unwrap()
    hinge = se3.inverse(result.pose("one.tip") @ OFFSET) @ result.pose("hub")
    axis = np.array([1.0, 2.0, 0.5]) / np.linalg.norm([1.0, 2.0, 0.5])
    np.testing.assert_allclose(hinge[:3, 3], 0.0, atol=1e-9)
    np.testing.assert_allclose(hinge[:3, :3] @ axis, axis, atol=1e-9)
    angle = result.coordinate("hinge")
    np.testing.assert_allclose(
        hinge[:3, :3], se3.exp(np.r_[angle * axis, 0, 0, 0])[:3, :3], atol=1e-8
    )
    ball = result.pose("two.tip")[:3, 3] - (result.pose("hub") @ OFFSET)[:3, 3]
    np.testing.assert_allclose(ball, 0.0, atol=1e-9)
    np.testing.assert_allclose(result.reaction("ball")[:3], 0.0, atol=1e-9)
    sled = se3.inverse(result.pose("hub")) @ result.pose("sled")
    np.testing.assert_allclose(sled[:2, 3], 0.0, atol=1e-9)
    assert abs(result.reaction("slider")[5]) < 1e-7
    arm = result.pose("arm") @ OFFSET
    towards = np.array([0.5, 1.0, 2.0]) - arm[:3, 3]
    mass = sum(rod.length * rod.mass_per_length(0.0) for rod in model.robot.rods) + 0.5
    loads = np.array([1.0, 2.0, 0.5 - 9.81 * mass]) + 2.0 * towards / np.linalg.norm(towards)
    motor = result.pose("one.base")[:3, :3] @ result.reaction("motor")[3:]
    floor = result.pose("three.tip")[:3, :3] @ result.reaction("floor")[3:]
    np.testing.assert_allclose(motor + floor + loads, 0.0, atol=1e-6 * np.abs(loads).max())


def test_a_driven_hinge_is_a_weld_at_its_angle():
    rod = rod_of()
    load = fx.PointLoad("tip", "rod.tip", force=(0.0, 0.0, 1.0))
    hinge = fx.Hinge("hinge", "world", "rod.base", axis=(0.0, 1.0, 0.0), driven=True)
    driven = fx.build(fx.Robot("driven", rods=[rod], joints=[hinge], loads=[load]))
    turned = se3.pose(rotation=(0.0, 0.7, 0.0))
    weld = fx.Weld("world", "rod.base", offset=turned)
    welded = fx.build(fx.Robot("welded", rods=[rod], joints=[weld], loads=[load]))
    a, b = fx.statics(driven, {"hinge": 0.7}).unwrap(), fx.statics(welded).unwrap()
    np.testing.assert_allclose(a.pose("rod.tip"), b.pose("rod.tip"), atol=1e-10)
    assert a.torque("hinge") == pytest.approx(b.reaction("world-rod.base")[1], rel=1e-9)
    # Work of the torque is the change of the potential.
    ahead, behind = (fx.statics(driven, {"hinge": 0.7 + h}).potential for h in (1e-4, -1e-4))
    assert a.torque("hinge") == pytest.approx((ahead - behind) / 2e-4, rel=1e-6)


def test_a_heavy_body_on_a_hinge_hangs_down():
    """A pendulum of a rigid arm: mass at 0.5 m, pushed sideways: tan(angle) = F / (m g)."""
    robot = fx.Robot(
        "pendulum",
        bodies=[fx.Body("bob", mass=2.0, center=(0.5, 0.0, 0.0))],
        joints=[
            fx.Hinge(
                "pivot", "world", "bob", axis=(0.0, 1.0, 0.0),
                offset=se3.pose(rotation=(0.0, 1.2, 0.0)),
            )
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("push", fx.At("bob", offset=se3.pose((0.5, 0, 0))), force=(5.0, 0.0, 0.0)),
        ],
    )  # fmt: skip
    result = fx.statics(fx.build(robot)).unwrap()
    down = result.pose("bob")[:3, 0]
    np.testing.assert_allclose(down[0] / -down[2], 5.0 / (2.0 * 9.81), rtol=1e-9)
    force = result.pose("bob")[:3, :3] @ result.reaction("pivot")[3:]
    np.testing.assert_allclose(force, [-5.0, 0.0, 2.0 * 9.81], atol=1e-8)
    assert result.stable


def test_a_loop_that_cannot_close_says_so():
    """A rod of 1 m between a wall and a ball 3 m away."""
    far = se3.pose(position=(3.0, 0.0, 0.0))
    robot = fx.Robot(
        "short",
        rods=[rod_of(EA=1e6)],
        joints=[fx.Weld("world", "rod.base"), fx.Ball("far", "world", "rod.tip", offset=far)],
    )
    result = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(4)))
    assert result.status is fx.Status.OPEN
    (remark,) = result.remarks
    assert remark.startswith("joint 'far' is open by ")
    stretched = fx.statics(fx.build(robot)).unwrap()
    assert stretched.strain("rod", 0.5)[3] == pytest.approx(3.0)


def test_a_pulley_pulls_from_the_start():
    """Its tension is in the first tangent, unlike that of tendons: it comes from outside."""
    robot = fx.Robot(
        "pulled",
        rods=[rod_of(EA=1e4)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Pulley("pull", at="rod.tip", point=(1.0, 1.0, 0.0), force=3.0)],
    )
    model = fx.build(robot)
    assembly, inputs, state = Assembly(model), model.read_inputs(None), start_of(model)
    assembly.evaluate(state, inputs)
    plain = tangent_of(assembly)
    assembly.evaluate(state, inputs, Ahead(inputs.unloaded))
    np.testing.assert_array_equal(tangent_of(assembly), plain)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0.6, -0.8), (0.6, -0.8, 0)])
def test_half_a_turn_is_always_about_the_same_axis(axis):
    """Just below and just above; then derivatives and multipliers belong to the same vector."""
    body = fx.Body("body", mass=1.0)
    model = fx.build(fx.Robot("one", bodies=[body], joints=[fx.Ball("ball", "world", "body")]))
    turned = []
    for angle in (np.pi - 1e-9, np.pi, np.pi + 1e-9):
        nodes = np.tile(np.eye(4), (model.layout.n_nodes, 1, 1))
        nodes[model.frames["body"]] = se3.pose((0.1, 0.2, 0.3), angle * np.array(axis))
        x = model.joints.motion(nodes)[0]
        turned.append(x)
        # It is a logarithm, and leads to the same pose.
        np.testing.assert_allclose(se3.exp(x), nodes[model.frames["body"]], atol=1e-14)
    np.testing.assert_allclose(turned, turned[:1] * 3, atol=1e-8)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0.6, 0, -0.8)])
def test_what_a_ball_exerts_does_not_jump_at_half_a_turn(axis, rng):
    """Its multipliers were those of a rotation vector, of which half a turn has two."""
    body = fx.Body("body", mass=1.0)
    model = fx.build(fx.Robot("one", bodies=[body], joints=[fx.Ball("ball", "world", "body")]))
    numbers, found = rng.normal(size=model.joints.brings.sum()), []
    for angle in (np.pi - 1e-9, np.pi + 1e-9):
        nodes = np.tile(np.eye(4), (model.layout.n_nodes, 1, 1))
        nodes[model.frames["body"]] = se3.pose((0.1, 0.2, 0.3), angle * np.array(axis))
        out = NodeForces.of(model.joints, np.zeros((len(nodes), 6)))
        model.joints.add(nodes, numbers, Given(np.empty(0), np.empty(0), np.empty(0)), out)
        found.append(out.force)
    np.testing.assert_allclose(found[0], found[1], atol=1e-7)
