"""Steps in time as equilibria with inertia at their ends."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead, Evaluation
from flexura.model.inputs import Inputs
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.step import Linearised, linearise
from flexura.solve.contact.small import ENOUGH
from flexura.solve.contact.touching import Stepping
from flexura.solve.equilibrium import Equilibrium, Iterate, factorised, step_by
from flexura.solve.motion.moving_balance import CLOSED, SHRINKING, MovingBalance, leaves_nothing
from flexura.solve.motion.scheme import Rule, Scheme
from flexura.solve.motion.steps import MOST, InputsAt, Missed, Moved, Trace
from flexura.solve.newton import StepControl, newton
from flexura.typing import Array, frozen

# Accelerations at the beginning are found by an implicit step, this part of the first one: their
# error is of the order of its length, which leaves the motion of second order.
BEGINNING = 0.01
# After a step of this size, relative to 1 rad and the length, no tangent does any more.
ROUGH = 0.01
# A gap that is expected to be below this part of what is closed is closed for sure.
SURE = 0.1
# A guess of where a step leads is none if it is farther than this, relative to 1 rad and to the
# length: what a load does to a section in the first moment, others hold in the next.
FAR = 0.2
# Steps that differ by less than this part are of one length.
SAME = 1e-9
# One linearisation may leave things this deep in each other, relative to the length.
DEEPEST = 1e-4
# A step is too long in which contacts whose normals turn by more than this angle [rad] do more work
# than this part of the kinetic energy.
TURNED, DRIVEN = 0.05, 1e-3
# Problems of contacts may stay unsolved so many times in a row, on the way to one that is solved.
LOST = 5
# Schemes that are kept, for steps of lengths that differ.
SCHEMES = 64


class EndSteps:
    """Steps of generalised-alpha and implicit Euler: an equilibrium with inertia at their ends."""

    def __init__(self, rule: Rule, tracks: Tracks, linearised: bool = False) -> None:
        self._rule, self._tracks, self._linearised = rule, tracks, linearised
        self._assembly = Assembly(tracks.moving.model)
        self._schemes: dict[float, Scheme] = {}
        self._pending = False  # whether forces where a step led are still to be found

    def ready(self, flow: Flow) -> bool:
        """Whether a flow has no momentum, hence accelerations."""
        return flow.momentum is None

    def begin(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow:
        """The flow with its accelerations, and what holds the robot, by a short implicit step.

        Where inputs move the robot, they do so from the beginning on, at a speed of their own: that
        of everything is then found by two first steps of different length, and extrapolated, and
        the accelerations by a second step. Where that speed is one that the robot had not, which
        strikes it, everything begins as two whole implicit steps have it, extrapolated.
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
            if self._struck(velocity - flow.rates[0], short * acceleration):
                found = self._calm(flow, t, h, inputs_at)
                if found is None:
                    return flow
                last, led = found[1], self._tracks.led
                slower = (last.rates[0] - found[0].rates[0]) / h
                velocity = np.where(led, velocity, found[0].rates[0] - h * slower)
                acceleration = np.where(led, acceleration, slower)
        rates = np.stack([velocity, acceleration, acceleration])
        if self._tracks.driven:
            rates = self._rule.calmed(rates, h, self._jerk(flow, t, h, inputs_at))
        held = self._assembly.model.layout.multiplier
        numbers = np.where(held, last.state.numbers, flow.state.numbers)
        multipliers = last.state.multipliers
        return replace(
            flow,
            state=replace(flow.state, numbers=frozen(numbers), multipliers=multipliers),
            rates=frozen(rates),
        )

    def _calm(
        self, flow: Flow, t: float, h: float, inputs_at: InputsAt
    ) -> tuple[Flow, Flow] | None:
        """Where two implicit steps of whole length lead: what they cannot follow is damped away."""
        one = self._short(flow, t, h, inputs_at)
        two = None if one is None else self._short(one, t + h, h, inputs_at)
        return None if one is None or two is None else (one, two)

    def _struck(self, jump: Array, change: Array) -> bool:
        """Whether inputs begin with a speed that the robot had not, beside changes in a moment.

        Insertions carry their tubes along: all of a set has its speed at once.
        """
        if self._assembly.model.tubes:
            return False
        own = self._tracks.led
        return bool(np.abs(jump[own]).max(initial=0.0) > np.abs(change[own]).max(initial=0.0))

    def _jerk(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Array:
        """Rates of the accelerations of what follows inputs alone, by differences in a step."""
        tracks, assembly, part = self._tracks, self._assembly, h / 3.0
        places = [flow.places]
        for k in (1, 2, 3):
            assembly.place(flow.state, inputs_at(t + k * part))
            places.append(tracks.read(assembly))
        first, second, third = (tracks.displacement(a, b) for a, b in pairwise(places))
        return np.where(tracks.led, (third - 2.0 * second + first) / part**3, 0.0)

    def _short(self, flow: Flow, t: float, h: float, inputs_at: InputsAt) -> Flow | None:
        """Where an implicit step leads, solved to the end: what it leaves open is over h² soon."""
        self._set_out(flow, inputs_at(t))
        moved = self._take(flow, None, Scheme.implicit_euler(h), h, inputs_at(t + h), False)
        return None if isinstance(moved, Missed) else moved.flow

    def take(
        self, flow: Flow, before: Trace | None, t: float, h: float, inputs_at: InputsAt
    ) -> Moved | Missed:
        """A step."""
        if flow.step and abs(h - flow.step) > SAME * h:
            rates = self._rule.resized(flow.rates, h / flow.step)
            flow = replace(flow, rates=frozen(rates))
        self._set_out(flow, inputs_at(t))
        end = inputs_at(t + h)
        return self._take(flow, before, self._scheme(h), h, end, self._linearised)

    def _scheme(self, h: float) -> Scheme:
        """Of a step of length h [s]; those of one motion differ by rounding."""
        found = self._schemes.get(h)
        if found is None:
            if len(self._schemes) >= SCHEMES:
                self._schemes.clear()
            found = self._schemes[h] = self._rule.scheme(h)
        return found

    def trace(self, found: Evaluation) -> Trace | None:
        """What a step would have left that led there."""
        if found.strains is None:
            return None
        return Trace(found.strains, found.lost, found.turn)

    def shown(self, flow: Flow, inputs: Inputs) -> tuple[Flow, Assembly]:
        """The flow as it is, and the model as the step that led there has evaluated it."""
        assembly = self._assembly
        if assembly.state is not flow.state:
            assembly.move_from(self._tracks.now(flow))
            if assembly.touch is not None:
                assembly.touch.begin = None
            assembly.evaluate_residual(flow.state, inputs)
        elif self._pending:
            complete(assembly)
        self._pending = False
        return flow, assembly

    def _set_out(self, flow: Flow, inputs: Inputs) -> None:
        """Let contacts count sliding from the beginning of a step."""
        assembly = self._assembly
        if assembly.touch is None:
            return
        if assembly.state is not flow.state or assembly.inputs is not inputs:
            assembly.place(flow.state, inputs)
        assembly.touch.set_out()

    def _take(
        self,
        flow: Flow,
        before: Trace | None,
        scheme: Scheme,
        h: float,
        inputs: Inputs,
        linearised: bool,
    ) -> Moved | Missed:
        tracks, assembly = self._tracks, self._assembly
        pace, push, _ = scheme.gain.tolist()
        carried = scheme.carry @ flow.rates
        assembly.move_from(tracks.past(flow, pace, push, carried[:2], scheme.in_space))
        assembly.enter(flow.state, inputs)
        layout = assembly.layout
        changes, far = tracks.extrapolated(flow, h)
        dq = tracks.increments(changes) if far <= FAR else np.zeros(layout.n_dof)
        state = layout.retract(flow.state, dq)
        strains, lost = (None, None) if before is None else (before.strains, before.lost)
        start = Iterate(layout.straightened(state), Ahead(inputs, strains, lost=lost))
        problem = StepEnd(assembly, inputs)
        if linearised:
            return self._linear(flow, start, problem, scheme, h)
        moving = tracks.moving
        stopping = MovingBalance(assembly, push * moving.mass, 1.0 + pace * moving.viscosity)
        outcome = newton(problem, start, stopping, StepControl(), MOST)
        self._pending = problem.pending
        if not outcome.converged:
            return Missed(outcome.iterations, problem.unsolved)
        moved = self._moved(flow, outcome.point, scheme, h)
        driven, leapt = self._driven(moved, inputs), self._leapt()
        return Moved(moved, outcome.report, outcome.iterations, driven=driven, leapt=leapt)

    def _linear(
        self, flow: Flow, start: Iterate, problem: "StepEnd", scheme: Scheme, h: float
    ) -> Moved | Missed:
        """Where one step of Newton's method leads."""
        assembly = self._assembly
        problem.evaluate(start)
        step = problem.step()
        if step is None or problem.unsolved:  # nothing else will tell
            return Missed(1, problem.unsolved)
        point = problem.advance(StepControl().fraction(step))
        assembly.evaluate_residual(point.state, problem.inputs, point.ahead)
        touch, length = assembly.touch, assembly.model.length
        if touch is not None and touch.deepest() > DEEPEST * length:
            return Missed(1, unsolved=True)
        moved = self._moved(flow, point, scheme, h)
        if not np.isfinite(moved.rates).all():
            return Missed(1)
        driven, leapt = self._driven(moved, problem.inputs), self._leapt()
        return Moved(moved, Trace.of(assembly), 1, driven=driven, leapt=leapt)

    def _driven(self, end: Flow, inputs: Inputs) -> bool:
        """Whether contacts drove what slides around something, from where it was not yet.

        A force along the normal n of the end does the work λ n · (p - p₀) on what comes from around
        an edge: together with what the step loses, up to ½ m (v · n)².
        """
        touch = self._assembly.touch
        if touch is None:
            return False
        work = touch.turned_work(end.state.multipliers, TURNED)
        return work > 0.0 and work > DRIVEN * self._tracks.kinetic(end, inputs)

    def _leapt(self) -> int | None:
        """Number of a contact whose sides went through each other in the step; None for none."""
        touch = self._assembly.touch
        pair = -1 if touch is None else touch.leapt()
        return None if touch is None or pair < 0 else int(touch.contacts.contact[pair])

    def _moved(self, flow: Flow, end: Iterate, scheme: Scheme, h: float) -> Flow:
        """The flow at the end of a step, which was evaluated last."""
        tracks, carried = self._tracks, scheme.carry @ flow.rates
        places = tracks.read(self._assembly)
        rates = tracks.end_rates(flow, places, scheme.gain, carried, scheme.in_space)
        return Flow(end.state, *places, rates, step=h)


def _moved_by_inputs(tracks: Tracks, begin: Flow, end: Flow) -> bool:
    """Whether inputs move the robot at another speed than before."""
    return bool((tracks.driven_velocities(begin) != tracks.driven_velocities(end)).any())


def complete(assembly: Assembly) -> None:
    """Find the forces where nodes and points were placed."""
    assembly.act(tangents=False)
    assembly.carry_back()


class StepEnd(Equilibrium):
    """The end of a step in time; a ``Problem``.

    Newton's method; the factors of a tangent serve as long as steps are small and shrink fast. When
    they tell that nothing will be left, the end is a place to be at, and forces are not asked for.

    Attributes:
        pending: whether that is so: nodes and points are where they are, without any forces.
    """

    def __init__(self, assembly: Assembly, inputs: Inputs) -> None:
        super().__init__(assembly, inputs)
        self.pending = False
        self._factor: Factor | None = None
        self._sizes: list[float] = []
        self._left = (0.0, 0.0)  # force and gap
        self._stepping = None if assembly.touch is None else Stepping()
        self._lost = 0  # problems of contacts in a row that were not solved

    @property
    def unsolved(self) -> bool:
        """Whether the last problem of contacts was not solved."""
        return self._stepping is not None and self._stepping.solved.residual > ENOUGH

    def evaluate(self, point: Iterate) -> bool:
        """Evaluate the residual, and the tangent if it is a new one; that is always possible."""
        assembly = self.assembly
        self.pending = self._ends()
        if self._step is None or self._step.size > ROUGH:
            self._factor = None
            assembly.evaluate(point.state, self.inputs, point.ahead)
        elif self.pending:
            assembly.place(point.state, self.inputs, point.ahead)
        else:
            assembly.evaluate_residual(point.state, self.inputs, point.ahead)
        return True

    def _ends(self) -> bool:
        """Whether a step is the last one by far, as those before tell."""
        sizes = self._sizes
        if self.assembly.touch is not None:  # contacts come and go
            return False
        if len(sizes) < 2 or sizes[-1] > SHRINKING * sizes[-2] or len(self.assembly.gap):
            return False
        ratio = sizes[-1] / sizes[-2]
        self._left = (ratio * self._left[0], ratio * self._left[1])
        return leaves_nothing(sizes) and self._left[1] <= SURE * CLOSED

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap: what is to be expected at the end."""
        if not self.pending:
            self._left = self.assembly.imbalance()  # inertia is as firm everywhere
        return self._left

    def step(self) -> Linearised | None:
        """The step from the last evaluation; None if there is no finite one, or it leads nowhere.

        With inertia, no motion is without resistance.
        """
        if self.pending:
            complete(self.assembly)
            self.pending = False
        self._step = self._find()
        self._lost = self._lost + 1 if self.unsolved else 0
        if self._step is not None:
            self._sizes.append(self._step.size)
        return self._step if self._lost < LOST else None

    def _find(self) -> Linearised | None:
        """The step by the factors there are, if it shrinks fast, else by new ones."""
        assembly, last = self.assembly, self._step
        if self._factor is not None and last is not None:
            step = step_by(assembly, self._factor, brief=True, stepping=self._stepping)
            if step is not None and step.size <= SHRINKING * last.size:
                return step
            assembly.evaluate_tangent()
        self._factor = factorised(assembly)
        step = step_by(assembly, self._factor, brief=True, stepping=self._stepping)
        if step is None or step.size <= ROUGH:
            return step
        return linearise(assembly, step.increments, step.multipliers)

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
