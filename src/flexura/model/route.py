"""Tendons of a robot in numbers: laws at points, segments between nodes, lengths at rest."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from flexura.lie import se3
from flexura.model.node_finder import NodeFinder
from flexura.model.terms.tendon import Routed, Segments, Tendons
from flexura.robot import At, Hole, Robot, Rod, Tendon
from flexura.robot.graph import Group
from flexura.rods.discretization import RodGroup
from flexura.rods.rest import rest_pose
from flexura.typing import Array, Indices, Pose, frozen


def route_along(robot: Robot, group: RodGroup, index: Mapping[str, int]) -> Routed:
    """Tendons at the points of a group, whose rods have the given indices in it."""
    rods = {rod.name: rod for rod in robot.rods}
    points = group.points
    at: list[Indices] = [np.empty(0, dtype=np.int64)]
    tendon_of: list[Indices] = [np.empty(0, dtype=np.int64)]
    offset, slope = [np.empty((0, 3))], [np.empty((0, 3))]
    for number, tendon in enumerate(robot.tendons):
        for stretch in tendon.stretches(rods):
            if stretch.rod in index:
                inside = (stretch.begin <= points.s) & (points.s <= stretch.end)
                found = np.flatnonzero(inside & (points.rod == index[stretch.rod]))
                path = stretch.path(points.s[found])
                tendon_of.append(np.full(len(found), number))
                at.append(found)
                offset.append(path[0])
                slope.append(path[1])
    point = np.concatenate(at)
    return Routed(
        frozen(np.concatenate(tendon_of)),
        frozen(point),
        frozen(points.weight[point]),
        frozen(np.concatenate(offset)),
        frozen(np.concatenate(slope)),
    )


def route_between(robot: Robot, nodes: NodeFinder) -> Segments:
    """Straight pieces of tendons between the holes of discs."""
    rods = {rod.name: rod for rod in robot.rods}
    tendon_of, pairs, holes = [], [], []
    for number, tendon in enumerate(robot.tendons):
        for before, after in pairwise(tendon.holes(rods)):
            if _joined(before, after, rods):
                continue
            ends = [nodes.find(At(hole.rod, hole.s)) for hole in (before, after)]
            tendon_of.append(number)
            pairs.append([node for node, _ in ends])
            holes.append(
                [
                    offset[:3, 3] + hole.offset
                    for (_, offset), hole in zip(ends, (before, after), strict=True)
                ]
            )
    return Segments(
        frozen(np.array(tendon_of, dtype=np.int64)),
        frozen(np.array(pairs, dtype=np.int64).reshape(-1, 2)),
        frozen(np.array(holes, dtype=np.float64).reshape(-1, 2, 3)),
    )


def tendons_of(
    robot: Robot, welded: Sequence[Group], routed: Sequence[Routed], rest: Sequence[Array]
) -> Tendons:
    """All tendons with their lengths on the unloaded robot.

    Args:
        robot: the description.
        welded: its rigid groups.
        routed: tendons at the points of each group of rods.
        rest: rest strains at those points.
    """
    rods = {rod.name: rod for rod in robot.rods}
    gap = np.array([_gap(tendon, rods, welded) for tendon in robot.tendons])
    length = gap.copy()
    for part, strain in zip(routed, rest, strict=True):
        part.add_length(strain, length)
    length += [_straight(tendon, rods, welded) for tendon in robot.tendons]
    compliance = [0.0 if t.stiffness is None else 1.0 / t.stiffness for t in robot.tendons]
    return Tendons(
        tuple(tendon.name for tendon in robot.tendons),
        frozen(np.array([t.drive == "length" for t in robot.tendons], dtype=np.bool_)),
        frozen(np.array(compliance)),
        frozen(length),
        frozen(gap),
    )


def _gap(tendon: Tendon, rods: Mapping[str, Rod], welded: Sequence[Group]) -> float:
    """The way that a tendon takes between rods: straight, and constant."""
    passed = [
        (before.rod, before.offset, after.rod, after.offset)
        for before, after in pairwise(tendon.holes(rods))
        if _joined(before, after, rods)
    ]
    for before, after in pairwise(tendon.stretches(rods)):
        if before.rod != after.rod:
            here = before.path(np.array([before.end]))[0][0]
            there = after.path(np.array([after.begin]))[0][0]
            passed.append((before.rod, here, after.rod, there))
    total = 0.0
    for rod, here, following, there in passed:
        T = _junction(rod, following, welded)
        total += float(np.linalg.norm(T[:3, :3] @ there + T[:3, 3] - here))
    return total


def _joined(before: Hole, after: Hole, rods: Mapping[str, Rod]) -> bool:
    """Whether two holes are at the ends of rods that are joined, so that their way is constant."""
    at_ends = before.s == rods[before.rod].length and after.s == 0.0
    return before.rod != after.rod and at_ends


def _straight(tendon: Tendon, rods: Mapping[str, Rod], welded: Sequence[Group]) -> float:
    """Length of a tendon between the holes of discs on the unloaded robot, without the gaps."""
    holes = tendon.holes(rods)
    if not holes:
        return 0.0
    begin, T_begin = {}, np.eye(4)
    for name, following in zip(tendon.rods, (*tendon.rods[1:], None), strict=True):
        begin[name] = T_begin
        if following is not None:
            rod = rods[name]
            T_begin = T_begin @ rest_pose(rod, rod.length) @ _junction(name, following, welded)
    at = {
        hole: (begin[hole.rod] @ rest_pose(rods[hole.rod], hole.s)) @ np.append(hole.offset, 1.0)
        for hole in holes
    }
    return float(
        sum(
            np.linalg.norm(at[after] - at[before])
            for before, after in pairwise(holes)
            if not _joined(before, after, rods)
        )
    )


def _junction(before: str, after: str, welded: Sequence[Group]) -> Pose:
    """Pose of the base of a rod in the tip of the one before it."""
    tip, base = f"{before}.tip", f"{after}.base"
    frames = next(group.frames for group in welded if tip in group.frames)
    return np.asarray(se3.inverse(frames[tip]) @ frames[base])
