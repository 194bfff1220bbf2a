"""The tangent matrix: a band, and a border of unknowns that many parts of a robot share.

    [ band    right  ]
    [ below   corner ]

A chain needs the band only. The pose of a platform that many rods hold, or of a fork, would make
the band wide; in the border it costs a column for each of its six numbers. Without the border the
rest falls into pieces, the rods, and each meets few of the border's unknowns: those are stored. The
corner is a band again, wide enough for what it gets when the pieces are eliminated.
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import inline, kernel
from flexura.typing import Array, Indices


class Pattern(NamedTuple):
    """Which entries of a matrix of n unknowns, the last m of them in the border, may be there.

    Attributes:
        half_bandwidth: h, of the band.
        border_half: c, half bandwidth of the corner.
        piece: piece of each unknown in the band, (n - m,).
        columns: unknowns of the border that each piece meets, from 0, then -1, (n_pieces, w).
        n_border: m.
    """

    half_bandwidth: int
    border_half: int
    piece: Indices
    columns: Indices
    n_border: int


class Tangent(NamedTuple):
    """A matrix with a border.

    Attributes:
        band: LAPACK's general band storage, transposed: ``band[j, 2h + i - j]`` is entry (i, j),
            (n - m, 3h + 1).
        right: ``right[i, k]`` is entry (i, n - m + columns[piece[i], k]), (n - m, w).
        below: ``below[i, k]`` is entry (n - m + columns[piece[i], k], i), (n - m, w).
        corner: entries of the border's unknowns with each other, stored like the band, (m, 3c + 1).
        piece: of the ``Pattern``.
        columns: of the ``Pattern``.
    """

    band: Array
    right: Array
    below: Array
    corner: Array
    piece: Indices
    columns: Indices

    @property
    def half_bandwidth(self) -> int:
        """h."""
        return int(half_bandwidth(self.band))

    @property
    def border_half(self) -> int:
        """c."""
        return int(half_bandwidth(self.corner))

    def clear(self) -> None:
        """Set all entries to zero."""
        _clear(self.band, self.right, self.below, self.corner)

    def copy(self) -> "Tangent":
        """The same entries, in new arrays."""
        band, right, below, corner = (part.copy() for part in self[:4])
        return Tangent(band, right, below, corner, self.piece, self.columns)

    def diagonal(self) -> Array:
        """The diagonal, (n,)."""
        middles = self.band[:, 2 * self.half_bandwidth], self.corner[:, 2 * self.border_half]
        return np.concatenate(middles)

    def add_diagonal(self, values: Array) -> None:
        """Add to the diagonal."""
        n = len(self.band)
        self.band[:, 2 * self.half_bandwidth] += values[:n]
        self.corner[:, 2 * self.border_half] += values[n:]

    def dense(self) -> Array:
        """All entries in a square matrix."""
        n = len(self.band)
        whole = np.zeros((n + len(self.corner),) * 2)
        whole[:n, :n], whole[n:, n:] = _dense(self.band), _dense(self.corner)
        met = self.columns[self.piece]
        rows, slots = np.nonzero(met >= 0)
        whole[rows, n + met[rows, slots]] = self.right[rows, slots]
        whole[n + met[rows, slots], rows] = self.below[rows, slots]
        return whole

    def symmetric_part(self) -> "Tangent":
        """Half the sum of the matrix and its transpose."""
        mean = 0.5 * (self.right + self.below)
        band, corner = _symmetric_part(self.band), _symmetric_part(self.corner)
        return Tangent(band, mean, mean, corner, self.piece, self.columns)


def band_tangent(band: Array) -> Tangent:
    """A matrix without a border."""
    n = len(band)
    none = np.empty((n, 0))
    piece, columns = np.zeros(n, dtype=np.int64), np.empty((1, 0), dtype=np.int64)
    return Tangent(band, none, none, np.empty((0, 1)), piece, columns)


def new_tangent(pattern: Pattern) -> Tangent:
    """A matrix of zeros."""
    n, w = len(pattern.piece), pattern.columns.shape[1]
    return Tangent(
        np.zeros((n, 3 * pattern.half_bandwidth + 1)),
        np.zeros((n, w)),
        np.zeros((n, w)),
        np.zeros((pattern.n_border, 3 * pattern.border_half + 1)),
        pattern.piece,
        pattern.columns,
    )


def _dense(band: Array) -> Array:
    """A band in a square matrix."""
    n, h = len(band), int(half_bandwidth(band))
    whole = np.zeros((n, n))
    for j in range(n):
        rows = np.arange(max(0, j - h), min(n, j + h + 1))
        whole[rows, j] = band[j, 2 * h + rows - j]
    return whole


def _symmetric_part(band: Array) -> Array:
    """Half the sum of a band and its transpose."""
    n, h = len(band), int(half_bandwidth(band))
    found = band.copy()
    for d in range(1, min(h + 1, n)):
        mean = 0.5 * (band[: n - d, 2 * h + d] + band[d:, 2 * h - d])
        found[: n - d, 2 * h + d] = found[d:, 2 * h - d] = mean
    return found


# Kernels take the arrays one by one.


@inline
def half_bandwidth(band):
    """h of a band that is stored with 3 h + 1 entries in each column."""
    return (band.shape[1] - 1) // 3


@kernel
def _clear(band, right, below, corner):
    """Set all entries to zero."""
    band[:] = 0.0
    right[:] = 0.0
    below[:] = 0.0
    corner[:] = 0.0


@inline
def _slot(columns, piece, column):
    """Where a piece keeps an unknown of the border that it meets."""
    k = 0
    while columns[piece, k] != column:
        k += 1
    return k


@inline
def add_entry(band, right, below, corner, piece, columns, row, column, value):
    """Add to one entry."""
    n = len(band)
    if row < n and column < n:
        band[column, 2 * half_bandwidth(band) + row - column] += value
    elif row < n:
        right[row, _slot(columns, piece[row], column - n)] += value
    elif column < n:
        below[column, _slot(columns, piece[column], row - n)] += value
    else:
        corner[column - n, 2 * half_bandwidth(corner) + row - column] += value


@inline
def add_rectangle(band, right, below, corner, piece, columns, row, column, matrix):
    """Add a rectangle of entries whose corner is (row, column), of two blocks of unknowns."""
    n = len(band)
    height, width = matrix.shape
    if row < n and column < n:
        shift = 2 * half_bandwidth(band) + row - column
        for j in range(width):
            for i in range(height):
                band[column + j, shift + i - j] += matrix[i, j]
    elif row < n:
        k = _slot(columns, piece[row], column - n)
        for i in range(height):
            for j in range(width):
                right[row + i, k + j] += matrix[i, j]
    elif column < n:
        k = _slot(columns, piece[column], row - n)
        for j in range(width):
            for i in range(height):
                below[column + j, k + i] += matrix[i, j]
    else:
        shift = 2 * half_bandwidth(corner) + row - column
        for j in range(width):
            for i in range(height):
                corner[column - n + j, shift + i - j] += matrix[i, j]
