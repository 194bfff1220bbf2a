"""``flexura compare``: one robot, solved with all models side by side."""

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flexura.cli.command import new_command
from flexura.cli.option import add_inputs, add_robot, inputs
from flexura.cli.solve import clock, shoot
from flexura.cli.text import progress, table
from flexura.errors import FlexuraError, ModelError
from flexura.io import load
from flexura.model.build import build
from flexura.result.integrated import IntegratedResult
from flexura.result.shape_error import shape_error
from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.rods.discretization import Discretization
from flexura.rods.hermite import Hermite
from flexura.rods.linear_strain import LinearStrain
from flexura.rods.power import Power
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.spline import Spline
from flexura.rods.variable_strain import ConstantStrain, VariableStrain
from flexura.solve.grounded import check_held
from flexura.solve.statics import statics
from flexura.text import answer, numbers, roughly
from flexura.typing import ArrayLike

DESCRIPTION = """\
Solve the same robot with all models and print one line for each: degrees of freedom, position of
the tip of the last rod, shape error (largest distance to the finest model along any rod, in per
cent of its length), the error that the model itself expects (its accuracy, in per cent of the
longest rod), residual, iterations, whether the equilibrium is stable, and time.

The finest model is shooting, which integrates the continuous equations; where that finds no stable
equilibrium, linear strain with 64 elements, or else the model that expects the least error; with
sets of tubes, which three of the models can describe, variable strain with many functions. The
exit code is 0 if at least one model found an equilibrium.
"""
EXAMPLE = """\
examples:
  flexura compare examples/cantilever.toml
  flexura compare examples/held_rod.toml --input grip=0.5,0.3,0,0,1.2,0 --fine 2
"""
HEADING = ["dof", "error [%]", "expected [%]", "residual", "iterations", "stable", "time [ms]"]
FINEST = 8  # constant strain has hundreds of elements then
TUBES = (8, 10, 10, 4, 4, 4)  # functions on each section of a set of tubes
FAR = 5.0  # [%]; beyond the error of any of these models on a robot that it can describe


@dataclass(frozen=True)
class Contender:
    """A model with a name; None solves the continuous equations."""

    name: str
    rods: Discretization | None


@dataclass(frozen=True)
class Attempt:
    """What came of a model.

    Attributes:
        name: of the model.
        result: of the solve; None if there was none.
        seconds: of the second solve, when all code is loaded.
        reason: why there is no equilibrium; empty if there is one.
    """

    name: str
    result: StaticResult | None
    seconds: float
    reason: str

    @property
    def equilibrium(self) -> StaticResult | None:
        """The result, if it is an equilibrium."""
        return None if self.reason else self.result

    @property
    def trusted(self) -> bool:
        """Whether other results may be measured by this one."""
        found = self.equilibrium
        return found is not None and found.stable is not False


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = new_command(
        commands, "compare", "solve a robot with all models", DESCRIPTION, EXAMPLE, run
    )
    add_robot(parser)
    add_inputs(parser)
    parser.add_argument(
        "--fine",
        type=int,
        default=1,
        metavar="N",
        help="use N times as many spans, elements, sections and functions (default 1)",
    )


def run(options: argparse.Namespace) -> bool:
    """Solve with every model and print the table; whether any found an equilibrium."""
    if not 1 <= options.fine <= FINEST:
        raise ModelError(f"--fine takes a whole number from 1 to {FINEST}, got {options.fine}")
    robot = load(options.robot)
    if not robot.slender:
        raise ModelError(f"{robot.name!r} has no rods, so that all models are the same; use solve")
    check_held(robot)
    outline = build(robot, rods=ConstantStrain(1) if robot.tubes else LinearStrain(elements=1))
    values = inputs(outline.inputs, options.input)
    outline.read_inputs(values)  # what is wrong for one model is wrong for all
    field = contenders(options.fine)
    attempts = []
    for number, contender in enumerate(field, start=1):
        progress(f"{number}/{len(field)} {contender.name}")
        attempts.append(attempt(robot, values, contender))
    if not attempts[-1].trusted:
        spare = _spare(robot, options.fine)
        progress(f"in place of shooting: {spare.name}")
        attempts.append(attempt(robot, values, spare))
    progress("")
    print(report(robot, attempts, finest_of(attempts)))
    return any(entry.equilibrium for entry in attempts)


def _spare(robot: Robot, fine: int) -> Contender:
    """What others are measured by where shooting finds nothing; of sets of tubes it knows none."""
    if robot.tubes:
        return Contender("variable strain, 8,10,10,4,4,4", VariableStrain(TUBES, steps=120 * fine))
    return Contender(f"linear strain, {64 * fine} elements", _linear(64, fine))


