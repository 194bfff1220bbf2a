"""Rods that come down over round and sharp meshes by their weight, all of it at once."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import flexura as fx
from flexura.lie import se3

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)
ROUND = 0.03


def hull(points):
    """The convex surface about points, with normals out of it."""
    found = ConvexHull(points)
    triangles = found.simplices.copy()
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inwards = np.sum((corners[:, 0] - points.mean(axis=0)) * normal, axis=1) < 0.0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return fx.Triangles(points, triangles)


def ball(n):
    """Of n points."""
    i = np.arange(n) + 0.5
    down, around = np.arccos(1.0 - 2.0 * i / n), np.pi * (1.0 + np.sqrt(5.0)) * i
    side = np.stack([np.cos(around) * np.sin(down), np.sin(around) * np.sin(down), np.cos(down)], 1)
    return hull(ROUND * side)


def falls(shape, place, friction, rods, radius=4e-3, force=None):
    """A rod that is clamped at its base comes down by its weight."""
    pushed = [] if force is None else [fx.PointLoad("push", at="rod.tip", force=force)]
    robot = fx.Robot(
        "falls",
        rods=[fx.Rod("rod", 0.3, fx.Circle(radius), RUBBER)],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity(), *pushed],
        obstacles=[fx.Obstacle("shape", shape, pose=se3.pose(place))],
        contacts=[fx.Contact("rod", "shape", friction)],
    )
    return fx.statics(fx.build(robot, rods))


@pytest.mark.parametrize("at", [0.12, 0.125])
@pytest.mark.parametrize("n", [200, 2000])
def test_rods_come_to_rest_on_balls_of_triangles(n, at):
    """Also where pieces touch after a step that counted nowhere before it."""
    found = falls(ball(n), (at, 0.0, -0.045), 0.3, fx.Spline(3, 12))
    assert found.converged, found.status
