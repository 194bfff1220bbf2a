"""The motions that joints, ties and constraints leave, and those that inputs make through them."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import svd

from flexura.solve.linear.small_motion import SmallMotion
from flexura.typing import Matrix

# Rows of constraints that depend on others do so but for rounding.
DEPENDENT = 1e-10


@dataclass(frozen=True, eq=False)
class Independent:
    """Independent unknowns z of small motions: q = Z z for all that moves.

    Attributes:
        basis: Z, (n_dof, n); zero for multipliers.
        dual: forces that do work along one of them each, dualᵀ Z = 1, (n_dof, n).
        closing: motions that close a gap of one each, as far as that can be, (n_dof, k).
    """

    basis: Matrix
    dual: Matrix
    closing: Matrix


def independent(motion: SmallMotion) -> Independent:
    """Independent unknowns; where nothing holds any, they are the unknowns themselves."""
    layout, forces = motion.assembly.layout, motion.moving.forces
    moves = np.flatnonzero(~layout.multiplier)
    rows = constraint_rows(motion)
    basis, dual = np.zeros((2, layout.n_dof, len(moves)))
    basis[moves, range(len(moves))] = dual[moves, range(len(moves))] = 1.0
    if not len(rows):
        return Independent(basis, dual, np.zeros((layout.n_dof, 0)))
    held = layout.multiplier & ~forces
    units, size = layout.units[moves], np.ones(len(rows))
    size[: int(held.sum())] = layout.units[held]
    size[int(held.sum()) :] = 1.0 / motion.moving.model.length
    scaled = size[:, None] * rows[:, moves] * units
    bound = scaled.any(axis=0)  # the others stay what they are
    left, singular, right = svd(scaled[:, bound])
    rank = int(np.count_nonzero(singular > DEPENDENT * singular.max(initial=0.0)))
    own = np.zeros((len(moves), len(moves) - rank))
    loose = int(np.count_nonzero(~bound))
    own[np.flatnonzero(~bound), range(loose)] = 1.0
    own[bound, loose:] = right[rank:].T
    inverse = np.zeros((len(moves), len(rows)))
    inverse[bound] = right[:rank].T / singular[:rank] @ left[:, :rank].T
    closing = np.zeros((layout.n_dof, len(rows)))
    closing[moves] = units[:, None] * inverse * size
    return Independent(
        basis @ (units[:, None] * own),
        dual @ (own / units[:, None]),
        closing,
    )


def constraint_rows(motion: SmallMotion) -> Matrix:
    """Rows of all that holds and does not give: joints and ties, then tendons, (k, n_dof)."""
    layout = motion.assembly.layout
    held = np.flatnonzero(layout.multiplier & ~motion.moving.forces)
    rigid = motion.rows[motion.give == 0.0]
    if not len(held):
        return np.asarray(rigid)
    matrix = motion.structure.sparse(motion.stiffness)
    return np.asarray(np.concatenate([matrix[held].toarray(), rigid]))
