"""What ``leap_kernels`` look at: places of samples, and what is in their way."""

from typing import NamedTuple, Self

import numpy as np

from flexura.contact.block import Blocks
from flexura.contact.bow_kernels import WELLS
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
        center: where it is there; of a bow, how long that is along x [m], (n, 3).
        end: frame where its bow ends, -1 for what is on none, (n,).
        along: where on its bow it is, from 0 to 1, (n,).
        radius: of the sample [m], (n,).
        solid: that is in its way, or skin, (n,).
    """

    pair: Indices
    frame: Indices
    center: Array
    end: Indices
    along: Array
    radius: Array
    solid: Indices

    @classmethod
    def of(
        cls, pair: Indices, frame: Indices, center: Array, radius: Array, solid: Indices
    ) -> Self:
        """Of samples that one frame carries each."""
        n = len(pair)
        return cls(pair, frame, center, np.full(n, -1), np.zeros(n), radius, solid)

    def along_with(self, other: Self) -> Self:
        """These and others."""
        return type(self)(*(np.concatenate(both) for both in zip(self, other, strict=True)))

    @classmethod
    def beside_solids(
        cls,
        sample: Indices,
        end: Indices,
        offset: Array,
        edge: Array,
        rim: Array,
        soft: Array,
        radius: Array,
        solid: Indices,
        solids: Solids,
    ) -> Self:
        """Of the pairs of samples and solids that something may go through.

        Points on edges of meshes and boxes, around rims and at ends of bows are samples by
        themselves.

        Args:
            sample: frame of each, (n,).
            end: the frame at the other end if it is a bow, else -1, (n,).
            offset: its centre there [m], (n, 3).
            edge: from there to its end if it is an edge [m], (n, 3).
            rim: axis times radius if it is a circle [m], (n, 3).
            soft: what draws it to its middle if it is an edge or a bow [m], (n,).
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
        found = cls.of(pair, sample[pair], center, radius[pair], solid[pair])
        bows = np.flatnonzero(ends & (end >= 0) & (soft > 0.0))[::WELLS]
        return found.along_with(cls._on_bows(bows, sample, end, edge, radius, solid, solids))

    @classmethod
    def _on_bows(
        cls,
        bows: Indices,
        sample: Indices,
        end: Indices,
        edge: Array,
        radius: Array,
        solid: Indices,
        solids: Solids,
    ) -> Self:
        """Between the ends of bows, no further apart than the solid is thick to its middle."""
        parts = np.ceil(2.0 * edge[bows, 0] / solids.scope[solid[bows]]).astype(np.int64)
        pair = np.repeat(bows, parts - 1)
        places = [np.arange(1, n) / n for n in parts.tolist()]
        u = np.concatenate([np.empty(0), *places])
        return cls(pair, sample[pair], 2.0 * edge[pair], end[pair], u, radius[pair], solid[pair])


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