def contenders(fine: int) -> list[Contender]:
    """All models, the finest last.

    Args:
        fine: factor of their resolutions.
    """
    orders = VariableStrain()
    return [
        Contender(f"cubic spline, {12 * fine} spans", Spline(degree=3, spans=12 * fine)),
        Contender(f"quintic spline, {12 * fine} spans", Spline(degree=5, spans=12 * fine)),
        Contender(f"cubic Hermite, {8 * fine} elements", Hermite(8 * fine)),
        Contender(f"quintic power, {4 * fine} elements", Power(degree=5, elements=4 * fine)),
        Contender(f"linear strain, {8 * fine} elements", _linear(8, fine)),
        Contender(
            f"variable strain, {','.join(str(fine * n) for n in orders.orders)}",
            VariableStrain(tuple(fine * n for n in orders.orders), steps=fine * orders.steps),
        ),
        Contender(f"constant strain, {16 * fine} sections", ConstantStrain(16 * fine)),
        Contender(f"rotation interpolation, {4 * fine} elements", RotationInterpolation(4 * fine)),
        Contender("shooting", None),
    ]


def _linear(elements: int, fine: int) -> LinearStrain:
    return LinearStrain(elements * fine)


def attempt(robot: Robot, values: Mapping[str, ArrayLike], contender: Contender) -> Attempt:
    """Solve with one model, twice; the second time is measured."""
    try:
        solve = _solver(robot, values, contender.rods)
        result = solve()
        began = clock()
        solve()
        seconds = clock() - began
    except FlexuraError as error:
        return Attempt(contender.name, None, 0.0, str(error))
    return Attempt(contender.name, result, seconds, "" if result.converged else str(result.status))


def finest_of(attempts: list[Attempt]) -> Attempt:
    """What the others are measured by: the last one, else the one that expects the least error."""

    def expected(entry: Attempt) -> float:
        return entry.equilibrium.accuracy if entry.equilibrium else math.inf

    if attempts[-1].trusted:
        return attempts[-1]
    return min((entry for entry in attempts if entry.trusted), key=expected, default=attempts[-1])


def _solver(
    robot: Robot, values: Mapping[str, ArrayLike], rods: Discretization | None
) -> Callable[[], StaticResult]:
    """A solve that can be repeated; the model is built here, once."""
    if rods is None:
        return lambda: shoot(robot, values)
    model = build(robot, rods=rods)
    return lambda: statics(model, values)


def report(robot: Robot, attempts: list[Attempt], finest: Attempt) -> str:
    """The table, what it means, and why models failed."""
    last = robot.slender[-1]
    tip = [f"{last.name}.tip x [m]", "y [m]", "z [m]"]
    heading = ["model", HEADING[0], *tip, *HEADING[1:]]
    rows = [_row(robot, entry, finest) for entry in attempts]
    return "\n\n".join([robot.name, table(heading, rows), *_notes(robot, attempts, finest)])


def _row(robot: Robot, entry: Attempt, finest: Attempt) -> list[str]:
    """What a model found; a model without equilibrium has no shape to speak of."""
    result = entry.result
    if result is None:
        return [entry.name, *["-"] * 10]
    size = "-" if isinstance(result, IntegratedResult) else str(result.model.n_dof)
    tip, error, expected, stable = ["-"] * 3, "-", "-", "-"
    if entry.equilibrium:
        last = robot.slender[-1]
        tip = numbers(result.pose(f"{last.name}.tip")[:3, 3], last.length)
        part = 100.0 * result.accuracy / result.model.length
        expected = roughly(part) if math.isfinite(part) else "not known"
        stable = answer(result.stable)
        if entry is not finest and finest.equilibrium:
            error = roughly(_error(robot, result, finest.equilibrium))
    work = [f"{result.residual:.1e}", str(result.iterations), stable]
    return [entry.name, size, *tip, error, expected, *work, f"{1e3 * entry.seconds:.1f}"]


def _error(robot: Robot, a: StaticResult, b: StaticResult) -> float:
    """Largest distance of the rods, in per cent of their lengths."""
    return max(shape_error(a, b, rod.name).max_percent for rod in robot.slender)


def _notes(robot: Robot, attempts: list[Attempt], finest: Attempt) -> list[str]:
    """What the columns mean, and what to know about single models."""
    if finest.equilibrium:
        error = f"error: largest distance to {finest.name}, in per cent of the rod's length"
    else:
        error = "error: unknown, no model found a stable equilibrium to measure the others by"
    notes = [
        f"{error}\n"
        "expected: the error that each model finds in its own result, in per cent of the longest "
        "rod\n"
        "time: a second solve from the unloaded robot, all code loaded; without building the model"
        "\nrotation interpolation neither stretches nor shears"
    ]
    reasons = [f"{entry.name}: {entry.reason}" for entry in attempts if entry.reason]
    for entry in attempts:
        found, best = entry.equilibrium, finest.equilibrium
        if found and best and _error(robot, found, best) > FAR:
            reasons.append(
                f"{entry.name}: far from {finest.name}: another equilibrium (energy "
                f"{found.energy:.4g} J, not {best.energy:.4g} J), or too coarse; try --fine"
            )
    return [*notes, *reasons]
