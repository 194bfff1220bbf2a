"""Compiling before it is needed, and what is said of compiling."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import flexura
from flexura import _kernel
from flexura.cli import warm_up
from flexura.cli.main import main
from flexura.cli.option import CHOICES

SOURCE = Path(flexura.__file__).parents[1]
COMPILED = "from flexura._kernel import seconds_spent_compiling as spent\n"


def run(program, cache):
    """What another process with its own cache says on its error stream."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, check=True, text=True, env=environment
    ).stderr


def test_compiling_is_announced_once_for_all_processes(tmp_path):
    first = run("from flexura.lie import so3; so3.hat((1.0, 2.0, 3.0))", tmp_path)
    assert first.count("compiling kernels") == 1
    assert "flexura warm-up" in first
    more = COMPILED + "from flexura.lie import so3; so3.exp((1.0, 2.0, 3.0)); assert spent() > 0.0"
    assert run(more, tmp_path) == ""


@pytest.mark.parametrize(("first", "terminal"), [(False, False), (True, False), (False, True)])
def test_a_process_that_compiles_for_long_says_so_once(first, terminal, monkeypatch, capsys):
    """By a clock of its own, 8 s for each kernel; on a terminal there is progress instead."""
    clock = itertools.count(0.0, 4.0)
    monkeypatch.setattr(_kernel, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(_kernel, "never_used", lambda: first)
    monkeypatch.setattr(_kernel, "_on_terminal", lambda: terminal)
    announcer, said = _kernel._Announcer(), []
    kernel = SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=_kernel.kernel)})
    for _ in range(6):
        announcer.on_start(kernel)
        announcer.on_end(kernel)
        said.append(capsys.readouterr().err.count("compiling kernels"))
    assert sum(said) == (0 if terminal else 1)
    assert said[0] == first


@pytest.mark.parametrize("choice", CHOICES)
def test_robots_to_warm_up_with_are_solved(choice):
    assert warm_up.warm(choice) >= 0.0


def test_all_descriptions_are_compiled(monkeypatch, capsys):
    class Here:
        """A pool of this process."""

        def __init__(self, *_, **__):
            self.asked = []

        def __enter__(self):
            return self

        def __exit__(self, *_):
            assert self.asked == list(CHOICES)

        def submit(self, function, choice):
            self.asked.append(choice)
            return type("Done", (), {"result": lambda self: 1.0})()

    monkeypatch.setattr(warm_up, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(warm_up, "as_completed", list)
    assert main(["warm-up"]) == 0
    assert f"({len(CHOICES)} s of work)" in capsys.readouterr().out


def test_a_number_of_processes_that_makes_no_sense(capsys):
    assert main(["warm-up", "--processes", "0"]) == 2
    assert "--processes must be a whole number from 1" in capsys.readouterr().err


USED = """
import gc
from collections import Counter
import flexura as fx
from flexura._kernel_compiler import Kernel
from flexura.cli.warm_up import warm


def used():
    kernels = [known for known in gc.get_objects() if isinstance(known, Kernel)]
    return {(k.py_func, types) for k in kernels for types in k.overloads}


for choice in ("spline", "variable-strain"):
    warm(choice)
before = used()
assert before
for name in ("arm", "cantilever", "chain", "held_rod"):
    fx.statics(fx.build(fx.load(f"{folder}/{name}.toml")))
more = used() - before
assert not more, more
twice = [name for name, count in Counter(name for name, _ in before).items() if count > 1]
assert not twice, twice
"""


@pytest.mark.slow
def test_nothing_is_left_to_compile_for_examples():
    """They call no kernel that the warm-up does not call, and each for one order of arrays."""
    folder = SOURCE.parent / "examples"
    program = f"folder = {str(folder)!r}\n{USED}"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_seconds_are_those_of_one_description():
    """A process warms up several: what is compiled already takes no time again."""
    warm_up.warm("spline")
    assert warm_up.warm("spline") == 0.0
