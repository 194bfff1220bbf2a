"""Rods between two ends that are placed already: where to begin with them."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.model import Model, Part, Place
from flexura.robot import Rod
from flexura.rods.between import Shape, shape_between
from flexura.rods.cord import Cord
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Pose, Strain, Vector


@dataclass(frozen=True, eq=False)
class Begin:
    """Where a robot begins; written to.

    Attributes:
        poses: coordinates.
        inner: inner unknowns of each part.
        strains: that rods are meant to have at the points of each part.
    """

    poses: Pose
    inner: list[Array]
    strains: list[Strain]


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of a rod between two nodes.

    Attributes:
        place: its rod.
        part: the part of the model that has it.
        first, last: its nodes.
        s: arc lengths of its nodes [m].
        rod: the piece as a rod of its own; its section is that of the whole.
    """

    place: Place
    part: Part
    first: int
    last: int
    s: Array
    rod: Rod

    @classmethod
    def of(cls, model: Model, first: int, last: int) -> "Piece":
        """The piece between two nodes of one rod."""
        place = _place(model, first)
        part = model.parts[place.part]
        begin = part.begin + int(part.group.rod_nodes[place.index])
        s = part.group.node_lengths(place.index)[first - begin : last - begin + 1]
        return cls(place, part, first, last, s, _cut(place.rod, float(s[0]), float(s[-1])))

    def load(self, model: Model, inputs: Inputs) -> Vector:
        """What dead loads along it are on each meter, in the mean [N/m]."""
        group, part = self.part.group, self.part
        points, forces = group.points, PointForces(len(group.points.s), part.n_nodes)
        at = SimpleNamespace(
            strain=part.rest_strain,
            strain_ahead=part.rest_strain,
            pose=np.tile(np.eye(4), (len(points.s), 1, 1)),
            force=np.zeros((len(points.s), 3)),
        )
        values = inputs.values
        given = Given(values, values, np.zeros_like(values))
        for law in part.laws:
            if len(law.posed()):
                law.add(at, given, forces)
        return np.asarray(-forces.load[self.points, 3:].sum(axis=0) / self.rod.length)

    def reaches(self, a: Vector, b: Vector) -> bool:
        """Whether it may lie between two points, stretched if it can."""
        stretches = bool(self.part.group.free[3])
        return stretches or float(np.linalg.norm(b - a)) < self.rod.length

    @property
    def points(self) -> Array:
        """Which points of its part are on it."""
        points = self.part.group.points
        own = points.rod == self.place.index
        return np.asarray(own & (self.s[0] <= points.s) & (points.s <= self.s[-1]))

    def bend(self, layout: Layout, base: Pose, shape: Shape, begin: Begin) -> None:
        """Let it follow a shape from its base, but for its ends."""
        poses = shape.poses(self.s - self.s[0])
        begin.poses[layout.coordinate[self.first + 1 : self.last]] = base @ poses[1:-1]
        group, index = self.part.group, self.place.index
        start = self.part.begin + int(group.rod_nodes[index])
        fitted = group.fit(index, lambda s: self._strain(shape, s))
        # a node between pieces belongs to the first of them
        low = self.first if self.first == start else self.first + 1
        own = slice(low - self.part.begin, self.last + 1 - self.part.begin)
        begin.inner[self.place.part][own] = fitted[low - start : self.last + 1 - start]
        along = self.points
        begin.strains[self.place.part][along] = self._strain(shape, group.points.s[along])

    def _strain(self, shape: Shape, s: Array) -> Strain:
        """Strain at arc lengths of the rod; beyond the ends of the piece as there."""
        return shape.strain(np.clip(s - self.s[0], 0.0, self.rod.length))


def bend_between(
    model: Model, layout: Layout, ends: tuple[int, int], nodes: Pose, loads: Inputs, begin: Begin
) -> bool:
    """Let a piece of a rod follow a shape of little energy between its ends; whether it hangs."""
    piece = Piece.of(model, *ends)
    base, tip = nodes[piece.first], nodes[piece.last]
    load = base[:3, :3].T @ piece.load(model, loads)
    shape = shape_between(piece.rod, se3.inverse(base) @ tip, load)
    piece.bend(layout, base, shape, begin)
    return isinstance(shape, Cord)


def _place(model: Model, node: int) -> Place:
    """The rod that has a node."""
    for place in model.places.values():
        own = model.rod_nodes(place)
        if own.start <= node < own.stop:
            return place
    raise AssertionError(f"node {node} belongs to no rod")


def _cut(rod: Rod, begin: float, end: float) -> Rod:
    """The rod between two arc lengths."""
    if begin == 0.0 and end == rod.length:
        return rod
    rest = rod.rest
    if callable(rest):
        whole = rest
        return replace(rod, length=end - begin, rest=lambda s: whole(min(begin + s, end)))
    return replace(rod, length=end - begin)
