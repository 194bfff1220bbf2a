"""How the parts of a robot hang together: rigid groups of anchors, and joints between them."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from flexura.robot.body import Body
from flexura.robot.check import LARGEST, BadField
from flexura.robot.frame import Anchor, At, FrameLike, anchor_of, named_anchors
from flexura.robot.joint import Joint
from flexura.robot.link import FreeJoint, Link, free_joints, rigid_links
from flexura.robot.offset import inverse
from flexura.robot.rod import Rod
from flexura.robot.tubes import TubeSet
from flexura.robot.volume_tie import Clamp, Threaded
from flexura.typing import Pose
from flexura.value import Value

__all__ = ["FreeJoint", "Graph", "Group", "Link", "Step"]

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")
Edges: TypeAlias = dict[Node, dict[int, tuple[Node, Edge]]]


class Step(NamedTuple):
    """A way from an anchor to the next one.

    Attributes:
        start: The anchor where it begins.
        link: The link that it passes.
        forward: Whether it passes the link from its first anchor to its second.
    """

    start: Anchor
    link: Link
    forward: bool


@dataclass(frozen=True, eq=False)
class Group(Value):
    """Anchors that are rigidly linked to each other, as a tree.

    Attributes:
        frames: Pose of each anchor relative to the group's first one, its reference, with all
            links as described, 4x4.
        steps: The last step of the way from the reference to each other anchor, in their order.
        fixed: Whether the group holds the world, which is then the reference.
    """

    frames: Mapping[Anchor, Pose]
    steps: Mapping[Anchor, Step]
    fixed: bool

    @property
    def reference(self) -> Anchor:
        """The anchor that the poses are relative to."""
        return next(iter(self.frames))

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, each once: the one that leads to each anchor but the reference."""
        return tuple(step.link for step in self.steps.values())

    def path(self, anchor: Anchor) -> tuple[Step, ...]:
        """The steps that lead from the reference to an anchor."""
        path: list[Step] = []
        while anchor in self.steps:
            path.append(self.steps[anchor])
            anchor = path[-1].start
        return tuple(reversed(path))

    def beyond(self, link: Link) -> tuple[Anchor, ...]:
        """The anchors that a link of the group leads to from the reference, nearest first.

        They are what the reference loses when the link is cut; none of them is the world. The
        first one is ``link.b`` if the way there passes the link forward, else ``link.a``.
        """
        ends = (end for end in (link.b, link.a) if end in self.steps)
        found = [next(end for end in ends if self.steps[end].link == link)]
        for anchor in found:
            found += self._following.get(anchor, ())
        return tuple(found)

    @cached_property
    def _following(self) -> dict[Anchor, list[Anchor]]:
        """The next anchors after each one."""
        following: dict[Anchor, list[Anchor]] = {}
        for anchor, step in self.steps.items():
            following.setdefault(step.start, []).append(anchor)
        return following


@dataclass(frozen=True, eq=False)
class Graph(Value):
    """How the parts of a robot hang together.

    The anchors are the world, the ends of rods, bodies, and points inside rods that joints hold.
    One without a link is a group of its own.

    Attributes:
        rods: Rods by name.
        bodies: Bodies by name.
        groups: Groups of linked anchors: the world's first, then in the order of rods and bodies.
        free: The joints that move freely, in their order.
        tied: Anchors that volumes hold together, volume by volume.
        fed: The set of each tube, by name. A set has a centreline among the rods, called as itself.
    """

    rods: Mapping[str, Rod]
    bodies: Mapping[str, Body]
    groups: tuple[Group, ...]
    free: tuple[FreeJoint, ...]
    tied: Mapping[str, tuple[Anchor, ...]]
    fed: Mapping[str, str]

    @classmethod
    def of(
        cls,
        rods: Sequence[Rod],
        bodies: Sequence[Body],
        joints: Sequence[Joint],
        ties: Sequence[Clamp | Threaded] = (),
        sets: Sequence[TubeSet] = (),
        points: Sequence[At] = (),
    ) -> "Graph":
        """The graph of these parts and joints.

        Args:
            rods: Rods.
            bodies: Rigid bodies.
            joints: Joints.
            ties: What ties volumes to frames and to rods.
            sets: Sets of tubes.
            points: Where else anything acts; those on tubes are anchors.

        Raises:
            ModelError: If an anchor is attached twice.
            UnknownName: If a joint names a frame that does not exist.
        """
        fed = {tube.name: own.name for own in sets for tube in own.tubes}
        tubes = [tube for own in sets for tube in own.tubes]
        rods = [*rods, *(own.centreline for own in sets), *tubes]
        links = rigid_links(rods, bodies, joints)
        free = free_joints(rods, bodies, joints)
        by_name = {rod.name: rod for rod in rods}, {body.name: body for body in bodies}
        tied = _tied(ties, *by_name)
        held = [anchor for anchors in tied.values() for anchor in anchors]
        marks = [anchor_of(point, *by_name)[0] for point in points if point.rod in fed]
        ends = [*named_anchors(*by_name, fed), *marks, *held]
        return cls(*by_name, _groups(ends, links, free), free, tied, fed)

    @cached_property
    def group_of(self) -> dict[Anchor, Group]:
        """The group of each anchor, group by group."""
        return {anchor: group for group in self.groups for anchor in group.frames}

    @cached_property
    def floating(self) -> tuple[str, ...]:
        """The rods, then the bodies, that nothing connects to the world: they fly."""
        group_of, reached = self._reached
        own = (rod for rod in self.rods if rod not in self.fed)
        rods = (rod for rod in own if group_of[self.base(rod)] not in reached)
        return (*rods, *(body for body in self.bodies if group_of[Anchor(body)] not in reached))

    def holds(self, volume: str) -> bool:
        """Whether something connects a volume to the world."""
        group_of, reached = self._reached
        return any(group_of[anchor] in reached for anchor in self.tied.get(volume, ()))

    @cached_property
    def _reached(self) -> tuple[dict[Anchor, int], set[int]]:
        """Number of the group of each anchor, and the groups that the world reaches."""
        group_of = {anchor: i for i, group in enumerate(self.groups) for anchor in group.frames}
        edges = [(group_of[joint.a], group_of[joint.b], None) for joint in self.free]
        for anchor, group in group_of.items():
            if anchor.on_rod and anchor.end != "base":
                edges.append((group_of[self.base(anchor.part)], group, None))
        for first, *others in self.tied.values():
            edges += [(group_of[first], group_of[other], None) for other in others]
        reached = {0, *(group for _, group, _ in _walk(0, _edges(edges)))}
        return group_of, reached

    @property
    def marks(self) -> list[Anchor]:
        """The anchors on tubes."""
        return [anchor for anchor in self.group_of if anchor.part in self.fed]

    def base(self, rod: str) -> Anchor:
        """Where a rod begins; a tube does at the plate of its set."""
        return Anchor(self.fed.get(rod, rod), "base")

    def anchor_of(self, frame: FrameLike) -> tuple[Anchor, Pose]:
        """What carries a frame, and the pose of the frame in it."""
        return anchor_of(frame, self.rods, self.bodies)


