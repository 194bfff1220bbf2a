"""Steps in time as equilibria with inertia at their ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from flexura.model.assemble import EPS, Assembly
from flexura.model.assemble_kernels import farthest
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.step import Linearised
from flexura.solve.equilibrium import (
    Equilibrium,
    ForceBalance,
    Iterate,
    Report,
    factorised,
    step_by,
)
from flexura.solve.motion.integrators import GeneralizedAlpha, ImplicitEuler, Scheme
from flexura.solve.newton import StepControl, newton
from flexura.typing import frozen

# Iterations of one step; one that needs more is too long.
MOST = 20
# Accelerations at the beginning are found by an implicit step, this part of the first one: their
# error is of the order of its length, which leaves the motion of second order.
BEGINNING = 0.01

# A guess of where a step leads is none if it is farther than this, relative to 1 rad and to the
# length: what a load does to a section in the first moment, others hold in the next.
FAR = 0.2

InputsAt = Callable[[float], Inputs]


@dataclass(frozen=True, eq=False)
class Moved:
    """Where a step led.

    Attributes:
        flow: at its end.
        evaluation: what results keep; None if it was not evaluated there.
        iterations: that it took.
    """

    flow: Flow
    evaluation: Evaluation | None
    iterations: int


class Steps(Protocol):
    """How an integrator goes on."""

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with all that a first step needs, of length h [s] at a time t [s]."""

    def take(
        self, flow: Flow, before: Evaluation | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found.

        Args:
            flow: where it begins.
            before: the evaluation there, if there is one.
            t: when it begins [s].
            h: its length [s].
            inputs_at: inputs at any time of the step [s].
        """

    def shown(self, flow: Flow, inputs: Inputs) -> Flow:
        """The flow with the rates that results tell."""


class EndSteps:
    """Steps of generalised-alpha and implicit Euler: an equilibrium with inertia at their ends."""

    def __init__(
        self, integrator: GeneralizedAlpha | ImplicitEuler, tracks: Tracks, assembly: Assembly
    ) -> None:
        self._integrator, self._tracks, self._assembly = integrator, tracks, assembly
        self._h, self._scheme = 0.0, integrator.scheme(1.0)

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with its accelerations, and what holds the robot, by a short implicit step.

        Where inputs move the robot, they do so from the beginning on, at a speed of their own: that
        of everything is then found by two first steps of different length, and extrapolated, and
        the accelerations by a second step.
        """
        short, velocity = BEGINNING * h, flow.rates[0]
        one = self._short(flow, t, short, inputs_at)
        if one is None:  # the first step will be cut
            return flow
        last, acceleration = one, (one.rates[0] - velocity) / short
        if _moved_by_inputs(self._tracks, flow, one):
            two = self._short(one, t + short, short, inputs_at)
            half = self._short(flow, t, 0.5 * short, inputs_at)
            if two is None or half is None:
                return flow
            last, acceleration = two, (two.rates[0] - one.rates[0]) / short
            velocity = 2.0 * half.rates[0] - one.rates[0]
        held = self._assembly.model.layout.multiplier
        numbers = np.where(held, last.state.numbers, flow.state.numbers)
        multipliers = last.state.multipliers
        return replace(
            flow,
            state=replace(flow.state, numbers=frozen(numbers), multipliers=multipliers),
            rates=frozen(np.stack([velocity, acceleration, acceleration])),
        )

    def _short(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow | None:
        """Where an implicit step leads."""
        moved = self._take(flow, None, ImplicitEuler().scheme(h), h, inputs_at(t + h))
        return None if moved is None else moved.flow

    def take(
        self, flow: Flow, before: Evaluation | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        if h != self._h:
            self._h, self._scheme = h, self._integrator.scheme(h)
        return self._take(flow, before, self._scheme, h, inputs_at(t + h))

    def shown(self, flow: Flow, inputs: Inputs) -> Flow:
        """The flow as it is."""
        return flow

    def _take(
        self, flow: Flow, before: Evaluation | None, scheme: Scheme, h: float, inputs: Inputs
    ) -> Moved | None:
        tracks, assembly = self._tracks, self._assembly
        pace, push, _ = scheme.gain.tolist()
        assembly.move_from(tracks.past(flow, pace, push, scheme.carry[:2] @ flow.rates))
        layout = assembly.model.layout_at(inputs)
        changes = h * flow.rates[0] + (0.5 * h * h) * flow.rates[2]
        near = tracks.farthest(changes) <= FAR
        dq = tracks.increments(changes) if near else np.zeros(layout.n_dof)
        state = layout.retract(flow.state, dq, 0.0 * flow.state.multipliers)
        strains, lost = (None, None) if before is None else (before.strains, before.lost)
        start = Iterate(state, Ahead(inputs, strains, lost=lost))
        problem = End(assembly, inputs)
        moving = tracks.moving
        stopping = MovingBalance(assembly, push * moving.mass, 1.0 + pace * moving.viscosity)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        places = tracks.read(assembly)
        rates = scheme.end(flow.rates, tracks.displacement(flow.places, places))
        moved = Flow(outcome.point.state, *places, frozen(rates))
        return Moved(moved, outcome.report.evaluation, outcome.iterations)


def _moved_by_inputs(tracks: Tracks, begin: Flow, end: Flow) -> bool:
    """Whether inputs move the robot at another speed than before."""
    return bool(
        (tracks.velocities(begin, tracks.movers) != tracks.velocities(end, tracks.movers)).any()
    )


class End(Equilibrium):
    """The end of a step in time; a ``Problem``."""

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        super().__init__(assembly, inputs, _newton_step)

    def report(self, converged: bool) -> Report:
        """What results keep: stability is none of a motion."""
        return Report(None, False, self.assembly.evaluation())


def _newton_step(problem: Equilibrium) -> Linearised | None:
    """Newton's step; with inertia, no motion is without resistance."""
    return step_by(problem.assembly, factorised(problem.assembly))


@dataclass
class MovingBalance(ForceBalance):
    """The same with inertia among the forces in play.

    Attributes:
        push: change of inertial forces with displacements [N/m].
        stiffer: by how much stretch and shear are stiffer in a step, as rates change with them.
    """

    push: float
    stiffer: float = 1.0

    def forces(self) -> float:
        """Size of the forces in play, those that inertia makes included [N]."""
        loads = (np.abs(part.forces.load[:, 3:]).sum() for part in self.assembly.parts)
        return max(self.assembly.force_scale(), float(sum(loads)))

    def rounding(self) -> float:
        """Size of rounding errors in strains, and in displacements times inertia [N]."""
        far = max(float(farthest(self.assembly.nodes)), self.assembly.model.length)
        return self.stiffer * self.assembly.rounding() + EPS * self.push * far
