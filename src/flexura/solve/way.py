"""Equilibria along a way of inputs, and Newton's method for both at once.

    [ K   f ] [ dq ]     [ r ]
    [ aᵀ  c ] [ dλ ] = - [ 0 ]            K = ∂r/∂q,   f = ∂r/∂λ

The row (a, c) keeps a corrector in the plane across the path, where Riks and Keller look for its
next point: it is regular at a limit point, where K is not. The row (0, 1) keeps λ.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.slope import input_slope
from flexura.model.step import Linearised, linearise
from flexura.solve.constrained import HeldFactor, active_at, active_rows, constrained_step
from flexura.solve.equilibrium import Equilibrium, Iterate, factorised, regular
from flexura.solve.resting import Resting
from flexura.solve.undriven import undriven_rows
from flexura.typing import Array, Matrix, Twist

# Each iteration suppresses other motions by the ratio of the smallest eigenvalue to theirs, which
# is below 1e-3 even where a bifurcation cannot be located closely.
INVERSE_ITERATIONS = 5
# Part of the diagonal that is added to a singular tangent.
SHIFT = 1e-10


@dataclass(frozen=True, eq=False)
class Direction:
    """A direction in the space of (q, λ), or a row against it.

    Attributes:
        motion: along the unknowns of the model, (n_dof,).
        load: along λ.
        multipliers: along the multipliers of constraints, which follow, (n_rows,).
    """

    motion: Array
    load: float
    multipliers: Array = field(default_factory=lambda: np.zeros(0))

    def __neg__(self) -> "Direction":
        return Direction(-self.motion, -self.load, -self.multipliers)

    def __matmul__(self, other: "Direction") -> float:
        return float(self.motion @ other.motion + self.load * other.load)


class Way:
    """Inputs on the line from ``begin``, λ = 0, to ``end``, λ = 1.

    Lengths are those of rotations [rad], of translations over the length and of strains times
    it, as a mean over all unknowns that are no multipliers, and of λ.

    Attributes:
        change: of the inputs with λ.
        symmetric: whether everything has a potential at both ends.
    """

    def __init__(self, model: Model, begin: Inputs, end: Inputs) -> None:
        self.model, self.begin, self.end = model, begin, end
        self.symmetric = model.conservative(begin) and model.conservative(end)
        self.change = begin.change(end)
        layout = model.layout
        moves = ~layout.multiplier
        units = layout.units * model.length
        self._weight = np.where(moves, 1.0 / units**2, 0.0) / max(1, np.count_nonzero(moves))

    def inputs(self, fraction: float) -> Inputs:
        """The inputs at λ."""
        return self.begin.towards(self.end, fraction)

    def drift(self, assembly: Assembly) -> Twist | None:
        """How nodes move with λ while the unknowns rest, (n_nodes, 6); None if they do not."""
        return self.model.drift(assembly.inputs, self.change)

    def row(self, direction: Direction) -> Direction:
        """The row that gives the product of lengths with a direction."""
        return Direction(self._weight * direction.motion, direction.load)

    def length(self, direction: Direction) -> float:
        """Length of a direction."""
        return math.sqrt(self.row(direction) @ direction)

    def unit(self, direction: Direction) -> Direction:
        """The direction with length 1."""
        size = self.length(direction)
        return Direction(
            direction.motion / size, direction.load / size, direction.multipliers / size
        )


class PathPoint(NamedTuple):
    """A point of an iteration: in the model, and λ."""

    iterate: Iterate
    fraction: float


class PathStep(NamedTuple):
    """A step in (q, λ)."""

    motion: Linearised
    d_fraction: float

    @property
    def rotation(self) -> float:
        """The largest rotation that it makes [rad]."""
        return self.motion.rotation

    @property
    def size(self) -> float:
        """Its size, relative to 1 rad, to the length and to the change of λ."""
        return max(self.motion.size, abs(self.d_fraction))


class AcrossPath:
    """An equilibrium in the plane (a, c) across a way; a ``Problem``."""

    def __init__(
        self,
        assembly: Assembly,
        way: Way,
        row: Direction,
        reach: float,
        free: Matrix | None = None,
    ) -> None:
        """Prepare an iteration.

        Args:
            assembly: work space.
            way: the inputs.
            row: (a, c), of the plane that the correction stays in.
            reach: a longer correction leads elsewhere, and is none.
            free: rows against motions that it leaves out (``free_rows``).
        """
        self._assembly, self._way, self._row, self._reach = assembly, way, row, reach
        self._free = free
        self._fraction = 0.0
        self._last: PathStep | None = None

    def evaluate(self, point: PathPoint) -> bool:
        """Evaluate residual and tangent; that is always possible."""
        self._fraction = point.fraction
        inputs = self._way.inputs(point.fraction)
        self._assembly.evaluate(point.iterate.state, inputs, point.iterate.ahead)
        return True

    def imbalance(self) -> tuple[float, float]:
        """Largest force out of balance [N], and largest gap, relative to the length."""
        return self._assembly.imbalance(self._assembly.model.balance)

    def step(self) -> PathStep | None:
        """The step within the plane; None if there is no finite one within reach."""
        self._last = self._step(0.0) or self._step(SHIFT)
        return self._last

    def _step(self, shift: float) -> PathStep | None:
        """The step with a shifted tangent."""
        assembly, way = self._assembly, self._way
        slope, gap_slope = input_slope(assembly, way.change)
        if self._free is None:
            factor = factorised(assembly, shift)
        else:
            factor = _without(assembly, self._free)
        if factor.singular:
            return None
        before = assembly.state.multipliers
        active = np.zeros(len(before), dtype=np.bool_)
        if len(before):
            increments = -np.asarray(factor.solve(assembly.residual))
            _, change = constrained_step(assembly, factor, increments)
            active = active_at(assembly, before + change)
        held = HeldFactor.of(assembly, factor, active)
        right = assembly.rows[~active].T @ before[~active] - assembly.residual
        back, back_held = held.solve(right, assembly.gap[active])
        along, along_held = held.solve(-slope, gap_slope[active])
        a, c = self._row.motion, self._row.load
        d_fraction = float(-(a @ back) / (c + a @ along))
        motion, multipliers = back + d_fraction * along, -before
        multipliers[active] = back_held + d_fraction * along_held
        if not (np.isfinite(d_fraction) and np.isfinite(motion).all()):
            return None
        if way.length(Direction(motion, d_fraction)) > self._reach:
            return None
        drift = way.drift(assembly)
        moved = None if drift is None else d_fraction * drift
        return PathStep(linearise(assembly, motion, multipliers, moved), d_fraction)

    def advance(self, fraction: float) -> PathPoint:
        """The point after a fraction of the last step."""
        assert self._last is not None
        reached = self._fraction + fraction * self._last.d_fraction
        iterate = Iterate(*self._last.motion.advance(fraction, self._way.inputs(reached)))
        return PathPoint(iterate, reached)

    def report(self, converged: bool) -> Any:
        """Stability and what results keep."""
        inputs = self._way.inputs(self._fraction)
        return Equilibrium(self._assembly, inputs).report(converged)


def path_direction(assembly: Assembly, way: Way, free: Matrix | None = None) -> Direction | None:
    """Direction of the path at the last evaluated state, towards larger λ; None if singular.

    Args:
        assembly: what was evaluated.
        way: the inputs.
        free: rows against motions that are no part of it (``free_rows``).
    """
    slope, gap_slope = input_slope(assembly, way.change)
    active = active_rows(assembly)
    for shift in (0.0, SHIFT):
        if free is None:
            factor = factorised(assembly, shift, definite=False)
        else:
            factor = _without(assembly, free)
        if factor.singular:
            continue
        held = HeldFactor.of(assembly, factor, active)
        motion, change = held.solve(-slope, gap_slope[active])
        if np.isfinite(motion).all():
            return way.unit(Direction(motion, 1.0, _everywhere(change, active)))
    return None


def free_rows(assembly: Assembly, way: Way) -> Matrix | None:
    """Rows against motions that nothing resists and no input on the way drives, None if none are.

    Vᵀ D of the last evaluated state, D the metric: a path that nothing holds along V would drift.
    """
    return undriven_rows(assembly, input_slope(assembly, way.change)[0])


def _without(assembly: Assembly, free: Matrix) -> Factor:
    """The tangent of the last evaluation, with solutions without some motions."""
    factor = regular(assembly)
    return factor if factor.singular else Resting(factor, free)


def null_direction(assembly: Assembly, way: Way) -> Direction | None:
    """The motion that the last evaluated tangent resists least, by inverse iteration."""
    active = active_rows(assembly)
    factor = factorised(assembly, definite=False)
    if factor.singular:
        factor = factorised(assembly, SHIFT, definite=False)
    if factor.singular:
        return None
    held, none = HeldFactor.of(assembly, factor, active), np.zeros(int(active.sum()))
    found = Direction(np.random.default_rng(0).normal(size=assembly.model.n_dof), 0.0)
    for _ in range(INVERSE_ITERATIONS):
        motion, change = held.solve(way.row(found).motion, none)
        if not np.isfinite(motion).all():
            return None
        found = way.unit(Direction(motion, 0.0, _everywhere(change, active)))
    return found


def _everywhere(change: Array, active: NDArray[np.bool_]) -> Array:
    """Changes of all multipliers, from those of the active ones."""
    found = np.zeros(len(active))
    found[active] = change
    return found
