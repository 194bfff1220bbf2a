"""What ties volumes to everything else: clamps, and rods that are threaded through them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.body import Body
from flexura.robot.check import BadField, assign, bad, flag, instance, name, vector3
from flexura.robot.frame import FrameLike, anchor_of, frame_like, points
from flexura.robot.rod import Rod
from flexura.robot.volume_place import Nodes


@dataclass(frozen=True)
class Clamp:
    """Nodes of a volume that a frame holds: they move with it as if they were a part of it.

    Where the frame is on the unloaded robot, the volume is at rest.

    Attributes:
        frame: What holds them: "world", a body, an end of a rod, or a point of one.
        nodes: Which ones.
        name: Name of the clamp, if it shall have one.
    """

    frame: FrameLike
    nodes: Nodes
    name: str | None = None

    def __post_init__(self) -> None:
        instance("Clamp", "nodes", self.nodes, Nodes)
        assign(self, frame=frame_like("Clamp", "frame", self.frame))
        if self.name is not None:
            assign(self, name=name("Clamp", "name", self.name))

    @property
    def label(self) -> str:
        """The name, or one made of the frame and the volume."""
        return self.name or f"{self.frame}-{self.nodes.volume}"

    @property
    def volume(self) -> str:
        """Name of the volume."""
        return self.nodes.volume

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the frame exists."""
        anchor_of(self.frame, rods, bodies, f"Clamp {self.label!r}", "frame.s")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rod and arc length where it holds one [m]."""
        return points((self.frame,))


@dataclass(frozen=True)
class Threaded:
    """A rod that is threaded through a volume: it slides without friction, its tip is anchored.

    Attributes:
        rod: Name of the rod.
        volume: Name of the volume.
        points: Points of the volume at rest that the rod passes, from its base to its tip [m],
            (n, 3). The rod's tip is anchored at the last one, if ``anchored``.
        anchored: Whether the tip is held by the last point; else it slides through that one, too.
        name: Name of what ties them, if it shall have one.
    """

    rod: str
    volume: str
    points: Any
    anchored: bool = True
    name: str | None = None

    def __post_init__(self) -> None:
        assign(
            self,
            rod=name("Threaded", "rod", self.rod),
            volume=name("Threaded", "volume", self.volume),
        )
        if self.name is not None:
            assign(self, name=name("Threaded", "name", self.name))
        who = f"Threaded {self.label!r}"
        assign(
            self,
            points=way_points(who, "points", self.points),
            anchored=flag(who, "anchored", self.anchored),
        )

    @property
    def label(self) -> str:
        """The name, or one made of the rod and the volume."""
        return self.name or f"{self.rod}-{self.volume}"

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the rod exists."""
        if self.rod not in rods:
            raise BadField(f"Threaded {self.label!r}: {UnknownName('rod', self.rod, rods)}", "rod")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Where it slides, it moves: no place of the rod is special."""
        return ()


def way_points(who: str, field: str, value: object) -> tuple[tuple[float, ...], ...]:
    """Points that something passes, at least one."""
    entries = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(entries, list | tuple) or not entries:
        raise bad(who, field, "a nonempty list of points", value, "write [(x, y, z), ...]")
    found = tuple(vector3(who, f"{field}[{i}]", entry) for i, entry in enumerate(entries))
    for i, (a, b) in enumerate(pairwise(found)):
        if a == b:
            remedy = f"{field}[{i}] and {field}[{i + 1}] are the same: leave one of them out"
            raise bad(who, field, "different from one point to the next", list(a), remedy)
    return found
