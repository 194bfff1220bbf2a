"""Straight pieces of cables between points of two nodes: l = |p_b - p_a| (theory 10.3).

Tendons between the holes of discs have them, and pulleys.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.given_kernels import largest_of
from flexura.model.law import Given
from flexura.model.term import NodeForces, Term
from flexura.model.terms import segment_kernels as kernels
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True, eq=False)
class Segments(Term):
    """Cables between two points each.

    Attributes:
        source: place of the tension among the given values, (m,).
        nodes: the nodes that carry the two points, (m, 2).
        holes: the points in the frames of the nodes [m], (m, 2, 3).
        external: whether they pull from outside, as pulleys do. Tangents take such a tension as it
            is from the start; one that a robot has to balance itself as ``Routed`` says.
    """

    source: Indices
    nodes: Indices
    holes: Array
    external: bool = False

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Forces and tangents; lengths are conjugate to tensions."""
        ahead = given.values if self.external else given.ahead
        kernels.add(
            self.source, self.nodes, self.holes, pose, given.values, ahead, out.force,
            out.blocks, given.conjugate, np.empty((2, 3, 6)),
        )  # fmt: skip

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the tensions."""
        return frozenset(self.source.tolist())

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Forces of a change of the tensions."""
        kernels.add_slope(self.source, self.nodes, self.holes, pose, change, out.force)

    def size(self, values: Array) -> tuple[float, float]:
        """The largest tension."""
        return 0.0, largest_of(values, self.source)
