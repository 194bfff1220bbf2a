"""What a view is made of: arrays in world coordinates [m] that any renderer can draw."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from flexura.typing import Array, Indices, Pose, Vector

Role: TypeAlias = Literal["force", "moment", "gravity", "contact"]
SurfaceRole: TypeAlias = Literal[
    "rod", "ghost", "holder", "body", "wheel", "joint", "disc", "tendon", "load", "axis"
]


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle mesh.

    Attributes:
        name: what it is the surface of.
        points: (n, 3).
        normals: unit normals at the points, outwards, (n, 3).
        triangles: three points each, counterclockwise from outside, (m, 3).
        values: what to colour the points by, (n,), or None.
        color: its own where there are no values; None is that of its kind.
        opacity: from 0, not to be seen, to 1, hiding what is behind it.
        role: what it is: a rod or a volume; the unloaded shape; a plate on the world, a rigid link
            or an obstacle; a body; the wheel of a pulley; a hinge, slider, ball or motor; a plate
            with holes; and of what has no surface of its own, a tendon, a load, an axis.
    """

    name: str
    points: Array
    normals: Array
    triangles: Indices
    values: Array | None = None
    color: str | None = None
    opacity: float = 1.0
    role: SurfaceRole = "rod"

    def but(self, **changes: Any) -> "Surface":
        """The same surface, but for these attributes."""
        return dataclasses.replace(self, **changes)


def with_role(role: SurfaceRole, surfaces: Iterable[Surface]) -> list[Surface]:
    """Surfaces with another role."""
    return [surface.but(role=role) for surface in surfaces]


@dataclass(frozen=True, eq=False)
class Arrow:
    """An arrow along a straight or curved path, with its head at the end of the path.

    Attributes:
        name: the load that it shows.
        role: what it shows of the load.
        path: from tail to tip, (n, 3).
        width: diameter of the shaft.
    """

    name: str
    role: Role
    path: Array
    width: float


@dataclass(frozen=True, eq=False)
class Line:
    """A thin line through points (n, 3)."""

    name: str
    points: Array


@dataclass(frozen=True, eq=False)
class Cable:
    """A tendon, or another line as thick as one.

    Attributes:
        name: of the tendon.
        path: from where it begins to its anchor, (n, 3).
        width: its diameter.
        color: its own, paler if it does not pull.
        role: what it is.
    """

    name: str
    path: Array
    width: float
    color: str
    role: Literal["tendon", "line"] = "tendon"


@dataclass(frozen=True, eq=False)
class Axes:
    """The three axes of a frame, each of length ``size``."""

    name: str
    pose: Pose
    size: float

    @property
    def corners(self) -> Array:
        """The origin and the tips of the axes, (4, 3)."""
        tips = self.size * np.vstack([np.zeros(3), self.pose[:3, :3].T])
        return np.asarray(self.pose[:3, 3] + tips)


@dataclass(frozen=True, eq=False)
class Label:
    """A text beside a point.

    Attributes:
        text: what it says.
        point: what it belongs to.
        away: direction from the point to where the text has room; zero centres it there.
        role: what it is about.
        color: of the text; None is the colour of its role.
        along: the path of what it names, beside which it may stand, too, (n, 3); None if that is
            no more than the point.
    """

    text: str
    point: Vector
    away: Vector
    role: Role | Literal["rod", "tendon", "line", "motor", "result", "scale"]
    color: str | None = None
    along: Array | None = None

    @property
    def thing(self) -> Array:
        """What it names, as points, (n, 3)."""
        return self.point[None] if self.along is None else self.along
