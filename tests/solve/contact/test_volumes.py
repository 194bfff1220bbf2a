"""Soft volumes on floors, balls, rods, bodies and each other."""

import numpy as np
import pytest
from meshes import block as block_mesh

import flexura as fx

G = 9.81
SOFT = fx.Material(young=1e5, poisson=0.3, density=1000.0)
SIDE = 0.1


def block(name, corner, counts=(3, 3, 3), material=SOFT):
    """A soft cube, by its least corner."""
    points, cells = block_mesh((SIDE, SIDE, SIDE), counts)
    return fx.Volume(name, (points + np.asarray(corner), cells), material)


def top(name, height):
    return fx.Nodes(name, box=((-1.0, -1.0, height - 1e-9), (1.0, 1.0, height + 1e-9)))


def held_block(friction, above=1e-3, **more):
    """A cube that a grip holds by its upper side, above a floor."""
    hand = fx.Body("hand", mass=0.1, inertia=(1e-4,) * 3)
    robot = fx.Robot(
        "pressed",
        volumes=[block("cube", (-0.5 * SIDE, -0.5 * SIDE, above))],
        bodies=[hand],
        joints=[
            fx.Weld("world", "hand", name="grip"),
            fx.Clamp("hand", top("cube", SIDE + above)),
        ],
        obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("cube", "floor", friction=friction)],
        **more,
    )
    return fx.build(robot)


def moved(x, z):
    return {"grip": fx.lie.se3.pose((x, 0.0, z))}


def test_a_cube_is_pressed_and_dragged():
    """F = E A ε / (1 + ...) between bars of lateral stress free and held; it slides with μ N."""
    model = held_block(0.4)
    result = fx.statics(model).unwrap()
    result = fx.statics(model, moved(0.0, -3e-3), start=result).unwrap()
    pressing = sum(x.pressing for x in result.contacts)
    strain, nu = 2e-3 / SIDE, 0.3
    free = SOFT.young * SIDE**2 * strain
    held = free * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
    assert free < pressing < held
    for x in np.linspace(2e-3, 0.02, 6):
        result = fx.statics(model, moved(x, -3e-3), start=result).unwrap()
    assert all(x.sliding for x in result.contacts if x.pressing > 1e-6)
    total = sum((x.force for x in result.contacts), np.zeros(3))
    across = sum(np.linalg.norm(x.rubbing) for x in result.contacts)
    pressing = sum(x.pressing for x in result.contacts)
    assert across == pytest.approx(0.4 * pressing, rel=1e-6)
    assert total[0] == pytest.approx(-0.4 * pressing, rel=1e-3)
    np.testing.assert_allclose(result.reaction("grip")[3:], -total, atol=1e-8 * pressing)


def test_newton_ends_quadratically_on_a_ball():
    """Both sides move: a body that is held, and corners of a cube."""
    ball = fx.Body("ball", mass=1.0, inertia=(1e-3,) * 3, shape=fx.Sphere(0.1))
    robot = fx.Robot(
        "ball",
        volumes=[block("cube", (-0.5 * SIDE, -0.5 * SIDE, -SIDE), (4, 4, 2))],
        bodies=[ball],
        joints=[
            fx.Weld("world", "ball", offset=fx.lie.se3.pose((0.0, 0.0, 0.1)), name="grip"),
            fx.Clamp("world", top("cube", -SIDE)),
        ],
        contacts=[fx.Contact("cube", "ball")],
    )
    model = fx.build(robot)
    result = fx.statics(model).unwrap()
    down = {"grip": fx.lie.se3.pose((0.002, 0.001, 0.088))}
    result = fx.statics(model, down, start=result).unwrap()
    assert result.iterations <= 6
    assert result.steps[-1] < 1e-3 * result.steps[-2]
    assert len([x for x in result.contacts if x.pressing > 0.0]) >= 4


