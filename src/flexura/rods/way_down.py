"""A step downhill for few unknowns and multipliers, wherever it begins.

Motions z that keep the constraints C q = -c to first order are those of the null space of C. There
the tangent has eigenvalues λ, seen in a metric in which a rod alone has about 1, and Newton's step
by |λ| instead of λ goes downhill to where all of them are positive: a minimum.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.typing import Array, Matrix

# Ends on one line leave a round rod free to turn about it: so small a resistance picks one shape.
FREE = 1e-8


class WayDown(NamedTuple):
    """Where to go.

    Attributes:
        step: of unknowns and multipliers, (n,).
        aside: the motion that gives way most, if one does; no force need drive along it, (n,).
    """

    step: Array
    aside: Array | None


def newton_step(matrix: Matrix, residual: Array, multiplier: NDArray[np.bool_]) -> Array:
    """Newton's step, to whatever equilibrium is near; arguments as for ``way_down``."""
    matrix = matrix.copy()
    matrix.ravel()[:: len(matrix) + 1] *= np.where(multiplier, 1.0, 1.0 + FREE)
    return np.asarray(np.linalg.solve(matrix, -residual))


def way_down(matrix: Matrix, residual: Array, multiplier: NDArray[np.bool_]) -> WayDown:
    """The step that lowers the energy and closes gaps.

    Args:
        matrix: tangent, with the rows C of the constraints, (n, n).
        residual: forces and gaps c, (n,).
        multiplier: which unknowns are multipliers, (n,).

    Raises:
        LinAlgError: if there is none.
    """
    moves, held = np.flatnonzero(~multiplier), np.flatnonzero(multiplier)
    tangent, rows = matrix[np.ix_(moves, moves)], matrix[np.ix_(held, moves)]
    unit = 1.0 / np.sqrt(np.abs(tangent.diagonal()))
    tangent, rows = unit[:, None] * tangent * unit, rows * unit
    basis, triangle = np.linalg.qr(rows.T, mode="complete")
    ranged, null = basis[:, : len(held)], basis[:, len(held) :]
    closing = -ranged @ np.linalg.solve(triangle[: len(held)].T, residual[held])
    stiffness, modes = np.linalg.eigh(null.T @ tangent @ null)
    force = unit * residual[moves] + tangent @ closing
    modes = null @ modes
    motion = closing - modes @ (modes.T @ force / np.maximum(np.abs(stiffness), FREE))
    pull = -ranged.T @ (unit * residual[moves] + tangent @ motion)
    step = np.empty(len(matrix))
    step[moves], step[held] = unit * motion, np.linalg.solve(triangle[: len(held)], pull)
    aside = None
    if stiffness[0] < -FREE:
        aside = np.zeros(len(matrix))
        aside[moves] = unit * modes[:, 0]
    return WayDown(step, aside)
