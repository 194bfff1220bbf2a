"""What goes on in time, by steps of an integrator."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.account import Entry, account_of
from flexura.model.motion.flow import Flow, tracks_of
from flexura.model.slips import Slips
from flexura.result.instant import Instant
from flexura.result.motion import MotionStatus
from flexura.result.squeezed import beyond_ends
from flexura.robot import Weld
from flexura.solve.motion.integrators import AnyIntegrator
from flexura.solve.motion.steps import InputsAt, Missed, Trace

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
        found: what another motion evaluated there that led there; None if none did.
        driven: whether the step that led there was too long for how contacts turned.
        leapt: whether sides of a contact went through each other in it, unseen.
        passed: numbers of contacts whose sides did so, on the way there.
        slip: how far pairs have slid since the last time that counts, before the step that led
            there [m], (n, 3); None if that was its first part.
    """

    t: float
    inputs: Inputs
    flow: Flow
    trace: Trace | None
    dissipated: float
    work: float
    entry: Entry | None = None
    found: Evaluation | None = None
    driven: bool = False
    leapt: bool = False
    passed: tuple[int, ...] = ()
    slip: Slips | None = None


class Mark(NamedTuple):
    """Where an engine was.

    Attributes:
        now: where the motion was.
        iterations: spent by then since the last instant.
        cuts: how many steps had been cut.
    """

    now: Now
    iterations: int
    cuts: int


class Engine:
    """Moves a model on in time.

    Attributes:
        model: the robot.
        integrator: how it goes on.
        tracks: what moves of it.
        account: of its energies.
        now: where the motion is.
        iterations: spent since the last instant, those of steps that were not found included.
        cuts: times of steps that were cut [s].
        remarks: what else to know of how it began.
        left: points that rods left in a step that was not taken, in words.
    """

    def __init__(self, model: Model, integrator: AnyIntegrator) -> None:
        self.model, self.integrator = model, integrator
        self.tracks = tracks_of(model)
        self.account = account_of(self.tracks.moving.model)
        self.now: Now
        self.iterations = 0
        self.cuts: list[float] = []
        self.remarks: list[str] = []
        self.left: list[str] = []
        self._steps = integrator.steps(self.tracks)

    def __getstate__(self) -> dict[str, Any]:
        """Where it is; work space, whose arrays share memory, is made anew."""
        kept = ("model", "integrator", "now", "iterations", "cuts", "remarks")
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
        if found is not None:
            trace = self._steps.trace(found)
            if not self.account.idle:
                _, assembly = self._steps.shown(flow, inputs)
                entry = self.account.entry(assembly, found.conjugate, found.node_forces)
        self.now = Now(t, inputs, flow, trace, *spent, entry, found)

    @property
    def ready(self) -> bool:
        """Whether the flow has what its integrator goes by."""
        return self._steps.ready(self.now.flow)

    def prepare(self, h: float, inputs_at: InputsAt) -> None:
        """Find what belongs to the beginning, before a first step of length h [s]."""
        with np.errstate(all="ignore"):
            flow = self._steps.begin(self.now.flow, self.now.t, h, inputs_at)
        self.now = replace(self.now, flow=flow, found=None)

    def look(self, h: float, end: float, inputs_at: InputsAt) -> Now | MotionStatus:
        """Where a step leads, without going there; a failure if that is not found.

        Args:
            h: length of the step [s].
            end: when it is over, which differs from now and h by rounding [s].
            inputs_at: inputs at any time of the step [s].
        """
        now, begin = self.now, None
        inputs = inputs_at(now.t + h)
        if self._turned_too_far(now.inputs, inputs):
            return MotionStatus.LOST
        if not self.account.still(now.inputs, inputs):
            begin = now.entry
            if begin is None:
                begin = self._entry(now.flow, now.inputs)
                now = self.now = replace(now, entry=begin)
        with np.errstate(all="ignore"):
            moved = self._steps.take(now.flow, now.trace, now.t, h, inputs_at)
        self.iterations += moved.iterations
        if isinstance(moved, Missed):
            return MotionStatus.UNSOLVED if moved.unsolved else MotionStatus.LOST
        if moved.trace is not None and moved.trace.turn >= 1.0:
            return MotionStatus.COARSE
        flow = moved.flow
        self.left = beyond_ends(self.model, flow.state.numbers)
        if self.left:
            return MotionStatus.UNTHREADED
        spent = now.dissipated + self.tracks.dissipated(now.flow, flow, h, inputs)
        work, entry = now.work, None
        if begin is not None:
            entry = self._entry(flow, inputs)
            midway = flow.momentum is not None
            work += self.account.work(begin, entry, h, midway, moved.driving)
        leapt, passed = moved.leapt is not None, now.passed
        if moved.leapt is not None and moved.leapt not in passed:
            passed = (*passed, moved.leapt)
        return Now(
            end, inputs, flow, moved.trace, spent, work, entry, driven=moved.driven, leapt=leapt,
            passed=passed, slip=now.slip,
        )  # fmt: skip

    def go_on(self, counts: bool) -> None:
        """Set out from now: what has slid counts from here, or from where it did already."""
        now, slip = self.now, None
        touch = None if counts else self._steps.shown(now.flow, now.inputs)[1].touch
        if touch is not None:
            slip = touch.slid() if now.slip is None else touch.slid() + now.slip
        if slip is not now.slip:
            self.now = replace(now, slip=slip)

    def _entry(self, flow: Flow, inputs: Inputs) -> Entry:
        """What acts somewhere."""
        return self.account.entry(self._steps.shown(flow, inputs)[1])

    def cut(self, t: float) -> None:
        """Take note that the step from a time [s] is cut into shorter ones."""
        if t not in self.cuts[-1:]:
            self.cuts.append(t)

    def mark(self) -> Mark:
        """Where it is, to go back to."""
        return Mark(self.now, self.iterations, len(self.cuts))

    def go_back(self, mark: Mark) -> None:
        """Be where it was, as if nothing had been tried since."""
        self.now, self.iterations = mark.now, mark.iterations
        del self.cuts[mark.cuts :]

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
        now = self.now
        flow, assembly = self._steps.shown(now.flow, now.inputs)
        iterations, self.iterations = self.iterations, 0
        spent = now.dissipated, now.work
        known, found = now.found, assembly.evaluation()
        if known is not None:
            same = np.array_equal(known.values, found.values)
            found = known if same else replace(found, slip=known.slip)
        if now.slip is not None and found.slip is not None:
            found = replace(found, slip=found.slip + now.slip)
        return Instant.of(self.model, assembly, flow, now.t, spent, iterations, found)
