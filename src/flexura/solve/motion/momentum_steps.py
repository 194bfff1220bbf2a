"""Steps of the variational integrators, which go from momentum to momentum."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.solve.equilibrium import Iterate
from flexura.solve.motion.fastest import longest_step
from flexura.solve.motion.moving_balance import MovingBalance
from flexura.solve.motion.start import rates_of
from flexura.solve.motion.steps import MOST, InputsAt, Missed, Moved, Trace
from flexura.solve.motion.symplectic_euler import Explicit
from flexura.solve.motion.variational import Middle, Settled
from flexura.solve.motion.workspace import Workspace
from flexura.solve.newton import StepControl, newton
from flexura.typing import Array, Wrench, frozen


class Told(NamedTuple):
    """What there is to tell of a flow.

    Attributes:
        flow: as steps have it.
        inputs: there.
        shown: with the velocities that belong to its momentum.
        held: what joints have to that, (n_dof,).
    """

    flow: Flow
    inputs: Inputs
    shown: Flow
    held: Array


class MomentumSteps:
    """What both variational integrators share: a flow carries the momentum of its unknowns."""

    def __init__(self, tracks: Tracks) -> None:
        described = tracks.moving.model.inputs.described
        self._tracks, self._space = tracks, Workspace(tracks, described)
        self._assembly = Assembly(tracks.moving.model)
        self._seen: Flow | None = None  # where that was evaluated
        self._known: list[Told] = []
        self._first: Flow | None = None

    def ready(self, flow: Flow) -> bool:
        """Whether a flow has a momentum."""
        return flow.momentum is not None

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with its momentum."""
        momentum = frozen(self._space.momentum(flow, inputs_at(t)))
        self._first = replace(flow, momentum=momentum)
        return self._first

    def trace(self, found: Evaluation) -> Trace | None:
        """Nothing: steps are not evaluated at their ends."""
        return None

    def shown(self, flow: Flow, inputs: Inputs) -> tuple[Flow, Assembly]:
        """The flow with the velocities that belong to its momentum, and the model there."""
        flow, assembly = self._told(flow, inputs).shown, self._assembly
        if flow is not self._seen:
            assembly.move_from(self._tracks.now(flow))
            assembly.evaluate_residual(flow.state, inputs)
            self._seen = flow
        return flow, assembly

    def _told(self, flow: Flow, inputs: Inputs) -> Told:
        """What there is to tell of a flow, found once."""
        for told in self._known:
            if flow is told.flow and np.array_equal(inputs.values, told.inputs.values):
                return told
        told = self._tell(flow, inputs)
        self._known = [told, *self._known[:1]]
        return told

    def _tell(self, flow: Flow, inputs: Inputs) -> Told:
        if flow.momentum is None:  # as it was given
            return Told(flow, inputs, flow, np.zeros(len(flow.state.numbers)))
        space, tracks = self._space, self._tracks
        ended = flow.rates.copy()  # with the velocities of the end of a step
        ended[0] += 0.5 * flow.step * ended[1]
        moved = replace(flow, rates=frozen(ended))
        velocity, held = space.velocity(moved, inputs)
        rates = rates_of(tracks, space.bare, moved, inputs, velocity)
        rates[1] = ended[2]
        shown = replace(flow, rates=frozen(rates), step=0.0)
        space.middle.move_from(self._tracks.now(shown))
        own = space.with_forces(flow.state, inputs).numbers
        numbers = frozen(np.where(space.inside, own, flow.state.numbers))
        state = space.with_tensions(replace(flow.state, numbers=numbers), inputs)
        return Told(flow, inputs, replace(shown, state=state), held)

    def _momenta(self, flow: Flow, inputs: Inputs) -> Wrench:
        """Momenta of all nodes, (n_nodes, 6)."""
        told = self._told(flow, inputs)
        return self._space.node_momentum(told.shown, inputs, told.held)

    def _stopping(self, flow: Flow, h: float) -> Settled:
        """When a step of length h [s] is found."""
        middle, moving = self._space.middle, self._tracks.moving
        push, stiffer = 4.0 / h**2 * moving.mass, 1.0 + 2.0 / h * moving.viscosity
        assert flow.momentum is not None
        inertial = float(np.abs(flow.momentum * middle.layout.units).max(initial=0.0)) / h
        return Settled(MovingBalance(middle, push, stiffer, inertial))

    def _moved(
        self,
        problem: Middle | Explicit,
        flow: Flow,
        h: float,
        iterations: int,
        inputs: tuple[Inputs, Inputs],
    ) -> Moved:
        """Where a step led, with its mean velocities; those of its end are told when asked for."""
        places, rates = self._tracks.read(self._space.end), np.zeros_like(flow.rates)
        rates[0] = problem.displacement / h
        if flow.step:  # at the first step, what inputs move may have begun at once
            rates[1] = (rates[0] - flow.rates[0]) / (0.5 * (h + flow.step))
            known = flow.rates[1].any()  # mean velocities tell accelerations a step late
            rates[2] = 2.0 * rates[1] - flow.rates[1] if known else rates[1]
        # At first, joints have half a step to act in: what holds is twice as much.
        share = problem.share * (2.0 if flow is self._first else 1.0)
        state = self._space.with_holding(self._space.arrived(problem.end), share)
        strains = tuple(part.work.strain.copy() for part in self._space.middle.parts)
        trace = Trace(strains, turn=max(self._space.end.turns(None), default=0.0))
        end = Flow(state, *places, frozen(rates), frozen(problem.momentum()), h)
        driving = None
        if self._tracks.moving.model.movers and inputs[0] is not inputs[1]:
            leave, arrive = problem.node_momenta()
            before, after = self._momenta(flow, inputs[0]), self._momenta(end, inputs[1])
            driving = (2.0 / h * (leave - before), 2.0 / h * (after - arrive))
        return Moved(end, trace, iterations, driving)


