"""What gravity lets down along a free motion until it touches: approach, then rest."""

import numpy as np
import pytest
from contact_laws import check_contacts
from meshes import block
from support import mixed

import flexura as fx
from flexura.lie import se3, so3

G, MU = 9.81, 0.4
PLASTIC = fx.Material(young=2e9, poisson=0.3, density=1000.0)
SOFT = fx.Material(young=1e5, poisson=0.3, density=1000.0)
FLOOR = fx.Obstacle("floor", fx.Plane())
RODS = [fx.Spline(3, 8), fx.LinearStrain(12), fx.VariableStrain()]


def hung(height, tilt, friction, below=FLOOR):
    """A rod whose base slides freely across it, up and down where it is level."""
    rod = fx.Rod("rod", 0.3, fx.Circle(radius=4e-3), PLASTIC)
    pose = se3.pose((0.0, 0.0, height))
    pose[:3, :3] = so3.exp(np.array([0.0, tilt, 0.0]))
    robot = fx.Robot(
        "hung",
        rods=[rod],
        joints=[fx.Slider("up", "world", "rod.base", (0, 0, 1), offset=pose)],
        loads=[fx.Gravity()],
        obstacles=[below],
        contacts=[fx.Contact("rod", below.name, friction=friction)],
    )
    return robot, G * rod.mass_per_length(0.0) * rod.length


@pytest.mark.parametrize("friction", [0.0, MU])
@pytest.mark.parametrize("height", [0.0041, 0.1, 3.0])
def test_a_level_rod_lies_on_the_floor(height, friction):
    robot, weight = hung(height, 0.0, friction)
    result = fx.statics(fx.build(robot, rods=RODS[0])).unwrap()
    check_contacts(result, depth=1e-6)
    assert sum(x.pressing for x in result.contacts) == pytest.approx(weight, rel=1e-8)
    assert result.stable is (True if friction == 0.0 else None)
    assert result.iterations <= 10


@pytest.mark.parametrize("rods", RODS, ids=str)
@pytest.mark.parametrize("tilt", [0.5, -0.5])
def test_a_tilted_one_stands_on_its_end(tilt, rods):
    """The slider leaves one force: along its axis nothing but weight and floor act."""
    robot, weight = hung(0.3, tilt, 0.0)
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    check_contacts(result, depth=1e-6)
    assert sum(x.pressing for x in result.contacts) == pytest.approx(weight, rel=1e-7)
    assert result.stable
    assert result.iterations <= 30


@pytest.mark.parametrize("friction", [0.0, MU])
def test_nothing_below_is_said_soon(friction):
    ball = fx.Obstacle("ball", fx.Sphere(0.02), pose=se3.pose((0.1, 0.0, 5.0)))
    robot, _ = hung(0.2, 0.0, friction, below=ball)
    result = fx.statics(fx.build(robot, rods=RODS[0]))
    assert result.status is fx.Status.UNHELD
    assert any("slides freely along (0, 0, 1), in joint 'up'" in x for x in result.remarks)
    assert result.iterations <= 10


@pytest.mark.parametrize("friction", [0.0, MU])
@pytest.mark.parametrize("aside", [0.01, 0.03, 0.05])
def test_a_ball_on_a_ball(aside, friction):
    """Centres are as far apart as both radii; it slid down on the other: N (c + μ s) = W."""
    small, large, mass = 0.03, 0.05, 0.3
    robot = fx.Robot(
        "balls",
        bodies=[fx.Body("ball", mass, (1e-4,) * 3, shape=fx.Sphere(small))],
        joints=[fx.Slider("up", "world", "ball", (0, 0, 1), offset=se3.pose((0, 0, 0.4)))],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("other", fx.Sphere(large), pose=se3.pose((aside, 0, 0)))],
        contacts=[fx.Contact("ball", "other", friction=friction)],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    apart = small + large
    height = np.sqrt(apart**2 - aside**2)
    assert result.pose("ball")[2, 3] == pytest.approx(height, abs=1e-8)
    pressing = mass * G / (height / apart + friction * aside / apart)
    assert result.pressing("ball", "other") == pytest.approx(pressing, rel=1e-6)
    assert result.iterations <= 10


def block_on_block(aside, above, friction, cells=(3, 3), side=0.1):
    """A block on a body that slides up and down, so high above another one on the ground."""
    lower = fx.Volume("lower", block((side,) * 3, (cells[0],) * 3), SOFT)
    points, tetrahedra = block((side,) * 3, (cells[1],) * 3)
    upper = fx.Volume("upper", (points + np.array([*aside, side + above]), tetrahedra), SOFT)
    ends = [[-1.0, -1.0, above + 2.0 * side - 1e-9], [1.0, 1.0, 1.0]]
    robot = fx.Robot(
        "blocks",
        volumes=[lower, upper],
        bodies=[fx.Body("hand", 0.1, (1e-4,) * 3)],
        joints=[
            fx.Slider("up", "world", "hand", (0, 0, 1)),
            fx.Clamp("hand", fx.Nodes("upper", box=ends)),
            fx.Clamp("world", fx.Nodes("lower", box=[[-1, -1, -1e-9], [1, 1, 1e-9]])),
        ],
        loads=[fx.Gravity()],
        contacts=[fx.Contact("upper", "lower", friction=friction)],
    )
    return fx.build(robot), G * (0.1 + SOFT.density * side**3)


