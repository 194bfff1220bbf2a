"""The equilibrium after a small change of inputs, from its linear prediction."""

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.step import Linearised, linearise
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.derivative.response import Response
from flexura.solve.derivative.tangent import Directions
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.finish import static_result, turns_too_far
from flexura.solve.statics import solve_inputs
from flexura.solve.verdict import concluded, with_verdict
from flexura.solve.workspace import workspace
from flexura.typing import Array

# Predictions that turn anything by more than this [rad] are none; Newton has so many iterations.
FAR, FEW = 0.5, 12
# Without a prediction: what takes more is found after a shorter step; so is what touches, whose
# iterations take longest where there is no equilibrium any more.
MOST, TOUCHED = 40, 16


def solve_nearby(
    response: Response,
    directions: Directions,
    change: Array,
    inputs: Inputs,
    since: StaticResult | None = None,
) -> StaticResult:
    """The equilibrium with changed inputs.

    Args:
        response: of the equilibrium to start from.
        directions: ways that it can go.
        change: how far along each, (m,).
        inputs: after the change.
        since: where sliding counts from, if anything rubs.
    """
    if response.assembly.touch is not None:  # what touches may do so no more, or elsewhere
        return solve_inputs(response.result.model, inputs, response.result, TOUCHED, since=since)
    step = predict(response, directions, change)
    start = Iterate(*step.advance(1.0, inputs)) if step.rotation <= FAR else None
    found = None if start is None else _solve(response, start, inputs)
    if found is None:
        found = solve_inputs(response.result.model, inputs, response.result, MOST)
    return found


def predict(response: Response, directions: Directions, change: Array) -> Linearised:
    """The step along the tangent, (m,) of it along each direction."""
    motion, multipliers = directions.motion @ change, directions.multipliers @ change
    return linearise(response.assembly, motion, multipliers, directions.drift(change))


def _solve(response: Response, start: Iterate, inputs: Inputs) -> StaticResult | None:
    """The equilibrium near a prediction; None if it is not found, or not as good."""
    model = response.result.model
    with workspace(model) as assembly, np.errstate(all="ignore"):
        assembly.count_from(response.result.given, response.result.evaluation)
        outcome = solve_equilibrium(Equilibrium(assembly, inputs), start, FEW)
        report = outcome.report
        if not outcome.converged or report.stable is False or report.free:
            return None
        found = static_result(
            model, outcome.point.state, outcome, inputs, Status.CONVERGED, outcome.iterations
        )
        if turns_too_far(found):
            return None
        return concluded(with_verdict(found, report, assembly))
