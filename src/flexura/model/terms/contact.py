"""Contacts at nodes: ends of rods, and bodies."""

from dataclasses import dataclass

from flexura.model.law import Given
from flexura.model.term import NodeForces, Term
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True, eq=False)
class PressedNodes(Term):
    """What contacts exert on nodes, which are elements with one node each.

    Attributes:
        nodes: that may touch, (n, 1).
        first: the first of them among all frames of contacts.
        frictional: whether there is any friction, which has no potential.
    """

    nodes: Indices
    first: int
    frictional: bool

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Wrenches and their tangents, if anything touches."""
        if given.pressed is None:
            out.blocks.fill(0.0)
            return
        own = slice(self.first, self.first + len(self.nodes))
        out.force[self.nodes[:, 0]] += given.pressed.load[own]
        if given.tangents:
            out.blocks.reshape(-1, 36)[:] = given.pressed.tangent[own]

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Nothing that is given changes it."""

    def conservative(self, values: Array) -> bool:
        """Whether nothing rubs."""
        return not self.frictional

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has no potential."""
        return True
