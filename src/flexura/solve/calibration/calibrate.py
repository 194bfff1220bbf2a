"""Unknown numbers of a robot from measurements of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.result.calibration import Calibration
from flexura.robot import Robot
from flexura.robot.check import check_count
from flexura.robot.observation import Observation
from flexura.rods.discretization import Discretization
from flexura.solve.at_rest import check_untouched
from flexura.solve.calibration.family import family_of
from flexura.solve.calibration.least_squares import fit
from flexura.solve.calibration.report import report, unsolved
from flexura.solve.calibration.rigid import rigid_fit
from flexura.solve.calibration.seen import check_observations
from flexura.solve.calibration.setting import bounded, described, driven_inputs
from flexura.solve.calibration.slope import CalibrationProblem
from flexura.solve.calibration.unknown import registration_of
from flexura.solve.calibration.weight import Weights
from flexura.typing import ArrayLike

MOST_ITERATIONS = 1_000_000

Names = Sequence[str] | Mapping[str, ArrayLike]


def calibrate(
    model: Model | Callable[..., Robot],
    observations: Sequence[Observation],
    parameters: Names = (),
    inputs: Names = (),
    each: Names = (),
    offsets: Sequence[str | Sequence[str]] = (),
    registration: Literal["translation", "pose"] | None = None,
    bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
    rods: Discretization | Mapping[str, Discretization] | None = None,
    iterations: int = 100,
) -> Calibration:
    """Fit unknown numbers of a robot to measurements of it, by least squares.

        min Σ ((model - measured)/σ)²                                             (theory 17.1)

    Slopes come from the exact tangents of the equilibria. Where standard deviations of the
    measurements are not given, lengths count relative to the longest rod, rotations to 1 rad,
    tensions to the largest measured.

    Args:
        model: what ``build`` returned, with first guesses in its description; or a function that
            describes the robot, with a keyword for each of the ``parameters``.
        observations: what was measured, and at which inputs.
        parameters: unknown numbers of the description by path, such as "arm.material.young" or
            "world-arm.base.offset": a list, or a dict with first guesses. Of a function, a dict of
            its arguments with first guesses.
        inputs: unknown inputs, the same for all observations, or numbers of them: "pull",
            "pull.force", "pull.fz", "gravity.x"; a list, or a dict with first guesses.
        each: unknown inputs with another value for every observation; likewise.
        offsets: inputs to which an unknown number is added: names, or lists of names that share
            one.
        registration: what is unknown of the place of the measuring system: its "translation", its
            "pose", or nothing.
        bounds: least and largest value of unknowns, by name or label; None where there is none.
        rods: how to describe the rods, where a function is given.
        iterations: steps at most.

    Returns:
        The fit, with a status that says how it went; it does not raise where it fails.

    Raises:
        ModelError: for observations or unknowns that do not fit the robot, or more unknowns than
            measured numbers.
    """
    check_count("calibrate", "iterations", iterations, MOST_ITERATIONS)
    family, guesses = family_of(model, parameters, rods)
    built = family.model(guesses)
    check_untouched("calibrate", built)
    seen = check_observations("calibrate", observations, built)
    unknowns = [
        *described(guesses),
        *driven_inputs(built, seen, inputs, each, offsets),
        *registration_of(registration),
    ]
    unknowns = bounded(unknowns, bounds)
    weights = Weights(seen, built)
    problem = CalibrationProblem(family, unknowns, seen, weights)
    _check_counts(problem)
    values = [unknown.start for unknown in unknowns]
    begun = problem.first(built, values)
    if not begun.converged.all():
        return unsolved(problem, values, begun)
    if registration == "pose":
        values[-1] = rigid_fit(seen, begun.results)
    point = problem.trial(values, built, begun.results)
    return report(problem, fit(problem, point, iterations))


def _check_counts(problem: CalibrationProblem) -> None:
    """Raise unless something is unknown, and enough was measured."""
    unknown, measured = problem.n_unknowns, problem.weights.count
    if not unknown:
        raise ModelError(
            "calibrate: nothing is unknown; name parameters, inputs, each, offsets or a "
            "registration"
        )
    if unknown > measured:
        raise ModelError(
            f"calibrate: {unknown} numbers are unknown and {measured} were measured; measure more, "
            "or look for fewer"
        )
