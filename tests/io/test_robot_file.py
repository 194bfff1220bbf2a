import os
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexura.errors import FileError, FlexuraError, ModelError
from flexura.io import load, save
from flexura.io.robot_file import LARGEST
from flexura.robot import (
    At,
    Ball,
    Body,
    Box,
    Circle,
    Convergent,
    Cylinder,
    Discs,
    Gravity,
    Helical,
    Hinge,
    LineLoad,
    Material,
    Motor,
    Parallel,
    Piecewise,
    Plate,
    PointLoad,
    Pulley,
    Rectangle,
    Robot,
    Rod,
    Routing,
    Section,
    Slider,
    Sphere,
    SplineRest,
    Taper,
    Tendon,
    Tube,
    Weld,
)
from flexura.robot import materials as materials_table

ARM = """\
name = "arm"

[materials.steel]
young = 210e9
poisson = 0.3125
density = 7800

[[rods]]
name = "backbone"
length = 0.242
section = { type = "Circle", radius = 4e-4 }
material = "steel"
rest = [0, 0.0, 1.0]

[[rods]]
name = "tip"
length = 0.1
section.type = "Taper"
section.base_section = { type = "Tube", outer = 4e-4, inner = 1e-4 }
section.tip_section = { type = "Tube", outer = 3e-4, inner = 1e-4 }
material = { young = 60e9, shear = 20e9 }

[[joints]]
type = "Weld"
a = "world"
b = "backbone.base"
offset = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

[[joints]]
type = "Weld"
name = "grip"
a = "backbone.tip"
b = "tip.base"

[[loads]]
type = "Gravity"

[[loads]]
type = "PointLoad"
name = "pull"
at = { rod = "backbone", s = 0.1 }
force = [0.0, 0.0, 1.0]

[[tendons]]
name = "left"
rod = "backbone"
routing = { type = "Discs", at = [0.1, 0.2], y = 0.008, z = [0, 1e-3] }

[[tendons]]
name = "long"
rod = ["backbone", "tip"]
routing.type = "Piecewise"
routing.pieces = [
    [0.242, { type = "Helical", radius = 0.01, turns = 1 }],
    [0.342, { type = "Convergent", y = 0.01, z = 0.0 }],
]
start = 0.01
drive = "length"
"""
CRANK = """\
name = "crank"
bodies = [
    { name = "wheel", mass = 2, inertia = [1, 1, 2], center = [0, 0, 0.1], shape = WHEEL },
    { name = "cart" },
]

[[joints]]
type = "Motor"
name = "motor"
axis = [0, 0, 2]
point = [1.0, 0.0, 0.0]
drives."rod.base" = [[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
drives.wheel = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

[[joints]]
type = "Hinge"
name = "pin"
a = { rod = "rod", s = 0.5 }
b = { rod = "cart", offset = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.2], [0, 0, 0, 1]] }
axis = [0.0, 1.0, 0.0]

[[joints]]
type = "Slider"
name = "rail"
a = "world"
b = "cart"
axis = [1, 0, 0]
driven = true

[[joints]]
type = "Ball"
name = "ball"
a = "rod.tip"
b = "wheel"

[[loads]]
type = "Pulley"
name = "weight"
at = "wheel"
point = [0, 0, 1]
force = 3

[[rods]]
name = "rod"
length = 1.0
section = { type = "Circle", radius = 1e-3 }
material = { young = 1e9, poisson = 0.3 }
""".replace("WHEEL", '{ type = "Cylinder", radius = 0.3, length = 0.1 }')
PIECES = ARM.split("routing.pieces = ")[1].split("\nstart")[0]
STEEL = Material(210e9, poisson=0.3125, density=7800.0)
ROBOT = Robot(
    "arm",
    rods=[
        Rod("backbone", 0.242, Circle(4e-4), STEEL, rest=(0, 0, 1)),
        Rod("tip", 0.1, Taper(Tube(4e-4, 1e-4), Tube(3e-4, 1e-4)), Material(60e9, shear=20e9)),
    ],
    joints=[
        Weld("world", "backbone.base", np.eye(4)),
        Weld("backbone.tip", "tip.base", name="grip"),
    ],
    loads=[Gravity(), PointLoad("pull", At("backbone", 0.1), force=(0, 0, 1))],
    tendons=[
        Tendon("left", "backbone", Discs([0.1, 0.2], 0.008, (0.0, 1e-3))),
        Tendon(
            "long",
            ("backbone", "tip"),
            Piecewise([(0.242, Helical(0.01, 1)), (0.342, Convergent(0.01, 0.0))]),
            start=0.01,
            drive="length",
        ),
    ],
)


