"""Rods on what is round, and on edges: what touches goes from one of their points to the next."""

import numpy as np
import pytest

import flexura as fx
from flexura.contact.bow_kernels import along_bow, bow, levers, shares
from flexura.contact.distance_kernels import FAR, SPHERE, cubic
from flexura.contact.edge_kernels import PLACES
from flexura.contact.solid import Solids
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


def test_bows_of_what_is_shorter_than_unloaded_touch_twice():
    """Beside a ball whose curvature they have: they bend more at both ends than in the middle."""
    radius, angle, soft = 0.03, 0.1, 1e-5
    a, b = (
        se3.pose((radius * np.sin(x), -radius * np.cos(x), 0.0), (0.0, 0.0, x))
        for x in (-0.5 * angle, 0.5 * angle)
    )
    solids = Solids.of([(fx.Sphere(radius), -1, np.eye(4))])
    table, mesh = solids.table, solids.meshes.with_stack()
    curve, begin, found = bow(a, b, 1.05 * radius * angle), 0, []
    while begin < PLACES:
        nearest = along_bow(SPHERE, solids.size[0], table, 0, 0, mesh, curve, soft, begin)
        g, _, _, u, begin = nearest
        if g < FAR:
            found.append((g, u))
    u = np.linspace(0.0, 1.0, 2001)
    away = np.array([np.linalg.norm(cubic(curve, x)[0]) for x in u.tolist()]) - radius
    away -= 0.5 * soft * u * (1.0 - u)
    inside = np.flatnonzero((away[1:-1] < away[:-2]) & (away[1:-1] < away[2:])) + 1
    assert len(inside) == 2
    np.testing.assert_allclose([x for _, x in found], u[inside], atol=1e-3)
    np.testing.assert_allclose([g for g, _ in found], away[inside], atol=1e-12)


@pytest.mark.parametrize("spans", [3, 6])
def test_bows_leave_out_spheres_at_their_ends_alone(spans):
    """Not others on the tangents of the same frames, the last of which they left out."""
    robot = fx.Robot(
        "lies",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(2e-3), RUBBER)],
        obstacles=[fx.Obstacle("box", fx.Box(0.1, 0.1, 4e-3))],
        contacts=[fx.Contact("rod", "box")],
    )
    own = fx.build(robot, fx.Spline(3, spans)).contacts
    left = 0
    for bow_of, spheres in enumerate(own.at_ends):
        for frame, sphere in zip((own.sample[bow_of], own.end[bow_of]), spheres, strict=True):
            if sphere >= 0:
                assert own.end[sphere] < 0
                assert own.sample[sphere] == frame
                assert not own.offset[sphere].any()
                left += 1
    assert left > spans


@pytest.mark.parametrize(
    ("shape", "spans", "speed"),
    [
        (fx.Sphere(0.01), 4, 5.0),
        (fx.Sphere(0.012), 4, 5.0),
        (fx.Cylinder(1e-3, 0.2, axis=(0, 1, 0)), 2, 1.0),
        (fx.Cylinder(1e-3, 0.2, axis=(0, 1, 0)), 3, 1.0),
    ],
)
def test_steps_do_not_lead_through_round_things_between_points(shape, spans, speed):
    """They went through in one step, as points of quadrature alone were asked."""
    robot = fx.Robot(
        "thrown",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(2e-3), RUBBER)],
        obstacles=[fx.Obstacle("thing", shape)],
        contacts=[fx.Contact("rod", "thing")],
    )
    motion = fx.simulate(
        fx.build(robot, fx.Spline(3, spans)), 0.02, 0.01,
        place={"rod": se3.pose((-0.1125, 0.0, 0.015 * speed))},
        velocity={"rod": (0.0, 0.0, 0.0, 0.0, 0.0, -speed)},
    )  # fmt: skip
    assert motion.cuts
    assert motion[-1].pose("rod", 0.1125)[2, 3] > 0.0


@pytest.mark.parametrize(
    ("thick", "at"), [*((2e-3, x) for x in (0.5, 0.59, 0.605, 0.61, 0.615)), (THICK, 0.61)]
)
def test_rods_fall_level_onto_boxes(thick, at):
    """Where edges and a face come near in one step: at 0.61 that was lost."""
    robot = fx.Robot(
        "falls",
        rods=[fx.Rod("rod", LENGTH, fx.Circle(thick), RUBBER)],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("box", fx.Box(0.08, 0.08, 6e-3))],
        contacts=[fx.Contact("rod", "box")],
    )
    place = se3.pose((-at * LENGTH, 0.0, 0.03))
    motion = fx.simulate(fx.build(robot, fx.Spline(3, 6)), 0.085, 1e-3, place={"rod": place})
    assert motion.unwrap()[-1].pressing("rod", "box") > 0.0


@pytest.mark.parametrize("shape", [fx.Sphere(0.05), fx.Cylinder(0.05, 0.1, axis=(0, 1, 0))])
@pytest.mark.parametrize("spans", [4, 9, 24])
@pytest.mark.parametrize("x", [0.1, 0.15, 0.2])
def test_a_straight_rod_may_begin_where_it_just_touches(shape, spans, x):
    """Wherever along it: a rope that was laid on a drum began "inside" it, by what bows are off."""
    base = se3.pose((-x, 0.0, 0.05 + 1e-3))
    robot = fx.Robot(
        "laid",
        rods=[fx.Rod("rope", 0.4, fx.Circle(1e-3), RUBBER)],
        joints=[fx.Weld("world", "rope.base", offset=base)],
        obstacles=[fx.Obstacle("drum", shape)],
        contacts=[fx.Contact("rope", "drum")],
    )
    result = fx.statics(fx.build(robot, rods=fx.Spline(3, spans))).unwrap()
    assert result.pose("rope.tip")[2, 3] == pytest.approx(0.051, abs=1e-4)
