"""Obstacles and contacts of a description."""

import pickle
import re

import numpy as np
import pytest

import flexura as fx

TETRA = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
SHAPES = [
    fx.Plane(normal=(0, 1, 2), point=(0, 0, -1)),
    fx.Sphere(0.1),
    fx.Box(0.1, 0.2, 0.3),
    fx.Cylinder(0.1, 0.3, axis=(0, 0, 1)),
    fx.Capsule(0.1, 0.3),
    fx.Triangles(*TETRA),
    fx.Vessel([(0, 0, 0), (1, 0, 0), (2, 1, 0)], 0.1),
]


def robot(**changes):
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    parts = {
        "rods": [fx.Rod("arm", length=0.3, section=fx.Circle(radius=0.01), material=rubber)],
        "bodies": [
            fx.Body("ball", mass=1.0, inertia=(1, 1, 1), shape=fx.Sphere(0.1)),
            fx.Body("point", mass=1.0),
        ],
        "joints": [fx.Weld("world", "arm.base")],
        "obstacles": [
            fx.Obstacle(f"x{i}", shape, pose=fx.lie.se3.pose((0, 0, 9)))
            for i, shape in enumerate(SHAPES)
        ],
        "contacts": [
            *(fx.Contact("arm", f"x{i}", friction=0.1 * i) for i in range(len(SHAPES))),
            fx.Contact("arm", "arm"), fx.Contact("arm", "ball", radius=0.02),
            fx.Contact("ball", "x0"),
        ],
    }  # fmt: skip
    return fx.Robot("touching", **(parts | changes))


def test_files_and_copies(tmp_path):
    fx.save(robot(), tmp_path / "robot.toml")
    assert fx.load(tmp_path / "robot.toml") == robot()
    assert pickle.loads(pickle.dumps(robot())) == robot()
    model = pickle.loads(pickle.dumps(fx.build(robot())))
    assert model == fx.build(robot())


@pytest.mark.parametrize(
    ("contacts", "words"),
    [
        ([("arm", "x9")], "x9"),
        ([("arm", "point")], "needs a shape"),
        ([("x0", "x1")], "fixed in the world"),
        ([("ball", "ball")], "only a rod can touch itself"),
        ([("arm", "x1"), ("x1", "arm")], "leave one out"),
    ],
)
def test_contacts_that_make_no_sense(contacts, words):
    with pytest.raises(fx.ModelError, match=words):
        robot(contacts=[fx.Contact(*pair) for pair in contacts])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: fx.Contact("a", "b", friction=-0.1), "friction"),
        (lambda: fx.Contact("a", "b", radius=0.0), "radius"),
        (
            lambda: fx.Contact("a", "b", mu=0.3),
            "no argument of Contact 'mu'.*Did you mean 'friction'",
        ),
        (lambda: fx.Contact("a", "b", fricton=0.3), "Did you mean 'friction'"),
        (lambda: fx.Contact("a", "b", weight=0.3), "there is 'a', 'b', 'friction', 'radius'"),
        (lambda: fx.Vessel([(0, 0, 0)], 0.1), "at least two"),
        (lambda: fx.Vessel([(0, 0, 0), (0, 0, 0)], 0.1), "are the same"),
        (lambda: fx.Plane(normal=(0, 0, 0)), "normal"),
        (lambda: fx.Obstacle("x", fx.Plate([(0, 0), (1, 0), (0, 1)], 0.1)), "shape"),
    ],
)
def test_bad_values(make, words):
    with pytest.raises(fx.ModelError, match=words):
        make()


@pytest.mark.parametrize("turn", [0.0, 1.0])
def test_a_vessel_bends_no_tighter_than_it_is_wide(turn):
    """A quarter of a circle between straight ends, of radius 0.05 m, through many points."""
    angles, straight = np.linspace(0.0, np.pi / 2, 30), np.linspace(0.0, 0.1, 20)[1:]
    bend = 0.05 * np.column_stack([np.sin(angles), 1.0 - np.cos(angles), 0.0 * angles])
    before = [(-x, 0.0, 0.0) for x in straight[::-1]]
    after = [(0.05, 0.05 + x, 0.0) for x in straight]
    points = np.array([*before, *bend, *after]) @ fx.lie.so3.exp([turn, 0.3 * turn, 0.0]).T
    fx.Vessel(points, 0.04)
    # splines overshoot where a circle begins: there they are tighter than it
    with pytest.raises(fx.ModelError, match=r"radius of 0\.04\d+ m at .* wall would fold") as error:
        fx.Vessel(points, 0.051)
    place = [float(x) for x in re.search(r"\((.*)\)", str(error.value))[1].split(", ")]
    assert np.linalg.norm(points - place, axis=1).min() < 0.003  # half of the way between points


