"""Volumes: their surfaces, coloured by what they carry, as glass where something runs inside."""

from collections.abc import Iterable

import numpy as np

from flexura.result.soft import VolumeState
from flexura.result.static import StaticResult
from flexura.robot import Robot, Threaded
from flexura.robot.volume_place import faces_of_six
from flexura.typing import Array, Indices
from flexura.view.component import Component
from flexura.view.primitive import Surface
from flexura.view.style import PALETTE, distinct

GLASS = 0.35  # opacity of a volume that would hide a rod or a tendon


def volume_surfaces(
    result: StaticResult, chosen: Component | None, opacity: float | None, first: int
) -> list[Surface]:
    """The surfaces of all volumes.

    Args:
        result: where they are.
        chosen: what to colour them by, if it belongs to volumes.
        opacity: of all; None for glass where something runs inside.
        first: number of the first colour of those that are plain.
    """
    robot, found = result.model.robot, []
    for i, volume in enumerate(robot.volumes):
        state = result.volume(volume.name)
        values = None if chosen is None else volume_values(chosen, state)
        triangles = _triangles(robot, volume.name, state)
        used, triangles = np.unique(triangles, return_inverse=True)
        points, triangles = state.points[used], triangles.reshape(-1, 3)
        own = GLASS if _holds_something(robot, volume.name) else 1.0
        found.append(
            Surface(
                volume.name,
                points,
                _normals(points, triangles),
                triangles,
                None if values is None else values[used],
                distinct(PALETTE, first + i),
                own if opacity is None else opacity,
            )
        )
    return found


def volume_points(result: StaticResult) -> list[Array]:
    """Nodes of all volumes, (n, 3) each."""
    return [result.points(volume.name) for volume in result.model.robot.volumes]


def volume_values(chosen: Component, state: VolumeState) -> Array | None:
    """What a volume has at its nodes, (n,); None for what belongs to rods."""
    if chosen.name == "von_mises":
        return state.at_nodes(state.von_mises)
    if chosen.name == "displacement":
        return np.asarray(np.linalg.norm(state.displacements, axis=1))
    return None


def volume_limits(chosen: Component, results: Iterable[StaticResult]) -> tuple[float, float]:
    """Smallest and largest value to show."""
    largest = 0.0
    for result in results:
        for volume in result.model.robot.volumes:
            values = volume_values(chosen, result.volume(volume.name))
            largest = max(largest, 0.0 if values is None else float(values.max()))
    return 0.0, largest or 1.0


def _triangles(robot: Robot, name: str, state: VolumeState) -> Indices:
    """Triangles of the surface; those of six nodes are drawn as four."""
    mesh = robot.volume(name).mesh
    corners: Indices = mesh.boundary
    if state.cells.shape[1] == 4:
        return corners
    six = faces_of_six(mesh, state.cells, corners)
    return np.concatenate([six[:, x] for x in ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))])


def _normals(points: Array, triangles: Indices) -> Array:
    """Unit normals at the points: means of those of the triangles about them."""
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    flat, found = np.cross(b - a, c - a), np.zeros_like(points)
    for column in triangles.T:
        np.add.at(found, column, flat)
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(size > 0.0, size, 1.0))


def _holds_something(robot: Robot, name: str) -> bool:
    """Whether a tendon or a rod runs through a volume."""
    rods = any(isinstance(tie, Threaded) and tie.volume == name for tie in robot.ties)
    return rods or any(tendon.volume == name for tendon in robot.tendons)
