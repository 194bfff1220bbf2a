"""Motors that turn frames about an axis of the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from flexura.lie import so3
from flexura.robot.body import Body
from flexura.robot.check import assign, bad, direction, finite, name, pose, vector3
from flexura.robot.frame import FrameLike, anchor_of, frame_like, points
from flexura.robot.rod import Rod
from flexura.typing import ArrayLike, Pose, Twist

Driven: TypeAlias = Sequence[tuple[FrameLike, ArrayLike]]


@dataclass(frozen=True)
class Motor:
    """A motor on the ground that turns all frames it drives by the same angle.

        pose of a frame = G(θ) @ its installation pose

    Attributes:
        name: Name of the motor and of the input that is its angle [rad].
        axis: Direction of its axis in the world; its length does not matter.
        point: A point of the axis in the world [m].
        drives: The frames that it turns and their installation poses, which are those in the
            world at angle zero, 4x4: a mapping, or a list of pairs.
    """

    name: str
    axis: ArrayLike
    point: ArrayLike = (0.0, 0.0, 0.0)
    drives: Mapping[FrameLike, ArrayLike] | Driven = ()

    def __post_init__(self) -> None:
        assign(self, name=name("Motor", "name", self.name))
        assign(
            self,
            axis=direction(self._who, "axis", self.axis),
            point=vector3(self._who, "point", self.point),
            drives=_driven(self._who, self.drives),
        )

    @property
    def _who(self) -> str:
        return f"Motor {self.name!r}"

    @property
    def label(self) -> str:
        """The name."""
        return self.name

    @property
    def installed(self) -> tuple[tuple[FrameLike, Pose], ...]:
        """The frames that it drives and their installation poses as arrays."""
        return tuple((frame, np.array(T)) for frame, T in cast(Driven, self.drives))

    @property
    def screw(self) -> Twist:
        """Body twist of its frames' motion by the angle."""
        return np.concatenate(
            [np.array(self.axis), np.cross(np.array(self.point), np.array(self.axis))]
        )

    def motion(self, angle: float) -> Pose:
        """How the motor has moved its frames at an angle [rad].

        G(θ) = (R, p − R p),   R = exp(θ axis),   p = point
        """
        R = so3.exp(finite(self._who, "angle", angle) * np.array(self.axis))
        G, point = np.eye(4), np.array(self.point)
        G[:3, :3], G[:3, 3] = R, point - R @ point
        return G

    def check(self, rods: Mapping[str, Rod], bodies: Mapping[str, Body]) -> None:
        """Raise unless the frames exist and none is the world."""
        for frame, _ in self.installed:
            field = f"drives[{str(frame)!r}]"
            if anchor_of(frame, rods, bodies, self._who, f"{field}.s")[0].is_world:
                remedy = "a motor is on the ground: let it drive a rod end or a body"
                raise bad(self._who, field, "a frame of the robot", frame, remedy)

    @property
    def jumps(self) -> tuple[tuple[str, float], ...]:
        """Rods and arc lengths where the motor holds them [m]."""
        return points(frame for frame, _ in self.installed)


def _driven(who: str, value: object) -> tuple[tuple[FrameLike, ArrayLike], ...]:
    """Pairs of a frame and a pose, at least one."""
    entries = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(entries, list | tuple) or not entries:
        remedy = "write for example drives={'backbone.base': pose}"
        raise bad(who, "drives", "a nonempty mapping from frames to 4x4 poses", value, remedy)
    driven: dict[FrameLike, ArrayLike] = {}
    for i, entry in enumerate(entries):
        if not isinstance(entry, list | tuple) or len(entry) != 2:
            remedy = "write for example ('backbone.base', pose)"
            raise bad(who, f"drives[{i}]", "a pair of a frame and its pose", entry, remedy)
        frame = frame_like(who, f"drives[{i}]", entry[0])
        if frame in driven:
            raise bad(who, f"drives[{i}]", "another frame than before", frame, "drive it once")
        field = f"drives[{str(frame)!r}]"
        if isinstance(entry[1], Mapping):
            remedy = "write the frame's name in quotes, as a file splits it at dots otherwise"
            raise bad(who, field, "a 4x4 pose", entry[1], remedy)
        driven[frame] = pose(who, field, entry[1])
    return tuple(driven.items())
