"""Random targets within reach of the nine-tendon arm and of the six-rod robot, and beyond it.

Targets within reach are where equilibria with random inputs within the bounds have their frame. Out
of reach, the conditions of optimality are checked by the Jacobian of the equilibrium.
"""

import time
from dataclasses import dataclass

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.progress import track
from benchmarks.table import Table
from benchmarks.tendon_newton_lagrange import cases as tendons

COUNT = 1000
REACHED = 1e-9  # of the length
FLAT = 1e-6  # projected gradient, relative to the error and to what the inputs move


@dataclass(frozen=True)
class Case:
    """A robot.

    Attributes:
        model: of it.
        frame: that has targets.
        bounds: of the inputs that are used.
        length: of the robot [m].
    """

    model: fx.Model
    frame: str
    bounds: dict[str, tuple[float, float]]
    length: float


def robots() -> dict[str, Case]:
    """The robots."""
    arm, six = tendons.robot("D"), parallel.three_motors()
    pulls = {tendon.name: (0.0, 5.0) for tendon in arm.tendons}
    turns = dict.fromkeys(parallel.MOTORS, (0.0, 0.6))
    thin = fx.VariableStrain((2, 3, 3, 0, 0, 0))
    rod = six.rods[0].length
    return {
        "scenario D, nine tendons": Case(fx.build(arm, rods=thin), tendons.tip(arm), pulls, 0.3),
        "three motors, six rods": Case(
            fx.build(six, rods=fx.LinearStrain(4)), parallel.PLATFORM, turns, rod
        ),
    }


def run(quick: bool = False) -> Table:
    """Ask for random targets.

    Args:
        quick: for 20 of each kind.
    """
    rows, data = [], {}
    for name, case in robots().items():
        random = np.random.default_rng(0)
        near = within_reach(case, random, 20 if quick else COUNT)
        far = beyond_reach(case, random, 20 if quick else COUNT // 10)
        data[name] = {"within": near, "beyond": far}
        error, spent, solves = (np.array(column) for column in zip(*near, strict=True))
        slope = np.array([one[1] for one in far])
        rows.append(
            [
                name,
                f"{(error <= REACHED).sum()} of {len(error)}",
                f"{error.max():.1e}",
                f"{np.median(solves):.0f} ({solves.max():.0f})",
                f"{1e3 * np.median(spent):.0f}",
                f"{sum(one[0] for one in far)} of {len(far)}",
                f"{slope.max():.1e}",
            ]
        )
    return Table(
        title="random targets",
        header=(
            *("robot", "reached", "largest error / length", "solves (most)", "median time [ms]"),
            *("out of reach: closest", "largest projected gradient"),
        ),
        rows=rows,
        notes=["Times are of the processor, each search from the unloaded robot."],
        data=data,
    )


def within_reach(
    case: Case, random: np.random.Generator, count: int
) -> list[tuple[float, float, int]]:
    """Error over the length, time [s] and solves, for each target."""
    found, names = [], list(case.bounds)
    for _ in track(range(count), "within reach"):
        inputs = {name: random.uniform(*case.bounds[name]) for name in names}
        there = fx.statics(case.model, inputs)
        if not there.converged:
            continue
        target = there.pose(case.frame)[:3, 3]
        began = time.process_time()
        answer = fx.inverse(case.model, {case.frame: target}, using=names, bounds=case.bounds)
        spent = time.process_time() - began
        again = fx.statics(case.model, answer.inputs, start=answer.result)
        away = float(np.linalg.norm(again.pose(case.frame)[:3, 3] - target))
        found.append((away / case.length, spent, answer.iterations))
    return found


def beyond_reach(case: Case, random: np.random.Generator, count: int) -> list[tuple[bool, float]]:
    """Whether the closest point was found, and the projected gradient there.

    A few targets are within reach: bent backwards, an arm gets far. They count if they are reached.
    """
    found, names = [], list(case.bounds)
    home = fx.statics(case.model).unwrap().pose(case.frame)[:3, 3]
    for _ in track(range(count), "out of reach"):
        away = random.normal(size=3)
        target = home + 1.5 * case.length * away / np.linalg.norm(away)
        answer = fx.inverse(case.model, {case.frame: target}, using=names, bounds=case.bounds)
        away = answer.result.pose(case.frame)[:3, 3] - target
        if np.linalg.norm(away) <= REACHED * case.length:
            found.append((True, 0.0))
            continue
        closest = answer.status is fx.InverseStatus.CLOSEST
        found.append((closest, projected_gradient(case, answer, target)))
    return found


def projected_gradient(case: Case, answer: fx.InverseResult, target: np.ndarray) -> float:
    """Largest slope that leads closer within the bounds, relative to error and Jacobian."""
    names, pose = list(case.bounds), answer.result.pose(case.frame)
    J = pose[:3, :3] @ answer.result.jacobian(case.frame, names)[3:]
    slope, worst = J.T @ (pose[:3, 3] - target), 0.0
    for i, name in enumerate(names):
        (low, high), u = case.bounds[name], float(answer.inputs[name])
        near = 1e-9 * (high - low)
        worst = max(worst, slope[i] * (u > low + near), -slope[i] * (u < high - near))
    return float(worst / (np.linalg.norm(pose[:3, 3] - target) * np.abs(J).max()))
