"""Jacobians and compliances beside the warm solves that they belong to."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.progress import track
from benchmarks.table import Table, verdict
from benchmarks.tendon_newton_lagrange import cases as tendons

SHARE = 0.5  # of a warm solve that a Jacobian by all inputs may take
RODS = fx.Spline(3, 12)


def run(quick: bool = False) -> Table:
    """Time the first Jacobian of a result, by all inputs, its compliance, and a warm solve.

    Args:
        quick: with fewer repetitions.
    """
    rows, data = [], {}
    for name, (result, inputs, frame) in track(list(_cases().items()), "derivatives"):
        model = result.model

        def warm(model=model, inputs=inputs, result=result) -> None:  # type: ignore[no-untyped-def]
            fx.statics(model, inputs, start=result)

        def jacobian(result=result, frame=frame) -> None:  # type: ignore[no-untyped-def]
            replace(result).jacobian(frame)

        def compliance(result=result, frame=frame) -> None:  # type: ignore[no-untyped-def]
            replace(result).compliance(frame)

        times = _times([warm, jacobian, compliance], 20 if quick else 200)
        share = times[1] / times[0]
        data[name] = {"warm": times[0], "jacobian": times[1], "compliance": times[2]}
        numbers = str(result.jacobian(frame).shape[1])
        rows.append(
            [
                name,
                numbers,
                *(f"{1e3 * x:.2f}" for x in times),
                f"{share:.2f}",
                verdict(share, SHARE),
            ]
        )
    return Table(
        title="derivatives beside warm solves, median processor time [ms]",
        header=("robot", "numbers", "warm solve", "Jacobian", "compliance", "Jacobian/solve", ""),
        rows=rows,
        notes=[
            "Each is the first question to a result, tangent and factorisation included. A "
            f"Jacobian by all inputs may take {SHARE:g} of a solve from a neighbour."
        ],
        data=data,
    )


def _times(calls: list[Callable[[], None]], rounds: int) -> list[float]:
    """Median processor times of calls, in turns [s]."""
    found: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, own in zip(calls, found, strict=True):
            began = time.process_time()
            call()
            own.append(time.process_time() - began)
    return [float(np.median(own)) for own in found]


def _cases() -> dict[str, tuple[fx.StaticResult, dict[str, float], str]]:
    """Results, inputs of a neighbour, and frames."""
    found = {}
    for scenario, near in {"A": {"t1": 3.0, "t2": 1.0}, "D": {"t1": 5.0, "t4": 3.75}}.items():
        robot = tendons.robot(scenario)
        result = fx.statics(fx.build(robot, rods=RODS), near).unwrap()
        found[f"scenario {scenario}"] = (result, {**near, "t1": 4.0}, tendons.tip(robot))
    six = parallel.three_motors_references()[-1]
    result = fx.statics(fx.build(six.robot, rods=RODS), six.inputs).unwrap()
    inputs = {name: value + 0.05 for name, value in six.inputs.items()}
    found["three motors, six rods"] = (result, inputs, parallel.PLATFORM)
    return found
