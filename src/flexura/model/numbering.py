"""Numbers the coordinates of a robot along its rods and ties the nodes to them."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
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
    linked: Indices,
    length: float,
) -> Layout:
    """Lay out the coordinates of a robot.

    Args:
        welded: the rigid groups of frames.
        frames: node of each frame.
        ends: first and last node of each rod.
        groups: the discretized rods, in the order of their nodes.
        named: labels of the welds whose poses are inputs, in the order of the inputs.
        linked: pairs of nodes that something ties to each other besides the rods, (n, 2).
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
    sizes: list[int] = []  # of blocks of unknowns, in walking order: poses and inner unknowns
    pose_block = np.full(n_nodes, -1)
    inner_block = np.full(n_nodes, -1)
    carrier: dict[int, int] = {}
    for node, element in order:
        if n_inner[element]:
            inner_block[element] = len(sizes)
            sizes.append(int(n_inner[element]))
        if node >= 0:
            pose_block[node] = len(sizes)
            if node in holder:
                carrier[holder[node]] = len(sizes)
            sizes.append(6)
    for node, group_index in holder.items():
        pose_block[node] = carrier.get(group_index, -1)
    across = pose_block[linked.reshape(-1, 2)]
    across = across[(across >= 0).all(axis=1)]
    pairs = np.concatenate([_neighbours(ends, reach, pose_block, inner_block), across])
    start, half_bandwidth = _best_order(np.array(sizes), pairs)
    dof = np.where(pose_block >= 0, start[pose_block], -1)
    inner_dof = np.where(inner_block >= 0, start[inner_block], -1)
    starts, numbers = np.unique(dof[dof >= 0], return_inverse=True)
    coordinate = np.full(n_nodes, -1)
    coordinate[dof >= 0] = numbers
    multiplier, units = _kinds(sum(sizes), groups, starts, inner_dof, length)
    return Layout(
        n_coordinates=len(starts),
        n_dof=sum(sizes),
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
        half_bandwidth=half_bandwidth,
        moving=_moving(welded, frames, named),
    )


def _kinds(
    n_dof: int, groups: Sequence[RodGroup], starts: Indices, inner_dof: Indices, length: float
) -> tuple[NDArray[np.bool_], Array]:
    """Which unknowns are multipliers, and the units of all residuals."""
    multiplier = np.zeros(n_dof, dtype=np.bool_)
    units = np.ones(n_dof)
    units[starts[:, None] + np.arange(3)] = 1.0 / length
    first = 0
    for group in groups:
        own = inner_dof[first : first + int(group.rod_nodes[-1])]
        rows = own[own >= 0, None] + np.arange(group.n_inner)
        multiplier[rows], units[rows] = group.multiplier, group.inner_units
        first += int(group.rod_nodes[-1])
    return multiplier, units


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


def _neighbours(
    ends: Mapping[str, tuple[int, int]], reach: Indices, pose_block: Indices, inner_block: Indices
) -> Indices:
    """Pairs of blocks of unknowns that interact, (n, 2)."""
    pairs = []
    for first, last in ends.values():
        for n in range(first, last + 1):
            own = [b for b in (inner_block[n], pose_block[n]) if b >= 0]
            for m in range(n, min(n + reach[n], last) + 1):
                pairs += [(b, c) for b in own for c in (inner_block[m], pose_block[m]) if c >= 0]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _best_order(sizes: Indices, pairs: Indices) -> tuple[Indices, int]:
    """Where each block begins, and the half bandwidth: walking order or Cuthill-McKee's."""
    count = len(sizes)
    graph = coo_array((np.ones(len(pairs)), pairs.T), shape=(count, count)).tocsr()
    cuthill = reverse_cuthill_mckee(graph + graph.T, symmetric_mode=True)
    found = []
    for order in (np.arange(count), cuthill):
        start = np.empty(count, dtype=np.int64)
        start[order] = np.cumsum(np.append(0, sizes[order][:-1]))
        apart = np.abs(start[pairs[:, 0]] - start[pairs[:, 1]])
        later = np.where(start[pairs[:, 0]] > start[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
        found.append((start, int((apart + sizes[later] - 1).max())))
    return min(found, key=lambda result: result[1])


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
