"""What kernels that others call become: no machine code of their own, and the same numbers."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numba.core import interpreter
from numba.core.caching import NullCache
from numba.core.compiler import Flags
from numba.core.errors import TypingError
from numba.core.postproc import PostProcessor

import flexura
from flexura._kernel import inline, kernel
from flexura._kernel_brief import BRIEF, brief
from flexura._kernel_compiler import _Flags

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(flexura.__file__).parents[1])}


def fresh(function, made=kernel):
    """A kernel that is compiled now, whatever is on disk."""
    compiled = made(function)
    compiled._cache = NullCache()
    return compiled


@pytest.fixture
def pair():
    """A kernel that picks a number, and one that adds up two of them."""

    @fresh
    def pick(x, k):
        return x[k]

    @fresh
    def add(x):
        return pick(x, 0) + pick(x, 2)

    return pick, add


def test_only_what_python_calls_becomes_machine_code(pair):
    pick, add = pair
    assert add(np.array([1.0, 2.0, 4.0])) == 5.0
    assert len(add.overloads) == 1
    assert not pick.overloads
    assert pick(np.array([1.0, 2.0, 4.0]), 1) == 2.0
    assert len(pick.overloads) == 1


def test_a_kernel_is_translated_once_whatever_numbers_are_written_in_its_calls(pair):
    pick, add = pair
    add(np.ones(3))
    assert len(pick.inner.overloads) == 1


def test_kernels_are_copied_into_others_only_where_that_is_asked_for():
    """Also those that one which asks for it calls: Numba hands that on to what it meets on the way.

    Large kernels had copies of all that they called then, which took most of the time to compile.
    """

    @fresh
    def below(x):
        return x[0] + x[1]

    def middle(x):
        return 2.0 * below(x)

    middle = fresh(middle, inline)

    @fresh
    def outer(x):
        return middle(x)

    def is_copied(made):
        (found,) = made.inner.overloads.values()
        written = found.library.get_function(found.fndesc.llvm_func_name)
        return b"alwaysinline" in written.attributes

    assert outer(np.array([1.0, 2.0])) == 6.0
    assert is_copied(middle)
    assert not is_copied(below)


def test_numba_is_as_it_was_after_kernels_were_compiled(pair):
    """Also where one could not be."""
    found = interpreter.peep_hole_delete_with_exit, PostProcessor.run
    pair[1](np.ones(3))
    assert found == (interpreter.peep_hole_delete_with_exit, PostProcessor.run)
    with suppress(KeyError), brief():
        assert found[1] is not PostProcessor.run
        raise KeyError
    assert found == (interpreter.peep_hole_delete_with_exit, PostProcessor.run)


def test_all_that_is_left_out_is_there_in_this_numba():
    """Where it is not, nothing fails: compiling takes longer."""
    assert not [name for owner, name, _ in BRIEF if not hasattr(owner, name)]


def test_what_another_numba_may_lack_is_no_error(monkeypatch):
    monkeypatch.delattr(interpreter, "peep_hole_delete_with_exit")
    with brief():
        assert not hasattr(interpreter, "peep_hole_delete_with_exit")
    assert not hasattr(interpreter, "peep_hole_delete_with_exit")


def test_errors_say_where_they_are():
    """In the words of Numba, from the statement to the kernel that Python called."""

    @fresh
    def broken(x):
        return x.missing

    with pytest.raises(TypingError, match=r"(?s)Unknown attribute 'missing'.*typing of get attr"):
        broken(np.ones(3))


def test_arrays_that_may_not_be_written_to_need_no_kernel_of_their_own(pair):
    pick, add = pair
    frozen = np.array([1.0, 2.0, 4.0])
    frozen.setflags(write=False)
    assert add(frozen) == add(frozen.copy()) == 5.0
    assert len(add.overloads) == len(pick.inner.overloads) == 1


def test_a_kernel_that_others_call_may_print(capfd):
    """As one does to find a mistake."""

    @fresh
    def inner(x):
        print("inside", x)
        return x

    @fresh
    def outer(x):
        return inner(x) + 1.0

    assert outer(2.0) == 3.0
    assert capfd.readouterr().out == "inside 2.0\n"


def test_options_are_equal_where_those_of_numba_are():
    """Those that are not set have their default, set or not."""
    options = []
    for values in ({}, {"nrt": True}, {"nrt": False}, {"forceinline": True}):
        made = Flags()
        for name, value in values.items():
            setattr(made, name, value)
        options.append(made)
    for one in options:
        assert hash(_Flags(one)) == hash(one)
        for other in options:
            same = one == other
            assert (_Flags(one) == _Flags(other)) is (_Flags(one) == other) is same
    assert _Flags() != 1


PLAIN = """
import flexura as fx
rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(young=1e9, poisson=0.4, density=1000.0))
robot = fx.Robot(
    "robot",
    [rod],
    [fx.Weld("world", "rod.base")],
    [fx.Gravity(), fx.PointLoad("tip", "rod.tip", force=(0.0, 0.1, 0.0))],
    tendons=[fx.Tendon("pull", "rod", fx.Parallel(0.03, 0.0), drive="length")],
)
for rods in (fx.Spline(3, 2), fx.Hermite(1), fx.Power(2, 1), fx.LinearStrain(2),
             fx.VariableStrain(), fx.ConstantStrain(2), fx.RotationInterpolation(1)):
    print(*fx.statics(fx.build(robot, rods=rods), {"pull": 0.01}).unwrap().pose("rod.tip")[:3, 3])
"""


@pytest.mark.slow
def test_kernels_as_plain_python_find_the_same_and_write_to_no_frozen_array(capsys):
    """There NumPy refuses to write where a model is frozen, which machine code does not see."""

    def tips(said):
        return np.array([line.split() for line in said.splitlines()], dtype=float)

    environment = {**ENVIRONMENT, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", PLAIN]
    done = subprocess.run(command, env=environment, text=True, capture_output=True, check=True)
    exec(PLAIN, {})  # machine code, in this process
    # [m]; rounding, and where an iteration ends that a residual of 1e-12 of the loads lets end
    np.testing.assert_allclose(tips(done.stdout), tips(capsys.readouterr().out), atol=1e-9)


COUNTED = """
import sys
import flexura as fx
from flexura._kernel_compiler import Kernel
rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(young=1e9, poisson=0.4, density=1000.0))
robot = fx.Robot("robot", [rod], [fx.Weld("world", "rod.base")], [fx.Gravity()])
fx.statics(fx.build(robot)).unwrap()
modules = [vars(module) for name, module in sys.modules.items() if name.startswith("flexura")]
kernels = {value for module in modules for value in module.values() if isinstance(value, Kernel)}
for kernel in kernels:
    print(kernel.py_func.__name__, len(kernel.overloads))
"""


@pytest.mark.slow
def test_a_first_solve_needs_few_kernels_each_for_one_kind_of_arguments():
    """Their number is what a first solve waits for; other orders of arrays would be new ones."""
    environment = {**ENVIRONMENT, "FLEXURA_BACKGROUND": "0"}
    command = [sys.executable, "-c", COUNTED]
    done = subprocess.run(command, env=environment, text=True, capture_output=True, check=True)
    counts = dict(line.split() for line in done.stdout.splitlines())
    used = {name: int(count) for name, count in counts.items() if int(count)}
    assert 30 < len(used) <= 47
    assert set(used.values()) == {1}
