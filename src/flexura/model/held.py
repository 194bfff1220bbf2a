"""Rods between two ends that are placed already: where to begin with them."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexura.lie import se3
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.part import Part, Place
from flexura.robot import Rod
from flexura.rods.between import shape_between
from flexura.rods.cord import Cord
from flexura.rods.directions import directions_between
from flexura.rods.shape import Shape
from flexura.typing import Array, Indices, Pose, Strain, Vector

# A rod turns at its clamps within no less than this part of the distance of its unknowns.
SHARP = 0.5
# Cosine of the angle within which an end points in a direction.
AIMED = 0.999


class End(Protocol):
    """What holds an end of a rod."""

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""

    @property
    def turns(self) -> bool:
        """Whether the rod may turn there."""

    def aim(self, direction: Vector) -> Pose:
        """Pose of the end of the rod, turned so that it points in a direction, or nearly."""


@dataclass(frozen=True, eq=False)
class Clamp:
    """An end of a rod that is where something else holds it."""

    pose: Pose
    turns: bool = False

    @property
    def place(self) -> Vector:
        """Where the end is [m]."""
        return self.pose[:3, 3]

    def aim(self, direction: Vector) -> Pose:
        """Its pose, whatever the direction."""
        return self.pose


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of a rod between two nodes.

    Attributes:
        place: its rod.
        part: the part of the model that has it.
        first, last: its nodes.
        s: arc lengths of its nodes [m].
        points: which points of its part are on it.
        rod: the piece as a rod of its own.
    """

    place: Place
    part: Part
    first: int
    last: int
    s: Array
    points: slice
    rod: Rod

    @property
    def point_lengths(self) -> Array:
        """Arc lengths of its points from its beginning on [m]."""
        return np.asarray(self.part.group.points.s[self.points] - self.s[0])

    @property
    def stretches(self) -> bool:
        """Whether its description lets it stretch."""
        return bool(self.part.group.free[3])

    def apart(self, layout: Layout) -> float:
        """How far its unknowns are apart, six for each place [m]."""
        own = slice(self.first, self.last + 1)
        poses = int(np.count_nonzero(layout.coordinate[own] >= 0))
        return 6.0 * self.rod.length / max(1, int(layout.inner_size[own].sum()) + 6 * poses)


@dataclass(frozen=True, eq=False)
class Bent:
    """Where a piece of a rod begins.

    Attributes:
        coordinates: that it places.
        poses: of them.
        nodes: of its part whose inner unknowns it sets.
        inner: those inner unknowns.
        strains: that it is meant to have at its points.
        hangs: whether it begins as a cord.
    """

    coordinates: Indices
    poses: Pose
    nodes: slice
    inner: Array
    strains: Strain
    hangs: bool


