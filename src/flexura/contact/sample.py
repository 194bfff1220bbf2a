"""What solids touch others with: points, spheres, edges and rims.

Corners and ends touch as points or small spheres, all that may be crossed between them as edges: of
boxes and meshes, the side of a cylinder about its axis. Rims of cylinders touch as circles, so that
they roll; on their flat ends these stand on points around them. What is round touches once: balls
where they are nearest to what is convex, lines of capsules and cylinders where they cross.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from flexura.contact.mesh_edge import edges
from flexura.contact.mesh_kernels import EVEN
from flexura.contact.solid import is_convex, roundness, thickness
from flexura.robot import (
    AnyObstacle,
    AnyShape,
    Box,
    Capsule,
    Cylinder,
    Plane,
    Sphere,
    Triangles,
    Vessel,
)
from flexura.typing import Array

# Points around each rim of a cylinder: what stands on a flat end tips over the sides of a polygon
# until its rim touches, within half a percent of its radius.
AROUND = 32
# What edges that lie flat are drawn to their middles by, relative to the thickness: gaps of edges
# are too large by half of it at most.
EDGE_SPRING = 1e-6

Edge: TypeAlias = tuple[Array, Array, float]  # middle, from there to the end, radius
Rim: TypeAlias = tuple[Array, Array, float]  # middle, axis times radius, how round it is


class Samples(NamedTuple):
    """Spheres, points, edges and rims that a solid touches others with.

    Attributes:
        center: in the frame of the shape's placement [m], (n, 3).
        edge: from the middle of an edge to its end, zero for others [m], (n, 3).
        rim: axis of a circle times its radius, zero for others [m], (n, 3).
        radius: [m], (n,).
        spacing: distance between neighbours, or the size of the solid [m].
    """

    center: Array
    edge: Array
    rim: Array
    radius: Array
    spacing: float


def samples(
    shape: AnyShape | AnyObstacle, other: AnyShape | AnyObstacle | None, first: bool = True
) -> Samples:
    """What a solid touches another one with, or a skin: nothing for what has no end.

    Edges do not cross planes or balls; edges and rims touch nothing of a skin. In a vessel,
    capsules are lines of balls.

    Args:
        shape: the solid.
        other: the other one, None for a skin.
        first: whether this one looks for the other where either could.
    """
    found = isinstance(other, Sphere) and not (isinstance(shape, Sphere) and first)
    if isinstance(shape, Plane | Vessel) or (found and is_convex(shape)):
        none = np.empty((0, 3))
        return Samples(none, none, none, np.empty(0), 1.0)
    lined = isinstance(shape, Capsule) and (other is None or isinstance(other, Vessel))
    center, radius = _balls(shape) if lined else _points(shape)
    lines: list[Edge] = []
    crossed = all(isinstance(x, Capsule | Cylinder) for x in (shape, other)) and not first
    if other is not None and not crossed and not isinstance(other, Plane | Sphere | Vessel):
        lines = list(_edges(shape))
    rims = _rims(shape) if other is not None else []
    nothing = np.zeros_like(center)
    ways = [np.array([x[1] for x in own]).reshape(-1, 3) for own in (lines, rims)]
    return Samples(
        np.concatenate([center, *(x[0][None] for x in lines + rims)]),
        np.concatenate([nothing, ways[0], np.zeros_like(ways[1])]),
        np.concatenate([nothing, np.zeros_like(ways[0]), ways[1]]),
        np.append(np.full(len(center), radius), [x[2] for x in lines + rims]),
        thickness(shape) * (2.0 if isinstance(shape, Box) else 1.0),
    )


def _balls(shape: AnyShape | AnyObstacle) -> tuple[Array, float]:
    """Balls along a capsule, and their radius."""
    assert isinstance(shape, Capsule)
    x = np.linspace(-0.5 * shape.length, 0.5 * shape.length, 2 + int(shape.length / shape.radius))
    return np.stack([x, 0.0 * x, 0.0 * x], axis=1), shape.radius


def _points(shape: AnyShape | AnyObstacle) -> tuple[Array, float]:
    """Centres of corners, ends and points around rims, and how round they are."""
    if isinstance(shape, Sphere):
        return np.zeros((1, 3)), shape.radius
    if isinstance(shape, Capsule):
        return np.array([[x * shape.length, 0.0, 0.0] for x in (-0.5, 0.5)]), shape.radius
    if isinstance(shape, Box):
        grid = np.array(list(product(*[[-0.5, 0.0, 0.5]] * 3)))
        radius = roundness(shape)
        grid = grid[grid.any(axis=1)]
        return grid * (np.array([shape.x, shape.y, shape.z]) - 2.0 * radius), radius
    if isinstance(shape, Cylinder):
        radius = roundness(shape)
        angle = 2.0 * np.pi * np.arange(AROUND) / AROUND
        y, z = (shape.radius - radius) * np.cos(angle), (shape.radius - radius) * np.sin(angle)
        half = 0.5 * shape.length - radius
        return np.concatenate(
            [np.stack([np.full(AROUND, x), y, z], axis=1) for x in (-half, half)]
        ), radius
    assert isinstance(shape, Triangles)
    return np.array(shape.points), 0.0


def _edges(shape: AnyShape | AnyObstacle) -> Iterator[Edge]:
    """Edges, and lines about which sides are round."""
    if isinstance(shape, Capsule):
        yield np.zeros(3), np.array([0.5 * shape.length, 0.0, 0.0]), shape.radius
    elif isinstance(shape, Box):
        radius = roundness(shape)
        half = 0.5 * np.array([shape.x, shape.y, shape.z]) - radius
        for i in range(3):
            for side in product((-1.0, 1.0), repeat=2):
                yield np.insert(side, i, 0.0) * half, half * np.eye(3)[i], radius
    elif isinstance(shape, Cylinder):
        end = 0.5 * shape.length - roundness(shape)
        yield np.zeros(3), np.array([end, 0.0, 0.0]), shape.radius
    elif isinstance(shape, Triangles):
        points = np.array(shape.points)
        for p, q in points[edges(points, np.array(shape.triangles), EVEN).ends]:
            yield 0.5 * (p + q), 0.5 * (q - p), 0.0


def _rims(shape: AnyShape | AnyObstacle) -> list[Rim]:
    """Circles that a cylinder rolls on."""
    if not isinstance(shape, Cylinder):
        return []
    radius = roundness(shape)
    half, axis = 0.5 * shape.length - radius, np.array([shape.radius - radius, 0.0, 0.0])
    return [(np.array([x, 0.0, 0.0]), axis, radius) for x in (-half, half)]