def shifted(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


CRANK_ROBOT = Robot(
    "crank",
    rods=[Rod("rod", 1.0, Circle(1e-3), Material(1e9, poisson=0.3))],
    bodies=[Body("wheel", 2.0, (1, 1, 2), (0, 0, 0.1), Cylinder(0.3, 0.1)), Body("cart")],
    joints=[
        Motor("motor", (0, 0, 1), (1, 0, 0), {"rod.base": shifted(0.5, 0, 0), "wheel": np.eye(4)}),
        Hinge("pin", At("rod", 0.5), At("cart", offset=shifted(0, 0, 0.2)), (0, 1, 0)),
        Slider("rail", "world", "cart", (1, 0, 0), driven=True),
        Ball("ball", "rod.tip", "wheel"),
    ],
    loads=[Pulley("weight", "wheel", (0, 0, 1), 3.0)],
)


@pytest.fixture
def arm(tmp_path):
    """Write a text to a file that `load` can read."""

    def write(text):
        path = tmp_path / "arm.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# -- reading ---------------------------------------------------------------------------------------


def test_a_file_is_its_robot(arm):
    assert load(arm(ARM)) == ROBOT
    assert load(str(arm(ARM))) == ROBOT
    assert load(arm(b"\xef\xbb\xbf" + ARM.replace("\n", "\r\n").encode())) == ROBOT  # Windows


def test_a_file_with_bodies_is_its_robot(arm):
    assert load(arm(CRANK)) == CRANK_ROBOT


def test_the_page_on_the_format_shows_files_that_load(arm):
    page = Path(__file__).parents[2] / "docs" / "robot_file.md"
    _, first, *others = page.read_text().split("```toml\n")
    assert load(arm(first.split("```")[0])).name == "arm"
    (second,) = (text for text in others if text.startswith("name = "))
    assert [body.name for body in load(arm(second.split("```")[0])).bodies] == ["platform"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("degree = 2", "degree = 9", ["rods[0].rest.degree", "from 2 to 5", "got 9"]),
        ("degree = 2", "degre = 2", ["rods[0].rest.degre", "Did you mean 'degree'"]),
        ("[[1, 0, 0, 0.01]", "[[2, 0, 0, 0.01]", ["rods[0].rest.control_poses[1]", "rotation"]),
        ("[[1, 0, 0, 0.01]", "[[1, 0, 0, nan]", ["rods[0].rest.control_poses[1][0][3]", "nan"]),
        ('type = "SplineRest"\n', "", ["rods[0].rest.type", "missing", "'SplineRest'"]),
        ("length = 0.03120344", "length = 0.03", ["rods[0].length", "0.031203440973", "0.03;"]),
        ("control_poses = [", "control_poses = []\nx = [", ["rods[0].rest.x", "no key 'x'"]),
    ],
)
def test_what_is_wrong_with_a_drawn_rest_shape_is_said_with_its_key(arm, old, new, words):
    text = drawn_rod()
    assert load(arm(text)).rods[0].rest.degree == 2
    assert old in text
    with pytest.raises(FileError) as caught:
        load(arm(text.replace(old, new, 1)))
    for word in words:
        assert word in str(caught.value)


