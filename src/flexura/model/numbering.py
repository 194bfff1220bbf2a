"""Numbers the unknowns of a robot along its rods and joints, and ties the nodes to them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.model.layout import Factor, Layout, adjoint_duals
from flexura.model.node_finder import NodeFinder
from flexura.model.ordering import best_order
from flexura.model.walk import Walk, walk
from flexura.robot.graph import FreeJoint, Group, Link
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, Indices, frozen

# A group that this many pieces of rods hold may go to the border of the tangent.
SHARED = 3


def number_unknowns(
    welded: Sequence[Group],
    joints: Sequence[FreeJoint],
    nodes: NodeFinder,
    movers: Mapping[str, int],
    linked: Indices,
    length: float,
) -> Layout:
    """Lay out the unknowns of a robot.

    Args:
        welded: the rigid groups of anchors.
        joints: the joints between them.
        nodes: node of each anchor.
        movers: number of the motion of each link that an input moves, by label.
        linked: pairs of nodes that something ties to each other besides the rods, (n, 2).
        length: to compare moments with forces [m].
    """
    anchors = {a: nodes.node(a) for group in welded for a in group.frames}
    holder = {anchors[a]: i for i, group in enumerate(welded) for a in group.frames}
    pieces = nodes.pieces(anchors.values())
    way = walk(pieces, joints, anchors, holder)
    taken = {*linked.ravel().tolist(), *(anchors[a] for j in joints for a in (j.a, j.b))}
    loose = _loose(welded, anchors, nodes, taken)
    inner_size = nodes.n_inner.copy()
    inner_size[loose] -= 6
    blocks = _number_blocks(way, inner_size, loose, joints, holder)
    pairs = _pairs(nodes, blocks, joints, anchors, linked)
    shared = _shared(pieces, joints, anchors, holder, blocks)
    start, pattern = best_order(np.array(blocks.sizes, dtype=np.int64), pairs, shared)
    begin = np.append(start, -1)  # what has no block has no unknowns
    dof, inner_dof, joint_dof = begin[blocks.pose], begin[blocks.inner], begin[blocks.joint]
    inner_size[inner_dof < 0] = 0
    starts, coordinate = _coordinates(dof, loose)
    offset = _offsets(welded, anchors, nodes.count)
    multiplier = np.zeros(sum(blocks.sizes), dtype=np.bool_)
    units = np.ones(sum(blocks.sizes))
    units[starts[:, None] + np.arange(3)] = 1.0 / length
    _mark_inner(multiplier, units, nodes.groups, inner_dof, inner_size)
    _mark_joints(multiplier, units, joints, joint_dof, length)
    return Layout(
        n_coordinates=len(starts) + len(loose),
        n_dof=sum(blocks.sizes),
        coordinate=frozen(coordinate),
        dof=frozen(dof),
        inner_dof=frozen(inner_dof),
        inner_size=frozen(inner_size),
        joint_dof=frozen(joint_dof),
        joint_size=frozen(np.array([len(joint.rows) for joint in joints], dtype=np.int64)),
        multiplier=frozen(multiplier),
        units=frozen(units),
        offset=frozen(offset),
        adjoint=frozen(adjoint_duals(offset)),
        plain=frozen(np.all(offset == np.eye(4), axis=(1, 2))),
        walk=frozen(np.array(way.steps, dtype=np.int64).reshape(-1, 3)),
        jump=frozen(_jumps(way, joints, anchors)),
        closing=frozen(np.array(way.closing, dtype=np.int64).reshape(-1, 2)),
        pattern=pattern,
        moving=_moving(welded, anchors, movers),
    )


def _loose(
    welded: Sequence[Group], anchors: Mapping[str, int], nodes: NodeFinder, taken: Collection[int]
) -> list[int]:
    """Last nodes of rods that integrate their poses, which nothing else holds."""
    alone = {anchors[g.reference] for g in welded if len(g.frames) == 1 and not g.fixed}
    integrated = (
        nodes.ends(rod)[1]
        for rod, place in nodes.places.items()
        if nodes.groups[place.part].integrated
    )
    return [node for node in integrated if node in alone and node not in taken]


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Blocks of unknowns, in the order of the walk; who has none has the number -1.

    Attributes:
        sizes: number of unknowns of each.
        pose: block of the pose of each node, that of its group if one holds it.
        inner: block of the element that leads to each node.
        joint: block of each joint.
        carrier: block of each group that has one.
    """

    sizes: list[int]
    pose: Indices
    inner: Indices
    joint: Indices
    carrier: dict[int, int]


def _number_blocks(
    way: Walk,
    inner_size: Indices,
    loose: Collection[int],
    joints: Sequence[FreeJoint],
    holder: Mapping[int, int],
) -> _Blocks:
    """Number the blocks that are not empty."""
    sizes: list[int] = []
    carrier: dict[int, int] = {}
    number = {
        "node": np.full(len(inner_size), -1),
        "element": np.full(len(inner_size), -1),
        "joint": np.full(len(joints), -1),
    }
    for kind, n in way.blocks:
        if kind == "node":
            size = 0 if n in loose else 6
        else:
            size = inner_size[n] if kind == "element" else len(joints[n].rows)
        if size:
            number[kind][n] = len(sizes)
            if kind == "node" and n in holder:
                carrier[holder[n]] = len(sizes)
            sizes.append(int(size))
    for node, group in holder.items():
        number["node"][node] = carrier.get(group, -1)
    return _Blocks(sizes, number["node"], number["element"], number["joint"], carrier)


