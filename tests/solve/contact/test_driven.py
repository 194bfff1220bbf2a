"""Derivatives where inputs move what touches: driven joints, motors, welds, and what they carry."""

import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3
from flexura.solve.derivative.response import Response

RUBBER = fx.Material(young=1e6, poisson=0.4, density=1000.0)
BALL = fx.Sphere(0.05)
JAW = fx.lie.se3.pose((0.18, 0.01, -0.06), (0.1, 0.2, 0.3))
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
TETRAHEDRA = [(0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7)]
HELD = fx.Weld("world", "arm.base")


def rod(name, length=0.3):
    return fx.Rod(name, length, fx.Circle(radius=8e-3), RUBBER)


def body(name, shape):
    return fx.Body(name, mass=0.1, inertia=(1e-4, 1e-4, 1e-4), shape=shape)


def cube(joint, corner):
    """A soft cube, one side of which something holds."""
    held = fx.Nodes("cube", indices=np.flatnonzero(CUBE[:, 0] == 0).tolist())
    x = np.asarray(corner) + 0.06 * CUBE
    return fx.Volume("cube", (x, np.array(TETRAHEDRA)), RUBBER), fx.Clamp(joint, held, name="held")


def slider(a, b, offset, axis=(0.1, 0.2, 1.0)):
    return fx.Slider("close", a, b, axis=axis, offset=offset, driven=True)


def jaw():
    """A box on a driven slider, which presses a rod from below."""
    return fx.Robot(
        "jaw",
        rods=[rod("arm")],
        bodies=[body("jaw", fx.Box(0.06, 0.05, 0.04))],
        joints=[HELD, slider("world", "jaw", JAW)],
        contacts=[fx.Contact("arm", "jaw")],
    )


def finger():
    """A capsule on a driven hinge, which presses a rod."""
    where = fx.lie.se3.pose((0.12, 0.01, -0.05), (0.1, 0.2, 0.1))
    return fx.Robot(
        "finger",
        rods=[rod("arm")],
        bodies=[body("jaw", fx.Capsule(0.01, 0.1))],
        joints=[HELD, fx.Hinge("close", "world", "jaw", (0, 1, 0), offset=where, driven=True)],
        contacts=[fx.Contact("arm", "jaw")],
    )


def wrist():
    """A ball that a driven hinge turns at the tip of a rod, against one that stands there."""
    out = fx.lie.se3.pose((0.04, 0.0, 0.0))
    return fx.Robot(
        "wrist",
        rods=[rod("arm")],
        bodies=[body("plate", None), body("ball", fx.Sphere(0.02))],
        joints=[
            HELD,
            fx.Hinge("close", "arm.tip", "plate", (0.1, 1.0, 0.0), driven=True),
            fx.Weld("plate", "ball", offset=out),
        ],
        obstacles=[fx.Obstacle("stone", BALL, pose=fx.lie.se3.pose((0.33, 0.01, -0.08)))],
        contacts=[fx.Contact("ball", "stone")],
    )


def crossing():
    """Two rods, one of them on a driven slider."""
    where = fx.lie.se3.pose((0.18, -0.12, -0.03), (0.1, 0.2, 1.5))
    return fx.Robot(
        "crossing",
        rods=[rod("arm"), rod("bar")],
        joints=[HELD, slider("world", "bar.base", where)],
        contacts=[fx.Contact("arm", "bar")],
    )


def turned():
    """A rod that a motor turns against a ball."""
    where = fx.lie.se3.pose((0.2, 0.005, -0.07))
    return fx.Robot(
        "turned",
        rods=[rod("arm")],
        joints=[fx.Hinge("close", "world", "arm.base", axis=(0, 1, 0.1), driven=True)],
        obstacles=[fx.Obstacle("ball", BALL, pose=where)],
        contacts=[fx.Contact("arm", "ball")],
    )


def welded():
    """A rod whose weld is moved against a ball."""
    where = fx.lie.se3.pose((0.2, 0.005, -0.07))
    return fx.Robot(
        "welded",
        rods=[rod("arm")],
        joints=[fx.Weld("world", "arm.base", name="close")],
        obstacles=[fx.Obstacle("ball", BALL, pose=where)],
        contacts=[fx.Contact("arm", "ball")],
    )


def soft():
    """A soft cube in the world, pressed by a body that is driven."""
    volume, clamp = cube("world", (0.0, 0.0, -0.03))
    where = fx.lie.se3.pose((0.065, 0.028, 0.06))
    return fx.Robot(
        "soft",
        volumes=[volume],
        bodies=[body("jaw", fx.Sphere(0.025))],
        joints=[clamp, slider("world", "jaw", where, (0.1, 0.2, -1.0))],
        contacts=[fx.Contact("cube", "jaw")],
    )