def drawn_rod():
    """The rod on the page on the format whose rest shape is drawn."""
    page = Path(__file__).parents[2] / "docs" / "robot_file.md"
    (rod,) = (text for text in page.read_text().split("```toml\n") if "SplineRest" in text[:400])
    joint = '[[joints]]\ntype = "Weld"\na = "world"\nb = "spring.base"\n'
    return f'name = "spring"\n{rod.split("```")[0]}{joint}'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("radius = 4e-4", "radius = -4e-4", ["rods[0].section.radius", "> 0", "-0.0004"]),
        ("radius = 4e-4", 'radius = "4e-4"', ["rods[0].section.radius", "plain number", "'4e-4'"]),
        ("radius = 4e-4", "radius = true", ["rods[0].section.radius", "True"]),
        ("radius = 4e-4", "radius = 1e999", ["rods[0].section.radius", "finite", "inf"]),
        ("radius = 4e-4", "radius = nan", ["rods[0].section.radius", "finite", "nan"]),
        ("radius = 4e-4", f"radius = {'9' * 4000}", ["rods[0].section.radius", "finite"]),
        ("radius = 4e-4", f"radius = {'9' * 5000}", ["not valid TOML", "digits"]),
        ("radius = 4e-4", "radius = 1979-05-27", ["rods[0].section.radius", "datetime.date"]),
        ("radius = 4e-4", "radius = [1.0]", ["rods[0].section.radius", "[1.0]"]),
        ("radius = 4e-4", "radius = { m = 1.0 }", ["rods[0].section.radius", "{'m': 1.0}"]),
        ("radius = 4e-4", "radus = 4e-4", ["rods[0].section.radus", "Did you mean 'radius'"]),
        (", radius = 4e-4", "", ["rods[0].section.radius", "radius and diameter", "got none"]),
        ('"Circle"', '"Circel"', ["rods[0].section.type", "Did you mean 'Circle'"]),
        ('"Circle"', "3", ["rods[0].section.type", "no type 3", "'Circle'"]),
        ('type = "Circle", ', "", ["rods[0].section.type", "missing", "'Circle', 'Tube'"]),
        ('{ type = "Circle", radius = 4e-4 }', '"Circle"', ["rods[0].section", "'Circle'"]),
        ('{ type = "Tube", outer = 3e-4', '{ type = "Circle"', ["tip_section.inner", "no key"]),
        ('{ type = "Tube", outer = 3e-4', '{ type = "Taper"', ["tip_section.type", "'Taper'"]),
        ("outer = 3e-4", "outer = 0.5e-4", ["rods[1].section.tip_section.inner", "outer, inner"]),
        ('material = "steel"', 'material = "stel"', ["rods[0].material", "Did you mean 'steel'"]),
        ('material = "steel"', "material = 7", ["rods[0].material", "Material", "7"]),
        ('material = "steel"', "", ["rods[0].material", "missing"]),
        ("[materials.steel]\n", "[materials]\nsteel = 3\n[old]\n", ["materials.steel", "int 3"]),
        ("young = 210e9", "young = 0", ["materials.steel.young", "> 0"]),
        ("poisson = 0.3125", "", ["materials.steel.poisson", "exactly one of"]),
        ("shear = 20e9", "sheer = 20e9", ["rods[1].material.sheer", "Did you mean 'shear'"]),
        ("rest = [0, 0.0, 1.0]", "rest = [0, 1.0]", ["rods[0].rest", "3 or 6", "[0, 1.0]"]),
        ("rest = [0, 0.0, 1.0]", "rest = [0, 0.0, inf]", ["rods[0].rest[2]", "inf"]),
        ("rest = [0, 0.0, 1.0]", 'rest = "__import__(1)"', ["rods[0].rest", "3 or 6"]),
        ("length = 0.242\n", "", ["rods[0].length", "missing", "Rod"]),
        ("length = 0.242", "lenght = 0.242", ["rods[0].lenght", "Did you mean 'length'"]),
        ('name = "tip"', 'name = "backbone"', ["backbone"]),
        ('name = "arm"\n', "", ["arm.toml: name: ", "missing", "Robot"]),
        ('name = "arm"', 'name = ["arm"]', ["arm.toml: name: ", "['arm']"]),
        ('name = "arm"', 'name = "arm"\nbodys = []', ["arm.toml: bodys: ", "'rods'"]),
        ('name = "arm"', 'name = "arm"\ntendon = 1', ["arm.toml: tendon: ", "no key 'tendon'"]),
        ('type = "Weld"', 'type = "Welt"', ["joints[0].type", "Did you mean 'Weld'"]),
        ('type = "Weld"\n', "", ["joints[0].type", "missing", "'Weld'"]),
        ('a = "world"', 'a = "wrld"', ["joints[0]", "Did you mean 'world'"]),
        ('a = "world"', "a = { s = 0.1 }", ["joints[0].a.rod", "missing"]),
        ('a = "world"', 'a = { rod = "tp" }', ["joints[0]", "Did you mean 'tip'"]),
        ('a = "world"', 'a = { rod = "tip", s = 0.2 }', ["joints[0].a.s", "[0, 0.1] m"]),
        ('a = "world"', 'a = { rod = "backbone" }', ["joints[0].b", "carried by 'backbone.base'"]),
        ("[1, 0, 0, 0]", "[2, 0, 0, 0]", ["joints[0].offset", "rotation"]),
        ("[1, 0, 0, 0]", "[1, 0, 0]", ["joints[0].offset[0]", "4 finite numbers"]),
        (
            'b = "tip.base"',
            'b = "tip.base"\n[[joints]]\ntype = "Weld"\na = "tip.base"\nb = "backbone.tip"',
            ["joints", "attached twice", "'grip'", "'tip.base-backbone.tip'"],
        ),
        ('type = "Gravity"', 'type = "Gravity"\nname = "grip"', ["loads[0].name", "joints[1]"]),
        ("s = 0.1", "s = 0.3", ["loads[1].at.s", "[0, 0.242] m", "0.3"]),
        ("s = 0.1", "s = 0.1, t = 2", ["loads[1].at.t", "'offset', 'rod', 's'"]),
        ("s = 0.1", "s = -0.1", ["loads[1].at.s", ">= 0"]),
        ('rod = "backbone"', 'rod = "bckbone"', ["loads[1]", "Did you mean 'backbone'"]),
        ("force = [0.0, 0.0, 1.0]", "force = 1.0", ["loads[1].force", "3 finite numbers"]),
        ("force = [0.0", "follower = 1\nforce = [0.0", ["loads[1].follower", "True or False"]),
        ("y = 0.008", "y = inf", ["tendons[0].routing.y", "finite", "inf"]),
        ("y = 0.008", "y = [1]", ["tendons[0].routing.y", "2 numbers, one per disc"]),
        ("y = 0.008, ", "", ["tendons[0].routing.y", "missing", "Discs"]),
        ("at = [0.1, 0.2]", "at = [0.1, 0.3]", ["tendons[0].routing.at[1]", "[0, 0.242] m"]),
        ('type = "Discs"', 'type = "Disks"', ["tendons[0].routing.type", "Did you mean 'Discs'"]),
        ('type = "Discs"', 'type = "Routing"', ["tendons[0].routing.at", "'function'"]),
        (
            '{ type = "Discs", at = [0.1, 0.2], y = 0.008, z = [0, 1e-3] }',
            '{ type = "Routing", function = "s" }',
            ["tendons[0].routing.function", "a function of arc length", "'s'"],
        ),
        ('type = "Helical"', 'type = "Discs"', ["tendons[1].routing.pieces[0][1].type", "'Discs'"]),
        ("radius = 0.01", "radius = 0", ["tendons[1].routing.pieces[0][1].radius", "> 0"]),
        ("radius = 0.01", "radius = 0.02", ["tendons[1].routing.pieces[1][1]", "(0.01, 0) m"]),
        ("[0.342, {", "[0.3, {", ["tendons[1].routing.pieces[1][0]", "where the tendon ends"]),
        ("[0.342, {", "[0.342, 1, {", ["tendons[1].routing.pieces[1]", "pair"]),
        ("[0.342, {", "{", ["not valid TOML"]),
        (PIECES, "3", ["tendons[1].routing.pieces", "list of tables, got 3", "pieces = [...]"]),
        (PIECES, "[]", ["tendons[1].routing.pieces", "list of (end, routing)"]),
        ("pieces = [\n", "pieces = [3,\n", ["tendons[1].routing.pieces[0]", "pair", "got 3"]),
        ('["backbone", "tip"]', '["backbone", "tp"]', ["tendons[1]", "Did you mean 'tip'"]),
        ('["backbone", "tip"]', '["tip", "backbone"]', ["tendons[1].rod", "Weld('tip.tip'"]),
        ('["backbone", "tip"]', "3", ["tendons[1].rod", "got 3"]),
        ("start = 0.01", "start = 0.4", ["tendons[1].start", "0.342", "'backbone', 'tip'"]),
        ('drive = "length"', 'drive = "lenght"', ["tendons[1].drive", "Did you mean 'length'"]),
        ('drive = "length"', "stiffness = -1", ["tendons[1].stiffness", "> 0"]),
        ('drive = "length"', "stifness = 1", ["tendons[1].stifness", "Did you mean 'stiffness'"]),
        ('name = "left"', 'name = "pull"', ["tendons[0].name", "loads[1] and tendons[0]"]),
        ("[[tendons]]", "[tendons]", ["not valid TOML"]),
        ('name = "arm"', 'name = "arm', ["not valid TOML", "line 1", "column"]),
        ('name = "arm"', 'name = "arm"\nname = "arm"', ["not valid TOML", "line 2"]),
    ],
)
def test_what_is_wrong_is_said_with_its_key(arm, old, new, words):
    assert old in ARM
    path = arm(ARM.replace(old, new, 1))
    with pytest.raises(FileError) as caught:
        load(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass = 2", "mass = -2", ["bodies[0].mass", ">= 0", "-2"]),
        ("inertia = [1, 1, 2]", "inertia = [1, 1, 3]", ["bodies[0].inertia", "sum of the others"]),
        ("radius = 0.3", "radius = 0", ["bodies[0].shape.radius", "> 0"]),
        ('"Cylinder"', '"Cylindre"', ["bodies[0].shape.type", "Did you mean 'Cylinder'"]),
        ('name = "cart"', 'name = "rod"', ["bodies[1].name", "rods[0] and bodies[1]", "'rod'"]),
        ('name = "cart"', 'name = "ca.rt"', ["bodies[1].name", "without '.'"]),
        ('name = "cart"', 'name = "cart", type = "Body"', ["bodies[1].type", "no key 'type'"]),
        ('"Hinge"', '"Hinges"', ["joints[1].type", "Did you mean 'Hinge'"]),
        ("axis = [0.0, 1.0, 0.0]\n", "", ["joints[1].axis", "missing", "Hinge"]),
        ("axis = [0.0, 1.0, 0.0]", "axis = [0, 0, 0]", ["joints[1].axis", "not all zero"]),
        ("s = 0.5", "s = 1.5", ["joints[1].a.s", "[0, 1.0] m"]),
        ('rod = "cart"', 'rod = "cart", s = 1.0', ["joints[1].b.s", "must be 0"]),
        ('rod = "cart"', 'rod = "crt"', ["joints[1]", "Did you mean 'cart'"]),
        ("driven = true", "driven = 1", ["joints[2].driven", "True or False"]),
        ('b = "wheel"', 'b = "whel"', ["joints[3]", "Did you mean 'wheel'"]),
        ('b = "wheel"', 'b = "wheel"\naxis = [1, 0, 0]', ["joints[3].axis", "no key 'axis'"]),
        ('drives."rod.base"', "drives.rod.base", ["joints[0].drives['rod']", "quotes"]),
        ('drives."rod.base"', 'drives."rod.bse"', ["joints[0]", "Did you mean 'rod.base'"]),
        ("[[1, 0, 0, 0.5]", "[[2, 0, 0, 0.5]", ["joints[0].drives['rod.base']", "rotation"]),
        ("drives.wheel", "drives.world", ["joints[0].drives['world']", "on the ground"]),
        ("drives.wheel", "drives.cart", ["joints", "'cart' is attached twice", "'rail'"]),
        ("force = 3", "force = -3", ["loads[0].force", ">= 0"]),
        ('at = "wheel"', 'at = "world"', ["loads[0].at", "does not move"]),
        ("driven = true\n\n", 'driven = true\n[[bodies]]\nname = "b"\n', ["not valid TOML"]),
        (", shape", ", hull", ["bodies[0].hull", "no key 'hull'"]),
    ],
)
def test_what_is_wrong_with_bodies_and_joints_is_said_with_its_key(arm, old, new, words):
    assert old in CRANK
    path = arm(CRANK.replace(old, new, 1))
    with pytest.raises(FileError) as caught:
        load(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("drives", "words"),
    [
        ("[]", ["joints[0].drives", "nonempty mapping"]),
        ("3", ["joints[0].drives", "got 3"]),
        ("[3]", ["joints[0].drives[0]", "a pair", "got 3"]),
        ("[[{ rod = 3 }, 1]]", ["joints[0].drives[0][0].rod", "3"]),
        ("[[{ rod = 'b' }, 1]]", ["joints[0].drives['b']", "4x4 pose"]),
        ("{ b = 1 }", ["joints[0].drives['b']", "4x4 pose"]),
    ],
)
def test_what_a_motor_cannot_drive_is_said_with_its_key(arm, drives, words):
    motor = f'[[joints]]\ntype = "Motor"\nname = "m"\naxis = [0, 0, 1]\ndrives = {drives}\n'
    path = arm(f'name = "turntable"\n[[bodies]]\nname = "b"\n{motor}')
    with pytest.raises(FileError) as caught:
        load(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


def test_a_robot_of_bodies_alone_comes_back(tmp_path):
    path = tmp_path / "turntable.toml"
    motor = Motor("m", (1, 2, 3), drives={At("b", offset=shifted(0, 0, 1)): np.eye(4)})
    robot = Robot("turntable", bodies=[Body("b", shape=Sphere(0.1))], joints=[motor])
    save(robot, path)
    assert load(path) == robot


@pytest.mark.parametrize("b", ["world", "backbone.base", "backbone.tip"])
def test_loops_are_read(arm, b):
    loop = f'b = "tip.base"\n[[joints]]\ntype = "Weld"\na = "tip.tip"\nb = "{b}"'
    path = arm(ARM.replace('b = "tip.base"', loop, 1))
    robot = load(path)
    assert robot.joints[-1] == Weld("tip.tip", b)
    save(robot, path)
    assert load(path) == robot


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["name", "missing"]),
        ('name = "arm"', ["rods", "empty", "at least one"]),
        ('name = "arm"\nrods = []', ["rods", "empty", "at least one"]),
        ('name = "arm"\nrods = 1', ["rods", "[[rods]]"]),
        ('name = "arm"\n[rods]\nname = "r"', ["rods", "list of tables", "[[rods]]"]),
        ('name = "arm"\nrods = [1]', ["rods[0]", "Rod", "1"]),
        ("materials = 3", ["materials", "[materials.steel]"]),
        (b"name = '\xff'", ["byte 8", "UTF-8"]),
        ("a = " + "[" * 100_000, ["nested too deeply"]),
        ("a = " + "{a = " * 100_000, ["nested too deeply"]),
        (".".join("a" * 100_000) + " = 1", ["nested too deeply"]),
        ('["a b" . ' + ". ".join("a" * 100_000) + "]", ["nested too deeply"]),
        (".".join("a" * 12) + " = 1", ["no key 'a'"]),
        ("#" * (LARGEST + 1), ["larger than"]),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str | bytes) else None,
)
def test_broken_files_are_refused(arm, text, words):
    path = arm(text)
    with pytest.raises(FileError) as caught:
        load(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


def test_what_is_not_a_file(tmp_path):
    with pytest.raises(FileError, match=r"nowhere\.toml: there is no such file"):
        load(tmp_path / "nowhere.toml")
    with pytest.raises(FileError, match=r"cannot be read: Is a directory"):
        load(tmp_path)
    for path in (None, 3, b"arm.toml"):
        with pytest.raises(FileError, match="a path must be a text or a Path"):
            load(path)
    for path in ("a\0b", "\ud800", "a" * 5000):
        with pytest.raises(FileError, match="cannot be read"):
            load(path)


def test_every_truncation_is_a_robot_or_a_file_error(arm):
    for end in range(0, len(ARM), 7):
        try:
            load(arm(ARM[:end]))
        except FileError:
            continue


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(ARM)),
            st.integers(0, 12),
            st.one_of(
                st.text(max_size=3),
                st.sampled_from(
                    ["[", "]]", "{", "}", '"', "=", ".", "\n", "-", "1e400", "nan", "0"]
                ),
            ),
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_mutated_files_are_robots_or_file_errors(arm, cuts):
    text = ARM
    for start, length, new in cuts:
        text = text[:start] + new + text[start + length :]
    try:
        robot = load(arm(text.encode(errors="surrogatepass")))
    except FileError:
        return
    assert isinstance(robot, Robot)


