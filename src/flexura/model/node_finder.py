"""Which node carries a frame of the robot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model.model import Place
from flexura.robot import At, FrameLike
from flexura.rods.discretization import RodGroup
from flexura.typing import Pose


@dataclass(frozen=True)
class NodeFinder:
    """Finds the nodes of frames.

    Attributes:
        groups: the discretized rods.
        begins: first node of each group.
        places: where each rod is.
    """

    groups: Sequence[RodGroup]
    begins: Sequence[int]
    places: Mapping[str, Place]

    def ends(self, rod: str) -> tuple[int, int]:
        """First and last node of a rod."""
        place = self.places[rod]
        nodes = self.groups[place.part].rod_nodes
        begin = self.begins[place.part]
        return begin + int(nodes[place.index]), begin + int(nodes[place.index + 1]) - 1

    def find(self, frame: FrameLike) -> tuple[int, Pose]:
        """The node of a frame, and the pose of the frame in it.

        Every place that something acts at is a jump of its rod, and so has a node, to a millionth
        of the length; the way from there is straight.
        """
        if not isinstance(frame, At):
            rod, _, end = frame.rpartition(".")
            return self.ends(rod)[0 if end == "base" else 1], np.eye(4)
        place = self.places[frame.rod]
        s = self.groups[place.part].node_lengths(place.index)
        i = int(np.abs(s - frame.s).argmin())
        offset = np.eye(4)
        offset[0, 3] = place.rod.clamp(frame.s) - s[i]
        return self.ends(frame.rod)[0] + i, offset @ frame.transform
