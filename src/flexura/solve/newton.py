"""Newton's method: one loop for everything that is solved.

A problem evaluates itself at a point and offers a step from there; a step control says how much of
the step to take; a stopping rule says when it is over, and whether it ended well.

Steps are limited by their rotation, never by the residual, which every useful step raises where
rods are thin and stiff (theory 4).
"""

import math
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

# The largest rotation of a section in one step [rad]. From 0.5 to 2 little changes (theory 4.2).
MAX_ROTATION = 1.0
# A longer first step may be tried whole, and is kept if the next one turns by less than this [rad]:
# a tip moment needs just one step, whatever the angle.
LANDED = 0.5

P = TypeVar("P")


class Step(Protocol):
    """A step that was found.

    Attributes:
        rotation: the largest one that it makes [rad].
        size: relative to 1 rad and to the length.
    """

    @property
    def rotation(self) -> float:
        """The largest rotation that it makes [rad]."""

    @property
    def size(self) -> float:
        """Its size, relative to 1 rad and to the length."""


class Problem(Protocol[P]):
    """What is solved for a point."""

    def evaluate(self, point: P) -> bool:
        """Evaluate at a point; whether that was possible."""

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance, and largest gap of a constraint, of the last evaluation."""

    def step(self) -> Step | None:
        """The step from the last evaluation; None if there is no finite one."""

    def advance(self, fraction: float) -> P:
        """The point after a fraction of the last step."""

    def report(self, converged: bool) -> Any:
        """What is worth knowing of the last evaluation, where an iteration ended."""


@dataclass
class History:
    """What an iteration has seen.

    Attributes:
        forces: largest force out of balance at each evaluation.
        gaps: largest gap of a constraint at each evaluation.
        steps: size of each step.
        fraction: how much of the last step was taken.
    """

    forces: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    fraction: float = 1.0

    @property
    def evaluations(self) -> int:
        """Number of evaluations."""
        return len(self.forces)


class Stopping(Protocol):
    """When an iteration is over."""

    def over(self, history: History) -> bool:
        """Whether the last evaluation is as good as it gets."""

    def settled(self, history: History, step: Step | None) -> bool:
        """Whether to stop after all, with the next step known."""

    def accepts(self, history: History) -> bool:
        """Whether the end of an iteration that is over is a solution."""

    def residuals(self, history: History) -> tuple[float, ...]:
        """Residual of each evaluation, relative to the forces in play."""


@dataclass(frozen=True)
class StepControl:
    """How much of a step to take.

    Attributes:
        most: the largest rotation of a section in one step [rad].
        leap: whether a longer first step is tried whole.
        reach: a step that turns by more than this is none at all [rad].
    """

    most: float = MAX_ROTATION
    leap: bool = False
    reach: float = float("inf")

    def fraction(self, step: Step) -> float:
        """The part of a step to take."""
        return min(1.0, self.most / step.rotation) if step.rotation else 1.0


class Outcome(NamedTuple, Generic[P]):
    """Where an iteration ended.

    Attributes:
        point: the last point.
        converged: whether it is a solution.
        singular: whether there was no step any more.
        residuals: residual at each evaluation, relative to the forces in play at the end.
        steps: size of each step, relative to 1 rad and to the length.
        report: what the problem says of the last point.
    """

    point: P
    converged: bool
    singular: bool
    residuals: tuple[float, ...]
    steps: tuple[float, ...]
    report: Any

    @property
    def iterations(self) -> int:
        """Number of evaluations after the first one, rejected ones included."""
        return max(0, len(self.residuals) - 1)


def newton(
    problem: Problem[P], start: P, stopping: Stopping, control: StepControl, iterations: int
) -> Outcome[P]:
    """Iterate from a point until it is over, or ``iterations`` are used up; none only looks."""
    return _Iteration(problem, stopping, control).run(start, iterations)


class _Iteration(Generic[P]):
    """One run of Newton's method."""

    def __init__(self, problem: Problem[P], stopping: Stopping, control: StepControl) -> None:
        self._problem, self._stopping, self._control = problem, stopping, control
        self._history = History()

    def run(self, point: P, iterations: int) -> Outcome[P]:
        """Iterate."""
        history, stopping, control = self._history, self._stopping, self._control
        if not self._evaluate(point) or not iterations:
            return self._outcome(point, over=False)
        step = self._step()
        if step is not None and control.leap and step.rotation > control.most and iterations > 1:
            point, step = self._leap(step)
        while step is not None and history.evaluations <= iterations:
            history.fraction = control.fraction(step)
            point = self._problem.advance(history.fraction)
            history.steps.append(step.size)
            if not self._evaluate(point):
                return self._outcome(point, over=False)
            if stopping.over(history):
                return self._outcome(point, over=True)
            step = self._step()
            if stopping.settled(history, step):
                return self._outcome(point, over=True)
        return self._outcome(point, over=False, singular=step is None)

    def _leap(self, step: Step) -> tuple[P, Step | None]:
        """Try the whole of a long first step; keep it if the next one is short, else shorten it."""
        near = self._problem.advance(self._control.fraction(step))
        far = self._problem.advance(1.0)
        self._history.steps.append(step.size)
        if self._evaluate(far):
            further = self._step()
            if further is not None and further.rotation <= LANDED:
                return far, further
        if not self._evaluate(near):
            return near, None
        return near, self._step()

    def _evaluate(self, point: P) -> bool:
        """Evaluate at a point; whether that was possible, with forces that floats can hold."""
        if not self._problem.evaluate(point):
            return False
        force, gap = self._problem.imbalance()
        if not (math.isfinite(force) and math.isfinite(gap)):
            return False
        self._history.forces.append(force)
        self._history.gaps.append(gap)
        return True

    def _step(self) -> Step | None:
        """The next step; None if there is none, or none of a size that makes sense."""
        step = self._problem.step()
        if step is None or not math.isfinite(step.size) or step.rotation > self._control.reach:
            return None
        return step

    def _outcome(self, point: P, over: bool, singular: bool = False) -> Outcome[P]:
        history = self._history
        converged = over and self._stopping.accepts(history)
        residuals = self._stopping.residuals(history)
        report = self._problem.report(converged)
        return Outcome(point, converged, singular, residuals, tuple(history.steps), report)
