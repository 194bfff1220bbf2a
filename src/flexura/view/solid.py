"""Bars, balls and prisms."""

import numpy as np
import pyvista as pv

from flexura.typing import Array, Pose, Vector
from flexura.view.primitive import Surface
from flexura.view.rod import AROUND, disc


def bar(name: str, a: Vector, b: Vector, radius: float) -> Surface:
    """A round bar from one point to another."""
    return disc(name, along(a, b - a), radius, 0.0, float(np.linalg.norm(b - a)))


def ball(name: str, centre: Vector, radius: float) -> Surface:
    """A sphere; its points are a grid of meridians and parallels."""
    polar = np.linspace(0.0, np.pi, AROUND // 2 + 1)[:, None]
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    across = (np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn))
    normals = np.stack([np.broadcast_to(np.cos(polar), across[0].shape), *across], axis=-1)
    index = np.arange(normals.size // 3).reshape(-1, AROUND)
    a, b = index[:-1], index[1:]
    c, d = (np.roll(row, -1, axis=1) for row in (b, a))
    triangles = np.stack([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    normals = normals.reshape(-1, 3)
    return Surface(name, centre + radius * normals, normals, triangles.reshape(-1, 3))


def prism(name: str, pose: Pose, outline: Array, thickness: float) -> Surface:
    """A plate with sharp corners in the y-z plane of a pose, half of it on either side.

    Args:
        name: what it is the surface of.
        pose: of the plate.
        outline: corners in order, convex or not, (k, 2).
        thickness: along x.
    """
    following = np.roll(outline, -1, axis=0)
    if np.sum(outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0]) < 0.0:
        outline, following = outline[::-1], np.roll(outline[::-1], -1, axis=0)
    k, half = len(outline), 0.5 * thickness
    face = np.column_stack([np.zeros(k), outline])
    fill = pv.PolyData(face, faces=[k, *range(k)]).triangulate().regular_faces
    next_face = np.column_stack([np.zeros(k), following])
    up = np.array([half, 0.0, 0.0])
    sides = np.stack([face - up, next_face - up, next_face + up, face + up], axis=1)
    outwards = np.cross(following - outline, 1.0)  # a quarter turn to the right
    corners = 2 * k + 4 * np.arange(k)[:, None]
    points = np.concatenate([face - up, face + up, sides.reshape(-1, 3)])
    x = np.tile([1.0, 0.0, 0.0], (k, 1))
    normals = np.concatenate([-x, x, np.repeat(outwards, 4, axis=0)])
    triangles = [fill[:, ::-1], fill + k, corners + [0, 1, 2], corners + [0, 2, 3]]
    R = pose[:3, :3]
    return Surface(name, pose[:3, 3] + points @ R.T, normals @ R.T, np.concatenate(triangles))


def along(point: Vector, direction: Vector) -> Pose:
    """A pose at a point with its x axis in a direction."""
    x = direction / np.linalg.norm(direction)
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])
    y /= np.linalg.norm(y)
    pose = np.eye(4)
    pose[:3] = np.stack([x, y, np.cross(x, y), point], axis=1)
    return pose
