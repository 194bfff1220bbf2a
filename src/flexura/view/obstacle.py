"""Obstacles."""

import numpy as np

from flexura.contact.solid import Solids
from flexura.result.static import StaticResult
from flexura.robot import Obstacle, Plane, Vessel
from flexura.typing import Array, Vector
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


def obstacle_surfaces(result: StaticResult, extent: float) -> list[Surface]:
    """All obstacles, translucent."""
    found = []
    for obstacle in result.model.robot.obstacles:
        own = _surface(obstacle, result, extent)
        found.append(
            Surface(
                own.name, own.points, own.normals, own.triangles, color=own.color, opacity=OPACITY
            )
        )
    return found


def planes_below(result: StaticResult) -> list[tuple[Vector, Vector]]:
    """Planes that all of a robot is above of: a point and the normal of each."""
    nodes, found = result.evaluation.nodes[:-1, :3, 3], []
    for obstacle in result.model.robot.obstacles:
        if isinstance(obstacle.shape, Plane):
            normal, point = obstacle.placement[:3, 0], obstacle.placement[:3, 3]
            if ((nodes - point) @ normal >= 0.0).all():
                found.append((point, normal))
    return found


def _surface(obstacle: Obstacle, result: StaticResult, extent: float) -> Surface:
    """The surface of an obstacle."""
    shape, pose = obstacle.shape, obstacle.placement
    if isinstance(shape, Plane):
        middle = result.evaluation.nodes[:-1, :3, 3].mean(axis=0)
        own, half = pose.copy(), SIDE * extent
        n = own[:3, 0]
        own[:3, 3] = middle - (n @ (middle - pose[:3, 3]) + 0.5 * SHEET * extent) * n
        corners = half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        return prism(obstacle.name, own, corners, SHEET * extent)
    if isinstance(shape, Vessel):
        path = _centreline(shape, obstacle)
        return tube(obstacle.name, path, 2.0 * shape.radius, HOLDER, "holder")
    return solid_surface(obstacle.name, shape, obstacle.frame)


def _centreline(vessel: Vessel, obstacle: Obstacle) -> Array:
    """Points of the centreline of a vessel in the world, (n, 3)."""
    pieces = Solids.of([(vessel, -1, np.eye(4))]).table[:, :12].reshape(-1, 4, 3)
    u = np.linspace(0.0, 1.0, ALONG, endpoint=False)[:, None]
    points = [c[0] + u * (c[1] + u * (c[2] + u * c[3])) for c in pieces]
    points.append(pieces[-1].sum(axis=0)[None])
    pose = obstacle.placement
    return np.asarray(pose[:3, 3] + np.concatenate(points) @ pose[:3, :3].T)
