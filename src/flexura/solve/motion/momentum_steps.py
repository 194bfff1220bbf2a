"""Steps of the variational integrators, which go from momentum to momentum."""

from dataclasses import replace

import numpy as np

from flexura.errors import ModelError
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.state import State
from flexura.solve.equilibrium import Iterate
from flexura.solve.motion.start import rates_of
from flexura.solve.motion.symplectic_euler import Explicit
from flexura.solve.motion.time_step import MOST, InputsAt, Moved, MovingBalance
from flexura.solve.motion.variational import Middle, Settled, Stage
from flexura.solve.newton import StepControl, newton
from flexura.typing import Array, frozen


class MomentumSteps:
    """What both variational integrators share: a flow carries the momentum of its unknowns."""

    def __init__(self, tracks: Tracks) -> None:
        self._tracks, self._stage = tracks, Stage(tracks)

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with its momentum."""
        return replace(flow, momentum=frozen(self._stage.momentum(flow, inputs_at(t))))

    def shown(self, flow: Flow, inputs: Inputs) -> Flow:
        """The flow with the velocities that belong to its momentum."""
        if flow.momentum is None:  # as it was given
            return flow
        stage = self._stage
        rates = rates_of(self._tracks, stage.bare, flow, inputs, stage.velocity(flow, inputs))
        shown = replace(flow, rates=frozen(rates))
        stage.middle.move_from(self._tracks.now(shown))
        own = stage.with_forces(flow.state, inputs).numbers
        numbers = frozen(np.where(stage.inside, own, flow.state.numbers))
        return replace(shown, state=replace(flow.state, numbers=numbers))

    def _stopping(self, h: float) -> Settled:
        """When a step of length h [s] is found."""
        push = 4.0 / h**2 * self._tracks.moving.mass
        return Settled(MovingBalance(self._stage.middle, push))

    def _moved(self, end: State, momentum: Array, rates: Array, iterations: int) -> Moved:
        """Where a step led; its rates are told when they are asked for."""
        places = self._tracks.read(self._stage.end)
        return Moved(Flow(end, *places, rates, frozen(momentum)), None, iterations)


class SymmetricSteps(MomentumSteps):
    """Steps of ``Variational``."""

    def __init__(self, tracks: Tracks) -> None:
        super().__init__(tracks)
        self._last: tuple[State, Array, float, Ahead | None] | None = None

    def take(
        self, flow: Flow, before: Evaluation | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        if flow.momentum is None:  # an instant of another integrator
            flow = self.begin(flow, t, h, inputs_at)
        inputs = (inputs_at(t), inputs_at(t + 0.5 * h), inputs_at(t + h))
        problem = Middle(self._stage, flow, h, inputs)
        start = self._guess(flow, h, inputs[1])
        stopping = self._stopping(h)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        self._last = (problem.end, problem.half, h, outcome.point.ahead)
        return self._moved(problem.end, problem.momentum(), flow.rates, outcome.iterations)

    def _guess(self, flow: Flow, h: float, inputs: Inputs) -> Iterate:
        """The middle of the next step, if it goes on as the last one did."""
        layout = self._stage.middle.model.layout
        if self._last is not None and self._last[0] is flow.state:
            _, half, before, ahead = self._last
            dq = h / before * half
        else:
            dq, ahead = self._tracks.increments(0.5 * h * flow.rates[0]), None
        state = layout.retract(flow.state, dq, 0.0 * flow.state.multipliers)
        strains = None if ahead is None else ahead.strains
        return Iterate(state, Ahead(inputs, strains))


class ExplicitSteps(MomentumSteps):
    """Steps of ``SymplecticEuler``."""

    def __init__(self, tracks: Tracks) -> None:
        super().__init__(tracks)
        self._viscous = any(law is not None for law in tracks.moving.viscous)
        if len(self._stage.middle.gap):
            raise ModelError(
                "SymplecticEuler takes no tendons that are driven by their length: pull them by "
                "tension, or use Variational() or GeneralizedAlpha()"
            )

    def take(
        self, flow: Flow, before: Evaluation | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        if flow.momentum is None:  # an instant of another integrator
            flow = self.begin(flow, t, h, inputs_at)
        inputs = (inputs_at(t), inputs_at(t + h))
        if self._viscous:
            flow = self.shown(flow, inputs[0])
        problem = Explicit(self._stage, flow, h, inputs)
        stopping = self._stopping(h)
        outcome = newton(problem, problem.begin, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        return self._moved(problem.end, problem.momentum(), flow.rates, outcome.iterations)
