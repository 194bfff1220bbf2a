"""Obstacles."""

from collections.abc import Sequence

import numpy as np

from flexura.contact.solid import centreline
from flexura.result.static import StaticResult
from flexura.robot import Obstacle, Plane, Robot, Vessel
from flexura.typing import Vector
from flexura.view.body import solid_surface
from flexura.view.primitive import Surface
from flexura.view.solid import prism
from flexura.view.style import HOLDER
from flexura.view.tube import tube

# Of obstacles, which hide nothing.
OPACITY = 0.3
# Half the side of what is drawn of a plane, and its thickness, relative to the extent of the robot.
SIDE, SHEET = 0.6, 0.004
# Points along each piece of the centreline of a vessel.
ALONG = 12


def obstacle_surfaces(result: StaticResult, extent: float, middle: Vector) -> list[Surface]:
    """All obstacles, translucent; of planes, what is beside the middle of the robot."""
    found = []
    for obstacle in result.model.robot.obstacles:
        own = _surface(obstacle, extent, middle)
        found.append(
            Surface(
                own.name, own.points, own.normals, own.triangles, color=own.color, opacity=OPACITY
            )
        )
    return found


def planes_below(
    robot: Robot, box: Sequence[Sequence[float]], extent: float
) -> list[tuple[Vector, Vector]]:
    """Planes that a box about a robot (lower, upper corner) is above of: a point and the normal.

    What stands on one is a little deeper where it is pressed, by less than what is drawn of planes.
    """
    corners, found = np.stack(np.meshgrid(*np.transpose(box)), axis=-1).reshape(-1, 3), []
    for obstacle in robot.obstacles:
        if isinstance(obstacle.shape, Plane):
            normal, point = obstacle.placement[:3, 0], obstacle.placement[:3, 3]
            if ((corners - point) @ normal >= -SHEET * extent).all():
                found.append((point, normal))
    return found


def _surface(obstacle: Obstacle, extent: float, middle: Vector) -> Surface:
    """The surface of an obstacle."""
    shape, pose = obstacle.shape, obstacle.placement
    if isinstance(shape, Plane):
        own, half = pose.copy(), SIDE * extent
        n = own[:3, 0]
        own[:3, 3] = middle - (n @ (middle - pose[:3, 3]) + 0.5 * SHEET * extent) * n
        corners = half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        return prism(obstacle.name, own, corners, SHEET * extent)
    if isinstance(shape, Vessel):
        path = pose[:3, 3] + centreline(shape, ALONG) @ pose[:3, :3].T
        return tube(obstacle.name, path, 2.0 * shape.radius, HOLDER, "holder")
    return solid_surface(obstacle.name, shape, obstacle.frame)
