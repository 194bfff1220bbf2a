"""A band, and a border of unknowns that many parts of a robot share.

    [ band    right  ]
    [ below   corner ]

A chain needs the band only. The pose of a platform that many rods hold, or of a fork, would make
the band wide; in the border it costs a column for each of its six numbers. Without the border the
rest falls into pieces, the rods, and each meets few of the border's unknowns: those are stored. The
corner is a band again, wide enough for what it gets when the pieces are eliminated.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from flexura._kernel import kernel
from flexura.matrix import band as bands
from flexura.matrix.band import BandFactor, half_bandwidth
from flexura.matrix.held import surely_definite
from flexura.matrix.inertia import negative_eigenvalues
from flexura.matrix.quick_inertia import quick_inertia
from flexura.matrix.structure import Factor
from flexura.typing import AnyArray, Array, Indices, frozen
from flexura.value import Value

# A factorisation with a border goes through several parts, and a solve besides: as long as so many
# multiplications take, about 10 µs, whatever their size.
APART = 50_000


@dataclass(frozen=True, eq=False)
class Bordered(Value):
    """Structure of a band matrix with a border, which may be empty.

    Attributes:
        half: h, half bandwidth of the band, whose entry (i, j) is ``band[j, 2h + i - j]``.
        corner_half: the same of the corner.
        piece: piece of each unknown in the band, (m,).
        columns: unknowns of the border that each piece meets, from 0, then -1, (n_pieces, w);
            ``right[i, k]`` is entry (i, m + columns[piece[i], k]), ``below[i, k]`` its mirror.
        n_border: number of unknowns in the border, the last ones.
    """

    half: int
    corner_half: int
    piece: Indices
    columns: Indices
    n_border: int

    @property
    def n_band(self) -> int:
        """Number of unknowns in the band."""
        return len(self.piece)

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return self.n_band + self.n_border

    @property
    def operations(self) -> float:
        """Multiplications of a factorisation, about, and as many as a border takes the time of."""
        h, w = self.half, self.columns.shape[1]
        multiplied = self.n_band * (h + w) ** 2 + self.n_border * self.corner_half**2
        return float(multiplied + (APART if self.n_border else 0))

    @cached_property
    def _begins(self) -> tuple[int, int, int, int, int]:
        """Where band, right, below and corner begin among the values, and the end."""
        n, w = self.n_band, self.columns.shape[1]
        sizes = (n * (3 * self.half + 1), n * w, n * w, self.n_border * (3 * self.corner_half + 1))
        return 0, *(int(x) for x in np.cumsum(sizes))  # type: ignore[return-value]

    @property
    def n_values(self) -> int:
        """Length of the array of values."""
        return self._begins[-1]

    @cached_property
    def diagonal(self) -> Indices:
        """Place of each entry of the diagonal among the values."""
        every = np.arange(self.n)
        return frozen(self.slots(every, every)[:, 0].copy())

    @cached_property
    def entries(self) -> tuple[Indices, Indices]:
        """Row and column of each value; -1 where it is room for a factorisation."""
        rows, columns = np.full((2, self.n_values), -1)
        n, met = self.n_band, self.columns[self.piece]
        parts = zip(self.parts(rows), self.parts(columns), strict=True)
        (band, right, below, corner) = parts
        _put_band_entries(*band, 0)
        _put_band_entries(*corner, n)
        at, own = met >= 0, np.broadcast_to(np.arange(n)[:, None], met.shape)
        right[0][at], right[1][at] = own[at], n + met[at]
        below[0][at], below[1][at] = n + met[at], own[at]
        return frozen(rows), frozen(columns)

    def parts(self, values: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
        """Band, right, below and corner: views of the values."""
        a, b, c, d, e = self._begins
        w = self.columns.shape[1]
        return (
            values[a:b].reshape(-1, 3 * self.half + 1),
            values[b:c].reshape(self.n_band, w),
            values[c:d].reshape(self.n_band, w),
            values[d:e].reshape(-1, 3 * self.corner_half + 1),
        )  # type: ignore[return-value]

    def slots(self, rows: Indices, columns: Indices) -> Indices:
        """Slots of blocks that begin at given rows and columns."""
        r, c = np.broadcast_arrays(rows, columns)
        found = np.zeros((*r.shape, 3), dtype=np.int64)
        found[..., 0] = -1
        there, n, w = (r >= 0) & (c >= 0), self.n_band, self.columns.shape[1]
        begin_right, begin_below, begin_corner = self._begins[1:4]
        at = there & (r < n) & (c < n)
        found[at] = _band_slots(0, r[at], c[at], self.half)
        at = there & (r < n) & (c >= n)
        k = self._met(r[at], c[at] - n)
        found[at] = np.stack([begin_right + r[at] * w + k, 0 * k + w, 0 * k + 1], axis=-1)
        at = there & (r >= n) & (c < n)
        k = self._met(c[at], r[at] - n)
        found[at] = np.stack([begin_below + c[at] * w + k, 0 * k + 1, 0 * k + w], axis=-1)
        at = there & (r >= n) & (c >= n)
        found[at] = _band_slots(begin_corner, r[at] - n, c[at] - n, self.corner_half)
        return found

    def _met(self, unknown: Indices, border: Indices) -> Indices:
        """Which of the unknowns of the border that a piece meets each one is."""
        if not len(unknown):
            return np.empty(0, dtype=np.int64)
        return np.asarray((self.columns[self.piece[unknown]] == border[:, None]).argmax(axis=1))

    def factorise(self, values: Array, definite: bool, overwrite: bool = False) -> Factor:
        """Cholesky where it serves, else LU."""
        band = values[: self._begins[1]].reshape(-1, 3 * self.half + 1)
        inner = bands.cholesky(band) if definite else None
        inner = inner or bands.lu(band if overwrite else band.copy())
        if not self.n_border or inner.singular:
            return inner
        _, right, below, corner = self.parts(values)
        reach, complement = self._complement(right, below, corner, inner)
        outer = (bands.cholesky(complement) if definite else None) or bands.lu(complement)
        return BorderedFactor(inner, reach, below.copy(), outer, self.piece, self.columns)

    def _complement(
        self, right: Array, below: Array, corner: Array, inner: BandFactor
    ) -> tuple[Array, Array]:
        """band⁻¹ right and corner - below band⁻¹ right, stored like their like."""
        reach, complement = _rows(inner.solve(np.asfortranarray(right))), corner.copy()
        w = reach.shape[1]
        _eliminate(below, reach, self.piece, self.columns, complement, np.zeros((w, w)))
        return reach, complement

    def inertia(self, values: Array) -> int | None:
        """Number of negative eigenvalues of a symmetric matrix; none where Cholesky serves.

        None where entries are beyond floats.
        """
        band = values[: self._begins[1]].reshape(-1, 3 * self.half + 1)
        inner = bands.cholesky(band)
        if inner and not self.n_border:
            return 0
        if not np.isfinite(values).all():
            return None
        _, right, below, corner = self.parts(values)
        if inner and bands.cholesky(self._complement(right, below, corner, inner)[1]):
            return 0
        return negative_eigenvalues(band, right, corner, self.piece, self.columns)

    def quick_inertia(self, values: Array) -> int | None:
        """By pivots without exchanges, where there is no border."""
        if self.n_border:
            return None
        return quick_inertia(values.reshape(-1, 3 * self.half + 1))

    def surely_definite(self, values: Array, multiplier: NDArray[np.bool_]) -> bool:
        """By Cholesky with multipliers that give, else by pivots, where there is no border."""
        if self.n_border:
            return False
        band = values.reshape(-1, 3 * self.half + 1)
        if surely_definite(band, multiplier):
            return True
        return quick_inertia(band) == np.count_nonzero(multiplier)

    def symmetric_part(self, values: Array) -> Array:
        """Values of half the sum of the matrix and its transpose."""
        found = values.copy()
        band, right, below, corner = self.parts(found)
        bands.make_symmetric(band)
        if self.n_border:
            bands.make_symmetric(corner)
            right += below
            right *= 0.5
            below[:] = right
        return found

    def dense(self, values: Array) -> Array:
        """All entries in a square array."""
        band, right, below, corner = self.parts(values)
        n = self.n_band
        whole = np.zeros((self.n, self.n))
        whole[:n, :n], whole[n:, n:] = bands.dense(band), bands.dense(corner)
        met = self.columns[self.piece]
        rows, places = np.nonzero(met >= 0)
        whole[rows, n + met[rows, places]] = right[rows, places]
        whole[n + met[rows, places], rows] = below[rows, places]
        return whole

    def sparse(self, values: Array) -> csr_array:
        """All entries in compressed rows."""
        rows, columns = self.entries
        there = (rows >= 0) & (values != 0.0)
        found = coo_array((values[there], (rows[there], columns[there])), shape=(self.n, self.n))
        return csr_array(found)


def plain_band(n: int, half: int) -> Bordered:
    """Structure of a band matrix without a border."""
    none = np.empty((1, 0), dtype=np.int64)
    return Bordered(half, 0, frozen(np.zeros(n, dtype=np.int64)), frozen(none), 0)


def _band_slots(begin: int, row: Indices, column: Indices, half: int) -> Indices:
    """Slots in a band that begins at a place of the values."""
    base = begin + column * (3 * half + 1) + 2 * half + row - column
    return np.stack([base, np.ones_like(base), np.full_like(base, 3 * half)], axis=-1)


def _put_band_entries(rows: Indices, columns: Indices, begin: int) -> None:
    """Row and column of the entries of a band whose first unknown has a number."""
    n, h = len(rows), (rows.shape[1] - 1) // 3
    column, place = (np.asarray(x) for x in np.indices(rows.shape))
    row = column + place - 2 * h
    at = (place >= h) & (row >= 0) & (row < n)
    rows[at], columns[at] = begin + row[at], begin + column[at]


@dataclass(frozen=True, eq=False)
class BorderedFactor:
    """A factorised matrix with a border, by its Schur complement.

    Attributes:
        inner: the factorised band.
        reach: band⁻¹ right.
        below: of the matrix.
        outer: the factorised complement, corner - below band⁻¹ right.
        piece, columns: of the structure.
    """

    inner: BandFactor
    reach: Array
    below: Array
    outer: BandFactor
    piece: Indices
    columns: Indices

    @property
    def singular(self) -> bool:
        """Whether the factorisation broke down."""
        return self.outer.singular

    @property
    def sign(self) -> int:
        """Sign of the determinant."""
        return self.inner.sign * self.outer.sign

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        n = len(self.reach)
        many = np.array(right, order="F").reshape(len(right), -1)
        y, z = _rows(self.inner.solve(many[:n])), _rows(many[n:])
        _subtract(self.below, self.piece, self.columns, y, z, False)
        z = _rows(self.outer.solve(z))
        _subtract(self.reach, self.piece, self.columns, y, z, True)
        return np.concatenate([y, z]).reshape(right.shape)

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix.

        z = S⁻ᵀ (b - reachᵀ a),   y = band⁻ᵀ (a - belowᵀ z),   S the complement
        """
        n = len(self.reach)
        many = np.array(right, order="F").reshape(len(right), -1)
        y, z = _rows(many[:n]), _rows(many[n:])
        _subtract(self.reach, self.piece, self.columns, y, z, False)
        z = _rows(self.outer.solve_transposed(z))
        _subtract(self.below, self.piece, self.columns, y, z, True)
        y = self.inner.solve_transposed(y)
        return np.concatenate([y, z]).reshape(right.shape)


