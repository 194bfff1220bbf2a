"""Compiled part of ``equilibrium``."""

import numpy as np
from numpy.typing import NDArray

from flexura._kernel import kernel
from flexura.typing import Array, Indices

EPS = float(np.finfo(float).eps)


@kernel
def shift_diagonal(
    values: Array, diagonal: Indices, multiplier: NDArray[np.bool_], shift: float
) -> None:
    """Make motions without resistance, and undetermined multipliers, determined.

    Diagonal entries of motions grow by the part ``shift`` of themselves. Multipliers get, with the
    other sign, the same part, at least that of rounding, of the inverse of the mean of the others.
    """
    total, count = 0.0, 0
    for i in range(len(multiplier)):
        if not multiplier[i]:
            entry = values[diagonal[i]]
            total += abs(entry)
            count += 1
            values[diagonal[i]] += shift * entry
    mean = total / count if total > 0.0 else 1.0
    for i in range(len(multiplier)):
        if multiplier[i]:
            values[diagonal[i]] -= max(shift, EPS) / mean


@kernel
def negate(
    dq: Array, residual: Array, units: Array, multiplier: NDArray[np.bool_]
) -> tuple[bool, float, float]:
    """Change all signs; whether all numbers are finite, and their ``resistance`` then."""
    largest = 0.0
    for i in range(len(dq)):
        largest = max(largest, abs(dq[i] - dq[i]))
        dq[i] = -dq[i]
    work, square = resistance(dq, residual, units, multiplier)
    return largest == 0.0, work, square


@kernel
def resistance(
    dq: Array, residual: Array, units: Array, multiplier: NDArray[np.bool_]
) -> tuple[float, float]:
    """dqᵀ K dq of the motions of a Newton step, from its right side, and dqᵀ D dq.

    A dq + Bᵀ dμ = -r and B dq = -gap, so dqᵀ A dq = -dqᵀ r + dμᵀ gap.
    """
    work, square = 0.0, 0.0
    for i in range(len(dq)):
        if multiplier[i]:
            work += dq[i] * residual[i]
        else:
            work -= dq[i] * residual[i]
            square += (dq[i] / units[i]) ** 2
    return work, square


@kernel
def add_margin(
    values: Array,
    diagonal: Indices,
    units: Array,
    multiplier: NDArray[np.bool_],
    stiffness: float,
    give: float,
) -> None:
    """Let motions resist by more, and multipliers give by more, in the units of forces."""
    for i in range(len(diagonal)):
        more = -give if multiplier[i] else stiffness
        values[diagonal[i]] += more / (units[i] * units[i])


@kernel
def products(values: Array, rows: Indices, columns: Indices, motions: Array, out: Array) -> None:
    """Add K V, for a matrix by its entries."""
    for e in range(len(values)):
        i, j = rows[e], columns[e]
        if i >= 0 and values[e] != 0.0:
            for k in range(motions.shape[1]):
                out[i, k] += values[e] * motions[j, k]
