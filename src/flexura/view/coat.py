"""A scene as surfaces with their colours, for renderers that draw triangles and nothing else."""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from flexura.view.primitive import Surface
from flexura.view.scene import Scene
from flexura.view.style import AXIS_COLORS, COLORS, FINISHES, Finish
from flexura.view.tube import SIDES, arrow, tube

LINE = 0.002  # width of a thin line, relative to the extent


class Coat(NamedTuple):
    """A surface, and how it looks.

    Attributes:
        surface: what is drawn.
        color: its colour; None where its values are what it is coloured by.
        opacity: from 0 to 1.
        finish: of its role.
    """

    surface: Surface
    color: str | None
    opacity: float
    finish: Finish


def coats(scene: Scene, sides: int = SIDES) -> Iterator[Coat]:
    """All that is drawn of a scene.

    Args:
        scene: what to draw.
        sides: of tendons and arrows, which are round.
    """
    for surface in chain(scene.surfaces, _thin(scene, sides)):
        finish = FINISHES[surface.role]
        valued = scene.scale is not None and surface.values is not None
        color = None if valued else surface.color or finish.color
        yield Coat(surface, color, surface.opacity * finish.opacity, finish)


def _thin(scene: Scene, sides: int) -> Iterator[Surface]:
    """Tendons, arrows, lines and axes."""
    for cable in scene.tendons:
        yield tube(cable.name, cable.path, cable.width, cable.color, "tendon", sides)
    for load in scene.arrows:
        yield arrow(load.name, load.path, load.width, COLORS[load.role], "load", sides)
    for line in scene.lines:
        yield tube(line.name, line.points, LINE * scene.extent, COLORS["force"], "load", sides)
    for axes in scene.axes:
        R, p = axes.pose[:3, :3], axes.pose[:3, 3]
        for x in _unit_axes(sides):
            points, normals = p + axes.size * x.points @ R.T, x.normals @ R.T
            yield x.but(name=axes.name, points=points, normals=normals)


@cache
def _unit_axes(sides: int) -> tuple[Surface, ...]:
    """Three arrows of length one along the axes."""
    pairs = zip(AXIS_COLORS, np.eye(3), strict=True)
    paths = ((color, np.array([np.zeros(3), tip])) for color, tip in pairs)
    return tuple(arrow("", path, 0.05, color, "axis", sides) for color, path in paths)