@given(st.one_of(st.text(), st.binary()))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_files_are_file_errors(arm, content):
    path = arm(content.encode(errors="surrogatepass") if isinstance(content, str) else content)
    with pytest.raises(FileError):
        load(path)


# -- writing ---------------------------------------------------------------------------------------


def test_what_is_written_can_be_read_by_people(tmp_path):
    save(ROBOT, tmp_path / "arm.toml")
    text = (tmp_path / "arm.toml").read_text()
    assert "rest = [0.0, 0.0, 1.0]" in text
    assert "    [1.0, 0.0, 0.0, 0.0],\n" in text
    assert "shear_factor" not in text  # at its default
    assert load(tmp_path / "arm.toml") == ROBOT


def test_motors_drive_a_table_of_frames(tmp_path):
    save(CRANK_ROBOT, tmp_path / "crank.toml")
    text = (tmp_path / "crank.toml").read_text()
    assert '[joints.drives]\n"rod.base" = [\n    [1.0, 0.0, 0.0, 0.5],\n' in text
    assert load(tmp_path / "crank.toml") == CRANK_ROBOT


ROD = """name = "arm"
[[rods]]
name = "r"
length = 1.0
section = {section}
material = {material}
[[joints]]
type = "Weld"
a = "world"
b = "r.base"
"""


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ('{ type = "Circle", diameter = 2e-3 }', Circle(1e-3)),
        ('{ type = "Tube", outer_diameter = 4e-3, inner_diameter = 2e-3 }', Tube(2e-3, 1e-3)),
        ('{ type = "Tube", outer = 5e-1, wall = 1.25e-1 }', Tube(0.5, 0.375)),
    ],
)
def test_sections_by_their_diameters_come_back(arm, section, expected):
    path = arm(ROD.format(section=section, material='"nitinol"'))
    robot = load(path)
    assert robot.rods[0].section == expected
    save(robot, path)
    assert load(path) == robot


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ('{ type = "Circle" }', ["rods[0].section.radius", "radius and diameter", "got none"]),
        ('{ type = "Circle", radius = 1, diameter = 2 }', ["radius=1, diameter=2"]),
        ('{ type = "Circle", diameter = -2 }', ["rods[0].section.diameter", "> 0", "-2"]),
        ('{ type = "Circle", diametre = 2 }', ["no key 'diametre'", "Did you mean 'diameter'"]),
        ('{ type = "Tube", outer = 1 }', ["rods[0].section.inner", "inner_diameter and wall"]),
    ],
)
def test_sections_without_a_size_are_refused(arm, section, words):
    path = arm(ROD.format(section=section, material='"nitinol"'))
    with pytest.raises(FileError) as caught:
        load(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


CIRCLE = '{ type = "Circle", radius = 1e-3 }'


def test_published_materials_are_read_by_name_and_written_with_their_numbers(arm):
    path = arm(ROD.format(section=CIRCLE, material='"nitinol"'))
    robot = load(path)
    assert robot.rods[0].material == materials_table.nitinol
    save(robot, path)
    assert "[materials.nitinol]\nyoung = 83000000000.0\n" in path.read_text()
    assert load(path) == robot


def test_a_material_of_the_file_comes_before_a_published_one(arm):
    own = ROD.format(section=CIRCLE, material='"nitinol"')
    path = arm(f"{own}[materials.nitinol]\nyoung = 60e9\npoisson = 0.3\n")
    robot = load(path)
    assert robot.rods[0].material == Material(60e9, 0.3)
    save(robot, path)
    assert load(path) == robot


def test_an_unknown_material_is_answered_with_those_of_the_file_and_the_published(arm):
    own = ROD.format(section=CIRCLE, material='"nitinl"')
    path = arm(f"{own}[materials.rubber]\nyoung = 1e6\npoisson = 0.5\n")
    with pytest.raises(FileError) as caught:
        load(path)
    for word in ("rods[0].material", "no material 'nitinl'", "'rubber'", "'pla'", "mean 'nitinol'"):
        assert word in str(caught.value)


def test_shared_materials_are_written_once(tmp_path):
    rods = [Rod(name, 1.0, Circle(1e-3), STEEL) for name in "ab"]
    robot = Robot("two", rods, [Weld("world", f"{name}.base") for name in "ab"])
    save(robot, tmp_path / "two.toml")
    assert (tmp_path / "two.toml").read_text().count("young") == 1
    assert load(tmp_path / "two.toml") == robot


@pytest.mark.parametrize("degree", [2, 3])
def test_drawn_rest_shapes_are_written(tmp_path, degree):
    # No number of these poses is short: all digits must come back.
    curve = [
        rotation(-0.3 * i, 1) + shifted(0.1 * i / 3, 0, (i % 3) / 70) - np.eye(4) for i in range(5)
    ]
    rest = SplineRest(curve, degree)
    rod = Rod("r", rest.length, Circle(1e-3), STEEL, rest=rest)
    robot = Robot("hook", [rod], [Weld("world", "r.base")])
    save(robot, tmp_path / "hook.toml")
    again = load(tmp_path / "hook.toml")
    assert again == robot
    np.testing.assert_array_equal(again.rods[0].rest.control_poses, curve)
    s = 0.37 * rest.length
    assert again.rods[0].rest_strain(s).tolist() == rest(s).tolist()
    assert ("degree" in (tmp_path / "hook.toml").read_text()) == (degree != 3)  # the default


def test_functions_cannot_be_written(tmp_path):
    rod = Rod("r", 1.0, Circle(1e-3), STEEL, rest=lambda s: (0, 0, s))
    path = tmp_path / "arm.toml"
    with pytest.raises(FileError, match=r"arm\.toml: rods\[0\]\.rest: .*function.*Python script"):
        save(Robot("arm", [rod], [Weld("world", "r.base")]), path)
    routed = Tendon("t", "r", Routing(lambda s: (0.01, s)))
    rod = Rod("r", 1.0, Circle(1e-3), STEEL)
    with pytest.raises(FileError, match=r"tendons\[0\]\.routing\.function: .*Python script"):
        save(Robot("arm", [rod], [Weld("world", "r.base")], tendons=[routed]), path)
    assert not path.exists()


def test_only_robots_are_written(tmp_path):
    with pytest.raises(ModelError, match="save: robot must be Robot"):
        save(tmp_path / "arm.toml", ROBOT)


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path):
    path, link = tmp_path / "arm.toml", tmp_path / "link.toml"
    path.write_text("old")
    link.symlink_to(path)
    save(ROBOT, link)
    assert link.is_symlink()
    assert load(path) == ROBOT
    assert sorted(tmp_path.iterdir()) == [path, link]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_failed_writing_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "arm.toml"
    path.write_text("old")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match=r"arm\.toml: cannot be written: No space left"):
        save(ROBOT, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "arm.toml", os.devnull, "a\0b", "\ud800", "a" * 5000):
        with pytest.raises(FileError, match="cannot be written"):
            save(ROBOT, path)
    assert not os.path.isfile(os.devnull)


