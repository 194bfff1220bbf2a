"""Volumes that only contacts hold: on planes, between plates, on free sliders, on slopes."""

import re

import numpy as np
import pytest
from contact_laws import check_contacts
from meshes import block
from scipy.optimize import brentq
from support import mixed

import flexura as fx

G, SIDE, HIGH = 9.81, 0.1, 0.12
YOUNG, POISSON = 1e5, 0.3
SOFT = fx.Material(young=YOUNG, poisson=POISSON, density=1000.0)
LIGHT = fx.Material(young=YOUNG, poisson=POISSON, density=0.0)
FLOOR = fx.Obstacle("floor", fx.Plane())


def cube(cells=3, above=0.0, quadratic=False, law="corotational", material=SOFT):
    points, tetrahedra = block((SIDE, SIDE, HIGH), (cells,) * 3)
    points = points + np.array([-0.5 * SIDE, -0.5 * SIDE, above])
    return fx.Volume("cube", (points, tetrahedra), material, law=law, quadratic=quadratic)


def on_slider(volume, friction, side):
    """A cube on a body that slides up and down, held by its upper side or another one."""
    ends = np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    ends[:, side] = volume.mesh.points[:, side].max() + np.array([-1e-9, 1e-9])
    robot = fx.Robot(
        "slides",
        volumes=[volume],
        bodies=[fx.Body("hand", 0.1, (1e-4,) * 3)],
        joints=[
            fx.Slider("up", "world", "hand", (0, 0, 1)),
            fx.Clamp("hand", fx.Nodes("cube", box=ends)),
        ],
        loads=[fx.Gravity()],
        obstacles=[FLOOR],
        contacts=[fx.Contact("cube", "floor", friction=friction)],
    )
    return fx.build(robot)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize(
    ("volume", "side"),
    [
        (cube(3), 2),
        (cube(6, above=1e-3), 2),
        (cube(4, above=0.03), 1),
        (cube(2, quadratic=True), 0),
        (cube(3, above=1e-3, quadratic=True, law="neo-hookean"), 2),
    ],
)
def test_the_floor_carries_what_slides(volume, side, friction):
    """Nothing else does: the weight of the cube and of the body."""
    result = fx.statics(on_slider(volume, friction, side)).unwrap()
    check_contacts(result)
    carried = sum(x.pressing for x in result.contacts)
    weight = G * (0.1 + SOFT.density * SIDE**2 * HIGH)
    assert carried == pytest.approx(weight, rel=1e-8)
    assert result.stable is (True if friction == 0.0 else None)
    assert result.iterations <= 8


def between_plates(volume, force):
    """A cube without weight that stands free between a floor and a plate that presses on it.

    The plate reaches beyond it on one side: none of its own corners and middles is on the cube.
    """
    thick = 0.02
    top = fx.lie.se3.pose((0.15, 0.0, HIGH + 0.5 * thick))
    robot = fx.Robot(
        "press",
        volumes=[volume],
        bodies=[fx.Body("plate", 0.1, (1e-4,) * 3, shape=fx.Box(0.5, 0.3, thick))],
        joints=[fx.Slider("press", "world", "plate", (0, 0, 1), offset=top)],
        loads=[fx.PointLoad("weight", "plate", force=(0.0, 0.0, -force))],
        obstacles=[FLOOR],
        contacts=[fx.Contact("cube", "floor"), fx.Contact("cube", "plate")],
    )
    return fx.build(robot)


def uniaxial(law, stress):
    """Stretches along and across of a bar under a force per area of its unloaded section."""
    mu = 0.5 * YOUNG / (1.0 + POISSON)
    lame = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON))
    if law == "corotational":
        return 1.0 + stress / YOUNG, 1.0 - POISSON * stress / YOUNG
    if law == "saint-venant-kirchhoff":  # P = E a (a² - 1)/2
        a = brentq(lambda a: 0.5 * YOUNG * a * (a * a - 1.0) - stress, 0.7, 1.3, xtol=1e-15)
        return a, np.sqrt(1.0 - POISSON * (a * a - 1.0))

    def across(a):  # no stress across: μ (b - 1/b) + λ ln(a b²) / b = 0
        return brentq(lambda b: mu * (b * b - 1.0) + lame * np.log(a * b * b), 0.7, 1.5, xtol=1e-15)

    def excess(a):
        return mu * (a - 1.0 / a) + lame * np.log(a * across(a) ** 2) / a - stress

    a = brentq(excess, 0.7, 1.3, xtol=1e-15)
    return a, across(a)


@mixed(law=["corotational", "saint-venant-kirchhoff", "neo-hookean"], quadratic=[False, True])
def test_between_plates_stress_is_uniform(quadratic, law):
    """The patch test: every node where the closed form has it, forces those of a uniform stress."""
    volume = cube(3, quadratic=quadratic, law=law, material=LIGHT)
    force = 0.1 * YOUNG * SIDE**2
    result = fx.statics(between_plates(volume, force)).unwrap()
    check_contacts(result)
    assert result.stable
    along, across = uniaxial(law, -force / SIDE**2)
    # it may slide and turn on the floor: distances of nodes tell
    rest, moved = volume.elements.points, result.points("cube")
    expected = rest * np.array([across, across, along])
    rest_pairs = np.random.default_rng(0).integers(len(rest), size=(2, 400))
    apart, wanted = (
        np.linalg.norm(x[rest_pairs[0]] - x[rest_pairs[1]], axis=1) for x in (moved, expected)
    )
    np.testing.assert_allclose(apart, wanted, atol=1e-8 * SIDE)
    for side in ("floor", "plate"):
        carried = [x.pressing for x in result.contacts if side in (x.a, x.b)]
        assert sum(carried) == pytest.approx(force, rel=1e-8)
    # of 18 triangles on the floor each carries the same, a third at each of its three nodes
    shares = np.array([x.pressing for x in result.contacts if x.b == "floor"]) * 54.0 / force
    np.testing.assert_allclose(shares, np.round(shares), atol=1e-6)
    assert shares.max() == pytest.approx(2.0 if quadratic else 6.0, abs=1e-6)