class SymmetricSteps(MomentumSteps):
    """Steps of ``Variational``; what they leave to the next one are strains in their middle."""

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | Missed:
        """A step."""
        inputs = (inputs_at(t), inputs_at(t + 0.5 * h), inputs_at(t + h))
        problem = Middle(self._space, flow, h, inputs)
        start = self._guess(flow, before, h, inputs[1])
        stopping = self._stopping(flow, h)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        if not outcome.converged:
            return Missed(outcome.iterations)
        return self._moved(problem, flow, h, outcome.iterations, (inputs[0], inputs[2]))

    def _guess(self, flow: Flow, before: Trace | None, h: float, inputs: Inputs) -> Iterate:
        """The middle of the next step, if it goes on as the last one did."""
        layout = self._space.middle.model.layout
        dq = self._tracks.increments((0.5 * h) * (flow.rates[0] + h * flow.rates[1]))
        state = layout.retract(flow.state, dq)
        state = self._space.with_holding(layout.straightened(state), 2.0)
        return Iterate(state, Ahead(inputs, None if before is None else before.strains))


class ExplicitSteps(MomentumSteps):
    """Steps of ``SymplecticEuler``."""

    def __init__(self, tracks: Tracks) -> None:
        super().__init__(tracks)
        self._limit = 0.0  # the longest stable step, found before the first one
        self._viscous = any(law is not None for law in tracks.moving.viscous)
        if len(self._space.middle.gap):
            raise ModelError(
                "SymplecticEuler takes no tendons that are driven by their length: pull them by "
                "tension, or use Variational() or GeneralizedAlpha()"
            )

    def _check(self, flow: Flow, h: float, inputs: Inputs) -> None:
        """Raise if steps of length h [s] would blow up."""
        if not self._limit:
            self._limit = longest_step(self._space, flow, inputs)
        if h > self._limit:
            raise ModelError(
                f"SymplecticEuler is stable with steps below {self._limit:.3g} s here (2 over the "
                f"highest angular frequency, less with viscosity), got {h:g} s; take shorter "
                "steps, or Variational(), which takes longer ones"
            )

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | Missed:
        """A step."""
        inputs = (inputs_at(t), inputs_at(t + h))
        self._check(flow, h, inputs[0])
        if self._viscous:
            flow = self._told(flow, inputs[0]).shown
        problem = Explicit(self._space, flow, h, inputs)
        stopping = self._stopping(flow, h)
        outcome = newton(problem, problem.begin, stopping, StepControl(), MOST)
        if not outcome.converged:
            return Missed(outcome.iterations)
        return self._moved(problem, flow, h, outcome.iterations, inputs)