sizes = st.floats(1e-6, 1e3)
numbers = st.floats(-1e40, 1e40)
vectors = st.tuples(numbers, numbers, numbers)
uniform = st.one_of(
    st.builds(Circle, sizes),
    st.builds(lambda inner, wall: Tube(inner + wall, inner), sizes, sizes),
    st.builds(Rectangle, sizes, sizes),
    st.builds(Section, sizes, sizes, sizes, sizes),
)
tapers = st.builds(lambda base, tip: Taper(Circle(base), Circle(tip)), sizes, sizes)
sections = st.one_of(uniform, uniform.map(lambda section: Taper(section, section)), tapers)
materials = st.one_of(
    st.builds(Material, sizes, shear=sizes, density=sizes),
    st.builds(Material, sizes, poisson=st.floats(-0.99, 0.5), viscosity=sizes),
    st.just(STEEL),
    st.sampled_from([materials_table.find(name) for name in materials_table.names()]),
)
names = st.text(min_size=1, max_size=6).filter(
    lambda name: (
        name.isprintable()
        and name.strip() == name
        and not {".", "@"} & set(name)
        and name != "world"
    )
)


def rotation(angle, axis):
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i], T[i, j], T[j, i], T[j, j] = np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)
    return T


offsets = st.floats(-1.0, 1.0)


