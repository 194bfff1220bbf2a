"""A full solve of the tapered rod from straight, kernels compiled."""

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import load_cases
from benchmarks.table import Table, verdict
from benchmarks.timing import measure

TARGET = 3e-3  # [s]


def run(quick: bool = False) -> Table:
    """Time the solves of section 7.1, on the model as built once.

    Args:
        quick: spend a tenth of the time.
    """
    rows, data = [], {}
    for case in track(load_cases("P000_tapered_rod"), "solve"):
        model = fx.build(case.robot, rods=fx.Spline(degree=3, spans=12))
        result = fx.statics(model).unwrap()
        timing = measure(lambda model=model: fx.statics(model), seconds=0.1 if quick else 1.0)
        data[case.name] = timing
        rows.append(
            [
                case.name,
                *(f"{1e3 * t:.2f}" for t in (timing.median, timing.low, timing.high)),
                str(timing.calls),
                str(result.iterations),
                f"{1e3 * TARGET:.0f}",
                verdict(timing.median, TARGET),
            ]
        )
    return Table(
        title="static solve from straight, Spline(3, 12) [ms]",
        header=("load", "median", "10 %", "90 %", "calls", "iterations", "target", ""),
        rows=rows,
        data=data,
    )