def _rows(matrix: Array) -> Array:
    """The same, row by row in memory, as kernels take it."""
    return np.ascontiguousarray(matrix)


@kernel
def _eliminate(
    below: Array, reach: Array, piece: Indices, columns: Indices, corner: Array, product: Array
) -> None:
    """Subtract from the corner, piece by piece, what it gets by elimination of the band."""
    n, w = below.shape
    middle = 2 * half_bandwidth(corner)
    for i in range(n):
        for k in range(w):
            for l in range(w):
                product[k, l] += below[i, k] * reach[i, l]
        if i + 1 == n or piece[i + 1] != piece[i]:
            own = columns[piece[i]]
            for k in range(w):
                for l in range(w):
                    if own[k] >= 0 and own[l] >= 0:
                        corner[own[l], middle + own[k] - own[l]] -= product[k, l]
                    product[k, l] = 0.0


@kernel
def _subtract(
    entries: Array, piece: Indices, columns: Indices, y: Array, z: Array, inwards: bool
) -> None:
    """y -= entries z, from the border inwards, or z -= entriesᵀ y, outwards."""
    for i in range(len(entries)):
        for k in range(entries.shape[1]):
            c, entry = columns[piece[i], k], entries[i, k]
            if c < 0:
                continue
            for j in range(y.shape[1]):
                if inwards:
                    y[i, j] -= entry * z[c, j]
                else:
                    z[c, j] -= entry * y[i, j]
