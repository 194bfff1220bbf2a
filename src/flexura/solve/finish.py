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
from flexura.solve.rough import ROUGH

# How much finer rods should be whose instability may be one of the discretization.
FINER = 4.0
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
    more: float = 1.0,
    finer: Mapping[str, float] | None = None,
    limp: bool = False,
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
        more: so many times as far as the inputs turn the robot it shall be turned.
        finer: so many times as fine rods should be, by name, if that is known.
        limp: whether it is known that elements turn by themselves, and that it does no harm.
    """
    report = outcome.report
    evaluation = report.evaluation if outcome.residuals else report.evaluation.finite()
    found = StaticResult(
        model=model,
        state=state,
        given=inputs,
        status=status,
        residuals=outcome.residuals or (math.inf,),
        steps=outcome.steps,
        iterations=iterations,
        load_steps=load_steps,
        load_factor=load_factor,
        stable=report.stable,
        evaluation=evaluation,
        remarks=remarks(model, inputs, state, evaluation, status.equilibrium),
    )
    if status is Status.COARSE or (status.equilibrium and evaluation.turn >= 1.0 and not limp):
        return _coarse(found, more, finer)
    if status is Status.UNSTABLE and not model.volumes and found.accuracy > ROUGH * model.length:
        return _coarse(found, more, dict.fromkeys(model.places, FINER))
    return found


def _coarse(found: StaticResult, more: float, finer: Mapping[str, float] | None) -> StaticResult:
    """The same, with the advice how fine rods should be; arguments as above."""
    turns, finer, places = found.evaluation.turns, finer or {}, found.model.places
    factors = {
        name: max(more * turns[place.part] / ENOUGH, finer.get(name, 0.0))
        for name, place in places.items()
    }
    advice = finer_rods(found.model, factors)
    return replace(found, status=Status.COARSE, remarks=(*found.remarks, *advice))