def _tied(
    ties: Sequence[Clamp | Threaded], rods: Mapping[str, Rod], bodies: Mapping[str, Body]
) -> dict[str, tuple[Anchor, ...]]:
    """The anchors that each volume holds, or is held by; of threaded rods the base."""
    found: dict[str, list[Anchor]] = {}
    for tie in ties:
        own = found.setdefault(tie.volume, [])
        if isinstance(tie, Clamp):
            own.append(anchor_of(tie.frame, rods, bodies)[0])
        elif tie.rod in rods:
            own.append(Anchor(tie.rod, "base"))
    return {volume: tuple(dict.fromkeys(anchors)) for volume, anchors in found.items() if anchors}


def _groups(
    ends: Sequence[Anchor], links: Sequence[Link], free: Sequence[FreeJoint]
) -> tuple[Group, ...]:
    """The groups of linked anchors, in the order of the ends, then of what else is held."""
    edges = _edges((link.a, link.b, link) for link in links)
    ties: list[Link | FreeJoint] = [*links, *free]
    held = [anchor for tie in ties for anchor in (tie.a, tie.b)]
    groups: list[Group] = []
    seen: set[Anchor] = set()
    for anchor in dict.fromkeys([*ends, *held]):
        if anchor not in seen:
            groups.append(_group(anchor, edges))
            seen.update(groups[-1].frames)
    return tuple(groups)


@np.errstate(all="ignore")
def _group(start: Anchor, edges: Edges[Anchor, Link]) -> Group:
    """The anchors linked to ``start``, each by one way only."""
    poses: dict[Anchor, Pose] = {start: np.eye(4)}
    steps: dict[Anchor, Step] = {}
    for a, b, link in _walk(start, edges):
        if b in poses:
            raise BadField(
                f"frame {str(b)!r} is attached twice, by {_who(steps[b].link)} and by "
                f"{_who(link)}; remove one of them",
                "joints",
            )
        steps[b] = Step(a, link, forward=a == link.a)
        poses[b] = poses[a] @ (link.rest if a == link.a else inverse(link.rest))
        if not (np.abs(poses[b]) <= LARGEST).all():
            raise BadField(
                f"frame {str(b)!r} is farther from {str(start)!r} than {LARGEST:g} m, by "
                f"{_who(link)}; give offsets in metres that a robot can have",
                "joints",
            )
    return Group(poses, steps, start.is_world)


def _who(link: Link) -> str:
    """The class and the label of a link's joint."""
    return f"{type(link.joint).__name__} {link.label!r}"


def _edges(entries: Iterable[tuple[Node, Node, Edge]]) -> Edges[Node, Edge]:
    """The edges (a, b, edge) as seen from each of their nodes, under their number."""
    edges: Edges[Node, Edge] = defaultdict(dict)
    for i, (a, b, edge) in enumerate(entries):
        edges[a][i] = (b, edge)
        edges[b][i] = (a, edge)
    return edges


def _walk(start: Node, edges: Edges[Node, Edge]) -> Iterator[tuple[Node, Node, Edge]]:
    """Take from the edges those that lead away from ``start``, breadth first, once each."""
    todo = [start]
    for node in todo:
        for i, (other, edge) in edges.pop(node, {}).items():
            yield node, other, edge
            if other != node:
                edges[other].pop(i)
                todo.append(other)
