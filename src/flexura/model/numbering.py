"""Numbers the coordinates of a robot along its rods and ties the nodes to them."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from flexura.lie import se3
from flexura.model.layout import Layout, adjoint_duals
from flexura.robot.graph import Group
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, Indices, Pose, frozen


def number_coordinates(
    welded: Sequence[Group],
    frames: Mapping[str, int],
    ends: Mapping[str, tuple[int, int]],
    groups: Sequence[RodGroup],
    named: Sequence[str],
    length: float,
) -> Layout:
    """Lay out the coordinates of a robot.

    Args:
        welded: the rigid groups of frames.
        frames: node of each frame.
        ends: first and last node of each rod.
        groups: the discretized rods, in the order of their nodes.
        named: labels of the welds whose poses are inputs, in the order of the inputs.
        length: to compare moments with forces [m].
    """
    n_inner = np.concatenate([np.full(g.rod_nodes[-1], g.n_inner) for g in groups])
    reach = np.concatenate([np.full(g.rod_nodes[-1], g.reach) for g in groups])
    n_nodes = len(n_inner)
    offset = np.tile(np.eye(4), (n_nodes, 1, 1))
    holder = {frames[f]: i for i, g in enumerate(welded) for f in g.frames if f in frames}
    for group in welded:
        for frame, pose in group.frames.items():
            if frame in frames:
                offset[frames[frame]] = pose
    fixed = {i for i, group in enumerate(welded) if group.fixed}
    walk, closing, order = _walk(ends, holder, fixed)
    coordinate = np.full(n_nodes, -1)
    inner_dof = np.full(n_nodes, -1)
    number: dict[int, int] = {}
    count, n_dof = 0, 0
    begin: list[int] = []
    for node, element in order:
        if element >= 0 and n_inner[element]:
            inner_dof[element] = n_dof
            n_dof += int(n_inner[element])
        if node >= 0:
            coordinate[node] = count
            if node in holder:
                number[holder[node]] = count
            begin.append(n_dof)
            count, n_dof = count + 1, n_dof + 6
    for node, group_index in holder.items():
        coordinate[node] = number.get(group_index, -1)
    starts = np.array([*begin, -1])
    if not n_inner.any():
        coordinate = _narrowed(coordinate, count, ends, reach)
        starts = np.append(6 * np.arange(count), -1)
    dof = starts[coordinate]
    multiplier = np.zeros(n_dof, dtype=np.bool_)
    units = np.ones(n_dof)
    for start in np.unique(dof[dof >= 0]):
        units[start : start + 3] = 1.0 / length
    first = 0
    for g in groups:
        for node in range(first, first + int(g.rod_nodes[-1])):
            if inner_dof[node] >= 0:
                own = slice(inner_dof[node], inner_dof[node] + g.n_inner)
                multiplier[own], units[own] = g.multiplier, g.inner_units
        first += int(g.rod_nodes[-1])
    return Layout(
        n_coordinates=count,
        n_dof=n_dof,
        coordinate=frozen(coordinate),
        dof=frozen(dof),
        inner_dof=frozen(inner_dof),
        multiplier=frozen(multiplier),
        units=frozen(units),
        offset=frozen(offset),
        adjoint=frozen(adjoint_duals(offset)),
        plain=frozen(np.all(offset == np.eye(4), axis=(1, 2))),
        walk=frozen(np.array(walk, dtype=np.int64).reshape(-1, 3)),
        closing=frozen(np.array(closing, dtype=np.int64).reshape(-1, 2)),
        half_bandwidth=_half_bandwidth(dof, inner_dof, n_inner, ends, reach),
        moving=_moving(welded, frames, named),
    )


def _walk(
    ends: Mapping[str, tuple[int, int]], holder: Mapping[int, int], fixed: set[int]
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]], list[tuple[int, int]]]:
    """Go along the rods from the world outwards.

    Returns the rods that reach something new (near node, far node, direction), the first and
    last nodes of those that close a loop, and the new coordinates in order: (node, element before
    it), with -1 where there is none.
    """
    reached = set(fixed)
    waiting = dict(ends)
    walk: list[tuple[int, int, int]] = []
    closing: list[tuple[int, int]] = []
    order: list[tuple[int, int]] = []
    while waiting:
        name, near, far = next(
            (name, a, b)
            for name, pair in waiting.items()
            for a, b in (pair, pair[::-1])
            if holder[a] in reached
        )
        del waiting[name]
        step = 1 if far > near else -1
        new = holder[far] not in reached
        if new:
            walk.append((near, far, step))
            reached.add(holder[far])
        else:
            closing.append((min(near, far), max(near, far)))
        for node in range(near + step, far + step, step):
            element = node if step > 0 else node + 1
            order.append((node if node != far or new else -1, element))
    return walk, closing, order


def _narrowed(
    coordinate: Indices, count: int, ends: Mapping[str, tuple[int, int]], reach: Indices
) -> Indices:
    """The better of the walking order and reverse Cuthill-McKee."""
    pairs = coordinate[_neighbours(ends, reach)]
    pairs = pairs[(pairs >= 0).all(axis=1)]
    graph = coo_array((np.ones(len(pairs)), pairs.T), shape=(count, count)).tocsr()
    order = np.empty(count, dtype=np.int64)
    order[reverse_cuthill_mckee(graph + graph.T, symmetric_mode=True)] = np.arange(count)
    if np.ptp(order[pairs], axis=1).max(initial=0) >= np.ptp(pairs, axis=1).max(initial=0):
        return coordinate
    return np.where(coordinate >= 0, order[coordinate], -1)


def _neighbours(ends: Mapping[str, tuple[int, int]], reach: Indices) -> Indices:
    """Pairs of nodes that interact, (n, 2)."""
    return np.array(
        [
            (n, m)
            for first, last in ends.values()
            for n in range(first, last + 1)
            for m in range(n, min(n + reach[n], last) + 1)
        ]
    )


def _half_bandwidth(
    dof: Indices,
    inner_dof: Indices,
    n_inner: Indices,
    ends: Mapping[str, tuple[int, int]],
    reach: Indices,
) -> int:
    """The largest distance of two unknowns that interact."""
    width = 5
    pairs = dof[_neighbours(ends, reach)]
    pairs = pairs[(pairs >= 0).all(axis=1)]
    if len(pairs):
        width = int(np.ptp(pairs, axis=1).max()) + 5
    for first, last in ends.values():
        for n in range(first + 1, last + 1):
            if inner_dof[n] >= 0:
                spread = [d for d in (dof[n - 1], dof[n]) if d >= 0]
                lowest = min([*spread, inner_dof[n]])
                highest = max([*(d + 5 for d in spread), inner_dof[n] + n_inner[n] - 1])
                width = max(width, int(highest - lowest))
    return width


def _moving(
    welded: Sequence[Group], frames: Mapping[str, int], named: Sequence[str]
) -> tuple[tuple[int, tuple[Pose | tuple[int, bool], ...]], ...]:
    """Nodes whose offset depends on named welds, with the factors of the offset."""
    number = {label: i for i, label in enumerate(named)}
    moving = []
    for group in welded:
        for frame, path in group.paths.items():
            if frame in frames and any(weld.label in number for weld, _ in path):
                factors: list[Array | tuple[int, bool]] = []
                for weld, forward in path:
                    if weld.label in number:
                        factors.append((number[weld.label], forward))
                    else:
                        T = weld.transform
                        factors.append(T if forward else se3.inverse(T))
                moving.append((frames[frame], tuple(factors)))
    return tuple(moving)
