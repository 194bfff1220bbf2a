"""Steps in time as equilibria with inertia at their ends."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import EPS, Assembly
from flexura.model.assemble_kernels import farthest, total_force
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.step import Linearised
from flexura.solve.equilibrium import (
    ARRIVED,
    BALANCED,
    LAST_STEP,
    Equilibrium,
    ForceBalance,
    Iterate,
    factorised,
    step_by,
)
from flexura.solve.motion.integrators import GeneralizedAlpha, ImplicitEuler, Scheme
from flexura.solve.newton import History, StepControl, newton
from flexura.typing import Array, Strain, frozen

# Iterations of one step; one that needs more is too long.
MOST = 20
# Accelerations at the beginning are found by an implicit step, this part of the first one: their
# error is of the order of its length, which leaves the motion of second order.
BEGINNING = 0.01
# A tangent serves as long as each step is at most this part of the one before.
SHRINKING = 0.01
# After a step of this size, relative to 1 rad and the length, no tangent does any more.
ROUGH = 0.01
# What is left undone of a step, relative to its first correction, and to 1 rad and the length.
PART, MOST_LEFT = 1e-6, 1e-10

# A guess of where a step leads is none if it is farther than this, relative to 1 rad and to the
# length: what a load does to a section in the first moment, others hold in the next.
FAR = 0.2

InputsAt = Callable[[float], Inputs]


@dataclass(frozen=True, eq=False)
class Moved:
    """Where a step led.

    Attributes:
        flow: at its end.
        trace: what a next step goes by; None if it was not evaluated there.
        iterations: that it took.
    """

    flow: Flow
    trace: "Trace | None"
    iterations: int


class Trace(NamedTuple):
    """What an evaluation at the end of a step leaves to the next one.

    Attributes:
        strains: at the points of each part.
        lost: whole turns that curvatures there have lost on the way; None if none.
        turn: largest rotation of an element, over what its description can tell.
    """

    strains: tuple[Strain, ...]
    lost: tuple[Array, ...] | None
    turn: float

    @classmethod
    def of(cls, assembly: Assembly) -> Self:
        """Of the last evaluation."""
        lost = assembly.lost_turns()
        strains = tuple(part.work.strain.copy() for part in assembly.parts)
        return cls(strains, lost, max(assembly.turns(lost), default=0.0))


class Steps(Protocol):
    """How an integrator goes on."""

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with all that a first step needs, of length h [s] at a time t [s]."""

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found.

        Args:
            flow: where it begins.
            before: what the step before has left, if there was one.
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
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | None:
        """A step; None if its end is not found."""
        if h != self._h:
            self._h, self._scheme = h, self._integrator.scheme(h)
        if flow.step and h != flow.step:
            rates = self._integrator.resized(flow.rates, h / flow.step)
            flow = replace(flow, rates=frozen(rates))
        return self._take(flow, before, self._scheme, h, inputs_at(t + h))

    def shown(self, flow: Flow, inputs: Inputs) -> Flow:
        """The flow as it is."""
        return flow

    def _take(
        self, flow: Flow, before: Trace | None, scheme: Scheme, h: float, inputs: Inputs
    ) -> Moved | None:
        tracks, assembly = self._tracks, self._assembly
        pace, push, _ = scheme.gain.tolist()
        carried = scheme.carry @ flow.rates
        assembly.move_from(tracks.past(flow, pace, push, carried[:2]))
        layout = assembly.model.layout_at(inputs)
        changes = h * flow.rates[0] + (0.5 * h * h) * flow.rates[2]
        near = tracks.farthest(changes) <= FAR
        dq = tracks.increments(changes) if near else np.zeros(layout.n_dof)
        state = layout.retract(flow.state, dq)
        strains, lost = (None, None) if before is None else (before.strains, before.lost)
        start = Iterate(layout.straightened(state), Ahead(inputs, strains, lost=lost))
        problem = End(assembly, inputs)
        moving = tracks.moving
        stopping = MovingBalance(assembly, push * moving.mass, 1.0 + pace * moving.viscosity)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        if not outcome.converged:
            return None
        places = tracks.read(assembly)
        rates = np.multiply.outer(scheme.gain, tracks.displacement(flow.places, places)) + carried
        moved = Flow(outcome.point.state, *places, frozen(rates), step=h)
        return Moved(moved, outcome.report, outcome.iterations)


