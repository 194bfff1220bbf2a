"""Newton's method on the projections of Alart and Curnier, λ = P(λ - ρ w) [Alart1991]."""

from typing import NamedTuple

import numpy as np

from flexura.solve.cone import projection_kernels as kernels
from flexura.solve.cone.rows import Rows
from flexura.typing import Array, Matrix

# The problem is solved where projections miss by this part of the largest multiplier.
SOLVED = 1e-11
ITERATIONS = 15
# Halvings of a step that does not bring the solution nearer.
HALVINGS = 8


class _Projected(NamedTuple):
    """Multipliers and where they are projected to.

    Attributes:
        x: λ, (n,).
        p: their projections, (n,).
        y: what was projected, λ - ρ w, (n,).
        missed: by how much they differ, all together.
        most: the most of all.
        largest: multiplier or projection.
    """

    x: Array
    p: Array
    y: Array
    missed: float
    most: float
    largest: float

    @property
    def solved(self) -> bool:
        """Whether they differ by no more than rounding."""
        return self.most <= SOLVED * self.largest

    @property
    def residual(self) -> float:
        """By how much they differ, relative to the largest one."""
        if not np.isfinite(self.largest):  # sweeps may diverge
            return float("inf")
        return self.most / self.largest if self.largest > 0.0 else 0.0


class Projections:
    """The projections of a cone problem."""

    def __init__(self, W: Matrix, b: Array, rows: Rows) -> None:
        """Prepare them.

        Args:
            W: compliance, (n, n).
            b: gaps and ways without multipliers, (n,).
            rows: what each row is.
        """
        self._W, self._b, self._rows = np.ascontiguousarray(W), b, rows
        diagonal = np.abs(np.diag(W))
        self._rho = 1.0 / np.where(diagonal > 0.0, diagonal, 1.0)
        n = rows.normal
        along = 2.0 / (diagonal[n + 1] + diagonal[n + 2]) if len(n) else np.empty(0)
        self._rho[n + 1] = self._rho[n + 2] = along

    def _projected(self, x: Array) -> _Projected:
        """Where multipliers are projected to."""
        p, y, rows = np.empty_like(x), np.empty_like(x), self._rows
        found = kernels.project(self._W, self._b, self._rho, rows.normal, rows.friction, x, p, y)
        return _Projected(x, p, y, *found)

    def open(self, x: Array) -> Array:
        """The same with nothing, not even rounding, where nothing touches."""
        found, n = np.array(x), self._rows.normal
        none = self._projected(x).y <= 0.0
        single, normal = self._rows.single, n[none[n]]
        found[single[none[single]]] = 0.0
        for i in range(3):
            found[normal + i] = 0.0
        return found

    def missed(self, x: Array) -> float:
        """By how much projections miss, relative to the largest multiplier."""
        return self._projected(x).residual

    def newton(self, x: Array, least: int = 0) -> tuple[Array, int, float]:
        """Iterate from a guess, so often at least; what was found, steps, by how much it misses."""
        now = self._projected(x)
        for k in range(ITERATIONS):
            if now.solved and k >= least:
                return now.x, k, now.residual
            try:
                step = self._step(now)
            except np.linalg.LinAlgError:
                return now.x, k, now.residual
            if not np.isfinite(step).all():
                return now.x, k, now.residual
            now = self._further(now, step)
        return now.x, ITERATIONS, now.residual

    def _further(self, now: _Projected, step: Array) -> _Projected:
        """A part of a step that brings the solution nearer, or all of it.

        Which rows hold may have to get worse before it gets better.
        """
        part = 1.0
        for _ in range(HALVINGS):
            tried = self._projected(now.x + part * step)
            if part == 1.0:
                whole = tried
            if tried.missed <= (1.0 - 0.1 * part) * now.missed:
                return tried
            part *= 0.5
        return whole

    def _step(self, now: _Projected) -> Array:
        """Newton's step: rows of what is open have ones, and drop out."""
        n, rows = len(now.x), self._rows
        A, right, own = np.empty((n, n)), np.empty(n), np.empty(n, dtype=np.int64)
        m = kernels.newton_equations(
            self._W, self._rho, rows.normal, rows.friction, *now[:3], A, right, own
        )
        step = now.p - now.x
        step[own[:m]] = np.linalg.solve(A[:m, :m], right[:m])
        return step
