"""``flexura simulate``, and ``flexura show`` of what it saves."""

from pathlib import Path

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.cli.main import main

ARM = str(Path(__file__).parents[2] / "examples" / "arm.toml")
SHORT = ["--duration", "0.02", "--step", "0.002", "--spans", "3"]


def model():
    return fx.build(fx.load(ARM), rods=fx.Spline(3, 3))


def run(*arguments):
    return main(["simulate", ARM, *SHORT, *map(str, arguments)])


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    file = tmp_path_factory.mktemp("motion") / "arm.npz"
    assert run("--input", "right=2", "--save", file) == 0
    return file


def test_the_motion_is_that_of_the_library(saved):
    expected = fx.simulate(model(), 0.02, 0.002, {"right": 2.0})
    assert fx.load_result(saved) == expected


def test_the_report_tells_how_it_went(capsys):
    assert run("--input", "right=2") == 0
    text, words = capsys.readouterr()
    motion = fx.simulate(model(), 0.02, 0.002, {"right": 2.0})
    assert "reached: the robot was followed for the whole duration" in text
    assert "0 to 0.02 s, 11 instants" in text
    assert "ms for each step" in text
    last = next(line for line in text.splitlines() if line.strip().startswith("0.02 ")).split()
    tip = motion[-1].pose("backbone.tip")[:3, 3]
    np.testing.assert_allclose([float(x) for x in last[-3:]], tip, rtol=1e-5, atol=1e-12)
    assert float(last[1]) == pytest.approx(motion.kinetic[-1], rel=1e-5)
    assert words == ""  # the bar is for terminals


def test_integrators_and_steps(tmp_path):
    file = tmp_path / "arm.npz"
    assert run("--integrator", "implicit-euler", "--every", 5, "--save", file) == 0
    expected = fx.simulate(model(), 0.02, 0.002, integrator=fx.ImplicitEuler(), every=5)
    assert fx.load_result(file) == expected
    assert run("--rho", 0.5, "--save", file) == 0
    expected = fx.simulate(model(), 0.02, 0.002, integrator=fx.GeneralizedAlpha(0.5))
    assert fx.load_result(file) == expected


def test_robots_with_contacts_need_no_integrator_to_be_named(tmp_path, capsys):
    """A ball falls on a table by implicit Euler; another integrator says what to do."""
    table = fx.lie.se3.pose((0.0, 0.0, -0.021))
    ball = fx.Body("ball", mass=0.1, inertia=(1e-5,) * 3, shape=fx.Sphere(radius=0.02))
    robot = fx.Robot(
        "ball",
        bodies=[ball],
        joints=[fx.Slider("rail", "world", "ball", axis=(0, 0, 1))],
        loads=[fx.Gravity()],
        obstacles=[fx.Obstacle("table", fx.Plane(normal=(0, 0, 1)), pose=table)],
        contacts=[fx.Contact("ball", "table")],
    )
    robot_file, file = tmp_path / "ball.toml", tmp_path / "ball.npz"
    fx.save(robot, robot_file)
    command = ["simulate", str(robot_file), "--duration", "0.05", "--step", "0.005"]
    assert main([*command, "--save", str(file)]) == 0
    motion = fx.load_result(file)
    assert motion == fx.simulate(fx.build(robot), 0.05, 0.005)
    assert len(motion[-1].contacts) == 1
    assert main([*command, "--integrator", "generalized-alpha"]) == 2
    assert "takes no contacts" in capsys.readouterr().err


def test_what_is_soft_all_over_is_reported(tmp_path, capsys):
    """How far nodes move is told, and the motion is kept whatever becomes of the report."""
    points, cells = block(cells=(2, 1, 1))
    soft = fx.Material(young=5e5, poisson=0.3, density=1000.0)
    robot = fx.Robot(
        "finger",
        volumes=[fx.Volume("finger", (points, cells), soft)],
        joints=[fx.Clamp("world", fx.Nodes("finger", box=((0, 0, 0), (0, 0.02, 0.02))))],
        loads=[fx.Gravity()],
    )
    robot_file, file = tmp_path / "finger.toml", tmp_path / "finger.npz"
    fx.save(robot, robot_file)
    command = ["simulate", str(robot_file), "--duration", "0.02", "--step", "0.002"]
    files = ["--save", str(file), "--plot", str(tmp_path / "finger.png")]
    assert main([*command, *files]) == 0
    motion = fx.load_result(file)
    text = capsys.readouterr().out
    moved = np.linalg.norm(motion.points("finger")[-1] - motion.points("finger")[0], axis=1).max()
    last = next(line for line in text.splitlines() if line.strip().startswith("0.02 ")).split()
    assert "finger moved by [m]" in text
    assert float(last[-1]) == pytest.approx(moved, rel=1e-5)
    assert moved > 1e-4


def test_a_motion_is_kept_before_it_is_reported(tmp_path, monkeypatch):
    def fails(*_):
        raise fx.ModelError("no words")

    monkeypatch.setattr("flexura.cli.simulate.report_motion", fails)
    assert run("--save", tmp_path / "arm.npz") == 2
    assert len(fx.load_result(tmp_path / "arm.npz")) == 11


