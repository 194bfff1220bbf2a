"""The program ``python -m benchmarks``; times are shown, never asserted."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def program(*arguments, module="benchmarks"):
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def test_tables_and_figures(tmp_path):
    names = ["lie_group_framework.iterations", "speed.assembly", "speed.solve", "speed.growth"]
    done = program(*names, "--quick", "--figures", tmp_path)
    assert done.returncode == 0, done.stderr
    header, *_ = done.stdout.splitlines()
    assert all(package in header for package in ("python", "flexura", "numpy", "scipy", "numba"))
    assert all(f"## {name}: " in done.stdout for name in names)
    assert all(f"[{i}/4] {name} ..." in done.stderr for i, name in enumerate(names, 1))
    figures = {path.name for path in tmp_path.iterdir()}
    assert figures == {"lie_group_framework_iterations.svg", "speed_growth.svg"}


def test_unknown_name_lists_the_benchmarks():
    done = program("sped")
    assert done.returncode == 2
    assert "no benchmark 'sped'" in done.stderr
    assert "speed.growth" in done.stderr


@pytest.mark.long
def test_solves_beside_those_of_another_checkout():
    options = ("--names", "linear", "tendons warm", "--processes", "1", "--rounds", "1")
    done = program(ROOT, *options, module="benchmarks.speed.beside")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines() if "|" in line]
    assert rows[2:] == ["linear", "tendons warm"]


def test_another_checkout_must_be_one(tmp_path):
    done = program(tmp_path, module="benchmarks.speed.beside")
    assert done.returncode == 2
    assert "no flexura in" in done.stderr
