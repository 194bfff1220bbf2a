"""Inputs and equilibrium at once, for targets that are near and can be reached.

    K dq + S du = -r,      minimise ½ |e + E dq|²  within the limits                (theory 16.2)

Each iteration evaluates and factorises once. The same factor has Newton's step to balance and where
inputs lead; a programme takes the inputs so that targets are met after both. Near the end it serves
a second step, from the forces where the first one led. What it ends with is an equilibrium like any
other, judged as such. Where steps do not shrink it gives up, and the search goes on with an
equilibrium for every step of the inputs.
"""

import math

import numpy as np

from flexura.model.covector import Covectors
from flexura.model.step import Linearised, linearise
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.derivative.response import Response, holding
from flexura.solve.derivative.tangent import Directions, Tangent
from flexura.solve.equilibrium import LAST_STEP, VANISHING, ForceBalance, Iterate, Report
from flexura.solve.finish import static_result, turns_too_far
from flexura.solve.inverse.nearby import FAR, predict
from flexura.solve.inverse.place import Place, Question
from flexura.solve.inverse.programme import Rows, keeping, solve
from flexura.solve.inverse.scale import Scale
from flexura.solve.newton import History, Outcome, StepControl
from flexura.solve.stability import stability
from flexura.solve.verdict import concluded, with_verdict
from flexura.solve.workspace import lasting_workspace
from flexura.typing import Array, Matrix

# Iterations at most; each step is no more than this part of the one before.
MOST, SHRINKING = 12, 0.5
# A quadratic end has steps of the sizes a, s = c a². It leaves c s² then, and another step by the
# same factor about c² s³: where only the second is next to nothing, that step is the last.
LEFT = 1e-12
# Gaps of constraints that are closed, as ``ForceBalance`` has them.
CLOSED = 1e-10


class Owner:
    """Of an assembly: whoever holds it keeps that from others."""