def test_samples_of_a_file(tmp_path):
    samples, file = tmp_path / "right.csv", tmp_path / "arm.npz"
    samples.write_text("time, tension\n0, 0\n0.01, 1.5\n\n0.05, 2\n")
    gravity = tmp_path / "gravity.csv"
    gravity.write_text("0,0,0,-9.81\n1,0,0,0\n")
    arguments = ["--input", f"right=@{samples}", "--input", f"gravity=@{gravity}", "--save", file]
    assert run(*arguments) == 0
    inputs = {
        "right": ([0.0, 0.01, 0.05], [0.0, 1.5, 2.0]),
        "gravity": ([0.0, 1.0], [(0.0, 0.0, -9.81), (0.0, 0.0, 0.0)]),
    }
    assert fx.load_result(file) == fx.simulate(model(), 0.02, 0.002, inputs)


def test_a_saved_motion_goes_on(saved, tmp_path):
    file = tmp_path / "on.npz"
    assert run("--start", saved, "--input", "right=1", "--save", file) == 0
    before = fx.load_result(saved)
    expected = fx.simulate(before.model, 0.02, 0.002, {"right": 1.0}, start=before[-1])
    assert fx.load_result(file) == expected
    assert expected.t[0] == before.t[-1]


def test_plots_and_pages_are_written(tmp_path, capsys):
    files = [tmp_path / name for name in ("motion.png", "arm.html")]
    assert run("--plot", files[0], "--animate", files[1], "--fps", 100, "--speed", 0.5) == 0
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert "<html" in files[1].read_text()
    text = capsys.readouterr().out
    assert all(f"wrote {file}" in text for file in files)


def test_show_tells_of_a_motion_and_of_an_instant(saved, capsys, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    motion = fx.load_result(saved)
    assert main(["show", str(saved)]) == 0
    text = capsys.readouterr().out
    assert "0 to 0.02 s, 11 instants" in text
    assert f"{motion.kinetic[-1]:.6g}" in text
    assert main(["show", str(saved), "--number", "3"]) == 0
    text = capsys.readouterr().out
    assert "time         0.006 s" in text
    assert f"kinetic      {motion.kinetic[3]:.6g} J" in text
    assert "iterations" not in text
    assert main(["show", str(saved), "--number", "11"]) == 2


def test_help_has_an_example(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert "flexura simulate examples/arm.toml" in text
    assert "right=@right.csv" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "two samples or more"),
        ("0,1\n", "two samples or more"),
        ("0,1\n1,2,3\n", "as many numbers in each row"),
        ("0,1\n1,much\n", "two samples or more"),
        ("0\n1\n", "a time [s] and values"),
        ("0,1\n1,nan\n", "finite numbers"),
        ("0,1\n1,2\n1,3\n", "times must grow, got 1 and then 1 in sample 3"),
        ("0,1\n0.01,2\n", "they must cover the motion"),
        ("0,1,2\n1,2,3\n", "takes samples"),
        ("0,__import__('os')\n1,2\n2,exec('1')\n", "two samples or more"),
    ],
)
def test_files_without_proper_samples(content, message, tmp_path, capsys):
    (tmp_path / "right.csv").write_text(content)
    assert run("--input", f"right=@{tmp_path / 'right.csv'}") == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "right=@none.csv"], "none.csv: there is no such file"),
        (["--input", "=@a.csv"], "has no name"),
        (["--input", "right=1", "--input", "right=2"], "given twice"),
        (["--input", "wrong=1"], "no input 'wrong'"),
        (["--step", "0"], "step"),
        (["--step", "1"], "longer than duration"),
        (["--rho", "2"], "from 0 to 1"),
        (["--integrator", "symplectic-euler"], "or --integrator variational, which takes longer"),
        (
            ["--integrator", "variational", "--step", "adaptive"],
            "use --integrator generalized-alpha or --integrator implicit-euler",
        ),
        (["--rho", "0.5", "--integrator", "variational"], "--rho belongs to"),
        (["--every", "0"], "every"),
        (["--start", "none.npz"], "there is no such file"),
        (["--save", "arm.txt"], "a result is written as .npz"),
        (["--plot", "arm.txt"], "a plot is written as"),
        (["--animate", "arm.txt"], "a film is written as"),
        (["--animate", "arm.html", "--fps", "0"], "fps must be"),
        (["--animate", "arm.gif", "--color", "bend"], "no component 'bend'"),
    ],
)
def test_what_is_wrong(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_to_write_where_nothing_has_mass(tmp_path, capsys):
    light = tmp_path / "light.toml"
    light.write_text(Path(ARM).read_text().replace(", density = 95e3", ""))
    assert main(["simulate", str(light), *SHORT]) == 2
    assert "rod 'backbone' a density" in (said := capsys.readouterr().err)
    assert "density = 1100.0 of its material" in said


def test_shooting_has_no_motion(capsys):
    assert main(["simulate", ARM, *SHORT[:4], "--rods", "shooting"]) == 2
    assert "has no motion" in capsys.readouterr().err


def test_another_model_cannot_go_on(saved, capsys):
    assert main(["simulate", ARM, *SHORT[:4], "--start", str(saved)]) == 2
    assert "of another robot or description" in capsys.readouterr().err
