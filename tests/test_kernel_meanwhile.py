"""Until machine code is there, kernels run as plain Python, with the same numbers."""

import math
import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba import float64
from numba.core.caching import FunctionCache, NullCache
from numba.types import UniTuple

import flexura
from flexura import _kernel_compiler, _kernel_crew, _kernel_meanwhile
from flexura._kernel import kernel
from flexura._kernel_crew import Crew, Order, call_together
from flexura._kernel_meanwhile import LARGE, PATIENCE, Meanwhile
from flexura.lie.kernels import vector

ROOT = Path(flexura.__file__).parents[1]


class Asked(Event):
    """Comes when somebody waits for it."""

    def wait(self, timeout=None):
        self.set()
        return True


class Idle:
    """A crew that takes orders, and does what the test says, or what somebody waits for."""

    def __init__(self):
        self.orders = []

    def order(self, kernel, types):
        self.orders.append(Order())
        self.orders[-1].ended = Asked()
        return self.orders[-1]

    @property
    def missed(self):
        """Orders that are waited for."""
        return [order for order in self.orders if order.missed == math.inf]


@pytest.fixture
def crew(monkeypatch):
    """A crew for this process, for kernels of this file too."""
    idle = Idle()
    monkeypatch.setattr(_kernel_meanwhile, "can_be_found", lambda kernel: True)
    monkeypatch.setattr(_kernel_compiler, "meanwhile", Meanwhile(lambda: idle))
    return idle


def fresh(function):
    """A kernel that is not on disk."""
    compiled = kernel(function)
    compiled._cache = NullCache()
    return compiled


def kernels():
    @fresh
    def half(x, k):
        return 0.5 * x[k]

    @fresh
    def spread(x, out):
        for k in range(len(x)):
            out[k] += half(x, k)
        return out[0] > 0.0, len(x), out[0]

    return half, spread


def test_runs_as_python_until_it_is_ordered_and_made(crew):
    half, spread = kernels()
    x, out = np.array([2.0, 4.0]), np.zeros(2)
    assert spread(x, out) == (True, 2, 1.0)
    assert not spread.overloads
    assert not half.overloads
    assert len(crew.orders) == 1
    crew.orders[0].ended.set()
    assert spread(x, out) == (True, 2, 2.0)
    assert len(spread.overloads) == 1
    assert len(crew.orders) == 1
    np.testing.assert_array_equal(out, (2.0, 4.0))


def test_returns_numbers_of_pythons_own(crew):
    _, spread = kernels()
    found = spread(np.ones(1), np.ones(1))
    assert [type(value) for value in found] == [bool, int, float]


def test_named_tuples_stay_what_they_are(crew):
    class Pair(NamedTuple):
        first: float
        second: float

    @fresh
    def split(x):
        return Pair(x[0], x[1])

    found = split(np.array([1.0, 2.0]))
    assert type(found) is Pair
    assert type(found.first) is float


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_what_python_refuses_is_done_by_machine_code_from_the_start(crew, value):
    @fresh
    def root(x, out):
        out[0] += 1.0
        out[1] = 1.0 / math.sqrt(float(x[0]))

    out = np.zeros(2)
    root(np.array([value]), out)
    assert out[0] == 1.0
    assert out[1] == math.inf if value == 0.0 else math.isnan(out[1])
    assert crew.missed == crew.orders


def test_errors_of_the_kernel_itself_come_through(crew):
    @fresh
    def refuse(x):
        if x[0] > 0.0:
            raise ValueError("positive")

    with pytest.raises(ValueError, match="positive"):
        refuse(np.ones(1))


def test_stars_take_all_arguments(crew):
    @fresh
    def add(x, y, z):
        return x[0] + y[0] + z

    @fresh
    def outside(*given):
        return add(*given)

    assert outside(np.ones(1), np.ones(1), 3.0) == 5.0
    assert not outside.overloads
    crew.orders[0].ended.set()
    assert outside(np.ones(1), np.ones(1), 3.0) == 5.0
    assert outside.overloads


@pytest.mark.parametrize("x", [np.ones(LARGE + 1), np.ones(2, dtype=np.int8)], ids=["long", "int8"])
def test_large_and_narrow_arrays_are_compiled_first(crew, x):
    half, _ = kernels()
    assert half(x, 0) == 0.5
    assert half.overloads
    assert crew.missed == crew.orders


def test_patience_ends(crew):
    """That with one kernel, which is waited for; others go on."""
    half, spread = kernels()
    assert half(np.ones(1), 0) == 0.5
    assert not crew.missed
    crew.orders[0].missed = PATIENCE + 1.0
    assert half(np.ones(1), 0) == 0.5
    assert half.overloads
    spread(np.ones(1), np.ones(1))
    assert not spread.overloads
    assert crew.missed == crew.orders[:1]


def test_frozen_arrays_are_no_obstacle(crew):
    half, _ = kernels()
    x = np.ones(2)
    x.setflags(write=False)
    assert half(x, 0) == 0.5
    assert not half.overloads


def test_compiles_here_where_there_is_no_crew(monkeypatch):
    monkeypatch.setattr(_kernel_meanwhile, "can_be_found", lambda kernel: True)
    monkeypatch.setattr(_kernel_compiler, "meanwhile", Meanwhile(lambda: None))
    half, _ = kernels()
    assert half(np.ones(1), 0) == 0.5
    assert half.overloads


