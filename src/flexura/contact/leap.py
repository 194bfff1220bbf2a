"""What ``leap_kernels`` look at: places of samples, and what is in their way."""

from typing import NamedTuple, Self

import numpy as np

from flexura.contact.block import Blocks
from flexura.contact.distance_kernels import RIDGES
from flexura.contact.solid import Solids
from flexura.typing import Array, Indices

# Places of an edge that are looked at: ends touch by themselves, too.
PLACES = 5


class Probes(NamedTuple):
    """Places of samples.

    Attributes:
        pair: that each belongs to, (n,).
        frame: that carries it, (n,).
        center: where it is there [m], (n, 3).
        radius: of the sample [m], (n,).
        solid: that is in its way, or skin, (n,).
    """

    pair: Indices
    frame: Indices
    center: Array
    radius: Array
    solid: Indices

    @classmethod
    def beside_solids(
        cls,
        sample: Indices,
        end: Indices,
        offset: Array,
        edge: Array,
        rim: Array,
        radius: Array,
        solid: Indices,
        solids: Solids,
    ) -> Self:
        """Of the pairs of samples and solids that something may go through.

        Points on edges of meshes, around rims and at ends of bows are samples by themselves.

        Args:
            sample: frame of each, (n,).
            end: the frame at the other end if it is a bow, else -1, (n,).
            offset: its centre there [m], (n, 3).
            edge: from there to its end if it is an edge [m], (n, 3).
            rim: axis times radius if it is a circle [m], (n, 3).
            radius: [m], (n,).
            solid: of each pair, (n,).
            solids: all of them.
        """
        ends = np.isfinite(solids.scope[solid]) & (solids.kind[solid] != RIDGES)
        asked = np.flatnonzero(ends & ~rim.any(axis=1) & (end < 0))
        lined = edge[asked].any(axis=1)
        pair = np.concatenate([asked[~lined], np.repeat(asked[lined], PLACES)])
        u = np.tile(np.linspace(-1.0, 1.0, PLACES), np.count_nonzero(lined))
        u = np.concatenate([np.zeros(np.count_nonzero(~lined)), u])
        center = offset[pair] + u[:, None] * edge[pair]
        return cls(pair, sample[pair], center, radius[pair], solid[pair])


class Walls(NamedTuple):
    """Solids, as ``distance`` knows them, and boxes about them in their frames.

    Attributes:
        kind: what each is, (m,).
        size: its measures [m], (m, 3).
        span: where its pieces or its tree are, (m, 2).
        table: pieces of the curves of vessels.
        scope: how far its middle is from its surface [m], (m,).
        low: lower corner of its box [m], (m, 3).
        high: and the upper one.
    """

    kind: Indices
    size: Array
    span: Indices
    table: Array
    scope: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, solids: Solids, blocks: Blocks) -> Self:
        """Of solids, and the blocks of their pairs."""
        low, high = blocks.middle - blocks.half, blocks.middle + blocks.half
        return cls(solids.kind, solids.size, solids.span, solids.table, solids.scope, low, high)