def test_momentum_is_what_the_floor_gives():
    """A soft cube falls on a slope: h (forces - weight) is the change of momentum, to rounding."""
    soft = fx.Material(young=2e4, poisson=0.3, density=1000.0)
    corner = (-0.5 * SIDE, -0.5 * SIDE, 0.01)
    cube = fx.Volume("cube", block("cube", corner, (2, 2, 2)).mesh, soft)
    robot = fx.Robot(
        "falls", volumes=[cube], loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane(normal=(0.1, 0.0, 1.0)))],
        contacts=[fx.Contact("cube", "floor", friction=0.5)],
    )  # fmt: skip
    h, weight, before = 0.005, np.array([0.0, 0.0, -1000.0 * SIDE**3 * G]), None
    motion = fx.simulate(fx.build(robot), 0.15, h).unwrap()
    energy = motion.energy
    assert np.all(np.diff(energy) <= 1e-9 * np.abs(energy).max())
    for instant in motion:
        if before is not None:
            given = sum((x.force for x in instant.contacts), weight)
            change = instant.momentum[3:] - before.momentum[3:]
            np.testing.assert_allclose(change, h * given, atol=1e-7)
        before = instant
    assert len(before.contacts) >= 4


def test_a_cube_stands_on_a_cube():
    """What touches are corners with triangles, from both sides; forces are those of weights."""
    lower, upper = (
        block("lower", (0.0, 0.0, 0.0), (2, 2, 2)),
        block("upper", (0.013, 0.017, SIDE + 1e-4), (2, 2, 2)),
    )
    robot = fx.Robot(
        "pile",
        volumes=[lower, upper],
        joints=[fx.Clamp("world", fx.Nodes("lower", box=((-1, -1, 0), (1, 1, 0))))],
        loads=[fx.Gravity()],
        contacts=[fx.Contact("lower", "upper", friction=0.5)],
    )
    motion = fx.simulate(fx.build(robot), 0.5, 0.02).unwrap()
    weight = 1000.0 * SIDE**3 * G
    pushed = sum((x.force for x in motion[-1].contacts), np.zeros(3))
    np.testing.assert_allclose(pushed, (0.0, 0.0, -weight), atol=0.03 * weight)


def test_a_rod_rests_on_a_cube():
    """The tip of a thin rod lies on a soft cube: what the base and the cube carry."""
    wood = fx.Material(young=1e7, poisson=0.3, density=2000.0)
    rod = fx.Rod("rod", 0.15, fx.Circle(radius=2e-3), wood)
    cube = block("cube", (0.06, -0.4 * SIDE, -SIDE - 3e-3), (2, 2, 2))
    robot = fx.Robot(
        "rests",
        rods=[rod],
        volumes=[cube],
        joints=[fx.Weld("world", "rod.base"), fx.Clamp("world", top("cube", -3e-3 - SIDE))],
        loads=[fx.PointLoad("push", at="rod.tip")],
        contacts=[fx.Contact("rod", "cube")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 6))
    result = fx.statics(model, {"push": (0, 0, 0, 0, 0, -0.05)}).unwrap()
    carried = sum(x.force[2] for x in result.contacts)
    assert 0.0 < carried < 0.05
    assert carried + result.reaction("world-rod.base")[5] == pytest.approx(0.05, rel=1e-9)


def test_a_volume_that_begins_inside():
    with pytest.raises(fx.ModelError, match=r"'cube' begins inside 'floor', 0\.002"):
        fx.statics(held_block(0.0, above=-2e-3))


@pytest.mark.parametrize("radius", [0.3, 0.5, 0.55, 0.62, 0.75, 1.2, 2.2])
def test_no_ball_goes_between_the_corners_of_a_skin(radius):
    """Whatever its radius beside the sides of triangles: over the middle of one, it touches."""
    side = SIDE / 3
    radius *= side
    ball = fx.Body("ball", 0.01, (1e-6,) * 3, shape=fx.Sphere(radius))
    above = fx.lie.se3.pose((side / 6, side / 3, SIDE + radius + 1e-3))
    robot = fx.Robot(
        "poked",
        volumes=[block("cube", (-0.5 * SIDE, -0.5 * SIDE, 0.0))],
        bodies=[ball],
        joints=[
            fx.Slider("down", "world", "ball", (0, 0, -1), offset=above, driven=True),
            fx.Clamp("world", top("cube", 0.0)),
        ],
        contacts=[fx.Contact("ball", "cube")],
    )
    model = fx.build(robot)
    result = fx.statics(model)
    for way in (1.2e-3, 3e-3, 6e-3):
        result = fx.statics(model, {"down": way}, start=result).unwrap()
        pressing = sum(x.pressing for x in result.contacts)
        # no less than Hertz has: linear elements are too stiff
        size = SOFT.young / (1.0 - SOFT.poisson**2) * np.sqrt(radius)
        assert pressing > 4.0 / 3.0 * size * (way - 1e-3) ** 1.5