def _pairs(
    nodes: NodeFinder,
    blocks: _Blocks,
    joints: Sequence[FreeJoint],
    anchors: Mapping[str, int],
    linked: Indices,
) -> Indices:
    """Pairs of blocks of unknowns that interact, (n, 2)."""
    pairs = []
    pose, inner = blocks.pose, blocks.inner
    for rod in nodes.places:
        first, last = nodes.ends(rod)
        for n in range(first, last + 1):
            own = [b for b in (inner[n], pose[n]) if b >= 0]
            for m in range(n, min(n + nodes.reach[n], last) + 1):
                pairs += [(b, c) for b in own for c in (inner[m], pose[m]) if c >= 0]
    for block, joint in zip(blocks.joint, joints, strict=True):
        ends = [pose[anchors[a]] for a in (joint.a, joint.b)]
        pairs += [(b, c) for b in (block, *ends) for c in ends if b >= 0 and c >= 0]
        pairs.append((block, block))
    pairs += [tuple(pair) for pair in pose[linked.reshape(-1, 2)] if (pair >= 0).all()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _shared(
    pieces: Sequence[tuple[int, int]],
    joints: Sequence[FreeJoint],
    anchors: Mapping[str, int],
    holder: Mapping[int, int],
    blocks: _Blocks,
) -> list[int]:
    """Blocks that may go to the border: poses that many rods hold, and all about joints.

    What is left then are rods between poses that are given, a matrix that is regular by itself.
    """
    held = Counter(holder[n] for piece in pieces for n in piece)
    groups = {group for group, count in held.items() if count >= SHARED}
    groups |= {holder[anchors[a]] for joint in joints for a in (joint.a, joint.b)}
    poses = [blocks.carrier[group] for group in sorted(groups) if group in blocks.carrier]
    return [*poses, *blocks.joint.tolist()]


def _coordinates(dof: Indices, loose: Sequence[int]) -> tuple[Indices, Indices]:
    """First unknown of each coordinate, and the coordinate of each node, -1 for none.

    Those of loose nodes are the last ones, and have no unknowns.
    """
    starts, numbers = np.unique(dof[dof >= 0], return_inverse=True)
    coordinate = np.full(len(dof), -1)
    coordinate[dof >= 0] = numbers
    coordinate[loose] = len(starts) + np.arange(len(loose))
    return starts, coordinate


def _offsets(welded: Sequence[Group], anchors: Mapping[str, int], count: int) -> Array:
    """Poses of the nodes in their coordinates, at rest, (count, 4, 4)."""
    offset = np.tile(np.eye(4), (count, 1, 1))
    for group in welded:
        for a, pose in group.frames.items():
            offset[anchors[a]] = pose
    return offset


def _mark_inner(
    multiplier: NDArray[np.bool_],
    units: Array,
    groups: Sequence[RodGroup],
    inner_dof: Indices,
    inner_size: Indices,
) -> None:
    """Write which inner unknowns of rods are multipliers, and the units of their residuals."""
    node = 0
    for group in groups:
        for _ in range(int(group.rod_nodes[-1])):
            begin, size = inner_dof[node], inner_size[node]
            multiplier[begin : begin + size] = group.multiplier[:size]
            units[begin : begin + size] = group.inner_units[:size]
            node += 1


def _mark_joints(
    multiplier: NDArray[np.bool_],
    units: Array,
    joints: Sequence[FreeJoint],
    joint_dof: Indices,
    length: float,
) -> None:
    """Write that the unknowns of joints are multipliers, and the units of their residuals."""
    for joint, first in zip(joints, joint_dof, strict=True):
        rows = first + np.arange(len(joint.rows))
        multiplier[rows] = True
        units[rows] = [1.0 if row < 3 else 1.0 / length for row in joint.rows]


def _jumps(way: Walk, joints: Sequence[FreeJoint], anchors: Mapping[str, int]) -> Array:
    """Pose of the far node in the near one where a joint leads there, at rest, (n_steps, 4, 4)."""
    found = np.tile(np.eye(4), (len(way.steps), 1, 1))
    for i, ((near, _, _), number) in enumerate(zip(way.steps, way.links, strict=True)):
        if number >= 0:
            joint = joints[number]
            T = joint.T_a @ se3.inverse(joint.T_b)
            found[i] = T if near == anchors[joint.a] else se3.inverse(T)
    return found


def _moving(
    welded: Sequence[Group], anchors: Mapping[str, int], movers: Mapping[str, int]
) -> tuple[tuple[int, tuple[Factor, ...]], ...]:
    """Nodes whose offset depends on inputs, with the factors of the offset."""
    moving = []
    for group in welded:
        for a, path in group.paths.items():
            if any(link.label in movers for link, _ in path):
                factors = [f for link, forward in path for f in _factors(link, forward, movers)]
                moving.append((anchors[a], tuple(factors)))
    return tuple(moving)


def _factors(link: Link, forward: bool, movers: Mapping[str, int]) -> list[Factor]:
    """The factors of a link's pose, passed forward or backward."""
    if link.label not in movers:
        return [link.rest if forward else se3.inverse(link.rest)]
    number = movers[link.label]
    if forward:
        return [link.before, (number, True), link.after]
    return [se3.inverse(link.after), (number, False), se3.inverse(link.before)]
