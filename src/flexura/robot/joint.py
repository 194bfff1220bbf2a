"""Joints between two frames."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from flexura.robot.check import assign, bad, name, pose
from flexura.robot.frame import FrameLike, check_frame, frame_like, transform
from flexura.robot.rod import Rod
from flexura.typing import ArrayLike, Pose


@dataclass(frozen=True)
class Weld:
    """Two frames fixed to each other: pose of b = pose of a @ offset.

    Attributes:
        a: First frame, for example "world".
        b: Second frame, for example "backbone.base".
        offset: Pose of b in a, 4x4; None is the identity.
        name: Name of the weld, if it shall have one.
    """

    a: FrameLike
    b: FrameLike
    offset: ArrayLike | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        assign(self, a=frame_like("Weld", "a", self.a), b=frame_like("Weld", "b", self.b))
        if self.a == self.b:
            raise bad("Weld", "b", "another frame than a", self.b, "a weld joins two frames")
        if self.offset is not None:
            assign(self, offset=pose("Weld", "offset", self.offset))
        if self.name is not None:
            assign(self, name=name("Weld", "name", self.name))

    @property
    def label(self) -> str:
        """The name, or one made of the two frames."""
        return self.name or f"{self.a}-{self.b}"

    @property
    def transform(self) -> Pose:
        """The offset as an array, the identity if there is none."""
        return transform(self.offset)

    def check(self, rods: Mapping[str, Rod]) -> None:
        """Raise unless both frames exist."""
        check_frame(f"Weld {self.label!r}", "a", self.a, rods)
        check_frame(f"Weld {self.label!r}", "b", self.b, rods)


Joint: TypeAlias = Weld
