"""Inverse problems of robots that touch: contacts are part of equilibria and of their slopes."""

import numpy as np
import pytest
from contact_laws import check_contacts

import flexura as fx

RUBBER = fx.Material(young=2e6, poisson=0.4, density=1000.0)
LENGTH, RADIUS = 0.3, 6e-3


def arm(friction=0.0, scale=1.0):
    """An arm with three tendons, beside a post on its way."""
    where = fx.lie.se3.pose((0.15 * scale, 0.0, 0.055 * scale), (0.0, 0.0, 0.5 * np.pi))
    out = 8e-3 * scale
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", LENGTH * scale, fx.Circle(RADIUS * scale), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[
            fx.Tendon("up", "arm", fx.Parallel(0.0, out)),
            fx.Tendon("down", "arm", fx.Parallel(0.0, -out)),
            fx.Tendon("left", "arm", fx.Parallel(out, 0.0)),
        ],
        obstacles=[fx.Obstacle("post", fx.Cylinder(0.04 * scale, 0.2 * scale), pose=where)],
        contacts=[fx.Contact("arm", "post", friction=friction)],
    )


@pytest.fixture(scope="module")
def model():
    return fx.build(arm(), rods=fx.Spline(3, 10))


@pytest.fixture(scope="module")
def bent(model):
    """The arm, bent against the post."""
    found = fx.statics(model, {"up": 1.8, "left": 0.2}).unwrap()
    assert sum(x.pressing for x in found.contacts) > 0.1
    return found


def test_jacobians_know_what_touches(model, bent):
    step, slope = 1e-4, bent.jacobian("arm.tip", by=["up", "left"])
    for i, name in enumerate(("up", "left")):
        ends = [
            fx.statics(model, {**bent.inputs, name: bent.inputs[name] + d}, bent).unwrap()
            for d in (-step, step)
        ]
        # the same samples touch: each a little elsewhere, as a rod leans on the rim of a post
        places = [np.array([x.s for x in end.contacts]) for end in (*ends, bent)]
        for there in places:
            np.testing.assert_allclose(there, places[2], atol=1e-3 * LENGTH)
        a, b = (end.pose("arm.tip") for end in ends)
        there = fx.lie.se3.log(fx.lie.se3.inverse(a) @ b) / (2 * step)
        # differences of solves are good to about 1e-9 / step
        np.testing.assert_allclose(slope[:, i], there, atol=2e-5 * np.abs(there).max())


def test_without_friction_compliance_is_symmetric(bent):
    found = bent.compliance("arm.tip")
    np.testing.assert_allclose(found, found.T, atol=1e-9 * np.abs(found).max())


def test_the_tip_is_brought_behind_the_post(model, bent):
    there = fx.statics(model, {"up": 2.0, "left": 0.3}, bent).unwrap().pose("arm.tip")[:3, 3]
    answer = fx.inverse(model, {"arm.tip": there}, using=["up", "down", "left"], start=bent)
    assert answer.status is fx.InverseStatus.REACHED
    check_contacts(answer.result)
    assert answer.result.contacts
    assert all(value >= 0.0 for value in answer.inputs.values())


def test_a_force_is_asked_for(model, bent):
    answer = fx.inverse(model, {("arm", "post"): 0.13}, using=["up"], start=bent)
    assert answer.status is fx.InverseStatus.REACHED
    # limits are kept to 1e-6 of their size
    assert sum(x.pressing for x in answer.result.contacts) == pytest.approx(0.13, rel=2e-6)


def test_a_force_and_a_place_are_asked_for(model, bent):
    y = float(bent.pose("arm.tip")[1, 3]) - 1e-3
    asked = {"arm.tip": (np.nan, y, np.nan), ("post", "arm"): 0.125}
    answer = fx.inverse(model, asked, using=["up", "left"], start=bent)
    assert answer.status is fx.InverseStatus.REACHED
    assert answer.result.pose("arm.tip")[1, 3] == pytest.approx(y, abs=1e-9)
    assert sum(x.pressing for x in answer.result.contacts) == pytest.approx(0.125, rel=2e-6)


