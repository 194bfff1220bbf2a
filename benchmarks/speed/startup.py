"""How long it takes until something is on the screen: import, and a solve from the shell."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.timing import Timing, measure

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "cantilever.toml"
SOLVE = """
import flexura as fx
rod = fx.Rod("arm", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.45))
pull = fx.PointLoad("pull", at="arm.tip", force=(0.0, 0.0, 0.01))
robot = fx.Robot("arm", rods=[rod], joints=[fx.Weld("world", "arm.base")], loads=[pull])
fx.statics(fx.build(robot)).unwrap()
"""


def run(quick: bool = False) -> Table:
    """Time new processes, kernels cached; and the first one of all, which compiles them.

    Args:
        quick: fewer processes, and no compilation.
    """
    program = Path(sys.executable).with_name("flexura")
    commands = {
        "python alone": [sys.executable, "-c", "pass"],
        "import flexura": [sys.executable, "-c", "import flexura"],
        "import, build and solve a rod": [sys.executable, "-c", SOLVE],
        "flexura solve examples/cantilever.toml": [str(program), "solve", str(EXAMPLE)],
    }
    rows, data = [], {}
    for name, command in track(list(commands.items()), "startup"):
        row, data[name] = _row(name, command, quick)
        rows.append(row)
    if not quick:
        seconds = _first_start()
        rows.append(["import, build and solve, first time ever", f"{seconds:.1f}", "", "", "1"])
    return Table(
        title="new processes [s]",
        header=("command", "median", "10 %", "90 %", "calls"),
        rows=rows,
        notes=["The first time ever, kernels are compiled; then they are read from the cache."],
        data=data,
    )


def _row(name: str, command: list[str], quick: bool) -> tuple[list[str], Timing | None]:
    """A row for a command, and its wall time if it can be run."""

    def call() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, capture_output=True, cwd=ROOT)

    if not all(Path(part).exists() for part in command if Path(part).is_absolute()):
        return [name, "not there", "", "", ""], None
    code = call().returncode
    if code != 0:
        return [name, f"fails, exit code {code}", "", "", ""], None
    timing = measure(call, seconds=1.0 if quick else 10.0, least=3, most=20)
    times = (f"{t:.2f}" for t in (timing.median, timing.low, timing.high))
    return [name, *times, str(timing.calls)], timing


def _first_start() -> float:
    """Seconds to import, build and solve with an empty cache of kernels."""
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", SOLVE],
            capture_output=True,
            check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        )
        return time.perf_counter() - began
