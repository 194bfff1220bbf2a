"""Motion of a model in time."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.room import ROOM
from flexura.progress import Progress
from flexura.result.instant import Instant
from flexura.result.motion import Motion, MotionStatus
from flexura.result.static import StaticResult
from flexura.robot.check import check_count, flag, positive
from flexura.solve.motion.engine import Engine
from flexura.solve.motion.integrators import AnyIntegrator, chosen_integrator
from flexura.solve.motion.jumps import Jumps, jump_between, speed_remarks
from flexura.solve.motion.run import Run
from flexura.solve.motion.schedule import Schedule
from flexura.solve.motion.simulation import prepared
from flexura.solve.motion.start import Velocity
from flexura.solve.motion.steps import InputsAt
from flexura.solve.motion.strides import AdaptiveStrides, EvenStrides, Strides
from flexura.typing import ArrayLike
from flexura.value import size_of

MOST_STEPS = 1_000_000_000
# The tolerance of adaptive steps that is taken, relative to the length of the robot, and the part
# of the motion in whose length accelerations are found before the first one.
COARSE, FIRST = 1e-4, 1e-3
# Inputs have the speed at the beginning that they have in this part of a first step.
MOMENT = 0.01


def simulate(
    model: Model,
    duration: float,
    step: float | Literal["adaptive"],
    inputs: Mapping[str, Any] | None = None,
    start: StaticResult | None = None,
    velocity: Mapping[str, Velocity] | None = None,
    place: Mapping[str, ArrayLike] | None = None,
    integrator: AnyIntegrator | None = None,
    every: int = 1,
    until: Callable[[Instant], bool] | None = None,
    tolerance: float | None = None,
    progress: bool | None = False,
) -> Motion:
    """Let a robot move.

    Args:
        model: what ``build`` returned.
        duration: how long [s].
        step: length of a step in time [s]; the last one is shorter if they do not fit. Or
            "adaptive": as long as ``tolerance`` allows, with ``GeneralizedAlpha`` or
            ``ImplicitEuler``, and not longer than a 50th of the duration.
        inputs: by name, a constant, a function of the time [s], or samples (times, values): loads
            go straight from one sample to the next, what moves goes smoothly through them. Times
            count from the beginning of this motion.
        start: a result, from which it begins at rest; an instant of a motion, which goes on; None
            for the unloaded robot at rest.
        velocity: at the beginning, of rods (functions of the arc length, or constants) and bodies,
            as body twists; what is not named rests.
        place: poses of rods' bases and bodies that nothing holds; else they begin at the origin.
        integrator: if none is given ``GeneralizedAlpha(0.9)``, or ``ImplicitEuler()`` for robots
            with contacts, which take no other.
        every: only each so many steps are kept.
        until: stops the motion at the first kept instant after the beginning for which it is true.
        tolerance: of adaptive steps: local error of positions in each of them, root mean square by
            mass [m]; a ten-thousandth of the robot's length if none is given.
        progress: whether to show a bar; None does on a terminal.

    Returns:
        A motion whose ``status`` says how it went; one that fails keeps what was computed.

    Raises:
        ModelError: for bad values, what does not belong to the model, or more instants than there
            is memory for, unless ``until`` may stop it before.
    """
    duration = positive("simulate", "duration", duration)
    check_count("simulate", "every", every, MOST_STEPS, least=1)
    if until is not None and not callable(until):
        raise ModelError(f"simulate: until must be a function of an instant, got {show(until)}")
    if progress is not None:
        flag("simulate", "progress", progress)
    if not isinstance(model, Model):
        raise ModelError(f"simulate takes the Model that build returns, got {type(model).__name__}")
    chosen = chosen_integrator(integrator, model)
    h = _first_step(step, duration, chosen, tolerance)
    schedule = Schedule(model, inputs, duration)
    rates = schedule.rates(MOMENT * h)
    engine = prepared(model, chosen, start, schedule.at(0.0), velocity, place, rates)
    begin = engine.now.t

    def inputs_at(t: float) -> Inputs:
        return schedule.at(min(t - begin, duration))

    engine.remarks += speed_remarks(engine.tracks, engine.now.flow, rates, h)
    if not (isinstance(start, Instant) and velocity is None and engine.ready):
        engine.prepare(h, inputs_at)
    if isinstance(step, str) and chosen.adapts:
        allowed = COARSE * model.length if tolerance is None else tolerance
        corners = [begin + t for t in schedule.corners]
        strides: Strides = AdaptiveStrides(engine, duration, chosen, allowed, corners)
    else:
        strides = EvenStrides(begin, duration, h)
    placed = bool(place) or bool(velocity)
    return _followed(engine, strides, duration, inputs_at, every, until, progress, placed)


def _first_step(
    step: float | str, duration: float, integrator: AnyIntegrator, tolerance: float | None
) -> float:
    """The length of a first step [s], checked."""
    if not isinstance(step, str):
        h = positive("simulate", "step", step)
        if h > duration * (1.0 + 1e-9):
            raise ModelError(f"simulate: step = {h:g} s is longer than duration = {duration:g} s")
        if tolerance is not None:
            raise ModelError('simulate: tolerance is for step="adaptive"; leave one of them out')
        return min(h, duration)
    if step != "adaptive":
        raise ModelError(f'simulate: step must be a number [s] or "adaptive", got {show(step)}')
    if not integrator.adapts:
        raise ModelError(
            f"simulate: with steps that adapt, {type(integrator).__name__} would lose what it "
            "conserves; give a step, or use GeneralizedAlpha() or ImplicitEuler()"
        )
    if tolerance is not None:
        positive("simulate", "tolerance", tolerance)
    return FIRST * duration


def _followed(
    engine: Engine,
    strides: Strides,
    duration: float,
    inputs_at: InputsAt,
    every: int,
    until: Callable[[Instant], bool] | None,
    progress: bool | None,
    placed: bool,
) -> Motion:
    """Go on to the end, or as far as it is possible."""
    run = Run(engine, strides.step, placed, isinstance(strides, EvenStrides))
    jumps = Jumps(engine.model, inputs_at)
    if isinstance(strides, EvenStrides) and until is None:
        _check_room(run.kept[0], 1 + -(-strides.count // every))
    begin, taken, status = engine.now.t, 0, MotionStatus.REACHED
    with Progress(100, "% of the motion", progress) as bar:
        while status is MotionStatus.REACHED and not strides.over:
            before = engine.now
            status = run.advance(strides, inputs_at)
            if status.converged:
                jumps.see(before.t, engine.now.t, before.inputs, engine.now.inputs)
            else:
                end = engine.now.t + strides.h
                run.remarks += jump_between(engine.model, inputs_at, begin, end)
            taken += 1
            while bar.done < int(100.0 * (engine.now.t - begin) / duration):
                bar.advance()
            ended = strides.over or not status.converged
            if (taken % every == 0 or ended) and engine.now.t > run.kept[-1].t:
                instant = run.keep()
                if until is not None and status.converged and _is_met(until, instant):
                    status = MotionStatus.STOPPED
    run.remarks += jumps.remarks
    return run.motion(status)


def _check_room(first: Instant, count: int) -> None:
    """Raise if there is no room for as many instants as this one."""
    size = float(count) * (size_of(first.state) + size_of(first.evaluation) + size_of(first.flow))
    if size > ROOM:
        raise ModelError(
            f"simulate: {count} instants of {first.model.name!r} take {1e-9 * size:.3g} GB, and "
            f"there is room for {1e-9 * ROOM:.3g} GB; keep fewer by every=, or name fewer contacts"
        )


def _is_met(until: Callable[[Instant], bool], instant: Instant) -> bool:
    """Whether a motion shall stop."""
    try:
        answer = np.asarray(until(instant))
    except Exception as error:
        raise ModelError(
            f"simulate: until fails at t = {instant.t:g} s: {type(error).__name__}: {error}; it "
            "must return True or False for an instant"
        ) from error
    if answer.dtype != np.bool_ or answer.size != 1:
        raise ModelError(
            "simulate: until must return True or False for an instant, got "
            f"{show(answer.tolist())} at t = {instant.t:g} s"
        )
    return bool(answer.all())
