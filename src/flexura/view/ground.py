"""The ground under a robot: a grid in metres that makes sizes readable, and shadows on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.typing import Array, Vector
from flexura.view.primitive import Label, Surface

CELL = 0.14  # side of a cell at most, relative to the extent
ROOM = 0.3  # least distance of the edges from the middle of the robot, relative to the extent
GAP = 0.04  # distance of the ground below the robot, relative to the robot's extent
BELOW = 0.006  # distance below a plane that the robot may stand on, likewise: seen through it
MARGIN = 0.05  # of the grid around the robot, relative to the extent
FLAT = 1.0 - 1e-9  # cosine of the slope of such planes at least
TICKS = 10  # labels along an edge at most
STEPS = (5.0, 2.0, 1.0)


@dataclass(frozen=True, eq=False)
class Ground:
    """A horizontal grid.

    Attributes:
        up: unit vector away from the ground, one of the world's axes or its opposite.
        cell: side of a cell [m].
        corners: of the grid, counterclockwise, (4, 3).
        lines: the two ends of each line, (n, 2, 3).
        labels: coordinates [m] along two edges.
    """

    up: Vector
    cell: float
    corners: Array
    lines: Array
    labels: tuple[Label, ...]

    def shadow(self, surface: Surface) -> Surface:
        """The surface pressed flat on the ground."""
        height = (surface.points - self.corners[0]) @ self.up
        points = surface.points - height[:, None] * self.up
        normals = np.broadcast_to(self.up, points.shape)
        return Surface(surface.name, points, normals, surface.triangles)


def ground(
    points: Array, up: Vector, extent: float, on: Sequence[tuple[Vector, Vector]] = ()
) -> Ground:
    """A grid under points (n, 3) of a robot, or just below a plane that it may stand on.

    Args:
        points: what the grid lies under.
        up: direction away from the ground; the grid is normal to the nearest axis of the world.
        extent: size of the robot [m].
        on: planes below the robot, a point and the normal of each.
    """
    axis = nearest_axis(up)
    k = int(np.argmax(np.abs(axis)))
    i, j = (k + 1) % 3, (k + 2) % 3
    sign = float(axis[k])
    heights = [sign * point[k] for point, normal in on if normal @ axis > FLAT]
    under = (sign * points[:, k]).min() - GAP * extent
    level = sign * float(max(heights) - BELOW * extent if heights else under)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    low = np.minimum(points.min(axis=0) - MARGIN * extent, middle - ROOM * extent)
    high = np.maximum(points.max(axis=0) + MARGIN * extent, middle + ROOM * extent)
    cell = round_down(CELL * extent)
    x, y = (
        cell * np.arange(math.floor(low[a] / cell), math.ceil(high[a] / cell) + 1) for a in (i, j)
    )

    def place(a: float, b: float) -> Vector:
        point = np.empty(3)
        point[[i, j, k]] = a, b, level
        return point

    lines = [[place(a, y[0]), place(a, y[-1])] for a in x]
    lines += [[place(x[0], b), place(x[-1], b)] for b in y]
    labels = [_tick(a, place(a, y[0]), place(a, y[0] - cell)) for a in _ticks(x, cell)]
    labels += [_tick(b, place(x[-1], b), place(x[-1] + cell, b)) for b in _ticks(y, cell)]
    corners = [place(x[0], y[0]), place(x[-1], y[0]), place(x[-1], y[-1]), place(x[0], y[-1])]
    return Ground(axis, float(cell), np.array(corners), np.array(lines), tuple(labels))


def nearest_axis(direction: Vector) -> Vector:
    """The axis of the world, or its opposite, that is nearest to a direction."""
    k = int(np.argmax(np.abs(direction)))
    return np.asarray(np.eye(3)[k] * (1.0 if direction[k] >= 0.0 else -1.0))


def _ticks(x: Array, cell: float) -> Array:
    """The coordinates to label: not the corners, and not too many."""
    inner = x[1:-1]
    every = math.ceil(len(inner) / TICKS)
    return np.asarray(inner[np.round(inner / cell) % every == 0])


def _tick(coordinate: float, point: Vector, outside: Vector) -> Label:
    """A coordinate beside the end of a line of the grid."""
    return Label(f"{coordinate:.6g}", point, outside - point, "scale")


def round_down(size: float) -> float:
    """The next of …, 0.1, 0.2, 0.5, 1, 2, 5, … that is not larger."""
    power = 10.0 ** math.floor(math.log10(size) + 1e-9)
    return next(step * power for step in STEPS if step * power <= size * (1.0 + 1e-9))
