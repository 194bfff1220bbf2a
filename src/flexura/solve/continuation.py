"""Paths of equilibria through limit points, by arc length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Literal

import numpy as np

from flexura.errors import ModelError, known, show
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.result.path import EquilibriumPath, Mark, PathStatus
from flexura.result.static import StaticResult
from flexura.robot.check import check_count, flag
from flexura.solve.at_rest import check_untouched
from flexura.solve.follower import APART, Follower, Point
from flexura.solve.statics import statics
from flexura.solve.verdict import concluded
from flexura.solve.way import Way
from flexura.typing import ArrayLike

# Lengths of steps along the path (``Way``): rotations and λ are of size 1.
FIRST_STEP = 0.02
LARGEST_STEP = 0.1
SMALLEST_STEP = 1e-7
# A corrector that takes at most EASY iterations makes the next step longer, more than HARD shorter.
EASY, LONGER = 4, 2.0
HARD, SHORTER = 8, 0.5
# A step that changes stability other than a limit point does is repeated shorter, down to APART:
# there is a bifurcation then, or the step has jumped to another path, and shorter ones do not.
# A path that was this far from its first point and passes it again, closer than APART, is closed.
AWAY = 1e-2


def continuation(
    model: Model,
    input: str,
    to: ArrayLike,
    start: StaticResult | Mark | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    arc_length: bool = True,
    steps: int = 200,
    side: Literal[1, -1] = 1,
    longest: float = LARGEST_STEP,
) -> EquilibriumPath:
    """Follow equilibria while one input changes from its value at the start.

    The unknowns are the robot and λ, the part of the change, together: the path is followed along
    its own length (Riks, Keller), so λ may turn around at limit points and leave [0, 1] on the
    way. Limit points and bifurcations are located.

    Args:
        model: what ``build`` returned.
        input: name of the input that changes: numbers linearly, a pose along a screw.
        to: its value at the end, λ = 1.
        start: an equilibrium to start from; or a bifurcation of an earlier path, to follow the
            path that crosses there.
        inputs: values at the start by name, if it shall be found by ``statics``; the rest has
            its described value.
        arc_length: whether to pass limit points; else λ only grows, and the path stops there.
        steps: how many to take at most.
        side: which way to leave a bifurcation.
        longest: length of the longest step, where λ and rotations in [rad] are of size 1: less
            for more points, and where paths come close to each other.

    Returns:
        The path; its ``status`` says how it ended, it does not raise if the end is not reached.

    Raises:
        ModelError: for an input, a start or an option that makes no sense.
        NotConverged: if ``statics`` finds no equilibrium to start from.
    """
    if not isinstance(model, Model):
        kind = type(model).__name__
        raise ModelError(f"continuation takes the Model that build returns, got {kind}")
    check_untouched("continuation", model)
    known("input", input, model.inputs)
    _check_options(arc_length, steps, side, longest)
    if not model.n_dof:
        raise ModelError(
            f"continuation: nothing can move in {model.name!r}, statics finds its reactions"
        )
    with np.errstate(all="ignore"):  # loads beyond all measure end in a status
        return _follow(model, input, to, start, inputs, arc_length, steps, side, longest)


def _follow(
    model: Model,
    input: str,
    to: ArrayLike,
    start: StaticResult | Mark | None,
    inputs: Mapping[str, ArrayLike] | None,
    arc_length: bool,
    steps: int,
    side: int,
    longest: float,
) -> EquilibriumPath:
    """``continuation`` with options that make sense."""
    first = _start(model, start, inputs)
    way = Way(model, first.given, _end(model, first.given, input, to))
    follower = Follower(Assembly(model), way, arc_length)
    crossing = isinstance(start, Mark) and inputs is None
    walk = _Walk(follower, _edges(model, way, input), longest)
    point = None if crossing else _turned(follower, first)
    if point is None:
        point = follower.begin(first, side if crossing else 0)
    else:
        walk.points.append(replace(point, result=first, fraction=0.0))
    begun = len(walk.points) + 1  # what statics found, which has said all
    status = walk.run(point, steps)
    results = [point.result for point in walk.points]
    return EquilibriumPath(
        input=input,
        results=(*results[:begun], *map(concluded, results[begun:])),
        fraction=np.array([point.fraction for point in walk.points]),
        unstable_modes=tuple(point.modes for point in walk.points),
        limits=tuple(walk.limits),
        bifurcations=tuple(walk.bifurcations),
        status=status,
    )


def _turned(follower: Follower, first: StaticResult) -> Point | None:
    """The next point of an equilibrium that turns freely, if λ turns it; None if it does not.

    All places to which it may turn are equilibria at λ = 0: the path of those leads nowhere. As λ
    grows it is in that to which it is turned from the first instant on.
    """
    if not follower.turns_at_once(first):
        return None
    found = statics(first.model, follower.way.inputs(FIRST_STEP).by_name(), first)
    return follower.begin(found, 0, FIRST_STEP) if found.converged else None


def _check_options(arc_length: bool, steps: int, side: int, longest: float) -> None:
    """Raise unless the options make sense."""
    flag("continuation", "arc_length", arc_length)
    check_count("continuation", "steps", steps, 1_000_000_000)
    if not isinstance(side, Real) or side not in (1, -1):
        raise ModelError(f"continuation: side must be 1 or -1, got {show(side)}")
    if not isinstance(longest, Real) or not SMALLEST_STEP < longest < np.inf:
        raise ModelError(
            f"continuation: longest must be a number > {SMALLEST_STEP:g}, got {show(longest)}"
        )


def _start(
    model: Model, start: StaticResult | Mark | None, inputs: Mapping[str, ArrayLike] | None
) -> StaticResult:
    """The equilibrium to start from."""
    first = start.result if isinstance(start, Mark) else start
    if first is None or inputs is not None:
        return statics(model, inputs, first).unwrap(unstable=True)
    if not isinstance(first, StaticResult) or first.model != model:
        raise ModelError(
            "start must be a StaticResult, or a bifurcation of a path, of the same model; build "
            "once and solve many times"
        )
    if not first.status.equilibrium:
        raise ModelError(f"start must be an equilibrium, but it is {first.status}")
    return first


def _end(model: Model, begin: Inputs, input: str, to: ArrayLike) -> Inputs:
    """The inputs with the wanted value of one of them."""
    values: dict[str, ArrayLike] = dict(begin.by_name())
    before = np.asarray(values[input])
    values[input] = to
    end = model.read_inputs(values)
    if np.array_equal(end.value(input), before):
        raise ModelError(
            f"continuation: input {input!r} has the value {show(to)} at the start already"
        )
    return end


@dataclass(frozen=True)
class _Edge:
    """A value of λ where a path ends.

    Attributes:
        fraction: λ there.
        outward: sign of the direction of λ that leads out; 0 for both.
        status: of a path that ends there.
    """

    fraction: float
    outward: int
    status: PathStatus

    def crossed(self, before: float, after: float) -> bool:
        """Whether a step crosses the edge."""
        if self.outward:
            return self.outward * (after - self.fraction) > 0.0
        return (before - self.fraction) * (after - self.fraction) <= 0.0


def _edges(model: Model, way: Way, input: str) -> list[_Edge]:
    """Where the input has its wanted value, and the least and largest that it can have."""
    edges = [_Edge(1.0, 0, PathStatus.REACHED)]
    for bound, side, status in zip(
        model.inputs[input].bounds, (-1, 1), (PathStatus.LEAST, PathStatus.MOST), strict=True
    ):
        if np.isfinite(bound):
            begin, end = (float(x.value(input)) for x in (way.begin, way.end))
            outward = side if end > begin else -side
            edges.append(_Edge((bound - begin) / (end - begin), outward, status))
    return edges


class _Walk:
    """Many steps along a path, and what is met on the way."""

    def __init__(self, follower: Follower, edges: Sequence[_Edge], longest: float) -> None:
        self._follower, self._edges, self._longest = follower, edges, longest
        self.points: list[Point] = []
        self.limits: list[Mark] = []
        self.bifurcations: list[Mark] = []
        self._away = False  # whether the first point has been left

    def run(self, point: Point, steps: int) -> PathStatus:
        """Go on until an edge is met; the reason why it ends."""
        self.points.append(point)
        length = min(FIRST_STEP, self._longest)
        while len(self.points) <= steps:
            found, edge = self._step(point, length)
            if found is None or (length > APART and _unexplained(point, found)):
                length *= SHORTER
                if length < SMALLEST_STEP:
                    return PathStatus.LOST if self._follower.arc_length else PathStatus.LIMIT
                continue
            self._mark(point, found, length)
            if not found.result.converged:
                return PathStatus.COARSE
            self.points.append(found)
            if edge is not None:
                return edge.status
            if self._returned(point, found, length):
                return PathStatus.CLOSED
            length = min(_next_length(length, found.result.iterations), self._longest)
            point = found
        return PathStatus.STEPS

    def _step(self, point: Point, length: float) -> tuple[Point | None, _Edge | None]:
        """The next point, and the edge that it lies on."""
        found = self._follower.advance(point, length)
        if found is None:
            return None, None
        for edge in self._edges:
            if edge.crossed(point.fraction, found.fraction):
                part = (edge.fraction - point.fraction) / (found.fraction - point.fraction)
                return self._follower.land(point, part * length, edge.fraction), edge
        return found, None

    def _mark(self, point: Point, found: Point, length: float) -> None:
        """Locate a limit point or a bifurcation on the last step."""
        if point.turned(found):
            where = self._follower.locate(point, length, lambda p: p.direction.load)
            marks = self.limits
        elif point.changed(found):
            where = self._follower.locate(
                point, length, lambda p: -1.0 if point.changed(p) else 1.0
            )
            marks = self.bifurcations
        else:
            return
        if where is not None:
            marks.append(Mark(where.fraction, len(self.points) - 1, concluded(where.result)))

    def _returned(self, point: Point, found: Point, length: float) -> bool:
        """Whether the last step passes the first point of the path again."""
        follower, first = self._follower, self.points[0]
        back = follower.chord(point, first.result.state, first.fraction)
        self._away |= follower.way.length(back) > AWAY
        if not self._away or follower.way.length(back) > 2.0 * length:
            return False
        along = follower.way.row(back) @ point.direction
        passed = follower.advance(point, along) if 0.0 < along < length else None
        near = [found] if passed is None else [found, passed]
        return any(follower.apart(p, first) < APART for p in near)


def _unexplained(point: Point, found: Point) -> bool:
    """Whether modes change their sign other than by one limit point, or none at all."""
    change = point.changed(found)
    return change is not None and change != int(point.turned(found))


def _next_length(length: float, iterations: int) -> float:
    """Length of the next step."""
    if iterations > HARD:
        return length * SHORTER
    return length * LONGER if iterations <= EASY else length
