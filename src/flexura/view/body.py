"""Rigid bodies: their shapes, or else plates through what is attached to them, or bars to it."""

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import Anchor, AnyShape, Capsule, Cylinder, Plate, Sphere, Triangles
from flexura.typing import Array, Pose
from flexura.view.joint import LINK_RADIUS, Arm, arms, link
from flexura.view.primitive import Surface
from flexura.view.rod import disc, hull, plate
from flexura.view.solid import ball, capsule, prism, triangles

THICKNESS = 0.008  # of a plate through points, relative to the extent of the robot
RIM = 0.16  # of such a plate around the points, relative to their largest distance from the middle
THIN = 1e-6  # points this near to a line, relative to their distance, have no plane
# of a rod, over its length, which such a plate would hide
PLACES = np.linspace(0.1, 0.9, 17)


def body_surfaces(result: StaticResult, extent: float) -> list[Surface]:
    """All bodies, with bars to what is attached to them elsewhere."""
    reaching, beside = arms(result), _along_rods(result)
    found = []
    for body in result.model.robot.bodies:
        pose = result.pose(body.name)
        own = [arm for arm in reaching if arm.anchor == Anchor(body.name)]
        if body.shape is None:
            solid = _sheet(body.name, own, extent, beside)
        else:
            solid = solid_surface(body.name, body.shape, pose)
        found += [] if solid is None else [solid]
        corners = pose[None, :3, 3] if solid is None else solid.points
        for arm in own:
            if _is_outside(arm, pose, corners, LINK_RADIUS * extent):
                found += link(body.name, pose[:3, 3], arm.point, arm.radius, extent)
    return found


def body_points(result: StaticResult) -> list[Array]:
    """Points of bodies that do not depend on how large the robot is, (n, 3) each."""
    poses = {body: result.pose(body.name) for body in result.model.robot.bodies}
    return [
        pose[None, :3, 3]
        if body.shape is None
        else solid_surface(body.name, body.shape, pose).points
        for body, pose in poses.items()
    ]


def solid_surface(name: str, shape: AnyShape, body: Pose) -> Surface:
    """The shape of a body."""
    pose = body @ shape.placement
    if isinstance(shape, Sphere):
        return ball(name, pose[:3, 3], shape.radius)
    if isinstance(shape, Cylinder):
        half = 0.5 * shape.length
        return disc(name, pose, shape.radius, -half, half)
    if isinstance(shape, Plate):
        return prism(name, pose, np.array(shape.points), shape.thickness)
    if isinstance(shape, Capsule):
        return capsule(name, pose, shape.radius, shape.length)
    if isinstance(shape, Triangles):
        return triangles(name, pose, np.array(shape.points), np.array(shape.triangles))
    corners = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (shape.y, shape.z)
    return prism(name, pose, corners, shape.x)


def _along_rods(result: StaticResult) -> Array:
    """Points along all rods, (n, 3)."""
    rods = result.model.robot.rods
    places = [result.pose(rod.name, PLACES * rod.length)[:, :3, 3] for rod in rods]
    return np.concatenate([np.empty((0, 3)), *places])


def _sheet(name: str, own: list[Arm], extent: float, beside: Array) -> Surface | None:
    """A thin plate through the points that a body reaches to, if they have a plane.

    None where points of rods are in it: these would be hidden, or seem to touch it.
    """
    if len(own) < 3:
        return None
    points = np.array([arm.point for arm in own])
    middle = points.mean(axis=0)
    spread, axes = np.linalg.svd(points - middle)[1:]
    half = 0.5 * THICKNESS * extent
    y, z, x = axes
    if spread[1] <= THIN * spread[0] or np.abs((points - middle) @ x).max() > half:
        return None
    pose = np.eye(4)
    pose[:3] = np.stack([np.cross(y, z), y, z, middle], axis=1)
    corners = (points - middle) @ np.stack([y, z], axis=1)
    thick = max(arm.radius for arm in own)
    rim = float(RIM * np.linalg.norm(corners, axis=1).max() + thick)
    away = (beside - middle) @ np.stack([x, y, z], axis=1)
    across = hull(np.zeros((1, 2)), 1.0).normals
    most = (across @ corners.T).max(axis=1, keepdims=True) + rim
    over = (across @ away[:, 1:].T < most).all(axis=0)
    if (over & (np.abs(away[:, 0]) <= half + thick)).any():
        return None
    return plate(name, pose, hull(corners, rim), -half, half)


def _is_outside(arm: Arm, pose: Pose, corners: Array, margin: float) -> bool:
    """Whether an arm ends outside of the box around the points of a body."""
    R, origin = pose[:3, :3], pose[:3, 3]
    box, point = (corners - origin) @ R, (arm.point - origin) @ R
    inside = (point >= box.min(axis=0) - margin) & (point <= box.max(axis=0) + margin)
    return not inside.all()
