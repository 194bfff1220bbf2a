"""The order of the unknowns: a narrow band, and a border where that is cheaper."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from flexura.typing import Indices


class Order(NamedTuple):
    """Where blocks of unknowns begin.

    Attributes:
        start: first unknown of each block, (n_blocks,).
        half_bandwidth: of those in the band.
        n_border: number of unknowns in the border, the last ones.
    """

    start: Indices
    half_bandwidth: int
    n_border: int


def best_order(sizes: Indices, pairs: Indices, shared: Sequence[int]) -> Order:
    """The cheapest of a few orders.

    Args:
        sizes: of the blocks, in walking order.
        pairs: blocks that interact, (n, 2).
        shared: blocks that many others interact with, which may go to the border.
    """
    candidates = [_order(sizes, pairs, (), cuthill) for cuthill in (False, True)]
    if shared:
        candidates += [_order(sizes, pairs, shared, cuthill) for cuthill in (False, True)]
    total = int(sizes.sum())
    return min(candidates, key=lambda order: _cost(total, order))


def _cost(total: int, order: Order) -> float:
    """Operations of a factorisation, about."""
    n, h, m = total - order.n_border, order.half_bandwidth, order.n_border
    return n * h * (h + 2.0 * m) + n * m * m + m**3


def _order(sizes: Indices, pairs: Indices, border: Sequence[int], cuthill: bool) -> Order:
    """Blocks as they are, or by Cuthill and McKee's rule; those of the border last."""
    inside = np.setdiff1d(np.arange(len(sizes)), border)
    number = np.full(len(sizes), -1)
    number[inside] = np.arange(len(inside))
    own = number[pairs][(number[pairs] >= 0).all(axis=1)]
    rank = np.arange(len(inside))
    if cuthill and len(inside):
        graph = coo_array((np.ones(len(own)), own.T), shape=(len(inside),) * 2).tocsr()
        rank = reverse_cuthill_mckee(graph + graph.T, symmetric_mode=True)
    order = np.concatenate([inside[rank], np.array(border, dtype=np.int64)]).astype(np.int64)
    start = np.empty(len(sizes), dtype=np.int64)
    start[order] = np.cumsum(np.append(0, sizes[order][:-1]))
    a, b = inside[own].T if len(own) else np.empty((2, 0), dtype=np.int64)
    later = np.where(start[a] > start[b], a, b)
    apart = np.abs(start[a] - start[b]) + sizes[later] - 1
    return Order(start, int(apart.max(initial=0)), int(sizes[list(border)].sum()))
