"""Volumes: their surfaces, coloured by what they carry, as glass where something runs inside."""

from collections.abc import Iterable

import numpy as np

from flexura.result.soft import VolumeState
from flexura.result.static import StaticResult
from flexura.robot import Robot, Threaded
from flexura.typing import Array, Indices
from flexura.view.component import Component
from flexura.view.primitive import Surface
from flexura.view.style import PALETTE, distinct

GLASS = 0.35  # opacity of a volume that would hide a rod or a tendon
SHARP = np.cos(np.radians(40.0))  # an edge that turns by more is seen
TINY = 1e-300


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
        used, normals, triangles = _facets(state.points, volume.elements.skin)
        own = GLASS if _holds_something(robot, volume.name) else 1.0
        found.append(
            Surface(
                volume.name,
                state.points[used],
                normals,
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


def _facets(points: Array, triangles: Indices) -> tuple[Indices, Array, Indices]:
    """Corners of a surface: a point has one for each side of a sharp edge that it is on.

    Returns:
        Point of each corner, (k,), its unit normal, (k, 3), a mean of those of the triangles about
        it that are not beyond an edge, and the triangles by corners.
    """
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    flat = np.cross(b - a, c - a)
    unit = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), TINY)
    corner, face = triangles.ravel(), np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(corner, kind="stable")
    count = np.bincount(corner, minlength=len(points))
    first = np.cumsum(count) - count
    own = np.repeat(np.arange(len(corner)), count[corner])  # a corner, and a triangle about it
    at = np.arange(len(own)) - np.repeat(np.cumsum(count[corner]) - count[corner], count[corner])
    other = face[order[first[corner[own]] + at]]
    smooth = np.einsum("ni,ni->n", unit[face[own]], unit[other]) > SHARP
    normal = np.zeros((len(corner), 3))
    np.add.at(normal, own[smooth], flat[other[smooth]])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), TINY)
    keys = np.column_stack([corner, np.round(normal, 6) + 0.0])
    _, kept, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return corner[kept], normal[kept], back.reshape(-1, 3)


def _holds_something(robot: Robot, name: str) -> bool:
    """Whether a tendon or a rod runs through a volume."""
    rods = any(isinstance(tie, Threaded) and tie.volume == name for tie in robot.ties)
    return rods or any(tendon.volume == name for tendon in robot.tendons)
