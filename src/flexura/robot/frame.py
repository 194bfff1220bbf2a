"""Frames that joints and loads refer to: the world, the ends of rods, any point of a rod."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.check import assign, bad, name, nonnegative, pose
from flexura.robot.rod import Rod
from flexura.typing import ArrayLike, Pose

World = "world"


@dataclass(frozen=True)
class At:
    """A point of a rod.

    Attributes:
        rod: Name of the rod.
        s: Arc length from the base [m].
        offset: Pose of the point in the rod's frame at s, 4x4; None is the frame itself.
    """

    rod: str
    s: float
    offset: ArrayLike | None = None

    def __post_init__(self) -> None:
        assign(self, rod=name("At", "rod", self.rod), s=nonnegative("At", "s", self.s))
        if self.offset is not None:
            assign(self, offset=pose("At", "offset", self.offset))

    def __str__(self) -> str:
        return f"{self.rod}@{self.s:g}"

    @property
    def transform(self) -> Pose:
        """The offset as an array, the identity if there is none."""
        return transform(self.offset)


FrameLike: TypeAlias = str | At


@dataclass(frozen=True)
class Frame:
    """A frame by its parts: the world (``rod`` is None) or an end of a rod."""

    kind: Literal["world", "base", "tip"]
    rod: str | None = None


def frame_names(rods: Iterable[str]) -> list[str]:
    """The world and the ends of the rods, base before tip, in the order of the rods."""
    return [World, *(f"{rod}.{end}" for rod in rods for end in ("base", "tip"))]


def parse_frame(frame: str, rods: Collection[str]) -> Frame:
    """The frame with a name such as "world", "backbone.base" or "backbone.tip".

    Raises:
        UnknownName: If there is no such frame among those of the named rods.
    """
    if frame == World:
        return Frame("world")
    rod, _, end = frame.rpartition(".")
    if rod not in rods or end not in ("base", "tip"):
        raise UnknownName("frame", frame, frame_names(rods))
    return Frame(cast(Literal["base", "tip"], end), rod)


def find_rod(rod: str, rods: Mapping[str, Rod]) -> Rod:
    """The rod of that name, or UnknownName with a suggestion."""
    if rod not in rods:
        raise UnknownName("rod", rod, rods)
    return rods[rod]


def frame_like(who: str, field: str, value: object) -> FrameLike:
    """A frame by name or a point of a rod; whether it exists is checked by the robot."""
    if isinstance(value, At):
        return value
    if isinstance(value, str) and value:
        return str(value)
    remedy = "write for example 'world', 'backbone.tip' or At('backbone', s=0.1)"
    raise bad(who, field, "the name of a frame or an At", value, remedy)


def check_frame(who: str, field: str, frame: FrameLike, rods: Mapping[str, Rod]) -> None:
    """Raise unless the frame lies on one of the rods or is the world."""
    if isinstance(frame, At):
        find_rod(frame.rod, rods).clamp(frame.s, who, f"{field}.s")
    else:
        parse_frame(frame, rods)


def transform(offset: ArrayLike | None) -> Pose:
    """An offset as a 4x4 array, the identity if there is none."""
    return np.eye(4) if offset is None else np.array(offset, dtype=np.float64)
