"""Equilibria of a model under given inputs."""

from collections.abc import Mapping

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.soften import softened
from flexura.model.start import start_state
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.continuation import Path, raise_load
from flexura.solve.newton import Newton, Outcome
from flexura.solve.relaxation import RELAXING, Relaxation
from flexura.solve.remarks import GAP, remarks
from flexura.solve.workspace import workspace
from flexura.typing import ArrayLike

# Newton with the full load has this many iterations before the load is raised in steps.
AT_ONCE = 30
# Where elements turn by this much of what they can tell, that may be why no equilibrium is found.
TOO_COARSE = 0.7


def statics(
    model: Model,
    inputs: Mapping[str, ArrayLike] | None = None,
    start: StaticResult | None = None,
    iterations: int = 2000,
    seek_stable: bool = True,
) -> StaticResult:
    """Find an equilibrium.

    Newton's method with the full load first. If that fails, or ends in an unstable equilibrium, the
    load is raised in steps from that of the start; if that finds no stable one either, the robot
    moves downhill from the start with the full load.

    Args:
        model: what ``build`` returned.
        inputs: values of loads and actuators by name; loads that are not named keep their
            described value.
        start: an earlier result of the same model to start from; else the unloaded robot.
        iterations: Newton iterations to spend at most.
        seek_stable: whether to look further if the first equilibrium found is unstable; leave it
            out to follow an unstable path, for example to find critical loads.

    Returns:
        A result whose ``status`` says how it went; it does not raise if there is no convergence.

    Raises:
        ModelError: for inputs or a start that do not belong to the model.
    """
    if not isinstance(model, Model):
        raise ModelError(f"statics takes the Model that build returns, got {type(model).__name__}")
    return solve_inputs(model, model.read_inputs(inputs), start, iterations, seek_stable)


def solve_inputs(
    model: Model,
    end: Inputs,
    start: StaticResult | None,
    iterations: int = 2000,
    seek_stable: bool = True,
) -> StaticResult:
    """``statics`` for inputs that were read already."""
    with workspace(model) as assembly:
        return _solve(assembly, end, start, iterations, seek_stable)


def _solve(
    assembly: Assembly,
    end: Inputs,
    start: StaticResult | None,
    iterations: int,
    seek_stable: bool,
) -> StaticResult:
    """The full load at once, else in steps, else downhill."""
    first, begin = _start(assembly.model, start, end)
    outcome, state, used = _at_once(assembly, end, first, iterations, cold=start is None)
    result = static_result(assembly, outcome, end, Status.CONVERGED, used)
    if outcome.converged and (result.stable is not False or not seek_stable):
        return result
    path = raise_load(assembly, state, begin, end, iterations - used)
    used += path.iterations
    if path.load_factor == 1.0 and (path.outcome.stable is not False or not seek_stable):
        return static_result(assembly, path.outcome, end, Status.CONTINUED, used, path)
    if seek_stable and (path.load_factor in (0.0, 1.0) or outcome.converged):
        relief, assembly.relief = assembly.relief, np.zeros_like(assembly.relief)
        relaxed = Relaxation(assembly, end).run(first, max(1, min(RELAXING, iterations - used)))
        used += relaxed.iterations
        if relaxed.converged and relaxed.stable is not False:
            return static_result(assembly, relaxed, end, Status.RELAXED, used)
        assembly.relief = relief
    if path.load_factor == 1.0:
        Newton(assembly, end).look(path.outcome.state)
        return static_result(assembly, path.outcome, end, Status.CONTINUED, used, path)
    if outcome.converged:
        return result
    reached = begin.towards(end, path.load_factor)
    best = Newton(assembly, reached).look(path.outcome.state)
    status = _reason(assembly, path, end, used >= iterations)
    return static_result(assembly, best, reached, status, used, path)


def _at_once(
    assembly: Assembly, end: Inputs, state: State, iterations: int, cold: bool
) -> tuple[Outcome, State, int]:
    """Newton's method with the full load; a robot with loops may need a softer one before.

    Returns where it ended, where it began, and iterations.
    """
    model, used = assembly.model, 0
    if cold and model.locked:
        state, used = _soft_state(model, state, end, iterations)
    outcome = Newton(assembly, end).run(state, max(1, min(AT_ONCE, iterations - used)))
    used += outcome.iterations
    if not outcome.converged and cold and not model.layout.open and not model.locked:
        state, more = _soft_state(model, state, end, iterations - used)
        outcome = Newton(assembly, end).run(state, max(1, min(AT_ONCE, iterations - used - more)))
        used += more + outcome.iterations
    return outcome, state, used


def _soft_state(model: Model, state: State, end: Inputs, iterations: int) -> tuple[State, int]:
    """Where the robot is with stretch and shear softened, if that is found; and iterations."""
    soft = Newton(Assembly(softened(model)), end).run(state, max(1, min(AT_ONCE, iterations)))
    return (soft.state if soft.converged else state), soft.iterations


def _reason(assembly: Assembly, path: Path, end: Inputs, exhausted: bool) -> Status:
    """Why no equilibrium was found, the most telling reason first."""
    held = assembly.held_rods(end)
    if any(apart > 1.0 + 1e-9 for group, apart in held if not group.free[3]):
        return Status.APART
    if np.abs(assembly.joint_gap).max(initial=0.0) > GAP:
        return Status.OPEN
    tendons = assembly.model.tendons
    if (end.tendon >= tendons.rest)[tendons.by_length].any():
        return Status.PULLED
    if assembly.largest_turn() > TOO_COARSE:
        return Status.COARSE
    if exhausted:
        return Status.EXHAUSTED
    if end.tendon[tendons.by_length].any():
        return Status.PULLED
    if any(not group.free.all() for group, _ in held):
        return Status.SWITCHED_OFF
    return Status.SINGULAR if path.singular else Status.LIMIT


def _start(model: Model, start: StaticResult | None, end: Inputs) -> tuple[State, Inputs]:
    """Where to begin, and the inputs that belong there."""
    if start is None:
        begin = end.unloaded()
        return start_state(model, begin), begin
    if not isinstance(start, StaticResult) or start.model is not model:
        raise ModelError(
            "start must be a StaticResult of the same model; build once and solve many times"
        )
    return start.state, start.given


def static_result(
    assembly: Assembly,
    outcome: Outcome,
    inputs: Inputs,
    status: Status,
    iterations: int,
    path: Path | None = None,
) -> StaticResult:
    """What the result keeps of the assembly, which was last evaluated at the outcome."""
    model = assembly.model
    if status.converged and assembly.largest_turn() >= 1.0:
        status = Status.COARSE
    assembly.take(inputs)
    energy = assembly.elastic_energy()
    return StaticResult(
        model=model,
        state=outcome.state,
        given=inputs,
        status=status,
        residuals=outcome.residuals,
        steps=outcome.steps,
        iterations=iterations,
        load_steps=1 if path is None else path.steps,
        load_factor=1.0 if path is None else path.load_factor,
        energy=energy,
        potential=energy + assembly.load_potential(inputs) if assembly.conservative else None,
        stable=outcome.stable,
        node_forces=assembly.force.copy(),
        tensions=assembly.tension.copy(),
        tendon_lengths=assembly.tendon_length.copy(),
        joint_motions=assembly.joint_motion.copy(),
        remarks=remarks(assembly),
    )
