"""Robots with contacts are led to stable equilibria as all others are."""

import numpy as np
import pytest

import flexura as fx

pose = fx.lie.se3.pose
RUBBER = fx.Material(young=1e6, poisson=0.4, density=0.0)
COLUMN = fx.Rod("column", 0.3, fx.Circle(5e-3), RUBBER)


def column(wall, overload=3.0, friction=0.0):
    """An upright column that buckles, and a wall beside it or far away."""
    bending = float(COLUMN.stiffness(0.0)[1])
    force = overload * 0.25 * np.pi**2 * bending / COLUMN.length**2
    up = pose((0, 0, 0), (0, -np.pi / 2, 0))
    walls = [] if wall is None else [fx.Obstacle("wall", fx.Plane((1, 0, 0), (-wall, 0, 0)))]
    robot = fx.Robot(
        "column",
        rods=[COLUMN],
        joints=[fx.Weld("world", "column.base", offset=up)],
        loads=[fx.PointLoad("press", "column.tip", force=(0, 0, -force))],
        obstacles=walls,
        contacts=[fx.Contact("column", x.name, friction=friction) for x in walls],
    )
    return fx.build(robot, rods=fx.Spline(3, 6))


@pytest.mark.parametrize("wall", [9.0, 6e-3])
def test_a_column_beside_a_wall_buckles(wall):
    """As without it, in some direction: round columns have none of their own."""
    free = fx.statics(column(None)).unwrap()
    found = fx.statics(column(wall)).unwrap()
    assert found.stable
    assert found.status is fx.Status.RELAXED
    if wall > COLUMN.length:
        assert found.energy == pytest.approx(free.energy, rel=1e-9)
    assert found.potential == pytest.approx(free.potential, rel=1e-2)
    aside = np.linalg.norm(found.pose("column.tip")[:2, 3])
    assert aside == pytest.approx(np.linalg.norm(free.pose("column.tip")[:2, 3]), rel=1e-2)


def test_between_walls_it_buckles_as_far_as_they_let_it():
    model = column(6e-3)
    robot = model.robot
    walls = [
        fx.Obstacle(f"wall {i}", fx.Plane(n, tuple(-8e-3 * np.array(n))))
        for i, n in enumerate([(1.0, 0, 0), (-1.0, 0, 0), (0, 1.0, 0), (0, -1.0, 0)])
    ]
    inside = fx.Robot(
        "between walls",
        rods=robot.rods,
        joints=robot.joints,
        loads=robot.loads,
        obstacles=walls,
        contacts=[fx.Contact("column", x.name) for x in walls],
    )
    found = fx.statics(fx.build(inside, rods=fx.Spline(3, 6))).unwrap()
    assert found.stable
    assert found.contacts
    aside = np.abs(found.pose("column", np.linspace(0.0, 0.3, 31))[:, :2, 3]).max()
    assert aside == pytest.approx(3e-3, rel=0.05)  # less than the radius from the walls


def test_an_unstable_equilibrium_is_told_of_if_it_is_asked_for():
    found = fx.statics(column(9.0), seek_stable=False)
    assert found.stable is False
    assert np.abs(found.pose("column.tip")[:2, 3]).max() < 1e-9


@pytest.mark.parametrize("push", [0.0, 0.2])
def test_props_that_are_braced_are_so_for_the_whole_step(push):
    """A ball on two free sliders in the valley of two, whose forces turn: quadratic at the end."""
    robot = fx.Robot(
        "valley",
        rods=[fx.Rod("far", 1.0, fx.Circle(0.01), RUBBER)],
        bodies=[
            fx.Body("car", 0.01, (1e-5,) * 3),
            fx.Body("ball", 0.1, (1e-5,) * 3, shape=fx.Sphere(0.02)),
        ],
        joints=[
            fx.Slider("x", "world", "car", (1, 0, 0)),
            fx.Slider("z", "car", "ball", (0, 0, 1), offset=pose((0.004, 0, 0.05))),
            fx.Weld("world", "far.base", offset=pose((0, 1, 0))),
        ],
        loads=[fx.Gravity(), fx.PointLoad("push", "ball", force=(push, 0, 0))],
        obstacles=[
            fx.Obstacle(name, fx.Sphere(0.02), pose=pose((x, 0, 0)))
            for name, x in (("left", -0.021), ("right", 0.021))
        ],
        contacts=[fx.Contact("ball", "left"), fx.Contact("ball", "right")],
    )
    found = fx.statics(fx.build(robot)).unwrap()
    assert found.iterations <= 8
    # no side: the distance of centres is 0.04, and forces along both lines carry the weight
    height = np.sqrt(0.04**2 - 0.021**2)
    np.testing.assert_allclose(found.pose("ball")[:3, 3], (0, 0, height), atol=1e-9)
    slope = np.array([(0.021, height), (-0.021, height)]) / 0.04
    forces = np.linalg.solve(slope.T, (-push, 0.1 * 9.81))
    pressing = {b: sum(x.pressing for x in found.contacts if x.b == b) for b in ("left", "right")}
    np.testing.assert_allclose([pressing["left"], pressing["right"]], forces, rtol=1e-6)
