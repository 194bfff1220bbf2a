"""Energy of a free rod over a million steps; it runs only when it is named."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.dynamics.free_rod import STEP, drift, fly
from benchmarks.table import Table

STEPS = 1_000_000
PARTS = 10


def run(quick: bool = False) -> Table:
    """Let the rod fly for long.

    Args:
        quick: 400 steps.
    """
    steps = 400 if quick else STEPS
    motion = fly(steps, fx.Variational(), every=max(1, steps // 10_000))
    t, energy = motion.t, motion.energy / motion.energy[0]
    parts = [
        [f"{a[0]:g} to {a[-1]:g}", f"{e.mean() - 1.0:+.2e}", f"{np.ptp(e):.2e}"]
        for a, e in zip(np.array_split(t, PARTS), np.array_split(energy, PARTS), strict=True)
    ]
    return Table(
        title=f"energy of a free rod, Variational, {steps} steps of {STEP:g} s",
        header=("time [s]", "mean", "range"),
        rows=parts,
        notes=[f"Relative to the beginning; slope over all {drift(t, energy):+.1e} per second."],
        data={"t": t, "energy": energy},
    )


def figure(table: Table) -> Any:
    """The energy over time."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.0, 3.0))
    axes = drawing.add_subplot()
    axes.plot(table.data["t"], table.data["energy"] - 1.0, lw=0.3)
    axes.set(xlabel="t [s]", ylabel="relative change of energy", title=table.title)
    drawing.tight_layout()
    return drawing
