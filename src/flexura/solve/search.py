"""The search for one equilibrium: the full load at once, else in steps, else downhill."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.balance import balance
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.start import start_state
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.accuracy.accuracy import judged
from flexura.solve.delicate import elements_buckle
from flexura.solve.drawn import draw_together
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    evaluate_at,
    solve_equilibrium,
)
from flexura.solve.finish import ROUGH, static_result
from flexura.solve.free_motion import free_motions
from flexura.solve.limp import too_limp
from flexura.solve.load_steps import Raised, raise_load
from flexura.solve.margin import stability
from flexura.solve.newton import Outcome
from flexura.solve.overlap import check_apart
from flexura.solve.pressing import PressedStep
from flexura.solve.reason import reason, stretching_force
from flexura.solve.relaxation import RELAXING, DampedStep, leave, relax
from flexura.solve.remarks import BY_RODS, GAP
from flexura.solve.sliding import slides_away
from flexura.solve.workspace import workspace
from flexura.typing import Array

# Newton with the full load has this many iterations before the load is raised in steps, and so many
# before a softer robot leads the way where turns strain volumes.
AT_ONCE, UNLED = 30, 8
# Attempts that end where elements buckle by themselves before it is said that they are too coarse.
SIGNS = 3
# Cords begin nearly in balance: iterations that most need, that Newton's method has for those too
# limp for their elements, and that all others have.
HANGING, LIMP, SWAYING = 12, 12, 28
# Starts from which joints are drawn together, each this far from the first, in rad and lengths.
SHAKEN, SHAKING = 2, 1e-3
# Iterations to bring a robot with loops into equilibrium without load.
SETTLING = 30


class Search:
    """One search for an equilibrium: the full load at once, else in steps, else downhill."""

    def __init__(
        self,
        assembly: Assembly,
        end: Inputs,
        start: StaticResult | None,
        iterations: int,
        seek_stable: bool,
        span: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """Prepare a search.

        Args:
            assembly: work space.
            end: the inputs.
            start: where to begin; None for the unloaded robot.
            iterations: to spend at most.
            seek_stable: whether to look further than for an unstable equilibrium.
            span: the parts of what was asked for that the start and the inputs are, where this is a
                step towards it.
        """
        self._assembly, self._model = assembly, assembly.model
        self._span = span
        self._end, self._cold = end, start is None
        self._first, self._begin, self._hangs = _start(self._model, start, end)
        self._left = iterations
        self._used = 0
        self._seek_stable = seek_stable
        self._signs = 0

    def run(self) -> StaticResult:
        """Search until something is found."""
        if self._assembly.touch is not None:
            return self._press()
        if self._hangs and (hung := self._hang()) is not None:
            return hung
        if self._cold and slides_away(self._assembly, self._first, self._begin, self._end):
            none: Raised[Iterate] = Raised(None, 0.0, 0, 0, singular=True)
            return self._failed(none, self._first, np.zeros(self._model.n_dof))
        at_once, point = self._at_once()
        if self._good(at_once):
            return self._result(at_once, Status.CONVERGED)
        if (sound := self._sound(at_once)) is not None:
            return sound
        self._note_buckling()
        last_resort = Status.COARSE if self._signs else Status.UNSTABLE
        gapes = not at_once.converged and self._gapes()
        if gapes and self._good(drawn := self._draw()):
            return self._result(drawn, Status.RELAXED)
        raised, point, relief = self._raise(point)
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
        if reached:
            return self._result(raised.outcome, last_resort, raised)
        if at_once.converged:
            return self._result(at_once, last_resort)
        if not gapes and self._good(drawn := self._draw()):
            return self._result(drawn, Status.RELAXED)
        return self._failed(raised, point, relief)

    def _press(self) -> StaticResult:
        """The equilibrium with contacts: the full load at once, else in steps."""
        assembly, begin, end = self._assembly, self._begin, self._end
        assert assembly.touch is not None
        if self._cold:
            check_apart(assembly, self._first.state, begin)
        assembly.place(self._first.state, begin)
        assembly.touch.set_out()
        with workspace(self._model) as scout:
            stepper = PressedStep(scout)
            problem = Equilibrium(assembly, end, stepper)
            found = self._count(solve_equilibrium(problem, self._first, self._most(RELAXING)))
            if found.converged:
                status = Status.RELAXED if stepper.damped else Status.CONVERGED
                if found.report.stable is False:
                    status = Status.UNSTABLE
                return self._result(found, status)

            last = [stepper]

            def solve(factor: float, point: Iterate, iterations: int) -> Outcome[Iterate]:
                last[0] = PressedStep(scout)
                problem = Equilibrium(assembly, begin.towards(end, factor), last[0])
                return solve_equilibrium(problem, point, 4 * iterations)

            start = self._first
            left = self._left - self._used
            raised = raise_load(solve, start, None, left, lambda: False)
            self._used += raised.iterations
        if raised.load_factor == 1.0:
            return self._result(raised.outcome, Status.CONTINUED, raised)
        nothing = np.zeros(self._model.n_dof)
        return self._failed(raised, start, nothing, Status.UNSOLVED if last[0].unsolved else None)

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

    def _hang(self) -> StaticResult | None:
        """Rods that begin as cords, nearly in balance; None if that leads nowhere.

        Those too limp for their elements are where Newton's method finds them, if that is sound;
        else as they began.
        """
        assembly, stepper = self._assembly, DampedStep(near=True)
        found = self._sway(self._first, HANGING, stepper)
        finer = too_limp(assembly, 0.5 * assembly.load_size)
        if not self._good(found):
            if finer is not None and (sound := self._sound(self._newton(self._first, LIMP))):
                return sound
            found = self._sway(found.point, SWAYING, stepper)
        if self._good(found):
            return self._result(found, Status.RELAXED if stepper.damped else Status.CONVERGED)
        reached = found.report.evaluation.finite()
        if finer is None and reached.turn < 1.0:
            return None
        if not found.converged:
            begun = evaluate_at(Equilibrium(assembly, self._end), self._first)
            shown = replace(begun.report.evaluation, turns=reached.turns)
            found = begun._replace(report=begun.report._replace(evaluation=shown))
        return self._result(found, Status.COARSE, finer=finer)

    def _sway(self, start: Iterate, iterations: int, stepper: DampedStep) -> Outcome[Iterate]:
        """Go downhill from a point."""
        most = self._most(iterations)
        return self._count(relax(self._assembly, self._end, start, most, stepper=stepper))

    def _sound(self, outcome: Outcome[Iterate]) -> StaticResult | None:
        """An equilibrium of limp rods that only their elements leave; None if it is none.

        It is close to one of continuous rods, and these are stable there.
        """
        assembly = self._assembly
        if not (self._seek_stable and outcome.converged and outcome.report.stable is False):
            return None
        if too_limp(assembly, 0.5 * assembly.load_size) is None or outcome.report.evaluation.lost:
            return None
        found = self._result(outcome, Status.CONVERGED, limp=True)
        error, stable = judged(found, assembly, balance(assembly))
        if not (stable and error <= ROUGH * self._model.length):
            return None
        return replace(found, stable=True, remarks=(*found.remarks, BY_RODS))

    def _gapes(self) -> bool:
        """Whether joints are open where it begins."""
        assembly, rows = self._assembly, self._assembly.layout.brought
        if not len(rows):
            return False
        Equilibrium(assembly, self._begin).evaluate(self._first)
        gaps = assembly.residual[rows] * assembly.layout.units[rows]
        return bool(np.abs(gaps).max() > GAP)

    def _draw(self) -> Outcome[Iterate] | None:
        """The robot with its joints drawn together; None where that makes no sense.

        From a start, and to an equilibrium that may be unstable, the path of the load leads.
        """
        assembly = self._assembly
        if not (self._cold and self._seek_stable and len(assembly.layout.brought)):
            return None
        drawn: Outcome[Iterate] | None = None
        for shaken in range(SHAKEN):
            start = self._first if shaken == 0 else self._shaken(shaken)
            drawn, used = draw_together(assembly, self._end, start, self._most(self._left))
            self._used += used
            if self._good(drawn) or self._used >= self._left:
                break
        return drawn

    def _shaken(self, seed: int) -> Iterate:
        """The start, a little beside itself: how loops close may hang by a hair."""
        layout, state = self._model.layout, self._first.state
        size = SHAKING * self._model.length
        dq = np.random.default_rng(seed).normal(size=len(layout.units))
        dq = np.where(layout.multiplier, 0.0, size * dq * layout.units)
        return Iterate(layout.retract(state, dq), self._first.ahead)

    def _good(self, outcome: Outcome[Iterate] | None) -> bool:
        """Whether to look no further."""
        if outcome is None or not outcome.converged:
            return False
        return outcome.report.stable is not False or not self._seek_stable

    def _note_buckling(self) -> None:
        """Count attempts that failed where elements buckle by themselves, after each."""
        if elements_buckle(self._assembly):
            self._signs += 1

    def _give_up(self) -> bool:
        """Note a load step that failed; whether there have been enough where elements buckle."""
        self._note_buckling()
        return self._signs >= SIGNS

    def _most(self, wanted: int) -> int:
        """Iterations to spend on the next attempt."""
        return max(1, min(wanted, self._left - self._used))

    def _count(self, outcome: Outcome[Iterate]) -> Outcome[Iterate]:
        self._used += outcome.iterations
        return outcome

    def _at_once(self) -> tuple[Outcome[Iterate], Iterate]:
        """Newton's method with the full load; some robots may need a softer one before.

        Returns where it ended and where it began.
        """
        model, point, cold = self._model, self._first, self._cold
        if cold and model.locked:
            point = self._softly(point)
        strained = any(member.strained_by_turns for member in model.members)
        outcome = self._newton(point, UNLED if cold and strained else AT_ONCE)
        led = strained or not (model.layout.open or model.locked)
        if not outcome.converged and cold and led:
            softer = self._softly(point)
            if not strained:
                return self._newton(softer), softer
            outcome = self._sway(softer, AT_ONCE, DampedStep(near=True))
            point = softer if outcome.converged else point
        return outcome, point

    def _newton(self, point: Iterate, iterations: int = AT_ONCE) -> Outcome[Iterate]:
        """Newton's method with the full load from a point."""
        problem = Equilibrium(self._assembly, self._end)
        return self._count(solve_equilibrium(problem, point, self._most(iterations)))

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
        settled = self._count(solve_equilibrium(problem, start, SETTLING))
        if not settled.converged or settled.report.stable is False:
            settled = self._count(relax(assembly, begin, start, RELAXING, relief))
        return settled if settled.converged else found

    def _failed(
        self,
        raised: Raised[Iterate],
        start: Iterate,
        relief: Array,
        why: Status | None = None,
    ) -> StaticResult:
        """The best that was found, and why it is no equilibrium, if that is not known."""
        reached = self._begin.towards(self._end, raised.load_factor)
        point = start if raised.outcome is None else raised.outcome.point
        open_by = (1.0 - raised.load_factor) * relief
        best = evaluate_at(Equilibrium(self._assembly, reached, relief=open_by), point)
        status, finer = why or Status.COARSE, None
        if why is None and self._signs < SIGNS:
            exhausted = self._used >= self._left
            status = reason(self._assembly, self._end, raised.singular, exhausted)
        if status in (Status.LIMIT, Status.SINGULAR):
            taut = max(0.0, stretching_force(self._model, self._end))
            finer = too_limp(self._assembly, taut)
            status = status if finer is None else Status.COARSE
        found = self._result(best, status, raised, reached, finer)
        if status is not Status.UNHELD:
            return found
        free = free_motions(self._assembly, point.state, reached)
        return replace(found, remarks=(*found.remarks, *free.remarks))

    def _result(
        self,
        outcome: Outcome[Iterate] | None,
        status: Status,
        raised: Raised[Iterate] | None = None,
        inputs: Inputs | None = None,
        finer: tuple[float, ...] | None = None,
        limp: bool = False,
    ) -> StaticResult:
        assert outcome is not None
        given = self._end if inputs is None else inputs
        state = outcome.point.state
        steps, part = (1, 1.0) if raised is None else (raised.steps, raised.load_factor)
        begin, end = self._span
        found = static_result(
            self._model, state, outcome, given, status,
            iterations=self._used, load_steps=steps, load_factor=begin + part * (end - begin),
            more=1.0 / end if end else 1.0, finer=finer, limp=limp,
        )  # fmt: skip
        if not (outcome.report.free and found.converged):
            return found
        free = free_motions(self._assembly, state, given)
        return replace(found, stable=free.stable, remarks=(*found.remarks, *free.remarks))


def _found(outcome: Outcome[Iterate] | None) -> TypeGuard[Outcome[Iterate]]:
    """Whether there is an equilibrium."""
    return outcome is not None and outcome.converged


def _start(model: Model, start: StaticResult | None, end: Inputs) -> tuple[Iterate, Inputs, bool]:
    """Where to begin, the inputs that belong there, and whether rods begin as cords."""
    if start is None:
        begin = end.unloaded
        state, strains, hangs = start_state(model, begin, end)
        return Iterate(state, Ahead(begin, strains)), begin, hangs
    known = start.evaluation
    ahead = Ahead(start.given, known.strains, lost=known.lost)
    return Iterate(start.state, ahead), start.given, False
