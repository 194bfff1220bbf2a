"""Blocks of samples that are looked at together, unless they are far from their solid."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.contact.distance_kernels import BOX, CAPSULE, CYLINDER, MESH, RIDGES, SPHERE
from flexura.contact.ridge_kernels import SLOTS
from flexura.contact.solid import Solids
from flexura.typing import Array, Indices

# Samples of a rod or a volume in a block; those of a body are one, however many.
PACK = 16


class Blocks(NamedTuple):
    """Pairs of samples and solids, block by block.

    Attributes:
        begin: first pair of each block, and the end, (n + 1,).
        shell: box about the samples of each, (n,).
        lead: a block with these samples, of each box, (m,).
        within: distances that matter in a step that leads through nothing [m], (n,).
        middle: of a box about each solid, in its frame [m], (k, 3).
        half: sizes of that box, infinite for what has no end [m], (k, 3).
    """

    begin: Indices
    shell: Indices
    lead: Indices
    within: Array
    middle: Array
    half: Array

    @classmethod
    def of(
        cls,
        sample: Indices,
        shape: Array,
        solid: Indices,
        contact: Indices,
        reach: Array,
        solids: Solids,
    ) -> "Blocks":
        """Of pairs one after another.

        Args:
            sample: frame of each sample, (n,).
            shape: what a sample is besides, (n, k).
            solid: of each pair, (n,).
            contact: that it belongs to, (n,).
            reach: gaps below this may close in a step [m], (n,).
            solids: all of them.
        """
        ends = _ends(sample, solid, contact, solids.kind)
        shells: dict[bytes, int] = {}
        shell: list[int] = []
        lead: list[int] = []
        for block, (a, b) in enumerate(pairwise(ends.tolist())):
            key = sample[a:b].tobytes() + shape[a:b].tobytes()
            if key not in shells:
                shells[key] = len(lead)
                lead.append(block)
            shell.append(shells[key])
        first = ends[:-1]
        scope = solids.scope[solid[first]]
        most = np.maximum.reduceat(reach, first) if len(first) else np.empty(0)
        return cls(
            ends,
            np.array(shell, dtype=np.int64),
            np.array(lead, dtype=np.int64),
            np.maximum(most, np.where(np.isfinite(scope), scope, 0.0)),
            *_boxes(solids),
        )


def _ends(sample: Indices, solid: Indices, contact: Indices, kind: Indices) -> Indices:
    """Where blocks begin, and the end: another solid or contact, or ``PACK`` of several frames.

    All slots of a piece that looks for edges are in one.
    """
    n, found = len(solid), []
    other = np.flatnonzero((np.diff(solid) != 0) | (np.diff(contact) != 0)) + 1
    for a, b in pairwise(np.unique([0, *other.tolist(), n]).tolist()):
        one = (sample[a:b] == sample[a]).all()
        pack = PACK - PACK % SLOTS if kind[solid[a]] == RIDGES else PACK
        found += [a] if one else list(range(a, b, pack))
    return np.array([*found, n], dtype=np.int64)


def _boxes(solids: Solids) -> tuple[Array, Array]:
    """Middles and half sizes of boxes about solids."""
    middle = np.zeros((len(solids.kind), 3))
    half = np.full_like(middle, np.inf)  # planes, and walls of vessels
    for f, (kind, size) in enumerate(zip(solids.kind.tolist(), solids.size, strict=True)):
        if kind == SPHERE:
            half[f] = size[0]
        elif kind == BOX:
            half[f] = size
        elif kind == CYLINDER:
            half[f] = size[1], size[0], size[0]
        elif kind == CAPSULE:
            half[f] = size[1] + size[0], size[0], size[0]
        elif kind in (MESH, RIDGES):
            trees = solids.meshes if kind == MESH else solids.ridges
            low, high = np.split(trees.boxes[solids.span[f, 0]], 2)
            middle[f], half[f] = 0.5 * (low + high), 0.5 * (high - low)
    return middle, half
