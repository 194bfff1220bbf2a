"""Momentum changes by what acts from outside: loads and the reactions of joints with the world."""

from functools import cache

import numpy as np
import pytest
from motions import DESCRIPTIONS, EACH, SOME, kinetic_of, momentum_of
from properties.forces import along, reactions, wrench_about_origin, wrenches

import flexura as fx
from flexura.lie import se3

SILICONE = fx.Material(1e6, 0.45, density=1000.0, viscosity=50.0)
STEP, WHEN = 2e-4, 60


def robot():
    """Two rods with a hinge between them, a heavy body, a tendon and every kind of load."""
    return fx.Robot(
        "shaken",
        rods=[
            fx.Rod("a", 0.3, fx.Circle(0.01), SILICONE, rest=(0, 0, 1.0)),
            fx.Rod("b", 0.2, fx.Circle(0.008), SILICONE),
        ],
        bodies=[fx.Body("ball", 0.02, (1e-5, 2e-5, 2.5e-5), center=(0.01, 0.005, 0))],
        joints=[
            fx.Weld("world", "a.base", name="wall"),
            fx.Hinge("knee", "a.tip", "b.base", (0, 1, 0)),
            fx.Weld("b.tip", "ball"),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("push", fx.At("a", 0.2), (0, 0.05, 0.0)),
            fx.PointLoad("jet", "ball", (0.0, 0.02, 0.01), follower=True),
            fx.LineLoad("wind", "b", (0.0, 0.2, 0.1), end=0.15),
            fx.Pulley("cord", "ball", (0.5, 0.3, 1.0), 0.05),
        ],
        tendons=[fx.Tendon("pull", "a", fx.Parallel(0.008, 0.0))],
    )


def shaken(t):
    return se3.pose((0, 0, 0.02 * (1 - np.cos(30 * t))), (0.3 * np.sin(20 * t) ** 2, 0, 0))


@cache
def motion_of(rods):
    model = fx.build(robot(), rods=rods)
    return fx.simulate(model, (WHEN + 1) * STEP, STEP, {"pull": 1.0, "wall": shaken}).unwrap()


def change(values, i):
    """Central difference in time."""
    return (values(i + 1) - values(i - 1)) / (2.0 * STEP)


@EACH
def test_of_the_whole_robot(rods):
    motion = motion_of(rods)
    rate = change(lambda i: motion[i].momentum, WHEN)
    acting = sum(wrenches(motion[WHEN])) + sum(reactions(motion[WHEN]))
    # Differences of waves that are shorter than a few steps; Power leaves more of them.
    tolerance = 1e-2 if isinstance(rods, fx.Power) else 2e-3
    np.testing.assert_allclose(acting, rate, atol=tolerance * np.abs(rate).max())


@pytest.mark.parametrize("name", ["spline", "linear strain", "variable strain", "constant strain"])
def test_of_what_is_beyond_a_cut(name):
    """What a rod carries is what acts on all beyond, less the rate of its momentum."""
    motion, s = motion_of(DESCRIPTIONS[name]), 0.08

    def beyond(i):
        return momentum_of(motion[i], ["b"], s)

    instant = motion[WHEN]
    T = instant.pose("b", s)
    carried = -wrench_about_origin(T, instant.internal_wrench("b", s))
    knee = instant.reaction(fx.Weld("b.tip", "ball"))  # on the ball, so that -knee acts on the rod
    carried -= wrench_about_origin(instant.pose("ball"), knee)
    density = SILICONE.density * np.pi * 0.008**2
    for x, weight, place in along(instant, "b", s, 0.2):
        force = weight * density * np.array([0.0, 0.0, -9.81])
        carried += np.concatenate([np.cross(place[:3, 3], force), force])
        if x < 0.15:
            wind = weight * np.array([0.0, 0.2, 0.1])
            carried += np.concatenate([np.cross(place[:3, 3], wind), wind])
    size = np.abs(instant.internal_wrench("b", s)).max()
    np.testing.assert_allclose(carried, change(beyond, WHEN), atol=0.02 * size)


@pytest.mark.slow
@SOME
def test_momentum_and_kinetic_energy(rods):
    """By quadrature over poses and velocities along the rods, at other points."""
    instant = motion_of(rods)[WHEN]
    expected = momentum_of(instant)
    tolerance = 5e-4 if isinstance(rods, fx.Power) else 5e-5  # coarse meshes
    np.testing.assert_allclose(instant.momentum, expected, atol=tolerance * np.abs(expected).max())
    assert instant.kinetic == pytest.approx(kinetic_of(instant), rel=tolerance)


FRAMES = [
    "a.base",
    "a.tip",
    "b.base",
    "ball",
    "world",
    fx.At("a", 0.13, se3.pose((0, 0.05, 0))),
    fx.At("ball", offset=se3.pose((0.1, 0, 0))),
]


@EACH
def test_velocities_are_those_of_poses(rods):
    motion = motion_of(rods)
    before, instant, after = (motion[WHEN + i] for i in (-1, 0, 1))
    for frame in FRAMES:
        step = se3.log(se3.inverse(before.pose(frame)) @ after.pose(frame))
        # Waves that are shorter than a few steps, again.
        np.testing.assert_allclose(instant.velocity(frame), step / (2.0 * STEP), atol=0.01)
    s = np.array([[0.0, 0.1], [0.2, 0.3]])
    found = instant.velocity("a", s)
    assert found.shape == (2, 2, 6)
    np.testing.assert_allclose(found[1, 0], instant.velocity("a", 0.2), atol=1e-9)
    assert motion.velocity("a", s).shape == (len(motion), 2, 2, 6)


def test_a_free_rod_keeps_its_momentum():
    """Thrown with a spin, bent: nothing acts on it but its weight."""
    rod = fx.Rod("rod", 0.3, fx.Circle(0.01), SILICONE)
    model = fx.build(fx.Robot("thrown", [rod], loads=[fx.Gravity()]))

    def velocity(s):
        return 5.0, 3.0 * s, 40.0 * s, 0.3, 8.0 * s, 1.0

    errors = []
    for h in (2e-3, 1e-3):
        motion = fx.simulate(model, 0.1, h, velocity={"rod": velocity}).unwrap()
        p = motion.momentum
        weight = 9.81 * rod.mass_per_length(0.0) * rod.length
        np.testing.assert_allclose(p[:, 5], p[0, 5] - weight * motion.t, atol=2e-4)
        errors.append(np.abs(p[-1, 3:5] - p[0, 3:5]).max())
    # Of second order: generalised-alpha keeps no momentum exactly.
    assert errors[1] <= 0.4 * errors[0] + 1e-9
