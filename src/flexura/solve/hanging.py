"""The search for how cords hang, which begin nearly in balance.

Newton's method stays near. What it finds may be unstable where elements are longer than rods bend
within, and bend to and fro by themselves (theory 6.3): continuous rods judge it then. Where it
finds nothing, cords go downhill.
"""

from dataclasses import replace

from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.attempts import Attempts
from flexura.solve.equilibrium import Equilibrium, Iterate, evaluate_at
from flexura.solve.limp import too_limp
from flexura.solve.newton import Outcome
from flexura.solve.relaxation import DampedStep

# Iterations of Newton's method, and downhill: where elements are far too long for that, and else.
NEAR, LIMP, SWAYING = 8, 12, 40


class Hanging(Attempts):
    """Attempts that may begin as cords."""

    def _hang(self) -> StaticResult | None:
        """Rods that begin as cords; None if that leads nowhere.

        Those too limp for their elements are shown as they began, unless they were found.
        """
        if (near := self._near()) is not None:
            return near
        assembly, stepper = self._assembly, DampedStep(near=True)
        finer = too_limp(assembly, 0.5 * assembly.load_size)
        found = self._sway(self._first, SWAYING if finer is None else LIMP, stepper)
        if self._fits(found):
            return self._result(found, Status.RELAXED if stepper.damped else Status.CONVERGED)
        reached = found.report.evaluation.finite()
        if finer is None and reached.turn < 1.0:
            return None
        if not found.converged:
            begun = evaluate_at(Equilibrium(assembly, self._end), self._first)
            if not begun.residuals:  # forces beyond floats
                return None
            turns = reached.turns if finer is None else tuple(0.0 for _ in finer)
            shown = replace(begun.report.evaluation, turns=turns)
            found = begun._replace(report=begun.report._replace(evaluation=shown))
        return self._result(found, Status.COARSE, finer=finer)

    def _near(self) -> StaticResult | None:
        """What Newton's method finds near the start, if that is stable and its elements fit."""
        found = self._newton(self._first, NEAR)
        return self._result(found, Status.CONVERGED) if self._fits(found) else self._sound(found)

    def _fits(self, outcome: Outcome[Iterate]) -> bool:
        """Whether to look no further, and elements turn by no more than they can tell."""
        return self._good(outcome) and outcome.report.evaluation.turn < 1.0
