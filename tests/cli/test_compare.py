from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli.compare import contenders
from flexura.cli.main import main
from flexura.errors import ModelError
from flexura.result.status import Status
from flexura.solve.shooting import shooting

EXAMPLES = Path(__file__).parents[2] / "examples"
HELD = str(EXAMPLES / "held_rod.toml")
TENDONS = str(EXAMPLES / "arm.toml")
NAMES = [contender.name for contender in contenders(1)]


def rows(out):
    """The cells of the table by the name of the model."""
    lines = out.split("\n\n")[1].splitlines()[1:]
    return {name: line.removeprefix(name).split() for line in lines for name in [model(line)]}


def model(line):
    return line[: line.index("  ")]


@pytest.fixture
def broken_shooting(monkeypatch):
    def fail(robot, inputs):
        raise ModelError("nothing to shoot at")

    monkeypatch.setattr("flexura.cli.compare.shoot", fail)


def test_sets_of_tubes_are_compared_by_the_models_that_describe_them(tmp_path, capsys):
    rod = fx.Rod("needle", 0.1, fx.Circle(1e-3), fx.Material(young=60e9, poisson=0.3))
    loads = [fx.PointLoad("push", "needle.tip", force=(0, 0, 1.0))]
    joints = [fx.Weld("world", "set.base")]
    robot = fx.Robot("fed", tubes=[fx.TubeSet("set", [rod])], joints=joints, loads=loads)
    fx.save(robot, tmp_path / "fed.toml")
    assert main(["compare", str(tmp_path / "fed.toml")]) == 0
    out = capsys.readouterr().out
    assert "needle.tip x [m]" in out
    assert out.count("cannot carry the angles of tubes") == 4
    assert len([line for line in out.splitlines() if " yes " in line]) == 5


@pytest.fixture
def branched(tmp_path):
    """The path of a robot with two arms on one stem, which is no chain."""
    rubber = fx.Material(young=1e6, poisson=0.45)
    rods = [fx.Rod(name, 0.3, fx.Circle(0.01), rubber) for name in ("stem", "left", "right")]
    joints = [fx.Weld("world", "stem.base")]
    joints += [fx.Weld("stem.tip", f"{name}.base") for name in ("left", "right")]
    load = fx.PointLoad("pull", "left.tip", force=(0.0, 0.02, 0.0))
    fx.save(fx.Robot("fork", rods, joints, [load]), tmp_path / "fork.toml")
    return str(tmp_path / "fork.toml")


def test_all_models_agree_on_an_arch(capsys):
    assert main(["compare", HELD]) == 0
    out, err = capsys.readouterr()
    table = rows(out)
    assert list(table) == NAMES
    for name in NAMES:
        assert f"/{len(NAMES)} {name}\n" in err
        size, *tip, error, _expected, residual, _iterations, stable, time = table[name]
        np.testing.assert_allclose([float(x) for x in tip], [0.6, 0.25, 0.0], atol=1e-6)
        assert stable == "yes"
        assert float(residual) < 1e-8
        assert float(time) > 0.0
        assert (size, error) == ("-", "-") if name == "shooting" else float(error) < 0.1
    assert "error: largest distance to shooting" in out
    assert "time: a second solve" in out


def test_all_models_agree_on_an_arm_with_tendons(capsys):
    assert main(["compare", TENDONS, "--input", "right=3", "--input", "front=1"]) == 0
    table = rows(capsys.readouterr().out)
    assert list(table) == NAMES
    for name in NAMES[:-1]:
        assert float(table[name][4]) < 0.05  # [%]; constant strain is the coarsest, with 0.013
        assert table[name][8] == "yes"


def test_numbers_are_those_of_the_library(capsys):
    grip = fx.lie.se3.pose((0.5, 0.3, 0.0), (0.0, 1.2, 0.0))
    assert main(["compare", HELD, "--input", "grip=0.5,0.3,0,0,1.2,0", "--fine", "2"]) == 0
    table = rows(capsys.readouterr().out)
    robot = fx.load(HELD)
    coarse = fx.statics(fx.build(robot, rods=fx.LinearStrain(16)), {"grip": grip})
    error = fx.shape_error(coarse, shooting(robot, {"grip": grip})).max_percent
    cells = table["linear strain, 16 elements"]
    assert int(cells[0]) == coarse.model.n_dof
    assert float(cells[4]) == pytest.approx(error, rel=0.05)  # two digits
    assert float(cells[5]) == pytest.approx(error, rel=0.2)  # what the model expects itself


