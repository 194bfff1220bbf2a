"""What goes on in time: steps of an integrator, cut where they do not converge."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.account import Account, Entry
from flexura.model.motion.flow import Flow, Tracks
from flexura.model.motion.moving import moving
from flexura.result.instant import Instant
from flexura.result.status import Status
from flexura.robot import Weld
from flexura.solve.motion.integrators import AnyIntegrator, SymplecticEuler, Variational
from flexura.solve.motion.momentum_steps import ExplicitSteps, SymmetricSteps
from flexura.solve.motion.time_step import EndSteps, InputsAt, Steps, Trace

# A step that does not converge is cut in halves, so often at most.
HALVINGS = 12
# Driven joints turn by no more in a step [rad]: half a turn has two ways.
MOST_TURNED = 2.5


@dataclass(frozen=True, eq=False)
class Now:
    """Where a motion is.

    Attributes:
        t: the time [s].
        inputs: there.
        flow: places and rates.
        trace: what a next step goes by; None if it was not evaluated there.
        dissipated: by viscosity so far [J].
        work: done by inputs and loads so far [J].
        entry: what acts there, for the account of the next step; None if that is to be found.
    """

    t: float
    inputs: Inputs
    flow: Flow
    trace: Trace | None
    dissipated: float
    work: float
    entry: Entry | None = None


class Engine:
    """Moves a model on in time.

    Attributes:
        model: the robot.
        integrator: how it goes on.
        tracks: what moves of it.
        account: of its energies.
        assembly: work space.
        now: where the motion is.
        iterations: spent since the last instant.
        cuts: times of steps that were cut [s].
        remarks: what else to know of how it began.
        coarse: whether the last step, or one shorter, leads where an element turns by more than
            its description can tell.
    """

    def __init__(self, model: Model, integrator: AnyIntegrator) -> None:
        self.model, self.integrator = model, integrator
        self.tracks = Tracks(moving(model))
        self.account = Account(self.tracks.moving.model)
        self.assembly = Assembly(self.tracks.moving.model)
        self.now: Now
        self.iterations = 0
        self.cuts: list[float] = []
        self.remarks: list[str] = []
        self.coarse = False
        self._steps = _steps(integrator, self.tracks, self.assembly)

    def __getstate__(self) -> dict[str, Any]:
        """Where it is; work space, whose arrays share memory, is made anew."""
        kept = ("model", "integrator", "now", "iterations", "cuts", "remarks", "coarse")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"], state["integrator"])  # type: ignore[misc]
        vars(self).update(state)

    def begin(
        self,
        flow: Flow,
        inputs: Inputs,
        t: float,
        spent: tuple[float, float] = (0.0, 0.0),
        found: Evaluation | None = None,
    ) -> None:
        """Be somewhere; with what was evaluated there, a first step begins as if it went on.

        Args:
            flow: places and rates.
            inputs: there.
            t: the time [s].
            spent: what was dissipated so far, and the work that was done [J].
            found: what was evaluated there.
        """
        trace, entry = None, None
        if found is not None and found.strains is not None:
            trace = Trace(found.strains, found.lost, found.turn)
        if found is not None and not self.account.idle:
            self._evaluate(flow, inputs)
            entry = self.account.entry(self.assembly, found.conjugate, found.node_forces)
        self.now = Now(t, inputs, flow, trace, *spent, entry)

    @property
    def ready(self) -> bool:
        """Whether the flow has what its integrator goes by: a momentum, or accelerations."""
        return (self.now.flow.momentum is None) == isinstance(self._steps, EndSteps)

    def prepare(self, h: float, inputs_at: InputsAt) -> None:
        """Find what belongs to the beginning, before a first step of length h [s]."""
        with np.errstate(all="ignore"):
            flow = self._steps.begin(self.now.flow, self.now.t, h, inputs_at)
        self.now = replace(self.now, flow=flow)

    def advance(self, h: float, inputs_at: InputsAt) -> bool:
        """Go on by a step of length h [s]; whether that succeeded.

        Args:
            h: length of the step.
            inputs_at: inputs at any time of the step [s].
        """
        begin, done, parts = self.now, 0, 1
        self.coarse = False
        while done < parts:
            if self._go(h / parts, inputs_at):
                done += 1
                continue
            if parts == 1:
                self.cuts.append(begin.t)
            done, parts = 2 * done, 2 * parts
            if parts > 2**HALVINGS:
                return False
        self.now = replace(self.now, t=begin.t + h)
        return True

    def _go(self, h: float, inputs_at: InputsAt) -> bool:
        """A step; whether it converged, to where rods can be told."""
        after = self.look(h, inputs_at)
        if after is not None:
            self.now = after
        return after is not None

    def look(self, h: float, inputs_at: InputsAt) -> Now | None:
        """Where a step of length h [s] leads, without going there; None if that is not found."""
        now = self.now
        if self._turned_too_far(now.inputs, inputs_at(now.t + h)):
            return None
        begin = now.entry
        if begin is None and not self.account.idle:
            begin = self._entry(now.flow, now.inputs, evaluated=False)
            now = self.now = replace(now, entry=begin)
        with np.errstate(all="ignore"):
            moved = self._steps.take(now.flow, now.trace, now.t, h, inputs_at)
        if moved is None:
            return None
        self.iterations += moved.iterations
        if moved.trace is not None and moved.trace.turn >= 1.0:
            self.coarse = True
            return None
        inputs, flow = inputs_at(now.t + h), moved.flow
        spent = now.dissipated + self.tracks.dissipated(now.flow, flow, h)
        work, entry = now.work, None
        if begin is not None:
            at_end = moved.trace is not None
            entry = self._entry(flow, inputs, at_end)
            work += self.account.work(begin, entry, midway=not at_end)
        return Now(now.t + h, inputs, flow, moved.trace, spent, work, entry)

    def _entry(self, flow: Flow, inputs: Inputs, evaluated: bool) -> Entry:
        """What acts somewhere.

        Args:
            flow: places and rates there.
            inputs: there.
            evaluated: whether that was the last evaluation.
        """
        if not evaluated:
            self._evaluate(self._steps.shown(flow, inputs) if self.model.movers else flow, inputs)
        return self.account.entry(self.assembly)

    def _evaluate(self, flow: Flow, inputs: Inputs) -> None:
        """Evaluate what acts, that of inertia included."""
        self.assembly.move_from(self.tracks.now(flow))
        self.assembly.evaluate_residual(flow.state, inputs)

    def _turned_too_far(self, before: Inputs, after: Inputs) -> bool:
        """Whether a driven joint turns so far in a step that poses cannot tell its way."""
        for mover in self.model.movers:
            if not isinstance(mover.joint, Weld) and np.any(np.asarray(mover.joint.screw)[:3]):
                turn = after.values[mover.place] - before.values[mover.place]
                if abs(turn) > MOST_TURNED:
                    return True
        return False

    def instant(self) -> Instant:
        """What there is to know of now; iterations are counted from zero again."""
        now, assembly = self.now, self.assembly
        flow = self._steps.shown(now.flow, now.inputs)
        if assembly.state is not flow.state:
            self._evaluate(flow, now.inputs)
        elastic, gravity = self.account.energies(assembly)
        found = Instant(
            model=self.model,
            state=flow.state,
            given=now.inputs,
            status=Status.MOVING,
            residuals=(0.0,),
            steps=(),
            iterations=self.iterations,
            load_steps=1,
            load_factor=1.0,
            stable=None,
            evaluation=assembly.evaluation(),
            t=now.t,
            flow=flow,
            dissipated=now.dissipated,
            work=now.work,
            elastic=elastic,
            gravity=gravity,
        )
        vars(found)["tracks"] = self.tracks
        self.iterations = 0
        return found


def _steps(integrator: AnyIntegrator, tracks: Tracks, assembly: Assembly) -> Steps:
    """How an integrator goes on."""
    if isinstance(integrator, Variational):
        return SymmetricSteps(tracks)
    if isinstance(integrator, SymplecticEuler):
        return ExplicitSteps(tracks)
    return EndSteps(integrator, tracks, assembly)
