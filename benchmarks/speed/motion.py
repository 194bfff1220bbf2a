"""A step in time beside a static solve from a neighbour: the tendon arm, and a cubic rod."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.progress import track
from benchmarks.rods.cases import load_cases
from benchmarks.table import Table, verdict
from benchmarks.tendon_newton_lagrange import cases

STEP = 1e-3  # [s]
RATIO = 1.5  # target: a step, relative to a static solve
CYCLE = 0.5  # of the inputs [s]
DENSITY = 1000.0  # of the tapered rod [kg/m³]


@dataclass(frozen=True)
class Case:
    """A robot whose inputs go up and down.

    Attributes:
        model: the robot.
        inputs: at a part of their cycle, from 0 to 1.
        neighbour: how far along the cycle the static solve comes from.
        calm: whether it begins in equilibrium; else unloaded, with its inputs put on at once: what
            then rings faster than steps tell is damped by the integrator, as nothing else does.
    """

    model: fx.Model
    inputs: Callable[[float], Mapping[str, Any]]
    neighbour: float
    calm: bool = True


def robots() -> dict[str, Case]:
    """The robots."""
    arm = fx.build(cases.robot("A"), rods=fx.VariableStrain((5, 7, 7, 3, 3, 3)))
    rod = fx.build(_tapered(), rods=fx.Spline(degree=3, spans=12))

    def pulled(cycle: float) -> Mapping[str, Any]:
        turns = 2.0 * np.pi * (cycle - np.arange(3) / 3.0)
        return dict(zip(arm.tendons.names, 2.5 * (1.0 - np.cos(turns)), strict=True))

    def pushed(cycle: float) -> Mapping[str, Any]:
        turn = 2.0 * np.pi * cycle
        return {"tip": (0.0, 0.0, 0.0, 0.0, 0.2 * np.sin(turn), 0.2 * np.cos(turn))}

    # Static solves come from where tensions are about 1 N lower, as in speed.tendons.
    return {
        "arm, VariableStrain, 28 functions": Case(arm, pulled, 0.1),
        "the same, pulled at once": Case(arm, pulled, 0.1, calm=False),
        "tapered rod, Spline(3, 12)": Case(rod, pushed, 0.1),
    }


def _tapered() -> fx.Robot:
    """The tapered rod of the benchmarks of rods, with a density."""
    robot = load_cases("P000_tapered_rod")[0].robot
    heavy = [replace(rod, material=replace(rod.material, density=DENSITY)) for rod in robot.rods]
    return replace(robot, rods=heavy)


def run(quick: bool = False) -> Table:
    """Time steps of 1 ms while inputs change, and equilibria of the same inputs.

    Args:
        quick: a tenth of the steps.
    """
    rows, data = [], {}
    for name, case in track(list(robots().items()), "motion"):
        spent = times(case, 100 if quick else 1000)
        (step, low_step), (still, low_still) = (np.percentile(x, [50, 10]) for x in spent[:2])
        data[name] = {"step": step, "still": still, "iterations": spent[2]}
        rows.append(
            [
                name,
                *(f"{1e3 * x:.2f}" for x in (step, low_step, still, low_still)),
                f"{spent[2]:.2f}",
                f"{low_step / low_still:.2f}",
                verdict(low_step / low_still, RATIO),
                verdict(step, STEP),
            ]
        )
    return Table(
        title="steps of 1 ms and static solves from a neighbour, by turns [ms]",
        header=(
            "robot",
            *("step", "10 %", "static", "10 %"),
            *("iterations", "ratio", "", "real time"),
        ),
        rows=rows,
        notes=[
            f"Targets: a step takes at most {RATIO} times as long as a static solve whose tensions "
            "or forces change by about a fifth, by the times that 10 % stay below; and less than "
            "it lasts.",
        ],
        data=data,
    )


def times(case: Case, steps: int) -> tuple[list[float], list[float], float]:
    """Times of steps and of static solves, by turns [s], and iterations of a step."""
    begin = fx.statics(case.model, case.inputs(0.0)).unwrap() if case.calm else None
    integrator = fx.GeneralizedAlpha() if case.calm else fx.GeneralizedAlpha(rho=0.5)
    simulation = fx.Simulation(
        case.model, STEP, start=begin, inputs=case.inputs(0.0), integrator=integrator
    )
    moving: list[float] = []
    still: list[float] = []
    iterations = 0
    near = fx.statics(case.model, case.inputs(-case.neighbour)).unwrap()
    for i in range(1, steps + 1):
        inputs = case.inputs(i * STEP / CYCLE)
        began = time.perf_counter()
        iterations += simulation.step(inputs).iterations
        moving.append(time.perf_counter() - began)
        if i % 10 == 0:
            before = case.inputs(i * STEP / CYCLE - case.neighbour)
            near = fx.statics(case.model, before, start=near).unwrap()
            began = time.perf_counter()
            fx.statics(case.model, inputs, start=near)
            still.append(time.perf_counter() - began)
    return moving, still, iterations / steps
