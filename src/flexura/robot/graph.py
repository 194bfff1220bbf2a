"""The rigid groups that welds make of the world and the ends of rods."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from flexura.errors import ModelError
from flexura.robot.check import BadField
from flexura.robot.frame import At, World, frame_names, parse_frame
from flexura.robot.joint import Weld
from flexura.robot.rod import Rod
from flexura.typing import Pose

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")
Links: TypeAlias = dict[Node, dict[int, tuple[Node, Edge]]]


@dataclass(frozen=True, eq=False)
class Group:
    """Frames that are welded to each other.

    Attributes:
        frames: Pose of each frame relative to the group's first frame, its reference, 4x4.
        paths: The welds that lead from the reference to each frame, and whether each is passed
            from its first frame to its second.
        fixed: Whether the group holds the world, which is then the reference.
    """

    frames: dict[str, Pose]
    paths: dict[str, tuple[tuple[Weld, bool], ...]]
    fixed: bool

    @property
    def reference(self) -> str:
        """Name of the frame that the poses are relative to."""
        return next(iter(self.frames))


def rigid_groups(rods: Sequence[Rod], welds: Sequence[Weld]) -> list[Group]:
    """The groups of welded frames: the world's first, then in the order of the rods.

    A rod end without a weld is a group of its own.

    Raises:
        ModelError: If a frame is attached twice, or a rod is not connected to the world.
        UnknownName: If a weld names a frame that does not exist.
    """
    names = {rod.name: None for rod in rods}
    links = _links((_end(weld, weld.a), _end(weld, weld.b), weld) for weld in welds)
    for frame in links:
        parse_frame(frame, names)
    groups: list[Group] = []
    seen: set[str] = set()
    for frame in frame_names(names):
        if frame not in seen:
            groups.append(_group(frame, links))
            seen |= groups[-1].frames.keys()
    _check_attached(names, groups)
    return groups


def side(welds: Iterable[Weld], weld: Weld) -> frozenset[str]:
    """Names of the frames that stay with ``weld.b`` when the weld is cut."""
    links = _links((str(other.a), str(other.b), other) for other in welds if other != weld)
    return frozenset(_group(str(weld.b), links).frames)


def _end(weld: Weld, frame: object) -> str:
    """The name of a frame that a weld may join."""
    if isinstance(frame, At):
        raise BadField(
            f"weld {weld.label!r}: welds join rod ends and the world, got {frame!r}; "
            "split the rod there and weld the ends of its parts",
            "joints",
        )
    return str(frame)


def _group(start: str, links: Links[str, Weld]) -> Group:
    """The frames welded to ``start``, each by one way only."""
    poses: dict[str, Pose] = {start: np.eye(4)}
    paths: dict[str, tuple[tuple[Weld, bool], ...]] = {start: ()}
    for a, b, weld in _walk(start, links):
        if b in poses:
            raise BadField(
                f"frame {b!r} is attached twice, by weld {paths[b][-1][0].label!r} and by weld "
                f"{weld.label!r}; remove one of them",
                "joints",
            )
        forward = a == weld.a
        poses[b] = poses[a] @ (weld.transform if forward else _inverse(weld.transform))
        paths[b] = (*paths[a], (weld, forward))
    return Group(poses, paths, fixed=start == World)


def _inverse(T_ab: Pose) -> Pose:
    """Inverse of a pose."""
    T_ba = np.eye(4)
    T_ba[:3, :3] = T_ab[:3, :3].T
    T_ba[:3, 3] = -T_ab[:3, :3].T @ T_ab[:3, 3]
    return T_ba


def _check_attached(rods: Iterable[str], groups: list[Group]) -> None:
    """Raise unless every rod is connected to the world's group."""
    group_of = {frame: i for i, group in enumerate(groups) for frame in group.frames}
    edges = [(group_of[f"{rod}.base"], group_of[f"{rod}.tip"], rod) for rod in rods]
    reached = {0, *(group for _, group, _ in _walk(0, _links(edges)))}
    for base, _, rod in edges:
        if base not in reached:
            raise ModelError(
                f"rod {rod!r} is attached to nothing that leads to the world: "
                f"add Weld('world', '{rod}.base')"
            )


def _links(edges: Iterable[tuple[Node, Node, Edge]]) -> Links[Node, Edge]:
    """The edges (a, b, edge) as seen from each of their nodes, under their number."""
    links: Links[Node, Edge] = defaultdict(dict)
    for i, (a, b, edge) in enumerate(edges):
        links[a][i] = (b, edge)
        links[b][i] = (a, edge)
    return links


def _walk(start: Node, links: Links[Node, Edge]) -> Iterator[tuple[Node, Node, Edge]]:
    """Take from the links those that lead away from ``start``, breadth first, once each."""
    todo = [start]
    for node in todo:
        for i, (other, edge) in links.pop(node, {}).items():
            yield node, other, edge
            if other != node:
                links[other].pop(i)
                todo.append(other)
