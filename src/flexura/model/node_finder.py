"""Which node carries an anchor of the robot.

The nodes of a model are those of its rods, one for each body, and one for the world.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from flexura.errors import ModelError
from flexura.model.part import Place
from flexura.robot import Anchor, FrameLike, Robot
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, Indices, Pose

# Jumps closer than a millionth of a rod are one; this is as near as a node has to be.
CLOSE = 3e-6


class NodeFinder:
    """Finds nodes.

    Attributes:
        groups: the discretized rods.
        begins: first node of each group, and of the bodies.
        places: where each rod is.
        bodies: node of each body.
        count: number of all nodes.
    """

    def __init__(
        self,
        robot: Robot,
        groups: Sequence[RodGroup],
        places: Mapping[str, Place],
        jumps: Mapping[str, Sequence[float]],
        marks: Mapping[Anchor, int] | None = None,
    ) -> None:
        self._jumps = {rod: np.sort(np.array(s, dtype=np.float64)) for rod, s in jumps.items()}
        self._lengths: dict[str, Array] = {}  # of the nodes of rods
        self.groups, self.places = groups, places
        self.begins = np.cumsum([0, *(int(group.rod_nodes[-1]) for group in groups)]).tolist()
        self._graph = robot.graph
        self._marks = marks or {}
        self.bodies = {body.name: self.begins[-1] + i for i, body in enumerate(robot.bodies)}
        self.count = self.begins[-1] + len(robot.bodies) + 1

    @cached_property
    def leads(self) -> list[tuple[int, int]]:
        """The plate of each frame of a tube, and the node of the frame."""
        base = self._graph.base
        return [(self.node(base(anchor.part)), node) for anchor, node in self._marks.items()]

    @property
    def world(self) -> int:
        """The node of the world."""
        return int(self.count - 1)

    @cached_property
    def inner_size(self) -> Indices:
        """How many inner unknowns are stored with each node."""
        found = np.zeros(self.count, dtype=np.int64)
        for group, begin, end in zip(self.groups, self.begins, self.begins[1:], strict=False):
            found[begin:end] = group.inner_size
        return found

    @cached_property
    def hidden(self) -> Indices:
        """How many of them, the first ones, other nodes do not meet."""
        found = np.zeros(self.count, dtype=np.int64)
        for group, begin, end in zip(self.groups, self.begins, self.begins[1:], strict=False):
            found[begin:end] = group.hidden
        return found

    @cached_property
    def reach(self) -> Indices:
        """How far nodes of rods interact; others do with themselves only."""
        found = np.zeros(self.count, dtype=np.int64)
        for group, begin, end in zip(self.groups, self.begins, self.begins[1:], strict=False):
            found[begin:end] = group.reach
        return found

    @cached_property
    def left(self) -> Indices:
        """How many nodes of its rod follow each node, zero for others."""
        found = np.zeros(self.count, dtype=np.int64)
        for group, begin in zip(self.groups, self.begins, strict=False):
            ends = np.repeat(group.rod_nodes[1:], np.diff(group.rod_nodes))
            found[begin : begin + len(ends)] = ends - 1 - np.arange(len(ends))
        return found

    @cached_property
    def firsts(self) -> frozenset[int]:
        """The first nodes of all rods."""
        return frozenset(
            begin + int(n)
            for group, begin in zip(self.groups, self.begins, strict=False)
            for n in group.rod_nodes[:-1]
        )

    def ends(self, rod: str) -> tuple[int, int]:
        """First and last node of a rod."""
        place = self.places[rod]
        nodes, begin = self.groups[place.part].rod_nodes, self.begins[place.part]
        return begin + int(nodes[place.index]), begin + int(nodes[place.index + 1]) - 1

    def node(self, anchor: Anchor) -> int:
        """The node of an anchor.

        Every place that something acts at is a jump of its rod, and so has a node, to a millionth
        of the length.
        """
        if anchor.is_world:
            return self.world
        if anchor in self._marks:
            return self._marks[anchor]
        if anchor.s is not None:
            return self._inside(anchor.part, anchor.s)[0]
        if anchor.end is not None:
            return self.ends(anchor.part)[0 if anchor.end == "base" else 1]
        return int(self.bodies[anchor.part])

    def _inside(self, rod: str, s: float) -> tuple[int, float]:
        """The node of a rod nearest to s, and the way that is left to s [m]."""
        if rod not in self._lengths:
            place = self.places[rod]
            self._lengths[rod] = self.groups[place.part].node_lengths(place.index)
        i, left = _nearest(self._lengths[rod], s)
        return self.ends(rod)[0] + i, left

    def find(self, frame: FrameLike) -> tuple[int, Pose]:
        """The node of a frame, and the pose of the frame in it.

        Raises:
            ModelError: for a point inside a rod that has no node.
        """
        anchor, offset = self._graph.anchor_of(frame)
        left = np.eye(4)
        if (
            anchor.s is not None and anchor not in self._marks
        ):  # the way from the nearest node is straight
            near, jumps = CLOSE * self._graph.rods[anchor.part].length, self._jumps[anchor.part]
            if not len(jumps) or abs(_nearest(jumps, anchor.s)[1]) > near:
                raise ModelError(
                    f"there is no node at {str(anchor)!r}: what acts there through build(also=...) "
                    "needs a method jumps(rod) that names the arc length"
                )
            left[0, 3] = self._inside(anchor.part, anchor.s)[1]
        return self.node(anchor), left @ offset

    def pieces(self, held: Iterable[int]) -> list[tuple[int, int]]:
        """First and last node of the pieces of all rods between nodes that are held.

        Short rods come first, so that long ones close loops, and equal ones by their names: the
        order of a list shall not decide it.
        """
        nodes = set(held)
        found: list[tuple[int, int]] = []
        for rod in sorted(self.places, key=lambda rod: (self._graph.rods[rod].length, rod)):
            first, last = self.ends(rod)
            cuts = [n for n in range(first, last + 1) if n in nodes or n in (first, last)]
            found += pairwise(cuts)
        return found


def _nearest(sorted_lengths: Array, s: float) -> tuple[int, float]:
    """The place of the arc length nearest to s, the first of equal ones, and what is left to s."""
    after = int(np.searchsorted(sorted_lengths, s))
    around = [i for i in (after - 1, after) if 0 <= i < len(sorted_lengths)]
    i = min(around, key=lambda i: abs(s - float(sorted_lengths[i])))
    i = int(np.searchsorted(sorted_lengths, sorted_lengths[i]))
    return i, s - float(sorted_lengths[i])
