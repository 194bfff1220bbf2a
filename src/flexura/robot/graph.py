"""The rigid groups that links make of the world, the ends and points of rods, and bodies."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from flexura.errors import ModelError
from flexura.robot.body import Body
from flexura.robot.check import BadField
from flexura.robot.frame import World, anchor, frame_names, inverse
from flexura.robot.joint import Joint
from flexura.robot.link import FreeJoint, Link, free_joints, rigid_links
from flexura.robot.rod import Rod
from flexura.typing import Pose

__all__ = ["FreeJoint", "Group", "Link", "anchor", "free_joints", "rigid_groups", "side"]

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")
Edges: TypeAlias = dict[Node, dict[int, tuple[Node, Edge]]]


@dataclass(frozen=True, eq=False)
class Group:
    """Anchors that are rigidly linked to each other.

    Attributes:
        frames: Pose of each anchor relative to the group's first one, its reference, with all
            links as described, 4x4.
        paths: The links that lead from the reference to each anchor, and whether each is passed
            from its first anchor to its second.
        fixed: Whether the group holds the world, which is then the reference.
    """

    frames: dict[str, Pose]
    paths: dict[str, tuple[tuple[Link, bool], ...]]
    fixed: bool

    @property
    def reference(self) -> str:
        """Name of the anchor that the poses are relative to."""
        return next(iter(self.frames))

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, each once: the one that leads to each anchor but the reference."""
        return tuple(path[-1][0] for path in self.paths.values() if path)


def rigid_groups(
    rods: Sequence[Rod], bodies: Sequence[Body], joints: Sequence[Joint]
) -> list[Group]:
    """The groups of linked anchors: the world's first, then in the order of rods and bodies.

    The anchors are the world, the ends of rods, bodies, and points inside rods that joints hold.
    One without a link is a group of its own.

    Raises:
        ModelError: If an anchor is attached twice, or a rod or a body is not connected to the
            world.
        UnknownName: If a joint names a frame that does not exist.
    """
    links = rigid_links(rods, bodies, joints)
    free = free_joints(rods, bodies, joints)
    edges = _edges((link.a, link.b, link) for link in links)
    ends = frame_names([rod.name for rod in rods], [body.name for body in bodies])
    ties: list[Link | FreeJoint] = [*links, *free]
    held = [name for tie in ties for name in (tie.a, tie.b)]
    groups: list[Group] = []
    seen: set[str] = set()
    for name in dict.fromkeys([*ends, *held]):
        if name not in seen:
            groups.append(_group(name, edges))
            seen |= groups[-1].frames.keys()
    _check_attached(rods, bodies, free, groups)
    return groups


def side(links: Iterable[Link], link: Link) -> frozenset[str]:
    """Names of the anchors that stay with ``link.b`` when the link is cut."""
    edges = _edges((other.a, other.b, other) for other in links if other is not link)
    return frozenset((link.b, *(b for _, b, _ in _walk(link.b, edges))))


@np.errstate(all="ignore")
def _group(start: str, edges: Edges[str, Link]) -> Group:
    """The anchors linked to ``start``, each by one way only."""
    poses: dict[str, Pose] = {start: np.eye(4)}
    paths: dict[str, tuple[tuple[Link, bool], ...]] = {start: ()}
    for a, b, link in _walk(start, edges):
        if b in poses:
            raise BadField(
                f"frame {b!r} is attached twice, by {_who(paths[b][-1][0])} and by {_who(link)}; "
                "remove one of them",
                "joints",
            )
        forward = a == link.a
        poses[b] = poses[a] @ (link.rest if forward else inverse(link.rest))
        paths[b] = (*paths[a], (link, forward))
        if not np.isfinite(poses[b]).all():
            raise BadField(
                f"frame {b!r} is farther from {start!r} than floats reach, by {_who(link)}; "
                "give offsets in metres that a robot can have",
                "joints",
            )
    return Group(poses, paths, fixed=start == World)


def _who(link: Link) -> str:
    """The class and the label of a link's joint."""
    return f"{type(link.joint).__name__} {link.label!r}"


def _check_attached(
    rods: Sequence[Rod],
    bodies: Sequence[Body],
    free: Sequence[FreeJoint],
    groups: Sequence[Group],
) -> None:
    """Raise unless every rod and every body is connected to the world's group."""
    group_of = {name: i for i, group in enumerate(groups) for name in group.frames}
    edges = [(group_of[joint.a], group_of[joint.b], None) for joint in free]
    for name, group in group_of.items():
        rod = name.partition("@")[0].removesuffix(".tip")
        if rod != name:
            edges.append((group_of[f"{rod}.base"], group, None))
    reached = {0, *(group for _, group, _ in _walk(0, _edges(edges)))}
    for part in rods:
        if group_of[f"{part.name}.base"] not in reached:
            raise ModelError(
                f"rod {part.name!r} is attached to nothing that leads to the world: "
                f"add Weld('world', '{part.name}.base')"
            )
    for body in bodies:
        if group_of[body.name] not in reached:
            raise ModelError(
                f"body {body.name!r} has no way to the ground: join it to a rod or a body that "
                f"has one, or add Weld('world', {body.name!r})"
            )


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
