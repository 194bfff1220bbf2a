"""Terms: what acts on nodes.

A term has elements, each on one node or several. It adds the forces of its nodes, and writes the
tangent that couples them. An element may bring unknowns of its own, such as what a joint exerts,
with a residual each. To add one, derive from ``Term``, as for a ``Law``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.model.law import DIFFERENCE, Given
from flexura.typing import Array, Indices, Pose
from flexura.value import Value


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


class Term(Value, ABC):
    """What acts on nodes.

    Attributes:
        nodes: nodes of each element, (m, k).
        wrenches: its ``Wrenches`` if it is loads, which do work in motion; else None.
    """

    nodes: Indices
    wrenches: Any = None

    @property
    def reads(self) -> frozenset[int] | None:
        """Places of the given values that it takes; None if that may be any of them."""
        return None

    def wrenches_at(self, values: Array) -> Any:
        """The same for given values, where they change with them."""
        return self.wrenches

    @property
    def brings(self) -> Indices:
        """How many unknowns each element brings, multipliers of what it holds, (m,)."""
        return np.zeros(len(self.nodes), dtype=np.int64)

    def units(self, length: float) -> Array:
        """What turns their residuals, which are gaps, into numbers, (n,).

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

    def add_slope(
        self, pose: Pose, numbers: Array, given: Given, change: Array, out: NodeForces
    ) -> None:
        """Add the derivatives of forces and gaps along a change of the given values.

        By differences, unless a term knows better: exact where it is linear in what is given.
        """
        for h in (DIFFERENCE, -DIFFERENCE):
            moved = NodeForces.of(self, np.zeros_like(out.force))
            self.add(pose, numbers, given.changed(h * change), moved)
            out.force[:] += moved.force / (2.0 * h)
            out.gap[:] += moved.gap / (2.0 * h)

    def energy(self, pose: Pose, given: Given) -> float:
        """Potential [J], but for what follows from ``given.conjugate``; see ``Law.energy``."""
        return 0.0

    def conservative(self, values: Array) -> bool:
        """Whether it has a potential, at given values."""
        return True

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has none."""
        return False

    def size(self, values: Array) -> tuple[float, float]:
        """Sizes of the moments [N·m] and forces [N] that it brings in from outside."""
        return 0.0, 0.0
