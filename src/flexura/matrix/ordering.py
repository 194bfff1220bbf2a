"""The order of blocks of unknowns, and how their matrix is stored: the cheapest of a few ways."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

from flexura.matrix.bordered import Bordered
from flexura.matrix.sparse import sparse_structure
from flexura.matrix.structure import Structure
from flexura.typing import Indices, frozen

# A band with a border was 6 to 17 times as fast as SuperLU on lattices of up to 4000 rods (79 000
# unknowns, 1e9 multiplications); it loses where loops leave no order. So a sparse factorisation
# is for what would take this many multiplications or more, if it has this many times fewer entries.
DEAR, EMPTY = 5e10, 20.0
# Volumes have no narrow bands, and are eliminated front by front from this many multiplications on.
SOFT_DEAR = 1e6
# Robots that differ in numbers alone, as calibrations and derivatives build many, have one order:
# that of so many robots of up to so many unknowns is remembered.
KEPT, SMALL = 16, 1000


class Order(NamedTuple):
    """Where blocks of unknowns begin, (n_blocks,), and the matrix that they make."""

    start: Indices
    structure: Structure


def best_order(
    sizes: Indices,
    pairs: Indices,
    shared: Sequence[int],
    soft: bool = False,
    skipped: Indices | None = None,
) -> Order:
    """The cheapest of a few orders.

    Args:
        sizes: of the blocks, in walking order.
        pairs: blocks that interact, (n, 2).
        shared: blocks that many others interact with, which may go to the border.
        soft: whether most of them are those of volumes.
        skipped: how many unknowns at the beginning of the first block of each pair the second does
            not interact with, (n,); none if None.
    """
    skipped = np.zeros(len(pairs), dtype=np.int64) if skipped is None else skipped
    if sizes.sum() > SMALL:
        return _cheapest(sizes, pairs, skipped, shared, soft)
    given = (np.ascontiguousarray(x, dtype=np.int64).tobytes() for x in (sizes, pairs, skipped))
    return _remembered(*given, tuple(shared), soft)


@lru_cache(maxsize=KEPT)
def _remembered(
    sizes: bytes, pairs: bytes, skipped: bytes, shared: tuple[int, ...], soft: bool
) -> Order:
    """The cheapest order, of arrays as bytes."""
    own, ends, hidden = (np.frombuffer(x, dtype=np.int64) for x in (sizes, pairs, skipped))
    start, structure = _cheapest(own, ends.reshape(-1, 2), hidden, shared, soft)
    return Order(frozen(start), structure)


def _cheapest(
    sizes: Indices, pairs: Indices, skipped: Indices, shared: Sequence[int], soft: bool
) -> Order:
    """The cheapest order, found anew."""
    candidates = _orders(sizes, pairs, skipped, ())
    if 0 < len(shared) < len(sizes):
        candidates += _orders(sizes, pairs, skipped, shared)
    start, bordered = min(candidates, key=lambda candidate: candidate[1].operations)
    if soft and bordered.operations > SOFT_DEAR:
        return Order(start, sparse_structure(start, sizes, pairs, last=shared))
    if bordered.operations > DEAR:
        general = sparse_structure(start, sizes, pairs)
        if EMPTY * general.n_values < bordered.n_values:
            return Order(start, general)
    return Order(start, bordered)


def _orders(
    sizes: Indices, pairs: Indices, skipped: Indices, border: Sequence[int]
) -> list[tuple[Indices, Bordered]]:
    """Blocks as they are, and by Cuthill and McKee's rule; those of the border last, by it."""
    outside = np.array(border, dtype=np.int64)
    inside = np.setdiff1d(np.arange(len(sizes)), outside)
    own = _graph(inside, pairs, len(sizes))
    _, piece = connected_components(own, directed=False)
    first = np.unique(piece, return_index=True)[1]
    piece = np.argsort(np.argsort(first))[piece]  # in the order of the walk
    met = _met(inside, outside, piece, pairs, len(sizes))
    shared = csr_array(met.T @ met) + _graph(outside, pairs, len(sizes))
    last, n = outside[_cuthill_mckee(shared)], int(sizes[inside].sum())
    found = []
    for rank in (np.arange(len(inside)), _cuthill_mckee(own)):
        rank = rank[np.argsort(piece[rank], kind="stable")]
        order = np.concatenate([inside[rank], last])
        start = np.empty(len(sizes), dtype=np.int64)
        start[order] = np.cumsum(np.append(0, sizes[order][:-1]))
        structure = Bordered(
            _band_of_pairs(start, sizes, inside, pairs, skipped),
            _half_bandwidth(start, sizes, outside, shared),
            frozen(np.repeat(piece[rank], sizes[inside[rank]])),
            frozen(_columns(start - n, sizes, outside, met)),
            int(sizes[outside].sum()),
        )
        found.append((start, structure))
    return found


