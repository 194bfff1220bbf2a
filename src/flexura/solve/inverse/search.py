"""The search for inputs that bring frames to their targets: quadratic programmes in a trust region.

    minimise  ½ |e(u)|²   within the limits,    e(u + du) ≈ e + J du

Each programme takes JᵀJ, and what was learnt of the curvature that this leaves out (a secant update
of its difference to the true one), so that targets out of reach are approached fast, too.
"""

from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.model.inputs import Inputs
from flexura.result.inverse import InverseStatus
from flexura.result.static import StaticResult
from flexura.solve.derivative.response import Directions, Response
from flexura.solve.inverse.limits import Choice
from flexura.solve.inverse.nearby import solve_nearby
from flexura.solve.inverse.programme import Rows, broken, solve
from flexura.solve.inverse.target import Target
from flexura.solve.inverse.tension import Tensions
from flexura.typing import Array, Matrix

# A programme that promises less than this part of the objective ends the search: the projected
# gradient is about the root of it, relative to its parts. So does one that moves nothing.
FLAT, STILL = 1e-15, 1e-11
# Where the objective falls by less than POOR of what was promised steps become shorter, above GOOD
# longer; down to SHORTEST, relative to the scale of the inputs.
POOR, GOOD = 0.1, 0.7
FIRST = 0.3  # of the steps
SHORTER, LONGER, SHORTEST = 0.25, 3.0, 1e-9
# Where the objective bends the other way, it is taken to bend by this part of JᵀJ.
LEAST_BENT = 1e-3
# The scale of inputs that do little is no more than this many times the smallest.
WEAK = 1e2
# A projected gradient of this size, relative to its parts, is none, where steps lead nowhere.
LEVEL = 1e-5
# What equilibria leave uncertain of positions, relative to the length.
ROUNDED = 1e-12
# A secant whose angle to what is known is this small teaches nothing.
USELESS = 1e-8
# Price of a broken limit of a tension, beside the slope of the objective; what counts as broken.
PRICE, BROKEN = 10.0, 1e-9


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked for.

    Attributes:
        targets: of the frames.
        choice: the numbers that are chosen, and their limits.
        tensions: limits of tensions.
        preferred: inputs to be near, where targets leave a choice; None to change little.
        tolerance: error that is none [m].
        iterations: equilibria to find at most.
    """

    targets: tuple[Target, ...]
    choice: Choice
    tensions: Tensions
    preferred: Inputs | None
    tolerance: float
    iterations: int

    def response(self, result: StaticResult) -> Response:
        """How an equilibrium answers to changes that load the tendons that are used."""
        return Response("inverse", result, grazing=self.tensions.used)

    def error(self, result: StaticResult) -> Array:
        """What is missing, weighted [m], (k,)."""
        found = [one.weight * one.missing(result.pose(one.frame)) for one in self.targets]
        return np.concatenate(found)

    def left(self, result: StaticResult) -> float:
        """Length of all that is missing and has a weight at all [m]."""
        found = [one.missing(result.pose(one.frame))[one.weight > 0.0] for one in self.targets]
        return _norm(np.concatenate(found))


@dataclass(frozen=True, eq=False)
class Place:
    """Where a search is.

    Attributes:
        response: of the equilibrium there.
        directions: where the numbers that are chosen lead.
        error: what is missing, weighted [m], (k,).
        slope: its derivative by those numbers, (k, n).
        tensions: how they may change with those numbers.
    """

    response: Response
    directions: Directions
    error: Array
    slope: Matrix
    tensions: Rows

    @classmethod
    def of(cls, question: Question, response: Response) -> "Place":
        """The place of an equilibrium."""
        result = response.result
        directions = response.by_inputs(question.choice.names)
        slopes = []
        for one in question.targets:
            motion = directions.moved(response.twist(one.frame))
            slopes.append(one.slope(result.pose(one.frame), motion))
        room = question.tensions.room(result, directions)
        error = question.error(result)
        return cls(response, directions, error, np.concatenate(slopes), room)

    @property
    def result(self) -> StaticResult:
        """The equilibrium."""
        return self.response.result

    @property
    def objective(self) -> float:
        """Half of the squared error [m²]."""
        return 0.5 * float(self.error @ self.error)

    @property
    def gradient(self) -> Array:
        """Of the objective, by the numbers that are chosen, (n,)."""
        return self.slope.T @ self.error


def place_of(question: Question, result: StaticResult) -> Place | None:
    """The place of an equilibrium; None if it answers to changes in no certain way."""
    try:
        return Place.of(question, question.response(result))
    except ModelError:
        return None


class Search:
    """A search from one equilibrium.

    Steps are relative to the scale of the inputs: their range, or what moves the frames as far as
    the robot is long.

    Attributes:
        question: what is asked for.
        place: where the search is.
        scale: of the inputs, (n,).
        used: equilibria that it took.
    """

    def __init__(self, question: Question, start: Place, begin: Inputs, used: int = 0) -> None:
        """Prepare a search.

        Args:
            question: what is asked for.
            start: an equilibrium within the limits.
            begin: the inputs that steps are counted from.
            used: equilibria that were found before.
        """
        self.question, self._begin = question, begin
        self.place = start
        length = start.result.model.length
        self.scale = _scale(question.choice, self.place.slope, length)
        steep = np.abs(self.place.tensions.matrix * self.scale).max(axis=1, initial=0.0)
        self._steep = np.where(steep > 0.0, steep, 1.0)
        self._curvature = np.zeros((len(self.scale),) * 2)
        self._reach, self._price = FIRST, 0.0
        self.used = used

    def approach(self) -> InverseStatus:
        """Bring the frames to their targets, or as close as nothing brings them closer."""
        self._reach = FIRST
        while True:
            place = self.place
            kept = broken(self.relative(place.tensions)) <= BROKEN
            if kept and self.question.left(place.result) <= self.question.tolerance:
                return InverseStatus.REACHED
            found = self._step()
            if found is None:
                return InverseStatus.LOST
            step, promise = found
            size = float(np.abs(step).max())
            flat = promise <= FLAT * place.objective and size < self._reach
            if flat or size <= STILL:
                return InverseStatus.CLOSEST
            if self.used >= self.question.iterations:
                return InverseStatus.EXHAUSTED
            moved = self.solve(step)
            if moved is None:
                self._reach = SHORTER * size
                if self._reach < SHORTEST:
                    return InverseStatus.LOST
            elif not self._take(moved, step, promise):
                self._reach = SHORTER * size
                if self._reach < SHORTEST:
                    return InverseStatus.CLOSEST if self._level() else InverseStatus.LOST

    def _level(self) -> bool:
        """Whether no slope leads on within the limits."""
        self._reach = np.inf
        low, high = self.room()
        slope = self.place.slope * self.scale
        gradient = slope.T @ self.place.error
        leads = np.where(gradient > 0.0, low < 0.0, high > 0.0)
        steep = _norm(self.place.error) * np.linalg.norm(slope, axis=0)
        return not bool((leads & (np.abs(gradient) > LEVEL * steep)).any())

    def _step(self) -> tuple[Array, float] | None:
        """The next step, and by how much it promises to lower objective and broken limits.

        None if it was not found.
        """
        place = self.place
        slope, gradient = place.slope * self.scale, place.gradient * self.scale
        A, b = self._squares(slope, place.error)
        low, high = self.room()
        rows = self.relative(place.tensions)
        if len(rows.low):
            self._price = max(self._price, PRICE * float(np.abs(gradient).max()))
        step = solve(A, b, low, high, rows, self._price)
        if step is None:
            return None
        change = rows.matrix @ step
        left = rows._replace(low=rows.low - change, high=rows.high - change)
        mended = broken(rows) - broken(left)
        return step, float(self._price * mended - gradient @ step - 0.5 * np.sum((A @ step) ** 2))

    def _squares(self, slope: Matrix, error: Array) -> tuple[Matrix, Array]:
        """A and b, whose ½ |A x + b|² has the slope and the curvature of the objective.

        Where the curvature is negative, JᵀJ and what was learnt are taken together, a little above
        zero; else they stay apart, as slopes of weak inputs would be lost in the square.
        """
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

    def relative(self, tensions: Rows) -> Rows:
        """Tensions relative to what steps of size 1 make of them."""
        matrix, steep = tensions.matrix, self._steep
        if matrix.shape[1]:
            matrix = matrix * self.scale / steep[:, None]
        return Rows(matrix, tensions.low / steep, tensions.high / steep)

    def room(self) -> tuple[Array, Array]:
        """How far each number may fall and rise in a step."""
        low, high = self.question.choice.room(self._begin, self.place.result.given)
        return (
            np.maximum(low / self.scale, -self._reach),
            np.minimum(high / self.scale, self._reach),
        )

    def solve(self, step: Array) -> StaticResult | None:
        """The equilibrium after a step; None if there is none nearby."""
        here, choice = self.place, self.question.choice
        change = self.scale * step
        inputs = choice.changed(here.result.given, change)
        self.used += 1
        found = solve_nearby(here.response, here.directions, change, inputs)
        return found if found.converged else None

    def _take(self, moved: StaticResult, step: Array, promise: float) -> bool:
        """Go to an equilibrium, unless the objective is not lower there."""
        before, error = self.place, self.question.error(moved)
        objective = 0.5 * float(error @ error)
        tensions = self.relative(self.question.tensions.room(moved))
        rise = self._price * (broken(tensions) - broken(self.relative(before.tensions)))
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
        change = ((here.slope - before.slope).T @ here.error) * self.scale
        learn(known, step, change)


def _scale(choice: Choice, slope: Matrix, length: float) -> Array:
    """What is a large change of each number: its range, or what moves frames by the length."""
    size = np.linalg.norm(slope, axis=0)
    moving = np.divide(length, size, out=np.full(len(size), np.inf), where=size > 0.0)
    found: Array = np.minimum(np.minimum(choice.most - choice.least, moving), choice.large)
    known = np.isfinite(found) & (found > 0.0)
    found[~known] = 1.0
    return np.asarray(np.minimum(found, WEAK * found[known].min(initial=np.inf)))


def learn(known: Matrix, step: Array, change: Array) -> None:
    """Learn from a step what a symmetric matrix makes of it (SR1)."""
    off = change - known @ step
    along = float(off @ step)
    if abs(along) > USELESS * _norm(off) * _norm(step):
        known += np.outer(off, off) / along


def _norm(values: Array) -> float:
    return float(np.linalg.norm(values))
