"""From one point of a path of equilibria to the next: predict along the path, correct across it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.errors import NotConverged
from flexura.model.assemble import Assembly
from flexura.model.slope import input_slope
from flexura.model.state import State
from flexura.model.step import linearise
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.constrained import HeldFactor, active_rows
from flexura.solve.equilibrium import BALANCED, ForceBalance, Iterate, shifted
from flexura.solve.finish import fitting, static_result
from flexura.solve.newton import MAX_ROTATION, StepControl, newton
from flexura.solve.stability import stability
from flexura.solve.undriven import drives_freely
from flexura.solve.verdict import with_verdict
from flexura.solve.way import (
    AcrossPath,
    Direction,
    PathPoint,
    Way,
    free_rows,
    null_direction,
    path_direction,
)
from flexura.solve.workspace import workspace
from flexura.typing import Array, Matrix

# The largest rotation of a section that is predicted [rad]: a quarter of what Newton may do.
MAX_TURN = 0.25
# A corrector may take this many iterations.
PATIENCE = 12
# A correction may be as long as the step, or this where steps are so short that rounding counts.
CLOSE = 1e-4
# Cosine of the angle that the path may turn by in a step; beyond it may be another path.
ALIGNED = 0.7
# Paths that are closer together than this count as one.
APART = 2e-3
# The chord of a step may lie this far outside of the tangents at its ends: this times the angle
# between them, and this angle [rad].
BENT, ASIDE = 1.1, 0.05
# Limit points and bifurcations are located on the path to this length.
LOCATED = 1e-8
# Part of the diagonal of a tangent that is rounding: a mode that resists no more than that has no
# sign. On the branch of a round column, which may turn freely, 1e-13 is exceeded.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Point:
    """A point of a path.

    Attributes:
        result: the equilibrium.
        fraction: λ.
        direction: of the path.
        modes: number of unstable modes, of the last point where it could be told.
        sign: of the determinant of a tangent that is not symmetric, likewise.
        active: which constraints hold, (n_rows,).
        free: rows against motions that are left out of the next step (``free_rows``).
    """

    result: StaticResult
    fraction: float
    direction: Direction
    modes: int | None
    sign: int | None
    active: NDArray[np.bool_]
    free: Matrix | None = None

    def turned(self, later: "Point") -> bool:
        """Whether λ turns around on the way to a later point."""
        return self.direction.load * later.direction.load < 0.0

    def changed(self, later: "Point") -> int | None:
        """How many modes change their sign on the way to a later point, None if it is not known.

        The determinant only tells whether their number is odd.
        """
        if self.modes is not None and later.modes is not None:
            return abs(later.modes - self.modes)
        if self.sign is not None and later.sign is not None:
            return int(later.sign != self.sign)
        return None


class Follower:
    """Takes steps along a path."""

    def __init__(self, assembly: Assembly, way: Way, arc_length: bool) -> None:
        """Prepare steps.

        Args:
            assembly: work space.
            way: the inputs.
            arc_length: whether the corrector stays across the path; else at its λ.
        """
        self.assembly, self.way, self.arc_length = assembly, way, arc_length
        self._level = Direction(np.zeros(assembly.model.n_dof), 1.0)

    def turns_at_once(self, first: StaticResult) -> bool:
        """Whether the least change of λ turns an equilibrium freely, so that no path leads on."""
        self.assembly.evaluate(first.state, first.given)
        if not stability(self.assembly).free:
            return False
        return drives_freely(self.assembly, input_slope(self.assembly, self.way.change)[0])

    def begin(self, first: StaticResult, side: int, fraction: float = 0.0) -> Point:
        """The first point of a path.

        Args:
            first: its equilibrium.
            side: 1 or -1 to leave along or against the motion without resistance, 0 to follow λ.
            fraction: λ.
        """
        self.assembly.evaluate(first.state, first.given)
        modes = sign = free = None
        if side == 0:
            modes, sign = self._modes(first.residual), self._sign(first.residual)
            free = self._free(modes, stability(self.assembly).free)
            direction = path_direction(self.assembly, self.way, free)
        else:
            direction = null_direction(self.assembly, self.way)
        if direction is None:
            raise NotConverged("continuation: the tangent at the start is singular; hold the robot")
        direction = -direction if side == -1 else direction
        return Point(first, fraction, direction, modes, sign, active_rows(self.assembly), free)

    def advance(self, point: Point, length: float) -> Point | None:
        """The point after a step of a given length; None if it is not found."""
        place = self._predict(point, length)
        row = self.way.row(point.direction) if self.arc_length else self._level
        return self._correct(point, place, row, length)

    def land(self, point: Point, length: float, fraction: float) -> Point | None:
        """The point at a given λ, after a step of about the given length."""
        place = self._predict(point, length)._replace(fraction=fraction)
        return self._correct(point, place, self._level, length)

    def locate(self, point: Point, length: float, test: Callable[[Point], float]) -> Point | None:
        """Where a test of points changes its sign on the step from a point; None if nowhere.

        By false position (the Illinois variant), much like bisection where the test is a sign.
        Where a discretization breaks the symmetry behind a bifurcation there is none, only two
        paths close to each other, and between them steps fail: the nearest point counts.
        """
        found = self.advance(point, length)
        if found is None or test(point) * test(found) >= 0.0:
            return None
        near, at_near = 0.0, test(point)
        far, at_far = length, test(found)
        while abs(far - near) > LOCATED and at_far != 0.0:
            middle = (near * at_far - far * at_near) / (at_far - at_near)
            closer = self.advance(point, middle)
            value = at_far if closer is None else test(closer)
            found = found if closer is None else closer
            if value * at_far < 0.0:
                near, at_near = far, at_far
            else:
                at_near *= 0.5
            far, at_far = middle, value
        return found

    def _predict(self, point: Point, length: float) -> PathPoint:
        """Go along the path; sections turn by no more than they may."""
        assembly, way, ahead = self.assembly, self.way, point.direction
        assembly.evaluate(point.result.state, point.result.given)
        drift = way.drift(assembly)
        moved = None if drift is None else length * ahead.load * drift
        multipliers = length * ahead.multipliers if len(ahead.multipliers) else None
        step = linearise(assembly, length * ahead.motion, multipliers, moved)
        part = min(1.0, MAX_TURN / step.rotation) if step.rotation else 1.0
        fraction = point.fraction + part * length * ahead.load
        return PathPoint(Iterate(*step.advance(part, way.inputs(fraction))), fraction)

    def _correct(
        self, before: Point, place: PathPoint, row: Direction, length: float
    ) -> Point | None:
        """Return to the path; None if that fails, or if it leads to another path."""
        assembly, way = self.assembly, self.way
        assembly.count_from(before.result.given, before.result.evaluation)
        problem = AcrossPath(assembly, way, row, max(length, CLOSE), before.free)
        control = StepControl(reach=MAX_ROTATION)
        outcome = newton(problem, place, ForceBalance(assembly), control, PATIENCE)
        if not outcome.converged:
            return None
        found, fraction = outcome.point
        given, iterations = way.inputs(fraction), outcome.iterations
        result = fitting(
            static_result(assembly.model, found.state, outcome, given, Status.CONTINUED, iterations)
        )
        modes, sign = self._modes(result.residual), self._sign(result.residual)
        if modes is None and way.symmetric:
            result = replace(result, stable=None)
        free = self._free(modes, outcome.report.free)
        ahead, active = path_direction(assembly, way, free), active_rows(assembly)
        if ahead is None:
            return None
        cosine = way.row(before.direction) @ ahead
        smooth = np.array_equal(active, before.active)  # else it has a corner
        if smooth and abs(cosine) < ALIGNED:
            return None
        ahead = ahead if cosine > 0.0 else -ahead
        if smooth and length > APART and self._jumps(before, found.state, fraction, ahead):
            return None
        with workspace(assembly.model) as spare:  # the path goes on with this evaluation
            spare.evaluate(result.state, given)
            result = with_verdict(result, outcome.report, spare)
        return Point(
            result,
            fraction,
            ahead,
            before.modes if modes is None else modes,
            before.sign if sign is None else sign,
            active,
            free,
        )

    def apart(self, a: Point, b: Point) -> float:
        """Length of the straight way between two points."""
        return self.way.length(self.chord(a, b.result.state, b.fraction))

    def chord(self, begin: Point, state: State, fraction: float) -> Direction:
        """The straight way from a point to a state at λ."""
        motion = self.assembly.model.layout.difference(begin.result.state, state)
        return Direction(motion, fraction - begin.fraction)

    def _jumps(self, before: Point, state: State, fraction: float, ahead: Direction) -> bool:
        """Whether a step leads to another path that runs beside this one.

        An arc that bends one way has its chord between the tangents at its ends: the angles to
        them add up to the angle between them.
        """
        way, chord = self.way, self.chord(before, state, fraction)
        if not way.length(chord):
            return False
        row = way.row(way.unit(chord))
        begin, end = (np.arccos(min(1.0, row @ tangent)) for tangent in (before.direction, ahead))
        turn = np.arccos(min(1.0, way.row(before.direction) @ ahead))
        return bool(begin + end > BENT * turn + ASIDE)

    def _free(self, modes: int | None, free: bool) -> Matrix | None:
        """Rows against motions that the path leaves out at the last evaluation, if there are any.

        Args:
            modes: number of unstable modes, None if it cannot be told.
            free: whether there are motions that meet no force.
        """
        if not (free or (self.way.symmetric and modes is None)):
            return None
        return free_rows(self.assembly, self.way)

    def _modes(self, residual: float) -> int | None:
        """Number of unstable modes at the last evaluation, None where it cannot be told."""
        return self._certain(self._unstable_modes, residual) if self.way.symmetric else None

    def _sign(self, residual: float) -> int | None:
        """Sign of the determinant there if the tangent is not symmetric, None if it is rounding."""
        return None if self.way.symmetric else self._certain(self._determinant_sign, residual)

    def _unstable_modes(self, values: Array, held: HeldFactor) -> int | None:
        """Negative eigenvalues of a tangent, less those of multipliers."""
        layout = self.assembly.layout
        count = layout.structure.inertia(values)
        if count is None:
            return None
        if len(held.rows) and not np.isfinite(held.compliance).all():
            return None
        if len(held.rows):
            count -= int(np.count_nonzero(np.linalg.eigvalsh(held.compliance) < 0.0))
        return count - layout.n_multipliers

    def _determinant_sign(self, values: Array, held: HeldFactor) -> int | None:
        """Sign of the determinant of a tangent."""
        return held.factor.sign * int(np.sign(np.linalg.det(held.compliance)))

    def _certain(
        self, ask: Callable[[Array, HeldFactor], int | None], residual: float
    ) -> int | None:
        """What the tangent of the last evaluation answers, None where rounding decides.

        A state that is out of balance by ``residual``, relative, has its tangent as far off; where
        no forces are in play, a residual relative to them means nothing.
        """
        assembly, found = self.assembly, set()
        rounding = max(ROUNDING, residual) if residual < BALANCED else ROUNDING
        for shift in (-rounding, rounding):
            values = shifted(assembly, shift)
            factor = assembly.layout.structure.factorise(values, definite=False)
            if factor.singular:
                return None
            found.add(ask(values, HeldFactor.of(assembly, factor, active_rows(assembly))))
        return found.pop() if len(found) == 1 else None
