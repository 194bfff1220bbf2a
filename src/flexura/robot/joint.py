"""Joints between two frames."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from flexura.lie import so3
from flexura.robot.body import Body
from flexura.robot.check import BadField, assign, bad, direction, finite, flag, name, pose
from flexura.robot.frame import FrameLike, anchor_of, coincide, frame_like, points
from flexura.robot.motor import Motor
from flexura.robot.offset import transform
from flexura.robot.rod import Rod
from flexura.typing import ArrayLike, Pose, Twist, Vector


class _Pair:
    """What joints between two frames share.

    A joint that moves freely holds the components ``held`` of the motion of b in a, angular
    first, with x along its axis.
    """

    held: ClassVar[tuple[int, ...]]
    a: FrameLike
    b: FrameLike
    offset: ArrayLike | None
    name: str | None

    def _check_frames(self, who: str) -> None:
        assign(self, a=frame_like(who, "a", self.a), b=frame_like(who, "b", self.b))
        if self.a == self.b:
            raise bad(who, "b", "another frame than a", self.b, "a joint joins two frames")
        if self.offset is not None:
            assign(self, offset=pose(who, "offset", self.offset))

    @property
    def _who(self) -> str:
        return f"{type(self).__name__} {self.label!r}"

    @property
    def label(self) -> str:
        """The name, or one made of the two frames."""
        return self.name or f"{self.a}-{self.b}"

    @property
    def transform(self) -> Pose:
        """The offset as an array, the identity if there is none."""
        return transform(self.offset)

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless both frames exist and can move against each other."""
        a, _ = anchor_of(self.a, rods, bodies, self._who, "a.s")
        b, _ = anchor_of(self.b, rods, bodies, self._who, "b.s")
        if coincide(a, b, rods):
            raise BadField(
                f"{self._who}: both of its frames are carried by {str(a)!r}; "
                "join frames that can move against each other",
                "b",
            )

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rods and arc lengths where the joint holds them [m]."""
        return points((self.a, self.b))


@dataclass(frozen=True)
class Weld(_Pair):
    """Two frames fixed to each other: pose of b = pose of a @ offset.

    Attributes:
        a: First frame, for example "world".
        b: Second frame, for example "backbone.base".
        offset: Pose of b in a, 4x4; None is the identity.
        name: Name of the weld and of the input that is its offset, if it shall have one.
    """

    a: FrameLike
    b: FrameLike
    offset: ArrayLike | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        self._check_frames("Weld")
        if self.name is not None:
            assign(self, name=name("Weld", "name", self.name))


@dataclass(frozen=True)
class _AxisJoint(_Pair):
    """What joints that move along or about an axis share."""

    name: str
    a: FrameLike
    b: FrameLike
    axis: ArrayLike
    offset: ArrayLike | None = None
    driven: bool = False

    def __post_init__(self) -> None:
        assign(self, name=name(type(self).__name__, "name", self.name))
        self._check_frames(self._who)
        assign(
            self,
            axis=direction(self._who, "axis", self.axis),
            driven=flag(self._who, "driven", self.driven),
        )

    def _along_axis(self, quantity: str, value: float) -> Vector:
        """A value times the axis, if it is a finite number."""
        return np.asarray(finite(self._who, quantity, value) * np.array(self.axis))


@dataclass(frozen=True)
class Hinge(_AxisJoint):
    """Two frames that turn about an axis against each other.

        pose of b = pose of a @ offset @ motion(θ),   motion(θ) = (exp(θ axis), 0)

    Attributes:
        name: Name of the hinge; if it is driven, of the input that is its angle θ [rad].
        a: First frame.
        b: Second frame.
        axis: Direction of the axis, in frame a after the offset and likewise in b; its length
            does not matter.
        offset: Pose of b in a at angle zero, 4x4; None is the identity.
        driven: Whether the angle is an input; else the hinge turns freely.
    """

    held: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)

    @property
    def screw(self) -> Twist:
        """Body twist of b by the angle."""
        return np.concatenate([np.asarray(self.axis), np.zeros(3)])

    def motion(self, value: float) -> Pose:
        """Pose of b in its pose at angle zero, at an angle [rad]."""
        T = np.eye(4)
        T[:3, :3] = so3.exp(self._along_axis("angle", value))
        return T


@dataclass(frozen=True)
class Slider(_AxisJoint):
    """Two frames that slide along an axis against each other.

        pose of b = pose of a @ offset @ motion(d),   motion(d) = (1, d axis)

    Attributes:
        name: Name of the slider; if it is driven, of the input that is its displacement d [m].
        a: First frame.
        b: Second frame.
        axis: Direction of the axis, in frame a after the offset and likewise in b; its length
            does not matter.
        offset: Pose of b in a at displacement zero, 4x4; None is the identity.
        driven: Whether the displacement is an input; else the slider slides freely.
    """

    held: ClassVar[tuple[int, ...]] = (0, 1, 2, 4, 5)

    @property
    def screw(self) -> Twist:
        """Body twist of b by the displacement."""
        return np.concatenate([np.zeros(3), np.asarray(self.axis)])

    def motion(self, value: float) -> Pose:
        """Pose of b in its pose at displacement zero, at a displacement [m]."""
        T = np.eye(4)
        T[:3, 3] = self._along_axis("displacement", value)
        return T


@dataclass(frozen=True)
class Ball(_Pair):
    """Two frames that turn freely about a point: pose of b = pose of a @ offset @ (R, 0), any R.

    Attributes:
        name: Name of the joint.
        a: First frame.
        b: Second frame, whose origin is the point.
        offset: Pose of b in a while it is not turned, 4x4; None is the identity.
    """

    name: str
    a: FrameLike
    b: FrameLike
    offset: ArrayLike | None = None
    held: ClassVar[tuple[int, ...]] = (3, 4, 5)

    def __post_init__(self) -> None:
        assign(self, name=name("Ball", "name", self.name))
        self._check_frames(self._who)


Joint: TypeAlias = Weld | Hinge | Slider | Ball | Motor
