"""Times of one equilibrium of the robot with six rods, and growth over chains of rods."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases, six_rods
from benchmarks.progress import track
from benchmarks.table import Table, verdict
from benchmarks.timing import measure

WARM_TARGET, STRAIGHT_TARGET = 3e-3, 15e-3  # [s]
COUNTS = (1, 10, 100)
GROWTH_TARGET = 1.15  # exponent
# From one load to another, in four or five iterations for every number of rods.
BEFORE = {"tip": (0.0, 0.0, 0.0, 0.0, 0.0, 0.3)}
LOADED = {"tip": (0.0, 0.0, 0.0, 0.0, 0.1, 0.35)}


def run(quick: bool = False) -> Table:
    """Time the paper's model of the six rods, and chains.

    Args:
        quick: spend a tenth of the time.
    """
    seconds = 0.3 if quick else 3.0
    straight, warm = six_rods.times(six_rods.cycle(fx.LinearStrain(4)), seconds)
    rows = [
        ["six rods, sample to sample", "258", f"{1e3 * warm:.2f}", "", "3"],
        ["six rods, from straight", "258", f"{1e3 * straight:.2f}", "", "15"],
    ]
    medians, iterations = [], []
    for count in track(COUNTS, "chains"):
        model = fx.build(cases.chain(count), rods=fx.LinearStrain(4))
        before = fx.statics(model, BEFORE).unwrap()
        result, timing = _timed(model, before, seconds / 3.0)
        medians.append(timing)
        iterations.append(result.iterations)
        rows.append(
            [
                f"chain of {count}",
                str(model.n_dof),
                f"{1e3 * timing:.2f}",
                str(result.iterations),
                "",
            ]
        )
    powers = np.diff(np.log(medians)) / np.diff(np.log(COUNTS))
    exponent = float(powers.max())
    return Table(
        title="time of one equilibrium, four linear strain elements per rod [ms]",
        header=("robot", "unknowns", "median", "iterations", "target"),
        rows=rows,
        notes=[
            f"Six rods: {verdict(warm, WARM_TARGET)} from the sample before, "
            f"{verdict(straight, STRAIGHT_TARGET)} from straight.",
            f"Time grows with the power {powers[0]:.2f} from 1 to 10 rods and {powers[1]:.2f} from "
            f"10 to 100, target {GROWTH_TARGET}: {verdict(exponent, GROWTH_TARGET)}.",
        ],
        data={
            "warm": warm,
            "straight": straight,
            "medians": medians,
            "iterations": iterations,
            "exponent": exponent,
        },
    )


def _timed(model: fx.Model, before: fx.StaticResult, seconds: float) -> tuple[Any, float]:
    """The loaded chain from the load before, and the median time [s]."""
    result = fx.statics(model, LOADED, start=before).unwrap()
    timing = measure(lambda: fx.statics(model, LOADED, start=before), seconds=seconds)
    return result, timing.median
