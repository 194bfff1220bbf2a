"""Frames that joints and loads refer to: the world, ends and points of rods, bodies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from flexura.errors import UnknownName
from flexura.robot.body import Body
from flexura.robot.check import assign, bad, name, nonnegative, pose
from flexura.robot.rod import ROUNDING, Rod
from flexura.typing import ArrayLike, Pose

World = "world"


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


def frame_names(rods: Iterable[str], bodies: Iterable[str]) -> list[str]:
    """The world, the ends of the rods, base before tip, and the bodies, in their order."""
    return [World, *(f"{rod}.{end}" for rod in rods for end in ("base", "tip")), *bodies]


def anchor(
    frame: FrameLike,
    rods: Mapping[str, Rod],
    bodies: Mapping[str, Body],
    who: str | None = None,
    field: str = "s",
) -> tuple[str, Pose]:
    """What carries a frame: the world, an end or a point of a rod, or a body.

    Args:
        frame: A frame by name, or a point.
        rods: The robot's rods by name.
        bodies: Its bodies by name.
        who: Who asks, for errors; the rod or the body if nobody else.
        field: What ``who`` calls the arc length.

    Returns:
        The name of the anchor, "world", "rod.base", "rod.tip", "body" or "rod@s" for a point
        strictly inside a rod with its arc length s [m], and the pose of the frame in it.

    Raises:
        UnknownName: If there is no such frame.
        ModelError: If the arc length is not on the rod.
    """
    if not isinstance(frame, At):
        rod, _, end = frame.rpartition(".")
        if frame != World and frame not in bodies and not (rod in rods and end in ("base", "tip")):
            raise UnknownName("frame", frame, frame_names(rods, bodies))
        return frame, np.eye(4)
    if frame.rod in bodies:
        if frame.s:
            remedy = "a body has no arc length: place the point with offset="
            raise bad(who or f"Body {frame.rod!r}", field, "0", frame.s, remedy)
        return frame.rod, frame.transform
    if frame.rod not in rods:
        kind = "rod or body" if bodies else "rod"
        raise UnknownName(kind, frame.rod, [*rods, *bodies])
    return _on_rod(rods[frame.rod], rods[frame.rod].clamp(frame.s, who, field)), frame.transform


def _on_rod(rod: Rod, s: float) -> str:
    """Name of the anchor at an arc length; what misses an end by rounding is that end."""
    if s <= ROUNDING * rod.length:
        return f"{rod.name}.base"
    if rod.length - s <= ROUNDING * rod.length:
        return f"{rod.name}.tip"
    return f"{rod.name}@{float(f'{s:.13g}')!r}"  # 0.1 + 0.2 and 0.3 are one point


def points_on(rod: str, frames: Iterable[FrameLike]) -> tuple[float, ...]:
    """Arc lengths of those frames that are points of a rod [m]."""
    return tuple(frame.s for frame in frames if isinstance(frame, At) and frame.rod == rod)


def find_rod(rod: str, rods: Mapping[str, Rod]) -> Rod:
    """The rod of that name, or UnknownName with a suggestion."""
    if rod not in rods:
        raise UnknownName("rod", rod, rods)
    return rods[rod]


def frame_like(who: str, field: str, value: object) -> FrameLike:
    """A frame by name or a point; whether it exists is checked by the robot."""
    if isinstance(value, At):
        return value
    if isinstance(value, str) and value:
        return str(value)
    remedy = "write for example 'world', 'backbone.tip' or At('backbone', s=0.1)"
    raise bad(who, field, "the name of a frame or an At", value, remedy)


def transform(offset: ArrayLike | None) -> Pose:
    """An offset as a 4x4 array, the identity if there is none."""
    return np.eye(4) if offset is None else np.array(offset, dtype=np.float64)


def inverse(T_ab: Pose) -> Pose:
    """Inverse of a pose, without a kernel: describing a robot compiles nothing."""
    T_ba = np.eye(4)
    T_ba[:3, :3] = T_ab[:3, :3].T
    T_ba[:3, 3] = -T_ab[:3, :3].T @ T_ab[:3, 3]
    return T_ba
