"""Whether a symmetric band matrix with multipliers is that of something stable: a quick look.

    M = [ A  Bᵀ ]      has as many negative eigenvalues as multipliers,
        [ B  -C ]      if A + Bᵀ C⁻¹ B is positive definite

With a larger C less is added: where that is enough, the smaller one is, too. So multipliers that
give little or nothing are taken to give more, so that Cholesky's factors, which need no exchanges,
keep their digits.
"""

import numpy as np
from numpy.typing import NDArray

from flexura._kernel import heavy, inline, kernel
from flexura.matrix.band import LONG, half_bandwidth
from flexura.typing import Array, Indices

# Ties are this many times as stiff as the softest of what they tie: rounding grows by as much, and
# what is as near as that to buckling is left to others.
STIFF = 1e4
# Of what a multiplier ties, this part of the most is rounding, and tells nothing of stiffness.
NOISE = 1e-9


def surely_definite(band: Array, multiplier: NDArray[np.bool_]) -> bool:
    """Whether all motions that multipliers allow meet resistance; False where that is not sure."""
    n, h = len(band), int(half_bandwidth(band))
    columns, met, size = np.empty((n, h + 1)), np.empty(2 * h + 1, dtype=np.int64), np.empty(n)
    put = _definite if n * h * h < LONG else _definite_aside
    return bool(put(band, multiplier, columns, met, size))


@kernel
def _definite(
    band: Array, multiplier: NDArray[np.bool_], columns: Array, met: Indices, size: Array
) -> bool:
    """Tie, and see whether there are factors; ``columns[j, i]`` is entry (j + i, j)."""
    n, width = columns.shape
    for j in range(n):
        if multiplier[j] and _tie_each_other(j, band, multiplier):
            return False
    softest, stiffest = np.inf, 0.0
    for j in range(n):
        size[j] = band[j, 2 * width - 2]
        if size[j] > 0.0 and not multiplier[j]:
            softest, stiffest = min(softest, size[j]), max(stiffest, size[j])
        if multiplier[j]:
            columns[j, :] = 0.0
            columns[j, 0] = 1.0
            continue
        for i in range(width):
            columns[j, i] = band[j, 2 * width - 2 + i]
    for j in range(n):
        if multiplier[j] and not _tie(j, band, columns, met, size, softest, stiffest):
            return False
    return _has_factors(columns)


@inline
def _tie_each_other(j: int, band: Array, multiplier: NDArray[np.bool_]) -> bool:
    """Whether a multiplier interacts with others."""
    n, h = len(band), half_bandwidth(band)
    for i in range(max(0, j - h), min(n, j + h + 1)):
        if multiplier[i] and i != j and band[j, 2 * h + i - j] != 0.0:
            return True
    return False


@inline
def _tie(
    j: int, band: Array, columns: Array, met: Indices, size: Array, softest: float, stiffest: float
) -> bool:
    """Add b bᵀ/c of a multiplier to what it ties; whether that can be done within the band.

    Where nothing that it ties is stiff by itself, it is as stiff as the softest of all; and where
    it hardly ties what is, no stiffer than the stiffest of all.
    """
    n, width = columns.shape
    first = j - 2 * (width - 1)
    own, count, least, most = band[j], 0, np.inf, 0.0
    begin, end = max(0, j - width + 1), min(n, j + width)
    for i in range(begin, end):
        if i != j:
            most = max(most, abs(own[i - first]))
    for i in range(begin, end):
        b = own[i - first]
        if b == 0.0 or i == j:
            continue
        met[count] = i
        count += 1
        if i < j:
            columns[i, j - i] = 0.0
        if size[i] > 0.0 and abs(b) > NOISE * most:
            least = min(least, size[i] / (b * b))
    if not least < np.inf:
        least = softest / (most * most)
    stiff = STIFF * min(least, stiffest / (most * most))
    if size[j] < 0.0:
        stiff = min(stiff, -1.0 / size[j])
    if count == 0 or met[count - 1] - met[0] >= width or not stiff < np.inf:
        return False
    for k in range(count):
        target, factor = columns[met[k]], stiff * own[met[k] - first]
        for l in range(k, count):
            target[met[l] - met[k]] += factor * own[met[l] - first]
    return True


@inline
def _has_factors(columns: Array) -> bool:
    """Whether there are those of Cholesky; in place."""
    n, width = columns.shape
    for j in range(n):
        own, reach = columns[j], min(width, n - j)
        while reach > 1 and own[reach - 1] == 0.0:
            reach -= 1
        if not own[0] > 0.0:
            return False
        over = 1.0 / own[0]
        for i in range(1, reach):
            factor = own[i] * over
            if factor != 0.0:
                target, source = columns[j + i], own[i:reach]
                for l in range(len(source)):
                    target[l] -= factor * source[l]
    return True


@heavy
def _definite_aside(
    band: Array, multiplier: NDArray[np.bool_], columns: Array, met: Indices, size: Array
) -> bool:
    return _definite(band, multiplier, columns, met, size)
