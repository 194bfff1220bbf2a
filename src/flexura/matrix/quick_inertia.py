"""Negative eigenvalues of symmetric bands by pivots without exchanges, checked by a solve.

Where a pivot is small, rounding grows, so that the factors may be those of another matrix. How far
it is away is told by a solve with them: the backward error of the solution for some right side.
"""

import numpy as np

from flexura._kernel import heavy, kernel
from flexura.matrix.band import LONG, back_substitute, half_bandwidth
from flexura.typing import Array

# Backward error, relative to the entries of the equilibrated matrix, that factors may have.
MISSED = 1e-10
# A pivot below this whose column would make others this many times as large loses too many digits.
SMALL, GROWN = 1e-4, 1e8


def quick_inertia(band: Array) -> int | None:
    """How many there are, of a matrix that is off by ``MISSED`` at most; None if it is more."""
    n, h = len(band), int(half_bandwidth(band))
    columns, factors, vectors = np.empty((n, h + 1)), np.empty((n, h + 1)), np.zeros((3, n))
    put = _count if n * h * h < LONG else _count_aside
    count, missed = put(band, columns, factors, vectors)
    return int(count) if missed <= MISSED else None


@kernel
def _count(band: Array, columns: Array, factors: Array, vectors: Array) -> tuple[int, float]:
    """Negative pivots, and the backward error of a solve; ``columns[j, i]`` is entry (j + i, j)."""
    n, width = columns.shape
    scale, right, x = vectors[0], vectors[1], vectors[2]
    _put_equilibrated(band, columns, scale)
    for j in range(n):
        for i in range(width):
            factors[j, i] = columns[j, i]
    count = 0
    for j in range(n):
        own, reach = factors[j], min(width, n - j)
        pivot = own[0]
        if abs(pivot) < SMALL:
            largest = 0.0
            for i in range(1, reach):
                largest = max(largest, abs(own[i]))
            if largest * largest > GROWN * abs(pivot):
                return 0, np.inf
        if pivot < 0.0:
            count += 1
        inverse = 1.0 / pivot
        for i in range(1, reach):
            factor = own[i] * inverse
            if factor != 0.0:
                target, source = factors[j + i], own[i:reach]
                for l in range(len(source)):
                    target[l] -= factor * source[l]
    for j in range(n):  # a right side without any pattern, of entries from 1 to 2
        right[j] = x[j] = 1.0 + (0.618033988749895 * j) % 1.0
    _substitute(factors, x)
    return count, _backward_error(columns, right, x)


@heavy
def _count_aside(band: Array, columns: Array, factors: Array, vectors: Array) -> tuple[int, float]:
    return _count(band, columns, factors, vectors)


@kernel
def _put_equilibrated(band: Array, columns: Array, scale: Array) -> None:
    """The lower half with its largest entries about 1."""
    n, width = columns.shape
    for j in range(n):
        for i in range(width):
            columns[j, i] = band[j, 2 * width - 2 + i]
        for i in range(min(width, n - j)):
            size = abs(columns[j, i])
            scale[j], scale[j + i] = max(scale[j], size), max(scale[j + i], size)
    for j in range(n):
        scale[j] = 1.0 / scale[j] ** 0.5 if scale[j] > 0.0 else 1.0
    for j in range(n):
        for i in range(min(width, n - j)):
            columns[j, i] *= scale[j] * scale[j + i]


@kernel
def _substitute(factors: Array, x: Array) -> None:
    """x = (L D Lᵀ)⁻¹ x; columns of ``factors`` are those of L D."""
    n, width = factors.shape
    for j in range(n):
        own, reach = factors[j], min(width, n - j)
        factor = x[j] / own[0]
        for i in range(1, reach):
            x[j + i] -= factor * own[i]
    back_substitute(factors, x)


@kernel
def _backward_error(columns: Array, right: Array, x: Array) -> float:
    """Largest |b - A x| over the largest |x|, of entries up to 1; b is overwritten."""
    n, width = columns.shape
    for j in range(n):
        own, reach, total = columns[j], min(width, n - j), columns[j, 0] * x[j]
        for i in range(1, reach):
            total += own[i] * x[j + i]
            right[j + i] -= own[i] * x[j]
        right[j] -= total
    missed = largest = 0.0
    for j in range(n):
        missed = max(missed, abs(right[j])) if right[j] == right[j] else np.inf
        largest = max(largest, abs(x[j]))
    return missed / max(largest, 1.0)