@pytest.mark.slow
@pytest.mark.parametrize(
    "noise", [pytest.param("", marks=pytest.mark.long), "NUMBA_DEBUG_CACHE"]
)  # test_what_is_missed_most_is_made_first hears them without noise, too
def test_processes_that_compile_are_heard(tmp_path, monkeypatch, noise):
    """Whatever they print besides; nobody waits for them in vain."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    if noise:
        monkeypatch.setenv(noise, "1")
    crew = Crew(1)
    order = crew.order(vector.dot, (UniTuple(float64, 3), UniTuple(float64, 3)))
    assert order.ended.wait(120.0)
    crew.end()
    crew.wait()
    assert any(tmp_path.rglob("*vector*.nbi"))


@pytest.mark.slow
def test_what_is_missed_most_is_made_first(tmp_path, monkeypatch):
    """Those that nobody waits for are made all the same when nothing more is ordered."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    ended = []

    class Noted(Event):
        def set(self):
            ended.append(self)
            super().set()

    monkeypatch.setattr(
        _kernel_crew, "threading", SimpleNamespace(**{**vars(threading), "Event": Noted})
    )
    crew = Crew(1)
    orders = [
        crew.order(vector.dot, (UniTuple(float64, n), UniTuple(float64, 3))) for n in (3, 4, 5)
    ]
    orders[2].missed = 1.0
    crew.end()
    crew.wait()
    assert ended == [orders[k].ended for k in (0, 2, 1)]


def test_nobody_waits_for_what_speaks_another_language(monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("echo"))
    crew = Crew(1)
    assert crew.order(vector.dot, ()).ended.wait(10.0)
    assert crew.order(vector.dot, ()).ended.wait(10.0)
    crew.end()
    crew.wait()


@pytest.mark.parametrize("program", ["", "/usr/bin/blender"])
def test_programs_that_have_python_inside_start_no_other(monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    assert call_together() is None


def test_frozen_programs_start_no_other(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert call_together() is None


@pytest.fixture
def left(tmp_path, monkeypatch):
    """What is done at exit by processes that call crews for kernels of a folder."""
    found = []
    monkeypatch.setenv("FLEXURA_BACKGROUND", "1")
    monkeypatch.setattr(_kernel_crew, "folder", lambda: tmp_path)
    monkeypatch.setattr(_kernel_crew, "Crew", lambda count: count)
    monkeypatch.setattr(os, "sched_getaffinity", lambda own: {0, 1}, raising=False)
    register = SimpleNamespace(register=lambda *given: found.append(given))
    monkeypatch.setattr(_kernel_crew, "atexit", register)
    return found


def test_a_crew_is_the_only_one_as_long_as_it_lives(tmp_path, left):
    """Ten minutes, too; and no process forgets that of another one."""
    assert call_together()
    (mark,) = tmp_path.iterdir()
    os.utime(mark, (time.time() - 600.0,) * 2)
    assert call_together() is None
    ((forget, *given),) = left
    mark.write_text(f"{platform.node()} 1")
    forget(*given)
    assert mark.exists()


@pytest.mark.skipif(os.name == "nt", reason="nothing tells there that a process has ended")
def test_a_crew_of_a_process_that_was_killed_is_no_obstacle(tmp_path, left):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / "flexura-crew").write_text(f"{platform.node()} {ended.pid}")
    assert call_together()
    ((forget, *given),) = left
    forget(*given)
    assert not list(tmp_path.iterdir())


def test_solves_without_a_folder_for_kernels(monkeypatch):
    def nowhere(*given):
        raise RuntimeError("no locator available")

    monkeypatch.setattr(FunctionCache, "__init__", nowhere)
    monkeypatch.setattr(_kernel_compiler, "meanwhile", Meanwhile())
    monkeypatch.setattr(_kernel_meanwhile, "can_be_found", lambda kernel: True)

    @kernel
    def half(x):
        return 0.5 * x[0]

    assert half(np.ones(1)) == 0.5
    assert half.overloads


SOLVE = """
import time
import flexura as fx
from flexura._kernel import seconds_spent_compiling
from flexura._kernel_meanwhile import meanwhile
rod = fx.Rod("arm", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.45))
pull = fx.PointLoad("pull", at="arm.tip", force=(0.0, 0.0, 0.01))
robot = fx.Robot("arm", rods=[rod], joints=[fx.Weld("world", "arm.base")], loads=[pull])
result = fx.statics(fx.build(robot, rods=fx.Spline(3, 2))).unwrap()
print(*result.pose("arm.tip")[:3, 3].tolist())
print(meanwhile.spent, seconds_spent_compiling() - meanwhile.spent)
for order in meanwhile._orders.values():
    order.ended.wait()
"""


def run(folder, **environment):
    """Where the tip is, seconds in plain Python and of compiling, and what was said."""
    everything = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", SOLVE]
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env=everything | environment
    )
    tip, seconds = ([float(x) for x in line.split()] for line in done.stdout.splitlines())
    return tip, *seconds, done.stderr


@pytest.mark.long  # compiles all that a rod needs, twice
def test_a_first_solve_is_answered_before_anything_is_compiled(tmp_path):
    tip, plain, compiled, said = run(tmp_path / "crew")
    assert plain > 0.0
    assert compiled == 0.0
    assert said.count("compiling kernels") == 1
    again, plain, compiled, said = run(tmp_path / "crew")
    assert plain == compiled == 0.0
    assert not said
    alone, plain, compiled, _ = run(tmp_path / "alone", FLEXURA_BACKGROUND="0")
    assert plain == 0.0 < compiled
    # Machine code fuses products and sums: 1e-13 is some hundred roundings.
    np.testing.assert_allclose(tip, alone, rtol=1e-13, atol=1e-15)
    assert again == alone