class Arrival:
    """An iteration for inputs and equilibrium."""

    def __init__(self, question: Question, start: Place, scale: Scale, price: float | None) -> None:
        """Prepare it.

        Args:
            question: what is asked for.
            start: an equilibrium within the limits.
            scale: of inputs and tensions.
            price: of a broken limit of a tension; None for one that keeps them where that can be.
        """
        self._question, self._scale, self._price = question, scale, price
        self._start, model = start, start.result.model
        self._owner = Owner()
        self._assembly = lasting_workspace(model, self._owner)
        self._assembly.count_from(start.result.given, start.result.evaluation)
        self._none = np.zeros((model.inputs.n_values, 1))
        count, none = len(question.choice.places), np.zeros(0)
        self._unlimited = Rows(np.zeros((0, count)), none, none)
        self._history, self._stopping = History(), ForceBalance(self._assembly)
        self._point, self._given = Iterate(start.result.state), start.result.given
        self._gradient = np.zeros(count)  # of the objective at the last step

    def run(self, change: Array) -> Place | None:
        """Iterate, with a first change of the inputs, (n,); None if that leads nowhere."""
        step = predict(self._start.response, self._start.directions, change)
        if step.rotation > FAR:
            return None
        self._advance(step, change)
        active = self._start.response.tangent.active
        while self._history.evaluations < MOST and self._look():
            if self._over():
                return self._arrived()
            tangent = Tangent.of(self._assembly, active)
            if tangent is None:
                return None
            ways, rows = tangent.along(self._ways(), correct=True), self._rows()
            found = self._along(ways, rows)
            if found is None or found[0].size > SHRINKING * step.size or found[0].rotation > FAR:
                return None
            before, step = step.size, self._advance(*found)
            ends = step.size**3 <= VANISHING * before**2
            if not ends and step.size**5 <= LEFT * before**4:
                step = self._corrected(tangent, ways, rows, step)
        return None

    def _advance(self, step: Linearised, change: Array) -> Linearised:
        """Take a step, or as much of it as turns little, with the inputs that belong to it."""
        part = StepControl().fraction(step)
        self._given = self._question.choice.changed(self._given, part * change)
        self._point = Iterate(*step.advance(part, self._given))
        self._history.steps.append(step.size)
        return step

    def _corrected(
        self, tangent: Tangent, ways: Directions, rows: list[Covectors], step: Linearised
    ) -> Linearised:
        """Take another step by the same factor, from the forces where the last one led.

        It leaves as much of the error as the last one was long, for a part of the work. One that
        is no shorter is not taken. Returns the last that was.
        """
        self._assembly.evaluate_residual(self._point.state, self._given, self._point.ahead)
        self._miss()
        found = self._along(tangent.corrected(ways), rows)
        if found is None or found[0].size > SHRINKING * step.size:
            return step
        return self._advance(*found)

    def _look(self) -> bool:
        """Evaluate where the robot is; whether all forces there are finite."""
        self._assembly.evaluate(self._point.state, self._given, self._point.ahead)
        force, gap = self._assembly.imbalance(self._assembly.model.balance)
        self._history.forces.append(force)
        self._history.gaps.append(gap)
        return math.isfinite(force) and math.isfinite(gap)

    def _miss(self) -> None:
        """Find what is missing to the targets."""
        assembly, question = self._assembly, self._question
        self._poses = question.poses(assembly.model, assembly.nodes, assembly.state)
        self._missing = question.missing_from(self._poses)

    def _over(self) -> bool:
        """Whether this is as good as it gets."""
        history = self._history
        self._miss()
        reached = self._missing.left <= self._question.tolerance
        if history.gaps[-1] > CLOSED:  # tensions may be off where nothing moves
            return False
        return history.steps[-1] <= LAST_STEP or (reached and self._stopping.over(history))

    def _ways(self) -> Matrix:
        """Changes of all inputs by one of each number that is chosen, and by none."""
        units = self._question.choice.ways(self._assembly.inputs)
        return np.concatenate([units, self._none], axis=1)

    def _rows(self) -> list[Covectors]:
        """How what is missing changes with small motions, target by target."""
        return self._question.rows(self._assembly, self._missing)

    def _along(self, ways: Directions, rows: list[Covectors]) -> tuple[Linearised, Array] | None:
        """The step along directions of inputs and of Newton, the last of them, for the targets.

        Args:
            ways: where they lead.
            rows: what motions do to what is missing, target by target.
        """
        assembly, question, missing = self._assembly, self._question, self._missing
        each = [ways.moved(own) for own in rows]
        slope = each[0] if len(each) == 1 else np.concatenate(each)
        self._gradient = slope[:, :-1].T @ missing.error
        tensions = self._tensions(ways)
        low, high = question.choice.room(assembly.inputs)
        size = self._scale.change
        A, b = slope[:, :-1] * size, missing.error + slope[:, -1]
        price = keeping(A, b, tensions) if self._price is None else self._price
        part = solve(A, b, low / size, high / size, tensions, price)
        if part is None:
            return None
        along = np.ones(len(part) + 1)
        change = along[:-1] = size * part
        step = linearise(assembly, ways.motion @ along, ways.multipliers @ along, ways.drift(along))
        return (step, change) if math.isfinite(step.size) else None

    def _tensions(self, ways: Directions) -> Rows:
        """Limits of tensions for changes of inputs, relative to the scale, after Newton's step."""
        limits = self._question.tensions
        if not len(limits.places):
            return self._unlimited
        room = limits.room(self._assembly.given.values, ways.multipliers)
        balanced = room.matrix[:, -1]  # what Newton's step does to tensions
        return self._scale.relative(
            Rows(room.matrix[:, :-1], room.low - balanced, room.high - balanced)
        )

    def _arrived(self) -> Place | None:
        """The place of the last evaluation, if it is an equilibrium where all targets are met."""
        question, assembly = self._question, self._assembly
        if self._missing.left > question.tolerance or not self._stopping.accepts(self._history):
            return None
        result = self._result()
        tangent = Tangent.of(assembly, holding(assembly, question.grazing))
        if result is None or tangent is None:
            return None
        return Place.of(question, Response.of(result, tangent, self._owner), missing=self._missing)

    def _result(self) -> StaticResult | None:
        """The equilibrium; None if it is not stable, or not as good as any other."""
        assembly, history = self._assembly, self._history
        point, given = self._point, self._given
        if (point.state.multipliers[~assembly.equal] < 0.0).any():
            return None
        told = stability(assembly)
        if told.stable is False or told.free:
            return None
        report = Report(told.stable, told.free, assembly.evaluation(), told.grows)
        residuals = self._stopping.residuals(history)
        outcome = Outcome(point, True, False, residuals, tuple(history.steps), report)
        found = static_result(
            assembly.model, point.state, outcome, given, Status.CONVERGED, history.evaluations
        )
        if turns_too_far(found):
            return None
        return concluded(with_verdict(found, report, assembly))
