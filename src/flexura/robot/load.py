"""Loads on a robot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from flexura.robot.body import Body
from flexura.robot.check import (
    assign,
    bad,
    finite,
    flag,
    name,
    nonnegative,
    positive,
    vector3,
)
from flexura.robot.frame import FrameLike, World, anchor_of, find_rod, frame_like, points
from flexura.robot.rod import Rod
from flexura.robot.volume_place import AnyFrame, Nodes, On
from flexura.typing import ArrayLike

ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Gravity:
    """Weight of everything that has a mass.

    Attributes:
        acceleration: Acceleration of free fall, world axes [m/s²].
        name: Name of the input that overrides the acceleration.
    """

    acceleration: ArrayLike = (0.0, 0.0, -9.81)
    name: str = "gravity"

    def __post_init__(self) -> None:
        assign(
            self,
            acceleration=vector3("Gravity", "acceleration", self.acceleration),
            name=name("Gravity", "name", self.name),
        )

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Gravity refers to nothing that could be missing."""

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Gravity acts along whole rods."""
        return ()


@dataclass(frozen=True)
class PointLoad:
    """A force and a moment at a frame.

    Attributes:
        name: Name of the load and of the input that overrides its wrench.
        at: End of a rod or body by name, or a point ``At(...)``; a point ``On(...)`` of a volume,
            or ``Nodes(...)`` that share the force equally, which take forces in world axes only.
        force: Force [N], in world axes, or in the moving frame if ``follower``.
        moment: Moment [N·m], in the same axes.
        follower: Whether the load turns with the frame.
    """

    name: str
    at: AnyFrame
    force: ArrayLike = ZERO
    moment: ArrayLike = ZERO
    follower: bool = False

    def __post_init__(self) -> None:
        assign(self, name=name("PointLoad", "name", self.name))
        who = f"PointLoad {self.name!r}"
        assign(
            self,
            at=self.at if isinstance(self.at, On | Nodes) else _loaded(who, self.at),
            force=vector3(who, "force", self.force),
            moment=vector3(who, "moment", self.moment),
            follower=flag(who, "follower", self.follower),
        )
        if isinstance(self.at, On | Nodes):
            remedy = "a point of a volume has no axes that could turn: load a body that it holds"
            if any(self.moment):  # type: ignore[arg-type]
                raise bad(who, "moment", "zero on a volume", self.moment, remedy)
            if self.follower:
                raise bad(who, "follower", "False on a volume", self.follower, remedy)

    @property
    def wrench(self) -> tuple[float, ...]:
        """(moment, force) [N·m, N], six numbers."""
        return _wrench(self.moment, self.force)

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the frame exists; volumes are looked for by the robot."""
        if not isinstance(self.at, On | Nodes):
            anchor_of(self.at, rods, bodies, f"PointLoad {self.name!r}", "at.s")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rod and arc length where this load makes the internal wrench jump [m]."""
        return () if isinstance(self.at, On | Nodes) else points((self.at,))


@dataclass(frozen=True)
class Pressure:
    """Pressure on a closed surface of a volume: the walls of a cavity, or its boundary.

    Attributes:
        name: Name of the load and of the input that overrides the pressure.
        volume: Name of the volume.
        surface: Name of the surface; "boundary" is all of the outside.
        pressure: Pressure on it [Pa]; it presses against the material.
    """

    name: str
    volume: str
    surface: str
    pressure: float = 0.0

    def __post_init__(self) -> None:
        assign(self, name=name("Pressure", "name", self.name))
        who = f"Pressure {self.name!r}"
        assign(
            self,
            volume=name(who, "volume", self.volume),
            surface=name(who, "surface", self.surface),
            pressure=finite(who, "pressure", self.pressure),
        )

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Volumes are looked for by the robot."""

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """It acts on no rod."""
        return ()


@dataclass(frozen=True)
class Pulley:
    """A force of constant magnitude on a frame, towards a fixed point, as of a cable with a weight.

    Attributes:
        name: Name of the load and of the input that overrides the magnitude.
        at: End of a rod or body by name, or a point ``At(...)``.
        point: Where the pulley is, in the world [m].
        force: Magnitude of the force [N].
    """

    name: str
    at: FrameLike
    point: ArrayLike
    force: float

    def __post_init__(self) -> None:
        assign(self, name=name("Pulley", "name", self.name))
        who = f"Pulley {self.name!r}"
        assign(
            self,
            at=_loaded(who, self.at),
            point=vector3(who, "point", self.point),
            force=nonnegative(who, "force", self.force),
        )

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the frame exists."""
        anchor_of(self.at, rods, bodies, f"Pulley {self.name!r}", "at.s")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rod and arc length where this load makes the internal wrench jump [m]."""
        return points((self.at,))


@dataclass(frozen=True)
class LineLoad:
    """A force and a moment per arc length, constant on a part of a rod.

    Attributes:
        name: Name of the load and of the input that overrides its wrench.
        rod: Name of the rod.
        force: Force per arc length [N/m], in world axes, or in the moving frame if ``follower``.
        moment: Moment per arc length [N·m/m], in the same axes.
        follower: Whether the load turns with the rod.
        start: Arc length where the load begins [m].
        end: Arc length where it ends [m]; None is the tip of the rod.
    """

    name: str
    rod: str
    force: ArrayLike = ZERO
    moment: ArrayLike = ZERO
    follower: bool = False
    start: float = 0.0
    end: float | None = None

    def __post_init__(self) -> None:
        assign(self, name=name("LineLoad", "name", self.name))
        who = f"LineLoad {self.name!r}"
        assign(
            self,
            rod=name(who, "rod", self.rod),
            force=vector3(who, "force", self.force),
            moment=vector3(who, "moment", self.moment),
            follower=flag(who, "follower", self.follower),
            start=nonnegative(who, "start", self.start),
        )
        if self.end is not None:
            assign(self, end=positive(who, "end", self.end))
            if self.end <= self.start:
                allowed = f"greater than start = {self.start} m"
                raise bad(who, "end", allowed, self.end, "a line load needs a part of the rod")

    @property
    def wrench(self) -> tuple[float, ...]:
        """(moment, force) per arc length [N·m/m, N/m], six numbers."""
        return _wrench(self.moment, self.force)

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the rod exists and holds the loaded part."""
        who = f"LineLoad {self.name!r}"
        rod = find_rod(self.rod, rods)
        end = rod.length if self.end is None else rod.clamp(self.end, who, "end")
        if rod.clamp(self.start, who, "start") >= end:
            allowed = f"smaller than its end, {end} m on rod {rod.name!r}"
            raise bad(who, "start", allowed, self.start, "a line load needs a part of the rod")

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rod and arc lengths where this load makes the internal wrench kink [m]."""
        begin = (self.rod, self.start)
        return (begin,) if self.end is None else (begin, (self.rod, self.end))


Load: TypeAlias = Gravity | PointLoad | LineLoad | Pulley | Pressure


def _loaded(who: str, value: object) -> FrameLike:
    """A frame that can be loaded."""
    frame = frame_like(who, "at", value)
    if frame == World:
        remedy = "the world does not move: load the end of a rod or a body"
        raise bad(who, "at", "a frame of the robot", frame, remedy)
    return frame


def _wrench(moment: ArrayLike, force: ArrayLike) -> tuple[float, ...]:
    return (*cast(tuple[float, ...], moment), *cast(tuple[float, ...], force))
