"""``flexura show`` tells of saved results, of many, and of paths."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.cli.main import main


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A result, many results and a path, saved."""
    folder = tmp_path_factory.mktemp("results")
    rod = fx.Rod("arm", 0.5, fx.Circle(0.02), RUBBER)
    loads = [fx.Gravity(), fx.PointLoad("tip", "arm.tip")]
    robot = fx.Robot("soft", [rod], [fx.Weld("world", "arm.base")], loads)
    model = fx.build(robot, fx.LinearStrain(4))
    forces = np.zeros((25, 6))
    forces[:, 4] = np.linspace(0.0, 0.2, 25)
    kept = {
        "one": fx.statics(model),
        "many": fx.statics_many(model, {"tip": forces}),
        "path": fx.continuation(model, "tip", (0, 0, 0, 0, 0.2, 0)),
    }
    for name, result in kept.items():
        fx.save_result(result, folder / f"{name}.npz")
    return folder, kept


def shown(capsys, monkeypatch, *arguments):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert main(["show", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_result(files, capsys, monkeypatch):
    folder, kept = files
    text = shown(capsys, monkeypatch, folder / "one.npz")
    assert "converged: equilibrium found" in text
    assert f"{kept['one'].energy:.6g} J" in text
    assert "arm.tip" in text
    assert "reaction" in text
    assert "no display" in text


def test_many_results(files, capsys, monkeypatch):
    """A row for each of the first twenty, with what differs; gravity does not."""
    folder, kept = files
    text = shown(capsys, monkeypatch, folder / "many.npz")
    assert "25 of 25 solves converged" in text
    (heading,) = (line for line in text.splitlines() if line.startswith("number"))
    assert heading.split() == [
        "number", "tip.fy", "stable", "energy", "arm.tip.x", "arm.tip.y", "arm.tip.z",
    ]  # fmt: skip
    row = text.splitlines()[text.splitlines().index(heading) + 4].split()
    assert row[0] == "3"
    assert float(row[3]) == pytest.approx(kept["many"].energy[3], rel=1e-5)
    assert "and 5 more" in text


def test_a_path_and_a_point_of_it(files, capsys, monkeypatch):
    folder, kept = files
    text = shown(capsys, monkeypatch, folder / "path.npz")
    assert f"{len(kept['path'])} points along 'tip'" in text
    assert "fraction" in text
    text = shown(capsys, monkeypatch, folder / "path.npz", "--number", 2)
    assert f"{kept['path'][2].energy:.6g} J" in text


def test_a_picture_of_the_last(files, capsys, monkeypatch, tmp_path):
    pytest.importorskip("pyvista")
    folder, _ = files
    shown(capsys, monkeypatch, folder / "many.npz", "--plot", tmp_path / "last.png")
    assert (tmp_path / "last.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.npz", "--number", "0"], "has one"),
        (["many.npz", "--number", "25"], "--number takes 0 to 24 here, got 25"),
        (["none.npz"], "there is no such file"),
    ],
)
def test_what_is_wrong(files, arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(files[0])
    assert main(["show", *arguments]) == 2
    assert message in capsys.readouterr().err
