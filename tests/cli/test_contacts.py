"""What robots touch, from the command line."""

import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli.main import main

SPANS = ("--spans", "6")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("contacts")


@pytest.fixture(scope="module")
def finger(folder):
    """A file: a soft finger that a tendon pulls onto a ball, which rubs; and a table far below."""
    soft = fx.Material(1e6, poisson=0.45, density=1100.0)
    robot = fx.Robot(
        "press",
        rods=[fx.Rod("finger", 0.1, fx.Circle(radius=5e-3), soft)],
        joints=[fx.Weld("world", "finger.base", name="grip")],
        tendons=[fx.Tendon("pull", "finger", fx.Parallel(0.0, -4e-3))],
        obstacles=[
            fx.Obstacle("ball", fx.Sphere(0.02), pose=fx.lie.se3.pose((0.08, 0, -0.03))),
            fx.Obstacle("table", fx.Plane(point=(0, 0, -1))),
        ],
        contacts=[fx.Contact("finger", "ball", 0.3), fx.Contact("finger", "table", radius=6e-3)],
    )
    file = folder / "press.toml"
    fx.save(robot, file)
    return str(file)


def test_what_is_not_round_is_shown_with_the_radius_that_it_touches_with(folder, capsys):
    soft = fx.Material(1e6, poisson=0.45, density=1100.0)
    robot = fx.Robot(
        "strip",
        rods=[
            fx.Rod("strip", 0.1, fx.Rectangle(width=0.02, height=0.002), soft),
            fx.Rod("cord", 0.1, fx.Tube(2e-3, 1e-3), soft),
        ],
        obstacles=[fx.Obstacle("table", fx.Plane())],
        contacts=[fx.Contact("strip", "table"), fx.Contact("cord", "table")],
    )
    file = folder / "strip.toml"
    fx.save(robot, file)
    assert main(["show", str(file)]) == 0
    rows = [x for x in capsys.readouterr().out.splitlines() if "with table" in x]
    assert "a radius of 0.00357 m for 'strip', as round as its area" in rows[0]
    assert "their sections" in rows[1]


def model_of(file):
    return fx.build(fx.load(file), rods=fx.Spline(3, 6))


def run(command, *arguments):
    return main([command, *map(str, arguments)])


def row(text, name):
    """Cells of the row of a table, after its name."""
    return next(x for x in text.splitlines() if x.startswith(name)).removeprefix(name).split()


