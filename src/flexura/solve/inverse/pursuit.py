"""Targets that move, pursued with one linearisation each, as in an inverse simulation.

Each target takes one tangent and one factor. They have a step of inputs and unknowns together
(``arrival``, theory 16.2), and one that corrects it, from the forces where it led: what is left is
of third order in the way between targets, and the next one takes it along. Without the correction
what is left is of second order, which is more than the torsion of thin cables under tension bears.
"""

import math

from flexura.model.step import Linearised
from flexura.result.inverse import InverseResult, InverseStatus
from flexura.result.status import Status
from flexura.solve.derivative.response import holding
from flexura.solve.derivative.tangent import Tangent
from flexura.solve.equilibrium import Iterate, Report
from flexura.solve.finish import static_result
from flexura.solve.inverse.arrival import SHRINKING, Arrival
from flexura.solve.inverse.place import Place, Question
from flexura.solve.inverse.scale import Scale
from flexura.solve.newton import History, Outcome, StepControl
from flexura.typing import Array


class Pursuit(Arrival):
    """Answers for targets one after the other."""

    def __init__(self, question: Question, start: Place) -> None:
        """Begin at an equilibrium.

        Args:
            question: the first one.
            start: the equilibrium, for that question.
        """
        super().__init__(question, start, Scale.at(question.choice, start), None)
        self._point, self._given = Iterate(start.result.state), start.result.given
        self._look()

    def towards(self, question: Question) -> InverseResult:
        """The answer after one linearisation for the next question, nearly in balance."""
        self._question = question = question.begun(self._given)
        self._miss()
        assembly = self._assembly
        tangent = Tangent.of(assembly, holding(assembly, question.grazing))
        if tangent is None:
            return self._answer(InverseStatus.LOST)
        ways = tangent.along(self._ways(), correct=True)
        rows = question.rows(assembly, self._missing)
        found = self._along(ways, rows)
        if found is None:
            return self._answer(InverseStatus.LOST)
        self._advance(*found)
        assembly.evaluate_residual(self._point.state, self._given, self._point.ahead)
        self._miss()
        correction = self._along(tangent.corrected(ways), rows)
        if correction is not None and correction[0].size <= SHRINKING * found[0].size:
            self._advance(*correction)
        self._look()
        self._miss()
        reached = self._missing.left <= question.tolerance and self._balanced
        return self._answer(InverseStatus.REACHED if reached else InverseStatus.EXHAUSTED)

    def _advance(self, step: Linearised, change: Array) -> None:
        """Take a step, with the inputs that belong to it."""
        part = StepControl().fraction(step)
        self._given = self._question.choice.changed(self._given, part * change)
        self._point = Iterate(*step.advance(part, self._given))

    def _miss(self) -> None:
        """Find what is missing to the targets."""
        assembly = self._assembly
        self._missing = self._question.missing(assembly.model, assembly.nodes, assembly.state)

    def _look(self) -> None:
        """Evaluate where the robot is."""
        self._assembly.evaluate(self._point.state, self._given, self._point.ahead)
        force, gap = self._assembly.imbalance()
        self._history = History([force], [gap])  # of this place alone
        finite = math.isfinite(force) and math.isfinite(gap)
        self._balanced = finite and self._stopping.accepts(self._history)

    def _answer(self, status: InverseStatus) -> InverseResult:
        question, assembly = self._question, self._assembly
        report = Report(None, False, assembly.evaluation())
        left = self._stopping.residuals(self._history)
        outcome = Outcome(self._point, self._balanced, False, left, (), report)
        how = Status.CONVERGED if self._balanced else Status.EXHAUSTED
        model, state = assembly.model, self._point.state
        found = static_result(model, state, outcome, self._given, how, iterations=1)
        held = question.tensions.active(found.evaluation.values)
        return InverseResult(
            status=status,
            result=found,
            using=question.choice.names,
            error=self._missing.left,
            errors=question.apart(self._missing),
            active={**question.choice.active(self._given), **held},
            gradient=self._gradient,
            iterations=1,
        )
