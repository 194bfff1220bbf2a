"""What stands in a robot's way, fixed in the world."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.interpolate import CubicSpline

from flexura.robot.check import (
    BadField,
    assign,
    direction,
    instance,
    part_name,
    pose,
    positive,
    vector3,
)
from flexura.robot.offset import transform
from flexura.robot.shape import Box, Capsule, Cylinder, Sphere, Triangles, along
from flexura.typing import ArrayLike, Pose

# How tight a curve bends is looked at in so many places from each of its points to the next.
LOOKS = 64


@dataclass(frozen=True)
class Plane:
    """Half of space, on one side of a plane.

    Attributes:
        normal: Direction out of the solid half; its length does not matter.
        point: Any point of the plane [m].
    """

    normal: ArrayLike = (0.0, 0.0, 1.0)
    point: ArrayLike = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        assign(
            self,
            normal=direction("Plane", "normal", self.normal),
            point=vector3("Plane", "point", self.point),
        )

    @property
    def placement(self) -> Pose:
        """A frame of the plane, x along its normal."""
        found = along(np.array(self.normal))
        found[:3, 3] = self.point
        return found


@dataclass(frozen=True)
class Vessel:
    """The inside of a tube along a smooth curve, open at both ends; robots are in it.

    Attributes:
        points: Of its centreline, at least two [m]; a cubic spline leads through them, which bends
            nowhere tighter than the tube is wide.
        radius: Inner radius [m].
    """

    points: Sequence[ArrayLike]
    radius: float

    def __post_init__(self) -> None:
        try:
            entries = list(self.points)
        except TypeError:
            entries = []
        if len(entries) < 2:
            raise BadField(
                "Vessel: points must be at least two points [m] of its centreline, such as "
                "[(0, 0, 0), (0.1, 0, 0)]",
                "points",
            )
        points = tuple(vector3("Vessel", f"points[{i}]", x) for i, x in enumerate(entries))
        assign(self, points=points, radius=positive("Vessel", "radius", self.radius))
        steps = np.linalg.norm(np.diff(np.array(points), axis=0), axis=1)
        if not (steps > 0.0).all():
            i = int(np.argmin(steps))
            raise BadField(
                f"Vessel: points[{i}] and points[{i + 1}] are the same; leave one out", "points"
            )
        self._check_bends()

    @property
    def curve(self) -> CubicSpline:
        """Its centreline, whose curvature vanishes at the ends, along the way from point to point.

        That is ``curve.x`` at its points.
        """
        points = np.array(self.points)
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        return CubicSpline(np.append(0.0, np.cumsum(steps)), points, bc_type="natural")

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def _check_bends(self) -> None:
        """Raise if its wall folds on the inside of a bend."""
        curve, parts = self.curve, np.linspace(0.0, 1.0, LOOKS, endpoint=False)
        s = np.append(curve.x[:-1, None] + np.diff(curve.x)[:, None] * parts, curve.x[-1])
        slope = curve(s, 1)
        bent = np.linalg.norm(np.cross(slope, curve(s, 2)), axis=1)
        least = np.linalg.norm(slope, axis=1) ** 3 / bent
        least[:-1][np.sum(slope[1:] * slope[:-1], axis=1) <= 0.0] = 0.0  # it turns back
        if not (least <= self.radius).any():
            return
        i = int(np.nanargmin(least))
        where = ", ".join(f"{x:.4g}" for x in curve(s[i]))
        raise BadField(
            f"Vessel: its centreline bends with a radius of {least[i]:.3g} m at ({where}) m, and "
            f"the tube has one of {self.radius:.3g} m: its wall would fold there; give points of a "
            "smoother curve, or a smaller radius",
            "points",
        )

    @property
    def placement(self) -> Pose:
        """Its points are where they are."""
        return np.eye(4)


AnyObstacle: TypeAlias = Plane | Sphere | Box | Cylinder | Capsule | Triangles | Vessel


@dataclass(frozen=True)
class Obstacle:
    """A solid that is fixed in the world, or a vessel that robots are in.

    Attributes:
        name: Name of the obstacle, by which contacts call it.
        shape: What it is like; around the world's origin, or where its own ``pose`` says.
        pose: Where the frame of the shape is in the world, 4x4; None is the identity.
    """

    name: str
    shape: AnyObstacle
    pose: ArrayLike | None = None

    def __post_init__(self) -> None:
        assign(self, name=part_name("Obstacle", self.name))
        who = f"Obstacle {self.name!r}"
        instance(who, "shape", self.shape, AnyObstacle)
        if self.pose is not None:
            assign(self, pose=pose(who, "pose", self.pose))

    @property
    def frame(self) -> Pose:
        """Where the frame of the shape is in the world."""
        return transform(self.pose)

    @property
    def placement(self) -> Pose:
        """Where the shape is in the world, with its axis along x."""
        return np.asarray(transform(self.pose) @ self.shape.placement)
