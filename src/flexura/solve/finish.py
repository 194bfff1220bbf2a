"""The result of an outcome of Newton's method."""

import math
from dataclasses import replace
from typing import Any

from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.newton import Outcome
from flexura.solve.remarks import finer_rods, remarks

# An unstable equilibrium whose positions may be wrong by this part of the length may be one of the
# discretization, not of the robot.
ROUGH = 0.01
# How much finer rods should be then.
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
    finer: tuple[float, ...] | None = None,
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
        finer: so many times as fine the rods of each part should be, if that is known.
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
        return _coarse(found, more, (FINER,) * len(model.parts))
    return found


def _coarse(found: StaticResult, more: float, finer: tuple[float, ...] | None) -> StaticResult:
    """The same, with the advice how fine rods should be; arguments as above."""
    factors = [more * turn / ENOUGH for turn in found.evaluation.turns]
    if finer is not None:
        factors = [max(pair) for pair in zip(factors, finer, strict=True)]
    advice = finer_rods(found.model, factors)
    return replace(found, status=Status.COARSE, remarks=(*found.remarks, *advice))
