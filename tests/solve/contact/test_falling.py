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


def shot_at(kind, speed, place=(-0.1, 0, 0)):
    """A ball that flies towards a wall, or past it; it is light, and moves nothing."""
    ball = fx.Body("ball", 1e-5, (1e-10,) * 3, shape=fx.Sphere(5e-3))
    contact = fx.Contact("ball", "wall")
    robot = fx.Robot("shot", bodies=[ball], contacts=[contact], **walls(kind))
    shot = {"velocity": {"ball": (0, 0, 0, speed, 0, 0)}, "place": {"ball": se3.pose(place)}}
    return fx.simulate(fx.build(robot, rods=RODS[0]), 0.02, 5e-3, **shot).unwrap()


def held_block(size, cells):
    """A soft block about the origin whose far side is held."""
    points, tetrahedra = block(size, cells)
    far = fx.Nodes("wall", box=[[0.5 * size[0] - 1e-9, -1, -1], [1, 1, 1]])
    wall = fx.Volume("wall", (points - 0.5 * np.array(size), tetrahedra), PLASTIC)
    return {"volumes": [wall], "joints": [fx.Clamp("world", far)]}


def held_rod():
    """A rod across the way."""
    rod = fx.Rod("wall", 0.2, fx.Circle(radius=2e-3), PLASTIC)
    base = se3.pose((0, -0.1, 0), (0, 0, 0.5 * np.pi))
    return {"rods": [rod], "joints": [fx.Weld("world", "wall.base", offset=base)]}


def box_of_triangles(x, y, z):
    points, tetrahedra = block((x, y, z), (1, 1, 1))
    mesh = fx.Volume("box", (points, tetrahedra), SOFT).mesh
    return points - 0.5 * np.array([x, y, z]), mesh.boundary


def walls(kind):
    if kind == "block":
        return held_block((0.01, 0.06, 0.06), (1, 6, 6))
    if kind == "rod":
        return held_rod()
    shapes = {
        "plate": fx.Box(5e-3, 1.0, 1.0),
        "ball": fx.Sphere(5e-3),
        "mesh": fx.Triangles(*box_of_triangles(5e-3, 0.2, 0.2)),
    }
    return {"obstacles": [fx.Obstacle("wall", shapes[kind])]}


@mixed(kind=["plate", "ball", "mesh", "block", "rod"], speed=[15.0, 50.0])
def test_nothing_goes_through_what_is_thinner_than_its_steps(kind, speed):
    motion = shot_at(kind, speed)
    assert motion[-1].pose("ball")[0, 3] < 0.0
    assert len(motion.cuts) == 1
    assert not any("went through" in x for x in motion.remarks)


@pytest.mark.parametrize("kind", ["plate", "ball", "mesh", "block", "rod"])
def test_what_is_too_fast_for_any_step_goes_through_and_says_so(kind):
    motion = shot_at(kind, 1e4)
    assert motion[-1].pose("ball")[0, 3] > 1.0
    assert any("'ball' went through 'wall' unseen" in x for x in motion.remarks)


@pytest.mark.parametrize("kind", ["plate", "ball", "mesh", "block", "rod"])
def test_what_flies_past_is_no_leap(kind):
    """Beside it, and away from it, with as long steps."""
    for place, speed in (((-0.1, 0, 0.6), 50.0), ((-0.1, 0, 0), -50.0), ((0.1, 0, 0), 50.0)):
        motion = shot_at(kind, speed, place)
        assert motion.cuts == ()
        assert not any("went through" in x for x in motion.remarks)


@pytest.mark.parametrize("height", [0.3, 0.305, 0.31])
@pytest.mark.parametrize("step", [5e-3, 1e-2])
def test_soft_blocks_do_not_fall_through_plates(height, step):
    """Nodes of a volume are particles: frames without mass."""
    plate = fx.Obstacle("plate", fx.Box(0.3, 0.3, 2e-3), pose=se3.pose((0, 0, -height)))
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    soft = fx.Volume("soft", block((0.02,) * 3, (1, 1, 1)), rubber)
    robot = fx.Robot(
        "dropped",
        volumes=[soft],
        obstacles=[plate],
        contacts=[fx.Contact("soft", "plate")],
        loads=[fx.Gravity()],
    )
    motion = fx.simulate(fx.build(robot), 0.5, step).unwrap()
    assert motion[-1].points("soft")[:, 2].min() > 9e-4 - height
    assert not any("went through" in x for x in motion.remarks)
