"""A camera that frames a set of points."""

import math
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.typing import Array, ArrayLike, Vector

ANGLE = 24.0  # [deg], vertical angle of view: a mild perspective


@dataclass(frozen=True, eq=False)
class Camera:
    """Where to look from.

    Attributes:
        position: of the eye [m].
        target: a point in the middle of the picture [m].
        up: upwards in the picture.
        angle: vertical angle of view [deg].
    """

    position: Vector
    target: Vector
    up: Vector
    angle: float = ANGLE

    def project(self, points: Array) -> Array:
        """Where points (n, 3) appear: right and up of the middle, in heights of the picture.

        Points that are not in front of the eye appear nowhere: NaN.
        """
        z = self.position - self.target
        z = z / np.linalg.norm(z)
        rays = points - self.position
        ahead = -(rays @ z)
        scale = 2.0 * math.tan(math.radians(self.angle / 2.0)) * np.where(ahead > 0, ahead, np.nan)
        return np.asarray(rays @ np.stack([np.cross(self.up, z), self.up], axis=1) / scale[:, None])

    def across(self, direction: Vector) -> tuple[float, float]:
        """A direction as seen: rightwards and upwards, a unit vector, or zero if it is zero."""
        z = self.position - self.target
        right = np.cross(self.up, z / np.linalg.norm(z))
        seen = np.array([right @ direction, self.up @ direction])
        x, y = seen / (np.linalg.norm(seen) or 1.0)
        return float(x), float(y)


def frame_points(
    points: Array,
    towards: ArrayLike,
    up: Vector,
    aspect: float,
    margins: tuple[float, float, float, float],
) -> Camera:
    """The closest camera that sees all points.

    A point with coordinates (x, y) across and z towards the eye, at distance D from the target's
    plane, is inside the left edge while −(x − c) ≤ t (D − z), with t the tangent of the angle to
    that edge, and so on for the other edges. That bounds D from below, edge pair by edge pair.

    Args:
        points: what to see, (n, 3).
        towards: direction from the robot to the eye.
        up: upwards in the picture, not along ``towards``.
        aspect: width of the picture by its height.
        margins: parts of the picture to leave free at the left, right, bottom and top.

    Raises:
        ModelError: for a direction that leaves no upright picture.
    """
    R = _axes(towards, up)
    x, y, z = (points @ R).T
    tall = math.tan(math.radians(ANGLE / 2.0))
    wide = tall * aspect
    left, right = (wide * (1.0 - 2.0 * m) for m in margins[:2])
    bottom, top = (tall * (1.0 - 2.0 * m) for m in margins[2:])
    bounds = [
        (float((x + right * z).max()), float((left * z - x).max()), right, left),
        (float((y + top * z).max()), float((bottom * z - y).max()), top, bottom),
    ]
    distance = max((high + low) / (ahead + behind) for high, low, ahead, behind in bounds)
    centre = [
        ((high - ahead * distance) + (behind * distance - low)) / 2.0
        for high, low, ahead, behind in bounds
    ]
    target = R @ np.array([*centre, 0.0])
    return Camera(target + distance * R[:, 2], target, R[:, 1])


def _axes(towards: ArrayLike, up: Vector) -> Array:
    """Right, upward and towards the eye, as columns."""
    try:
        z = np.asarray(towards, dtype=np.float64)
    except (TypeError, ValueError):
        z = np.zeros(3)
    z = z if z.shape == (3,) and np.isfinite(z).all() else np.zeros(3)
    x = np.cross(up, z)
    if not np.linalg.norm(x) > 1e-6 * np.linalg.norm(z):
        raise ModelError(
            f"the camera's direction must be three numbers, not along {up}, got {towards!r}; "
            "it points from the robot to the eye, for example (0.5, -1, 0.4)"
        )
    x /= np.linalg.norm(x)
    z = z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)
