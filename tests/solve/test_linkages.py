"""Linkages of bodies and of rods close from any description, and are stable as rigid ones are."""

import numpy as np
import pytest
from linkages import FAMILIES, four_bar, linkage, sarrus
from support import mixed

import flexura as fx
from flexura.lie import se3

Z = (0.0, 0.0, 1.0)
# Frames that joints hold together are apart by rounding, over the size.
CLOSED = 1e-10


def gaps(result):
    """Largest gaps of all joints [rad, m]."""
    joints = result.model.joints
    return np.abs(np.where(joints.held, joints.motion(result.evaluation.nodes), 0.0)).max()


@mixed(
    together=2,
    ids=lambda value: getattr(value, "__name__", str(value)),
    family=FAMILIES,
    seed=range(3),
    spread=[0.0, 1.0, 3.0],
)
def test_bodies_close_and_come_to_rest(family, seed, spread):
    robot, _ = linkage(family, seed, spread)
    result = fx.statics(fx.build(robot)).unwrap()
    assert result.stable
    assert gaps(result) < CLOSED
    assert result.iterations < 100


@pytest.mark.parametrize("size", [1e-4, 300.0])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_their_size_does_not_matter(family, size):
    shapes = []
    for scale in (1.0, size):
        robot, _ = linkage(family, 5, size=scale)
        result = fx.statics(fx.build(robot)).unwrap()
        places = [result.pose(body.name)[:3, 3] for body in robot.bodies]
        shapes.append(np.array(places) / scale)
    np.testing.assert_allclose(shapes[1], shapes[0], atol=1e-6)


@pytest.mark.parametrize("driven", [False, True], ids=["free", "driven"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_rods_close_without_strain(family, seed, driven):
    """They can: without load there is nothing to bend them."""
    robot, inputs = linkage(family, seed, rods=True, gravity=False, driven=driven)
    result = fx.statics(fx.build(robot), inputs).unwrap()
    rod = robot.rods[0]
    assert result.energy <= 1e-12 * rod.stiffness(0.0)[1] / rod.length
    assert gaps(result) < CLOSED


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_driven_ones_are_where_they_are_driven_to(family):
    robot, inputs = linkage(family, 2, driven=True)
    result = fx.statics(fx.build(robot), inputs).unwrap()
    assert gaps(result) < CLOSED


@pytest.mark.parametrize(
    "seed", [4, 54, *(pytest.param(seed, marks=pytest.mark.long) for seed in (49, 58))]
)
def test_driven_far_they_close_from_one_start_in_six(seed):
    robot, inputs = linkage(sarrus, seed, 3.0, driven=True)
    result = fx.statics(fx.build(robot), inputs).unwrap()
    assert gaps(result) < CLOSED


def test_reactions_that_are_not_determined_do_not_depend_on_the_order():
    robot, _ = linkage(four_bar, 1)
    turned = fx.Robot("turned", [], robot.joints[::-1], robot.loads, bodies=robot.bodies[::-1])
    first, second = (fx.statics(fx.build(x)).unwrap() for x in (robot, turned))
    for hinge in robot.joints:
        expected = first.reaction(hinge.name)
        np.testing.assert_allclose(second.reaction(hinge.name), expected, atol=1e-7)


def pins(lengths, crank, side):
    """The moving pins of a planar four-bar, by the angle of its crank."""
    a, b, c, ground = lengths
    P, Q = a * np.array([np.cos(crank), np.sin(crank)]), np.array([ground, 0.0])
    away = float(np.hypot(*(Q - P)))
    along = (Q - P) / away
    x = (b**2 - c**2 + away**2) / (2.0 * away)
    return P, P + x * along + side * np.sqrt(b**2 - x**2) * np.array([-along[1], along[0]]), Q


def center(lengths, masses, crank, side):
    """Sum of masses times their places, whose height is the potential."""
    P, R, Q = pins(lengths, crank, side)
    return 0.5 * (masses[0] * P + masses[1] * (P + R) + masses[2] * (Q + R))


def posed(lengths, masses, crank, side, down):
    """The four-bar with its hinges at zero there."""
    P, R, Q = pins(lengths, crank, side)
    angles = [np.arctan2(*(v - u)[::-1]) for u, v in ((0.0 * P, P), (P, R), (Q, R))]
    names = ("crank", "coupler", "rocker")
    bodies = [
        fx.Body(name, m, center=(0.5 * l, 0.0, 0.0), inertia=(1e-5, 1e-4, 1e-4))
        for name, m, l in zip(names, masses, lengths, strict=False)
    ]
    a, b, c = (
        fx.At(name, offset=se3.pose((l, 0.0, 0.0))) for name, l in zip(names, lengths, strict=False)
    )

    def turn(angle, x=0.0):
        return se3.pose((x, 0.0, 0.0), rotation=(0.0, 0.0, angle))

    joints = [
        fx.Hinge("o", "world", "crank", Z, turn(angles[0])),
        fx.Hinge("p", a, "coupler", Z, turn(angles[1] - angles[0])),
        fx.Hinge("q", "world", "rocker", Z, turn(angles[2], lengths[3])),
        fx.Hinge("r", b, c, Z, turn(angles[2] - angles[1])),
    ]
    return fx.Robot("bars", [], joints, [fx.Gravity((*(9.81 * down), 0.0))], bodies=bodies)


@pytest.mark.parametrize("off", [0.1, 1e-2, 1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("seed", range(4))
def test_stability_near_a_limit_is_that_of_the_rigid_linkage(seed, off):
    """Weights act across the way of their centre: both sides of it, of which one is a minimum.

    The crank stops at the limit where coupler and rocker are in line; its angle is limit - t², and
    t goes on through the limit from one side to the other.
    """
    rng = np.random.default_rng(seed)
    cosine = 2.0
    while abs(cosine) > 0.95:
        lengths, masses = rng.uniform(0.1, 0.5, 4), rng.uniform(0.05, 0.3, 3)
        a, b, c, ground = lengths
        cosine = (a**2 + ground**2 - (b + c) ** 2) / (2.0 * a * ground)
    limit, t, h = np.arccos(cosine), np.sqrt(off), 1e-3 * np.sqrt(off)
    for side in (1.0, -1.0):
        way = [center(lengths, masses, limit - x**2, side) for x in (t - h, t, t + h)]
        along, bend = way[2] - way[0], way[2] - 2.0 * way[1] + way[0]
        across = np.array([-along[1], along[0]]) / np.hypot(*along)
        for down in (across, -across):
            robot = posed(lengths, masses, limit - off, side, down)
            result = fx.statics(fx.build(robot), seek_stable=False)
            assert result.status.equilibrium
            assert result.stable is bool(down @ bend < 0.0)
            np.testing.assert_allclose(result.coordinate("o"), 0.0, atol=1e-6)
