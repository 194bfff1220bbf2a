"""The search for inputs that bring frames to their targets: quadratic programmes in a trust region.

    minimise  ½ |e(u)|²   within the limits,    e(u + du) ≈ e + J du

Each programme takes JᵀJ, and what was learnt of the curvature that this leaves out (a secant update
of its difference to the true one), so that targets out of reach are approached fast, too.
"""

from copy import copy

import numpy as np

from flexura.result.inverse import InverseStatus
from flexura.result.static import StaticResult
from flexura.solve.inverse.arrival import Arrival
from flexura.solve.inverse.idle import Idle, let_out, taken_up
from flexura.solve.inverse.nearby import solve_nearby
from flexura.solve.inverse.place import Budget, Place, Question, place_of
from flexura.solve.inverse.programme import Rows, broken, broken_after, least_squares, solve
from flexura.solve.inverse.scale import Scale
from flexura.typing import Array, Matrix

# A programme that promises less than this part of the objective ends the search: the projected
# gradient is about the root of it, relative to its parts. So does one that moves nothing.
FLAT, STILL = 1e-15, 1e-11
# Where the objective falls by less than POOR of what was promised steps become shorter, above GOOD
# longer; down to SHORTEST, relative to the scale of the inputs.
POOR, GOOD = 0.1, 0.7
FIRST, SHORT = 0.3, 1e-3  # of the steps; of those of a look around
SHORTER, LONGER, SHORTEST = 0.25, 3.0, 1e-9
# Where the objective bends the other way, it is taken to bend by this part of JᵀJ.
LEAST_BENT = 1e-3
# Where things touch slopes are those of one side: steps that lower nothing are made shorter so
# often in a row at most, and a promise of this part of objective and broken limits is none.
TURNS, FAINT = 6, 1e-5
# A projected gradient of this size, relative to its parts, is none, where steps lead nowhere.
LEVEL = 1e-5
# What equilibria leave uncertain of positions, relative to the length.
ROUNDED = 1e-12
# A secant whose angle to what is known is this small teaches nothing.
USELESS = 1e-8
# Where a programme promises to meet all targets but for this part of the objective, inputs and
# equilibrium are sought at once, so often in vain at most.
NEARLY, TRIES = 1e-2, 2
# Then directions that do less than this part of what the strongest does may come later.
STRONG = 1e-3
# Price of a broken limit of a tension, beside the slope of the objective; it rises by as much, so
# often at most, where a programme leaves limits broken by more than this part of what it could.
PRICE, RISES, MENDED = 10.0, 8, 0.1
# What counts as broken, relative to the scale of tensions, and what programmes break by rounding.
BROKEN, ROUGH = 1e-9, 1e-7


