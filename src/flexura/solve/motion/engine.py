"""What goes on in time, by steps of an integrator."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, tracks_of
from flexura.result.instant import Instant
from flexura.result.motion import MotionStatus
from flexura.robot import Weld
from flexura.solve.motion.integrators import AnyIntegrator
from flexura.solve.motion.steps import InputsAt, Trace

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
    """

    t: float
    inputs: Inputs
    flow: Flow
    trace: Trace | None
    dissipated: float


class Engine:
    """Moves a model on in time.

    Attributes:
        model: the robot.
        integrator: how it goes on.
        tracks: what moves of it.
        now: where the motion is.
        iterations: spent since the last instant.
        cuts: times of steps that were cut [s].
    """

    def __init__(self, model: Model, integrator: AnyIntegrator) -> None:
        self.model, self.integrator = model, integrator
        self.tracks = tracks_of(model)
        self.now: Now
        self.iterations = 0
        self.cuts: list[float] = []
        self._steps = integrator.steps(self.tracks)

    def __getstate__(self) -> dict[str, Any]:
        """Where it is; work space, whose arrays share memory, is made anew."""
        kept = ("model", "integrator", "now", "iterations", "cuts")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["model"], state["integrator"])  # type: ignore[misc]
        vars(self).update(state)

    def begin(
        self,
        flow: Flow,
        inputs: Inputs,
        t: float,
        dissipated: float = 0.0,
        found: Evaluation | None = None,
    ) -> None:
        """Be somewhere; with what was evaluated there, a first step begins as if it went on."""
        trace = None if found is None else self._steps.trace(found)
        self.now = Now(t, inputs, flow, trace, dissipated)

    @property
    def ready(self) -> bool:
        """Whether the flow has what its integrator goes by."""
        return self._steps.ready(self.now.flow)

    def prepare(self, h: float, inputs_at: InputsAt) -> None:
        """Find what belongs to the beginning, before a first step of length h [s]."""
        with np.errstate(all="ignore"):
            flow = self._steps.begin(self.now.flow, self.now.t, h, inputs_at)
        self.now = replace(self.now, flow=flow)

    def look(self, h: float, inputs_at: InputsAt) -> Now | MotionStatus:
        """Where a step leads, without going there; LOST or COARSE if that is not found.

        Args:
            h: length of the step [s].
            inputs_at: inputs at any time of the step [s].
        """
        now = self.now
        if self._turned_too_far(now.inputs, inputs_at(now.t + h)):
            return MotionStatus.LOST
        with np.errstate(all="ignore"):
            moved = self._steps.take(now.flow, now.trace, now.t, h, inputs_at)
        if moved is None:
            return MotionStatus.LOST
        self.iterations += moved.iterations
        if moved.trace is not None and moved.trace.turn >= 1.0:
            return MotionStatus.COARSE
        t, spent = now.t + h, now.dissipated + self.tracks.dissipated(now.flow, moved.flow, h)
        return Now(t, inputs_at(t), moved.flow, moved.trace, spent)

    def cut(self, t: float) -> None:
        """Take note that the step from a time [s] is cut into shorter ones."""
        if t not in self.cuts[-1:]:
            self.cuts.append(t)

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
        spent, self.iterations = self.iterations, 0
        return Instant.of(self.model, assembly, flow, now.t, now.dissipated, spent)
