"""Pieces of rods between nodes."""

from dataclasses import dataclass

import numpy as np

from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.part import Part, Place
from flexura.robot import Rod
from flexura.typing import Array


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