def test_limits_of_forces_are_kept(model, bent):
    free = fx.inverse(model, {"arm.tip": (np.nan, np.nan, 0.1128)}, using=["up"], start=bent)
    limit = 0.13
    held = fx.inverse(
        model, {"arm.tip": (np.nan, np.nan, 0.1128)}, ["up"], {("arm", "post"): (0, limit)}, bent
    )
    forces = [sum(x.pressing for x in one.result.contacts) for one in (free, held)]
    assert forces[0] > limit
    assert forces[1] <= limit * (1 + 2e-6)
    assert held.active["arm on post"] == "upper"


def test_a_force_within_a_wide_range(model, bent):
    answer = fx.inverse(model, {("arm", "post"): (0.13, 1e6)}, using=["up"], start=bent)
    assert answer.status is fx.InverseStatus.REACHED
    assert sum(x.pressing for x in answer.result.contacts) >= 0.13 * (1.0 - 1e-6)


def test_what_is_asked_for_is_within_the_bounds(model, bent):
    for sides in (("arm", "post"), ("post", "arm")):
        with pytest.raises(fx.ModelError, match="beyond its bounds"):
            fx.inverse(model, {sides: 0.13}, ["up"], {("arm", "post"): (0.0, 0.1)}, bent)
    with pytest.raises(fx.ModelError, match="named once"):
        fx.inverse(model, {("arm", "post"): 0.1, ("post", "arm"): 0.1}, ["up"], start=bent)


@pytest.mark.parametrize("part", [0.0, 1.2])
@pytest.mark.parametrize("scale", [1e-3, 30.0])
def test_forces_of_small_and_large_robots(scale, part):
    """As of a robot of this size, where forces go with the square of it."""
    model = fx.build(arm(scale=scale), rods=fx.Spline(3, 10))
    start = fx.statics(model, {"up": 1.8 * scale**2}).unwrap()
    force = sum(x.pressing for x in start.contacts)
    answer = fx.inverse(model, {("arm", "post"): part * force}, using=["up"], start=start)
    assert answer.status is fx.InverseStatus.REACHED
    found = sum(x.pressing for x in answer.result.contacts)
    assert found == pytest.approx(part * force, rel=2e-6, abs=2e-6 * force)


def test_with_friction_too():
    model = fx.build(arm(friction=0.3), rods=fx.Spline(3, 10))
    start = fx.statics(model, {"up": 1.8}).unwrap()
    answer = fx.inverse(model, {("arm", "post"): 0.13}, using=["up"], start=start)
    assert answer.status is fx.InverseStatus.REACHED
    check_contacts(answer.result, depth=1e-6)
    with pytest.raises(fx.ModelError, match="friction"):
        answer.result.jacobian("arm.tip")


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ({("arm", "cup"): 1.0}, "no contact"),
        ({("arm", "post"): -1.0}, ">= 0"),
        ({("arm", "post"): "much"}, ">= 0"),
        ({("arm", "post"): (2.0, 1.0)}, "least and most"),
        ({("arm", "post"): None}, "asked for must be"),
        ({("arm", "post"): (None, None)}, "asked for must be"),
    ],
)
def test_bad_forces(model, targets, words):
    with pytest.raises(fx.ModelError, match=words):
        fx.inverse(model, targets, using=["up"])


@pytest.mark.parametrize("least", [None, -np.inf, 0.0])
def test_limits_of_forces_may_be_open_below(model, bent, least):
    """No contact pulls: no bound is zero, in whatever words, as it is for tendons."""
    limits = {("arm", "post"): (least, 0.1)}
    answer = fx.inverse(model, {("arm", "post"): (least, 0.05)}, ["up"], limits, bent)
    assert answer.status is fx.InverseStatus.REACHED
    assert answer.result.pressing("arm", "post") <= 0.05 * (1.0 + 1e-6)


