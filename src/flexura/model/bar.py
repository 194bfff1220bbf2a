"""Bodies between two balls: they hang along the tension, as bars with a weight."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model.layout import Layout
from flexura.model.link import Placed
from flexura.model.model import Model
from flexura.model.start_load import Forces
from flexura.model.topology import Passed, topology
from flexura.rods.cord import aimed, some_across
from flexura.rods.funicular import Span
from flexura.typing import Matrix, Pose, Vector

# Directions shorter than this, over the size of a body, are none.
NONE = 1e-9


@dataclass(frozen=True, eq=False)
class Bar:
    """A body that two balls hold, and nothing else.

    Attributes:
        coordinate: that it is.
        enters, leaves: where the balls are in it [m].
        onward: number of the second one, and the node that it leads to.
        last: where this one is, if the world holds it [m].
    """

    coordinate: int
    enters: Vector
    leaves: Vector
    onward: tuple[int, int]
    last: Vector | None = None

    @property
    def chain(self) -> Sequence[Passed]:
        """It has no rods."""
        return ()

    @property
    def length(self) -> float:
        """How far its balls are apart [m]."""
        return float(np.linalg.norm(self.leaves - self.enters))

    def held(self, begin: Vector, end: Vector) -> None:
        """It has no rods."""
        return

    def span(self, load: Vector, forces: Forces) -> Span:
        """It as a rod that does not bend, with a force that acts at a place of it."""
        force, center = forces.on(self.coordinate)
        way = self.leaves - self.enters
        square = float(way @ way)
        part = float((center - self.enters) @ way) / square if square > 0.0 else 0.5
        return Span(self.length, load, 0.0, 0.0, weight=force, center=part)

    def placed(self, begin: Vector, end: Vector, forces: Forces, rest: Pose) -> Placed:
        """It between two places, with what acts on it downwards, and turned no more than needed.

        Args:
            begin: where the first ball is [m].
            end: where the second one is [m].
            forces: on nodes.
            rest: poses of the coordinates, from which it is turned.
        """
        force, center = forces.on(self.coordinate)
        R, arm, way = rest[self.coordinate, :3, :3], center - self.enters, end - begin
        if self.length > 0.0:
            R = _turned(R @ (self.leaves - self.enters), way) @ R
            axis = way / float(np.linalg.norm(way))
            arm, force = (x - (x @ axis) * axis for x in (R @ arm, force))
            R = _turned(arm, force, axis) @ R
        else:
            R = _turned(R @ arm, force) @ R
        middle = 0.5 * (begin + end) - R @ (0.5 * (self.enters + self.leaves))
        found = np.eye(4)
        found[:3, :3], found[:3, 3] = R, middle
        return Placed([], [(self.coordinate, found)])


def bar_beyond(model: Model, layout: Layout, joint: int, node: int) -> Bar | None:
    """The body beyond a joint, if that and another joint are all that holds it."""
    joints, own = model.joints, int(layout.coordinate[node])
    pair = model.once(topology).bodies.get(own, ())
    if joint not in pair or pair[0] == pair[1]:
        return None
    other = pair[1 - pair.index(joint)]
    here, there = (int(layout.coordinate[joints.nodes[x, 0]] != own) for x in (joint, other))
    enters, leaves = (
        (layout.offset[joints.nodes[x, side]] @ joints.offset[x, side])[:3, 3]
        for x, side in ((joint, here), (other, there))
    )
    return Bar(own, enters, leaves, (other, int(joints.nodes[other, 1 - there])))


def _turned(here: Vector, there: Vector, about: Vector | None = None) -> Matrix:
    """The rotation from one direction to another one: the shortest, or about an axis across both.

    None where there is no direction.
    """
    sizes = float(np.linalg.norm(here)), float(np.linalg.norm(there))
    if min(sizes) <= NONE:
        return np.eye(3)
    first = here / sizes[0]
    second = some_across(first) if about is None else about
    second = second / np.linalg.norm(second)
    frame = np.stack([first, second, np.cross(first, second)], axis=1)
    if about is None:
        return np.asarray(aimed(frame, there / sizes[1]) @ frame.T)
    aim = there / sizes[1]
    return np.asarray(np.stack([aim, second, np.cross(aim, second)], axis=1) @ frame.T)
