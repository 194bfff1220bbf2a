"""A matrix in compressed columns: for what has no narrow band.

Patterns of volumes are eliminated front by front, all others by SciPy's SuperLU, which also takes
over where fronts do not do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dsytrf
from scipy.sparse import csc_array, csr_array
from scipy.sparse.linalg import splu

from flexura.matrix import pardiso
from flexura.matrix.fronts import Fronts, find_fronts
from flexura.matrix.structure import Factor
from flexura.typing import Array, Indices, frozen
from flexura.value import Value

# Up to this size signs of eigenvalues are told by a dense matrix, with n³ operations.
MAX_DENSE = 1000
# Beyond, without exchanges of rows, in these orders, until the factors are the matrix but for this
# part of it.
ORDERS = ("MMD_AT_PLUS_A", "COLAMD", "NATURAL")
EXACT = 1e-11
# SuperLU for patterns that are symmetric: 2 to 3 times as fast as by columns on meshes.
BALANCED: dict[str, Any] = {
    "permc_spec": "MMD_AT_PLUS_A",
    "diag_pivot_thresh": 0.01,
    "options": {"SymmetricMode": True},
}


@dataclass(frozen=True, eq=False)
class Sparse(Value):
    """Structure of a matrix of blocks in compressed columns.

    Attributes:
        start: first unknown of each block, ascending, and the end, (n_blocks + 1,).
        pointer: first entry of each block's column among ``blocks``, (n_blocks + 1,).
        blocks: blocks that each block interacts with, ascending, the columns one after another.
        last: blocks that fronts eliminate behind all others, as multipliers are, whose diagonals
            are zero until then; None where diagonals are not large enough for fronts.
    """

    start: Indices
    pointer: Indices
    blocks: Indices
    last: Indices | None = None

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return int(self.start[-1])

    @property
    def n_values(self) -> int:
        """Length of the array of values."""
        return int(self._indptr[-1])

    @cached_property
    def _sizes(self) -> Indices:
        return np.diff(self.start)

    @cached_property
    def _above(self) -> Indices:
        """Entries above each block in its column, and at the end of each column its height."""
        return np.concatenate([[0], np.cumsum(self._sizes[self.blocks])])

    @cached_property
    def _heights(self) -> Indices:
        """Entries in a column of each block."""
        return np.diff(self._above[self.pointer])

    @cached_property
    def _indptr(self) -> Indices:
        return np.concatenate([[0], np.cumsum(np.repeat(self._heights, self._sizes))])

    @cached_property
    def _indices(self) -> Indices:
        """Row of every value."""
        sizes, block = self._sizes[self.blocks], self._of_unknown
        of_blocks = _ranges(self.start[self.blocks], sizes)  # of one column of each block
        return of_blocks[_ranges(self._above[self.pointer[block]], self._heights[block])]

    @cached_property
    def _of_unknown(self) -> Indices:
        """Block of each unknown."""
        return np.repeat(np.arange(len(self._sizes)), self._sizes)

    @cached_property
    def _keys(self) -> Indices:
        """(column block, row block) of all blocks as one ascending number."""
        columns = np.repeat(np.arange(len(self._sizes)), np.diff(self.pointer))
        return columns * len(self._sizes) + self.blocks

    @cached_property
    def diagonal(self) -> Indices:
        """Place of each entry of the diagonal among the values."""
        every = np.arange(self.n)
        return frozen(self.slots(every, every)[:, 0].copy())

    @cached_property
    def entries(self) -> tuple[Indices, Indices]:
        """Row and column of each value."""
        columns = np.repeat(np.arange(self.n), np.diff(self._indptr))
        return frozen(self._indices.copy()), frozen(columns)

    def slots(self, rows: Indices, columns: Indices) -> Indices:
        """Slots of blocks that begin at given rows and columns."""
        r, c = np.broadcast_arrays(rows, columns)
        found = np.zeros((*r.shape, 3), dtype=np.int64)
        found[..., 0] = -1
        at = (r >= 0) & (c >= 0)
        r, c = r[at], c[at]
        row_block, column_block = self._of_unknown[r], self._of_unknown[c]
        entry = np.searchsorted(self._keys, column_block * len(self._sizes) + row_block)
        above = self._above[entry] - self._above[self.pointer[column_block]]
        base = self._indptr[c] + above + r - self.start[row_block]
        height = self._heights[column_block]
        found[at] = np.stack([base, np.ones_like(base), height], axis=-1)
        return found

    def _matrix(self, values: Array) -> csc_array:
        return csc_array((values, self._indices, self._indptr), shape=(self.n, self.n))

    @cached_property
    def fronts(self) -> Fronts | None:
        """How the matrix is eliminated front by front."""
        if self.last is None:
            return None
        columns = self._indptr, self._indices
        return find_fronts(self.start, self.pointer, self.blocks, self.last, columns)

    def factorise(self, values: Array, definite: bool, overwrite: bool = False) -> Factor:
        """By Pardiso or by fronts, or LU of the equilibrated matrix."""
        found: Eliminated | None = self._by_pardiso(values)
        if found is None and self.fronts is not None:
            found = self.fronts.factorise(values)
        if found is None:
            return self.factorise_anyhow(values)
        return FrontedFactor(self, values if overwrite else values.copy(), found)

    def _by_pardiso(self, values: Array) -> "Eliminated | None":
        """Where that pays, and does."""
        if self.last is None or self.n < pardiso.PAYS:
            return None
        scale = self._scale(values)
        rows, columns = self.entries
        return pardiso.factorised(self._matrix(values * scale[rows] * scale[columns]), scale)

    def factorise_anyhow(self, values: Array) -> "SparseFactor":
        """LU with any exchange of rows; Cholesky is not offered by SciPy."""
        scale, matrix = self._equilibrated(values)
        try:
            options = {} if self.last is None else BALANCED
            return SparseFactor(splu(matrix, **options), scale)
        except RuntimeError:  # "Factor is exactly singular"
            return SparseFactor(None, scale)

    def _equilibrated(self, values: Array) -> tuple[Array, csc_array]:
        """Powers of two that make the largest entries about 1, and the matrix with them.

        Entries that are zero now are left out: not all blocks that may interact do, as those of
        what slides along a rod and of all of its nodes.
        """
        scale, there = self._scale(values), values != 0.0
        rows, data = self._indices[there], values[there]
        begins = np.concatenate([[0], np.cumsum(there)])[self._indptr]
        columns = np.repeat(np.arange(self.n), np.diff(begins))
        data *= scale[rows] * scale[columns]
        return scale, csc_array((data, rows, begins), shape=(self.n, self.n))

    def _scale(self, values: Array) -> Array:
        """Powers of two for rows and columns, which make the largest entries about 1."""
        (rows, columns), size, largest = self.entries, np.abs(values), np.zeros(self.n)
        np.maximum.at(largest, rows, size)
        np.maximum.at(largest, columns, size)
        _, exponent = np.frexp(np.where(np.isfinite(largest), largest, 1.0))
        return np.asarray(np.ldexp(1.0, -(np.where(largest > 0.0, exponent, 0) // 2)))

    def inertia(self, values: Array) -> int | None:
        """Number of negative eigenvalues; None where rounding spoils all, or entries are no floats.

        Without exchanges of its own, SuperLU's U is D Lᵀ.
        """
        quick = self.quick_inertia(values)
        if quick is not None:
            return quick
        if not np.isfinite(values).all():
            return None
        _, matrix = self._equilibrated(values)
        if self.n <= MAX_DENSE:
            return _negative_eigenvalues(np.asfortranarray(matrix.toarray()))
        probe = np.random.default_rng(0).normal(size=(self.n, 2))
        for order in ORDERS:
            factor = _without_exchanges(matrix, order)
            if factor is None:
                continue
            again = np.empty_like(probe)
            again[factor.perm_r] = probe  # P A Pᵀ = L U
            error = matrix @ probe - (factor.L @ (factor.U @ again))[factor.perm_r]
            if np.abs(error).max() <= EXACT * np.abs(probe).max():
                return int(np.count_nonzero(factor.U.diagonal() < 0.0))
        return None

    def quick_inertia(self, values: Array) -> int | None:
        """By Pardiso, or by fronts, where they need no exchanges."""
        found = self._by_pardiso(values)
        if found is not None:
            return found.negative
        return None if self.fronts is None else self.fronts.inertia(values)

    def surely_definite(self, values: Array, multiplier: NDArray[np.bool_]) -> bool:
        """By fronts, likewise."""
        return self.quick_inertia(values) == np.count_nonzero(multiplier)

    def symmetric_part(self, values: Array) -> Array:
        """Values of half the sum of the matrix and its transpose."""
        matrix = self._matrix(values)
        mirrored = csc_array(matrix.T)
        mirrored.sort_indices()
        return np.asarray(0.5 * (values + mirrored.data))

    def dense(self, values: Array) -> Array:
        """All entries in a square array."""
        return np.asarray(self._matrix(values).toarray())

    def sparse(self, values: Array) -> csr_array:
        """All entries in compressed rows."""
        return csr_array(self._matrix(values))


def sparse_structure(
    start: Indices, sizes: Indices, pairs: Indices, last: Sequence[int] | None = None
) -> Sparse:
    """Structure of blocks that begin at ``start``, each interacting with itself and in pairs.

    Args:
        start: first unknown of each block.
        sizes: of the blocks.
        pairs: blocks that interact, (n, 2).
        last: blocks that fronts eliminate behind all others; None for no fronts.
    """
    order = np.argsort(start)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    both = np.concatenate(
        [number[pairs], number[pairs][:, ::-1], np.repeat(number[:, None], 2, axis=1)]
    )
    keys = np.sort(both[:, 0] * len(order) + both[:, 1])
    keys = keys[np.diff(keys, prepend=-1) > 0]  # faster than np.unique, which hashes
    column, row = np.divmod(keys, max(1, len(order)))
    pointer = np.searchsorted(column, np.arange(len(order) + 1))
    ends = np.append(start[order], sizes.sum())
    behind = None if last is None else frozen(number[np.asarray(last, dtype=np.int64)])
    return Sparse(frozen(ends), frozen(pointer), frozen(row), behind)


class Eliminated(Protocol):
    """Factors whose solutions are checked, by fronts or by Pardiso."""

    @property
    def negative(self) -> int:
        """Number of pivots below zero."""

    @property
    def exchanged(self) -> int:
        """How many rows were exchanged."""

    def solve(self, right: Array, transposed: bool = False) -> Array | None:
        """Solve for a vector, or the columns of a matrix; None where that is not exact."""


@dataclass(frozen=True, eq=False)
class FrontedFactor:
    """A matrix that was eliminated in parts, and otherwise where that is not exact.

    Attributes:
        structure: of the matrix.
        values: its entries.
        fronted: the factors.
    """

    structure: Sparse
    values: Array
    fronted: Eliminated

    @cached_property
    def _anyhow(self) -> "SparseFactor":
        return self.structure.factorise_anyhow(self.values)

    @property
    def singular(self) -> bool:
        """It is not: all fronts have pivots. What no factor solves exactly is not a number."""
        return False

    @property
    def sign(self) -> int:
        """Sign of the determinant."""
        flips = self.fronted.negative + self.fronted.exchanged
        return 1 if flips % 2 == 0 else -1

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        found = self.fronted.solve(right)
        return self._otherwise(right, "N") if found is None else found

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""
        found = self.fronted.solve(right, transposed=True)
        return self._otherwise(right, "T") if found is None else found

    def _otherwise(self, right: Array, which: str) -> Array:
        """By another factorisation; not a number where the matrix is singular."""
        other = self._anyhow
        if other.singular:
            return np.full(right.shape, np.nan)
        return other.solve(right) if which == "N" else other.solve_transposed(right)


@dataclass(frozen=True, eq=False)
class SparseFactor:
    """A factorised sparse matrix, None where that broke down, and the scale of its unknowns."""

    factor: Any
    scale: Array

    @property
    def singular(self) -> bool:
        """Whether the factorisation broke down."""
        return self.factor is None

    @property
    def sign(self) -> int:
        """Sign of the determinant."""
        negative = np.count_nonzero(self.factor.U.diagonal() < 0.0)
        flips = negative + _swaps(self.factor.perm_r) + _swaps(self.factor.perm_c)
        return 1 if flips % 2 == 0 else -1

    def solve(self, right: Array) -> Array:
        """Solve the linear system for a vector, or for the columns of a matrix."""
        return self._solve(right, "N")

    def solve_transposed(self, right: Array) -> Array:
        """Solve the system of the transposed matrix."""
        return self._solve(right, "T")

    def _solve(self, right: Array, which: str) -> Array:
        scaled = np.asfortranarray((right.T * self.scale).T)
        return np.asarray((self.factor.solve(scaled, which).T * self.scale).T)


def _ranges(begins: Indices, counts: Indices) -> Indices:
    """Numbers from each beginning on, as many as are counted, one after another."""
    ends = np.cumsum(counts)
    return np.asarray(np.arange(counts.sum()) + np.repeat(begins - ends + counts, counts))


def _without_exchanges(matrix: csc_array, order: str) -> Any:
    """L and U with pivots on the diagonal; None where one vanishes."""
    try:
        factor = splu(
            matrix,
            permc_spec=order,
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:
        return None
    return factor if np.array_equal(factor.perm_r, factor.perm_c) else None


def _negative_eigenvalues(matrix: Array) -> int:
    """The same of a dense matrix, of which the lower half counts: Bunch and Kaufman's factors."""
    factors, pivots, _ = dsytrf(matrix, lower=1, lwork=64 * len(matrix))
    single = pivots > 0  # a block of two has one eigenvalue of each sign
    below = int(np.count_nonzero(factors.diagonal()[single] < 0.0))
    return below + int(np.count_nonzero(~single)) // 2


def _swaps(permutation: Indices) -> int:
    """Exchanges that make a permutation: its length less the number of its cycles."""
    seen = np.zeros(len(permutation), dtype=bool)
    cycles = 0
    for i in range(len(permutation)):
        if not seen[i]:
            cycles += 1
            while not seen[i]:
                seen[i] = True
                i = permutation[i]
    return len(permutation) - cycles
