"""Kernels on disk are used again, but never when anything that they come from has changed."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import flexura
from flexura._kernel import kernel
from flexura._kernel_cache import fingerprint

# Without files of byte code: Python itself compares times of a second.
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(flexura.__file__).parents[1]),
    "PYTHONDONTWRITEBYTECODE": "1",
    "NUMBA_CACHE_DIR": "",
}
FILES = {
    "number.py": "from typing import NamedTuple\n"
    "ADDED = 1.0\n"
    "class Pair(NamedTuple):\n"
    "    first: float\n"
    "    second: float\n",
    "inner.py": "from flexura._kernel import inline\n"
    "from number import ADDED\n"
    "@inline\n"
    "def grown(x):\n"
    "    return x + ADDED\n",
    "outer.py": "from flexura._kernel import kernel\n"
    "import inner\n"
    "@kernel\n"
    "def twice(pair):\n"
    "    return 2.0 * inner.grown(pair.first)\n",
    "run.py": "import number, outer\n"
    "print(outer.twice(number.Pair(first=3.0, second=5.0)))\n"
    "print(sum(outer.twice.stats.cache_hits.values()))\n",
}

pytestmark = pytest.mark.long  # processes that compile


def start(folder):
    command = [sys.executable, "run.py"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, text=True, **pipes)


def finish(process):
    """The value that the program printed, and whether it came from the disk."""
    out, complaint = process.communicate()
    assert process.returncode == 0, complaint
    value, hits = out.split()
    return float(value), hits == "1"


@pytest.fixture
def program(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_kernel_is_kept_until_what_it_calls_changes(program):
    def run():
        return finish(start(program))

    def change(name, old, new):
        (program / name).write_text((program / name).read_text().replace(old, new))

    assert run() == (8.0, False)
    assert run() == (8.0, True)
    change("inner.py", "x + ADDED", "x - ADDED")
    assert run() == (4.0, False)
    change("number.py", "ADDED = 1.0", "ADDED = 2.0")
    assert run() == (2.0, False)
    change("number.py", "first: float\n    second: float", "second: float\n    first: float")
    assert run() == (2.0, False)
    assert run() == (2.0, True)


def test_processes_that_start_at_once(program):
    processes = [start(program) for _ in range(2)]
    assert [finish(process)[0] for process in processes] == [8.0, 8.0]
    assert finish(start(program)) == (8.0, True)


def test_data_of_the_past_behind_a_new_index(program):
    """As another process finds it, if the first one has written no more than the index yet."""
    assert finish(start(program)) == (8.0, False)
    past = {path: path.read_bytes() for path in program.rglob("outer*.nbc")}
    assert past
    inner = program / "inner.py"
    inner.write_text(inner.read_text().replace("x + ADDED", "x - ADDED"))
    assert finish(start(program)) == (4.0, False)
    for path, data in past.items():
        path.write_bytes(data)
    assert finish(start(program)) == (4.0, False)


def test_types_that_have_moved_to_another_module(program):
    assert finish(start(program)) == (8.0, False)
    (program / "number.py").rename(program / "pair.py")
    for name in ("inner.py", "run.py"):
        text = (program / name).read_text()
        (program / name).write_text(text.replace("number", "pair"))
    assert finish(start(program)) == (8.0, False)
    assert finish(start(program)) == (8.0, True)


def test_fingerprints_are_those_of_code_and_constants():
    def fingerprint_of(text, **names):
        space = dict(names)
        exec(f"def f(x):\n    return {text}\n", space)
        return fingerprint(kernel(space["f"]))

    plain = fingerprint_of("x + a", a=1.0)
    assert fingerprint_of("x + a", a=1.0, b=2.0) == plain
    assert fingerprint_of("(x + a)", a=1.0) == plain
    assert fingerprint_of("x - a", a=1.0) != plain
    assert fingerprint_of("x + b", b=1.0) != plain
    assert fingerprint_of("x + a", a=-1.0) != plain
    tables = [fingerprint_of("x + a[0]", a=np.array([v])) for v in (1.0, 1.0, 2.0)]
    assert tables[0] == tables[1] != tables[2]


def test_fingerprints_are_the_same_in_every_process():
    """Python shuffles sets of words anew in each; options of a kernel are such a set."""
    code = (
        "from flexura._kernel_cache import fingerprint\n"
        "from flexura.matrix import front_solve_kernels\n"
        "print(fingerprint(front_solve_kernels.solve))"
    )
    found = set()
    for seed in "1234":
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**ENVIRONMENT, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_importing_flexura_touches_no_file():
    code = """
import os, sys
touched = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            touched.append(arguments[0])
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate"):
        touched.append(arguments[0])
sys.addaudithook(watch)
import flexura
assert not touched, touched
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT)