@dataclass(frozen=True, eq=False)
class Held:
    """A piece of a rod, and what holds its ends."""

    piece: Piece
    base: End
    tip: End

    @property
    def reaches(self) -> bool:
        """Whether it may lie between its ends, stretched if it can."""
        way = self.tip.place - self.base.place
        return self.piece.stretches or float(np.linalg.norm(way)) < self.piece.rod.length

    def straight(self, s: Array) -> Pose:
        """Poses at arc lengths from its beginning on [m], turning evenly from one end to the other.

        Ends that may turn point along the way between them.
        """
        way = self.tip.place - self.base.place
        distance = float(np.linalg.norm(way))
        along = way / distance if distance > 0.0 else np.array([1.0, 0.0, 0.0])
        base, tip = self.base.aim(along), self.tip.aim(along)
        twist = se3.log(se3.inverse(base) @ tip)
        return np.asarray(base @ se3.exp(s[:, None] / self.piece.rod.length * twist))

    def bend(self, layout: Layout, load: Vector) -> Bent:
        """Let it follow a shape of little energy between its ends.

        Args:
            layout: at the inputs of the start.
            load: on each meter, in world axes [N/m].
        """
        base, tip, shape = self._lie(load, SHARP * self.piece.apart(layout))
        piece, group = self.piece, self.piece.part.group
        poses = base @ shape.poses(piece.s - piece.s[0])
        poses[0], poses[-1] = base, tip
        own = range(piece.first + 1 - self.base.turns, piece.last + self.tip.turns)
        placed = np.array(own, dtype=np.int64)
        placed = placed[layout.coordinate[placed] >= 0]  # loose ones follow
        poses = poses[placed - piece.first] @ se3.inverse(layout.offset[placed])
        index, length = piece.place.index, piece.rod.length
        start = piece.part.begin + int(group.rod_nodes[index])

        def inside(s: Array) -> Array:  # beyond its ends all is as there
            return np.asarray(np.clip(s - piece.s[0], 0.0, length))

        wrench = (lambda s: shape.wrench(inside(s))) if isinstance(shape, Cord) else None
        fitted = group.fit(index, lambda s: shape.strain(inside(s)), wrench)
        # a node between pieces belongs to the first of them
        low = piece.first if piece.first == start else piece.first + 1
        return Bent(
            coordinates=layout.coordinate[placed],
            poses=poses,
            nodes=slice(low - piece.part.begin, piece.last + 1 - piece.part.begin),
            inner=fitted[low - start : piece.last + 1 - start],
            strains=shape.strain(piece.point_lengths),
            hangs=shape.hangs,
        )

    def _lie(self, load: Vector, sharpest: float) -> tuple[Pose, Pose, Shape]:
        """How it may lie between its ends: poses of both, and the shape from the first on.

        Args:
            load: on each meter, in world axes [N/m].
            sharpest: the least length within which it may turn at its ends [m].
        """
        rod, found, able = self.piece.rod, [], (self.piece.stretches, sharpest)
        for base, tip, aimed in self._ends(load):
            end, pull = se3.inverse(base) @ tip, base[:3, :3].T @ load
            shape = shape_between(rod, end, pull, *able, rings=not aimed)
            found.append((base, tip, shape, end, pull))
        if len(found) > 1:
            found.sort(key=lambda guess: guess[2].energy(rod, *guess[3:]))
        return found[0][:3]

    def _ends(self, load: Vector) -> list[tuple[Pose, Pose, bool]]:
        """Poses that its ends may have, and whether both point where they should."""
        if not (self.base.turns or self.tip.turns):
            return [(self.base.aim(load), self.tip.aim(load), False)]
        piece, ends, found = self.piece, (self.base.place, self.tip.place), []
        for leave, arrive in directions_between(piece.rod, *ends, load, piece.stretches):
            base, tip = self.base.aim(leave), self.tip.aim(arrive)
            aimed = min(float(base[:3, 0] @ leave), float(tip[:3, 0] @ arrive)) > AIMED
            found.append((base, tip, aimed))
        return found


class Pieces:
    """Finds pieces of the rods of a model."""

    def __init__(self, model: Model) -> None:
        self._parts = model.parts
        self._begins = np.array([part.begin for part in model.parts])
        self._places = {(place.part, place.index): place for place in model.places.values()}

    def between(self, first: int, last: int) -> Piece:
        """The piece between two nodes of one rod."""
        number = int(np.searchsorted(self._begins, first, side="right")) - 1
        part = self._parts[number]
        group, node = part.group, first - part.begin
        index = int(np.searchsorted(group.rod_nodes, node, side="right")) - 1
        place = self._places[number, index]
        begin = int(group.rod_nodes[index])
        s = group.node_lengths(index)[node - begin : last - part.begin - begin + 1]
        low, high = np.searchsorted(group.points.rod, [index, index + 1]).tolist()
        inside = np.searchsorted(group.points.s[low:high], s[[0, -1]]).tolist()
        points = slice(low + inside[0], low + inside[1])
        return Piece(
            place, part, first, last, s, points, place.rod.piece(float(s[0]), float(s[-1]))
        )
