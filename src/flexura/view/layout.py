"""Where labels go in a picture: beside what they name, over nothing, and not over each other.

Places are in units of a picture of 1600 x 1000 pixels, from its middle to the right and up.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from flexura.typing import Array
from flexura.view.camera import Camera
from flexura.view.primitive import Label, Surface
from flexura.view.scene import Scene

LETTERS = 19.0  # size of the letters of labels
LETTER_WIDTH = 0.6  # of a letter, relative to its size
LINE = 1.4  # distance of two lines of text, relative to the size of letters
CELL = 4.0  # side of the cells that are free or taken
RINGS = (12.0, 20.0, 32.0, 48.0, 70.0, 100.0, 140.0, 190.0)  # from a point to its label
ROUND = 32  # directions in which there may be a label
FAR = 40.0  # a label that is farther than this has a line to its point
SNUG = 0.85  # the part of a rectangle that its text fills
EDGE = 12.0  # around the picture, without labels
# What a place costs: distance, another direction than the wanted one, to be nearer to what another
# label names, to be over something, and to be over another label or outside of the picture.
PER_UNIT, TURNED, MISTAKEN, COVERING, FORBIDDEN = 0.02, 0.35, 0.8, 25.0, 1e3


@dataclass(frozen=True)
class Place:
    """Where the middle of a label is, from the point that it belongs to.

    Attributes:
        x: to the right.
        y: up.
        leader: the end of a line from the point to the label, None if it needs none.
    """

    x: float
    y: float
    leader: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class _Box:
    """The rectangles that texts would fill: middles (n, 2) and half sizes (2,)."""

    middle: Array
    half: Array

    def meets(self, other: "_Box") -> Array:
        """Which of them overlap with another one, (n,)."""
        near = np.abs(self.middle - other.middle) < self.half + other.half
        return np.asarray(near.all(axis=1))

    def distance(self, points: Array) -> Array:
        """From each of them to points (m, 2), zero inside, (n, m)."""
        beyond = np.abs(self.middle[:, None] - points) - self.half
        return np.asarray(np.linalg.norm(np.maximum(beyond, 0.0), axis=2))


def place(scene: Scene, camera: Camera, size: tuple[float, float]) -> list[Place]:
    """A place for each label of a scene.

    Args:
        scene: with the labels, and all that they shall not cover.
        camera: that looks at it.
        size: width and height of the picture.
    """
    if not scene.labels:
        return []
    sums, limit = _taken(scene, camera, size), np.array(size) / 2.0 - EDGE
    placed = [_tick_box(label, camera, size[1]) for label in scene.ground.labels]
    points = size[1] * camera.project(np.array([label.point for label in scene.labels]))
    found = []
    for label, point in zip(scene.labels, points, strict=True):
        boxes, costs = _candidates(label, point, camera)
        others = boxes.distance(points).min(axis=1) < boxes.distance(point[None])[:, 0] - CELL
        outside = (np.abs(boxes.middle) + boxes.half > limit).any(axis=1)
        over = np.any([outside, *(boxes.meets(other) for other in placed)], axis=0)
        costs = costs + COVERING * _covered(boxes, sums, size)
        costs = costs + MISTAKEN * others + FORBIDDEN * over
        middle = boxes.middle[np.argmin(costs)]
        placed.append(_Box(middle[None], boxes.half))
        found.append(_place(point, middle, boxes.half))
    return found


def text_box(text: str, size: float) -> Array:
    """Half of the width and of the height of a text."""
    return 0.5 * size * np.array([LETTER_WIDTH * len(text), LINE])


def _place(point: Array, middle: Array, half: Array) -> Place:
    """A place, with a line to the nearest point of the label if it is far away."""
    shift, near = middle - point, SNUG * half
    end = np.clip(np.zeros(2), shift - near, shift + near)
    leader = (float(end[0]), float(end[1])) if np.linalg.norm(end) > FAR else None
    return Place(float(shift[0]), float(shift[1]), leader)


def _candidates(label: Label, point: Array, camera: Camera) -> tuple[_Box, Array]:
    """Rectangles around a point in rings, and what their places cost."""
    angle = np.linspace(0.0, 2.0 * math.pi, ROUND, endpoint=False)
    wanted = np.array(camera.across(label.away))
    start = math.atan2(wanted[1], wanted[0])
    away = np.stack([np.cos(angle + start), np.sin(angle + start)], axis=1)
    half = text_box(label.text, LETTERS)
    support = np.abs(away) @ half  # how far a rectangle reaches back to the point
    rings = np.array(RINGS)[:, None]
    middle = point + (rings + support)[..., None] * away
    costs = PER_UNIT * rings + TURNED * (1.0 - np.cos(angle))
    return _Box(middle.reshape(-1, 2), half), costs.ravel()


def _tick_box(label: Label, camera: Camera, height: float) -> _Box:
    """About where a coordinate of the ground is written."""
    half = text_box(label.text, LETTERS)
    point = height * camera.project(label.point[None])
    return _Box(point + (RINGS[0] + half) * camera.across(label.away), half)


def _covered(boxes: _Box, sums: Array, size: tuple[float, float]) -> Array:
    """The part of each rectangle that is over something, (n,)."""
    last = np.array(sums.shape) - 1
    corner = np.array(size) / 2.0
    low = np.clip(np.floor((boxes.middle - boxes.half + corner) / CELL), 0, last).astype(int)
    high = np.clip(np.ceil((boxes.middle + boxes.half + corner) / CELL), 0, last).astype(int)
    (a, b), (c, d) = low.T, high.T
    count = sums[c, d] - sums[a, d] - sums[c, b] + sums[a, b]
    return np.asarray(count / np.maximum((c - a) * (d - b), 1))


def _taken(scene: Scene, camera: Camera, size: tuple[float, float]) -> Array:
    """Sums of taken cells below and left of each corner of the cells."""
    shape = [math.ceil(side / CELL) for side in size]
    cells = np.zeros(shape, dtype=np.int64)
    for points in _samples(scene, camera, size[1]):
        index = np.floor((points + np.array(size) / 2.0) / CELL).astype(int)
        index = index[((index >= 0) & (index < shape)).all(axis=1)]
        cells[tuple(index.T)] = 1
    return np.pad(cells.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def _samples(scene: Scene, camera: Camera, height: float) -> Iterator[Array]:
    """Points of all that is drawn, as seen, not farther from each other than a cell."""

    def seen(points: Array) -> Array:
        return height * camera.project(points)

    parts = (scene.bodies, scene.joints, scene.holders, scene.discs, scene.wheels)
    for surface in chain(scene.rods, scene.ghosts, *parts):
        yield _fill(seen(surface.points), surface)
    for path in _paths(scene):
        yield _along(seen(path))


def _paths(scene: Scene) -> Iterable[Array]:
    """What is thin."""
    yield from (cable.path for cable in scene.tendons)
    yield from (arrow.path for arrow in scene.arrows)
    yield from (line.points for line in scene.lines)
    for axes in scene.axes:
        yield from (axes.corners[[0, i]] for i in (1, 2, 3))


def _along(points: Array) -> Array:
    """Points along a path."""
    ways = [_between(a, b) for a, b in pairwise(points)]
    return np.concatenate(ways) if ways else points


def _between(a: Array, b: Array) -> Array:
    """Points from one to another."""
    count = 2 + int(np.linalg.norm(b - a) / CELL)
    return np.asarray(a + np.linspace(0.0, 1.0, count)[:, None] * (b - a))


def _fill(points: Array, surface: Surface) -> Array:
    """Points of triangles: their corners, and a lattice inside of those larger than a cell."""
    corners = points[surface.triangles]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    counts = np.ceil(sides / CELL).astype(int)
    found: list[Array] = [points]
    for count in np.unique(counts[counts > 1]):
        inside = np.einsum("mi,kij->kmj", _lattice(int(count)), corners[counts == count])
        found.append(inside.reshape(-1, 2))
    return np.concatenate(found)


def _lattice(count: int) -> Array:
    """Weights of the corners of a triangle at points that fill it, (m, 3)."""
    i, j = np.meshgrid(np.arange(count + 1), np.arange(count + 1), indexing="ij")
    i, j = i[i + j <= count], j[i + j <= count]
    return np.stack([i, j, count - i - j], axis=1) / count
