"""Sets of tubes whose centreline has strains that are expanded in functions of arc length.

The strain of the centreline is (0, κ_y, κ_z, ν): the functions of torsion are those of the angles.
Stretch that is switched off is held at the length of a section, which depends on inputs, by a
multiplier for each element.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from flexura.rods import tube_kernels as kernels
from flexura.rods import tube_tangent_kernels as tangents
from flexura.rods import variable_strain_curve_kernels as curve
from flexura.rods.discretization import ElementMatrices, PointForces, RodPlan
from flexura.rods.strain_rods import StrainRods
from flexura.rods.tube_group import TubeRods
from flexura.rods.tube_work import TubeWork
from flexura.rods.tubes import SetPlan
from flexura.typing import Array, Indices, Matrix, Strain, frozen


class TubeStrainRods(TubeRods):
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
        n = self.tubes
        self._columns: Indices = frozen(self.columns + 6 + 2 * n * np.array([1, 1, 1, 0]))
        size, begin = np.full(self.n_nodes, n), np.full(self.n_nodes, self.columns[2])
        self._after: Indices = frozen(self.angle_nodes[self.plates] + 1)
        size[self._after], begin[self._after] = 2 * n, 0
        self._shared = frozen(begin), frozen(size)
        self._led: Indices = frozen(self.angle_nodes[self.elements])

    def _angle_places(self, plans: Sequence[SetPlan]) -> list[Array]:
        return list(self.base.breaks)

    def _number(self, lock: bool) -> None:
        n, base = self.tubes, self.base
        own = n * self.functions + n + int(lock)
        self.n_angle, self.n_inner = n + own, n + own + base.n_inner
        self.columns = frozen(np.array([0, own, own + base.n_inner, 0]))
        self.stretch = int(base.runs[3])
        hidden = np.zeros(self.n_nodes, dtype=np.int64)
        hidden[self.angle_nodes[self.elements]] = self.columns[2]
        self.reach, self.hidden = 1, frozen(hidden)

    def grow(self, before: Array, after: Array, most: float, inner: Array) -> Strain:
        """Let strains grow with the sections, and angles follow; in place.

        Args:
            before: ends of sections [m], (sets, sections + 1).
            after: the same, of those that they become.
            most: factor by which they may grow or shrink; others stay as they are.
            inner: rows of all nodes.

        Returns:
            Generalised strains at all points.
        """
        base = self.base
        kernels.grow(
            self.columns, self.angle_nodes, self.section_nodes, self.tubes, self.functions,
            len(base.component), before, after, most, inner,
        )  # fmt: skip
        own, angle = self._gathered(inner)
        strain = np.empty((len(base.points.s), 6))
        out = np.zeros((len(self.points.s), self.components))
        curve.strains(base.node_steps, base.runs, base.phi, base.rest_strain, own, strain)
        self._show(strain, own, angle, out)
        return out

    def work(self) -> TubeWork:
        """New arrays for evaluations."""
        work = super().work()
        m = 12 + 2 * self.tubes + self.n_inner
        work.matrices = np.zeros((self.n_nodes, m, m))
        return work

    def _coupled(self, coupling: Any, forces: PointForces, work: TubeWork) -> ElementMatrices:
        matrices, base = work.matrices, self.base
        tangents.couple_elements(
            coupling.matrices, matrices.shape[1] - 6, self.node_points, base.runs, base.phi,
            self.value, self.slope, self.tubes, forces.stiffness, self.shown, self._after,
            self.locked[0], self._led, self.stretch, self._columns, matrices,
        )  # fmt: skip
        return ElementMatrices(matrices, self._shared)

    def _own_strain(self, strain: Strain) -> Strain:
        return np.asarray(strain - [0.0, 0.0, 0.0, 1.0, 0.0, 0.0])

    def _stretch_out(self, scale: Array, inner: Array) -> None:
        column = int(self.columns[1]) + self.stretch
        for i, ends in enumerate(self.base.breaks):
            middle = (ends[:-1] + ends[1:]) / 2.0
            section = (middle // self.section_length[i]).astype(np.int64)
            first = self.base.rod_nodes[i]
            inner[first + 1 : first + len(ends), column] = scale[i, section]
