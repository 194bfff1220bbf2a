"""The tangent matrix: a band, and a border of unknowns that many parts of a robot share.

    [ band    right  ]
    [ below   corner ]

A chain needs the band only. The pose of a platform that many rods hold would make the band wide;
in the border it costs a column for each of its six numbers.
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import inline, kernel
from flexura.typing import Array


class Tangent(NamedTuple):
    """A matrix of n unknowns, the last m of them in the border.

    Attributes:
        band: LAPACK's general band storage, transposed: ``band[j, 2h + i - j]`` is entry (i, j),
            (n - m, 3h + 1).
        right: entries (i, n - m + j), (n - m, m).
        below: entries (n - m + i, j), (m, n - m).
        corner: entries (n - m + i, n - m + j), (m, m).
    """

    band: Array
    right: Array
    below: Array
    corner: Array

    @property
    def half_bandwidth(self) -> int:
        """h."""
        return int(self.band.shape[1] - 1) // 3

    def clear(self) -> None:
        """Set all entries to zero."""
        _clear(*self)

    def dense(self) -> Array:
        """All entries in a square matrix."""
        h, n = self.half_bandwidth, len(self.band)
        whole = np.zeros((n + len(self.corner),) * 2)
        for j in range(n):
            rows = np.arange(max(0, j - h), min(n, j + h + 1))
            whole[rows, j] = self.band[j, 2 * h + rows - j]
        whole[:n, n:], whole[n:, :n], whole[n:, n:] = self.right, self.below, self.corner
        return whole

    def symmetric_part(self) -> "Tangent":
        """Half the sum of the matrix and its transpose."""
        h, n = self.half_bandwidth, len(self.band)
        band = self.band.copy()
        for d in range(1, min(h + 1, n)):
            mean = 0.5 * (band[: n - d, 2 * h + d] + band[d:, 2 * h - d])
            band[: n - d, 2 * h + d] = band[d:, 2 * h - d] = mean
        right = 0.5 * (self.right + self.below.T)
        return Tangent(band, right, right.T.copy(), 0.5 * (self.corner + self.corner.T))


def band_tangent(band: Array) -> Tangent:
    """A matrix without a border."""
    n = len(band)
    return Tangent(band, np.empty((n, 0)), np.empty((0, n)), np.empty((0, 0)))


def new_tangent(n_dof: int, n_border: int, half_bandwidth: int) -> Tangent:
    """A matrix of zeros."""
    n = n_dof - n_border
    return Tangent(
        np.zeros((n, 3 * half_bandwidth + 1)),
        np.zeros((n, n_border)),
        np.zeros((n_border, n)),
        np.zeros((n_border, n_border)),
    )


# Kernels take the four arrays one by one.


@kernel
def _clear(band, right, below, corner):
    """Set all entries of a tangent to zero."""
    band[:] = 0.0
    right[:] = 0.0
    below[:] = 0.0
    corner[:] = 0.0


@inline
def add_entry(band, right, below, corner, row, column, value):
    """Add to one entry."""
    n = len(band)
    if row < n and column < n:
        band[column, 2 * ((band.shape[1] - 1) // 3) + row - column] += value
    elif row < n:
        right[row, column - n] += value
    elif column < n:
        below[row - n, column] += value
    else:
        corner[row - n, column - n] += value


@inline
def add_rectangle(band, right, below, corner, row, column, matrix):
    """Add a rectangle of entries whose corner is (row, column); it lies in one of the parts."""
    n = len(band)
    rows, columns = matrix.shape
    if row < n and column < n:
        shift = 2 * ((band.shape[1] - 1) // 3) + row - column
        for j in range(columns):
            for i in range(rows):
                band[column + j, shift + i - j] += matrix[i, j]
    elif row < n:
        for i in range(rows):
            for j in range(columns):
                right[row + i, column - n + j] += matrix[i, j]
    elif column < n:
        for i in range(rows):
            for j in range(columns):
                below[row - n + i, column + j] += matrix[i, j]
    else:
        for i in range(rows):
            for j in range(columns):
                corner[row - n + i, column - n + j] += matrix[i, j]
