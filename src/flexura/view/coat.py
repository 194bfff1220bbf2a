"""A scene as surfaces with their colours, for renderers that draw triangles and nothing else."""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from flexura.view.primitive import Surface
from flexura.view.scene import Scene
from flexura.view.style import AXIS_COLORS, BODY, COLORS, DISC, GHOST, HOLDER, JOINT
from flexura.view.tube import arrow, tube

SEEN_THROUGH = {"disc": 0.55, "ghost": 0.22}


class Coat(NamedTuple):
    """A surface, and how it looks.

    Attributes:
        surface: what is drawn.
        color: its colour; None where its values are what it is coloured by.
        opacity: from 0 to 1.
        solid: whether it has a shadow.
    """

    surface: Surface
    color: str | None
    opacity: float
    solid: bool


def coats(scene: Scene) -> Iterator[Coat]:
    """All that is drawn of a scene."""
    for rod in scene.rods:
        valued = scene.scale is not None and rod.values is not None
        yield Coat(rod, None if valued else rod.color or BODY, rod.opacity, True)
    kinds = (
        (chain(scene.bodies, scene.wheels), BODY, 1.0, True),
        (scene.joints, JOINT, 1.0, True),
        (scene.discs, DISC, SEEN_THROUGH["disc"], True),
        (scene.ghosts, GHOST, SEEN_THROUGH["ghost"], False),
    )
    for surfaces, color, opacity, solid in kinds:
        for surface in surfaces:
            yield Coat(surface, color, opacity, solid)
    for holder in scene.holders:
        yield Coat(holder, HOLDER, holder.opacity, False)
    for thin in _thin(scene):
        yield Coat(thin, thin.color, 1.0, False)


def _thin(scene: Scene) -> Iterator[Surface]:
    """Tendons, arrows, lines and axes."""
    for cable in scene.tendons:
        yield tube(cable.name, cable.path, cable.width, cable.color)
    for load in scene.arrows:
        yield from arrow(load.name, load.path, load.width, COLORS[load.role])
    for line in scene.lines:
        yield tube(line.name, line.points, 0.002 * scene.extent, COLORS["force"])
    for axes in scene.axes:
        R, p = axes.pose[:3, :3], axes.pose[:3, 3]
        for x in _unit_axes():
            points = p + axes.size * x.points @ R.T
            normals = x.normals @ R.T
            yield Surface(axes.name, points, normals, x.triangles, color=x.color)


@cache
def _unit_axes() -> tuple[Surface, ...]:
    """Three arrows of length one along the axes."""
    pairs = zip(AXIS_COLORS, np.eye(3), strict=True)
    return tuple(
        chain.from_iterable(
            arrow("", np.array([np.zeros(3), tip]), 0.05, color) for color, tip in pairs
        )
    )
