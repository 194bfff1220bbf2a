"""Numbers the unknowns of a robot along its rods and joints, and ties the nodes to them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.lie import se3
from flexura.matrix.ordering import best_order
from flexura.model.layout import Layout, OffsetFactor, adjoint_duals
from flexura.model.member import Member
from flexura.model.node_finder import NodeFinder
from flexura.model.particle_numbering import ParticleBlocks
from flexura.model.particles import Particles
from flexura.model.term import Term
from flexura.model.walk import Walk, walk
from flexura.robot import Anchor, FreeJoint, Group, Link, Robot
from flexura.typing import Array, Indices, Vector, frozen

# A group that this many pieces of rods hold may go to the border of the tangent.
SHARED = 3


def number_unknowns(
    robot: Robot,
    nodes: NodeFinder,
    terms: Sequence[Term],
    joints: Term,
    movers: Mapping[str, int],
    particles: Particles,
    members: Sequence[Member],
    origin: Vector,
) -> Layout:
    """Lay out the unknowns of a robot.

    Args:
        robot: the description.
        nodes: node of each anchor.
        terms: what acts on nodes.
        joints: the one of them that has the joints of the robot's graph.
        movers: number of the motion of each link that an input moves, by label.
        particles: those of volumes, and the nodes that they ride on.
        members: what acts on particles.
        origin: where poses are counted from in the world [m].
    """
    welded, free = robot.graph.groups, robot.graph.free
    anchors = {a: nodes.node(a) for group in welded for a in group.frames}
    holder = {anchors[a]: i for i, group in enumerate(welded) for a in group.frames}
    pieces = nodes.pieces(anchors.values())
    way = walk(pieces, free, anchors, holder, nodes.firsts, nodes.leads, [*nodes.bodies.values()])
    loose = _loose(welded, anchors, nodes, terms, particles)
    inner_size = nodes.inner_size.copy()
    inner_size[loose] -= 6
    blocks = _number_blocks(way, inner_size, loose, terms, joints, holder)
    soft = ParticleBlocks.of(particles, members, blocks.pose, blocks.inner, blocks.sizes)
    pairs, skipped = _pairs(nodes, blocks, terms, soft)
    # what slides in its joints is held by what it is threaded through: that comes first
    shared = [*soft.shared, *_shared(pieces, free, anchors, holder, blocks, terms)]
    sizes = np.array(blocks.sizes, dtype=np.int64)
    start, structure = best_order(sizes, pairs, shared, len(particles) > 0, skipped)
    begin = np.append(start, -1)  # what has no block has no unknowns
    dof, inner_dof = begin[blocks.pose], begin[blocks.inner]
    first = [begin[own] for own in blocks.term]
    term_rows = tuple(_rows(own, term.brings) for own, term in zip(first, terms, strict=True))
    inner_size[inner_dof < 0] = 0
    starts, coordinate = _coordinates(dof)
    offset, length = _offsets(welded, anchors, nodes.count, origin), robot.length
    multiplier, units = _marked(sum(blocks.sizes), starts, nodes, inner_dof, inner_size, length)
    for rows, term in zip(term_rows, terms, strict=True):
        multiplier[rows], units[rows] = True, term.units(length)
    member_rows = soft.mark(begin, members, length, multiplier, units)
    return Layout(
        n_coordinates=len(starts),
        n_dof=sum(blocks.sizes),
        coordinate=frozen(coordinate),
        dof=frozen(dof),
        loose=frozen(np.isin(np.arange(nodes.count), loose)),
        inner_dof=frozen(inner_dof),
        inner_size=frozen(inner_size),
        term_rows=term_rows,
        multiplier=frozen(multiplier),
        units=frozen(units),
        offset=frozen(offset),
        adjoint=frozen(adjoint_duals(offset)),
        plain=frozen(np.all(offset == np.eye(4), axis=(1, 2))),
        walk=frozen(np.array(way.steps, dtype=np.int64).reshape(-1, 3)),
        jump=frozen(_jumps(way, free, anchors)),
        closing=frozen(np.array(way.closing, dtype=np.int64).reshape(-1, 2)),
        floats=_floats(way, coordinate),
        structure=structure,
        moving=_moving(welded, anchors, movers, origin),
        particles=soft.numbered(particles, begin),
        member_rows=member_rows,
        held_tubes=any(mark not in loose for _, mark in nodes.leads),
        origin=frozen(origin),
    )


def _loose(
    welded: Sequence[Group],
    anchors: Mapping[Anchor, int],
    nodes: NodeFinder,
    terms: Sequence[Term],
    particles: Particles,
) -> list[int]:
    """Last nodes of rods that integrate their poses, which nothing else holds.

    What acts on one node alone, and brings no unknown, does not hold it; a volume does.
    """
    holding = (t for t in terms if t.nodes.shape[1] > 1 or t.brings.any())
    taken = {n for term in holding for n in term.nodes.ravel().tolist()}
    taken.update(np.unique(particles.node).tolist())
    alone = {anchors[g.reference] for g in welded if len(g.frames) == 1 and not g.fixed}
    integrated = (
        nodes.ends(rod)[1]
        for rod, place in nodes.places.items()
        if nodes.groups[place.part].integrated
        and not len(nodes.groups[place.part].pairs)  # frames of tubes are loose there
    )
    ends = [*integrated, *(mark for _, mark in nodes.leads)]
    return [node for node in ends if node in alone and node not in taken]


@dataclass(frozen=True, eq=False)
class _Blocks:
    """Blocks of unknowns, in the order of the walk; who has none has the number -1.

    Attributes:
        sizes: number of unknowns of each.
        pose: block of the pose of each node, that of its group if one holds it.
        inner: block of the inner unknowns that are stored with each node.
        term: for each term, block of the unknowns that each element brings.
        carrier: block of each group that has one.
    """

    sizes: list[int]
    pose: Indices
    inner: Indices
    term: list[Indices]
    carrier: dict[int, int]


def _number_blocks(
    way: Walk,
    inner_size: Indices,
    loose: Collection[int],
    terms: Sequence[Term],
    joints: Term,
    holder: Mapping[int, int],
) -> _Blocks:
    """Number the blocks that are not empty."""
    pose, inner = np.full((2, len(inner_size)), -1)
    term = [np.full(len(own.nodes), -1) for own in terms]
    sizes: list[int] = []
    carrier: dict[int, int] = {}
    left_out = set(loose)
    joint = next((i for i, own in enumerate(terms) if own is joints), -1)
    others = [(i, e) for i, own in enumerate(terms) if i != joint for e in range(len(own.nodes))]
    brings = [own.brings for own in terms]

    def number(of: Indices, n: int, size: int) -> None:
        if size:
            of[n] = len(sizes)
            sizes.append(int(size))

    for kind, n in way.blocks:
        if kind == "node":
            number(pose, n, 0 if n in left_out else 6)
            if n in holder and pose[n] >= 0:
                carrier[holder[n]] = int(pose[n])
        elif kind == "inner":
            number(inner, n, inner_size[n])
        else:
            number(term[joint], n, brings[joint][n])
    for i, e in others:
        number(term[i], e, brings[i][e])
    for node, group in holder.items():
        pose[node] = carrier.get(group, -1)
    return _Blocks(sizes, pose, inner, term, carrier)


def _pairs(
    nodes: NodeFinder, blocks: _Blocks, terms: Sequence[Term], soft: ParticleBlocks
) -> tuple[Indices, Indices]:
    """Pairs of blocks of unknowns that interact, (n, 2).

    The second array tells how many unknowns at the beginning of the first block the second does not
    meet, (n,).
    """
    own = np.stack([blocks.inner, blocks.pose], axis=1)
    near, skipped = _near(nodes, own)
    found = [near]
    for group, begin in zip(nodes.groups, nodes.begins, strict=False):
        pairs = begin + group.pairs
        found += [_both(own[pairs[:, 0], i], own[pairs[:, 1], j]) for i in (0, 1) for j in (0, 1)]
    for number, term in zip(blocks.term, terms, strict=True):
        ends = blocks.pose[term.nodes]
        for i in range(ends.shape[1]):
            found.append(_both(number, ends[:, i]))
            found += [_both(ends[:, i], ends[:, j]) for j in range(ends.shape[1])]
        found.append(_both(number, number))
    every = np.concatenate([*found, soft.pairs])
    return every, np.append(skipped, np.zeros(len(every) - len(near), dtype=np.int64))


def _near(nodes: NodeFinder, own: Indices) -> tuple[Indices, Indices]:
    """The same along rods, of inner unknowns and poses of nodes, (n_nodes, 2)."""
    found, skipped = [np.empty((0, 2), dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for apart in range(int(nodes.reach.max(initial=0)) + 1):
        first = np.flatnonzero(nodes.left >= apart)
        first = first[nodes.reach[first] >= apart]
        for i in (0, 1):
            hidden = nodes.hidden[first] if i == 0 and apart else np.zeros_like(first)
            seen = hidden < nodes.inner_size[first] if i == 0 else True
            for j in (0, 1):
                pairs = np.stack([own[first, i], own[first + apart, j]], axis=1)
                there = (pairs >= 0).all(axis=1) & seen
                found.append(pairs[there])
                skipped.append(hidden[there])
    return np.concatenate(found), np.concatenate(skipped)


def _both(a: Indices, b: Indices) -> Indices:
    """Pairs of which both are blocks."""
    pairs = np.stack([a, b], axis=1)
    return pairs[(pairs >= 0).all(axis=1)]


def _shared(
    pieces: Sequence[tuple[int, int]],
    joints: Sequence[FreeJoint],
    anchors: Mapping[Anchor, int],
    holder: Mapping[int, int],
    blocks: _Blocks,
    terms: Sequence[Term],
) -> list[int]:
    """Blocks that may go to the border: poses that many rods hold, and all about joints.

    What is left then are rods between poses that are given, a matrix that is regular by itself.
    """
    held = Counter(holder[n] for piece in pieces for n in piece)
    groups = {group for group, count in held.items() if count >= SHARED}
    groups |= {holder[anchors[a]] for joint in joints for a in (joint.a, joint.b)}
    poses = [blocks.carrier[group] for group in sorted(groups) if group in blocks.carrier]
    brought = [block for own in blocks.term for block in own.tolist() if block >= 0]
    if brought:  # and what terms with unknowns of their own act on
        ends = [blocks.pose[term.nodes[term.brings > 0]].ravel() for term in terms]
        poses = list(dict.fromkeys([*poses, *(b for b in np.concatenate(ends).tolist() if b >= 0)]))
    return [*poses, *brought]


def _rows(first: Indices, count: Indices) -> Indices:
    """Unknowns that the elements of a term bring, one by one."""
    found = [a + np.arange(n) for a, n in zip(first.tolist(), count.tolist(), strict=True)]
    return frozen(np.concatenate([np.empty(0, dtype=np.int64), *found]))


def _coordinates(dof: Indices) -> tuple[Indices, Indices]:
    """First unknown of each coordinate, and the coordinate of each node, -1 for none."""
    starts, numbers = np.unique(dof[dof >= 0], return_inverse=True)
    coordinate = np.full(len(dof), -1)
    coordinate[dof >= 0] = numbers
    return starts, coordinate


def _offsets(
    welded: Sequence[Group], anchors: Mapping[Anchor, int], count: int, origin: Vector
) -> Array:
    """Poses of the nodes in their coordinates, at rest, (count, 4, 4)."""
    offset = np.tile(np.eye(4), (count, 1, 1))
    for group in welded:
        for a, pose in group.frames.items():
            offset[anchors[a]] = pose
            offset[anchors[a], :3, 3] -= origin * group.fixed
    return offset


def _marked(
    n_dof: int,
    starts: Indices,
    nodes: NodeFinder,
    inner_dof: Indices,
    inner_size: Indices,
    length: float,
) -> tuple[NDArray[np.bool_], Array]:
    """Which unknowns of poses and rods are multipliers, and the units of their residuals."""
    multiplier, units = np.zeros(n_dof, dtype=np.bool_), np.ones(n_dof)
    units[starts[:, None] + np.arange(3)] = 1.0 / length
    for group, begin in zip(nodes.groups, nodes.begins, strict=False):
        own = begin + np.arange(group.rod_nodes[-1])
        used = np.arange(group.n_inner) < inner_size[own, None]
        at = (inner_dof[own, None] + np.arange(group.n_inner))[used]
        multiplier[at] = np.broadcast_to(group.multiplier, used.shape)[used]
        units[at] = np.broadcast_to(group.inner_units, used.shape)[used]
    return multiplier, units


def _floats(way: Walk, coordinate: Indices) -> tuple[tuple[int, Indices], ...]:
    """First nodes and coordinates of the parts that nothing holds."""
    return tuple(
        (root, frozen(np.unique(coordinate[[n for n in own if coordinate[n] >= 0]])))
        for root, own in way.floats
    )


def _jumps(way: Walk, joints: Sequence[FreeJoint], anchors: Mapping[Anchor, int]) -> Array:
    """Pose of the far node in the near one where a joint leads there, at rest, (n_steps, 4, 4)."""
    found = np.tile(np.eye(4), (len(way.steps), 1, 1))
    for i, ((near, _, _), number) in enumerate(zip(way.steps, way.joints, strict=True)):
        if number >= 0:
            joint = joints[number]
            T = joint.T_a @ se3.inverse(joint.T_b)
            found[i] = T if near == anchors[joint.a] else se3.inverse(T)
    return found


def _moving(
    welded: Sequence[Group],
    anchors: Mapping[Anchor, int],
    movers: Mapping[str, int],
    origin: Vector,
) -> tuple[tuple[int, tuple[OffsetFactor, ...]], ...]:
    """Nodes whose offset depends on inputs, with the factors of the offset."""
    moving = []
    world = OffsetFactor(se3.pose(-origin))
    for group in welded:
        for a in group.frames:
            path = group.path(a)
            if any(step.link.label in movers for step in path):
                factors = [f for x in path for f in _factors(x.link, x.forward, movers)]
                moving.append((anchors[a], (*[world] * group.fixed, *factors)))
    return tuple(moving)


def _factors(link: Link, forward: bool, movers: Mapping[str, int]) -> list[OffsetFactor]:
    """The factors of a link's pose, passed forward or backward."""
    if link.label not in movers:
        return [OffsetFactor(link.rest if forward else se3.inverse(link.rest))]
    number = movers[link.label]
    if forward:
        return [OffsetFactor(link.before), OffsetFactor(None, number), OffsetFactor(link.after)]
    back = OffsetFactor(None, number, forward=False)
    return [OffsetFactor(se3.inverse(link.after)), back, OffsetFactor(se3.inverse(link.before))]
