"""Bars, balls and prisms."""

import numpy as np

from flexura.typing import Array, Indices, Pose, Vector
from flexura.view.primitive import Surface
from flexura.view.rod import AROUND, disc
from flexura.view.triangulate import triangulate

UPRIGHT = 0.99  # of a unit vector along the vertical


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
    y, z = outline.T
    if y @ np.roll(z, -1) < z @ np.roll(y, -1):  # clockwise from +x
        outline = outline[::-1]
    edges = np.roll(outline, -1, axis=0) - outline
    edges /= np.linalg.norm(edges, axis=1)[:, None]
    k, x = len(outline), np.array([0.5 * thickness, 0.0, 0.0])
    face = np.column_stack([np.zeros(k), outline])
    fill = triangulate(outline)
    ahead = np.roll(face, -1, axis=0)
    sides = np.stack([face - x, ahead - x, ahead + x, face + x], axis=1).reshape(-1, 3)
    outwards = np.column_stack([np.zeros(k), edges[:, 1], -edges[:, 0]])
    points = np.concatenate([face - x, face + x, sides])
    normals = np.concatenate(
        [np.tile([side, 0.0, 0.0], (k, 1)) for side in (-1.0, 1.0)] + [outwards.repeat(4, axis=0)]
    )
    quads = 2 * k + np.arange(4 * k).reshape(k, 4)
    triangles = np.concatenate([fill[:, ::-1], fill + k, quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    R = pose[:3, :3]
    return Surface(name, pose[:3, 3] + points @ R.T, normals @ R.T, triangles)


def capsule(name: str, pose: Pose, radius: float, length: float) -> Surface:
    """A bar with round ends, along the x axis of a pose, half of it on either side."""
    whole = ball(name, np.zeros(3), radius)
    half = np.where(whole.normals[:, :1] >= 0.0, 0.5 * length, -0.5 * length)
    points = whole.points + half * np.array([1.0, 0.0, 0.0])
    R = pose[:3, :3]
    return Surface(name, pose[:3, 3] + points @ R.T, whole.normals @ R.T, whole.triangles)


def triangles(name: str, pose: Pose, points: Array, corners: Indices) -> Surface:
    """A surface of flat triangles in a pose."""
    own, R = points[corners], pose[:3, :3]
    flat = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    placed, faces = pose[:3, 3] + own.reshape(-1, 3) @ R.T, np.arange(3 * len(own))
    return Surface(name, placed, flat.repeat(3, axis=0) @ R.T, faces.reshape(-1, 3))


def along(point: Vector, direction: Vector) -> Pose:
    """A pose at a point with its x axis in a direction; its y axis is level unless x is upright."""
    x = direction / np.linalg.norm(direction)
    y = np.cross(x, np.eye(3)[2 if abs(x[2]) < UPRIGHT else 0])
    y /= np.linalg.norm(y)
    pose = np.eye(4)
    pose[:3] = np.stack([x, y, np.cross(x, y), point], axis=1)
    return pose