class Search:
    """A search from one equilibrium.

    Steps are relative to the scale of the inputs: their range, or what moves the frames as far as
    the robot is long.

    Attributes:
        question: what is asked for.
        place: where the search is.
        scale: of inputs and tensions.
        budget: equilibria that it may find.
        status: how it ended last.
    """

    def __init__(self, question: Question, start: Place, budget: Budget) -> None:
        """Prepare a search.

        Args:
            question: what is asked for.
            start: an equilibrium within the limits.
            budget: equilibria that it may find.
        """
        self.question, self.place = question, start
        self.scale = Scale.at(question.choice, start)
        self._curvature = np.zeros((len(self.scale.change),) * 2)
        self._reach, self._price = FIRST, 0.0
        self.budget = budget
        self.status = InverseStatus.EXHAUSTED

    def approach(self) -> InverseStatus:
        """Bring the frames to their targets, or as close as nothing brings them closer."""
        self.status = self._approach()
        return self.status

    def after(self, step: Array) -> "Search | None":
        """The search after a step away, its frames brought back; None if that fails."""
        moved = self._solve(step)
        there = None if moved is None else place_of(self.question, moved)
        if there is None:
            return None
        other = copy(self)
        other.place, other._curvature = there, self._curvature.copy()
        return other if other.approach() is InverseStatus.REACHED else None

    def _approach(self) -> InverseStatus:
        """The same; how it ended."""
        self._reach, tries, failed = FIRST, TRIES, 0
        while True:
            place = self.place
            touched = place.result.model.contacts is not None
            tries = 0 if place.idle is not None or touched else tries
            if not place.broken and place.left <= self.question.tolerance:
                return InverseStatus.REACHED
            left = not self.budget.over
            if tries and left and (step := self._shortest()) is not None:
                if self._arrive(step):
                    continue
                tries -= 1
            found = self._step()
            if found is None:
                return InverseStatus.LOST
            step, promise = found
            size = float(np.abs(step).max())
            flat = promise <= FLAT * place.objective and size < self._reach
            if flat or size <= STILL or (touched and promise <= self.part(FAINT)):
                return self._end()
            if not left:
                return InverseStatus.EXHAUSTED
            if tries and promise >= (1.0 - NEARLY) * place.objective:
                if self._arrive(step):
                    continue
                tries -= 1
            moved = self._solve(step)
            if moved is not None and self._take(moved, step, promise):
                failed = 0
                continue
            self._reach, failed = SHORTER * size, failed + 1
            if self._reach < SHORTEST or (touched and failed > TURNS):
                level = moved is not None and self._level()
                return self._end() if level else InverseStatus.LOST

    def _end(self) -> InverseStatus:
        """How a search ends that nothing leads on."""
        return InverseStatus.INFEASIBLE if self.place.broken else InverseStatus.CLOSEST

    def go_on(self, there: Place) -> InverseStatus:
        """Search on from another place."""
        self.place = there
        self._curvature[:] = 0.0
        return self.approach()

    def no_worse_than(self, start: Place) -> None:
        """Go back to where the search began if nothing is better where it ended.

        Prices of limits rise on the way, so that what each step bought may be given away in all.
        Nothing says then that the start is as close as can be.
        """
        reached = self.status is InverseStatus.REACHED  # by errors without their weights
        worse = start.broken <= self.place.broken and start.objective < self.place.objective
        if reached or not worse:
            return
        self.place = start
        if self.status is not InverseStatus.EXHAUSTED and not start.broken:
            self.status = InverseStatus.LOST

    def probe(self, step: Array) -> Place | None:
        """The place after a step; None if there is none nearby, or no equilibria are left."""
        moved = None if self.budget.over else self._solve(step)
        return None if moved is None else place_of(self.question, moved)

    def onwards(self, place: Place) -> Place | None:
        """Where the next step would lead if the search were at a place like this."""
        other = copy(self)
        other.place, other._curvature, other._reach = place, np.zeros_like(self._curvature), FIRST
        while other._reach > SHORT and (found := other._step()) is not None:
            there = other.probe(found[0])
            if there is not None and self.merit(there) < self.merit(place) - POOR * found[1]:
                return there
            other._reach *= SHORTER
        return None

    def to(self, place: Place) -> Array:
        """The step from here to another place."""
        here, there = self.place.result.given, place.result.given
        return np.asarray(self.question.choice.between(here, there) / self.scale.change)

    def merit(self, place: Place) -> float:
        """The objective, and the price of broken limits."""
        over = broken(self.scale.relative(place.tensions))
        return place.objective + self._price * (over if over > BROKEN else 0.0)

    def part(self, part: float) -> float:
        """A part of the objective and of the price of broken limits, however far off they are."""
        over = min(broken(self.scale.relative(self.place.tensions)), 1.0)
        return part * (self.place.objective + self._price * over)

    def limits(self) -> tuple[Array, Array]:
        """How far each number may fall and rise in all."""
        self._reach = np.inf
        return self.room()

    def _level(self) -> bool:
        """Whether no slope leads on within the limits."""
        low, high = self.limits()
        slope = self.place.slope * self.scale.change
        gradient = slope.T @ self.place.error
        leads = np.where(gradient > 0.0, low < 0.0, high > 0.0)
        steep = _norm(self.place.error) * np.linalg.norm(slope, axis=0)
        return not bool((leads & (np.abs(gradient) > LEVEL * steep)).any())

    def _shortest(self) -> Array | None:
        """The shortest step that leaves little of the error; None if limits are in its way.

        What it leaves takes inputs that hardly do anything: they need not go to and fro.
        """
        A, error = self.place.slope * self.scale.change, self.place.error
        step = -least_squares(A, error, STRONG)
        low, high = self.room()
        rows = self.scale.relative(self.place.tensions)
        change, left = rows.matrix @ step, error + A @ step
        short = (step >= low).all() and (step <= high).all()
        within = (change >= rows.low).all() and (change <= rows.high).all()
        near = left @ left <= NEARLY * (error @ error)
        return step if short and within and near else None

    def _step(self) -> tuple[Array, float] | None:
        """The next step, and by how much it promises to lower objective and broken limits.

        None if it was not found.
        """
        place = self.place
        slope, gradient = place.slope * self.scale.change, place.gradient * self.scale.change
        A, b = self._squares(slope, place.error)
        low, high = self.room()
        rows = self.scale.rows(place)
        if place.idle is not None:
            A, gradient, low, high = widened(place.idle, A, gradient, low, high)
        if len(rows.low):
            # where nothing else is asked for, any price will do
            self._price = max(self._price, PRICE * float(np.abs(gradient).max())) or 1.0
        step = solve(A, b, low, high, rows, self._price)
        if step is not None and not _keeps(rows, step):
            step = self._dearer(A, b, low, high, rows, step)
        if step is None:
            return None
        mended = 0.0 if _keeps(rows, step) else broken(rows) - broken_after(rows, step)
        promise = self._price * mended - gradient @ step - 0.5 * np.sum((A @ step) ** 2)
        return step[: len(slope.T)], float(promise)

    def _dearer(
        self, A: Matrix, b: Array, low: Array, high: Array, rows: Rows, step: Array
    ) -> Array | None:
        """A step that mends most of the broken limits that can be, by a price that is high enough.

        What can be is known from a programme that minds nothing else.
        """
        alone = solve(np.zeros_like(A), np.zeros_like(b), low, high, rows, 1.0)
        before = broken(rows)
        least = before if alone is None else min(before, broken_after(rows, alone))
        enough = max(BROKEN, least + MENDED * (before - least))
        found: Array | None = step
        for _ in range(RISES):
            if found is None or broken_after(rows, found) <= enough:
                break
            self._price *= PRICE
            found = solve(A, b, low, high, rows, self._price)
        return found

    def _squares(self, slope: Matrix, error: Array) -> tuple[Matrix, Array]:
        """A and b, whose ½ |A x + b|² has the slope and the curvature of the objective.

        Where the curvature is negative, JᵀJ and what was learnt are taken together, a little above
        zero; else they stay apart, as slopes of weak inputs would be lost in the square.
        """
        if not self._curvature.any():
            return slope, error
        size, turned = np.linalg.eigh(self._curvature)
        if size[0] >= 0.0:
            curved = size > 0.0
            bent = (turned[:, curved] * np.sqrt(size[curved])).T
            return np.concatenate([slope, bent]), np.concatenate([error, np.zeros(len(bent))])
        size, turned = np.linalg.eigh(slope.T @ slope + self._curvature)
        least = LEAST_BENT * np.sum((slope @ turned) ** 2, axis=0)
        root = np.sqrt(np.maximum(size, least))
        along = turned.T @ (slope.T @ error)
        moving = root > 0.0
        return root[:, None] * turned.T, np.where(moving, along / np.where(moving, root, 1.0), 0.0)

    def room(self) -> tuple[Array, Array]:
        """How far each number may fall and rise in a step."""
        low, high = self.question.choice.room(self.place.result.given)
        return (
            np.maximum(low / self.scale.change, -self._reach),
            np.minimum(high / self.scale.change, self._reach),
        )

    def _arrive(self, step: Array) -> bool:
        """Go where all targets are reached, with the equilibrium found along with the inputs."""
        arrival = Arrival(self.question, self.place, self.scale, self._price)
        there = arrival.run(self.scale.change * step)
        if there is None:
            return False
        self.budget.used += 1
        self.place = there
        self._curvature[:] = 0.0  # it is in proportion to errors
        return True

    def _solve(self, step: Array) -> StaticResult | None:
        """The equilibrium after a step; None if there is none nearby."""
        here, choice = self.place, self.question.choice
        change = self.scale.change * step
        inputs, idle = choice.changed(here.result.given, change), here.idle
        self.budget.used += 1
        if idle is not None:
            inputs = let_out(idle, self.question.tensions, choice, here.result, change)
        found = solve_nearby(here.response, here.directions, change, inputs, self.question.since)
        if len(self.question.tensions.rows) and found.converged:  # what came loose pulls again
            found = taken_up(choice, found)
        return found if found.converged else None

    def _take(self, moved: StaticResult, step: Array, promise: float) -> bool:
        """Go to an equilibrium, unless the objective is not lower there."""
        evaluation, before = moved.evaluation, self.place
        error = self.question.missing(moved.model, evaluation.nodes, moved.state).error
        objective = 0.5 * float(error @ error)
        tensions = self.scale.relative(self.question.limited(moved))
        rise = self._price * (broken(tensions) - broken(self.scale.relative(before.tensions)))
        noise = (
            ROUNDED * moved.model.length * (np.linalg.norm(error) + ROUNDED * moved.model.length)
        )
        gain = before.objective - objective - rise
        if not gain >= POOR * promise - noise:
            return False
        there = place_of(self.question, moved)
        if there is None:
            return False
        self.place = there
        self._learn(before, step)
        if gain >= GOOD * promise:
            self._reach = max(self._reach, LONGER * float(np.abs(step).max()))
        return True

    def _learn(self, before: Place, step: Array) -> None:
        """Learn from a step how slopes change; what that means is in proportion to errors."""
        here, known = self.place, self._curvature
        known *= min(1.0, _norm(here.error) / max(_norm(before.error), 1e-300))
        change = ((here.slope - before.slope).T @ here.error) * self.scale.change
        learn(known, step, change)


def widened(
    idle: Idle, A: Matrix, gradient: Array, low: Array, high: Array
) -> tuple[Matrix, Array, Array, Array]:
    """A programme with tensions that do nothing among what is sought."""
    d = idle.stress.shape[1]
    far = np.full(d, np.inf)
    return (
        np.pad(A, ((0, 0), (0, d))),
        np.pad(gradient, (0, d)),
        np.concatenate([low, -far]),
        np.concatenate([high, far]),
    )


def learn(known: Matrix, step: Array, change: Array) -> None:
    """Learn from a step what a symmetric matrix makes of it (SR1)."""
    off = change - known @ step
    along = float(off @ step)
    if abs(along) > USELESS * _norm(off) * _norm(step):
        known += np.outer(off, off) / along


def _norm(values: Array) -> float:
    return float(np.linalg.norm(values))


def _keeps(rows: Rows, step: Array) -> bool:
    """Whether limits that are kept are after a step, too, but for rounding of the programme."""
    return broken(rows) <= BROKEN and broken_after(rows, step) <= ROUGH