def _graph(blocks: Indices, pairs: Indices, count: int) -> csr_array:
    """Which of the blocks interact, each with itself."""
    number = np.full(count, -1)
    number[blocks] = np.arange(len(blocks))
    ends = number[pairs].reshape(-1, 2)
    a, b = np.concatenate([ends[(ends >= 0).all(axis=1)], number[blocks][:, None].repeat(2, 1)]).T
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(blocks),) * 2)
    return csr_array(graph + graph.T)


def _met(
    inside: Indices, outside: Indices, piece: Indices, pairs: Indices, count: int
) -> csr_array:
    """Which blocks of the border each piece meets, (n_pieces, n_border_blocks)."""
    of_block, of_border = np.full((2, count), -1)
    of_block[inside], of_border[outside] = piece, np.arange(len(outside))
    both = np.concatenate([pairs, pairs[:, ::-1]])
    a, b = of_block[both[:, 0]], of_border[both[:, 1]]
    there = (a >= 0) & (b >= 0)
    shape = (int(piece.max(initial=-1)) + 1, len(outside))
    return csr_array(coo_array((np.ones(int(there.sum())), (a[there], b[there])), shape=shape))


def _cuthill_mckee(graph: csr_array) -> Indices:
    """The blocks of a graph in an order that brings those together that interact."""
    if not graph.shape[0]:
        return np.arange(0)
    return np.asarray(reverse_cuthill_mckee(graph, symmetric_mode=True), dtype=np.int64)


def _band_of_pairs(
    start: Indices, sizes: Indices, blocks: Indices, pairs: Indices, skipped: Indices
) -> int:
    """Half bandwidth of the matrix of those blocks, of pairs that interact."""
    inside = np.isin(pairs, blocks).all(axis=1)
    (a, b), skip = pairs[inside].T, skipped[inside]
    first = np.where(start[a] <= start[b], start[a] + np.where(a == b, 0, skip), start[b])
    last = np.maximum(start[a] + sizes[a], start[b] + sizes[b]) - 1
    alone = int((sizes[blocks] - 1).max(initial=0))
    return max(alone, int((last - first).max(initial=0)))


def _half_bandwidth(start: Indices, sizes: Indices, blocks: Indices, graph: csr_array) -> int:
    """Half bandwidth of the matrix of blocks that interact."""
    entries = graph.tocoo()
    a, b = blocks[entries.row], blocks[entries.col]
    later = np.where(start[a] > start[b], a, b)
    return int((np.abs(start[a] - start[b]) + sizes[later] - 1).max(initial=0))


def _columns(begin: Indices, sizes: Indices, outside: Indices, met: csr_array) -> Indices:
    """Unknowns of the border that each piece meets, then -1, (n_pieces, w)."""
    entries = met.tocoo()
    order = np.lexsort((begin[outside[entries.col]], entries.row))
    piece, block = entries.row[order], outside[entries.col[order]]
    width = np.bincount(piece, sizes[block], minlength=max(1, met.shape[0])).astype(np.int64)
    columns = np.full((len(width), int(width.max())), -1)
    row, first = np.repeat(piece, sizes[block]), np.repeat(begin[block], sizes[block])
    at = np.arange(len(row)) - np.repeat(np.cumsum(width) - width, width)
    inside = np.arange(len(row)) - np.repeat(np.cumsum(sizes[block]) - sizes[block], sizes[block])
    columns[row, at] = first + inside
    return columns
