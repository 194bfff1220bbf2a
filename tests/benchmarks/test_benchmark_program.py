"""The program ``python -m benchmarks``; times are shown, never asserted.

It runs here, but for what needs processes of its own; ``test_report.py`` runs it as one.
"""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from benchmarks.__main__ import main
from benchmarks.speed import beside

ROOT = Path(__file__).parents[2]


def program(*arguments, module="benchmarks"):
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def settings(monkeypatch):
    """The settings of this process, which the program may change, as they are."""
    monkeypatch.setattr(os, "environ", os.environ.copy())
    with matplotlib.rc_context():
        yield


def test_tables_and_figures(tmp_path, settings, capsys):
    names = ["lie_group_framework.iterations", "speed.assembly", "speed.solve", "speed.growth"]
    assert main([*names, "--quick", "--figures", str(tmp_path)]) == 0
    said = capsys.readouterr()
    header, *_ = said.out.splitlines()
    assert all(package in header for package in ("python", "flexura", "numpy", "scipy", "numba"))
    assert all(f"## {name}: " in said.out for name in names)
    assert all(f"[{i}/4] {name} ..." in said.err for i, name in enumerate(names, 1))
    figures = {path.name for path in tmp_path.iterdir()}
    assert figures == {"lie_group_framework_iterations.svg", "speed_growth.svg"}


def test_unknown_name_lists_the_benchmarks(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["sped"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "no benchmark 'sped'" in said
    assert "speed.growth" in said


@pytest.mark.long
def test_solves_beside_those_of_another_checkout():
    options = ("--names", "linear", "tendons warm", "--processes", "1", "--rounds", "1")
    done = program(ROOT, *options, module="benchmarks.speed.beside")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines() if "|" in line]
    assert rows[2:] == ["linear", "tendons warm"]


def test_another_checkout_must_be_one(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        beside.main([str(tmp_path)])
    assert ended.value.code == 2
    assert "no flexura in" in capsys.readouterr().err
