"""Where labels go in a picture: beside what they name, over nothing, and not over each other.

Places are in units of a picture of 1600 x 1000 pixels, from its middle to the right and up.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.typing import Array, Indices, Vector
from flexura.view.camera import Camera
from flexura.view.cells import Cells, taken_cells
from flexura.view.heading import LETTER_WIDTH, LINE, heading_width, room_at_top
from flexura.view.primitive import Label
from flexura.view.scene import Scene

LETTERS = 19.0  # size of the letters of labels
RINGS = (12.0, 20.0, 32.0, 48.0, 70.0, 100.0, 140.0, 190.0)  # from a point to its label
ROUND = 32  # directions in which there may be a label
SPOTS = 5  # other points of what is named, beside which there may be its label
FAR = 40.0  # a label that is farther than this has a line to its point
SNUG = 0.85  # the part of a rectangle that its text fills
EDGE = 12.0  # around the picture, without labels
NEARER = 20.0  # a label should be nearer to what it names than to others of its kind, by this
CLEAR = 8.0  # a line to a label should end so far from others of its kind
BAR = (0.87, 1.0, 0.2, 0.87)  # left, right, bottom, top of the colour bar, in parts of the picture
POINTS = 150  # of all things of a kind together, to see which of them a label is near to
PLACES = 200  # of a label, the cheapest by themselves; it gets one of these
SWEEPS = 3  # all labels are placed so many times, each time knowing the last places of the others
ORDERS = 8  # in which that is tried
SAMPLES = 8  # points of a line, to see whether it goes through a text
# What a place costs: distance, another direction than the wanted one, another point than the
# wanted one, to seem to name something else, less so with a line, a line over something or
# through a text, to be over something at all and by how much, and to be over another label or
# outside of the picture.
PER_UNIT, TURNED, ELSEWHERE, MISTAKEN, WITH_LINE = 0.02, 0.35, 0.5, 4.0, 1.4
ACROSS, STRUCK, TOUCHING, COVERING, FORBIDDEN = 1.2, 3.0, 2.0, 25.0, 1e3


@dataclass(frozen=True, eq=False)
class Place:
    """Where the middle of a label is, from a point of what it names.

    Attributes:
        point: in the world [m], (3,).
        x: to the right.
        y: up.
        leader: the end of a line from the point to the label, None if it needs none.
    """

    point: Vector
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

    def one(self, number: int) -> "_Box":
        """That one of them."""
        return _Box(self.middle[number : number + 1], self.half)

    def distance(self, points: Array) -> Array:
        """From each of them to the nearest of points (m, 2), zero inside, (n,)."""
        beyond = np.abs(self.middle[:, None] - points) - self.half
        return np.asarray(np.linalg.norm(np.maximum(beyond, 0.0), axis=2).min(axis=1))


@dataclass(frozen=True, eq=False)
class _Choice:
    """Places that a label may have.

    Attributes:
        points: of what it names, in the world, (k, 3).
        spots: the number of the point that each place is beside, (n,).
        begins: that point in the picture, (n, 2).
        boxes: the n rectangles of its text.
        costs: of each place by itself, (n,).
    """

    points: Array
    spots: Indices
    begins: Array
    boxes: _Box
    costs: Array

    @cached_property
    def lines(self) -> Array:
        """From each point to the nearest point of the text, (n, 2)."""
        shift, near = self.boxes.middle - self.begins, SNUG * self.boxes.half
        return np.asarray(np.clip(np.zeros(2), shift - near, shift + near))

    @cached_property
    def far(self) -> Array:
        """Where the text is so far away that it needs the line, (n,)."""
        return np.asarray(np.linalg.norm(self.lines, axis=1) > FAR)

    @cached_property
    def samples(self) -> Array:
        """Points of the lines, (SAMPLES, n, 2); NaN where there is no line."""
        along = np.linspace(0.1, 0.9, SAMPLES)[:, None, None]
        return np.asarray(self.begins + along * np.where(self.far[:, None], self.lines, np.nan))

    def strikes(self, other: "_Choice", number: int) -> Array:
        """Where a line would go through a text, its own or that of another at that place, (n,)."""
        box = other.boxes.one(number)
        mine = (np.abs(self.samples - box.middle) < box.half).all(axis=2).any(axis=0)
        its = np.abs(self.boxes.middle - other.samples[:, number, None]) < self.boxes.half
        return np.asarray(mine | its.all(axis=2).any(axis=0))

    def best(self, costs: Array) -> "_Choice":
        """The cheapest places, if they cost that."""
        few = np.argsort(costs, kind="stable")[:PLACES]
        boxes = _Box(self.boxes.middle[few], self.boxes.half)
        return _Choice(self.points, self.spots[few], self.begins[few], boxes, costs[few])

    def place(self, number: int) -> Place:
        """The place with that number."""
        x, y = self.boxes.middle[number] - self.begins[number]
        end = float(self.lines[number, 0]), float(self.lines[number, 1])
        leader = end if self.far[number] else None
        return Place(self.points[self.spots[number]], float(x), float(y), leader)


def place(scene: Scene, camera: Camera, size: tuple[float, float]) -> list[Place]:
    """A place for each label of a scene.

    Args:
        scene: with the labels, and all that they shall not cover.
        camera: that looks at it.
        size: width and height of the picture.
    """
    if not scene.labels:
        return []
    choices = _choices(scene, camera, size)
    numbers, tries = range(len(choices)), np.random.default_rng(0)
    orders = [numbers, numbers[::-1], *(tries.permutation(numbers) for _ in range(ORDERS - 2))]
    chosen, _ = min((_placed(choices, order) for order in orders), key=lambda found: found[1])
    return [choice.place(chosen[i]) for i, choice in enumerate(choices)]


def _placed(choices: Sequence[_Choice], order: Iterable[int]) -> tuple[dict[int, int], float]:
    """The best place of each label beside those of the others, in turns, and what they cost."""
    chosen: dict[int, int] = {}
    costs: dict[int, float] = {}
    for i in (*order,) * SWEEPS:
        cost = choices[i].costs
        for j, number in chosen.items():
            if j != i:
                over = choices[i].boxes.meets(choices[j].boxes.one(number))
                struck = choices[i].strikes(choices[j], number)
                cost = cost + FORBIDDEN * over + STRUCK * struck
        chosen[i] = int(np.argmin(cost))
        costs[i] = float(cost[chosen[i]])
    return chosen, sum(costs.values())


def text_box(text: str, size: float) -> Array:
    """Half of the width and of the height of a text."""
    return 0.5 * size * np.array([LETTER_WIDTH * len(text), LINE])


def _choices(scene: Scene, camera: Camera, size: tuple[float, float]) -> list[_Choice]:
    """The places of all labels, with what each costs whatever the others do."""
    cells, limit = taken_cells(scene, camera, size), np.array(size) / 2.0 - EDGE
    kinds = Counter(label.role for label in scene.labels)
    things = [
        size[1] * camera.project(_thinned(label.thing, max(2, POINTS // kinds[label.role])))
        for label in scene.labels
    ]
    furniture = [
        *_furniture(scene, size),
        *(_tick(x, camera, size[1]) for x in scene.ground.labels),
    ]
    found = []
    for label, thing in zip(scene.labels, things, strict=True):
        choice = _candidates(label, camera, size[1])
        kind = zip(scene.labels, things, strict=True)
        others = [x for other, x in kind if other is not label and other.role == label.role]
        outside = (np.abs(choice.boxes.middle) + choice.boxes.half > limit).any(axis=1)
        outside = np.any([outside, *map(choice.boxes.meets, furniture)], axis=0)
        costs = _mistaken(choice, thing, others) + _hiding(choice, cells) + FORBIDDEN * outside
        found.append(choice.best(choice.costs + costs))
    return found


def _candidates(label: Label, camera: Camera, height: float) -> _Choice:
    """Places around points of what a label names, in rings, without regard to anything else.

    Around the first point, which the label belongs to, there is a direction that it wants.
    """
    points = np.vstack([label.point, _thinned(label.thing, SPOTS + 2)[1:-1]])
    angle = np.linspace(0.0, 2.0 * math.pi, ROUND, endpoint=False)
    wanted = np.array(camera.across(label.away))
    start = math.atan2(wanted[1], wanted[0])
    away = np.stack([np.cos(angle + start), np.sin(angle + start)], axis=1)
    half = text_box(label.text, LETTERS)
    support = np.abs(away) @ half  # how far a rectangle reaches back to the point
    rings = np.array(RINGS)[:, None]
    around = ((rings + support)[..., None] * away).reshape(-1, 2)
    turned = np.full((len(points), 1, ROUND), ELSEWHERE)
    turned[0] = TURNED * (1.0 - np.cos(angle))
    spots = np.arange(len(points)).repeat(len(around))
    begins = height * camera.project(points)[spots]
    boxes = _Box(begins + np.tile(around, (len(points), 1)), half)
    return _Choice(points, spots, begins, boxes, (PER_UNIT * rings + turned).ravel())


def _mistaken(choice: _Choice, thing: Array, others: Sequence[Array]) -> Array:
    """What it costs to seem to name another thing of the same kind, (n,)."""
    if not others:
        return np.zeros(len(choice.spots))
    own = choice.boxes.distance(thing)
    other = np.min([choice.boxes.distance(points) for points in others], axis=0)
    likely = np.clip((own + NEARER - other) / (2.0 * NEARER), 0.0, 1.0)
    points = _Box(choice.begins, np.zeros(2))  # a line to where several things meet is no help
    clear = np.min([points.distance(x) for x in others], axis=0) > CLEAR
    lined = choice.far & clear & (other > NEARER)
    return np.asarray(likely * np.where(lined, WITH_LINE, MISTAKEN))


def _hiding(choice: _Choice, cells: Cells) -> Array:
    """What it costs that texts and lines are over something, (n,)."""
    under = cells.covered(choice.boxes.middle, choice.boxes.half)
    crossed = cells.crossed(choice.begins, choice.begins + choice.lines)
    return np.asarray(TOUCHING * (under > 0.0) + COVERING * under + ACROSS * crossed * choice.far)


def _thinned(points: Array, count: int) -> Array:
    """So many points of a path, evenly from end to end, or all if there are less."""
    chosen = np.unique(np.linspace(0, len(points) - 1, count).round().astype(int))
    return np.asarray(points[chosen])


def _furniture(scene: Scene, size: tuple[float, float]) -> list[_Box]:
    """Where title and colour bar are."""
    heading = 0.0, heading_width(scene, size), 1.0 - room_at_top(scene, size), 1.0
    areas = [heading, *([BAR] if scene.scale is not None else [])]
    return [_area(*area, size) for area in areas]


def _area(left: float, right: float, bottom: float, top: float, size: tuple[float, float]) -> _Box:
    """A rectangle by its sides, in parts of the picture."""
    low, high = np.array([left, bottom]), np.array([right, top])
    return _Box((((low + high) / 2.0 - 0.5) * size)[None], (high - low) / 2.0 * size)


def _tick(label: Label, camera: Camera, height: float) -> _Box:
    """About where a coordinate of the ground is written."""
    half = text_box(label.text, LETTERS)
    point = height * camera.project(label.point[None])
    return _Box(point + (RINGS[0] + half) * camera.across(label.away), half)