def _moved_by_inputs(tracks: Tracks, begin: Flow, end: Flow) -> bool:
    """Whether inputs move the robot at another speed than before."""
    return bool(
        (tracks.velocities(begin, tracks.movers) != tracks.velocities(end, tracks.movers)).any()
    )


class End(Equilibrium):
    """The end of a step in time; a ``Problem``.

    Newton's method; the factors of a tangent serve as long as steps are small and shrink fast.
    """

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        super().__init__(assembly, inputs)
        self._factor: Factor | None = None

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate the residual, and the tangent if it is a new one; that is always possible."""
        if self._step is None or self._step.size > ROUGH:
            self._factor = None
            self.assembly.evaluate(point.state, self.inputs, point.ahead)
        else:
            self.assembly.evaluate_residual(point.state, self.inputs, point.ahead)
        return True

    def step(self) -> Linearised | None:
        """The step from the last evaluation; None if there is no finite one.

        With inertia, no motion is without resistance.
        """
        assembly, last = self.assembly, self._step
        if self._factor is not None and last is not None:
            self._step = step_by(assembly, self._factor)
            if self._step is not None and self._step.size <= SHRINKING * last.size:
                return self._step
            assembly.evaluate_tangent()
        self._factor = factorised(assembly)
        self._step = step_by(assembly, self._factor)
        return self._step

    def advance(self, fraction: float) -> Iterate:
        """The point after a fraction of the last step.

        As long as steps are small, strains and turns are told from those that the step in time
        begins with.
        """
        assert self._step is not None
        if self._step.size > ROUGH:
            return super().advance(fraction)
        return Iterate(self._step.state(fraction), self.assembly.ahead)

    def report(self, converged: bool) -> Trace:  # type: ignore[override]
        """What a next step goes by: stability is none of a motion."""
        return Trace.of(self.assembly)


@dataclass
class MovingBalance(ForceBalance):
    """The same with inertia among the forces in play.

    Attributes:
        push: change of inertial forces with displacements [N/m].
        stiffer: by how much stretch and shear are stiffer in a step, as rates change with them.
        inertial: size of inertial forces that are not in the assembly [N].
    """

    push: float
    stiffer: float = 1.0
    inertial: float = 0.0

    def over(self, history: History) -> bool:
        """Whether the next step would be nothing, or the last one was.

        Steps with one tangent have the sizes s, c s, c² s: the third from the first two. The first
        one of all is what the start missed, which is of the order of the error of a step in time.
        """
        steps, left = history.steps, history.forces[-1]
        last = steps[-1]
        if len(steps) == 1 or last > SHRINKING * steps[-2]:  # by a tangent of its own
            small = last <= LAST_STEP
        else:
            most = min(PART * steps[0], MOST_LEFT)
            small = last**2 <= most * steps[-2] and history.gaps[-1] <= ARRIVED
        return (small and left <= BALANCED * self._scale()) or self._at_rest(history)

    def forces(self) -> float:
        """Size of the forces in play, those that inertia makes included [N]."""
        loads = sum(total_force(part.forces.load) for part in self.assembly.parts)
        return max(self.assembly.force_scale(), self.inertial, float(loads))

    def rounding(self) -> float:
        """Size of rounding errors in strains, and in displacements times inertia [N]."""
        far = max(float(farthest(self.assembly.nodes)), self.assembly.model.length)
        return self.stiffer * self.assembly.rounding() + EPS * self.push * far
