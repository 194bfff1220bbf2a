"""Tracking: the time of a step from target to target, beside a static solve from a neighbour."""

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.table import Table, verdict
from benchmarks.tendon_newton_lagrange import cases as tendons
from flexura.lie import se3

ARM, STEWART_GOUGH = 2e-3, 8e-3  # targets [s]
POINTS = 100  # of a circle


def run(quick: bool = False) -> Table:
    """Follow a circle.

    Args:
        quick: an eighth of it, once.
    """
    count, repeated = (POINTS // 8, 1) if quick else (POINTS, 5)
    rows, data = [], {}
    for name, (model, path, using, target) in _paths().items():
        first = fx.inverse(model, path[0], using=using).unwrap()
        spent, still = [], []
        for _ in range(repeated):
            began = time.perf_counter()
            answers = fx.inverse(model, path[:count], using=using, start=first).unwrap()
            spent.append((time.perf_counter() - began) / count)
            results = [answer.result for answer in answers]
            for before, after in pairwise(results):
                began = time.perf_counter()
                fx.statics(model, after.inputs, start=before)
                still.append(time.perf_counter() - began)
        step, solve = min(spent), float(np.median(still))
        solves = float(np.mean([answer.iterations for answer in answers]))
        data[name] = {"step": step, "solve": solve, "solves": solves}
        rows.append(
            [
                name,
                *(f"{1e3 * x:.2f}" for x in (step, solve)),
                f"{step / solve:.1f}",
                f"{solves:.1f}",
                verdict(step, target),
            ]
        )
    return Table(
        title="a step of tracking, and a static solve from a neighbour [ms]",
        header=("robot", "step", "static", "ratio", "solves a step", ""),
        rows=rows,
        notes=[f"Targets: {1e3 * ARM:g} ms for the arm, {1e3 * STEWART_GOUGH:g} ms for six legs."],
        data=data,
    )


def _paths() -> dict[str, tuple[fx.Model, list[dict[str, np.ndarray]], list[str], float]]:
    """Models, targets around a circle, inputs and times [s]."""
    arm = fx.build(tendons.robot("A"), rods=fx.VariableStrain((5, 7, 7, 3, 3, 3)))
    tip, pulls = tendons.tip(arm.robot), list(arm.tendons.names)
    x, y, z = fx.statics(arm, dict(zip(pulls, (2.0, 1.0, 0.5), strict=True))).pose(tip)[:3, 3]
    turns = np.linspace(0.0, 2.0 * np.pi, POINTS)
    circle = np.hypot(x, y) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    six = fx.build(_on_sliders(), rods=fx.LinearStrain(4))
    legs = [f"leg{k}" for k in range(6)]
    home = fx.statics(six).unwrap().pose(parallel.PLATFORM)
    poses = [
        home @ se3.pose((0.0, 0.0, 0.0), (0.02 * np.cos(a), 0.02 * np.sin(a), 0.0)) for a in turns
    ]
    return {
        "arm, VariableStrain, 28 functions": (
            arm, [{tip: np.array([*p, z])} for p in circle], pulls, ARM,
        ),
        "Stewart-Gough, six sliders, poses": (
            six, [{parallel.PLATFORM: pose} for pose in poses], legs, STEWART_GOUGH,
        ),
    }  # fmt: skip


def _on_sliders() -> fx.Robot:
    """A Stewart-Gough robot whose legs are pushed along themselves at their bases."""
    robot = parallel.stewart_gough([1.0] * 6)
    sliders = [
        fx.Slider(
            f"leg{k}", "world", f"rod{k}.base", axis=(1, 0, 0), driven=True, offset=clamp.offset
        )
        for k, clamp in enumerate(robot.joints[:6])
    ]
    return replace(robot, joints=[*sliders, *robot.joints[6:]])