def test_show_lists_obstacles_and_contacts(finger, capsys, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert run("show", finger) == 0
    text = capsys.readouterr().out
    assert "ball      Sphere(radius=0.02)" in text
    assert "at (0.08, 0, -0.03) m" in text
    assert "Plane through (0, 0, -1) m, normal (0, 0, 1)" in text
    assert row(text, "finger with ball")[0] == "0.3"
    assert "a radius of 0.006 m" in text


def test_shapes_of_many_numbers_are_counted():
    from flexura.cli.show import contents

    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    robot = fx.Robot(
        "still",
        bodies=[fx.Body("rock", 1.0, shape=fx.Triangles(corners, faces))],
        obstacles=[fx.Obstacle("vein", fx.Vessel([(0, 0, 0), (1, 0, 0)], 0.01))],
        contacts=[fx.Contact("rock", "vein")],
    )
    text = contents(robot)
    assert "4 Triangles" in text
    assert "Vessel through 2 points, 0.01 m inside" in text


def test_solves_begin_where_others_ended(finger, folder):
    """Friction holds what a solve from cold would not: each is one increment."""
    first, second = folder / "first.npz", folder / "second.npz"
    assert run("solve", finger, *SPANS, "--input", "pull=1", "--save", first) == 0
    start = ("--start", first)
    assert run("solve", finger, *SPANS, *start, "--input", "pull=0.9", "--save", second) == 0
    model = model_of(finger)
    begun = fx.statics(model, {"pull": 1.0})
    assert fx.load_result(second) == fx.statics(model, {"pull": 0.9}, start=begun)


def test_inputs_are_followed(finger, folder, capsys):
    """From those of the file, or of a start, to those given, the pose of a weld too."""
    file, more = folder / "followed.npz", folder / "more.npz"
    command = ["solve", finger, *SPANS, "--follow", 4]
    assert run(*command, "--input", "pull=1", "--save", file) == 0
    assert "followed for 4 of 4 increments" in capsys.readouterr().out
    model = model_of(finger)
    expected = fx.statics(model)
    for pull in (0.25, 0.5, 0.75, 1.0):
        expected = fx.statics(model, {"pull": pull}, start=expected)
    assert fx.load_result(file) == expected
    given = ("--input", "pull=1", "--input", "grip=0,0,-0.002,0,0,0")
    assert run(*command, "--start", file, *given, "--save", more) == 0
    for down in (0.25, 0.5, 0.75, 1.0):
        grip = fx.lie.se3.pose((0, 0, -0.002 * down))
        expected = fx.statics(model, {"pull": 1.0, "grip": grip}, start=expected)
    found = fx.load_result(more)
    np.testing.assert_allclose(found.pose("finger.tip"), expected.pose("finger.tip"), atol=1e-9)


def test_a_way_that_ends_says_where(finger, capsys, monkeypatch):
    from dataclasses import replace

    from flexura.cli import solve

    def fails(model, inputs, start, **options):
        found = own(model, inputs, start, **options)
        lost = float(inputs.value("pull")) > 0.6
        return replace(found, status=fx.Status.LIMIT) if lost else found

    own = solve.solve_inputs
    monkeypatch.setattr(solve, "solve_inputs", fails)
    assert run("solve", finger, *SPANS, "--input", "pull=1", "--follow", 4) == 1
    assert "followed for 2 of 4 increments" in capsys.readouterr().out


def test_forces_of_contacts_are_asked_for(finger, folder, capsys):
    file, saved = folder / "touching.npz", folder / "pressed.npz"
    assert run("solve", finger, *SPANS, "--input", "pull=0.5", "--save", file) == 0
    capsys.readouterr()
    asked = ("--target", "ball@finger=0.02", "--bounds", "finger@ball=0.01:0.1", "--start", file)
    assert run("inverse", finger, *SPANS, *asked, "--using", "pull", "--save", saved) == 0
    text = capsys.readouterr().out
    assert fx.load_result(saved).pressing("finger", "ball") == pytest.approx(0.02, rel=1e-6)
    assert float(row(text, "finger on ball")[2]) == pytest.approx(0.02, rel=1e-6)
    assert "frame" not in text.split("reached")[1].partition("\n")[2]


def test_the_page_on_contact_has_commands_that_run(tmp_path, monkeypatch):
    """Those that solve: each goes on from where the one before was saved."""
    root = Path(__file__).parents[2]
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    page = (root / "docs/contact.md").read_text()
    lines = re.findall(r"^    flexura ((?:solve|inverse) .*)$", page, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        assert main(line.split()) == 0


@pytest.mark.parametrize(
    ("command", "more", "words"),
    [
        ("inverse", ["--target", "finger@ball=1,2,3"], "finger@ball=0.4"),
        ("inverse", ["--target", "finger=0.4"], "finger@ball=0.4"),
        ("inverse", ["--target", "finger@post=1"], "no contact"),
        ("inverse", ["--target", "finger@ball=1", "--bounds", "finger@ball=2:3"], "beyond"),
        ("solve", ["--follow", "0"], "--follow"),
        ("solve", ["--start", "nowhere.npz"], "no such file"),
        ("solve", ["--follow", "2", "--rods", "shooting"], "--follow"),
    ],
)
def test_bad_options(command, more, words, finger, capsys):
    assert run(command, finger, *more) == 2
    assert words in capsys.readouterr().err


def test_results_of_other_robots_are_no_start(finger, folder, capsys):
    file = folder / "other.npz"
    assert run("solve", finger, "--spans", 3, "--save", file) == 0
    for command in (["solve"], ["inverse", "--target", "finger@ball=1"]):
        assert run(*command[:1], finger, *SPANS, *command[1:], "--start", file) == 2
        assert "another robot or description" in capsys.readouterr().err


def test_bodies_are_placed(folder, capsys):
    """A ball that begins 5 cm higher falls as far."""
    robot = fx.Robot(
        "dropped",
        bodies=[fx.Body("ball", 0.1, (1e-5,) * 3, shape=fx.Sphere(0.01))],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("floor", fx.Plane())],
        contacts=[fx.Contact("ball", "floor")],
    )
    file, saved = folder / "dropped.toml", folder / "dropped.npz"
    fx.save(robot, file)
    moving = ["simulate", file, "--duration", 0.02, "--step", 0.002]
    assert run(*moving, "--place", "ball=0.1,0,0.05", "--save", saved) == 0
    x, _, z = fx.load_result(saved)[0].pose("ball")[:3, 3]
    assert (x, z) == (0.1, 0.05)
    for text, words in (
        ("ball", "name=numbers"),
        ("ball=a,0,0", "not numbers"),
        ("ball=1,2", "six"),
        ("bal=1,2,3", "ball"),
    ):
        assert run(*moving, "--place", text) == 2
        assert words in capsys.readouterr().err
