"""What goes on in time: steps of an integrator, cut where they do not converge."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexura.model.evaluation import Evaluation
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.motion.flow import Flow, tracks_of
from flexura.result.instant import Instant
from flexura.robot import Weld
from flexura.solve.motion.integrators import AnyIntegrator
from flexura.solve.motion.steps import InputsAt, Trace

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
        coarse: whether the last step, or one shorter, leads where an element turns by more than
            its description can tell.
    """

    def __init__(self, model: Model, integrator: AnyIntegrator) -> None:
        self.model, self.integrator = model, integrator
        self.tracks = tracks_of(model)
        self.now: Now
        self.iterations = 0
        self.cuts: list[float] = []
        self.coarse = False
        self._steps = integrator.steps(self.tracks)

    def __getstate__(self) -> dict[str, Any]:
        """Where it is; work space, whose arrays share memory, is made anew."""
        kept = ("model", "integrator", "now", "iterations", "cuts", "coarse")
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
        with np.errstate(all="ignore"):
            moved = self._steps.take(now.flow, now.trace, now.t, h, inputs_at)
        if moved is None:
            return None
        self.iterations += moved.iterations
        if moved.trace is not None and moved.trace.turn >= 1.0:
            self.coarse = True
            return None
        t, spent = now.t + h, now.dissipated + self.tracks.dissipated(now.flow, moved.flow, h)
        return Now(t, inputs_at(t), moved.flow, moved.trace, spent)

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
