"""Targets that move, pursued with one linearisation each, as in an inverse simulation.

Each target takes one evaluation, one factor, one programme and one step of inputs and unknowns
together (``arrival``, theory 16.2). What it leaves open is of second order in the way between
targets, and the next one takes it along.
"""

import math

from flexura.result.inverse import InverseResult, InverseStatus
from flexura.result.status import Status
from flexura.solve.derivative.response import holding
from flexura.solve.equilibrium import Iterate, Report
from flexura.solve.finish import static_result
from flexura.solve.inverse.arrival import Arrival
from flexura.solve.inverse.place import Place, Question
from flexura.solve.inverse.scale import Scale
from flexura.solve.newton import Outcome, StepControl


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
        """The answer after one step for the next question, nearly in balance."""
        self._question = question = question.begun(self._given)
        assembly, history = self._assembly, self._history
        self._missing = question.missing(assembly.model, assembly.nodes, assembly.state)
        found = self._onwards(holding(assembly, question.grazing))
        if found is None:
            return self._answer(InverseStatus.LOST)
        step, change = found
        part = StepControl().fraction(step)
        self._given = question.choice.changed(self._given, part * change)
        self._point = Iterate(*step.advance(part, self._given))
        history.steps.append(step.size)
        self._look()
        self._missing = question.missing(assembly.model, assembly.nodes, assembly.state)
        reached = self._missing.left <= question.tolerance and self._balanced
        return self._answer(InverseStatus.REACHED if reached else InverseStatus.EXHAUSTED)

    def _look(self) -> None:
        """Evaluate where the robot is."""
        self._assembly.evaluate(self._point.state, self._given, self._point.ahead)
        force, gap = self._assembly.imbalance()
        self._history.forces.append(force)
        self._history.gaps.append(gap)

    @property
    def _balanced(self) -> bool:
        history = self._history
        finite = math.isfinite(history.forces[-1]) and math.isfinite(history.gaps[-1])
        return finite and self._stopping.accepts(history)

    def _answer(self, status: InverseStatus) -> InverseResult:
        question, assembly = self._question, self._assembly
        report = Report(None, False, assembly.evaluation())
        left = self._stopping.residuals(self._history)[-1:]
        outcome = Outcome(self._point, self._balanced, False, left, (), report)
        how = Status.CONVERGED if self._balanced else Status.EXHAUSTED
        model, state = assembly.model, self._point.state
        found = static_result(model, state, outcome, self._given, how, iterations=1)
        poses = {x.name: x.frame.pose(model, assembly.nodes, state) for x in question.targets}
        held = question.tensions.active(found.evaluation.values)
        return InverseResult(
            status=status,
            result=found,
            using=question.choice.names,
            error=self._missing.left,
            errors={x.name: x.apart(poses[x.name]) for x in question.targets},
            active={**question.choice.active(self._given), **held},
            gradient=self._gradient,
            iterations=1,
        )