@pytest.mark.parametrize("limit", [1.0, None, "much", (1.0,), (-1.0, 2.0), (np.nan, 1.0)])
def test_limits_of_forces_are_two_numbers(model, limit):
    """One number would be the most for some, and what it presses with for others."""
    with pytest.raises(fx.ModelError, match="bounds of the force"):
        fx.inverse(model, {"arm.tip": (0.1, 0.0, 0.1)}, ["up"], {("arm", "post"): limit})


def test_weights_are_of_frames(model):
    with pytest.raises(fx.ModelError, match="met or not"):
        fx.inverse(model, {("arm", "post"): 0.1}, ["up"], weights={("arm", "post"): 2.0})


@pytest.mark.parametrize("up", [6e-3, 8e-3, 10e-3])
def test_tendons_that_hang_are_no_reason_to_stop(up):
    """What programmes break of limits by rounding has no price: one of four tendons pulls."""
    out = 8e-3
    ways = {"up": (0.0, out), "down": (0.0, -out), "left": (out, 0.0), "right": (-out, 0.0)}
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(6e-3), fx.Material(young=2e6, poisson=0.4))],
        joints=[fx.Weld("world", "arm.base", name="grip")],
        tendons=[fx.Tendon(x, "arm", fx.Parallel(*at), drive="length") for x, at in ways.items()],
        obstacles=[fx.Obstacle("post", fx.Sphere(0.03), pose=fx.lie.se3.pose((0.2, 0.0, -0.06)))],
        contacts=[fx.Contact("arm", "post", friction=0.3)],
    )
    model = fx.build(robot, rods=fx.Spline(3, 10))
    start = fx.statics(model).unwrap()
    goal = {"up": up, "left": 4e-4, "down": -2.0 * up, "right": -2.8e-3}
    there = fx.statics(model, goal, start).unwrap().pose("arm.tip")[:3, 3]
    bounds = dict.fromkeys(ways, (-0.05, 0.03))
    target = {"arm.tip": (np.nan, there[1], there[2])}
    answer = fx.inverse(model, target, list(ways), bounds, start)
    assert answer.status is fx.InverseStatus.REACHED


@pytest.mark.parametrize("target", [(np.nan, 0.0239, -0.063), (np.nan, 0.005, -0.02)])
def test_what_one_increment_does_not_lead_to_is_said(target):
    """Past an edge of a box these inputs have two equilibria; on the way to it they have one."""
    at = fx.lie.se3.pose((0.0595, -0.009, -0.03), (0.0, 0.0, 0.1))
    robot = fx.Robot(
        "beside a box",
        rods=[fx.Rod("f", 0.1, fx.Circle(5e-3), fx.Material(1e6, poisson=0.45, density=1100.0))],
        joints=[fx.Weld("world", "f.base")],
        tendons=[
            fx.Tendon("pull", "f", fx.Parallel(0.0, -4e-3)),
            fx.Tendon("side", "f", fx.Parallel(4e-3, 0.0)),
        ],
        obstacles=[fx.Obstacle("box", fx.Box(0.03, 0.03, 0.03), pose=at)],
        contacts=[fx.Contact("f", "box", friction=0.3)],
    )
    model = fx.build(robot, rods=fx.Spline(3, 8))
    start = fx.statics(model).unwrap()
    bounds = {"pull": (0, 6), "side": (0, 4)}
    answer = fx.inverse(model, {"f.tip": target}, bounds=bounds, start=start)
    again = fx.statics(model, answer.inputs, start=start)
    off = np.linalg.norm(again.pose("f.tip")[:3, 3] - answer.result.pose("f.tip")[:3, 3])
    assert any("several equilibria" in x for x in answer.remarks) == (off > 1e-6)
