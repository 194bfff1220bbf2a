"""Frames that joints and loads refer to: the world, ends and points of rods, bodies."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from flexura.errors import UnknownName, known
from flexura.robot.body import Body
from flexura.robot.check import assign, bad, name, nonnegative, pose
from flexura.robot.offset import transform
from flexura.robot.rod import ROUNDING, Rod
from flexura.typing import ArrayLike, Pose

World = "world"
End: TypeAlias = Literal["base", "tip"]
ENDS: tuple[End, ...] = get_args(End)


@dataclass(frozen=True, slots=True)
class Anchor:
    """What carries frames: the world, a body, an end of a rod, or a point inside one.

    Attributes:
        part: Name of the rod or of the body; that of the world is "world".
        end: Which end of the rod it is, if it is one.
        s: Arc length of a point strictly inside the rod [m], if it is one.
    """

    part: str
    end: End | None = None
    s: float | None = None

    def __str__(self) -> str:
        if self.s is not None:
            return f"{self.part}@{self.s!r}"
        return self.part if self.end is None else f"{self.part}.{self.end}"

    @property
    def is_world(self) -> bool:
        """Whether it is the world."""
        return self.part == World

    @property
    def on_rod(self) -> bool:
        """Whether it is an end or a point of a rod."""
        return self.end is not None or self.s is not None

    @property
    def is_body(self) -> bool:
        """Whether it is a body."""
        return not (self.is_world or self.on_rod)

    @property
    def frame(self) -> "FrameLike":
        """The frame that lies on it."""
        return str(self) if self.s is None else At(self.part, self.s)


@dataclass(frozen=True)
class At:
    """A point of a rod or of a body.

    Attributes:
        rod: Name of the rod or of the body.
        s: Arc length from the base of the rod [m]; zero on a body.
        offset: Pose of the point in the rod's frame at s, or in the body's frame, 4x4; None is
            that frame itself.
    """

    rod: str
    s: float = 0.0
    offset: ArrayLike | None = None

    def __post_init__(self) -> None:
        assign(self, rod=name("At", "rod", self.rod), s=nonnegative("At", "s", self.s))
        if self.offset is not None:
            assign(self, offset=pose("At", "offset", self.offset))

    def __str__(self) -> str:
        return f"{self.rod}@{self.s:.12g}" if self.s else self.rod

    @property
    def transform(self) -> Pose:
        """The offset as an array, the identity if there is none."""
        return transform(self.offset)


FrameLike: TypeAlias = str | At


def named_anchors(
    rods: Iterable[str], bodies: Iterable[str], tubes: Collection[str] = ()
) -> list[Anchor]:
    """The world, the ends of the rods, base before tip, and the bodies, in their order.

    Of those rods that are tubes the bases are no frames: an input moves them.
    """
    ends = [Anchor(x, end) for x in rods for end in ENDS if end == "tip" or x not in tubes]
    return [Anchor(World), *ends, *map(Anchor, bodies)]


def anchor_of(
    frame: FrameLike,
    rods: Mapping[str, Rod],
    bodies: Mapping[str, Body],
    who: str | None = None,
    field: str = "s",
) -> tuple[Anchor, Pose]:
    """What carries a frame, and where; names of frames are taken apart here and nowhere else.

    Args:
        frame: A frame by name, or a point.
        rods: The robot's rods by name.
        bodies: Its bodies by name.
        who: Who asks, for errors; the rod or the body if nobody else.
        field: What ``who`` calls the arc length.

    Returns:
        The anchor, and the pose of the frame in it. Points of a rod that miss each other or an
        end by rounding have one anchor.

    Raises:
        UnknownName: If there is no such frame.
        ModelError: If the arc length is not on the rod.
    """
    if not isinstance(frame, At):
        return _named(frame, rods, bodies), np.eye(4)
    if frame.rod in bodies:
        if frame.s:
            remedy = "a body has no arc length: place the point with offset="
            raise bad(who or f"Body {frame.rod!r}", field, "0", frame.s, remedy)
        return Anchor(frame.rod), frame.transform
    if frame.rod not in rods:
        kind = "rod or body" if bodies else "rod"
        raise UnknownName(kind, frame.rod, [*rods, *bodies])
    return _on_rod(rods[frame.rod], rods[frame.rod].clamp(frame.s, who, field)), frame.transform


def _named(frame: str, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> Anchor:
    """The anchor that a frame by name is."""
    if frame == World or frame in bodies:
        return Anchor(frame)
    rod, _, last = frame.rpartition(".")
    for end in ENDS:
        if last == end and rod in rods:
            return Anchor(rod, end)
    raise UnknownName("frame", frame, map(str, named_anchors(rods, bodies)))


def _on_rod(rod: Rod, s: float) -> Anchor:
    """The anchor at an arc length; what misses an end by rounding is that end."""
    if s <= ROUNDING * rod.length:
        return Anchor(rod.name, "base")
    if rod.length - s <= ROUNDING * rod.length:
        return Anchor(rod.name, "tip")
    return Anchor(rod.name, s=float(f"{s:.13g}"))  # 0.1 + 0.2 and 0.3 are one point


def coincide(a: Anchor, b: Anchor, rods: Mapping[str, Rod]) -> bool:
    """Whether two anchors are one but for rounding, which may fall to either side."""
    if a.part != b.part or a.s is None or b.s is None:
        return a == b
    return abs(a.s - b.s) <= ROUNDING * rods[a.part].length


def points(frames: Iterable[FrameLike]) -> tuple[tuple[str, float], ...]:
    """Part and arc length [m] of those frames that are points."""
    return tuple((frame.rod, frame.s) for frame in frames if isinstance(frame, At))


def find_rod(rod: str, rods: Mapping[str, Rod]) -> Rod:
    """The rod of that name, or UnknownName with a suggestion."""
    return rods[known("rod", rod, rods)]


def frame_like(who: str, field: str, value: object) -> FrameLike:
    """A frame by name or a point; whether it exists is checked by the robot."""
    if isinstance(value, At):
        return value
    if isinstance(value, str) and value:
        return str(value)
    remedy = "write for example 'world', 'backbone.tip' or At('backbone', s=0.1)"
    raise bad(who, field, "the name of a frame or an At", value, remedy)
