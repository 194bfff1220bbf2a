"""The equilibrium after a small change of inputs, from its linear prediction."""

import numpy as np

from flexura.model.inputs import Inputs
from flexura.model.step import linearise
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.derivative.response import Directions, Response
from flexura.solve.equilibrium import Equilibrium, Iterate, solve_equilibrium
from flexura.solve.finish import static_result
from flexura.solve.statics import solve_inputs
from flexura.solve.workspace import workspace
from flexura.typing import Array

# Predictions that turn anything by more than this [rad] are none; Newton has so many iterations.
FAR, FEW = 0.5, 12


def solve_nearby(
    response: Response, directions: Directions, change: Array, inputs: Inputs
) -> StaticResult:
    """The equilibrium with changed inputs.

    Args:
        response: of the equilibrium to start from.
        directions: ways that it can go.
        change: how far along each, (m,).
        inputs: after the change.
    """
    predicted = _predict(response, directions, change, inputs)
    found = None if predicted is None else _solve(response, predicted, inputs)
    return solve_inputs(response.result.model, inputs, response.result) if found is None else found


def _predict(
    response: Response, directions: Directions, change: Array, inputs: Inputs
) -> Iterate | None:
    """Where the tangent leads; None if that is far."""
    drift = None
    for one, part in zip(directions.drifts, change, strict=True):
        if one is not None:
            drift = part * one if drift is None else drift + part * one
    step = linearise(
        response.assembly, directions.motion @ change, directions.multipliers @ change, drift
    )
    if not step.rotation <= FAR:
        return None
    return Iterate(*step.advance(1.0, inputs))


def _solve(response: Response, start: Iterate, inputs: Inputs) -> StaticResult | None:
    """The equilibrium near a prediction; None if it is not found, or not as good."""
    model = response.result.model
    with workspace(model) as assembly, np.errstate(all="ignore"):
        outcome = solve_equilibrium(Equilibrium(assembly, inputs), start, FEW)
    report = outcome.report
    if not outcome.converged or report.stable is False or report.free:
        return None
    found = static_result(
        model, outcome.point.state, outcome, inputs, Status.CONVERGED, outcome.iterations
    )
    return found if found.converged else None