def on_slope(degrees, friction):
    angle = np.radians(degrees)
    pull = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    robot = fx.Robot(
        "slope",
        volumes=[cube(3)],
        loads=[fx.Gravity(pull)],
        obstacles=[FLOOR],
        contacts=[fx.Contact("cube", "floor", friction=friction)],
    )
    return fx.build(robot)


def test_a_cube_sticks_up_to_the_angle_of_friction():
    """tan α = μ, whatever gives in between."""
    limit = np.degrees(np.arctan(0.4))
    result = fx.statics(on_slope(limit - 0.05, 0.4)).unwrap()
    check_contacts(result)
    total = sum((x.force for x in result.contacts), np.zeros(3))
    weight = G * SOFT.density * SIDE**2 * HIGH
    slope = np.radians(limit - 0.05)
    wanted = weight * np.array([-np.sin(slope), 0.0, np.cos(slope)])
    np.testing.assert_allclose(total, wanted, atol=1e-7 * weight)


@pytest.mark.parametrize(
    ("degrees", "friction"), [(0.05, 0.4), (0.2, 0.4), (1.0, 0.4), (8.0, 0.4), (-20.0, 0.0)]
)
def test_beyond_it_is_said_that_it_slides(degrees, friction):
    """Down the slope, but for what a mesh that is not symmetric creeps aside on its way."""
    result = fx.statics(on_slope(np.degrees(np.arctan(friction)) + degrees, friction))
    assert result.status is fx.Status.UNHELD
    along = re.findall(r"'cube' slides freely along \(([^)]*)\)", " ".join(result.remarks))
    ways = [np.fromstring(x, sep=",") for x in along]
    assert any(np.linalg.norm(way - np.array([1.0, 0.0, 0.0])) <= 0.01 for way in ways)
    assert result.iterations <= 20


def test_what_is_lifted_off_is_not_held():
    model = on_slider(cube(3), 0.3, 2)
    robot = fx.Robot(
        "lifted",
        volumes=model.robot.volumes,
        bodies=model.robot.bodies,
        joints=model.robot.joints,
        loads=[fx.PointLoad("lift", "hand", force=(0.0, 0.0, 1.0))],
        obstacles=model.robot.obstacles,
        contacts=model.robot.contacts,
    )
    result = fx.statics(fx.build(robot))
    assert result.status is fx.Status.UNHELD
    assert any("slide freely along (0, 0, 1), in joint 'up'" in words for words in result.remarks)
    assert result.iterations <= 10


def test_it_falls_on_what_is_far_below():
    """As far as the cube is high, several times; free motions are named."""
    robot = fx.Robot(
        "falls",
        volumes=[cube(3, above=0.5)],
        loads=[fx.Gravity()],
        obstacles=[FLOOR],
        contacts=[fx.Contact("cube", "floor")],
    )
    result = fx.statics(fx.build(robot)).unwrap()
    check_contacts(result)
    weight = G * SOFT.density * SIDE**2 * HIGH
    assert sum(x.pressing for x in result.contacts) == pytest.approx(weight, rel=1e-8)
    assert sum("freely" in words for words in result.remarks) == 3


def test_a_volume_that_may_touch_nothing_is_refused():
    robot = fx.Robot("flies", volumes=[cube(2)], loads=[fx.Gravity()])
    with pytest.raises(fx.ModelError, match="no way to the world"):
        fx.statics(fx.build(robot))


def quadratic_pad(cells):
    soft = fx.Material(young=2e5, poisson=0.3, density=1100.0)
    pad = fx.Volume("pad", block((0.06, 0.04, 0.02), cells), soft, quadratic=True)
    robot = fx.Robot(
        "pad",
        volumes=[pad],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[fx.Contact("pad", "table", friction=0.5)],
    )
    return fx.build(robot)


@pytest.mark.parametrize("cold", [True, False])
@pytest.mark.parametrize("beyond", [0.02, 0.1, 0.5, 4.0])
def test_a_quadratic_block_slides_beyond_the_angle_of_friction(beyond, cold):
    """Down the slope and nowhere else, however little is beyond, at once."""
    model = quadratic_pad((3, 2, 1))
    angle = np.arctan(0.5) + np.radians(beyond)
    gravity = 9.81 * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    start = None if cold else fx.statics(model).unwrap()
    found = fx.statics(model, {"gravity": gravity}, start=start)
    assert found.status is fx.Status.UNHELD
    assert "volume 'pad' slides freely along (1, 0, 0)" in found.remarks
    assert found.iterations <= 6


def test_a_quadratic_block_sticks_below_the_angle_of_friction():
    """Props let it slide before it presses; friction brings it back."""
    model = quadratic_pad((6, 4, 2))
    level = fx.statics(model).unwrap()
    for angle in np.radians([5.0, 20.0]):
        gravity = 9.81 * np.array([np.sin(angle), 0.0, -np.cos(angle)])
        found = fx.statics(model, {"gravity": gravity}, start=level).unwrap()
        wrench = sum(x.force for x in found.contacts)
        weight = 1100.0 * 0.06 * 0.04 * 0.02
        np.testing.assert_allclose(wrench, -weight * gravity, atol=1e-6 * weight * 9.81)
