"""Times of one equilibrium of the robot with six rods, and growth over chains and trees of rods."""

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases, six_rods
from benchmarks.progress import track
from benchmarks.table import Table, verdict
from benchmarks.timing import measure

WARM_TARGET, STRAIGHT_TARGET = 3e-3, 15e-3  # [s]
COUNTS = (1, 10, 100)
DEPTHS = (1, 3, 5)  # of trees: 3, 15 and 63 rods
GROWTH_TARGET = 1.15  # exponent
# From one load to another, in four or five iterations for every number of rods.
BEFORE = {"tip": (0.0, 0.0, 0.0, 0.0, 0.0, 0.3)}
LOADED = {"tip": (0.0, 0.0, 0.0, 0.0, 0.1, 0.35)}


def run(quick: bool = False) -> Table:
    """Time the paper's model of the six rods, chains and trees.

    Args:
        quick: spend a tenth of the time.
    """
    seconds = 0.3 if quick else 3.0
    straight, warm = six_rods.times(six_rods.cycle(fx.LinearStrain(4)), seconds)
    rows = [
        ["six rods, sample to sample", "258", f"{1e3 * warm:.2f}", "", "3"],
        ["six rods, from straight", "258", f"{1e3 * straight:.2f}", "", "15"],
    ]
    chains = [cases.chain(count) for count in COUNTS]
    trees = [cases.tree(depth) for depth in DEPTHS]
    timed = [_timed(robot, seconds / 3.0) for robot in track([*chains, *trees], "growth")]
    rows += [row for row, _, _ in timed]
    medians, iterations = [time for _, time, _ in timed], [count for _, _, count in timed]
    n = len(chains)
    powers = _powers(chains, medians[:n])
    forked = _powers(trees, [time / i for time, i in zip(medians[n:], iterations[n:], strict=True)])
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
            f"Trees: that of an iteration with {forked[0]:.2f} from 3 to 15 and {forked[1]:.2f} "
            "from 15 to 63.",
        ],
        data={
            "warm": warm,
            "straight": straight,
            "medians": medians,
            "iterations": iterations,
            "exponent": exponent,
            "forked": forked,
        },
    )


def _timed(robot: fx.Robot, seconds: float) -> tuple[list[str], float, int]:
    """A row, the median time [s] and the iterations of a robot from the load before."""
    model = fx.build(robot, rods=fx.LinearStrain(4))
    before = fx.statics(model, BEFORE).unwrap()
    result = fx.statics(model, LOADED, start=before).unwrap()
    time = measure(lambda: fx.statics(model, LOADED, start=before), seconds=seconds).median
    name = f"{robot.name} of {len(robot.rods)}"
    row = [name, str(model.n_dof), f"{1e3 * time:.2f}", str(result.iterations), ""]
    return row, time, result.iterations


def _powers(robots: list[fx.Robot], times: list[float]) -> Any:
    """Powers of the number of rods that times grow with, from robot to robot."""
    return np.diff(np.log(times)) / np.diff(np.log([len(robot.rods) for robot in robots]))
