"""Equilibria of a model under given inputs."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexura.errors import ModelError
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.squeezed import beyond_ends
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.robot.check import check_count, flag
from flexura.solve.angle_doubt import told_what_was_asked
from flexura.solve.followed import Sought
from flexura.solve.grounded import check_held
from flexura.solve.turned import solve_turned
from flexura.solve.workspace import workspace
from flexura.typing import ArrayLike

MOST_ITERATIONS = 1_000_000_000


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
    moves downhill with the full load, from the unstable equilibrium and from the start. Rods that
    hang between their ends begin as cords, and move downhill first of all. Loops that begin open,
    and that Newton does not close, are drawn together before the load is raised.

    Driven joints and motors of a robot with loops that turn far from their described values, or
    from those of the start, are followed from there: a loop may be closed in several ways, a rod be
    wound up.

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
    check_count("statics", "iterations", iterations, MOST_ITERATIONS, least=0)
    flag("statics", "seek_stable", seek_stable)
    return solve_inputs(model, model.read_inputs(inputs), start, iterations, seek_stable)


def solve_inputs(
    model: Model,
    end: Inputs,
    start: StaticResult | None,
    iterations: int = 2000,
    seek_stable: bool = True,
    since: StaticResult | None = None,
) -> StaticResult:
    """``statics`` for inputs that were read already; sliding counts from the start, or since."""
    if start is not None and (not isinstance(start, StaticResult) or start.model != model):
        raise ModelError(
            "start must be a StaticResult of the same model; build once and solve many times"
        )
    check_held(model.robot)
    with workspace(model) as assembly, np.errstate(all="ignore"):  # all ends in a status
        found = solve_turned(Sought(assembly, end, start, iterations, seek_stable, since))
        found = told_what_was_asked(found, end)
    if found.status.equilibrium and beyond_ends(model, found.state.numbers):
        return replace(found, status=Status.UNTHREADED)
    return found
