"""Growth of the time of one Newton iteration with the number of spans."""

from collections.abc import Callable
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import load_cases
from benchmarks.table import Table, verdict
from benchmarks.timing import measure
from flexura.model.assemble import Assembly
from flexura.model.step import linearise

SPANS = (10, 30, 100, 300, 1000)
TARGET = 1.1  # exponent
LOADED = {"tip": (0.0, 0.0, 0.0, 0.1, 0.4, 0.3)}


def run(quick: bool = False) -> Table:
    """Time evaluation, factorisation, step and prediction at an equilibrium.

    Args:
        quick: spend a tenth of the time.
    """
    robot = load_cases("P000_tapered_rod")[0].robot
    rows, medians = [], []
    for spans in track(SPANS, "growth"):
        model = fx.build(robot, rods=fx.Spline(degree=3, spans=spans))
        timing = measure(_iteration(model), seconds=0.2 if quick else 2.0)
        medians.append(timing.median)
        rows.append(
            [
                str(spans),
                str(model.n_dof),
                *(f"{1e6 * t:.0f}" for t in (timing.median, timing.low, timing.high)),
                str(timing.calls),
                f"{1e6 * timing.median / spans:.1f}",
            ]
        )
    exponent = float(np.polyfit(np.log(SPANS), np.log(medians), 1)[0])
    last = float(np.polyfit(np.log(SPANS[-3:]), np.log(medians[-3:]), 1)[0])
    return Table(
        title="one Newton iteration of a cubic rod [µs]",
        header=("spans", "unknowns", "median", "10 %", "90 %", "calls", "per span"),
        rows=rows,
        notes=[
            f"Time grows with the power {exponent:.2f} of the spans, target {TARGET}: "
            f"{verdict(exponent, TARGET)}; with {last:.2f} from {SPANS[-3]} spans on."
        ],
        data={"exponent": exponent, "last": last, "medians": medians},
    )


def _iteration(model: fx.Model) -> Callable[[], None]:
    """One iteration as in ``solve.newton``, at an equilibrium of the model."""
    result = fx.statics(model, LOADED).unwrap()
    assembly = Assembly(model)
    structure, definite = model.layout.structure, not model.layout.n_multipliers

    def iterate() -> None:
        assembly.evaluate(result.state, result.given)
        factor = structure.factorise(assembly.values, definite)
        linearise(assembly, -factor.solve(assembly.residual)).advance()

    return iterate


def figure(table: Table) -> Any:
    """Time over the number of spans."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(5.0, 3.6))
    axes = drawing.add_subplot()
    times = 1e6 * np.array(table.data["medians"])
    axes.loglog(SPANS, times, "o-", label=f"power {table.data['exponent']:.2f}")
    axes.loglog(SPANS, times[-1] * np.array(SPANS) / SPANS[-1], ":", label="linear")
    axes.set(xlabel="spans", ylabel="one Newton iteration [µs]")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    return drawing
