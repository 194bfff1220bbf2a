"""Steps of models with constraints: the small problem in rows K⁻¹ rowsᵀ, and what follows from it.

K dq + rowsᵀ dλ = -r,      gap - rows dq + compliance dλ = 0 where the constraint holds
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.slips import Slips
from flexura.solve.cone.complementarity import TRIFLE, solve_cone
from flexura.solve.contact.holding import HeldRows, held_rows
from flexura.solve.contact.touching import Stepping
from flexura.typing import Array, Matrix, frozen

NOTHING: NDArray[np.bool_] = frozen(np.empty(0, dtype=np.bool_))
# Eigenvalues of a complement that are smaller than this part of the largest are zero: where more
# constraints hold than there are motions, rows depend on each other.
DEPENDENT = 1e-12
NO_COMPLIANCE: Matrix = frozen(np.empty((0, 0)))


def active_rows(assembly: Assembly) -> NDArray[np.bool_]:
    """Which constraints hold at the last evaluated state, (n_rows,)."""
    return active_at(assembly, assembly.state.multipliers[: len(assembly.gap)])


def active_at(assembly: Assembly, multipliers: Array) -> NDArray[np.bool_]:
    """Which constraints hold with given multipliers, (n_rows,)."""
    if not len(multipliers):
        return NOTHING
    return np.asarray(assembly.equal | (multipliers > 0.0))


def constrained_step(
    assembly: Assembly,
    factor: Factor,
    increments: Array,
    gap: Array | None = None,
    stepping: Stepping | None = None,
) -> tuple[Array, Array]:
    """Newton's step with all constraints in their cones.

    Args:
        assembly: what was evaluated.
        factor: of its tangent.
        increments: -K⁻¹ r.
        gap: that shall close, (n_rows,); that of the assembly if None.
        stepping: keeps the small problem of contacts for steps with the same factor.

    Returns:
        Increments of the unknowns and of the multipliers.
    """
    if assembly.touch is not None:
        stepping = Stepping() if stepping is None else stepping
        return stepping.step(assembly, factor, increments, gap)
    rows, before = assembly.rows, assembly.state.multipliers
    moved = factor.solve(np.asfortranarray(rows.T))
    compliance = _with_diagonal(rows @ moved, assembly.compliance)
    b = (assembly.gap if gap is None else gap) - rows @ increments - compliance @ before
    if not np.isfinite(compliance.sum() + b.sum()):
        return np.full_like(increments, np.nan), before
    change = solve_cone(compliance, b, assembly.equal) - before
    return increments - moved @ change, change


@dataclass(frozen=True, eq=False)
class HeldFactor:
    """A factorised tangent together with the constraints that hold, and contacts that press.

    Attributes:
        factor: of the tangent.
        rows: of those constraints, then of contacts, then others that hold, (k, n_dof).
        moved: K⁻¹ columnsᵀ.
        compliance: rows K⁻¹ columnsᵀ and their own, (k, k).
        pushes: how many rows are springs that push instead of holding, and give less than nothing.
        touched: rows of contacts, if there are any.
        held: how many constraints hold.
    """

    factor: Factor
    rows: Matrix
    moved: Matrix
    compliance: Matrix
    pushes: int = 0
    touched: HeldRows | None = None
    held: int = 0

    @classmethod
    def of(
        cls,
        assembly: Assembly,
        factor: Factor,
        active: NDArray[np.bool_],
        others: Matrix | None = None,
        slip: Slips | None = None,
        springs: Array | None = None,
        stuck: bool = False,
    ) -> "HeldFactor":
        """With the active constraints, what presses, and other rows that hold.

        Args:
            assembly: what was evaluated.
            factor: of its tangent.
            active: constraints that hold, (n_rows,).
            others: rows that hold besides, (m, n_dof).
            slip: how far pairs have slid; see ``held_rows``.
            springs: what other rows give, if they do, (m,).
            stuck: whether friction has no limit; see ``held_rows``.
        """
        if assembly.touch is None and others is None and not np.count_nonzero(active):
            none = assembly.rows[:0]
            return cls(factor, none, none.T, NO_COMPLIANCE)
        rows, give = assembly.rows[active], assembly.compliance[active]
        columns, touched = rows, None
        if assembly.touch is not None:
            touched = held_rows(assembly, assembly.touch, slip, stuck)
            columns = np.concatenate([rows, touched.columns])
            rows, give = np.concatenate([rows, touched.rows]), np.append(give, touched.give)
        if others is not None:
            columns, rows = np.concatenate([columns, others]), np.concatenate([rows, others])
            give = np.append(give, np.zeros(len(others)) if springs is None else springs)
        moved = factor.solve(np.asfortranarray(columns.T)) if len(rows) else rows.T
        pushes = int(np.count_nonzero(give < 0.0))
        compliance, held = _with_diagonal(rows @ moved, give), int(np.count_nonzero(active))
        return cls(factor, rows, moved, compliance, pushes, touched, held)

    @property
    def columns(self) -> Matrix:
        """What multipliers exert, (k, n_dof): of all that has a potential, as their rows."""
        if self.touched is None:
            return self.rows
        found = self.rows.copy()
        found[self.held :][: len(self.touched.columns)] = self.touched.columns
        return found

    def solve(self, right: Array, gap: Array) -> tuple[Array, Array]:
        """dq and dλ of the active constraints.

        K dq + columnsᵀ dλ = right,   rows dq - compliance dλ = gap
        """
        dq, change = self.solve_whole(right, gap)
        return dq, change[: len(gap)]

    def solve_whole(self, right: Array, gap: Array) -> tuple[Array, Array]:
        """The same, with dλ of all rows."""
        dq = np.asarray(self.factor.solve(right))
        if not len(self.rows):
            return dq, gap
        moves = self.rows @ dq
        moves[: len(gap)] -= gap
        if not (np.isfinite(moves).all() and np.isfinite(self.compliance).all()):
            return np.full_like(dq, np.nan), np.full_like(moves, np.nan)
        change = np.linalg.lstsq(self.compliance, moves, rcond=TRIFLE)[0]
        return dq - self.moved @ change, np.asarray(change, dtype=np.float64)

    def solve_transposed(self, right: Array) -> tuple[Array, Array]:
        """y and μ of the transposed system.

        Kᵀ y + rowsᵀ μ = right,   columns y - compliance μ = 0
        """
        y = np.asarray(self.factor.solve_transposed(right))
        if not len(self.rows):
            return y, np.zeros((0, *right.shape[1:]))
        held = np.linalg.lstsq(self.compliance.T, self.columns @ y, rcond=TRIFLE)[0]
        moved = self.factor.solve_transposed(np.asfortranarray(self.rows.T))
        return y - moved @ held, np.asarray(held, dtype=np.float64)


def _with_diagonal(matrix: Matrix, diagonal: Array) -> Matrix:
    """The matrix, with more on its diagonal."""
    matrix.flat[:: len(matrix) + 1] += diagonal
    return matrix


def held_inertia(negative: int, held: Matrix, pushes: int) -> int:
    """Negative eigenvalues of a tangent on the motions that further constraints leave.

    Those of the whole are those of the tangent and of minus the complement, but for what springs
    that push have of their own.

    Args:
        negative: eigenvalues of the tangent below zero.
        held: Schur complement of the constraints, (k, k).
        pushes: how many of these are springs of negative stiffness.
    """
    if not len(held):
        return negative
    values = np.linalg.eigvalsh(0.5 * (held + held.T))
    return negative + pushes - int(np.count_nonzero(values < -DEPENDENT * np.abs(values).max()))
