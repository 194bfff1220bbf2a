"""Motion of a model in time."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.progress import Progress
from flexura.result.instant import Instant
from flexura.result.motion import Motion, MotionStatus
from flexura.result.static import StaticResult
from flexura.robot.check import check_count, positive
from flexura.solve.motion.integrators import AnyIntegrator
from flexura.solve.motion.schedule import Schedule
from flexura.solve.motion.simulation import prepared
from flexura.solve.motion.start import Velocity
from flexura.typing import ArrayLike

MOST_STEPS = 1_000_000_000


def simulate(
    model: Model,
    duration: float,
    step: float,
    inputs: Mapping[str, Any] | None = None,
    start: StaticResult | None = None,
    velocity: Mapping[str, Velocity] | None = None,
    place: Mapping[str, ArrayLike] | None = None,
    integrator: AnyIntegrator | None = None,
    every: int = 1,
    until: Callable[[Instant], bool] | None = None,
    progress: bool | None = False,
) -> Motion:
    """Let a robot move.

    Args:
        model: what ``build`` returned.
        duration: how long [s].
        step: length of a step in time [s]; the last one is shorter if they do not fit.
        inputs: by name, a constant, a function of the time [s], or samples (times, values): loads
            go straight from one sample to the next, what moves goes smoothly through them. Times
            count from the beginning of this motion.
        start: a result, from which it begins at rest; an instant of a motion, which goes on; None
            for the unloaded robot at rest.
        velocity: at the beginning, of rods (functions of the arc length, or constants) and bodies,
            as body twists; what is not named rests.
        place: poses of rods' bases and bodies that nothing holds; else they begin at the origin.
        integrator: ``GeneralizedAlpha(0.9)`` if none is given.
        every: only each so many steps are kept.
        until: stops the motion at the first kept instant for which it is true.
        progress: whether to show a bar; None does on a terminal.

    Returns:
        A motion whose ``status`` says how it went; one that fails keeps what was computed.

    Raises:
        ModelError: for bad values, or what does not belong to the model.
    """
    duration, h = positive("simulate", "duration", duration), positive("simulate", "step", step)
    if h > duration * (1.0 + 1e-9):
        raise ModelError(f"simulate: step = {h:g} s is longer than duration = {duration:g} s")
    check_count("simulate", "every", every, MOST_STEPS, least=1)
    if until is not None and not callable(until):
        raise ModelError(f"simulate: until must be a function of an instant, got {show(until)}")
    if not isinstance(model, Model):
        raise ModelError(f"simulate takes the Model that build returns, got {type(model).__name__}")
    schedule = Schedule(model, inputs, duration)
    engine = prepared(model, integrator, start, schedule.at(0.0), velocity, place)
    begin, n = engine.now.t, int(np.ceil(duration / h * (1.0 - 1e-9)))

    def inputs_at(t: float) -> Inputs:
        return schedule.at(min(t - begin, duration))

    if not (isinstance(start, Instant) and velocity is None and engine.ready):
        engine.prepare(min(h, duration), inputs_at)
    kept, status = [engine.instant()], MotionStatus.REACHED
    with Progress(n, "steps", progress) as bar:
        for i in range(1, n + 1):
            end = min(i * h, duration)
            if not engine.advance(begin + end - engine.now.t, inputs_at):
                status = MotionStatus.LOST
            elif engine.coarse:
                status = MotionStatus.COARSE
            bar.advance()
            if i % every == 0 or i == n or not status.converged:
                kept.append(engine.instant())
                if until is not None and until(kept[-1]):
                    status = MotionStatus.STOPPED
            if status is not MotionStatus.REACHED:
                break
    return Motion(tuple(kept), status, h, tuple(engine.cuts))
