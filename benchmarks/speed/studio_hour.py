"""Memory of a studio whose sliders are moved at random, which should be flat.

``python -m benchmarks.speed.studio_hour 60`` does so for an hour. Needs ``/proc``, as Linux has it.
"""

import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.speed.page_client import served
from benchmarks.speed.studio import EXAMPLES
from benchmarks.table import Table, verdict

PORT = 18430
EVERY = 5.0  # between looks at the memory [s]
WARM = 0.2  # part of the time that is left out: caches fill
FLAT = 20.0  # [MB/h], below what a day would notice


def run(quick: bool = False, minutes: float | None = None) -> Table:
    """Move sliders at random, and look at the memory of the server.

    Args:
        quick: for half a minute.
        minutes: how long [min]; an hour if it is not given.
    """
    seconds = 60.0 * minutes if minutes is not None else 30.0 if quick else 3600.0
    rng = np.random.default_rng(1)
    with served(EXAMPLES / "arm.toml", PORT) as (process, page):
        began, moves = time.monotonic(), 0
        looks: list[tuple[float, float]] = []
        while (now := time.monotonic() - began) < seconds:
            if not looks or now - looks[-1][0] > EVERY:
                looks.append((now, resident(process.pid)))
            page.move(str(rng.choice(list(page.sliders))), float(rng.random()))
            page.scene(timeout=1.0)
            moves += 1
    t, size = np.array(looks).T
    warm = t > WARM * t[-1]
    slope = float(np.polyfit(t[warm], size[warm], 1)[0]) * 3600.0
    row = [f"{seconds / 60.0:.1f}", str(moves), *(f"{x:.1f}" for x in (size[0], size[warm][0]))]
    row += [f"{size[-1]:.1f}", f"{slope:+.1f}", verdict(slope, FLAT)]
    return Table(
        title="memory of the studio, arm.toml, while sliders are moved at random",
        header=(
            "minutes", "moves", "at first [MB]", "warm", "at the end", "slope [MB/h]", "",
        ),
        rows=[row],
        notes=[f"Slope: fitted without the first {100 * WARM:.0f} % of the time."],
        data={"t": t, "size": size, "slope": slope},
    )  # fmt: skip


def resident(process: int) -> float:
    """Memory that a process has in use [MB]."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1]) / 1024.0
    raise RuntimeError(f"process {process} has ended")


if __name__ == "__main__":
    print(run(minutes=float(sys.argv[1]) if len(sys.argv) > 1 else None))
