"""Point loads and the weight of bodies: wrenches on nodes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.law import Given
from flexura.model.term import NodeForces, Term
from flexura.model.wrenches import Wrenches
from flexura.typing import Array, Indices, Pose, frozen


@dataclass(frozen=True, eq=False)
class NodeLoads(Term):
    """Loads on nodes, which are elements with one node each."""

    wrenches: Wrenches

    @cached_property
    def nodes(self) -> Indices:  # type: ignore[override]
        """The nodes that loads act on, each once."""
        return frozen(np.unique(self.wrenches.target)[:, None])

    @cached_property
    def _element(self) -> Indices:
        """Element of each load."""
        return frozen(np.searchsorted(self.nodes[:, 0], self.wrenches.target))

    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Wrenches and their tangents."""
        out.blocks[:] = 0.0
        tangent = out.blocks.reshape(-1, 36)
        self.wrenches.add(pose, given.values, out.force, self._element, tangent)

    @property
    def reads(self) -> frozenset[int]:
        """Places of the values that the loads take."""
        return self.wrenches.reads

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Derivative of the wrenches along a change of the given values."""
        self.wrenches.add_slope(pose, change, out.force)

    def energy(self, pose: Pose, given: Given) -> float:
        """Potential of the dead forces [J]."""
        return self.wrenches.potential(pose, given.values)

    def conservative(self, values: Array) -> bool:
        """Whether there are neither followers nor moments."""
        return self.wrenches.conservative(values)

    def size(self, values: Array) -> tuple[float, float]:
        """Sums of the sizes of all moments and forces."""
        return self.wrenches.size(values)
