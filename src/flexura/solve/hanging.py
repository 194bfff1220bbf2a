"""The search for how rods hang between their ends: nearly as they begin, or further down.

Newton's method stays near. What it finds may be unstable where elements are longer than rods bend
within, and bend to and fro by themselves (theory 6.3): continuous rods judge it then. Where it
finds nothing, cords go downhill. So does any rod that it leads to more energy than it begins with.
"""

from dataclasses import replace
from typing import NamedTuple

from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.attempts import Attempts
from flexura.solve.equilibrium import Equilibrium, Iterate, evaluate_at
from flexura.solve.limp import half_loads, may_bend_by_themselves, too_limp
from flexura.solve.newton import Outcome
from flexura.solve.relaxation import RELAXING, DampedStep, relax

# Iterations of Newton's method, and downhill.
NEAR, SWAYING = 8, 40
# Iterations that end with a residual this small go on: elements close to where they bend by
# themselves were astray at first.
ALMOST = 1e-6
# Iterations downhill by which elements that turn by more than they can tell shall turn less, by
# which part, and how often that is asked: later they may turn more for a while.
SOON, LESS, ASKED = 6, 0.95, 2
# What took longer than that, and ends with more energy than it began with, by this part of what
# rods stored before and after, and of what loads did, went uphill; less may be what elements make
# of a shape.
UPHILL = 0.02


class _Energies(NamedTuple):
    """What rods store, and the potential of everything, whose zero is anywhere [J]."""

    stored: float
    potential: float

    def above(self, begun: "_Energies") -> bool:
        """Whether these are more than at the start, by more than elements make of a shape."""
        rise = self.potential - begun.potential
        by_loads = rise - (self.stored - begun.stored)
        return rise > UPHILL * (abs(self.stored) + abs(begun.stored) + abs(by_loads))


class Hanging(Attempts):
    """Attempts that may begin as rods will hang."""

    def _begins_with(self) -> _Energies | None:
        """Energies at the start, where rods begin between their ends with all loads on."""
        model = self._model
        laid = self._cold and (len(model.joints.nodes) or len(model.layout.closing))
        if not (laid and self._seek_stable) or model.volumes or model.tubes:
            return None
        self._assembly.evaluate_residual(self._first.state, self._end)
        return self._energies() if self._assembly.conservative else None

    def _lower(
        self, found: Outcome[Iterate], how: Status, begun: _Energies | None
    ) -> tuple[Outcome[Iterate], Status]:
        """An equilibrium, and how it was found; another one, if that one is above the start.

        Args:
            found: the equilibrium, evaluated last.
            how: it was found.
            begun: energies at the start, None if they do not matter.
        """
        if begun is None or self._used <= NEAR:
            return found, how
        reached = self._energies()
        if not reached.above(begun):
            return found, how
        lower = self._count(relax(self._assembly, self._end, self._first, self._most(RELAXING)))
        if self._good(lower) and self._assembly.potential() < reached.potential:
            return lower, Status.RELAXED
        evaluate_at(Equilibrium(self._assembly, self._end), found.point)
        return found, how

    def _energies(self) -> _Energies:
        """Those of what was evaluated last."""
        return _Energies(self._assembly.stored_energy(), self._assembly.potential())

    def _hang(self) -> StaticResult | None:
        """Rods that begin as cords; None if that leads nowhere.

        Those too limp for their elements are shown as they began, unless they were found.
        """
        if (near := self._near()) is not None:
            return near
        assembly, stepper = self._assembly, DampedStep(near=True)
        begun = evaluate_at(Equilibrium(assembly, self._end), self._first)
        finer = too_limp(assembly, half_loads(assembly))
        found = begun if finer is not None else self._downwards(begun, stepper)
        if self._fits(found):
            return self._result(found, stepper.status)
        if not found.converged and self._used >= self._left:  # nothing tells yet
            return None
        reached = found.report.evaluation.finite()
        if finer is None and reached.turn < 1.0:
            return None
        if not found.converged:
            if not begun.residuals:  # forces beyond floats
                return None
            turns = tuple(x if finer is None else 0.0 for x in reached.turns)
            shown = replace(begun.report.evaluation, turns=turns)
            found = begun._replace(report=begun.report._replace(evaluation=shown))
        return self._result(found, Status.COARSE, finer=self._finer or finer)

    def _limp(self) -> bool:
        """Whether rods that joints or loops hold, and that are no cords, may bend by themselves.

        Each is pulled by all loads at most.
        """
        model, assembly = self._model, self._assembly
        laid = self._cold and (len(model.joints.nodes) or len(model.layout.closing))
        if self._hangs or not (laid and self._seek_stable) or self._counts_from is not None:
            return False
        assembly.evaluate_residual(self._first.state, self._end)
        return may_bend_by_themselves(assembly, half_loads(assembly) + assembly.load_size)

    def _downwards(self, begun: Outcome[Iterate], stepper: DampedStep) -> Outcome[Iterate]:
        """Downhill from a point, as long as elements lose no more of their shape."""
        found, least = begun, begun.report.evaluation.finite().turn
        for _ in range(ASKED):
            found = self._sway(found.point, SOON, stepper)
            turn = found.report.evaluation.finite().turn
            if found.iterations < SOON or turn >= max(1.0, LESS * least):
                return found
            least = turn
        return self._sway(found.point, SWAYING - ASKED * SOON, stepper)

    def _near(
        self, start: Iterate | None = None, how: Status = Status.CONVERGED
    ) -> StaticResult | None:
        """What Newton's method finds near the start, if that is stable and its elements fit.

        Args:
            start: another one.
            how: what it finds was found.
        """
        found = self._newton(start or self._first, NEAR)
        if not found.converged and min(found.residuals[-1:], default=1.0) <= ALMOST:
            found = self._newton(found.point, NEAR)
        return self._result(found, how) if self._fits(found) else self._sound(found, how)

    def _fits(self, outcome: Outcome[Iterate]) -> bool:
        """Whether to look no further, and elements turn by no more than they can tell."""
        return self._good(outcome) and outcome.report.evaluation.turn < 1.0
