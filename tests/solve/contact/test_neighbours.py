"""Parts that are welded, or clamped, to each other and overlap there: one piece, which is said."""

import numpy as np
import pytest
from meshes import block

import flexura as fx

POSE = fx.lie.se3.pose
RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
FOAM = fx.Material(young=1e5, poisson=0.3, density=500.0)
WORDS = "are fixed to each other and overlap as described"
# Parts may be this deep in each other, relative to the length of the robot.
DEPTH = 1e-6


def rod(name, length=0.2, radius=5e-3, **more):
    return fx.Rod(name, length, fx.Circle(radius), RUBBER, **more)


def ball(radius=0.01):
    return fx.Body("ball", 0.01, (1e-6,) * 3, shape=fx.Sphere(radius))


def said(model):
    return [x for x in model.contacts.ignored if WORDS in x]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("ahead", [0.0, 8e-3, -4e-3])
@pytest.mark.parametrize("side", [0.0, 2.0])
def test_a_ball_on_the_tip_does_not_touch_its_rod(swapped, ahead, side):
    """Bent or not, by the shape that it has without a contact; it is said once, by name."""
    alone = fx.Robot(
        "tipped",
        rods=[rod("rod")],
        bodies=[ball()],
        joints=[
            fx.Weld("world", "rod.base"),
            fx.Weld("rod.tip", "ball", offset=POSE((ahead, 0.0, 0.0))),
        ],
        loads=[fx.PointLoad("turn", "rod.tip")],
    )
    pair = ("ball", "rod") if swapped else ("rod", "ball")
    robot = fx.Robot(**{**vars_of(alone), "contacts": [fx.Contact(*pair)]})
    # κ L = 2: bent by a radius of a tenth of a metre
    stiff = RUBBER.young * np.pi * 5e-3**4 / 4.0
    load = {"turn": (0.0, side * stiff / 0.2, 0.0, 0.0, 0.0, 0.0)}
    result = fx.statics(fx.build(robot), load).unwrap()
    expected = fx.statics(fx.build(alone), load).unwrap()
    assert not result.contacts
    tips = [x.pose("ball") for x in (result, expected)]
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-9)
    told = [x for x in result.remarks if WORDS in x]
    assert len(told) == 1
    assert "'rod'" in told[0]
    assert "'ball'" in told[0]


def vars_of(robot):
    """What a robot is made of, for another one."""
    names = ("name", "rods", "bodies", "joints", "loads", "obstacles", "contacts", "volumes")
    return {name: getattr(robot, name) for name in names}


def test_a_rod_that_curls_up_touches_the_ball_on_its_own_tip():
    """Its base stops the ball; what both press is within the robot, and the couple goes through."""
    length, radius, thick = 0.2, 0.01, 2e-3
    robot = fx.Robot(
        "curls",
        rods=[rod("rod", length, thick)],
        bodies=[ball(radius)],
        joints=[fx.Weld("world", "rod.base"), fx.Weld("rod.tip", "ball")],
        loads=[fx.PointLoad("turn", "rod.tip")],
        contacts=[fx.Contact("rod", "ball")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 16))
    stiff = RUBBER.young * np.pi * thick**4 / 4.0
    result = None
    for turn in (2.0, 4.0, 5.0, 5.6, 6.0, 6.5):
        load = {"turn": (0.0, turn * stiff / length, 0.0, 0.0, 0.0, 0.0)}
        result = fx.statics(model, load, start=result).unwrap()
    assert len(said(model)) == 1
    assert result.contacts
    assert all(x.s_a < 0.5 * length for x in result.contacts)
    assert all(x.gap > -DEPTH * length for x in result.contacts)
    assert result.pressing("rod", "ball") > 0.0
    held = result.reaction("world-rod.base")
    np.testing.assert_allclose(held[3:], 0.0, atol=1e-6 * stiff / length**2)
    assert abs(held[1]) == pytest.approx(load["turn"][1], rel=1e-6)


