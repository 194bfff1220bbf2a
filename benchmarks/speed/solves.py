"""Solves by public names alone, which any commit of flexura can be timed with.

``python -m benchmarks.speed.solves`` reads names, one in each line, and answers with the median
processor time of the calls of that name [s].
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.rods.cases import load_cases
from benchmarks.tendon_newton_lagrange import cases as tendons
from flexura.model.assemble import Assembly

SECONDS = 0.1  # to repeat the calls of a name for
STRAINS = fx.VariableStrain((5, 7, 7, 3, 3, 3))
TAPERED = {
    "spline": fx.Spline(3, 12),
    "plain": fx.Spline(3, 12, assumed_strain=False),
    "linear": fx.LinearStrain(8),
    "variable": STRAINS,
    "constant": fx.ConstantStrain(8),
    "rotation": fx.RotationInterpolation(8),
}
LOADED = {"tip": (0.0, 0.0, 0.0, 0.1, 0.4, 0.3)}

Calls = list[Callable[[], object]]


def evaluation() -> Calls:
    """Residual and tangent of a cubic rod, bent and twisted."""
    model = fx.build(_tapered(), rods=TAPERED["spline"])
    result = fx.statics(model, LOADED).unwrap()
    return [partial(Assembly(model).evaluate, result.state, result.given)] * 10


def rod(rods: Any) -> Calls:
    """The tapered rod from straight."""
    model = fx.build(_tapered(), rods=rods)
    return [partial(fx.statics, model, LOADED)]


def arm(warm: bool) -> Calls:
    """Scenario A from straight, or from a neighbour whose first tension is 1 N lower."""
    model = fx.build(tendons.robot("A"), rods=STRAINS)
    found: Calls = []
    for row in tendons.combinations("A")[::7]:
        pull = {f"t{i}": value for i, value in enumerate(row, 1)}
        before = fx.statics(model, {**pull, "t1": pull["t1"] - 1.0}) if row[0] > 0 else None
        if not warm or before is not None:
            found.append(partial(fx.statics, model, pull, before if warm else None))
    return found


def lengths() -> Calls:
    """That arm, shortened tendons, from straight."""
    robot = tendons.robot("A")
    driven = [replace(tendon, drive="length") for tendon in robot.tendons]
    model = fx.build(replace(robot, tendons=driven), rods=STRAINS)
    pulls = [{"t1": 2e-3}, {"t1": 3e-3, "t2": 1e-3}, {"t1": 4e-3, "t3": -1e-3}]
    return [partial(fx.statics, model, pull) for pull in pulls]


def six_rods(warm: bool) -> Calls:
    """Three motors and six rods from straight, or from the sample before."""
    model = fx.build(parallel.three_motors(), rods=fx.LinearStrain(4))
    samples = [parallel.inputs(angles, loaded=True) for angles in parallel.CYCLE]
    results = [fx.statics(model, sample).unwrap() for sample in samples]
    starts = results[1:-1] if warm else [None] * (len(samples) - 2)
    pairs = zip(samples[2:], starts, strict=True)
    return [partial(fx.statics, model, sample, start) for sample, start in pairs]


def chain() -> Calls:
    """A chain of thirty rods, from one load to another."""
    model = fx.build(parallel.chain(30), rods=fx.LinearStrain(4))
    before = fx.statics(model, {"tip": (0.0, 0.0, 0.0, 0.0, 0.0, 0.3)}).unwrap()
    return [partial(fx.statics, model, {"tip": (0.0, 0.0, 0.0, 0.0, 0.1, 0.35)}, before)]


SOLVES: dict[str, Callable[[], Calls]] = {
    "evaluate spline": evaluation,
    **{name: partial(rod, rods) for name, rods in TAPERED.items()},
    "tendons warm": partial(arm, warm=True),
    "tendons cold": partial(arm, warm=False),
    "lengths": lengths,
    "six rods warm": partial(six_rods, warm=True),
    "six rods cold": partial(six_rods, warm=False),
    "chain of 30": chain,
}


def median(calls: Calls, seconds: float = SECONDS) -> float:
    """Median processor time of calls, made again and again for some seconds [s]."""
    times: list[float] = []
    clock = time.process_time
    began = clock()
    while clock() - began < seconds:
        for call in calls:
            start = clock()
            call()
            times.append(clock() - start)
    return float(np.median(times))


def _tapered() -> fx.Robot:
    return load_cases("P000_tapered_rod")[0].robot


def main() -> None:
    """Answer until nobody asks."""
    made: dict[str, Calls] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in made:
            made[name] = SOLVES[name]()
            for call in made[name]:  # it may compile
                call()
        print(median(made[name]), flush=True)


if __name__ == "__main__":
    main()