@st.composite
def routings(draw, length):
    """A routing over the whole of a rod."""
    y, z, u = draw(offsets), draw(offsets), draw(st.floats(0.1, 0.9))
    pieces = [(u * length, Parallel(y, z)), (length, Convergent(y, z))]
    return draw(
        st.one_of(
            st.builds(Parallel, offsets, offsets),
            st.builds(Convergent, offsets, offsets),
            st.builds(Helical, sizes, offsets, offsets),
            st.just(Piecewise(pieces)),
            st.builds(Discs, st.just([u * length, length]), offsets, st.tuples(offsets, offsets)),
        )
    )


axes = vectors.filter(any)
poses = st.one_of(st.none(), st.builds(rotation, st.floats(-4, 4), st.integers(0, 2)))


shapes = st.one_of(
    st.none(),
    st.builds(Box, sizes, sizes, sizes, poses),
    st.builds(Cylinder, sizes, sizes, axes, poses),
    st.builds(Sphere, sizes, poses),
    st.builds(
        lambda y, z, *others: Plate([(0, 0), (y, 0), (0, z), (-y, z)], *others),
        *(sizes, sizes, sizes, axes, poses),
    ),
)
bodies = st.builds(
    lambda name, mass, x, y, center, shape: Body(name, mass, (x, y, x + y), center, shape),
    *(names, sizes, sizes, sizes, vectors, shapes),
)


