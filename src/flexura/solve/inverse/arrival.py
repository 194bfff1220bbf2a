"""Inputs and equilibrium at once, for targets that are near and can be reached.

    K dq + S du = -r,      minimise ½ |e + E dq|²  within the limits                (theory 16.2)

Each iteration evaluates and factorises once. The same factor has Newton's step to balance and where
inputs lead; a programme takes the inputs so that targets are met after both. What it ends with is
an equilibrium like any other, judged as such. Where steps do not shrink it gives up, and the search
goes on with an equilibrium for every step of the inputs.
"""

import math

import numpy as np
from numpy.typing import NDArray

from flexura.model.covector import Covectors
from flexura.model.inputs import Inputs
from flexura.model.step import Linearised, linearise
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.derivative.response import Response, holding
from flexura.solve.derivative.tangent import Directions, Tangent
from flexura.solve.equilibrium import LAST_STEP, ForceBalance, Iterate, Report
from flexura.solve.finish import static_result
from flexura.solve.inverse.nearby import FAR, predict
from flexura.solve.inverse.place import Place, Question
from flexura.solve.inverse.programme import Rows, keeping, solve
from flexura.solve.inverse.scale import Scale
from flexura.solve.margin import stability
from flexura.solve.newton import History, Outcome
from flexura.solve.workspace import lasting_workspace
from flexura.typing import Array, Matrix

# Iterations at most; each step is no more than this part of the one before.
MOST, SHRINKING = 12, 0.5
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
        self._none = np.zeros((model.inputs.n_values, 1))
        self._history, self._stopping = History(), ForceBalance(self._assembly)
        self._gradient = np.zeros(len(question.choice.places))  # of the objective at the last step

    def run(self, change: Array) -> Place | None:
        """Iterate, with a first change of the inputs, (n,); None if that leads nowhere."""
        start, choice, history = self._start, self._question.choice, self._history
        step, given = predict(start.response, start.directions, change), start.result.given
        while step.rotation <= FAR and history.evaluations < MOST:
            given = choice.changed(given, change)
            point = Iterate(*step.advance(1.0, given))
            history.steps.append(step.size)
            self._assembly.evaluate(point.state, given, point.ahead)
            force, gap = self._assembly.imbalance()
            if not (math.isfinite(force) and math.isfinite(gap)):
                return None
            history.forces.append(force)
            history.gaps.append(gap)
            if self._over():
                return self._arrived(point, given)
            found = self._onwards(self._start.response.tangent.active)
            if found is None or found[0].size > SHRINKING * step.size:
                return None
            step, change = found
        return None

    def _over(self) -> bool:
        """Whether this is as good as it gets."""
        assembly, history = self._assembly, self._history
        self._missing = self._question.missing(assembly.model, assembly.nodes, assembly.state)
        reached = self._missing.left <= self._question.tolerance
        if history.gaps[-1] > CLOSED:  # tensions may be off where nothing moves
            return False
        return history.steps[-1] <= LAST_STEP or (reached and self._stopping.over(history))

    def _onwards(self, active: NDArray[np.bool_]) -> tuple[Linearised, Array] | None:
        """The next step, and the change of the inputs with it; None if there is none.

        Args:
            active: constraints that hold.
        """
        assembly = self._assembly
        tangent = Tangent.of(assembly, active)
        if tangent is None:
            return None
        ways = tangent.along(self._ways(), correct=True)
        return self._along(ways, self._question.rows(assembly, self._missing))

    def _ways(self) -> Matrix:
        """Changes of all inputs by one of each number that is chosen, and by none."""
        units = self._question.choice.ways(self._assembly.inputs)
        return np.concatenate([units, self._none], axis=1)

    def _along(self, ways: Directions, rows: list[Covectors]) -> tuple[Linearised, Array] | None:
        """The step along directions of inputs and of Newton, the last of them, for the targets.

        Args:
            ways: where they lead.
            rows: what motions do to what is missing, target by target.
        """
        assembly, question, missing = self._assembly, self._question, self._missing
        slope = np.concatenate([ways.moved(own) for own in rows])
        self._gradient = slope[:, :-1].T @ missing.error
        room = question.tensions.room(assembly.given.values, ways.multipliers)
        balanced = room.matrix[:, -1]  # what Newton's step does to tensions
        tensions = self._scale.relative(
            Rows(room.matrix[:, :-1], room.low - balanced, room.high - balanced)
        )
        low, high = question.choice.room(assembly.inputs)
        size = self._scale.change
        A, b = slope[:, :-1] * size, missing.error + slope[:, -1]
        price = keeping(A, b, tensions) if self._price is None else self._price
        part = solve(A, b, low / size, high / size, tensions, price)
        if part is None:
            return None
        change = self._scale.change * part
        along = np.append(change, 1.0)
        step = linearise(assembly, ways.motion @ along, ways.multipliers @ along, ways.drift(along))
        return (step, change) if math.isfinite(step.size) else None

    def _arrived(self, point: Iterate, given: Inputs) -> Place | None:
        """The place of the last evaluation, if it is an equilibrium where all targets are met."""
        question, assembly = self._question, self._assembly
        if self._missing.left > question.tolerance or not self._stopping.accepts(self._history):
            return None
        result = self._result(point, given)
        tangent = Tangent.of(assembly, holding(assembly, question.grazing))
        if result is None or tangent is None:
            return None
        return Place.of(question, Response.of(result, tangent, self._owner), missing=self._missing)

    def _result(self, point: Iterate, given: Inputs) -> StaticResult | None:
        """The equilibrium; None if it is not stable, or not as good as any other."""
        assembly, history = self._assembly, self._history
        multipliers = point.state.multipliers
        if (multipliers[~assembly.equal] < 0.0).any():
            return None
        stable, free = stability(assembly)
        if stable is False or free:
            return None
        report = Report(stable, free, assembly.evaluation())
        residuals = self._stopping.residuals(history)
        outcome = Outcome(point, True, False, residuals, tuple(history.steps), report)
        found = static_result(
            assembly.model, point.state, outcome, given, Status.CONVERGED, history.evaluations
        )
        return found if found.converged else None
