"""Tendons of a robot: laws at points, segments between nodes, lengths, inputs."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.model.constraints.tendon import TendonLengths
from flexura.model.inputs import Input
from flexura.model.laws.tendon import Routed
from flexura.model.mechanics.volume_tendon import add_ways_through_volumes
from flexura.model.model import Tendons
from flexura.model.site import Site
from flexura.model.terms.segment import Segments
from flexura.robot import Anchor, At, Graph, Hole, Rod, Tendon
from flexura.rods.along import rest_at
from flexura.rods.rest import rest_pose
from flexura.typing import Array, Indices, Pose, frozen

ZERO = frozen(np.array(0.0))
INPUTS = {
    "tension": Input(
        "tendon", "number", ZERO, "a tension [N]; a tendon cannot push", (0.0, np.inf), turning=1
    ),
    "length": Input(
        "tendon", "number", ZERO, "a shortening against the length on the unloaded robot [m]",
        turning=1,
    ),
}  # fmt: skip


def add_tendons(site: Site) -> None:
    """All tendons, each an input; those that are driven by their length have multipliers."""
    tendons, graph = site.robot.tendons, site.robot.graph
    inputs = [site.input(tendon.name, INPUTS[tendon.drive]) for tendon in tendons]
    by_length = np.array([tendon.drive == "length" for tendon in tendons], dtype=np.bool_)
    source = np.array(inputs, dtype=np.int64)
    source[by_length] = site.multiplier(int(by_length.sum()))
    ways = [_ways_between(tendon, graph) for tendon in tendons]
    moved = {mover.joint.label for mover in site.movers}
    constant = [sum(way.rest for way in own if not way.labels & moved) for own in ways]
    rest = np.array([sum(way.rest for way in own) for own in ways])
    rest = rest + [_straight(tendon, graph) for tendon in tendons]
    along = np.zeros(int(source.max(initial=-1)) + 1)
    for place, length in zip(source.tolist(), constant, strict=True):
        site.conjugate(place, length)
    for part, laws in enumerate(site.laws):
        law = _route_along(site, part, source)
        if len(law.source):
            laws.append(law)
            law.add_length(_rest_strain(site, part), along)
    moving = [[way for way in own if way.labels & moved] for own in ways]
    segments = _route_between(site, source, moving)
    if len(segments.source):
        site.terms.append(segments)
    rest += along[source]
    rest += add_ways_through_volumes(site, source)
    site.tendons = Tendons(
        tuple(tendon.name for tendon in tendons), frozen(source), frozen(by_length), frozen(rest)
    )
    if by_length.any():
        soft = np.array([0.0 if t.stiffness is None else 1.0 / t.stiffness for t in tendons])
        site.constraints.append(
            TendonLengths(
                frozen(source[by_length]),
                frozen(np.array(inputs)[by_length]),
                frozen(rest[by_length]),
                frozen(soft[by_length]),
            )
        )


def _rest_strain(site: Site, part: int) -> Array:
    """Rest strains at the points of a part, (n, 6)."""
    rods = [plan.rod for plan in site.plans[part]]
    return rest_at(rods, site.groups[part].points)


def _route_along(site: Site, part: int, source: Indices) -> Routed:
    """Tendons at the points of a part, whose tensions have the given places."""
    rods, points = site.robot.graph.rods, site.groups[part].points
    index = {plan.rod.name: i for i, plan in enumerate(site.plans[part])}
    at: list[Indices] = [np.empty(0, dtype=np.int64)]
    of_tendon: list[Indices] = [np.empty(0, dtype=np.int64)]
    offset, slope = [np.empty((0, 3))], [np.empty((0, 3))]
    for place, tendon in zip(source.tolist(), site.robot.tendons, strict=True):
        for stretch in tendon.stretches(rods):
            if stretch.rod in index:
                inside = (stretch.begin <= points.s) & (points.s <= stretch.end)
                found = np.flatnonzero(inside & (points.rod == index[stretch.rod]))
                path = stretch.path(points.s[found])
                of_tendon.append(np.full(len(found), place))
                at.append(found)
                offset.append(path[0])
                slope.append(path[1])
    point = np.concatenate(at)
    return Routed(
        frozen(np.concatenate(of_tendon)),
        frozen(point),
        frozen(points.weight[point]),
        frozen(np.concatenate(offset)),
        frozen(np.concatenate(slope)),
    )


class Way(NamedTuple):
    """The straight way of a tendon from the tip of a rod to the base of the next.

    Attributes:
        ends: rod and arc length of both ends.
        offsets: of the tendon in the sections there, (2, 3).
        rest: its length with all links as described [m].
        labels: of the links between; those that an input moves change it.
    """

    ends: tuple[At, At]
    offsets: Array
    rest: float
    labels: set[str]


def _route_between(site: Site, source: Indices, moving: Sequence[Sequence[Way]]) -> Segments:
    """Straight pieces of tendons: between the holes of discs, and across links that move."""
    rods, sources, ends, offsets = site.robot.graph.rods, [], [], []
    for place, tendon, ways in zip(source.tolist(), site.robot.tendons, moving, strict=True):
        holes = [two for two in pairwise(tendon.holes(rods)) if not _joined(*two, rods)]
        ends += [(At(a.rod, a.s), At(b.rod, b.s)) for a, b in holes]
        ends += [way.ends for way in ways]
        offsets += [np.array([a.offset, b.offset]) for a, b in holes]
        offsets += [way.offsets for way in ways]
        sources += [place] * (len(holes) + len(ways))
    found = [[site.find(end) for end in pair] for pair in ends]
    places = [
        [T[:3, 3] + offset for (_, T), offset in zip(pair, own, strict=True)]
        for pair, own in zip(found, offsets, strict=True)
    ]
    return Segments(
        frozen(np.array(sources, dtype=np.int64)),
        frozen(np.array([[n for n, _ in pair] for pair in found], dtype=np.int64).reshape(-1, 2)),
        frozen(np.array(places, dtype=np.float64).reshape(-1, 2, 3)),
    )


def _ways_between(tendon: Tendon, graph: Graph) -> list[Way]:
    """The ways that a tendon takes from rod to rod."""
    rods = graph.rods
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
    return [
        Way(
            (At(rod, rods[rod].length), At(following, 0.0)),
            np.array([here, there]),
            _distance(_junction(rod, following, graph), here, there),
            _between(rod, following, graph),
        )
        for rod, here, following, there in passed
    ]


def _distance(T: Pose, here: Array, there: Array) -> float:
    """Distance of two points, the second in a frame of its own."""
    return float(np.linalg.norm(T[:3, :3] @ there + T[:3, 3] - here))


def _between(before: str, after: str, graph: Graph) -> set[str]:
    """Labels of the links from the tip of a rod to the base of the next."""
    tip, base = Anchor(before, "tip"), Anchor(after, "base")
    group = graph.group_of[tip]
    here, there = ({step.link.label for step in group.path(end)} for end in (tip, base))
    return here ^ there


def _joined(before: Hole, after: Hole, rods: Mapping[str, Rod]) -> bool:
    """Whether two holes are at the ends of rods that are joined, so that their way is constant."""
    at_ends = before.s == rods[before.rod].length and after.s == 0.0
    return before.rod != after.rod and at_ends


def _straight(tendon: Tendon, graph: Graph) -> float:
    """Length of a tendon between the holes of discs on the unloaded robot, without the gaps."""
    rods = graph.rods
    holes = tendon.holes(rods)
    if not holes:
        return 0.0
    begin, T_begin = {}, np.eye(4)
    for name, following in zip(tendon.rods, (*tendon.rods[1:], None), strict=True):
        begin[name] = T_begin
        if following is not None:
            rod = rods[name]
            T_begin = T_begin @ rest_pose(rod, rod.length) @ _junction(name, following, graph)
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


def _junction(before: str, after: str, graph: Graph) -> Pose:
    """Pose of the base of a rod in the tip of the one before it."""
    tip, base = Anchor(before, "tip"), Anchor(after, "base")
    frames = graph.group_of[tip].frames
    return np.asarray(se3.inverse(frames[tip]) @ frames[base])