def carried():
    """A soft cube on a driven body, pressed against a rod."""
    volume, clamp = cube("jaw", (0.15, -0.02, -0.075))
    where = fx.lie.se3.pose((0.14, -0.02, -0.05))
    return fx.Robot(
        "carried",
        rods=[rod("arm")],
        volumes=[volume],
        bodies=[body("jaw", None)],
        joints=[HELD, clamp, slider("world", "jaw", where)],
        contacts=[fx.Contact("cube", "arm")],
    )


# Each with how far it goes, and what frame is looked at.
CASES = {
    "jaw": (jaw, 0.045, "arm.tip"),
    "finger": (finger, 0.9, "arm.tip"),
    "wrist": (wrist, 0.5, "arm.tip"),
    "crossing": (crossing, 0.03, "arm.tip"),
    "turned": (turned, 0.2, "arm.tip"),
    "welded": (welded, se3.exp([0.0, 0.1, 0.0, 0.0, 0.0, -0.01]), "arm.tip"),
    "soft": (soft, 0.012, None),
    "carried": (carried, 0.03, "arm.tip"),
}
CHOICES = [
    fx.Spline(3, 8),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=12),
    fx.RotationInterpolation(8),
]


STEP = 1e-5  # [m] or [rad]


def ahead(value, twist, part):
    """An input, a number or a pose, after a part of a change."""
    return value + part * twist[0] if np.ndim(value) == 0 else value @ se3.exp(part * twist)


def closed(make, way, choice):
    """The robot after three increments."""
    model = fx.build(make(), rods=choice)
    result = fx.statics(model)
    whole = np.array([way]) if np.ndim(way) == 0 else se3.log(way)
    for part in (1, 2, 3):
        value = ahead(model.inputs.described.value("close"), whole, part / 3)
        result = fx.statics(model, {"close": value}, start=result).unwrap()
    assert sum(x.pressing for x in result.contacts) > 0.0
    return result


def differences(result, frame, twist):
    """How a frame and the sum of what presses change along an input, by solves on both sides."""
    ends = {}
    for k in (-2, -1, 1, 2):
        value = ahead(result.inputs["close"], twist, k * STEP)
        end = fx.statics(result.model, {"close": value}, start=result).unwrap()
        before, after = (x.contact_table()["s_a"] for x in (result, end))
        np.testing.assert_allclose(after, before, atol=1e-4, err_msg="the same places touch")
        moved = (
            np.zeros(6)
            if frame is None
            else se3.log(se3.inverse(result.pose(frame)) @ end.pose(frame))
        )
        ends[k] = np.append(moved, sum(x.pressing for x in end.contacts))
    near, far = ((ends[k] - ends[-k]) / (2 * k * STEP) for k in (1, 2))
    return (4.0 * near - far) / 3.0


@mixed(case=CASES, choice=CHOICES)
def test_derivatives_know_what_inputs_move(case, choice):
    """Of frames, either way round, and of forces: also where both sides of a contact turn."""
    make, way, frame = CASES[case]
    result = closed(make, way, choice)
    response = Response("test", result)
    touch, changes = response.assembly.touch, response.changes(["close"])
    ways = response.by_inputs(["close"])
    forces = ways.multipliers[touch.first :].reshape(-1, 3, changes.shape[1])
    pressing = np.einsum("cim,ci->m", forces, touch.normal)
    if frame is None:
        found = back = np.zeros((6, len(pressing)))
    else:
        found = result.jacobian(frame, by=["close"])
        back = response.tangent.back(response.twist(frame), changes)
    for i, twist in enumerate(np.eye(changes.shape[1])):
        expected = differences(result, frame, twist)
        # forces of solves are good to 1e-9 of what acts
        size = np.abs(expected[:6]).max()
        np.testing.assert_allclose(found[:, i], expected[:6], atol=1e-6 * size)
        np.testing.assert_allclose(back[:, i], expected[:6], atol=1e-6 * size)
        force = sum(x.pressing for x in result.contacts)
        tolerance = 1e-5 * abs(expected[6]) + 1e-8 * force / STEP
        assert pressing[i] == pytest.approx(expected[6], abs=tolerance)


def test_a_finger_closes_until_it_presses_as_asked():
    """The slope of a force by what moves one side: Newton's method takes few equilibria."""
    start = closed(finger, 0.8, fx.Spline(3, 8))
    answer = fx.inverse(start.model, {("arm", "jaw"): 0.1}, using=["close"], start=start)
    assert answer.status is fx.InverseStatus.REACHED
    assert sum(x.pressing for x in answer.result.contacts) == pytest.approx(0.1, rel=2e-6)
    assert answer.iterations <= 8