@st.composite
def moving_joints(draw, name, a, b):
    """A joint that moves, from frame a to frame b."""
    pair, driven = (name, a, b), draw(st.booleans())
    return draw(
        st.one_of(
            st.builds(Hinge, *map(st.just, pair), axes, poses, st.just(driven)),
            st.builds(Slider, *map(st.just, pair), axes, poses, st.just(driven)),
            st.builds(Ball, *map(st.just, pair), poses),
            st.builds(
                lambda x, p, T: Motor(name, x, p, {b: T}),
                axes,
                vectors,
                st.builds(rotation, offsets, st.just(2)),
            ),
        )
    )


lines = st.fixed_dictionaries(
    {}, optional={"line_mass": sizes, "line_inertia": sizes.map(lambda x: (x, x, 2.0 * x))}
)


@st.composite
def robots(draw):
    """Chains and trees with everything that a file can hold."""
    rods, joints, loads, tendons = [], [], [Gravity(draw(vectors))], []
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        parent = draw(st.sampled_from(["world", *(f"{rod.name}.tip" for rod in rods)]))
        rest = draw(st.one_of(st.none(), vectors, vectors.map(lambda k: (*k, 1.5, 0, 0))))
        factor = draw(sizes)
        part = name, draw(sizes), draw(sections), draw(materials), rest, factor
        rods.append(Rod(*part, **draw(lines)))
        end = draw(st.sampled_from(["base", "tip"]))
        joints.append(Weld(parent, f"{name}.{end}", draw(poses)))
        s = rods[-1].length * draw(st.floats(0, 1))
        at = draw(st.sampled_from([f"{name}.tip", At(name, s), At(name, s, rotation(s, 1))]))
        loads.append(
            PointLoad(f"point {name}", at, draw(vectors), draw(vectors), draw(st.booleans()))
        )
        loads.append(LineLoad(f"line {name}", name, draw(vectors), end=rods[-1].length))
        routing, drive = (
            draw(routings(rods[-1].length)),
            draw(st.sampled_from(["tension", "length"])),
        )
        stiffness = draw(st.one_of(st.none(), sizes))
        tendons.append(Tendon(f"tendon {name}", name, routing, drive=drive, stiffness=stiffness))
        if parent != "world" and end == "base":
            both = (parent.removesuffix(".tip"), name)
            tendons.append(Tendon(f"long {name}", both, Parallel(draw(offsets), 0.0)))
    parts = [rod.name for rod in rods]
    extra = draw(st.lists(bodies, max_size=3, unique_by=lambda body: body.name))
    extra = [body for body in extra if body.name not in parts]
    for body in extra:
        a = draw(st.sampled_from(["world", At(rods[0].name, 0.3 * rods[0].length)]))
        b = draw(st.sampled_from([body.name, At(body.name, offset=rotation(0.1, 0))]))
        joints.append(draw(moving_joints(f"joint {body.name}", a, b)))
        loads.append(Pulley(f"pulley {body.name}", body.name, draw(vectors), draw(sizes)))
    return Robot(draw(names), rods, joints, loads, tendons, extra)


@given(robots())
@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_every_robot_comes_back_as_it_was(tmp_path, robot):
    save(robot, tmp_path / "robot.toml")
    assert load(tmp_path / "robot.toml") == robot


def test_file_errors_are_of_this_library():
    assert issubclass(FileError, FlexuraError)
