"""Terms: what acts on nodes.

A term has elements, each on one node or several. It adds the forces of its nodes, and writes the
tangent that couples them. An element may bring unknowns of its own, such as what a joint exerts,
with a residual each. To add one, derive from ``Term``, as for a ``Law``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.model.law import Given
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True, eq=False)
class NodeForces:
    """What a term writes; a solve owns it. Its m elements act on k nodes each.

    Attributes:
        force: forces of all nodes, the gradient of the energy, added to, (n_nodes, 6).
        blocks: tangent between the nodes of each element, flat 6x6, in the exponential charts,
            (m, k, k, 36); written, all of it.
        gap: residual of the unknowns that elements bring, one after another, (n,); written.
        rows: its derivative by the nodes of their elements, (n, k, 6); written. Its transpose
            couples the nodes to the unknowns.
    """

    force: Array
    blocks: Array
    gap: Array
    rows: Array

    @classmethod
    def of(cls, term: "Term", force: Array) -> "NodeForces":
        """New arrays for a term."""
        (m, k), n = term.nodes.shape, int(np.sum(term.brings))
        return cls(force, np.zeros((m, k, k, 36)), np.zeros(n), np.zeros((n, k, 6)))


class Term(ABC):
    """What acts on nodes.

    Attributes:
        nodes: nodes of each element, (m, k).
    """

    nodes: Indices

    @property
    def brings(self) -> Indices:
        """How many unknowns each element brings, (m,)."""
        return np.zeros(len(self.nodes), dtype=np.int64)

    @property
    def multiplier(self) -> NDArray[np.bool_]:
        """Which of the unknowns that elements bring are multipliers, one after another, (n,)."""
        return np.ones(int(self.brings.sum()), dtype=np.bool_)

    def units(self, length: float) -> Array:
        """What turns their residuals into forces [N], and gaps into numbers, (n,).

        Args:
            length: of the robot, to compare moments with forces [m].
        """
        return np.ones(int(self.brings.sum()))

    @abstractmethod
    def add(self, pose: Pose, numbers: Array, given: Given, out: NodeForces) -> None:
        """Add forces, write tangents.

        Args:
            pose: of all nodes, (n_nodes, 4, 4).
            numbers: unknowns that the elements bring, one after another, (n,).
            given: inputs and multipliers.
            out: where the results go.
        """

    def add_slope(self, pose: Pose, given: Given, change: Array, force: Array) -> None:
        """Add the derivative of the forces along a change of the given values."""

    def energy(self, pose: Pose, given: Given) -> float:
        """Potential [J]."""
        return 0.0

    def conservative(self, values: Array) -> bool:
        """Whether it has a potential, at given values."""
        return True

    def size(self, values: Array) -> tuple[float, float]:
        """Sizes of the moments [N·m] and forces [N] that it brings in from outside."""
        return 0.0, 0.0
