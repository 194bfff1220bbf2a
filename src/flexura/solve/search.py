"""The search for one equilibrium: the full load at once, else in steps, else downhill."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from flexura.model.closing import CLOSED
from flexura.model.evaluation import Ahead
from flexura.model.start import nodes_of
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.attempts import AT_ONCE, SIGNS
from flexura.solve.carried import carried
from flexura.solve.drawn import draw_together
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    evaluate_at,
    solve_equilibrium,
)
from flexura.solve.hanging import Hanging
from flexura.solve.leaning import Leaning
from flexura.solve.lent import lent_model
from flexura.solve.load_steps import Raised, raise_load
from flexura.solve.newton import Outcome
from flexura.solve.reason import is_far, too_far_apart
from flexura.solve.relaxation import RELAXING, DampedStep, leave, relax
from flexura.solve.remarks import GAP, joint_gaps
from flexura.solve.sliding import slides_away
from flexura.solve.stability import stability
from flexura.solve.undriven import UndrivenStep
from flexura.solve.workspace import workspace
from flexura.typing import Array

# Iterations of Newton's method before a softer robot leads the way, where turns strain volumes.
UNLED = 8
# Starts from which joints are drawn together, each this far from the first, in rad and lengths.
SHAKEN, SHAKING = 2, 1e-3
# Iterations to bring a robot with loops into equilibrium without load.
SETTLING = 30


class Search(Hanging, Leaning):
    """One search for an equilibrium: the full load at once, else in steps, else downhill."""

    def run(self) -> StaticResult:
        """Search until something is found.

        Where strands lead to nothing from where they were thought to hang, from where they lie.
        """
        found = self._found()
        if found.converged or not self._strung or self._used >= self._left:
            return found
        since, left = self._counts_from, self._left - self._used
        sought = self._assembly, self._end, None, left, self._seek_stable, self._span, since
        other = Search(*sought, string=False).run()
        used = self._used + other.iterations
        return replace(other if other.converged else found, iterations=used)

    def _found(self) -> StaticResult:
        """What is found from the start."""
        if self._assembly.touch is not None:
            return self._press()
        if self._open_by > CLOSED:
            there = evaluate_at(Equilibrium(self._assembly, self._end), self._first)
            return self._result(there, Status.OPEN)
        apart = too_far_apart(self._model, self._end)
        if not apart and self._hangs and (hung := self._hang()) is not None:
            return hung
        if apart or (
            self._cold and slides_away(self._assembly, self._first, self._begin, self._end)
        ):
            none: Raised[Iterate] = Raised(None, 0.0, 0, 0, singular=True)
            return self._failed(none, self._first, np.zeros(self._model.n_dof))
        if self._limp() and (lent := self._lent()) is not None:
            return lent
        gapes = self._gapes()
        if gapes and self._good(drawn := self._draw()):
            return self._result(drawn, Status.RELAXED)
        begun = None if gapes else self._begins_with()
        at_once, point, how = self._at_once()
        if at_once.converged:  # joints can hold
            self._pulled, self._closest = True, None
        if self._good(at_once):
            return self._result(*self._lower(at_once, how, begun))
        if (sound := self._sound(at_once)) is not None:
            return sound
        self._note_buckling()
        if self._closest is not None:
            return self._result(self._closest, Status.OPEN)
        raised, point, relief = self._raise(point if self._model.locked else self._first)
        if self._closest is not None:
            return self._result(self._closest, Status.OPEN)
        if self._signs >= SIGNS:
            return self._failed(raised, point, relief)
        reached = raised.load_factor == 1.0
        if reached and self._good(raised.outcome):
            return self._result(raised.outcome, Status.CONTINUED, raised)
        if self._seek_stable:
            last = raised.outcome
            astray = last is not None and last.report.stable is False
            unstable = [x for x in (last if reached or astray else None, at_once) if _found(x)]
            for found in self._downhill(unstable, None if reached else last):
                if self._good(found):
                    return self._result(found, Status.RELAXED)
        if reached and _found(raised.outcome):
            return self._unstable(raised.outcome, raised)
        if at_once.converged:
            return self._unstable(at_once)
        if not gapes and self._good(drawn := self._draw()):
            return self._result(drawn, Status.RELAXED)
        return self._failed(raised, point, relief)

    def _lent(self) -> StaticResult | None:
        """What is near where elements of forces find that rods hang; None if nothing is."""
        other = self._model.once(lent_model)
        if other is None:
            return None
        if not self._gapes() and (near := self._near()) is not None:
            return near
        with workspace(other) as assembly:
            end, most = other.read_inputs(self._end.by_name()), self._most(RELAXING)
            found = Search(assembly, end, None, most, self._seek_stable, self._span).run()
        self._used += found.iterations
        if not found.converged:
            return None
        state, strains = carried(found, self._model)
        return self._near(Iterate(state, Ahead(self._end, strains)), found.status)

    def _unstable(
        self, found: Outcome[Iterate], raised: Raised[Iterate] | None = None
    ) -> StaticResult:
        """An equilibrium that is unstable after all; perhaps only that of its elements is."""
        if is_far(self._model, self._end):
            return self._result(found, Status.FAR, raised)
        evaluate_at(Equilibrium(self._assembly, self._end), found.point)
        how = Status.CONVERGED if raised is None else Status.CONTINUED
        if (sound := self._sound(found, how, raised)) is not None:
            return sound
        by_elements = self._signs or self._finer is not None
        status = Status.COARSE if by_elements else Status.UNSTABLE
        return self._result(found, status, raised, finer=self._finer)

    def _downhill(
        self, unstable: list[Outcome[Iterate]], limit: Outcome[Iterate] | None
    ) -> Iterator[Outcome[Iterate] | None]:
        """Where it goes from unstable equilibria, and from the limit of the load or the start."""
        for outcome in unstable:
            most = self._most(RELAXING)
            found, used = leave(self._assembly, self._end, outcome.point, most)
            self._used += used
            yield found
        start = self._first if limit is None else limit.point
        yield self._count(relax(self._assembly, self._end, start, self._most(RELAXING)))

    def _gapes(self) -> bool:
        """Whether joints are open where it begins."""
        model = self._model
        if not (self._cold and len(model.joints.nodes)):
            return False
        nodes = nodes_of(model.layout_at(self._begin), self._first.state.poses)
        return bool(joint_gaps(model, nodes).max() > GAP)

    def _draw(self) -> Outcome[Iterate] | None:
        """The robot with its joints drawn together; None where that makes no sense.

        From a start, and to an equilibrium that may be unstable, the path of the load leads.
        """
        if not (self._cold and self._seek_stable and len(self._assembly.layout.brought)):
            return None
        drawn: Outcome[Iterate] | None = None
        for shaken in range(SHAKEN):
            drawn = self._pull(self._first if shaken == 0 else self._shaken(shaken))
            if self._good(drawn) or self._closest is not None or self._used >= self._left:
                break
        return drawn

    def _pull(self, start: Iterate) -> Outcome[Iterate] | None:
        """The robot with its joints drawn together from a point; None if they stay apart."""
        drawn = draw_together(self._assembly, self._end, start, self._most(self._left))
        self._used += drawn.iterations
        self._pulled = True
        if not drawn.apart:
            return drawn.outcome
        problem = Equilibrium(self._assembly, self._end)
        self._closest = evaluate_at(problem, drawn.outcome.point)
        return None

    def _shaken(self, seed: int) -> Iterate:
        """The start, a little beside itself: how loops close may hang by a hair."""
        layout, state = self._model.layout, self._first.state
        size = SHAKING * self._model.length
        dq = np.random.default_rng(seed).normal(size=len(layout.units))
        dq = np.where(layout.multiplier, 0.0, size * dq * layout.units)
        return Iterate(layout.retract(state, dq), self._first.ahead)

    def _give_up(self) -> bool:
        """Note a load step that failed; whether elements buckle or joints stay apart for good."""
        self._note_buckling()
        if not self._pulled and len(self._assembly.layout.brought):
            self._pull(self._first)
        return self._signs >= SIGNS or self._closest is not None

    def _at_once(self) -> tuple[Outcome[Iterate], Iterate, Status]:
        """Newton's method with the full load; else downhill, or from a softer robot.

        Returns where it ended, where it began, and how it came there if that is an equilibrium.
        """
        model, point, cold = self._model, self._first, self._cold
        if cold and model.locked:
            point = self._softly(point)
        strained = any(member.strained_by_turns for member in model.members)
        outcome, how = self._newton(point, UNLED if cold and strained else AT_ONCE), DampedStep()
        soft = any(part.group.free[3:].any() for part in model.parts)
        led = strained or (soft and not (model.layout.open or model.locked))
        if not (outcome.converged or cold):
            outcome = self._undriven(point) or outcome
        if not outcome.converged and cold and led:
            if not strained:
                swayed = self._sway(point, AT_ONCE, how)
                # the way down may wind elements up by more than they can tell
                if self._good(swayed) and swayed.report.evaluation.turn < 1.0:
                    return swayed, point, how.status
            softer = self._softly(point)
            if not strained:
                again = outcome if softer is point else self._newton(softer)
                return again, softer, Status.CONVERGED
            how = DampedStep(near=True)
            outcome = self._sway(softer, AT_ONCE, how)
            point = softer if outcome.converged else point
        return outcome, point, how.status

    def _undriven(self, point: Iterate) -> Outcome[Iterate] | None:
        """Newton's method without what nothing resists where it begins; None if all resists."""
        stepper = UndrivenStep.at(self._assembly, point.state, self._begin, self._end)
        if stepper is None:
            return None
        problem = Equilibrium(self._assembly, self._end, stepper)
        return self._count(solve_equilibrium(problem, point, self._most(AT_ONCE)))

    def _softly(self, point: Iterate) -> Iterate:
        """Where the robot is with stretch and shear softened, if that is found."""
        with workspace(self._model.softened) as assembly:
            problem = Equilibrium(assembly, self._end)
            soft = self._count(solve_equilibrium(problem, point, self._most(AT_ONCE)))
            if not soft.converged:
                return point
            stresses = tuple(part.forces.stress.copy() for part in assembly.parts)
            return Iterate(soft.point.state, Ahead(self._end, stresses=stresses))

    def _raise(self, start: Iterate) -> tuple[Raised[Iterate], Iterate, Array]:
        """Raise the load in steps; joints that do not fit at the start are closed on the way.

        Returns how far that went, where it began, and the gaps of the joints there.
        """
        assembly, begin, end = self._assembly, self._begin, self._end
        if not self._model.largest_stiffness:  # a part of the load does what all of it does
            nothing = Raised[Iterate](None, 0.0, 0, 0, singular=False)
            return nothing, start, np.zeros(self._model.n_dof)
        found = evaluate_at(Equilibrium(assembly, begin), start)
        relief, rows = np.zeros(self._model.n_dof), assembly.layout.brought
        relief[rows] = assembly.residual[rows]
        if not assembly.layout.open:  # the start is no more than a guess
            found = self._settle(start, relief, found)
            Equilibrium(assembly, begin, relief=relief).evaluate(found.point)
        stable = stability(assembly).stable

        def solve(factor: float, point: Iterate, iterations: int) -> Outcome[Iterate]:
            inputs = begin.towards(end, factor)
            open_by = (1.0 - factor) * relief if relief.any() else None
            problem = Equilibrium(assembly, inputs, relief=open_by)
            return solve_equilibrium(problem, point, iterations)

        raised = raise_load(solve, found.point, stable, self._left - self._used, self._give_up)
        self._used += raised.iterations
        return raised, found.point, relief

    def _settle(self, start: Iterate, relief: Array, found: Outcome[Iterate]) -> Outcome[Iterate]:
        """The unloaded robot in equilibrium, its joints as open as they are; else as it was."""
        assembly, begin = self._assembly, self._begin
        problem = Equilibrium(assembly, begin, relief=relief)
        settled = self._count(solve_equilibrium(problem, start, self._most(SETTLING)))
        if not settled.converged or settled.report.stable is False:
            settled = self._count(relax(assembly, begin, start, self._most(RELAXING), relief))
        return settled if settled.converged else found


def _found(outcome: Outcome[Iterate] | None) -> TypeGuard[Outcome[Iterate]]:
    """Whether there is an equilibrium."""
    return outcome is not None and outcome.converged
