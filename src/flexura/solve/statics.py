"""Equilibria of a model under given inputs."""

from collections.abc import Mapping

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.model import Model
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.continuation import Path, raise_load
from flexura.solve.linear import is_stable
from flexura.solve.newton import Newton, Outcome
from flexura.typing import Array, ArrayLike

# Newton with the full load has this many iterations before the load is raised in steps.
AT_ONCE = 40


def statics(
    model: Model,
    inputs: Mapping[str, ArrayLike] | None = None,
    start: StaticResult | None = None,
    iterations: int = 2000,
) -> StaticResult:
    """Find an equilibrium.

    Newton's method with the full load first. If that fails, or ends in an unstable equilibrium, the
    load is raised in steps from that of the start.

    Args:
        model: what ``build`` returned.
        inputs: values of loads and actuators by name; loads that are not named keep their
            described value.
        start: an earlier result of the same model to start from; else the unloaded robot.
        iterations: Newton iterations to spend at most.

    Returns:
        A result whose ``status`` says how it went; it does not raise if there is no convergence.

    Raises:
        ModelError: for inputs or a start that do not belong to the model.
    """
    if not isinstance(model, Model):
        raise ModelError(f"statics takes the Model that build returns, got {type(model).__name__}")
    end = model.input_array(inputs)
    state, begin = _start(model, start)
    assembly = Assembly(model)
    outcome = Newton(assembly, end).run(state, min(AT_ONCE, iterations))
    result = _result(assembly, outcome, end, Status.CONVERGED, outcome.iterations, 1, 1.0)
    if outcome.converged and result.stable is not False:
        return result
    path = raise_load(assembly, state, begin, end, iterations - outcome.iterations)
    used = outcome.iterations + path.iterations
    if path.outcome is not None and path.load_factor >= 1.0:
        followed = _result(
            assembly, path.outcome, end, Status.CONTINUED, used, path.steps, path.load_factor
        )
        if followed.stable is not False or not outcome.converged:
            return followed
    if outcome.converged:
        return result
    return _failure(assembly, path, state, begin, end, used, iterations)


def _start(model: Model, start: StaticResult | None) -> tuple[State, Array]:
    """Where to begin, and the inputs that belong there."""
    if start is None:
        return model.start, np.zeros((len(model.inputs), 6))
    if not isinstance(start, StaticResult) or start.model is not model:
        raise ModelError(
            "start must be a StaticResult of the same model; build once and solve many times"
        )
    return start.state, start.input_array


def _failure(
    assembly: Assembly, path: Path, state: State, begin: Array, end: Array, used: int, allowed: int
) -> StaticResult:
    """The furthest equilibrium on the way, with the reason why it went no further."""
    inputs = begin + path.load_factor * (end - begin)
    outcome = path.outcome or Newton(assembly, inputs).run(state, 0)
    status = Status.SINGULAR if path.singular else Status.LIMIT
    if used >= allowed:
        status = Status.EXHAUSTED
    return _result(assembly, outcome, inputs, status, used, path.steps, path.load_factor)


def _result(
    assembly: Assembly,
    outcome: Outcome,
    inputs: Array,
    status: Status,
    iterations: int,
    load_steps: int,
    load_factor: float,
) -> StaticResult:
    """Evaluate once more at the outcome and keep what the result needs."""
    assembly.forget_prediction()
    assembly.evaluate(outcome.state, inputs)
    model = assembly.model
    conservative = model.conservative(inputs)
    stable = None
    if outcome.converged:
        stable = is_stable(assembly.band, model.layout.half_bandwidth, conservative)
    return StaticResult(
        model=model,
        state=outcome.state,
        input_array=inputs,
        status=status,
        residuals=outcome.residuals,
        steps=outcome.steps,
        iterations=iterations,
        load_steps=load_steps,
        load_factor=load_factor,
        energy=assembly.elastic_energy(),
        potential=assembly.potential(inputs) if conservative else None,
        stable=stable,
        node_forces=assembly.force.copy(),
    )