def test_a_model_that_refuses_has_its_reason_and_the_others_go_on(branched, capsys):
    assert main(["compare", branched]) == 0
    out = capsys.readouterr().out
    table = rows(out)
    assert list(table) == [*NAMES, "linear strain, 64 elements"]
    assert table["shooting"] == ["-"] * 10
    assert "\n\nshooting: " in out
    assert "error: largest distance to linear strain, 64 elements" in out
    assert all(float(table[name][4]) < 1.0 for name in NAMES[:-1])
    assert "right.tip x [m]" in out


def test_a_model_that_does_not_converge_has_its_status(capsys, monkeypatch):
    def impatient(model, inputs):
        patience = 1 if model.n_dof == 90 else 2000  # linear strain
        return fx.statics(model, inputs, iterations=patience)

    monkeypatch.setattr("flexura.cli.compare.statics", impatient)
    assert main(["compare", HELD]) == 0
    out = capsys.readouterr().out
    assert rows(out)["linear strain, 8 elements"][1:6] == ["-"] * 5
    assert f"linear strain, 8 elements: {Status.EXHAUSTED}" in out


def test_a_cord_hangs_in_all_models(tmp_path, capsys):
    """Shooting, too: an arch that stands up would not do as what the others are measured by."""
    rod = fx.Rod("cord", 2.0, fx.Circle(1e-3), fx.materials.nylon)
    tip = fx.lie.se3.pose((1.4, 0.0, 0.0))
    ends = [fx.Weld("world", "cord.base"), fx.Weld("world", "cord.tip", offset=tip)]
    fx.save(fx.Robot("cord", [rod], ends, [fx.Gravity()]), tmp_path / "cord.toml")
    assert main(["compare", str(tmp_path / "cord.toml")]) == 0
    table = rows(capsys.readouterr().out)
    assert list(table) == NAMES
    found = [name for name in NAMES if table[name][8] == "yes"]
    assert set(NAMES) - set(found) <= {"quintic power, 4 elements"}  # too coarse for that
    assert all(float(table[name][4]) < 1.0 for name in found[:-1])
    assert found[-1] == "shooting"


@pytest.mark.parametrize("left", [True, False])
def test_an_unstable_reference_is_none(left, capsys, monkeypatch):
    """The others are measured by the finest of them, or not at all."""
    statics = fx.statics

    def upright(robot, inputs):
        found = shooting(robot, inputs)
        return replace(found, status=Status.UNSTABLE, stable=False)

    def coarse_only(model, inputs):
        found = statics(model, inputs)
        fails = not left or model.rods["rod"] == fx.LinearStrain(64)
        return replace(found, status=Status.UNSTABLE, stable=False) if fails else found

    monkeypatch.setattr("flexura.cli.compare.shoot", upright)
    monkeypatch.setattr("flexura.cli.compare.statics", coarse_only)
    main(["compare", HELD])
    out = capsys.readouterr().out
    assert f"shooting: {Status.UNSTABLE}" in out
    if left:
        assert "error: largest distance to quintic" in out
    else:
        assert "error: unknown, no model found a stable equilibrium" in out


def test_nothing_found_exits_with_one(broken_shooting, capsys, monkeypatch):
    statics = fx.statics
    monkeypatch.setattr(
        "flexura.cli.compare.statics", lambda model, inputs: statics(model, inputs, iterations=0)
    )
    assert main(["compare", HELD]) == 1
    out = capsys.readouterr().out
    assert "error: unknown, no model found a stable equilibrium" in out
    assert "shooting: nothing to shoot at" in out
    assert out.count("not converged") == len(NAMES)


def test_another_equilibrium_is_pointed_out(capsys, monkeypatch):
    robot = fx.load(HELD)
    away = fx.lie.se3.pose((0.3, -0.25, 0.0))
    monkeypatch.setattr(
        "flexura.cli.compare.shoot", lambda _, inputs: shooting(robot, {"grip": away})
    )
    assert main(["compare", HELD]) == 0
    assert "cubic spline, 12 spans: far from shooting" in capsys.readouterr().out
