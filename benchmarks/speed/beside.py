"""Solves beside those of another checkout: ``python -m benchmarks.speed.beside DIRECTORY``.

Two processes, one for each, take turns; what the machine does besides, happens to both. Give the
other checkout kernels of its own by running this once before it counts.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.machine import describe
from benchmarks.progress import track
from benchmarks.speed.solves import SOLVES
from benchmarks.table import Table, verdict

HERE = Path(__file__).parents[2]
MOST = 1.05  # of the time of the other checkout


class Process:
    """Solves of a checkout, in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        sources = os.pathsep.join([str(checkout / "src"), str(HERE)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.speed.solves"],
            env={**os.environ, "PYTHONPATH": sources, "OPENBLAS_NUM_THREADS": "1"},
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def time(self, name: str) -> float:
        """Median processor time of the calls of a name [s]."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(name, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def end(self) -> None:
        """Nothing more is asked."""
        self.process.communicate()


def compare(checkout: Path, names: Sequence[str], processes: int, rounds: int) -> Table:
    """Times of solves here, and over those of another checkout.

    Args:
        checkout: the other one.
        names: of the solves.
        processes: how often both begin anew.
        rounds: turns of each pair of processes.
    """
    times = np.zeros((len(names), 2, processes, rounds))
    for k in track(range(processes), "processes"):
        pair = [Process(HERE), Process(checkout)]
        for i, name in enumerate(names):
            for process in pair:
                process.time(name)  # not counted
            for j in range(rounds):
                for which in (0, 1) if j % 2 else (1, 0):
                    times[i, which, k, j] = pair[which].time(name)
        for process in pair:
            process.end()
    rows, data = [], {}
    for name, (own, other) in zip(names, times.reshape(len(names), 2, -1), strict=True):
        ratio, low = float(np.median(own / other)), float(np.min(own) / np.min(other))
        middle = float(np.median(own)), float(np.median(other))
        data[name] = {"ratio": ratio, "low": low, "own": middle[0], "other": middle[1]}
        rows.append(
            [
                name,
                *(f"{1e3 * x:.3f}" for x in middle),
                f"{ratio:.2f}",
                f"{low:.2f}",
                verdict(ratio, MOST),
            ]
        )
    return Table(
        title="processor time of solves, and beside another checkout [ms]",
        header=("solve", "here", "there", "ratio", "of the least", ""),
        rows=rows,
        notes=[f"Median of {processes * rounds} turns of {processes} pairs of processes."],
        data=data,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed.beside",
        description="Time solves beside those of another checkout of flexura.",
        epilog="example: python -m benchmarks.speed.beside ../before --names linear rotation",
    )
    parser.add_argument("checkout", type=Path, help="its directory")
    parser.add_argument("--names", nargs="+", default=list(SOLVES), choices=SOLVES, metavar="name")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args(arguments)
    if not (options.checkout / "src" / "flexura").is_dir():
        parser.error(f"no flexura in {options.checkout / 'src'}")
    print(describe())
    print(compare(options.checkout.resolve(), options.names, options.processes, options.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
