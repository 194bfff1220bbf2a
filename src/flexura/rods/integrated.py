"""What descriptions share whose poses follow from one node to the next, tied by multipliers."""

from abc import ABC, abstractmethod
from typing import Any

from flexura.rods import closure_kernels
from flexura.rods.discretization import NO_PAIRS, PointForces
from flexura.typing import Array, Indices
from flexura.value import ReadOnly


class IntegratedRods(ReadOnly, ABC):
    """Carries forces back over elements whose ends are tied to nodes, or loose.

    Their work has besides: ``end`` of each element, ``nodes``, ``inner``, ``loose`` of the last
    kinematics; ``wrench`` at the ends, ``nothing`` that acts, ``small`` and ``duals`` to write in.
    """

    hidden = 0
    pairs = NO_PAIRS

    rod_nodes: Indices

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
