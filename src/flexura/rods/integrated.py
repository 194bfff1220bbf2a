"""What descriptions share whose poses follow from one node to the next, tied by multipliers."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from flexura.rods import closure_kernels
from flexura.rods.discretization import NO_PAIRS, PointForces, WrenchField
from flexura.typing import Array, Indices, Wrench
from flexura.value import ReadOnly


class IntegratedRods(ReadOnly, ABC):
    """Carries forces back over elements whose ends are tied to nodes, or loose.

    Their work has besides: ``end`` of each element, ``nodes``, ``inner``, ``loose`` of the last
    kinematics; ``wrench`` at the ends, ``nothing`` that acts, ``small`` and ``duals`` to write in.
    """

    pairs = NO_PAIRS

    breaks: list[Array]
    rod_nodes: Indices
    n_inner: int

    @property
    def hidden(self) -> int:
        """All inner unknowns belong to the element that leads to their node."""
        return self.n_inner

    def ties(self, rod: int, wrench: WrenchField | None) -> Wrench:
        """Multipliers of the elements of a rod that carry a wrench over their ends, (n, 6)."""
        ends = self.breaks[rod][1:]
        return np.zeros((len(ends), 6)) if wrench is None else wrench(ends)

    @abstractmethod
    def carry_wrenches(
        self, forces: PointForces, force: Array, inner_force: Array, work: Any
    ) -> None:
        """Add what stresses, loads and ``work.wrench`` at the ends of elements make."""

    def carry_back(self, forces: PointForces, force: Array, inner_force: Array, work: Any) -> None:
        """Add the forces that stress and load at the points make."""
        closure_kernels.act(self.rod_nodes, forces.loose, force, work.wrench)
        self.carry_wrenches(forces, force, inner_force, work)

    def carry_ties(self, force: Array, inner_force: Array, work: Any) -> None:
        """Add what the multipliers exert, and the gaps at the ends of elements."""
        nothing = work.nothing
        nothing.loose[:] = False
        nothing.loose[work.loose] = True
        closure_kernels.tie(
            self.rod_nodes, work.end, work.nodes, work.inner, nothing.loose, force, inner_force,
            work.wrench, work.small, work.duals,
        )  # fmt: skip
        self.carry_wrenches(nothing, force, inner_force, work)
