"""Shapes of rigid bodies and obstacles, for pictures and contacts; weights are given with bodies.

A shape lies around the origin of its body's frame, or where its own ``pose`` in that frame says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from flexura.robot.check import BadField, assign, bad, direction, pose, positive, vector
from flexura.robot.offset import transform
from flexura.robot.surface import closed_surface
from flexura.typing import ArrayLike, Pose, Vector

FLAT = 1e-12  # area of a polygon relative to the square around it that rounding leaves of a line


class _Placed:
    """What shapes share: a place in the frame of their body."""

    pose: ArrayLike | None

    @property
    def placement(self) -> Pose:
        """Where the shape is drawn, with its axis along x: a pose in the frame of the body."""
        return transform(self.pose)

    def _check_pose(self) -> None:
        """Bring the pose into its normal form."""
        if self.pose is not None:
            assign(self, pose=pose(type(self).__name__, "pose", self.pose))


class _Turned(_Placed):
    """What shapes with an axis share."""

    axis: ArrayLike

    @property
    def placement(self) -> Pose:
        """Where the shape is drawn, with its axis along x: a pose in the frame of the body."""
        return np.asarray(transform(self.pose) @ along(np.array(self.axis)))

    def _check_axis(self) -> None:
        """Bring the axis into its normal form."""
        assign(self, axis=direction(type(self).__name__, "axis", self.axis))


@dataclass(frozen=True)
class Box(_Placed):
    """A box.

    Attributes:
        x: Size along x [m].
        y: Size along y [m].
        z: Size along z [m].
        pose: Of its centre and its sides in the body's frame, 4x4; None is the identity.
    """

    x: float
    y: float
    z: float
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return max(self.x, self.y, self.z)

    def __post_init__(self) -> None:
        for field in ("x", "y", "z"):
            assign(self, **{field: positive("Box", field, getattr(self, field))})
        self._check_pose()


@dataclass(frozen=True)
class Cylinder(_Turned):
    """A cylinder.

    Attributes:
        radius: Radius [m].
        length: Length along its axis [m].
        axis: Direction of its axis; its length does not matter.
        pose: Of its centre in the body's frame, 4x4, which turns the axis too; None is the
            identity.
    """

    radius: float
    length: float
    axis: ArrayLike = (1.0, 0.0, 0.0)
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return max(self.length, 2.0 * self.radius)

    def __post_init__(self) -> None:
        for field in ("radius", "length"):
            assign(self, **{field: positive("Cylinder", field, getattr(self, field))})
        self._check_axis()
        self._check_pose()


@dataclass(frozen=True)
class Sphere(_Placed):
    """A sphere.

    Attributes:
        radius: Radius [m].
        pose: Of its centre in the body's frame, 4x4; None is the identity.
    """

    radius: float
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return 2.0 * self.radius

    def __post_init__(self) -> None:
        assign(self, radius=positive("Sphere", "radius", self.radius))
        self._check_pose()


@dataclass(frozen=True)
class Plate(_Turned):
    """A flat plate, half of it on either side of a plane through its origin.

    Attributes:
        points: Corners of its outline in order, at least three [m]: (y, z) if the axis is x,
            (z, x) if it is y, (x, y) if it is z. For any other axis the first number is along
            the same direction as for the nearest of these three, as far as it is in the plane.
        thickness: Thickness along its axis [m].
        axis: Direction normal to it; its length does not matter.
        pose: Of its origin in the body's frame, 4x4, which turns the axis too; None is the
            identity.
    """

    points: Sequence[ArrayLike]
    thickness: float
    axis: ArrayLike = (1.0, 0.0, 0.0)
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return float(np.ptp(np.array(self.points), axis=0).max())

    def __post_init__(self) -> None:
        assign(
            self,
            points=_outline(self.points),
            thickness=positive("Plate", "thickness", self.thickness),
        )
        self._check_axis()
        self._check_pose()


@dataclass(frozen=True)
class Capsule(_Turned):
    """A cylinder with round ends: all that is nearer to a line than its radius.

    Attributes:
        radius: Radius [m].
        length: Length of the line, along its axis; the ends are half spheres beyond it [m].
        axis: Direction of its axis; its length does not matter.
        pose: Of its centre in the body's frame, 4x4, which turns the axis too; None is the
            identity.
    """

    radius: float
    length: float
    axis: ArrayLike = (1.0, 0.0, 0.0)
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return self.length + 2.0 * self.radius

    def __post_init__(self) -> None:
        for field in ("radius", "length"):
            assign(self, **{field: positive("Capsule", field, getattr(self, field))})
        self._check_axis()
        self._check_pose()


@dataclass(frozen=True)
class Triangles(_Placed):
    """A solid whose surface is made of triangles.

    Attributes:
        points: Corners of the triangles [m], (n, 3).
        triangles: Three numbers of points each, anticlockwise seen from outside, (m, 3). Together
            they enclose the solid.
        pose: Of its points in the body's frame, 4x4; None is the identity.
    """

    points: Sequence[ArrayLike]
    triangles: Sequence[ArrayLike]
    pose: ArrayLike | None = None

    @property
    def extent(self) -> float:
        """How large it is [m]."""
        return float(np.ptp(np.array(self.points), axis=0).max())

    def __post_init__(self) -> None:
        points, triangles = closed_surface(self.points, self.triangles)
        assign(self, points=points, triangles=triangles)
        self._check_pose()


AnyShape: TypeAlias = Box | Cylinder | Sphere | Plate | Capsule | Triangles


def along(axis: Vector) -> Pose:
    """A rotation of x to an axis, and of y towards the axis after the one nearest to it."""
    y = np.eye(3)[(int(np.argmax(np.abs(axis))) + 1) % 3]
    y = y - (y @ axis) * axis
    y /= np.linalg.norm(y)
    T = np.eye(4)
    T[:3, :3] = np.stack([axis, y, np.cross(axis, y)], axis=1)
    return T


def _outline(value: object) -> tuple[tuple[float, ...], ...]:
    """The corners of a polygon that encloses an area."""
    try:
        corners = list(value)  # type: ignore[call-overload]
    except TypeError:
        corners = []
    if len(corners) < 3:
        remedy = "write for example [(0, 0), (0.1, 0), (0, 0.1)]"
        raise bad("Plate", "points", "at least three corners (y, z)", value, remedy)
    points = tuple(vector("Plate", f"points[{i}]", p, (2,)) for i, p in enumerate(corners))
    (y0, z0), size = points[0], max(abs(number) for point in points for number in point)
    # Divided before they are subtracted, so that nothing leaves the range of floats.
    scaled = [(y / size - y0 / size, z / size - z0 / size) for y, z in points] if size else []
    extent = max((abs(number) for point in scaled for number in point), default=0.0)
    twice = sum(
        a[0] * b[1] - a[1] * b[0] for a, b in zip(scaled, scaled[1:] + scaled[:1], strict=True)
    )
    if abs(twice) <= FLAT * extent * extent:
        raise BadField(
            f"Plate: the outline through its {len(points)} points encloses no area; "
            "give its corners in order, once each",
            "points",
        )
    return points
