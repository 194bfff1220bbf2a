"""Sparse matrices with symmetric patterns, eliminated front by front.

The order and all places are found once, for a pattern; then a factorisation is a row of small dense
ones, in BLAS. Rows are exchanged within fronts only: where that does not do, a solution that is
improved once or twice still misses, and somebody else has to factorise.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

from flexura.matrix import front_kernels as kernels
from flexura.matrix import front_solve_kernels as solve_kernels
from flexura.matrix.dissection import dissected
from flexura.matrix.front_kernels import PANEL, Factors, Tree
from flexura.matrix.front_solve_kernels import EXACT, MOST
from flexura.typing import Array, Indices, frozen

# Times of parts of a factorisation [ns]: a multiplication, a number that goes to a parent, a front.
MULTIPLY, MOVE, BEGIN = 0.1, 2.0, 1500.0
# A solution that misses by more than this is none.
ENOUGH = 1e-10
# The diagonal is the pivot, unless it is smaller than this part of the largest.
DIAGONAL = 0.01
# What is left after an improvement, where factors are near enough to tell signs of eigenvalues.
NEAR = 0.1
# Meshes of more blocks have fewer multiplications by nested dissection than by minimum degree.
MANY = 2000


class Room(NamedTuple):
    """Numbers that a factorisation needs for a moment: the stack, and panels."""

    stack: int
    panels: int


@dataclass(frozen=True, eq=False)
class Fronts:
    """How a matrix is eliminated.

    Attributes:
        tree: fronts and their places.
        pointer, rows: the entries of the matrix, column by column.
        room: for a factorisation.
    """

    tree: Tree
    pointer: Indices
    rows: Indices
    room: Room

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return len(self.pointer) - 1

    def inertia(self, values: Array) -> int | None:
        """Number of negative eigenvalues of a symmetric matrix; None where it cannot be told.

        Without exchanges, it is that of the pivots, but for rounding: of a matrix A + E. If A⁻¹E is
        small, which is by how much solutions miss that are improved, no eigenvalue of A + tE is
        zero on the way from one to the other.
        """
        found = self.factorise(values, 0.0)
        if found is None or not found.near(np.random.default_rng(0).normal(size=(self.n, 2))):
            return None
        return found.negative

    def factorise(self, values: Array, diagonal: float = DIAGONAL) -> "FrontFactor | None":
        """The factors; None where exchanges within fronts do not do.

        Args:
            values: entries of the matrix.
            diagonal: pivots are not smaller than this part of the largest that there is.
        """
        tree, room = self.tree, self.room
        scale, data = np.empty(self.n), np.empty(len(values))
        kernels.equilibrate(values, self.pointer, self.rows, scale, data)
        count = tree.beside_at[-1]
        pivots = np.empty(tree.at[-1], dtype=np.int64)
        factors = Factors(np.empty(tree.square_at[-1]), np.empty(count), np.empty(count), pivots)
        waiting = np.empty(len(tree.own), dtype=np.int64)
        exchanged = kernels.factorise(
            tree, data, diagonal, *factors, np.empty(room.stack), waiting, np.empty(room.panels)
        )
        if exchanged < 0:
            return None
        return FrontFactor(self, scale, data, factors, int(exchanged))


@dataclass(frozen=True, eq=False)
class FrontFactor:
    """A matrix that was eliminated front by front.

    Attributes:
        fronts: how.
        scale: of the unknowns, and of the equations.
        data: entries of the scaled matrix.
        factors: of the fronts.
        exchanged: how many rows were exchanged.
    """

    fronts: Fronts
    scale: Array
    data: Array
    factors: Factors
    exchanged: int

    @property
    def negative(self) -> int:
        """Number of pivots below zero."""
        return int(kernels.negative_pivots(self.fronts.tree, self.factors.square))

    def solve(self, right: Array, transposed: bool = False) -> Array | None:
        """Solve for a vector, or the columns of a matrix; None where that is not exact."""
        scale = self.scale[:, None]
        b = np.multiply(right.reshape(self.fronts.n, -1), scale, order="C")
        x = np.zeros_like(b)
        worst = self._improve(x, b, b.copy(), transposed, MOST)
        x *= scale
        return x.reshape(right.shape) if worst <= ENOUGH and np.isfinite(x).all() else None

    def near(self, probe: Array) -> bool:
        """Whether what random solutions miss is nothing, or shrinks fast."""
        x, left = np.zeros_like(probe), probe.copy()
        first = self._improve(x, probe, left, False, 1)
        if first <= EXACT:
            return bool(np.isfinite(x).all())
        size = np.abs(x).max()
        self._improve(x, probe, left, False, 1)
        return bool(np.abs(left).max() <= NEAR * first * size)

    def _improve(self, x: Array, right: Array, left: Array, transposed: bool, most: int) -> float:
        """Add to x what is left of the right side, most times; what it misses, relative.

        All of the scaled matrix.
        """
        fronts = self.fronts
        return float(
            solve_kernels.improve(
                fronts.tree, *self.factors, self.data, fronts.pointer, fronts.rows, right, x, left,
                np.empty_like(left), transposed, most,
            )
        )  # fmt: skip


class Front(NamedTuple):
    """Blocks that are eliminated together, in their order, those that they meet, and children."""

    own: list[int]
    rest: list[int]
    children: list["Front"]


def find_fronts(
    start: Indices,
    pointer: Indices,
    blocks: Indices,
    last: Indices,
    columns: tuple[Indices, Indices],
) -> Fronts:
    """Fronts for a pattern.

    Args:
        start: first unknown of each block, and the end; ``pointer`` and ``blocks`` as in
            ``Sparse``.
        pointer: first entry of each block's column.
        blocks: that each block interacts with.
        last: blocks that are eliminated behind all others.
        columns: where the entries of each column begin, and the rows of all.
    """
    order = _order(pointer, blocks, last)
    fronts = _postorder(_grow(order, pointer, blocks, np.diff(start)))
    return _placed(fronts, start, *columns)


def _order(pointer: Indices, blocks: Indices, last: Indices) -> Indices:
    """Blocks in an order of minimum degree, separators of many behind them, some behind all."""
    n = len(pointer) - 1
    column = np.repeat(np.arange(n), np.diff(pointer))
    graph = csc_array(coo_array((np.ones(len(blocks)), (blocks, column)), shape=(n, n)))
    first = np.setdiff1d(np.arange(n), last)
    if not len(first):
        return np.asarray(last)
    own = csr_array(graph[:, first][first, :])
    inner, separators = np.arange(len(first)), list[Indices]()
    if len(first) > MANY:
        inner, separators = dissected(own)
    dominant = csc_array((2.0 * n) * eye_array(len(inner)) - own[inner][:, inner])
    found = splu(
        dominant,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    order = np.concatenate([inner[np.argsort(found.perm_c)], *separators])
    return np.concatenate([first[order], last])


def _grow(order: Indices, pointer: Indices, blocks: Indices, sizes: Indices) -> list[Front]:
    """The fronts, those without a parent: blocks one by one, and joined where that is cheaper."""
    rank = np.argsort(order).tolist()
    waiting: dict[int, list[Front]] = {}
    roots = []
    for place, block in enumerate(order.tolist()):
        met = set(blocks[pointer[block] : pointer[block + 1]].tolist())
        children = waiting.pop(place, [])
        for child in children:
            met.update(child.rest)
        rest = sorted((b for b in met if rank[b] > place), key=rank.__getitem__)
        front = _joined(Front([block], rest, children), sizes)
        if front.rest:
            waiting.setdefault(rank[front.rest[0]], []).append(front)
        else:
            roots.append(front)
    return roots


def _joined(front: Front, sizes: Indices) -> Front:
    """A front with those of its children that are cheaper as a part of it."""
    own, kept = list(front.own), []
    rest = int(sizes[front.rest].sum())
    count = int(sizes[own].sum())
    apart: list[Front] = []
    for child in front.children:
        mine, left = int(sizes[child.own].sum()), int(sizes[child.rest].sum())
        saved = _cost(mine, left) + _cost(count, rest) - _cost(mine + count, rest)
        if saved >= 0.0:
            own, count = child.own + own, count + mine
            apart += child.children
        else:
            kept.append(child)
    return Front(own, front.rest, kept + apart)


def _cost(own: int, rest: int) -> float:
    """Time that a front takes [ns]."""
    size = own + rest
    return MULTIPLY * (size**3 - rest**3) / 1.5 + MOVE * (rest**2 + own * size) + BEGIN


def _postorder(roots: list[Front]) -> list[Front]:
    """All fronts, each behind its children."""
    found, waiting = [], list(roots)
    while waiting:
        front = waiting.pop()
        found.append(front)
        waiting += front.children
    return found[::-1]


def _placed(fronts: list[Front], start: Indices, pointer: Indices, rows: Indices) -> Fronts:
    """Fronts of unknowns, and where entries and what is left of children go."""
    ranges = [np.arange(a, b) for a, b in pairwise(start.tolist())]
    lists = [np.concatenate([ranges[b] for b in front.own + front.rest]) for front in fronts]
    own = np.array([sum(len(ranges[b]) for b in front.own) for front in fronts])
    size = np.array([len(x) for x in lists])
    at, unknown = np.append(0, np.cumsum(size)), np.concatenate(lists)
    inside = _Places(at, unknown)
    left = inside.local >= own[inside.front]
    up, parent = np.full(len(unknown), -1), _parents(fronts)[inside.front]
    goes = left & (parent >= 0)
    up[goes] = inside.find(parent[goes], unknown[goes])
    home = np.empty(len(pointer) - 1, dtype=np.int64)
    home[unknown[~left]] = inside.front[~left]
    columns = np.repeat(np.arange(len(home)), np.diff(pointer))
    where = np.minimum(home[rows], home[columns])
    rest, children = size - own, np.array([len(front.children) for front in fronts])
    square_at, beside_at = np.append(0, np.cumsum(own * own)), np.append(0, np.cumsum(own * rest))
    i, j = inside.find(where, rows), inside.find(where, columns)
    k, r = own[where], rest[where]
    part = 3 * where + np.where(i >= k, 1, np.where(j >= k, 2, 0))
    spot = np.select(
        [i >= k, j >= k],
        [beside_at[where] + j * r + i - k, beside_at[where] + i * r + j - k],
        square_at[where] + j * k + i,
    )
    entry = np.lexsort((spot, part))
    entry_at = np.append(0, np.cumsum(np.bincount(part, minlength=3 * len(fronts))))
    tree = Tree(
        own, size, at, unknown, children, up, entry_at, entry, spot[entry], square_at, beside_at
    )
    largest = int(size.max())
    room = Room(_stacked(rest, children), 2 * PANEL * largest + largest**2)
    return Fronts(Tree(*(frozen(x) for x in tree)), frozen(pointer), frozen(rows), room)


class _Places:
    """Places of unknowns in fronts; ``front`` and ``local`` are those of all that fronts have."""

    def __init__(self, at: Indices, unknown: Indices) -> None:
        size = np.diff(at)
        self.front = np.repeat(np.arange(len(size)), size)
        self.local = np.arange(len(unknown)) - np.repeat(at[:-1], size)
        self._n = int(unknown.max()) + 1
        keys = self.front * self._n + unknown
        order = np.argsort(keys)
        self._keys, self._local = keys[order], self.local[order]

    def find(self, front: Indices, unknown: Indices) -> Indices:
        """Places in given fronts."""
        found = np.searchsorted(self._keys, front * self._n + unknown)
        return np.asarray(self._local[found])


def _parents(fronts: list[Front]) -> Indices:
    """Number of the parent of each front, -1 for none."""
    number = {id(front): f for f, front in enumerate(fronts)}
    found = np.full(len(fronts), -1)
    for f, front in enumerate(fronts):
        found[[number[id(child)] for child in front.children]] = f
    return found


def _stacked(rest: Indices, children: Indices) -> int:
    """How many numbers wait for parents, at most."""
    waiting: list[int] = []
    most = now = 0
    for left, count in zip((rest**2).tolist(), children.tolist(), strict=True):
        most = max(most, now + left)  # children go when their parent is eliminated
        for _ in range(count):
            now -= waiting.pop()
        waiting.append(left)
        now += left
    return most