def test_a_vessel_that_turns_back_is_refused():
    with pytest.raises(fx.ModelError, match="wall would fold"):
        fx.Vessel([(0, 0, 0), (0.1, 0, 0), (0, 0, 0)], 1e-4)


def test_a_robot_tells_its_contacts():
    pairs = [fx.Contact("arm", "ball", friction=0.4), fx.Contact("ball", "floor")]
    floor = [fx.Obstacle("floor", fx.Plane())]
    text = str(robot(contacts=pairs, obstacles=floor))
    assert "contacts" in text
    assert "arm with ball (friction 0.4), ball with floor" in text
    assert "contacts" not in str(robot(contacts=[]))


def test_results_keep_their_contacts(tmp_path):
    rubber = fx.Material(young=1e6, poisson=0.4, density=1000.0)
    lying = fx.Robot(
        "lying",
        rods=[fx.Rod("rod", length=0.3, section=fx.Circle(radius=0.01), material=rubber)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane(point=(0, 0, -0.02)))],
        contacts=[fx.Contact("rod", "floor", friction=0.2)],
    )
    result = fx.statics(fx.build(lying, rods=fx.Spline(3, 6))).unwrap()
    assert result.contacts
    fx.save_result(result, tmp_path / "a.npz")
    for again in (fx.load_result(tmp_path / "a.npz"), pickle.loads(pickle.dumps(result))):
        assert len(again.contacts) == len(result.contacts)
        for a, b in zip(again.contacts, result.contacts, strict=True):
            np.testing.assert_array_equal(a.force, b.force)
            np.testing.assert_array_equal(a.slip, b.slip)
            assert (a.s, a.gap) == (b.s, b.gap)


def test_slips_are_asked_about():
    """Obstacles that nothing names, and friction in percent."""
    box = fx.Body("box", 0.1, (1e-4,) * 3, shape=fx.Box(0.1, 0.1, 0.1))
    walls = [fx.Obstacle("floor", fx.Plane()), fx.Obstacle("wall", fx.Plane(normal=(1, 0, 0)))]
    robot = fx.Robot(
        "slips", bodies=[box], obstacles=walls, contacts=[fx.Contact("box", "floor", friction=30)]
    )
    idle, rough = robot.doubts
    assert "'wall' is in no Contact" in idle
    assert "friction of 30" in rough


@pytest.mark.parametrize(
    ("shape", "asked"),
    [
        (fx.Box(400, 400, 20), True), (fx.Sphere(20.0), True), (fx.Cylinder(30.0, 80.0), True),
        (fx.Triangles([(0, 0, 0), (60, 0, 0), (0, 50, 0), (0, 0, 40)],
                      [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]), True),
        (fx.Box(20.0, 20.0, 0.1), False), (fx.Capsule(0.05, 40.0), False), (fx.Sphere(1.0), False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["obstacle", "body"])
def test_solids_in_millimetres(shape, asked, kind):
    """A table of 20 mm is 20 m thick; one of 20 m by 20 m is a floor."""
    finger = fx.Rod("finger", 0.1, fx.Circle(6e-3), fx.materials.ecoflex_00_30)
    parts = (
        {"obstacles": [fx.Obstacle("table", shape)]}
        if kind == "obstacle"
        else {"bodies": [fx.Body("table", 1.0, (1.0,) * 3, shape=shape)]}
    )
    robot = fx.Robot("slip", rods=[finger], contacts=[fx.Contact("finger", "table")], **parts)
    told = [x for x in robot.doubts if "multiply millimetres" in x]
    assert len(told) == asked
    assert all(x.startswith(f"{kind} 'table' is ") for x in told)


def test_too_few_triangles_say_how_many_there_are():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    with pytest.raises(fx.ModelError, match="got 3, as no fewer close around anything"):
        fx.Triangles(corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3)])


@pytest.mark.parametrize("part", ["needle", "inner"])
def test_tubes_of_sets_do_not_touch_yet(part):
    tube = fx.Rod("inner", 0.2, fx.Circle(1e-3), fx.Material(young=5e10, poisson=0.3))
    with pytest.raises(fx.ModelError, match=r"'needle' is a set of tubes.*: 'inner'; .*as a Rod"):
        fx.Robot(
            "needle",
            tubes=[fx.TubeSet("needle", tubes=[tube])],
            joints=[fx.Weld("world", "needle.base")],
            obstacles=[fx.Obstacle("ball", fx.Sphere(0.1), pose=fx.lie.se3.pose((0, 0, 1)))],
            contacts=[fx.Contact(part, "ball")],
        )
