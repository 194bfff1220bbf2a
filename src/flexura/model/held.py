"""Rods between two ends that are placed already: where to begin with them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.lie import se3
from flexura.model.end import End, Turned
from flexura.model.layout import Layout
from flexura.model.piece import Piece
from flexura.model.rest_ends import ends_at_rest
from flexura.robot.elastic import Elastic
from flexura.rods.between import bent_at_rest, shape_between
from flexura.rods.cord import aimed
from flexura.rods.directions import directions_between
from flexura.rods.joined import Joined, Portion, Run
from flexura.rods.shape import Shape
from flexura.typing import Array, Indices, Matrix, Pose, Strain, Vector

# A rod turns at its clamps within no less than this part of the distance of its unknowns.
SHARP = 0.5
# Cosine of the angle within which an end points in a direction.
AIMED = 0.999
# Directions that differ by no more than this are the same.
ALIKE = 1e-6
# An end on a lever is elsewhere where it has turned: it is aimed again, so many times.
LEVER_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Bent:
    """Where a piece of a rod begins.

    Attributes:
        part: number of the part of the model that has it.
        points: which points of its part are on it.
        coordinates: that it places.
        poses: of them.
        nodes: of its part whose inner unknowns it sets.
        inner: those inner unknowns.
        strains: that it is meant to have at its points.
        hangs: whether it begins as a cord.
    """

    part: int
    points: slice
    coordinates: Indices
    poses: Pose
    nodes: slice
    inner: Array
    strains: Strain
    hangs: bool


@dataclass(frozen=True, eq=False)
class Held:
    """Pieces of rods that follow each other, and what holds the ends of all.

    Attributes:
        pieces: in their order.
        runs: how each lies on the way from one end to the other.
        base: what holds the first of them.
        tip: what holds the last of them.
        rod: all of them as one.
    """

    pieces: tuple[Piece, ...]
    runs: tuple[Run, ...]
    base: End
    tip: End
    rod: Elastic

    @classmethod
    def of(cls, pieces: Sequence[Piece], runs: Sequence[Run], entered: End, left: End) -> "Held":
        """Pieces between the ends of the first and the last of them.

        Args:
            pieces: in their order.
            runs: how each lies on the way.
            entered: what holds the end of the first one.
            left: what holds the end of the last one.
        """
        base, tip = _seen(entered, runs[0]), _seen(left, runs[-1])
        return cls(tuple(pieces), tuple(runs), base, tip, Joined.of(runs))

    @property
    def stretches(self) -> bool:
        """Whether descriptions let all of it stretch."""
        return all(piece.stretches for piece in self.pieces)

    @property
    def reaches(self) -> bool:
        """Whether it may lie between its ends, stretched if it can."""
        levers = self.base.lever + self.tip.lever
        return self.stretches or self._distance < self.rod.length + 2.0 * levers

    def straight(self, s: Array) -> Pose:
        """Poses at arc lengths from its beginning on [m], turning evenly from one end to the other.

        Ends that may turn point along the way between them.
        """
        chord = self._chord
        base, tip = self.base.aim(chord), self.tip.aim(chord)
        twist = se3.log(se3.inverse(base) @ tip)
        return np.asarray(base @ se3.exp(s[:, None] / self.rod.length * twist))

    def bend(self, layout: Layout, load: Vector) -> list[Bent]:
        """Let it follow a shape of little energy between its ends.

        Args:
            layout: at the inputs of the start.
            load: on each meter, in world axes [N/m].
        """
        sharpest = SHARP * max(piece.apart(layout) for piece in self.pieces)
        base, tip, shape = self._lie(load, sharpest)
        if len(self.pieces) == 1 and self.rod is self.runs[0].rod:
            ends, turns = (base, tip), (self.base.turns, self.tip.turns)
            return [bent(self.pieces[0], layout, shape, ends, turns)]
        return [self._bent_along(i, layout, shape, base, tip) for i in range(len(self.pieces))]

    def _bent_along(self, i: int, layout: Layout, shape: Shape, base: Pose, tip: Pose) -> Bent:
        """One of several pieces that lie along a shape between two poses.

        What holds two of them together is placed by the one before; beyond a joint, by both.
        """
        run, last = self.runs[i], len(self.runs) - 1
        portion = Portion(shape, run, shape.hangs)
        ends = list(base @ portion.placed(np.array([0.0, run.rod.length])))
        first, final = (0, 1) if run.sense > 0.0 else (1, 0)
        places = [False, False]
        axes = np.eye(4)
        axes[:3, :3] = run.axes
        if i == 0:
            ends[first], places[first] = base @ axes, self.base.turns
        else:
            places[first] = not self._welded(i, layout)
        places[final] = i < last or self.tip.turns
        if i == last:
            ends[final] = tip @ axes
        return bent(self.pieces[i], layout, portion, (ends[0], ends[1]), (places[0], places[1]))

    def _welded(self, i: int, layout: Layout) -> bool:
        """Whether one of several pieces rides on what the one before it does."""
        ends = (
            (piece.first, piece.last)[:: 1 if run.sense > 0.0 else -1]
            for piece, run in zip(self.pieces[i - 1 : i + 1], self.runs[i - 1 : i + 1], strict=True)
        )
        (_, before), (after, _) = ends
        return bool(layout.coordinate[before] == layout.coordinate[after])

    def _lie(self, load: Vector, sharpest: float) -> tuple[Pose, Pose, Shape]:
        """How it may lie between its ends: poses of both, and the shape from the first on.

        Args:
            load: on each meter, in world axes [N/m].
            sharpest: the least length within which it may turn at its ends [m].
        """
        rod, able = self.rod, (self.stretches, sharpest)
        fixed = self.base.fixed and self.tip.fixed

        def shape(base: Pose, tip: Pose, aimed: bool) -> Shape:
            return shape_between(rod, *_seen_from(base, tip, load), *able, not aimed, fixed)

        def energy(guess: tuple[Pose, Pose, Shape]) -> float:
            base, tip, shape = guess
            fallen = rod.length * float(load @ base[:3, 3])
            return shape.energy(rod, *_seen_from(base, tip, load)) - fallen

        found = [(base, tip, shape(base, tip, aimed)) for base, tip, aimed in self._ends(load)]
        return found[0] if len(found) == 1 else min(found, key=energy)

    def _ends(self, load: Vector) -> list[tuple[Pose, Pose, bool]]:
        """Poses that its ends may have, and whether both point where they should."""
        if not (self.base.turns or self.tip.turns):
            return [(self.base.aim(load), self.tip.aim(load), False)]
        levers = self.base.lever + self.tip.lever > 0.0
        found: list[tuple[Pose, Pose, bool]] = []
        way = self.tip.place - self.base.place
        for k, pair in enumerate(self._directions(way, load)):
            tried = [self._aimed(*pair)]
            if levers:
                tried.append(self._turned(k, tried[0], load))
            for base, tip, fits in tried:
                if not any(_alike(base, a) and _alike(tip, b) for a, b, _ in found):
                    found.append((base, tip, fits))
        if bent_at_rest(self.rod):
            for _ in range(LEVER_ROUNDS if levers else 1):
                chord = self._chord_of(way)
                base, tip = ends_at_rest(self.rod, self.base, self.tip, chord, load)
                way = tip[:3, 3] - base[:3, 3]
            found.append((base, tip, True))
        return found

    def _aimed(self, leave: Vector, arrive: Vector) -> tuple[Pose, Pose, bool]:
        """Poses of its ends in two directions, as far as they can; and whether they can."""
        base, tip = self.base.aim(leave), self.tip.aim(arrive)
        if self.tip.rolls:  # what is not twisted
            tip = self.tip.nearest(_carried(base[:3, :3], leave, arrive))
        elif self.base.rolls:
            base = self.base.nearest(_carried(tip[:3, :3], arrive, leave))
        return base, tip, min(float(base[:3, 0] @ leave), float(tip[:3, 0] @ arrive)) > AIMED

    def _turned(
        self, k: int, ends: tuple[Pose, Pose, bool], load: Vector
    ) -> tuple[Pose, Pose, bool]:
        """Ends on levers, aimed again in one of the directions for where they are then."""
        for _ in range(LEVER_ROUNDS):
            directions = self._directions(ends[1][:3, 3] - ends[0][:3, 3], load)
            ends = self._aimed(*directions[min(k, len(directions) - 1)])
        return ends

    def _directions(self, way: Vector, load: Vector) -> list[tuple[Vector, Vector]]:
        """Directions at its ends that there may be with a way between them."""
        chord, distance = self._chord_of(way), float(np.linalg.norm(way))
        able = self.stretches, self._sides(chord, load)
        return directions_between(self.rod, chord, distance, load, *able)

    def _sides(self, chord: Vector, load: Vector) -> list[Vector]:
        """Directions that it may bulge to, or against them; they turn with the robot.

        What joints and clamps tell; where they tell nothing, and no load does, the sides of its
        section, one of them if they are alike.
        """
        rod = self.rod
        found = [side for end in (self.base, self.tip) for side in end.sides(chord)]
        told = [*found, load / max(float(np.linalg.norm(load)), 1e-300)]
        if max(float(np.linalg.norm(np.cross(chord, side))) for side in told) > ALIKE:
            return found
        s = np.array([0.0, 0.5, 1.0]) * rod.length
        even = np.ptp(rod.stiffness(s)[:, 1:3], axis=1).max() == 0.0
        even = even and not rod.rest_strain(s)[:, 1:3].any()
        base = self.base.aim(chord)
        return [base[:3, 1]] if even else [base[:3, 1], base[:3, 2]]

    @property
    def _distance(self) -> float:
        """How far its ends are apart [m]."""
        return float(np.linalg.norm(self.tip.place - self.base.place))

    @property
    def _chord(self) -> Vector:
        """Direction from its base to its tip."""
        return self._chord_of(self.tip.place - self.base.place)

    def _chord_of(self, way: Vector) -> Vector:
        """Direction of a way from base to tip; that of its base where both are at one place."""
        distance = float(np.linalg.norm(way))
        return way / distance if distance > 0.0 else self.base.direction


def bent(
    piece: Piece,
    layout: Layout,
    shape: Shape,
    ends: tuple[Pose, Pose],
    places: tuple[bool, bool],
) -> Bent:
    """A piece that lies along a shape from its base on.

    Args:
        piece: the piece.
        layout: at the inputs of the start.
        shape: that it follows.
        ends: poses of its ends.
        places: whether it places what its ends ride on.
    """
    group = piece.part.group
    poses = ends[0] @ shape.poses(piece.s - piece.s[0])
    poses[0], poses[-1] = ends
    placed = np.arange(piece.first + 1 - places[0], piece.last + places[1])
    placed = placed[layout.coordinate[placed] >= 0]  # loose ones follow
    poses = poses[placed - piece.first] @ se3.inverse(layout.offset[placed])
    index, length = piece.place.index, piece.rod.length
    start = piece.part.begin + int(group.rod_nodes[index])

    def inside(s: Array) -> Array:  # beyond its ends all is as there
        return np.asarray(np.clip(s - piece.s[0], 0.0, length))

    wrench = (lambda s: shape.wrench(inside(s))) if shape.hangs else None
    fitted = group.fit(index, lambda s: shape.strain(inside(s)), wrench)
    # a node between pieces belongs to the first of them
    low = piece.first if piece.first == start else piece.first + 1
    return Bent(
        part=piece.place.part,
        points=piece.points,
        coordinates=layout.coordinate[placed],
        poses=poses,
        nodes=slice(low - piece.part.begin, piece.last + 1 - piece.part.begin),
        inner=fitted[low - start : piece.last + 1 - start],
        strains=shape.strain(piece.point_lengths),
        hangs=shape.hangs,
    )


def _seen_from(base: Pose, tip: Pose, load: Vector) -> tuple[Pose, Vector]:
    """A tip and a load, from a base."""
    return se3.inverse(base) @ tip, base[:3, :3].T @ load


def _seen(end: End, run: Run) -> End:
    """What holds the end of a rod, seen from the chain that it belongs to."""
    return end if np.array_equal(run.axes, np.eye(3)) else Turned(end, run.axes)


def _carried(frame: Matrix, before: Vector, after: Vector) -> Matrix:
    """A frame at one end of a rod, carried on to its other end, where that has a direction."""
    way = before + after
    if (size := float(np.linalg.norm(way))) > ALIKE:
        frame = aimed(frame, way / size)
    return aimed(frame, after)


def _alike(a: Pose, b: Pose) -> bool:
    """Whether two poses of one end are the same."""
    return bool(np.abs(a - b)[:3, :3].max() < ALIKE)
