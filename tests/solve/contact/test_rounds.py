"""Rods on what is round, and on edges: what touches goes from one of their points to the next."""

import numpy as np
import pytest

import flexura as fx
from flexura.contact.bow_kernels import bow, levers, shares
from flexura.contact.distance_kernels import cubic
from flexura.lie import se3

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
LENGTH, THICK = 0.3, 5e-3


def across(rotation, middle):
    """Where a rod begins 80 mm above the origin, over which it has that part of itself."""
    place = se3.pose((0.0, 0.0, 0.08), rotation)
    place[:3, 3] -= LENGTH * middle * place[:3, 0]
    return place


# place, obstacles and coefficients of friction, spans
FALLS = {
    "ball": (
        across((0.0, 0.21, 2.19), 0.54),
        [fx.Obstacle("ball", fx.Sphere(0.03), pose=se3.pose((0, 0, -0.03)))],
        0.3,
        8,
    ),
    "capsules": (
        across((0.0, -0.1, 1.8), 0.5),
        [
            fx.Obstacle(name, fx.Capsule(0.02, 0.2), pose=se3.pose((0, y, -0.02)))
            for name, y in (("one", -0.0426), ("other", 0.0426))
        ],
        0.0,
        16,
    ),
    "turned box": (
        across((0.0, -0.3, 2.4), 0.47),
        [fx.Obstacle("box", fx.Box(0.2, 0.02, 0.02), pose=se3.pose((0, 0, -0.014), (0.785, 0, 0)))],
        0.0,
        4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("step", [1e-3, 5e-4, 2.5e-4])
@pytest.mark.parametrize("name", FALLS)
def test_energy_never_grows_in_falls(name, step):
    """What was not near before is not deep at once: pushed out, it gained with the step squared."""
    place, obstacles, friction, spans = FALLS[name]
    robot = fx.Robot(
        "falls",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(THICK), RUBBER)],
        loads=[fx.Gravity()],
        obstacles=obstacles,
        contacts=[fx.Contact("rod", x.name, friction=friction) for x in obstacles],
    )
    motion = fx.simulate(fx.build(robot, fx.Spline(3, spans)), 0.17, step, place={"rod": place})
    touches = [sum(x.pressing for x in instant.contacts) > 0.0 for instant in motion.unwrap()]
    assert sum(touches) > 10
    assert np.diff(motion.energy).max() <= 1e-9 * motion.energy[0]


@pytest.mark.parametrize("pull", [0.5, 1.1, 1.3, 1.4, 1.5])
def test_a_finger_is_pulled_onto_a_ball_at_any_load(pull):
    """Loads of which some ended at their limit, between others that were found."""
    ball = se3.pose((0.08, 0.0029, -0.0341))
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("finger", 0.1, fx.Circle(THICK), RUBBER)],
        joints=[fx.Weld("world", "finger.base")],
        tendons=[fx.Tendon("pull", "finger", fx.Parallel(y=0.0, z=-4e-3))],
        obstacles=[fx.Obstacle("ball", fx.Sphere(0.02), pose=ball)],
        contacts=[fx.Contact("finger", "ball", friction=0.3)],
    )
    result = fx.statics(fx.build(robot), {"pull": pull}).unwrap()
    assert result.pressing("finger", "ball") > 0.0


def test_bows_are_carried_by_both_frames_and_meet_along_one_tangent():
    rng = np.random.default_rng(1)
    a, b, c = (se3.pose(rng.normal(size=3), rng.normal(size=3)) for _ in range(3))
    one, two = bow(a, b, 0.7), bow(b, c, 0.4)
    np.testing.assert_allclose(cubic(one, 1.0)[0], cubic(two, 0.0)[0], atol=1e-14)
    np.testing.assert_allclose(
        np.array(cubic(one, 1.0)[1]) / 0.7, np.array(cubic(two, 0.0)[1]) / 0.4, atol=1e-14
    )
    for u in np.linspace(0.0, 1.0, 9):
        parts = zip((a, b), shares(u), levers(u), strict=True)
        carried = sum(h * (g[:3, 3] + 0.7 * x * g[:3, 0]) for g, h, x in parts)
        np.testing.assert_allclose(carried, cubic(one, u)[0], atol=1e-14)
