"""Stability by the inertia of the tangent."""

import numpy as np

from flexura.matrix.structure import Structure
from flexura.typing import Array, Matrix

# Eigenvalues of a complement that are smaller than this part of the largest are zero: where more
# constraints hold than there are motions, rows depend on each other.
NOTHING = 1e-12


def is_stable(
    structure: Structure,
    values: Array,
    symmetric: bool,
    multipliers: int = 0,
    held: Matrix | None = None,
    pushes: int = 0,
) -> bool | None:
    """Whether small motions are pushed back, as far as the tangent can tell.

    A symmetric tangent (loads with a potential) tells all: stable if and only if it is positive
    definite, on the motions that the constraints allow; with m multipliers, if it has exactly m
    negative eigenvalues. An unsymmetric one is stable if its symmetric part is positive definite,
    and unstable if its determinant has the wrong sign; in between, mass and damping would decide,
    and the answer is None.

    Args:
        structure: of the matrix.
        values: its entries.
        symmetric: whether it is.
        multipliers: how many of its unknowns are multipliers.
        held: Schur complement of further constraints, which have multipliers of their own.
        pushes: how many of these are springs of negative stiffness.
    """
    if held is not None and not symmetric:
        return None
    found = structure.inertia(values if symmetric else structure.symmetric_part(values))
    if found is not None and held is not None:
        found = held_inertia(found, held, pushes)
    if symmetric:
        return None if found is None else found == multipliers
    if found == multipliers:
        return True
    factor = structure.factorise(values, definite=False)
    if factor.singular:
        return None
    return False if factor.sign == (-1) ** (multipliers + 1) else None


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
    return negative + pushes - int(np.count_nonzero(values < -NOTHING * np.abs(values).max()))
