"""Which parts of a picture are taken: cells that something is drawn in."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from flexura.typing import Array, Indices
from flexura.view.camera import Camera
from flexura.view.scene import Scene

CELL = 4.0  # side of a cell
SAMPLES = 16  # points of a line
LARGE = 6.0  # triangles that are larger are filled one by one [cells]


@dataclass(frozen=True, eq=False)
class Cells:
    """Sums of the taken cells below and left of each corner of the cells.

    Attributes:
        sums: by column and row.
        size: width and height of the picture, whose middle is the origin.
    """

    sums: Indices
    size: tuple[float, float]

    def covered(self, middle: Array, half: Array) -> Array:
        """The part of rectangles with middles (n, 2) and half sizes (2,) that is taken, (n,)."""
        last, corner = np.array(self.sums.shape) - 1, np.array(self.size) / 2.0
        low = np.clip(np.floor((middle - half + corner) / CELL), 0, last).astype(int)
        high = np.clip(np.ceil((middle + half + corner) / CELL), 0, last).astype(int)
        (a, b), (c, d) = low.T, high.T
        count = self.sums[c, d] - self.sums[a, d] - self.sums[c, b] + self.sums[a, b]
        return np.asarray(count / np.maximum((c - a) * (d - b), 1))

    def crossed(self, begins: Array, ends: Array) -> Array:
        """The part of lines between points (n, 2) that is over something, (n,)."""
        along = np.linspace(0.0, 1.0, SAMPLES)[:, None, None]
        middle = begins + along * (ends - begins)
        taken = self.covered(middle.reshape(-1, 2), np.zeros(2)).reshape(SAMPLES, -1)
        return np.asarray(taken.mean(axis=0))


def taken_cells(scene: Scene, camera: Camera, size: tuple[float, float]) -> Cells:
    """The cells of a picture that a scene is drawn in."""
    taken = np.zeros([math.ceil(side / CELL) for side in size], dtype=np.int64)
    for triangles in _triangles(scene):
        corners = size[1] * camera.project(triangles.reshape(-1, 3)) + np.array(size) / 2.0
        mark(taken, corners.reshape(-1, 3, 2) / CELL)
    return Cells(np.pad(taken.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0))), size)


def mark(taken: Indices, triangles: Array) -> None:
    """Set the cells to 1 that triangles cover.

    Large triangles are filled one by one. Small ones, of which there are many, are halved together
    again and again, until they are smaller than half a cell; what is not in the picture is left out
    each time. So the work grows with what is seen, however large they are.

    Args:
        taken: cells by column and row.
        triangles: their corners, in cells, (n, 3, 2); those behind the eye are NaN.
    """
    while len(triangles):
        a, b, c = triangles.swapaxes(0, 1)
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        seen = ((high >= 0.0) & (low < taken.shape)).all(axis=1)
        large = seen & (high - low > LARGE).any(axis=1)
        for triangle in triangles[large]:
            _fill(taken, triangle)
        small = (high - low <= 0.5).all(axis=1)
        cells = np.floor(triangles[seen & small].reshape(-1, 2)).astype(int)
        inside = ((cells >= 0) & (cells < taken.shape)).all(axis=1)
        taken[tuple(cells[inside].T)] = 1
        triangles = _halves(triangles[seen & ~small & ~large])


def _fill(taken: Indices, triangle: Array) -> None:
    """Set the cells to 1 that a triangle meets, (3, 2): no side of it has them beyond."""
    low = np.clip(np.floor(triangle.min(axis=0)), 0, taken.shape).astype(int)
    high = np.clip(np.floor(triangle.max(axis=0)) + 1, 0, taken.shape).astype(int)
    x = np.arange(low[0], high[0])[:, None] + 0.5
    y = np.arange(low[1], high[1]) + 0.5
    (a, b, c), met = triangle, np.ones((x.size, y.size), dtype=np.bool_)
    turn = np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    for begin, end in ((a, b), (b, c), (c, a)):
        normal = begin[1] - end[1], end[0] - begin[0]
        within = normal[0] * (x - begin[0]) + normal[1] * (y - begin[1])
        reach = 0.5 * (abs(normal[0]) + abs(normal[1]))
        met &= (turn * within if turn else -np.abs(within)) >= -reach
    taken[low[0] : high[0], low[1] : high[1]][met] = 1


def _halves(triangles: Array) -> Array:
    """Each triangle cut in two through the middle of its longest side."""
    sides = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
    order = (sides.argmax(axis=1)[:, None] + np.arange(3)) % 3
    a, b, c = np.take_along_axis(triangles, order[..., None], axis=1).swapaxes(0, 1)
    middle = (a + b) / 2.0
    return np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])


def _triangles(scene: Scene) -> Iterator[Array]:
    """All that is drawn, (n, 3, 3) each; lines are triangles without a width."""
    for surface in scene.surfaces:
        yield surface.points[surface.triangles]
    for path in _paths(scene):
        yield np.stack([path[:-1], path[1:], path[1:]], axis=1)


def _paths(scene: Scene) -> Iterable[Array]:
    """What is thin."""
    yield from (cable.path for cable in scene.tendons)
    yield from (arrow.path for arrow in scene.arrows)
    yield from (line.points for line in scene.lines)
    for axes in scene.axes:
        yield from (axes.corners[[0, i]] for i in (1, 2, 3))
