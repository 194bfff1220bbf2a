"""The result of an outcome of Newton's method."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.newton import Outcome
from flexura.solve.remarks import finer_rods, remarks

# Elements that turn by this much of what they can tell are not too coarse.
ENOUGH = 0.5


def static_result(
    model: Model,
    state: State,
    outcome: Outcome[Any],
    inputs: Inputs,
    status: Status,
    iterations: int,
    load_steps: int = 1,
    load_factor: float = 1.0,
) -> StaticResult:
    """The result of an outcome that ended at a state.

    Args:
        model: what was solved.
        state: where it ended.
        outcome: of Newton's method.
        inputs: the ones that belong to it.
        status: how it ended.
        iterations: that it took.
        load_steps: in which the load was raised.
        load_factor: the part of the load that it carries.
    """
    report = outcome.report
    evaluation = report.evaluation if outcome.residuals else report.evaluation.finite()
    return StaticResult(
        model=model,
        state=state,
        given=inputs,
        status=status,
        residuals=outcome.residuals or (math.inf,),
        steps=outcome.steps,
        iterations=iterations,
        load_steps=load_steps,
        load_factor=load_factor,
        stable=report.stable if status.equilibrium else None,
        evaluation=evaluation,
        remarks=remarks(model, inputs, state, evaluation, status.equilibrium),
    )


def fitting(found: StaticResult) -> StaticResult:
    """The same, too coarse if elements turn by more than they can tell."""
    return coarse(found) if turns_too_far(found) else found


def turns_too_far(found: StaticResult) -> bool:
    """Whether elements turn by more than they can tell in an equilibrium."""
    return found.status.equilibrium and found.evaluation.turn >= 1.0


def coarse(
    found: StaticResult, more: float = 1.0, finer: Mapping[str, float] | None = None
) -> StaticResult:
    """The same, too coarse, with the advice how fine rods should be.

    Args:
        found: the result.
        more: so many times as far as the inputs turn the robot it shall be turned.
        finer: so many times as fine rods should be, by name, if that is known.
    """
    turns, finer, places = found.evaluation.turns, finer or {}, found.model.places
    factors = {
        name: max(more * turns[place.part] / ENOUGH, finer.get(name, 0.0))
        for name, place in places.items()
    }
    advice = finer_rods(found.model, factors)
    remarks = (*found.remarks, *advice)
    return replace(found, status=Status.COARSE, stable=None, remarks=remarks)
