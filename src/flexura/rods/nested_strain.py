"""Sets of tubes whose centreline has strains that are expanded in functions of arc length.

The strain of the centreline is (0, κ_y, κ_z, ν): the functions of torsion are those of the angles.
Stretch that is switched off is held at the length of a section, which depends on inputs, by a
multiplier for each element.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from flexura.rods import nested_kernels as kernels
from flexura.rods.discretization import ElementMatrices, PointForces, RodPlan
from flexura.rods.nested import SetPlan
from flexura.rods.nested_group import NestedRods
from flexura.rods.nested_work import NestedWork
from flexura.rods.variable_strain import StrainRods
from flexura.typing import Array, Indices, Matrix, Strain, frozen


class NestedStrainRods(NestedRods):
    """Sets of tubes described by strain functions; a ``RodGroup``."""

    def __init__(
        self,
        orders: tuple[int, ...],
        function: Callable[[int, Array], Matrix],
        plans: Sequence[SetPlan],
    ) -> None:
        lock = orders[3] == 0
        own = (0, orders[1], orders[2], max(1, orders[3]), orders[4], orders[5])
        base = StrainRods(
            own,
            function,
            [RodPlan(p.rod, p.choice.choice, tuple(p.section_ends[1:-1])) for p in plans],  # type: ignore[attr-defined]
        )
        base.rest_strain = frozen(np.zeros_like(base.rest_strain))
        super().__init__(base, plans, orders[0], lock)
        self.free = frozen(np.array(orders) > 0)
        self.begin = (6, 6 + 2 * self.tubes)
        # nodes that elements lead to, among those with angles
        self._elements: Indices = frozen(np.delete(np.arange(len(self.angle_nodes)), self.plates))
        size = np.full(self.n_nodes, self.tubes)
        size[self.angle_nodes[self.plates] + 1] = 2 * self.tubes
        self._shared = frozen(np.zeros(self.n_nodes, dtype=np.int64)), frozen(size)

    def _angle_places(self, plans: Sequence[SetPlan]) -> list[Array]:
        return list(self.base.breaks)

    def _number(self, lock: bool) -> None:
        n, base = self.tubes, self.base
        self.n_angle = 2 * n + n * self.functions + int(lock)
        self.first_angle, self.first_base = 0, self.n_angle
        self.n_inner = self.n_angle + base.n_inner
        self.reach = 1

    @property
    def _stretch(self) -> int:
        """The coefficient of stretch."""
        return int(self.base.runs[3])

    def work(self) -> NestedWork:
        """New arrays for evaluations."""
        work = super().work()
        m = 12 + 2 * self.tubes + self.n_inner
        work.matrices = np.zeros((self.n_nodes, m, m))
        return work

    def _show_locked(self, angle: Array, base: Array, out: Strain) -> None:
        points = self.locked[0]
        if len(points):
            at = self._elements
            out[points, 6] = base[self.angle_nodes[at], self._stretch]
            out[points, 6 + self.tubes] = angle[at, -1]

    def _hide_locked(self, stress: Array, angle_force: Array, base_force: Array) -> None:
        points = self.locked[0]
        if len(points):
            at = self._elements
            base_force[self.angle_nodes[at], self._stretch] += stress[points, 6]
            angle_force[at, -1] += stress[points, 6 + self.tubes]

    def _coupled(self, coupling: Any, forces: PointForces, work: NestedWork) -> ElementMatrices:
        n, matrices, nb = self.tubes, work.matrices, self.n_base
        at = self.begin[1] + self.n_angle
        kernels.embed(coupling.matrices, at, matrices)
        kernels.couple_angles(
            self.node_points, self.value, self.slope, n, forces.stiffness, self.begin,
            matrices[:nb],
        )  # fmt: skip
        kernels.couple_functions(
            self.node_points, self.base.runs, self.base.phi, self.value, self.slope, n,
            forces.stiffness, self.begin, at, matrices[:nb],
        )  # fmt: skip
        self._couple_plates(forces.stiffness, matrices)
        self._couple_locked(forces.stiffness, at + self._stretch, matrices)
        return ElementMatrices(matrices, self._shared)

    def _couple_plates(self, stiffness: Array, matrices: Array) -> None:
        """Angles and torques at the plates, with the element that begins there."""
        n, c, first = self.tubes, self.components, self.begin[0]
        own = stiffness[self.shown].reshape(-1, c, c)[:, 6:, 6:]
        after = self.angle_nodes[self.plates] + 1
        matrices[after, first : first + 2 * n, first : first + 2 * n] += own

    def _couple_locked(self, stiffness: Array, stretch: int, matrices: Array) -> None:
        """Stretch and its multiplier."""
        points = self.locked[0]
        if not len(points):
            return
        c, n, tie = self.components, self.tubes, self.begin[1] + self.n_angle - 1
        own = stiffness[points].reshape(-1, c, c)
        at = self.angle_nodes[self._elements]
        matrices[at, stretch, stretch] += own[:, 6, 6]
        matrices[at, stretch, tie] += own[:, 6, 6 + n]
        matrices[at, tie, stretch] += own[:, 6 + n, 6]

    def _own_strain(self, strain: Strain) -> Strain:
        return np.asarray(strain - [0.0, 0.0, 0.0, 1.0, 0.0, 0.0])

    def _stretch_out(self, scale: Array, inner: Array) -> None:
        column = self.first_base + self._stretch
        for i, ends in enumerate(self.base.breaks):
            middle = (ends[:-1] + ends[1:]) / 2.0
            section = (middle // self.section_length[i]).astype(np.int64)
            first = self.base.rod_nodes[i]
            inner[first + 1 : first + len(ends), column] = scale[i, section]
