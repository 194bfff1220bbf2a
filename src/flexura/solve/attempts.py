"""Attempts at one equilibrium: what all of them need, and how many iterations they have used."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexura.lie import so3
from flexura.model.assemble import Assembly
from flexura.model.balance import balance
from flexura.model.closing import closed
from flexura.model.evaluation import Ahead
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.start import start_state
from flexura.model.tube_start import grown
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.accuracy.accuracy import errors, judged
from flexura.solve.contact.overlap import are_apart, check_apart
from flexura.solve.delicate import elements_buckle
from flexura.solve.equilibrium import (
    Equilibrium,
    Iterate,
    evaluate_at,
    solve_equilibrium,
)
from flexura.solve.finish import coarse, static_result, turns_too_far
from flexura.solve.free_motion import free_motions, neutral_motions
from flexura.solve.limp import carried_forces, shared_loads, too_limp
from flexura.solve.load_steps import Raised
from flexura.solve.newton import Outcome
from flexura.solve.reason import reason, stretching_forces
from flexura.solve.refined import refined
from flexura.solve.relaxation import DampedStep, relax
from flexura.solve.remarks import BY_RODS
from flexura.solve.rough import FINER, rough_rods
from flexura.solve.verdict import with_verdict
from flexura.solve.workspace import workspace
from flexura.typing import Array, Matrix

# Newton with the full load has this many iterations before the load is raised in steps.
AT_ONCE = 30
# Cords that begin inside something begin to another side instead: as if loads had turned by a right
# angle, or two, and as they are, or so many times as large, so that rods bend to that side.
ASIDE = 0.5 * np.pi * np.concatenate([np.eye(3), -np.eye(3), 2.0 * np.eye(3)])
DRAWN = (1.0, 30.0)
# Attempts that end where elements buckle by themselves before it is said that they are too coarse.
SIGNS = 3


class Attempts:
    """Attempts at an equilibrium from one start, within a number of iterations."""

    # So many times as fine rods should be where an equilibrium is one of their elements, by name.
    _finer: Mapping[str, float] | None = None
    # Attempts that ended where elements buckle by themselves.
    _signs = 0
    # Whether it is known if joints can be drawn together; where they are closest, if they cannot.
    _pulled = False
    _closest: Outcome[Iterate] | None = None

    def __init__(
        self,
        assembly: Assembly,
        end: Inputs,
        start: StaticResult | None,
        iterations: int,
        seek_stable: bool,
        span: tuple[float, float] = (0.0, 1.0),
        since: StaticResult | None = None,
        string: bool = True,
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
            since: where sliding counts from; None for the start.
            string: whether strands of several rods, and what hangs on one joint, shall begin so;
                not where an unstable equilibrium will do.
        """
        self._assembly, self._model = assembly, assembly.model
        self._span, self._counts_from = span, since
        self._end, self._cold = end, start is None
        begun = _start(self._model, start, end, string=string and seek_stable)
        self._first, self._begin, self._hangs, self._strung = begun
        state, self._open_by = closed(self._model, end, self._first.state)
        self._first = Iterate(state, self._first.ahead)
        self._since = state, self._begin  # where sliding counts from
        joints = self._model.joints
        home = np.zeros((len(joints.nodes), 6))
        assembly.home = home if start is None else joints.motion(start.evaluation.nodes)
        if start is None:
            assembly.count_anew()
        else:
            assembly.count_from(start.given, start.evaluation)
        if since is not None:
            there, given, *_ = _start(self._model, since, end)
            self._since = closed(self._model, end, there.state)[0], given
        self._left = iterations
        self._used = 0
        self._seek_stable = seek_stable

    def _begin_apart(self) -> None:
        """Begin where nothing is inside anything: cords to another side of what they lie on."""
        assembly, begin, end = self._assembly, self._begin, self._end
        if are_apart(assembly, self._first.state, begin):
            return
        for aside in (x * turn for x in DRAWN for turn in so3.exp(ASIDE)):
            first, _, hangs, _ = _start(self._model, None, end, aside)
            state, open_by = closed(self._model, end, first.state)
            if hangs and are_apart(assembly, state, begin):
                self._first, self._open_by = Iterate(state, first.ahead), open_by
                self._since = state, begin
                return
        check_apart(assembly, self._first.state, begin)

    def _newton(self, point: Iterate, iterations: int = AT_ONCE) -> Outcome[Iterate]:
        """Newton's method with the full load from a point."""
        problem = Equilibrium(self._assembly, self._end)
        return self._count(solve_equilibrium(problem, point, self._most(iterations)))

    def _sway(self, point: Iterate, iterations: int, stepper: DampedStep) -> Outcome[Iterate]:
        """Downhill with the full load from a point."""
        most = self._most(iterations)
        return self._count(relax(self._assembly, self._end, point, most, stepper=stepper))

    def _most(self, wanted: int) -> int:
        """Iterations to spend on the next attempt."""
        return max(0, min(wanted, self._left - self._used))

    def _count(self, outcome: Outcome[Iterate]) -> Outcome[Iterate]:
        self._used += outcome.iterations
        return outcome

    def _good(self, outcome: Outcome[Iterate] | None) -> bool:
        """Whether to look no further."""
        if outcome is None or not outcome.converged:
            return False
        return outcome.report.stable is not False or not self._seek_stable

    def _sound(
        self,
        outcome: Outcome[Iterate],
        status: Status = Status.CONVERGED,
        raised: Raised[Iterate] | None = None,
    ) -> StaticResult | None:
        """An equilibrium of rods that bend within less than their elements; None if it is none.

        It is close to one of continuous rods, and these are stable there, whatever elements do.
        How fine those should be that are not is kept.
        """
        self._finer = None
        assembly, report = self._assembly, outcome.report
        if not (self._seek_stable and outcome.converged and report.stable is False):
            return None
        if self._model.tubes:  # what elements leave of them is told by finer ones alone
            return None
        carried = balance(assembly)
        long = self._long(report.evaluation.turns, carried_forces(carried))
        if report.evaluation.lost or not long:
            return None
        found = self._result(outcome, status, raised, limp=True)
        free = neutral_motions(assembly)
        wrong, stable = judged(found, assembly, carried, free)
        rough = rough_rods(self._model, wrong)
        if stable and not rough:
            told = replace(found, stable=True, remarks=(*found.remarks, BY_RODS))
            report = report._replace(stable=True, free=free.size > 0)
            return with_verdict(told, report, assembly)
        self._finer = rough or dict.fromkeys(long, FINER)
        return None

    def _long(self, turns: tuple[float, ...], tension: Array) -> list[str]:
        """Rods whose elements are so long that they may bend by themselves.

        Args:
            turns: of the elements of each part.
            tension: of each rod [N].
        """
        model, limp = self._model, too_limp(self._assembly, tension) or {}
        turned = [
            turn >= 1.0 and not part.group.delicate
            for turn, part in zip(turns, model.parts, strict=True)
        ]
        return [name for name, x in model.places.items() if name in limp or turned[x.part]]

    def _rough(self, found: StaticResult) -> dict[str, float]:
        """How many times as fine rods should be whose instability may be one of their elements.

        Not for want of strains that are switched off, which finer rods have not, either.
        """
        model = self._model
        if model.volumes:
            return {}
        if model.tubes:
            return rough_rods(model, refined(found))
        with workspace(model) as assembly:
            assembly.evaluate(found.state, found.given)
            wrong = errors(found, assembly, balance(assembly), among_like=True)
        return rough_rods(model, wrong)

    def _result(
        self,
        outcome: Outcome[Iterate] | None,
        status: Status,
        raised: Raised[Iterate] | None = None,
        inputs: Inputs | None = None,
        finer: Mapping[str, float] | None = None,
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
        )  # fmt: skip
        astray = turns_too_far(found) and not limp
        if status is Status.UNSTABLE and not astray:
            finer = self._rough(found)
        if status is Status.COARSE or astray or finer:
            return coarse(found, 1.0 / end if end else 1.0, finer)
        return with_verdict(found, outcome.report, self._assembly)

    def _note_buckling(self) -> None:
        """Count attempts that failed where elements buckle by themselves, after each."""
        if elements_buckle(self._assembly):
            self._signs += 1

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
            closes = self._pulled and self._closest is None
            status = reason(self._assembly, self._end, raised.singular, exhausted, closes)
        if status in (Status.LIMIT, Status.SINGULAR):
            self._assembly.evaluate_residual(point.state, self._end)
            taut = stretching_forces(self._model, self._end)
            finer = too_limp(self._assembly, np.maximum(taut, shared_loads(self._assembly)))
            status = status if finer is None else Status.COARSE
        found = self._result(best, status, raised, reached, finer)
        if status is not Status.UNHELD:
            return found
        free = free_motions(self._assembly, point.state, reached)
        return replace(found, remarks=(*found.remarks, *free.remarks))


def _start(
    model: Model,
    start: StaticResult | None,
    end: Inputs,
    aside: Matrix | None = None,
    string: bool = True,
) -> tuple[Iterate, Inputs, bool, bool]:
    """Where to begin, the inputs that belong there, and whether rods begin as cords, or strands."""
    if start is None:
        begin = end.unloaded
        state, strains, hangs, strung = start_state(model, begin, end, aside, string)
        return Iterate(state, Ahead(begin, strains)), begin, hangs, strung
    known = start.evaluation
    there, ahead = grown(model, start.state, known.strains, start.given, end)
    return Iterate(there, Ahead(start.given, ahead, lost=known.lost)), start.given, False, False
