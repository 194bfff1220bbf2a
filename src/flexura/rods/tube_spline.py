"""Sets of tubes whose centreline is a cumulative B-spline.

Poses of the centreline may twist: its law resists that, and leaves torsion to the angles.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.rods import tube_tangent_kernels as kernels
from flexura.rods.discretization import AngleBlocks, PointForces, RodPlan
from flexura.rods.spline import Spline, SplineRods
from flexura.rods.tube_group import TubeRods
from flexura.rods.tube_work import TIES, TubeWork
from flexura.rods.tubes import SetPlan
from flexura.typing import Array, Indices, frozen

# Functions of an angle on a section, at most: with more, points would not tell them apart.
MOST = 14


class TubeSplineRods(TubeRods):
    """Sets of tubes described by splines of one degree; a ``RodGroup``."""

    def __init__(self, choice: Spline, plans: Sequence[SetPlan]) -> None:
        own = [
            RodPlan(plan.rod, plan.choice.choice, tuple(plan.section_ends[1:-1]))  # type: ignore[attr-defined]
            for plan in plans
        ]
        base = SplineRods(choice.degree, choice.assumed_strain, own)
        # as many as splines have; sections have at least as many points
        spans = len(base.span_first) // sum(len(plan.breaks) for plan in plans)
        super().__init__(base, plans, min(MOST, choice.degree + max(1, spans) - 1), lock=False)
        self.free = frozen(np.ones(6, dtype=np.bool_))
        n = self.tubes
        self._columns: Indices = frozen(np.array([2 * n, 0, n + self.n_angle, 0]))
        self._after: Indices = frozen(self.plates + 1)

    def _angle_places(self, plans: Sequence[SetPlan]) -> list[Array]:
        return [plan.section_ends for plan in plans]

    def _number(self, lock: bool) -> None:
        n, base = self.tubes, self.base
        self.n_angle = 2 * n + n * self.functions
        first = base.n_inner
        self.columns = frozen(np.array([first, 0, first + self.n_angle - n, 0]))
        self.n_inner = max(TIES, self.n_angle + base.n_inner)
        inside = np.diff(self.angle_nodes)
        self.longest = int(inside[np.diff(self.node_points)[1:] > 0].max())
        self.reach = max(base.reach, self.longest)
        self.hidden = frozen(np.zeros(self.n_nodes, dtype=np.int64))

    def work(self) -> TubeWork:
        """New arrays for evaluations."""
        work, a, n = super().work(), len(self.angle_nodes), self.tubes
        work.matrices = np.zeros((a, 2 * n + self.n_angle, 2 * n + self.n_angle))
        columns = n + n * self.functions
        work.cross = np.zeros((a, self.longest + 1, 6, columns))
        work.gamma = np.zeros((self.longest + 2, 6, columns))
        work.column = np.zeros((4, 6))
        return work

    def _coupled(self, coupling: Any, forces: PointForces, work: TubeWork) -> AngleBlocks:
        n, base, matrices = self.tubes, self.base, work.matrices
        matrices[:] = 0.0
        kernels.couple_angles(
            self.node_points, self.value, self.slope, n, forces.stiffness, self._columns, matrices
        )
        kernels.couple_points(
            self.shown, self._after, self.locked[0], self.elements, n, self.functions, 0,
            forces.stiffness, self._columns, matrices,
        )  # fmt: skip
        kernels.couple_poses(
            self.node_points, self.angle_nodes, base.point_first, self.value, self.slope, n,
            forces.stiffness, work.base.slopes.jacobian, work.base.from_end, work.base.to_end,
            work.cross, work.gamma, work.column,
        )  # fmt: skip
        return AngleBlocks(coupling, matrices, work.cross)