@pytest.mark.parametrize(
    "shape", [fx.Sphere(0.01), fx.Box(0.03, 0.02, 0.02), fx.Capsule(0.01, 0.03)]
)
@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, 0.5, 0.2)])
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (0.0, 0.01, 0.0)])
def test_rods_begin_in_or_on_any_shape(shape, turn, at):
    robot = fx.Robot(
        "hand",
        rods=[rod("rod", rest=(0.0, 3.0, 0.0))],
        bodies=[fx.Body("hand", 0.1, (1e-4,) * 3, shape=shape), fx.Body("arm")],
        joints=[
            fx.Weld("world", "arm"),
            fx.Slider("lift", "arm", "hand", (0, 0, 1)),
            fx.Weld("hand", "rod.base", offset=POSE(at, turn)),
        ],
        contacts=[fx.Contact("rod", "hand")],
    )
    model = fx.build(robot)
    first = fx.simulate(model, 2e-3, 1e-3)
    assert first.status.converged
    assert not first[-1].contacts


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.5])
@pytest.mark.parametrize("inside", [False, True])
def test_rods_welded_at_an_angle_are_one_piece_in_the_corner(angle, inside):
    """Up to where their axes are as far apart as both radii, s = (r + R) / sin(angle)."""
    place = fx.At("a", 0.12) if inside else "a.tip"
    robot = fx.Robot(
        "hooks",
        rods=[rod("a"), rod("b", 0.1, 3e-3)],
        joints=[
            fx.Weld("world", "a.base"),
            fx.Weld(place, "b.base", offset=POSE((0, 0, 0), (0, 0, np.pi - angle))),
        ],
        contacts=[fx.Contact("a", "b")],
    )
    model = fx.build(robot)
    assert not fx.statics(model).unwrap().contacts
    if 8e-3 / np.sin(angle) > 0.02:
        ends = [x for x in said(model) if "of rod 'b'" in x]
        far = float(ends[0].split("s = ")[1].split(" ")[0])
        assert far == pytest.approx(8e-3 / np.sin(angle), rel=0.02)


def test_an_arm_folds_onto_the_one_that_it_is_welded_to():
    """Beyond the corner two arms of a hook press on each other."""
    robot = fx.Robot(
        "hook",
        rods=[rod("a"), rod("b", 0.15)],
        joints=[
            fx.Weld("world", "a.base"),
            fx.Weld("a.tip", "b.base", offset=POSE((0, 0, 0), (0, 0, np.pi - 0.4))),
        ],
        loads=[fx.PointLoad("turn", "b.tip")],
        contacts=[fx.Contact("a", "b")],
    )
    model = fx.build(robot)
    assert len(said(model)) == 2
    result = None
    stiff = RUBBER.young * np.pi * 5e-3**4 / 4.0
    for bend in (2.0, 4.0, 8.0, 12.0):
        result = fx.statics(model, {"turn": (0, 0, bend * stiff, 0, 0, 0)}, start=result).unwrap()
    assert result.pressing("a", "b") > 0.0
    assert min(x.gap for x in result.contacts) > -DEPTH * model.length


@pytest.mark.parametrize("rest", [None, (0.0, 0.0, 2.0 * np.pi / 0.3)])
def test_a_ring_is_one_piece_where_it_is_closed(rest):
    robot = fx.Robot(
        "ring",
        rods=[rod("rod", 0.3, rest=rest)],
        joints=[fx.Weld("world", "rod.base"), fx.Weld("rod.base", "rod.tip")],
        contacts=[fx.Contact("rod", "rod")],
    )
    model = fx.build(robot)
    result = fx.statics(model).unwrap()
    assert not result.contacts
    assert len(said(model)) == 1


