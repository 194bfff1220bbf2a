"""Section 7.1: position error along the tapered rod, cubic spline with 15 control poses."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import Case, load_cases
from benchmarks.table import Claim, Table, largest, verdict

PAPER = fx.Spline(degree=3, spans=12)  # 15 control poses
CLAIM = 0.01  # of the length: "the relative error remaining below 1 %"


def run(quick: bool = False) -> Table:
    """Compare positions with the reference samples, for forces and moments.

    Args:
        quick: changes nothing, this is quick.
    """
    rows, errors = [], {}
    for case in track(load_cases("P000_tapered_rod"), "accuracy"):
        result = fx.statics(fx.build(case.robot, rods=PAPER)).unwrap()
        error = position_errors(case, result)
        errors[case.name] = error
        rows.append(
            [
                case.name,
                f"{error.max():.1e}",
                f"{error.mean():.1e}",
                f"{error[-1]:.1e}",
                f"< {CLAIM:g}",
                verdict(error.max(), CLAIM),
                str(result.iterations),
            ]
        )
    return Table(
        title="section 7.1, position error over the length",
        header=("load at the tip", "largest", "mean", "tip", "paper", "", "iterations"),
        rows=rows,
        notes=["Errors at s = 0, 0.1, ..., 1 m. The paper shows figures and states the bound."],
        data=errors,
    )


def claims(table: Table) -> Iterator[Claim]:
    """The bound of the paper."""
    what = "7.1 position error over the length, 15 cubic control poses"
    yield Claim(what, f"< {CLAIM:g}", "collocation of order 16", largest(table.column("largest")))


def position_errors(case: Case, result: fx.StaticResult) -> np.ndarray:
    """Distance from the reference at its samples, over the length."""
    samples = np.array(case.entry["samples"])
    s = np.linspace(0.0, case.length, len(samples))
    return np.linalg.norm(result.pose("rod", s)[:, :3, 3] - samples, axis=1) / case.length


def figure(table: Table) -> Any:
    """Relative error along the rod, as figure 13 of the paper."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.0, 3.6))
    axes = drawing.add_subplot()
    for name, error in table.data.items():
        s = np.linspace(0.0, 1.0, len(error))
        axes.semilogy(s[1:], error[1:], ".-", label=name.removeprefix("P000 "))
    axes.axhline(CLAIM, color="black", linestyle=":", label="bound in the paper")
    axes.set(xlabel="s / L", ylabel="position error / L")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return drawing
