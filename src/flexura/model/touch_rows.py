"""Rows of contacts: how the residual changes with unit forces of pairs, ∂r/∂λ = -∂(gap)/∂q."""

from typing import NamedTuple

import numpy as np

from flexura.model import touch_kernels as kernels
from flexura.model.assemble import Assembly
from flexura.model.touch import Touch
from flexura.typing import Array, Indices, Matrix


class TouchRows(NamedTuple):
    """Rows of the pairs that are near.

    Attributes:
        pairs: which these are, (k,).
        axes: normal and two directions along the surface of each, (k, 3, 3).
        first: its first row, (k,).
        counts: how many it has: one, or three where it rubs or both sides move, (k,).
        rows: (n, n_dof).
    """

    pairs: Indices
    axes: Array
    first: Indices
    counts: Indices
    rows: Matrix


def touch_rows(assembly: Assembly, touch: Touch) -> TouchRows:
    """Rows of all pairs that are near, where the assembly was evaluated last."""
    pairs = touch.near
    axes = _axes(touch, pairs)
    three = (touch.contacts.friction[pairs] > 0.0) | ~touch.one_sided[pairs]
    count = np.where(three, 3, 1)
    first = np.cumsum(count) - count
    rows = np.zeros((int(count.sum()), assembly.layout.n_dof))
    carrier = _Carrier(assembly, touch)
    for i, c in enumerate(pairs.tolist()):
        for j in range(count[i]):
            carrier.carry(c, axes[i, j], rows[first[i] + j])
    return TouchRows(pairs, axes, first, count, rows)


def _axes(touch: Touch, pairs: Indices) -> Array:
    """Normal, and the directions along the surface in which it turns most and least."""
    n = touch.normal[pairs]
    found = np.empty((len(pairs), 3, 3))
    if not len(pairs):
        return found
    bend = touch.bend[pairs].reshape(-1, 3, 3)
    # the normal does not turn along itself: a large number keeps it the last one
    size = 1.0 + np.abs(bend).max(axis=(1, 2))
    _, vectors = np.linalg.eigh(
        0.5 * (bend + bend.transpose(0, 2, 1))
        + (1e3 * size)[:, None, None] * n[:, :, None] * n[:, None, :]
    )
    found[:, 0], found[:, 1] = n, vectors[:, :, 0]
    found[:, 2] = np.cross(n, found[:, 1])
    return found


class _Carrier:
    """Carries unit forces of pairs back to the unknowns."""

    def __init__(self, assembly: Assembly, touch: Touch) -> None:
        own = touch.contacts
        self._assembly, self._touch = assembly, touch
        self._load = np.zeros((own.n_frames, 6))
        self._force = np.zeros((assembly.layout.n_nodes, 6))
        self._inner = [np.zeros_like(part.inner) for part in assembly.parts]
        counts = [len(points) for points in own.points]
        self._part = np.concatenate(
            [np.repeat(np.arange(len(counts)), counts), np.full(len(own.nodes), -1)]
        ).tolist()
        self._index = np.concatenate([*own.points, own.nodes]).tolist()
        self._loose = assembly.layout.loose.tolist()
        for part in assembly.parts:
            part.changes.clear()

    def carry(self, pair: int, direction: Array, row: Array) -> None:
        """Write the row of a unit force along a direction on a pair."""
        assembly, touch, load, force = self._assembly, self._touch, self._load, self._force
        x, y, z = direction.tolist()
        kernels.unit_load(pair, (x, y, z), touch.who, touch.share, touch.frames, touch.point, load)
        frames = [k for k in touch.who[pair].tolist() if k >= 0]
        parts = set()
        for k in frames:
            part, at = self._part[k], self._index[k]
            if part >= 0:
                assembly.parts[part].changes.load[at] = load[k]
            else:
                force[at] += load[k]
                part = self._leads(at) if self._loose[at] else -1
            if part >= 0:
                parts.add(part)
        for i in parts:
            part_work = assembly.parts[i]
            part_work.part.group.carry_back(
                part_work.changes, force[part_work.part.nodes], self._inner[i], part_work.work
            )
            part_work.scatter_inner(self._inner[i], row)
            self._inner[i].fill(0.0)
        assembly.layout.add_node_forces(force, row)
        force.fill(0.0)
        for k in frames:
            load[k] = 0.0
            if self._part[k] >= 0:
                assembly.parts[self._part[k]].changes.load[self._index[k]] = 0.0

    def _leads(self, node: int) -> int:
        """The part whose rod leads to a loose node."""
        for i, part in enumerate(self._assembly.parts):
            if part.part.nodes.start <= node < part.part.nodes.stop:
                return i
        return -1
