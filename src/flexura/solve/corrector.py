"""Newton's method for an equilibrium and its place on a path of inputs at once.

    [ K   f ] [ dq ]     [ r ]
    [ aᵀ  c ] [ dλ ] = - [ 0 ]            K = ∂r/∂q,   f = ∂r/∂λ

The row (a, c) keeps a corrector in the plane across the path, where Riks and Keller look for its
next point: it is regular at a limit point, where K is not. The row (0, 1) keeps λ.
"""

import math
from dataclasses import dataclass

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.inputs import Inputs
from flexura.model.model import Model
from flexura.model.state import State
from flexura.solve.linear import AnyFactor, factorise_tangent, shift_diagonal
from flexura.solve.newton import MAX_ROTATION, SHIFT, Newton, Step
from flexura.typing import Array

# Differences of λ for derivatives by poses and angles, where the residual is curved: their square
# and rounding over them are both far below what Newton needs.
STENCIL = (-1e-5, 1e-5)
# Each iteration suppresses other motions by the ratio of the smallest eigenvalue to theirs, which
# is below 1e-3 even where a bifurcation cannot be located closely.
INVERSE_ITERATIONS = 5


@dataclass(frozen=True)
class Direction:
    """A direction in the space of (q, λ), or a row against it.

    Attributes:
        motion: along the unknowns of the model, (n_dof,).
        load: along λ.
    """

    motion: Array
    load: float

    def __neg__(self) -> "Direction":
        return Direction(-self.motion, -self.load)

    def __matmul__(self, other: "Direction") -> float:
        return float(self.motion @ other.motion + self.load * other.load)


class Way:
    """Inputs on the line from ``begin``, λ = 0, to ``end``, λ = 1.

    Lengths are those of rotations [rad], of translations over the length and of strains times
    it, as a mean over all unknowns that are no multipliers, and of λ.
    """

    def __init__(self, model: Model, begin: Inputs, end: Inputs) -> None:
        self.model, self.begin, self.end = model, begin, end
        self.symmetric = model.conservative(begin) and model.conservative(end)
        layout = model.layout
        moves = ~layout.multiplier
        units = layout.units * model.length
        self._weight = np.where(moves, 1.0 / units**2, 0.0) / max(1, np.count_nonzero(moves))
        self._posed = bool((begin.pose != end.pose).any() or (begin.drive != end.drive).any())
        self._aside = Assembly(model)

    def inputs(self, fraction: float) -> Inputs:
        """The inputs at λ."""
        return self.begin.towards(self.end, fraction)

    def row(self, direction: Direction) -> Direction:
        """The row that gives the product of lengths with a direction."""
        return Direction(self._weight * direction.motion, direction.load)

    def length(self, direction: Direction) -> float:
        """Length of a direction."""
        return math.sqrt(self.row(direction) @ direction)

    def unit(self, direction: Direction) -> Direction:
        """The direction with length 1."""
        size = self.length(direction)
        return Direction(direction.motion / size, direction.load / size)

    def slope(self, assembly: Assembly, fraction: float) -> Array:
        """f = ∂r/∂λ where an assembly was last evaluated, (n_dof,).

        Loads and tensions are linear in λ: then any difference is exact.
        """
        if not self._posed:
            return self._residual(assembly.state, fraction + 1.0) - assembly.residual
        low, high = (self._residual(assembly.state, fraction + h) for h in STENCIL)
        return (high - low) / (STENCIL[1] - STENCIL[0])

    def drift(self, state: State, fraction: float) -> Array | None:
        """How the nodes move with λ while the unknowns rest, (n_nodes, 6); None if they do not."""
        if not self._posed:
            return None
        before, after = (
            self.model.layout_at(self.inputs(fraction + h)).nodes(state.poses) for h in STENCIL
        )
        return np.asarray(se3.log(se3.inverse(before) @ after) / (STENCIL[1] - STENCIL[0]))

    def _residual(self, state: State, fraction: float) -> Array:
        """Residual at λ, with the state as it is."""
        self._aside.evaluate(state, self.inputs(fraction))
        return self._aside.residual.copy()


class Corrector(Newton):
    """Newton's method from a predicted point of a path back to the path.

    Attributes:
        fraction: λ, which moves with the iteration.
    """

    def __init__(
        self, assembly: Assembly, way: Way, fraction: float, row: Direction, reach: float
    ) -> None:
        """Prepare an iteration.

        Args:
            assembly: work space.
            way: the inputs.
            fraction: λ of the predicted point.
            row: (a, c), of the plane that the correction stays in.
            reach: a longer correction leads elsewhere, and the iteration gives up.
        """
        super().__init__(assembly, way.inputs(fraction))
        self.symmetric = way.symmetric
        self.fraction = fraction
        self._way, self._row, self._reach = way, row, reach
        self._d_fraction = 0.0

    def _step(self) -> Step | None:
        """A step of Newton's method; None if it is longer than the reach."""
        step = super()._step()
        if step is None or step.rotation > MAX_ROTATION:
            return None
        size = self._way.length(Direction(step.increments, self._d_fraction))
        return step if size <= self._reach else None

    def _solve(self, shift: float) -> Step | None:
        """The step within the plane; None if there is no finite one."""
        assembly = self.assembly
        factor = factorised(assembly, self.symmetric, shift)
        if factor.singular:
            return None
        force = self._way.slope(assembly, self.fraction)
        back, along = factor.solve(np.asfortranarray(np.stack([assembly.residual, force]).T)).T
        a, c = self._row.motion, self._row.load
        change = float(a @ back) / (c - float(a @ along))
        increments = -back - change * along
        if not (np.isfinite(change) and np.isfinite(increments).all()):
            return None
        self._d_fraction = change
        drift = self._way.drift(assembly.state, self.fraction)
        moved = None if drift is None else change * drift
        rotation, size = assembly.linearise(increments, drift=moved)
        return Step(increments, rotation, max(size, abs(change)))

    def _advance(self, fraction: float) -> State:
        """Take a fraction of the step, in λ too."""
        self.fraction += fraction * self._d_fraction
        self.inputs = self._way.inputs(self.fraction)
        return self.assembly.predict(fraction, self.inputs)


def factorised(assembly: Assembly, symmetric: bool, shift: float = 0.0) -> AnyFactor:
    """The tangent of the last evaluation, shifted in place and factorised."""
    tangent = assembly.tangent
    shift_diagonal(tangent.band, tangent.corner, assembly.layout.multiplier, shift)
    return factorise_tangent(tangent, symmetric, assembly.layout.n_multipliers)


def path_direction(assembly: Assembly, way: Way, fraction: float) -> Direction | None:
    """Direction of the path at the last evaluated state, towards larger λ; None if singular."""
    force = way.slope(assembly, fraction)
    for shift in (0.0, SHIFT):
        factor = factorised(assembly, False, shift)
        motion = np.full(1, np.nan) if factor.singular else -factor.solve(force)
        if np.isfinite(motion).all():
            return way.unit(Direction(motion, 1.0))
    return None


def null_direction(assembly: Assembly, way: Way) -> Direction | None:
    """The motion that the last evaluated tangent resists least, by inverse iteration."""
    factor = factorised(assembly, False)
    if factor.singular:
        factor = factorised(assembly, False, SHIFT)
    found = Direction(np.random.default_rng(0).normal(size=assembly.model.n_dof), 0.0)
    for _ in range(INVERSE_ITERATIONS):
        motion = np.asarray(factor.solve(way.row(found).motion))
        if factor.singular or not np.isfinite(motion).all():
            return None
        found = way.unit(Direction(motion, 0.0))
    return found