@pytest.mark.parametrize("friction", [0.0, MU])
@pytest.mark.parametrize("aside", [(0.023, 0.011), (0.3, 0.0)])
def test_a_block_on_another_far_below(aside, friction):
    """Surfaces of volumes see each other from near alone: steps are short; beside it all is air."""
    model, weight = block_on_block(aside, 0.3, friction)
    result = fx.statics(model)
    if aside[0] > 0.1:
        assert result.status is fx.Status.UNHELD
        assert result.iterations <= 60
        return
    check_contacts(result.unwrap(), depth=1e-6)
    assert result.contact_wrench("upper", "lower")[5] == pytest.approx(weight, rel=1e-7)
    assert result.iterations <= 30


@mixed(
    together=2,
    aside=[(0.0, 0.0), (1e-4, 0.0), (5e-3, 0.0), (5e-3, -3e-3)],
    cells=[(3, 3), (4, 4), (3, 4)],
    friction=[0.0, 0.1, 0.4, 1.0],
)
def test_blocks_edge_upon_edge(aside, cells, friction):
    """Sides that are as near as what blocks lie on carry nothing, nodes upon edges rest there."""
    model, weight = block_on_block(aside, 0.0, friction, cells)
    result = fx.statics(model).unwrap()
    check_contacts(result, depth=1e-6)
    assert result.contact_wrench("upper", "lower")[5] == pytest.approx(weight, rel=1e-6)
    assert all(abs(x.normal[2]) > 0.99 for x in result.contacts if x.pressing > 0.0)
    assert result.iterations <= 8


@pytest.mark.parametrize("grown", range(-3, 5))
def test_rubbing_blocks_carry_all_of_the_weight_whatever_is_rounded(grown):
    """Of sizes that differ by roundings, some ended with a small step that left a millionth."""
    side = 0.1 * (1.0 + 2.3e-16 * grown)
    model, weight = block_on_block((0.0, 0.0), 0.0, 0.1, side=side)
    result = fx.statics(model).unwrap()
    carried = result.contact_wrench("upper", "lower")[5]
    assert carried == pytest.approx(weight, rel=1e-8)


@pytest.mark.parametrize(("speed", "told"), [(50.0, True), (0.9, False)])
def test_what_may_go_through_walls_unseen_says_so(speed, told):
    ball = fx.Body("ball", 0.01, (1e-7,) * 3, shape=fx.Sphere(5e-3))
    wall = fx.Obstacle("wall", fx.Box(5e-3, 1.0, 1.0))
    robot = fx.Robot("shot", bodies=[ball], obstacles=[wall], contacts=[fx.Contact("ball", "wall")])
    shot = {"velocity": {"ball": (0, 0, 0, speed, 0, 0)}, "place": {"ball": se3.pose((-0.1, 0, 0))}}
    motion = fx.simulate(fx.build(robot), 0.1, 5e-3, **shot).unwrap()
    assert any("may go through what is 0.0075 m thick" in x for x in motion.remarks) is told
    assert told or motion[-1].pose("ball")[0, 3] < 0.0


@pytest.mark.parametrize("friction", [0.5, 50.0])
def test_soft_blocks_rest_alike_however_the_scene_is_turned(friction):
    """Rubbing keeps what the way there was, whose steps were measured along the axes."""
    found = []
    for turn in ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.3, -0.8, 2.0)):
        R = so3.exp(np.array(turn))
        points, cells = block((0.1, 0.1, 0.05), (1, 1, 1))
        points = (points - np.array([0.05, 0.05, -0.015])) @ R.T
        soft = fx.Material(young=1e4, poisson=0.3, density=1000.0)
        robot = fx.Robot(
            "block",
            volumes=[fx.Volume("block", (points, cells), soft, quadratic=True)],
            loads=[fx.Gravity(tuple(R @ (0.0, 0.0, -G)))],
            obstacles=[fx.Obstacle("floor", fx.Plane(tuple(R[:, 2])))],
            contacts=[fx.Contact("block", "floor", friction=friction)],
        )
        model = fx.build(robot)
        assert model.length == pytest.approx(0.15, rel=1e-12)
        result = fx.statics(model).unwrap()
        found.append(result.points("block") @ R)
    np.testing.assert_allclose(found, found[:1] * len(found), atol=1e-9)
