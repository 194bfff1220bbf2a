"""Targets that move, pursued with one linearisation each, as in an inverse simulation.

Each target takes one tangent and one factor. They have a step of inputs and unknowns together
(``arrival``, theory 16.2), and one that corrects it, from the forces where it led: what is left is
of third order in the way between targets, and the next one takes it along. Without the correction
what is left is of second order, which is more than the torsion of thin cables under tension bears.
"""

from flexura.result.inverse import InverseResult, InverseStatus
from flexura.result.status import Status
from flexura.solve.derivative.response import holding
from flexura.solve.derivative.tangent import Tangent
from flexura.solve.equilibrium import Report
from flexura.solve.finish import fitting, static_result
from flexura.solve.inverse.arrival import Arrival
from flexura.solve.inverse.place import Place, Question
from flexura.solve.inverse.scale import Scale
from flexura.solve.newton import History, Outcome


class Pursuit(Arrival):
    """Answers for targets one after the other."""

    def __init__(self, question: Question, start: Place) -> None:
        """Begin at an equilibrium.

        Args:
            question: the first one.
            start: the equilibrium, for that question.
        """
        super().__init__(question, start, Scale.at(question.choice, start), None)
        self._balance()
        self._miss()

    def towards(self, question: Question) -> InverseResult:
        """The answer after one linearisation for the next question, nearly in balance."""
        same = list(map(id, question.frames)) == list(map(id, self._question.frames))
        self._question = question = question.begun(self._given)
        if same:  # they are where the last step led
            self._missing = question.missing_from(self._poses)
        else:
            self._miss()
        assembly = self._assembly
        tangent = Tangent.of(assembly, holding(assembly, question.grazing))
        if tangent is None:
            return self._answer(InverseStatus.LOST)
        ways = tangent.along(self._ways(), correct=True)
        rows = self._rows()
        found = self._along(ways, rows)
        if found is None:
            return self._answer(InverseStatus.LOST)
        self._corrected(tangent, ways, rows, self._advance(*found))
        self._balance()
        self._miss()
        reached = self._missing.left <= question.tolerance and self._balanced
        return self._answer(InverseStatus.REACHED if reached else InverseStatus.EXHAUSTED)

    def _balance(self) -> None:
        """Evaluate where the robot is, and judge its forces."""
        self._history = History()  # of this place alone
        self._balanced = self._look() and self._stopping.accepts(self._history)

    def _answer(self, status: InverseStatus) -> InverseResult:
        question, assembly = self._question, self._assembly
        report = Report(None, False, assembly.evaluation())
        left = self._stopping.residuals(self._history)
        outcome = Outcome(self._point, self._balanced, False, left, (), report)
        how = Status.CONVERGED if self._balanced else Status.EXHAUSTED
        model, state = assembly.model, self._point.state
        found = fitting(static_result(model, state, outcome, self._given, how, iterations=1))
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
