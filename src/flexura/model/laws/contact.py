"""Contacts at the points of rods."""

from dataclasses import dataclass

from flexura.model.law import Given, Law, PointValues
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices


@dataclass(frozen=True, eq=False)
class PressedPoints(Law):
    """What contacts exert on the points of a part.

    Attributes:
        points: that may touch, (n,).
        first: the first of them among all frames of contacts.
        frictional: whether there is any friction, which has no potential.
    """

    points: Indices
    first: int
    frictional: bool

    def posed(self) -> Indices:
        """The points that may touch."""
        return self.points

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Wrenches and their tangents, if anything touches."""
        if given.pressed is None:
            return
        own = slice(self.first, self.first + len(self.points))
        out.load[self.points] += given.pressed.load[own]
        if given.tangents:
            out.load_tangent[self.points] += given.pressed.tangent[own]

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Nothing that is given changes it."""

    def conservative(self, values: Array) -> bool:
        """Whether nothing rubs."""
        return not self.frictional

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has no potential."""
        return True