def foam_on(joints, parts, contact, corner=(0.0, 0.0, 0.0), **more):
    """A block of foam of 4 cm, the lower side of which is clamped to the first of some parts."""
    points, cells = block((0.04,) * 3, (4, 4, 4))
    points = points + np.array([-0.02, -0.02, 0.0]) + np.array(corner)
    low = ((-1.0, -1.0, corner[2] - 1e-9), (1.0, 1.0, corner[2] + 1e-9))
    return fx.Robot(
        "foam",
        volumes=[fx.Volume("foam", (points, cells), FOAM)],
        joints=[*joints, fx.Clamp(parts[0].name, fx.Nodes("foam", box=low))],
        bodies=parts,
        contacts=[fx.Contact(*contact)],
        **more,
    )


@pytest.mark.parametrize("shape", [fx.Sphere(0.015), fx.Box(0.02, 0.02, 0.03)])
@pytest.mark.parametrize("contact", [("foam", "core"), ("core", "foam")])
@pytest.mark.parametrize("moves", [False, True])
def test_a_core_inside_the_foam_that_is_clamped_to_it(shape, contact, moves):
    core = fx.Body("core", 0.1, (1e-4,) * 3, shape=shape)
    there = POSE((0.01, 0.0, 0.01))
    joint = fx.Weld("world", "core", offset=there)
    if moves:
        joint = fx.Slider("lift", "world", "core", (0, 0, 1), offset=there)
    loads = [] if moves else [fx.Gravity()]
    model = fx.build(foam_on([joint], [core], contact, loads=loads))
    if moves:
        assert fx.simulate(model, 2e-3, 1e-3).status.converged
    else:
        fx.statics(model).unwrap()
    assert any("'foam'" in x and "'core'" in x for x in model.contacts.ignored)


def test_a_rod_inside_the_foam_that_is_clamped_to_its_tip():
    """The foam reaches back over the last three centimetres of the rod."""
    points, cells = block((0.06, 0.04, 0.04), (6, 4, 4))
    points = points + np.array([0.17, -0.02, -0.02])
    high = ((0.23 - 1e-9, -1.0, -1.0), (0.23 + 1e-9, 1.0, 1.0))
    robot = fx.Robot(
        "brush",
        rods=[rod("rod")],
        volumes=[fx.Volume("foam", (points, cells), FOAM)],
        joints=[fx.Weld("world", "rod.base"), fx.Clamp("rod.tip", fx.Nodes("foam", box=high))],
        contacts=[fx.Contact("rod", "foam")],
    )
    model = fx.build(robot)
    assert not fx.statics(model).unwrap().contacts
    assert len(said(model)) == 1


@pytest.mark.parametrize("at", [0.03, 0.1])
def test_what_only_stands_in_the_same_world_is_no_neighbour(at):
    """A rod through a box away from its end is refused, whatever holds both."""
    box = fx.Box(0.02, 0.02, 0.02)
    robot = fx.Robot(
        "through",
        rods=[rod("rod")],
        bodies=[fx.Body("post", shape=box)],
        joints=[fx.Weld("world", "rod.base"), fx.Weld("world", "post", offset=POSE((at, 0, 0)))],
        contacts=[fx.Contact("rod", "post")],
    )
    with pytest.raises(fx.ModelError, match="'rod' begins inside 'post'"):
        fx.statics(fx.build(robot))


def test_what_a_driven_joint_moves_apart_is_no_neighbour():
    """A rod that begins inside a block which it is pushed out of."""
    robot = fx.Robot(
        "pushed out",
        rods=[rod("rod")],
        bodies=[fx.Body("hand", 1.0, (1e-3,) * 3, shape=fx.Box(0.05, 0.05, 0.05)), fx.Body("car")],
        joints=[
            fx.Weld("world", "hand"),
            fx.Slider("feed", "hand", "car", (1, 0, 0), driven=True),
            fx.Weld("car", "rod.base"),
        ],
        contacts=[fx.Contact("rod", "hand")],
    )
    assert not said(fx.build(robot))
