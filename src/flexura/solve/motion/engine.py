"""What goes on in time: steps of an integrator, cut where they do not converge."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.moving import moving
from flexura.result.instant import Instant
from flexura.result.status import Status
from flexura.solve.motion.integrators import AnyIntegrator, ImplicitEuler, Scheme
from flexura.solve.motion.time_step import Moved, take_step
from flexura.typing import frozen

# A step that does not converge is cut in halves, so often at most.
HALVINGS = 12
# Accelerations at the beginning are found by an implicit step, this part of the first one: their
# error is of the order of its length, which leaves the motion of second order.
BEGINNING = 0.01


@dataclass(frozen=True, eq=False)
class Now:
    """Where a motion is.

    Attributes:
        t: the time [s].
        inputs: there.
        flow: places and rates.
        evaluation: what results keep.
        dissipated: by viscosity so far [J].
    """

    t: float
    inputs: Inputs
    flow: Flow
    evaluation: Evaluation
    dissipated: float


class Engine:
    """Moves a model on in time.

    Attributes:
        model: the robot.
        tracks: what moves of it.
        assembly: work space.
        now: where the motion is.
        iterations: spent so far.
        cuts: times of steps that were cut [s].
    """

    def __init__(self, model: Model, integrator: AnyIntegrator) -> None:
        self.model, self.integrator = model, integrator
        self.tracks = Tracks(moving(model))
        self.assembly = Assembly(self.tracks.moving.model)
        self.now: Now
        self.iterations = 0
        self.cuts: list[float] = []

    def begin(self, flow: Flow, inputs: Inputs, t: float, dissipated: float = 0.0) -> None:
        """Be somewhere."""
        self.assembly.move_from(self.tracks.now(flow))
        self.assembly.evaluate_residual(flow.state, inputs)
        self.now = Now(t, inputs, flow, self.assembly.evaluation(), dissipated)

    def accelerate(self, h: float, inputs_at: Callable[[float], Inputs]) -> None:
        """Find the accelerations of the beginning, before a first step of length h [s]."""
        now, short = self.now, BEGINNING * h
        scheme = ImplicitEuler().scheme(short)
        moved = self._step(now, scheme, short, inputs_at(now.t + short))
        if moved is None:  # the first step will be cut
            return
        rates = now.flow.rates.copy()
        rates[1:] = (moved.flow.rates[0] - rates[0]) / short
        self.now = replace(now, flow=replace(now.flow, rates=frozen(rates)))

    def advance(self, h: float, inputs_at: Callable[[float], Inputs]) -> bool:
        """Go on by a step of length h [s]; whether that succeeded.

        Args:
            h: length of the step.
            inputs_at: inputs at any time of the step [s].
        """
        begin, done, parts, size = self.now, 0.0, 1, 1.0
        while done < 1.0:
            moved = self._try(begin.t + (done + size) * h, size * h, inputs_at)
            if moved:
                done += size
                continue
            if parts == 1:
                self.cuts.append(begin.t)
            parts, size = 2 * parts, 0.5 * size
            if parts > 2**HALVINGS:
                return False
        self.now = replace(self.now, t=begin.t + h)
        return True

    def _try(self, t: float, h: float, inputs_at: Callable[[float], Inputs]) -> bool:
        """A step that ends at a time; whether it converged."""
        inputs = inputs_at(t)
        moved = self._step(self.now, self.integrator.scheme(h), h, inputs)
        if moved is None:
            return False
        spent = self.now.dissipated
        if any(law is not None for law in self.tracks.moving.viscous):
            power = [self.tracks.dissipation(flow) for flow in (self.now.flow, moved.flow)]
            spent += 0.5 * h * sum(power)
        self.now = Now(t, inputs, moved.flow, moved.evaluation, spent)
        return True

    def _step(self, now: Now, scheme: Scheme, h: float, inputs: Inputs) -> Moved | None:
        with np.errstate(all="ignore"):
            moved = take_step(
                self.tracks, self.assembly, now.flow, now.evaluation, scheme, h, inputs
            )
        if moved is not None:
            self.iterations += moved.outcome.iterations
        return moved

    def instant(self) -> Instant:
        """What there is to know of now; iterations are counted from zero again."""
        now = self.now
        found = Instant(
            model=self.model,
            state=now.flow.state,
            given=now.inputs,
            status=Status.MOVING,
            residuals=(0.0,),
            steps=(),
            iterations=self.iterations,
            load_steps=1,
            load_factor=1.0,
            stable=None,
            evaluation=now.evaluation,
            t=now.t,
            flow=now.flow,
            dissipated=now.dissipated,
            potential_energy=self.assembly.potential(),
        )
        vars(found)["tracks"] = self.tracks
        self.iterations = 0
        return found
