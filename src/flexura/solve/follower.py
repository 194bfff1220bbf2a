"""From one point of a path of equilibria to the next: predict along the path, correct across it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexura.errors import NotConverged
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.state import State
from flexura.model.tangent import Tangent
from flexura.result.static import StaticResult
from flexura.result.status import Status
from flexura.solve.corrector import Corrector, Direction, Way, null_direction, path_direction
from flexura.solve.linear import determinant_sign, negative_eigenvalues, shift_diagonal
from flexura.solve.statics import static_result

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
    """

    result: StaticResult
    fraction: float
    direction: Direction
    modes: int | None
    sign: int | None

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

    def begin(self, first: StaticResult, side: int) -> Point:
        """The first point of a path, λ = 0.

        Args:
            first: its equilibrium.
            side: 1 or -1 to leave along or against the motion without resistance, 0 to follow λ.
        """
        self.assembly.evaluate(first.state, first.given)
        modes = sign = None
        if side == 0:
            modes, sign = self._modes(), self._sign()
            direction = path_direction(self.assembly, self.way, 0.0)
        else:
            direction = null_direction(self.assembly, self.way)
        if direction is None:
            raise NotConverged("continuation: the tangent at the start is singular; hold the robot")
        return Point(first, 0.0, -direction if side == -1 else direction, modes, sign)

    def advance(self, point: Point, length: float) -> Point | None:
        """The point after a step of a given length; None if it is not found."""
        state, fraction = self._predict(point, length)
        row = self.way.row(point.direction) if self.arc_length else self._level
        return self._correct(point, state, fraction, row, length)

    def land(self, point: Point, length: float, fraction: float) -> Point | None:
        """The point at a given λ, after a step of about the given length."""
        state, _ = self._predict(point, length)
        return self._correct(point, state, fraction, self._level, length)

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

    def _predict(self, point: Point, length: float) -> tuple[State, float]:
        """Go along the path; sections turn by no more than they may."""
        assembly, way, ahead = self.assembly, self.way, point.direction
        assembly.evaluate(point.result.state, point.result.given)
        drift = way.drift(assembly.state, point.fraction)
        moved = None if drift is None else length * ahead.load * drift
        rotation, _ = assembly.linearise(length * ahead.motion, drift=moved)
        part = min(1.0, MAX_TURN / rotation) if rotation else 1.0
        fraction = point.fraction + part * length * ahead.load
        return assembly.predict(part, way.inputs(fraction)), fraction

    def _correct(
        self, before: Point, state: State, fraction: float, row: Direction, length: float
    ) -> Point | None:
        """Return to the path; None if that fails, or if it leads to another path."""
        assembly, way = self.assembly, self.way
        corrector = Corrector(assembly, way, fraction, row, max(length, CLOSE))
        outcome = corrector.run(state, PATIENCE)
        if not outcome.converged:
            return None
        result = static_result(
            assembly, outcome, corrector.inputs, Status.CONTINUED, outcome.iterations
        )
        modes, sign = self._modes(), self._sign()
        if modes is None and way.symmetric:
            result = replace(result, stable=None)
        ahead = path_direction(assembly, way, corrector.fraction)
        if ahead is None:
            return None
        cosine = way.row(before.direction) @ ahead
        if abs(cosine) < ALIGNED:
            return None
        ahead = ahead if cosine > 0.0 else -ahead
        if length > APART and self._jumps(before, outcome.state, corrector.fraction, ahead):
            return None
        return Point(
            result,
            corrector.fraction,
            ahead,
            before.modes if modes is None else modes,
            before.sign if sign is None else sign,
        )

    def apart(self, a: Point, b: Point) -> float:
        """Length of the straight way between two points."""
        return self.way.length(self.chord(a, b.result.state, b.fraction))

    def chord(self, begin: Point, state: State, fraction: float) -> Direction:
        """The straight way from a point to a state at λ."""
        layout, start = self.assembly.layout, begin.result.state
        motion = np.zeros(layout.n_dof)
        twist = se3.log(se3.inverse(start.poses) @ state.poses)
        motion[layout.pose_dof[:, None] + np.arange(6)] = twist[: len(layout.pose_dof)]
        for part, a, b in zip(self.assembly.model.parts, start.inner, state.inner, strict=True):
            layout.add_inner_forces(part.nodes, b - a, motion)
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

    def _modes(self) -> int | None:
        """Number of unstable modes at the last evaluation, None where it cannot be told."""
        if not self.way.symmetric:
            return None
        count = self._told(negative_eigenvalues)
        return None if count is None else count - int(self.assembly.layout.multiplier.sum())

    def _sign(self) -> int | None:
        """Sign of the determinant there if the tangent is not symmetric, None if it is rounding."""
        return None if self.way.symmetric else self._told(determinant_sign)

    def _told(self, ask: Callable[[Tangent], int | None]) -> int | None:
        """What the tangent of the last evaluation answers, None where rounding decides."""
        found = set()
        for shift in (-ROUNDING, ROUNDING):
            tangent = self.assembly.tangent.copy()
            shift_diagonal(tangent.band, tangent.corner, self.assembly.layout.multiplier, shift)
            found.add(ask(tangent))
        return found.pop() if len(found) == 1 else None
