"""Steps of the variational integrators, which go from momentum to momentum."""

from dataclasses import replace

import numpy as np

from flexura.errors import ModelError
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.momentum import carried_back
from flexura.model.state import State
from flexura.solve.equilibrium import Iterate
from flexura.solve.motion.fastest import highest_frequency
from flexura.solve.motion.stage import Stage
from flexura.solve.motion.start import rates_of
from flexura.solve.motion.symplectic_euler import Explicit
from flexura.solve.motion.time_step import MOST, InputsAt, Moved, MovingBalance, Trace
from flexura.solve.motion.variational import Middle, Settled
from flexura.solve.newton import StepControl, newton
from flexura.typing import Strain, frozen


class MomentumSteps:
    """What both variational integrators share: a flow carries the momentum of its unknowns."""

    def __init__(self, tracks: Tracks) -> None:
        self._tracks, self._stage = tracks, Stage(tracks)

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with its momentum."""
        return replace(flow, momentum=frozen(self._stage.momentum(flow, inputs_at(t))))

    def shown(self, flow: Flow, inputs: Inputs) -> Flow:
        """The flow with the velocities that belong to its momentum."""
        momentum = flow.momentum
        if momentum is None:  # as it was given
            return flow
        stage, tracks = self._stage, self._tracks
        ended = flow.rates.copy()  # with the velocities of the end of a step
        ended[0] += 0.5 * flow.step * ended[1]
        flow = replace(flow, rates=frozen(ended))
        drift = stage.massive(rates_of(tracks, stage.bare, flow, inputs, 0.0 * momentum)[0])
        stage.begin.place(flow.state, inputs)
        own = momentum - carried_back(tracks, stage.begin, stage.inertia * drift)
        velocity = stage.velocity(replace(flow, momentum=own), inputs)
        rates = rates_of(tracks, stage.bare, flow, inputs, velocity)
        rates[1] = ended[1]
        shown = replace(flow, rates=frozen(rates), step=0.0)
        stage.middle.move_from(self._tracks.now(shown))
        own = stage.with_forces(flow.state, inputs).numbers
        numbers = frozen(np.where(stage.inside, own, flow.state.numbers))
        return replace(shown, state=replace(flow.state, numbers=numbers))

    def _stopping(self, flow: Flow, h: float) -> Settled:
        """When a step of length h [s] is found."""
        middle, moving = self._stage.middle, self._tracks.moving
        push, stiffer = 4.0 / h**2 * moving.mass, 1.0 + 2.0 / h * moving.viscosity
        assert flow.momentum is not None
        inertial = float(np.abs(flow.momentum * middle.layout.units).max(initial=0.0)) / h
        return Settled(MovingBalance(middle, push, stiffer, inertial))

    def _moved(self, problem: Middle | Explicit, flow: Flow, h: float, iterations: int) -> Moved:
        """Where a step led, with its mean velocities; those of its end are told when asked for."""
        places, rates = self._tracks.read(self._stage.end), np.zeros_like(flow.rates)
        rates[0] = problem.displacement / h
        if flow.step:  # at the first step, what inputs move may have begun at once
            rates[1] = (rates[0] - flow.rates[0]) / (0.5 * (h + flow.step))
        momentum = frozen(problem.momentum())
        return Moved(Flow(problem.end, *places, frozen(rates), momentum, h), None, iterations)


class SymmetricSteps(MomentumSteps):
    """Steps of ``Variational``."""

    def __init__(self, tracks: Tracks) -> None:
        super().__init__(tracks)
        self._last: tuple[State, tuple[Strain, ...]] | None = None

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        inputs = (inputs_at(t), inputs_at(t + 0.5 * h), inputs_at(t + h))
        problem = Middle(self._stage, flow, h, inputs)
        start = self._guess(flow, h, inputs[1])
        stopping = self._stopping(flow, h)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        strains = tuple(part.work.strain.copy() for part in self._stage.middle.parts)
        problem.end = self._stage.with_holding(problem.end, 0.5)
        self._last = (problem.end, strains)
        return self._moved(problem, flow, h, outcome.iterations)

    def _guess(self, flow: Flow, h: float, inputs: Inputs) -> Iterate:
        """The middle of the next step, if it goes on as the last one did."""
        layout = self._stage.middle.model.layout
        dq = self._tracks.increments((0.5 * h) * (flow.rates[0] + h * flow.rates[1]))
        state = layout.retract(flow.state, dq)
        last = self._last
        strains = last[1] if last is not None and last[0] is flow.state else None
        state = self._stage.with_holding(layout.straightened(state), 2.0)
        return Iterate(state, Ahead(inputs, strains))


class ExplicitSteps(MomentumSteps):
    """Steps of ``SymplecticEuler``."""

    def __init__(self, tracks: Tracks) -> None:
        super().__init__(tracks)
        self._limit = 0.0  # the longest stable step, found before the first one
        self._viscous = any(law is not None for law in tracks.moving.viscous)
        if len(self._stage.middle.gap):
            raise ModelError(
                "SymplecticEuler takes no tendons that are driven by their length: pull them by "
                "tension, or use Variational() or GeneralizedAlpha()"
            )

    def _check(self, flow: Flow, h: float, inputs: Inputs) -> None:
        """Raise if steps of length h [s] would blow up.

        4 - 2 h c - h² ω² > 0,  c = τ ω²: the damping of the fastest vibration, explicit too.
        """
        if not self._limit:
            lag = self._tracks.moving.viscosity
            fastest = max(highest_frequency(self._stage, flow, inputs), 1e-300)
            self._limit = float(np.hypot(lag, 2.0 / fastest)) - lag
        if h > self._limit:
            raise ModelError(
                f"SymplecticEuler is stable with steps below {self._limit:.3g} s here (2 over the "
                f"highest angular frequency, less with viscosity), got {h:g} s; take shorter "
                "steps, or Variational(), which takes longer ones"
            )

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        inputs = (inputs_at(t), inputs_at(t + h))
        self._check(flow, h, inputs[0])
        if self._viscous:
            flow = self.shown(flow, inputs[0])
        problem = Explicit(self._stage, flow, h, inputs)
        stopping = self._stopping(flow, h)
        outcome = newton(problem, problem.begin, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        return self._moved(problem, flow, h, outcome.iterations)
