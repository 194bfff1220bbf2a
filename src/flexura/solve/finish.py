"""The result of an outcome of Newton's method."""

import math
from typing import Any

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.equilibrium import Iterate
from flexura.solve.load_steps import Raised
from flexura.solve.newton import Outcome
from flexura.solve.remarks import remarks


def static_result(
    model: Model,
    state: State,
    outcome: Outcome[Any],
    inputs: Inputs,
    status: Status,
    iterations: int,
    raised: Raised[Iterate] | None = None,
) -> StaticResult:
    """The result of an outcome that ended at a state."""
    report = outcome.report
    evaluation = report.evaluation if outcome.residuals else report.evaluation.finite()
    found = status.converged or status is Status.UNSTABLE
    if found and evaluation.turn >= 1.0:
        status = Status.COARSE
    return StaticResult(
        model=model,
        state=state,
        given=inputs,
        status=status,
        residuals=outcome.residuals or (math.inf,),
        steps=outcome.steps,
        iterations=iterations,
        load_steps=1 if raised is None else raised.steps,
        load_factor=1.0 if raised is None else raised.load_factor,
        stable=report.stable,
        evaluation=evaluation,
        remarks=remarks(model, state, evaluation, status is Status.COARSE),
    )
