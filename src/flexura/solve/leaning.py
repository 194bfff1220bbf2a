"""The search for an equilibrium with contacts: the full load at once, else in steps."""

from dataclasses import replace

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.attempts import AT_ONCE, Attempts
from flexura.solve.contact.apart import leads_there
from flexura.solve.contact.pressing import PressedStep
from flexura.solve.contact.propping import PressedEquilibrium, propped
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    evaluate_at,
    solve_equilibrium,
)
from flexura.solve.free_motion import motion_names
from flexura.solve.load_steps import Raised, raise_load
from flexura.solve.newton import Outcome
from flexura.solve.relaxation import RELAXING, leave
from flexura.solve.workspace import workspace
from flexura.typing import Array


class Leaning(Attempts):
    """Attempts at what leans on something."""

    def _press(self) -> StaticResult:
        """The equilibrium with contacts: the full load at once, else in steps."""
        assembly, begin, end = self._assembly, self._begin, self._end
        assert assembly.touch is not None
        if self._cold:
            self._begin_apart()
        self._set_out()
        with workspace(self._model) as scout:
            loose = self._loose(scout)
            if loose:
                assembly.touch.set_apart()
            stepper = PressedStep(scout, loose)
            problem = PressedEquilibrium(assembly, end, stepper)
            found = self._count(solve_equilibrium(problem, self._first, self._most(RELAXING)))
            if found.converged:
                return self._pressed(found, stepper.damped, scout, loose)
            if stepper.unheld is not None:
                return self._unheld(found.point, stepper.unheld)

            last, damped = [stepper], [False]

            def solve(factor: float, point: Iterate, iterations: int) -> Outcome[Iterate]:
                last[0] = PressedStep(scout, loose)
                problem = PressedEquilibrium(assembly, begin.towards(end, factor), last[0])
                found = solve_equilibrium(problem, point, 4 * iterations)
                damped[0] |= found.converged and last[0].damped
                return found

            start = self._first
            self._set_out()
            left = self._left - self._used
            raised = raise_load(solve, start, None, left, lambda: False)
            self._used += raised.iterations
            if (full := raised.at_full_load) is not None:
                return self._pressed(full, damped[0], scout, loose, raised)
        nothing = np.zeros(self._model.n_dof)
        return self._failed(raised, start, nothing, Status.UNSOLVED if last[0].unsolved else None)

    def _set_out(self) -> None:
        """Let sliding count from where it begins."""
        assert self._assembly.touch is not None
        self._assembly.place(*self._since)
        self._assembly.touch.set_out()

    def _loose(self, scout: Assembly) -> bool:
        """Whether there are motions that nothing but contacts resists where it begins."""
        state = self._first.state
        none = replace(state, multipliers=np.zeros_like(state.multipliers))
        scout.evaluate(none, self._end, self._first.ahead)
        return propped(scout) is not None

    def _pressed(
        self,
        found: Outcome[Iterate],
        damped: bool,
        scout: Assembly,
        loose: bool,
        raised: Raised[Iterate] | None = None,
    ) -> StaticResult:
        """An equilibrium with contacts, with the full load; a stable one if one is sought."""
        if self._good(found):
            touch = self._assembly.touch
            status = Status.CONVERGED if raised is None else Status.CONTINUED
            if damped and raised is None and touch is not None and not touch.presses:
                way, most = (self._first, found.point), self._most(AT_ONCE)
                there, used = leads_there(scout, self._end, *way, most)
                damped, self._used = not there, self._used + used
            return self._result(found, Status.RELAXED if damped else status, raised)

        def downhill(
            assembly: Assembly, inputs: Inputs, start: Iterate, iterations: int
        ) -> Outcome[Iterate]:
            stepper = PressedStep(scout, loose, pushed=True)
            problem = PressedEquilibrium(assembly, inputs, stepper)
            return solve_equilibrium(problem, start, iterations)

        most = self._most(RELAXING)
        left, used = leave(self._assembly, self._end, found.point, most, downhill)
        self._used += used
        if self._good(left):
            return self._result(left, Status.RELAXED, raised)
        return self._result(found, Status.UNSTABLE, raised)

    def _unheld(self, at: Iterate, motion: Array) -> StaticResult:
        """The robot before a load moves it away, with that motion, at a point of it, by name."""
        assembly, begin = self._assembly, self._begin
        names = motion_names(assembly, at.state, self._end, motion)
        start = evaluate_at(Equilibrium(assembly, begin), self._first)
        none: Raised[Iterate] = Raised(None, 0.0, 0, 0, singular=True)
        found = self._result(start, Status.UNHELD, none, begin)
        return replace(found, remarks=(*found.remarks, *names))
