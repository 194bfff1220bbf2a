"""What the first run of each example compiles, and waits for: with no kernel on disk.

    python -m benchmarks speed.compiling            # all examples, and all robot files
    python -m benchmarks.speed.compiling            # the same, in one process each
    python -m benchmarks.speed.compiling FILE       # one, with the kernels that take longest

Seconds of compiling are those of the processor, which other processes change less than those of a
clock; a process does all of it there. What a first run waits for is by the clock: other processes
compile meanwhile, and what is not compiled runs as plain Python. Both say little without the pace
of the machine, which is measured beside them.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from benchmarks.machine import describe, yardstick
from benchmarks.progress import track
from benchmarks.table import Table, verdict

ROOT = Path(__file__).parents[2]
EXAMPLES = [p for end in ("py", "toml") for p in sorted((ROOT / "examples").glob(f"*.{end}"))]
TARGET = 15.0  # [s]


@dataclass(frozen=True)
class Compiled:
    """What a process has compiled.

    Attributes:
        elapsed: the whole run, by the clock [s].
        seconds: of the processor, in total.
        called: kernels that Python calls, with their types of arguments.
        inside: kernels that others take in, likewise.
        slowest: seconds of kernels by their names, without those that they take in.
        pace: time of a million additions of plain Python, before and after [s].
    """

    elapsed: float
    seconds: float
    called: int
    inside: int
    slowest: dict[str, float]
    pace: float

    @property
    def name_of_slowest(self) -> str:
        """The kernel that takes longest."""
        return next(iter(self.slowest), "")


def run(quick: bool = False) -> Table:
    """Compile all that each example needs.

    Args:
        quick: the first example only.
    """
    examples = EXAMPLES[:1] if quick else EXAMPLES
    data = {path.name: measure(path) for path in track(examples, "compiling")}
    rows = [
        [
            name, f"{found.waited:.1f}", verdict(found.waited, TARGET),
            f"{found.alone.seconds:.1f}", verdict(found.alone.seconds, TARGET),
            f"{1e3 * found.alone.pace:.0f}", str(found.alone.called), str(found.alone.inside),
            found.alone.name_of_slowest,
        ]
        for name, found in data.items()
    ]  # fmt: skip
    return Table(
        title=f"what the first run of an example waits for kernels [s] (target {TARGET:.0f})",
        header=("example", "waits", "", "alone", "", "pace [ms]", "called", "inside", "longest"),
        rows=rows,
        notes=[
            "Kernels that Python calls become machine code, with those inside that they call.",
            "The pace is that of a million additions of plain Python, beside compiling alone.",
        ],
        data=data,
    )


def run_alone() -> Table:
    """Compile all that each example needs, in one process: a third of the time of ``run``."""
    data = {path.name: _alone(path) for path in track(EXAMPLES, "compiling")}
    rows = [
        [
            name, f"{found.seconds:.1f}", verdict(found.seconds, TARGET), f"{1e3 * found.pace:.0f}",
            str(found.called), str(found.inside), found.name_of_slowest,
        ]
        for name, found in data.items()
    ]  # fmt: skip
    return Table(
        title=f"what an example compiles in one process [s of the processor] (target {TARGET:.0f})",
        header=("example", "alone", "", "pace [ms]", "called", "inside", "longest"),
        rows=rows,
        notes=["The pace is that of a million additions of plain Python, beside it."],
        data=data,
    )


@dataclass(frozen=True)
class Measured:
    """Runs of an example.

    Attributes:
        first: with no kernel on disk, while other processes compile.
        alone: with no kernel on disk, in one process.
        again: with all kernels on disk.
    """

    first: Compiled
    alone: Compiled
    again: Compiled

    @property
    def waited(self) -> float:
        """How much longer the first run takes than a later one [s]."""
        return self.first.elapsed - self.again.elapsed


def measure(example: Path) -> Measured:
    """Run an example in new processes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        first = _run(example, cache)
    with tempfile.TemporaryDirectory() as cache:
        alone = _run(example, cache, FLEXURA_BACKGROUND="0")
        return Measured(first, alone, _run(example, cache))


def _alone(example: Path) -> Compiled:
    with tempfile.TemporaryDirectory() as cache:
        return _run(example, cache, FLEXURA_BACKGROUND="0")


def _run(example: Path, cache: str, **environment: str) -> Compiled:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.speed.compiling", str(example)],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache, **environment},
    )
    return Compiled(**json.loads(done.stdout))


def compile_here(example: Path) -> Compiled:
    """Run an example in this process, or solve a robot file, and watch what it compiles."""
    from numba.core import event

    run = _call(example)
    before = yardstick()
    watch = _watch(event.Listener)
    event.register("numba:compile", watch)
    begin = time.perf_counter()
    with redirect_stdout(StringIO()):
        run()
    elapsed = time.perf_counter() - begin
    slowest = {name: round(t, 3) for name, t in watch.own.most_common(40)}
    forms, pace = watch.forms, (before + yardstick()) / 2
    return Compiled(elapsed, watch.total, forms["entry"], forms["inner"], slowest, pace)


def _call(example: Path) -> Callable[[], object]:
    """What runs an example."""
    if example.suffix == ".toml":
        from flexura.cli.main import main

        return lambda: main(["solve", str(example)])
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("example", example)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda: module.main()


def _watch(listener: type) -> Any:
    """What listens to compilations, which contain others."""

    class Watch(listener):  # type: ignore[misc]
        total = 0.0

        def __init__(self) -> None:
            self.under_way: list[list[float]] = []  # when it began, and time of those inside
            self.own: Counter[str] = Counter()
            self.forms: Counter[str] = Counter()

        def on_start(self, event: Any) -> None:
            self.under_way.append([time.process_time(), 0.0])

        def on_end(self, event: Any) -> None:
            began, inside = self.under_way.pop()
            seconds = time.process_time() - began
            compiled = event.data["dispatcher"]
            name = f"{compiled.py_func.__module__}.{compiled.py_func.__name__}"
            self.own[name.removeprefix("flexura.")] += seconds - inside
            self.forms[getattr(compiled, "form", "other")] += 1
            if self.under_way:
                self.under_way[-1][1] += seconds
            else:
                self.total += seconds

    return Watch()


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(asdict(compile_here(Path(sys.argv[1]))), indent=2))
    else:
        print(describe(), run_alone(), sep="\n")
