"""A motion that goes on step by step, for control loops; as in ``simulate``, it is a ``Run``."""

from collections.abc import Mapping
from dataclasses import replace

from flexura.errors import ModelError, NotConverged
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.momentum import masses
from flexura.result.instant import Instant
from flexura.result.motion import Motion, MotionStatus
from flexura.result.static import StaticResult
from flexura.robot.check import flag, positive
from flexura.solve.contact.overlap import check_apart
from flexura.solve.motion.engine import Engine
from flexura.solve.motion.flight import check_flight, weighs, who_may_weigh
from flexura.solve.motion.hanging import check_hanging
from flexura.solve.motion.integrators import AnyIntegrator, chosen_integrator
from flexura.solve.motion.jumps import jump_remarks
from flexura.solve.motion.remarks import velocity_remarks
from flexura.solve.motion.run import Run
from flexura.solve.motion.start import (
    Velocity,
    check_start,
    flow_at_rest,
    state_at_rest,
    wanted_velocities,
    with_velocities,
)
from flexura.solve.motion.strides import EvenStrides
from flexura.typing import Array, ArrayLike, frozen


class Simulation:
    """A robot that moves.

    Args:
        model: what ``build`` returned.
        step: length of a step [s].
        integrator: how to go on, as for ``simulate``.
        start: a result, from which it begins at rest; an instant of a motion, which goes on; None
            for the unloaded robot at rest.
        inputs: at the beginning; those of the start if there is one.
        velocity: at the beginning, of rods (functions of the arc length, or constants) and bodies,
            as body twists; what is not named rests.
        place: poses of rods' bases and bodies that nothing holds; else they begin at the origin.
        record: whether to keep each instant, for ``motion()``.

    Raises:
        ModelError: for what does not belong to the model, a robot without any mass, or what flies
            without resisting every motion.
    """

    def __init__(
        self,
        model: Model,
        step: float,
        integrator: AnyIntegrator | None = None,
        start: StaticResult | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        velocity: Mapping[str, Velocity] | None = None,
        place: Mapping[str, ArrayLike] | None = None,
        record: bool = False,
    ) -> None:
        given = None
        if isinstance(model, Model) and not (start is not None and inputs is None):
            given = model.read_inputs(inputs)
        engine = prepared(model, integrator, start, given, velocity, place)
        h = positive("Simulation", "step", step)
        self._begun = isinstance(start, Instant) and velocity is None and engine.ready
        if not self._begun:
            engine.prepare(h, lambda _: engine.now.inputs)
        placed = bool(place) or bool(velocity)
        self._recorded = flag("Simulation", "record", record)
        self._run = Run(engine, h, placed, record=self._recorded)

    @property
    def t(self) -> float:
        """The time [s]."""
        return self._run.engine.now.t

    @property
    def instant(self) -> Instant:
        """The robot now."""
        return self._run.kept[-1]

    def step(self, inputs: Mapping[str, ArrayLike] | None = None) -> Instant:
        """Go on by a step.

        Args:
            inputs: at the end of the step, to which they go evenly, as ``statics`` takes them;
                None for those at its beginning.

        Raises:
            NotConverged: if the step is not found, however short; the simulation stays where it
                was, and another step may be tried.
        """
        run, engine, h = self._run, self._run.engine, self._run.step
        before, mark = engine.now, engine.mark()
        end = before.inputs if inputs is None else engine.model.read_inputs(inputs)

        def inputs_at(t: float) -> Inputs:
            if end is before.inputs:
                return end
            return before.inputs.towards(end, min(1.0, (t - before.t) / h))

        def from_rest(t: float) -> Inputs:
            return before.inputs.towards(end, ((t - before.t) / h) ** 2)

        if not self._begun and end is not before.inputs:
            engine.prepare(h, from_rest if engine.model.movers else inputs_at)
        self._begun = True
        status = run.advance(EvenStrides(before.t, h, h), inputs_at)
        if not status.converged:
            engine.go_back(mark)
            reason = "the inputs may lead where the robot cannot be"
            if status.explained:
                reason = "; ".join([str(status).removeprefix("failed: "), *engine.left])
            raise NotConverged(
                f"the step of {engine.model.name!r} from t = {before.t:.6g} s was not found, "
                f"however short; {reason}"
            )
        return run.keep()

    def motion(self) -> Motion:
        """The motion so far, to be looked at and saved as one that ``simulate`` returns.

        Raises:
            ModelError: if nothing was recorded.
        """
        if not self._recorded:
            raise ModelError("nothing was recorded: begin with Simulation(..., record=True)")
        return self._run.motion(MotionStatus.REACHED)


def prepared(
    model: Model,
    integrator: AnyIntegrator | None,
    start: StaticResult | None,
    inputs: Inputs | None,
    velocity: Mapping[str, Velocity] | None,
    place: Mapping[str, ArrayLike] | None,
    rates: Array | None = None,
) -> Engine:
    """An engine where a motion begins; arguments as for ``Simulation``, and rates of inputs."""
    if not isinstance(model, Model):
        raise ModelError(f"simulate takes the Model that build returns, got {type(model).__name__}")
    check_start(model, start)
    engine = Engine(model, chosen_integrator(integrator, model))
    _check_mass(model)
    if start is not None and place:
        raise ModelError("place= is for a robot that begins unloaded, not for one with start=")
    if inputs is None:
        inputs = model.inputs.described if start is None else start.given
    else:
        before = None if start is None else start.given
        engine.remarks += jump_remarks(model, before, inputs, "at the beginning")
    tracks, t, spent, ahead = engine.tracks, 0.0, (0.0, 0.0), None
    state = state_at_rest(model, inputs, place) if start is None else start.state
    if isinstance(start, Instant):
        flow, t, ahead = start.flow, start.t, start.evaluation
        spent = (start.dissipated, start.work)
    else:
        flow = flow_at_rest(tracks, state, inputs)
    check_flight(tracks, flow, inputs)
    check_hanging(tracks.moving.model, flow.state, inputs)
    if start is None and model.contacts is not None:
        check_apart(Assembly(model), state, inputs)
    if velocity is not None:
        if rates is not None:
            flow = tracks.driven_at(flow, rates)
        flow = with_velocities(tracks, flow, inputs, velocity)
        inertia, wanted = masses(tracks, inputs), wanted_velocities(tracks, velocity)
        found = flow.rates[0, : wanted.size].reshape(wanted.shape)
        engine.remarks += velocity_remarks(inertia, wanted, found)
    engine.begin(replace(flow, rates=frozen(flow.rates.copy())), inputs, t, spent, ahead)
    return engine


def _check_mass(model: Model) -> None:
    """Raise for a robot that weighs nothing."""
    if weighs(model):
        return
    robot = model.robot
    raise ModelError(
        f"{robot.name!r} has no mass, so nothing of it moves by itself: give "
        f"{who_may_weigh(robot)}, or follow its equilibria with statics"
    )
