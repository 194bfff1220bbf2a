"""The search for one equilibrium of a chain: the full load at once, in steps, or by a model."""

from typing import TypeGuard

from flexura.model.build import DEFAULT, build
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.integrated import IntegratedResult
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.load_steps import PATIENCE, Raised
from flexura.solve.newton import Outcome
from flexura.solve.shooting.approach import Approach, cold, raise_along, warm
from flexura.solve.shooting.boundary_problem import Seams, solve_chain
from flexura.solve.shooting.outline import integrated_result
from flexura.solve.shooting.serial import Chain
from flexura.solve.statics import solve_inputs

# Newton with the full load, from the unloaded chain, has this many iterations.
AT_ONCE = 30
# How fine a discretized model is that seeks, one after the other, and its iterations.
FINER, SEEKING = (1.0, 4.0), 500


class ChainSearch:
    """One search for an equilibrium of the continuous equations."""

    def __init__(
        self,
        model: Model,
        end: Inputs,
        start: StaticResult | None,
        tolerance: float,
        seek_stable: bool,
    ) -> None:
        self._chain, self._end = Chain.cut_for(model, end), end
        self._tolerance, self._seek_stable = tolerance, seek_stable
        known = [] if start is None else warm(self._chain, end, start)
        self._cold = not known
        self._approaches = known or cold(self._chain, end)
        self._raised: tuple[Approach, Raised[Seams]] | None = None
        self._used = 0

    def run(self) -> IntegratedResult:
        """Search until something is found.

        Where Newton's method ended in an unstable equilibrium, or began without one because both
        ends are held, a model knows a better start than raising the load does.
        """
        first = self._at_once()
        if self._good(first):
            return self._result(first, Status.CONVERGED)
        ways = [self._raise, self._seek]
        if self._cold and (self._chain.held or first.converged):
            ways.reverse()
        for way in ways:
            found = way()
            if found is not None:
                return found
        return self._failed(first)

    def _at_once(self) -> Outcome[Seams]:
        """Newton's method with the full load."""
        approach, free = self._approaches[0], self._cold and not self._chain.held
        patience = AT_ONCE if free else PATIENCE
        return self._count(
            solve_chain(
                approach.loaded(1.0), approach.guess, self._tolerance, patience, composed=free
            )
        )

    def _raise(self) -> IntegratedResult | None:
        """The load in steps."""
        self._raised = _, raised = raise_along(self._approaches, self._tolerance)
        self._used += raised.iterations
        last = raised.at_full_load
        return self._result(last, Status.CONTINUED, raised) if self._good(last) else None

    def _seek(self) -> IntegratedResult | None:
        """The equilibrium beside the stable one that a discretized model finds."""
        for factor in FINER if self._seek_stable else ():
            model = build(self._chain.model.robot, rods=DEFAULT.finer(factor))
            guess = solve_inputs(model, model.read_inputs(self._end.by_name()), None, SEEKING)
            self._used += guess.iterations
            for approach in warm(self._chain, self._end, guess) if guess.converged else []:
                found = self._count(
                    solve_chain(approach.loaded(1.0), approach.guess, self._tolerance, PATIENCE)
                )
                if self._good(found):
                    steps = Raised(found, 1.0, guess.load_steps, self._used, singular=False)
                    return self._result(found, guess.status, steps)
        return None

    def _failed(self, first: Outcome[Seams]) -> IntegratedResult:
        """The best that was found, and why it is not good."""
        assert self._raised is not None
        approach, raised = self._raised
        if raised.at_full_load is not None:
            return self._result(raised.at_full_load, Status.UNSTABLE, raised)
        if first.converged:
            return self._result(first, Status.UNSTABLE)
        reached = approach.reached(raised, self._tolerance)
        status = Status.SINGULAR if raised.singular else Status.LIMIT
        return self._result(reached, status, raised, approach.inputs(raised.load_factor))

    def _good(self, outcome: Outcome[Seams] | None) -> TypeGuard[Outcome[Seams]]:
        """Whether to look no further."""
        if outcome is None or not outcome.converged:
            return False
        return outcome.report.stable is not False or not self._seek_stable

    def _count(self, outcome: Outcome[Seams]) -> Outcome[Seams]:
        self._used += outcome.iterations
        return outcome

    def _result(
        self,
        outcome: Outcome[Seams],
        status: Status,
        raised: Raised[Seams] | None = None,
        inputs: Inputs | None = None,
    ) -> IntegratedResult:
        given = self._end if inputs is None else inputs
        return integrated_result(self._chain, given, outcome, status, self._used, raised)
