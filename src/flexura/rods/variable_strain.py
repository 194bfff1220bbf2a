"""Rods whose strain is expanded in functions of arc length (GVS, Ritz).

    ξ(s) = ξ*(s) + Σ_j φ_j(s) e_{c(j)} q_j                                  (theory 5.1)

Reference: [TendonRobots2025, section V]. The tangent here is exact.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np

from flexura.errors import ModelError
from flexura.rods import variable_strain_kernels as kernels
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.basis import distinct, span_breaks
from flexura.rods.discretization import ElementMatrices, Laws, Points, RodPlan, StrainField
from flexura.rods.option import check_count
from flexura.rods.strain_basis import find_basis, steps, tabulate
from flexura.typing import Array, Indices, Matrix, Pose, Strain, frozen

GAUSS = 0.5 * (1.0 + np.array([-1.0, 1.0]) / np.sqrt(3.0))


@dataclass(frozen=True)
class VariableStrain:
    """Strain components expanded in a basis, poses by fourth-order Magnus integration.

    Attributes:
        orders: number of functions for torsion, bending y, bending z, stretch, shear y, shear z; 0
            switches a component off: it keeps its rest value, at any load.
        basis: "legendre", "chebyshev", "monomial" or "bspline".
        steps: integration steps along the rod, two Gauss points each; poses converge with the
            fourth power of their length.
    """

    orders: tuple[int, ...] = (5, 7, 7, 3, 3, 3)
    basis: str = "legendre"
    steps: int = 32

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", _orders(self.orders))
        find_basis(self.basis)
        check_count("VariableStrain", "steps", self.steps, 100_000)

    @property
    def kind(self) -> Hashable:
        """Rods with the same functions are evaluated together."""
        return ("variable strain", self.orders, self.basis)

    def group(self, plans: Sequence[RodPlan]) -> "StrainRods":
        """Discretize rods with the same functions."""
        return StrainRods(self.orders, find_basis(self.basis), plans)

    def breaks(self, plan: RodPlan) -> Array:
        """Ends of the integration steps of a rod."""
        places = distinct([*plan.jumps, *plan.stations], plan.rod.length)
        return span_breaks(plan.rod.length, self.steps, places)


@dataclass(frozen=True)
class ConstantStrain:
    """Piecewise constant strain: sections of a rod with one strain each, exact exponentials.

    Attributes:
        sections: number of equal sections.
    """

    sections: int = 8

    def __post_init__(self) -> None:
        check_count("ConstantStrain", "sections", self.sections, 1000)

    @property
    def kind(self) -> Hashable:
        """Rods with the same number of sections are evaluated together."""
        return ("constant strain", self.sections)

    def group(self, plans: Sequence[RodPlan]) -> "StrainRods":
        """Discretize rods with the same number of sections."""
        return StrainRods((self.sections,) * 6, steps, plans)

    def breaks(self, plan: RodPlan) -> Array:
        """Ends of the sections, and the places where loads act."""
        length = plan.rod.length
        ends = np.linspace(0.0, length, self.sections + 1)[1:-1]
        inside = [s for s in (*plan.jumps, *plan.stations) if 0.0 < s < length]
        return np.unique([0.0, *ends, *inside, length])


class StrainRods:
    """Rods described by strain functions; a ``RodGroup`` with one element for each rod."""

    def __init__(
        self,
        orders: tuple[int, ...],
        function: Callable[[int, Array], Matrix],
        plans: Sequence[RodPlan],
    ) -> None:
        self.rods = tuple(plan.rod for plan in plans)
        self._orders, self._function = orders, function
        self.order = 4
        self.reach = 1
        self.extensible = orders[3] > 0
        self.complete = all(n > 0 for n in orders)
        self.assumed: AssumedStrain | None = None
        self.component = frozen(np.repeat(np.arange(6), orders))
        n = len(self.component)
        self.n_inner = n + 6
        self.multiplier = frozen(np.arange(n + 6) >= n)
        length = max(rod.length for rod in self.rods)
        self.inner_units = frozen(
            np.concatenate(
                [
                    np.where(self.component < 3, length**-2.0, 1.0 / length),
                    [1.0] * 3,
                    [1.0 / length] * 3,
                ]
            )
        )
        self.rod_nodes = frozen(2 * np.arange(len(plans) + 1))
        self.points = points = self._lay_out(plans)
        self.phi = frozen(
            np.concatenate(
                [self._functions(i, points.s[points.rod == i]) for i in range(len(plans))]
            )
        )
        used = (self.phi[self.gauss] != 0.0) | (self.phi[self.gauss + 1] != 0.0)
        self.step_count = frozen(used.sum(axis=1))
        self.step_active = frozen(np.argsort(~used, axis=1, kind="stable"))  # those in use first
        self.rest_strain = frozen(
            np.array(
                [self.rods[r].rest_strain(x) for r, x in zip(points.rod, points.s, strict=True)]
            )
        )

    def _lay_out(self, plans: Sequence[RodPlan]) -> Points:
        """The steps of all rods, and the points in them: two Gauss points, then stations."""
        rod_steps, rod_points, stations = [0], [0], []
        columns: list[tuple[float, float, float, int, int]] = []  # s, weight, inside, step, rod
        lengths: list[float] = []
        gauss: list[int] = []
        for index, plan in enumerate(plans):
            breaks = cast(VariableStrain, plan.choice).breaks(plan)
            found: dict[int, int] = {}
            for a, b in pairwise(breaks):
                k, h = len(lengths), b - a
                lengths.append(h)
                gauss.append(len(columns))
                columns += [(a + h * x, 0.5 * h, h * x, k, index) for x in GAUSS]
                for i, place in enumerate(plan.stations):
                    if i not in found and place <= b:
                        found[i] = len(columns)
                        columns.append((place, 0.0, place - a, k, index))
            rod_steps.append(len(lengths))
            rod_points.append(len(columns))
            stations.append(tuple(found[i] for i in range(len(plan.stations))))
        s, weight, inside, step, rod = (np.array(column) for column in zip(*columns, strict=True))
        self.step = frozen(np.array(lengths))
        self.gauss = frozen(np.array(gauss))
        self.rod_steps = frozen(np.array(rod_steps))
        self.rod_points = frozen(np.array(rod_points))
        self.point_step = frozen(step)
        self.point_s = frozen(inside)
        self.step_points = frozen(np.searchsorted(step, np.arange(len(lengths) + 1)))
        return Points(frozen(rod), frozen(s), frozen(weight), tuple(stations))

    def _functions(self, rod: int, s: Array) -> Matrix:
        """All functions at arc lengths of a rod."""
        return tabulate(self._function, self._orders, s / self.rods[rod].length)

    @property
    def n_nodes(self) -> int:
        """Base and tip of every rod."""
        return 2 * len(self.rods)

    def work(self) -> "StrainWork":
        """New arrays for evaluations."""
        return StrainWork(len(self.rods), len(self.step), len(self.points.s), len(self.component))

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods."""
        inner = np.zeros((self.n_nodes, self.n_inner))
        work = self.work()
        return self._link(inner, work), inner

    def node_lengths(self, rod: int) -> Array:
        """Base and tip."""
        return np.array([0.0, self.rods[rod].length])

    def fit(self, rod: int, strain: StrainField) -> Array:
        """Coefficients that follow a strain in the least-squares sense; multipliers zero."""
        inner = np.zeros((2, self.n_inner))
        own = slice(self.rod_points[rod], self.rod_points[rod + 1])
        used = self.points.weight[own] > 0.0
        s, weight = self.points.s[own][used], np.sqrt(self.points.weight[own][used])
        wanted = strain(s) - self.rest_strain[own][used]
        phi = self.phi[own][used]
        for c in range(6):
            columns = np.flatnonzero(self.component == c)
            if len(columns):
                matrix, right = weight[:, None] * phi[:, columns], weight * wanted[:, c]
                inner[1, columns] = np.linalg.lstsq(matrix, right, rcond=None)[0]
        return inner

    def kinematics(self, nodes: Pose, inner: Array, posed: Indices, work: "StrainWork") -> None:
        """Strains at all points and poses at the ``posed`` ones."""
        work.inner, work.nodes = inner, nodes
        kernels.strains(
            self.rod_points, self.rest_strain, self.phi, self.component, inner[1::2], work.strain
        )
        kernels.integrate(
            self.rod_steps, self.step, self.gauss, work.strain, nodes[::2].copy(), work.poses,
            work.end, work.twist, work.frames,
        )  # fmt: skip
        if len(posed):
            kernels.place(
                posed, self.point_step, self.point_s, self.step, self.gauss, work.strain,
                work.poses, work.pose, work.twist, work.frames,
            )  # fmt: skip

    def pull_back(
        self, laws: Laws, symmetric: bool, force: Array, inner_force: Array, work: "StrainWork"
    ) -> ElementMatrices:
        """Carry the laws back to base, coefficients, multipliers and tip."""
        kernels.pull_back(
            self.rod_steps, self.step, self.gauss, self.step_points, self.step_active,
            self.step_count, self.point_s, self.rod_points, work.strain, self.phi, self.component,
            work.inner, work.nodes, work.end, laws.stress,
            laws.stiffness, laws.posed, laws.load, laws.load_tangent, force, inner_force,
            work.matrices, work.wrench, work.columns, work.moved, work.product, work.small,
            work.forms, work.square,
        )  # fmt: skip
        return ElementMatrices(work.matrices)

    def increments(self, d_nodes: Array, d_inner: Array, work: "StrainWork") -> Array:
        """Linear change of the strain at all points: it depends on the coefficients only."""
        work.d_inner = d_inner
        zero = np.zeros_like(self.rest_strain)
        kernels.strains(
            self.rod_points, zero, self.phi, self.component, d_inner[1::2], work.d_strain
        )
        return work.d_strain

    def links(self, fraction: float, work: "StrainWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        return self._link(work.inner + fraction * work.d_inner, work)

    def _link(self, inner: Array, work: "StrainWork") -> Pose:
        """Pose of each tip in its base."""
        kernels.strains(
            self.rod_points, self.rest_strain, self.phi, self.component, inner[1::2],
            work.link_strain,
        )  # fmt: skip
        start = np.tile(np.eye(4), (len(self.rods), 1, 1))
        kernels.integrate(
            self.rod_steps, self.step, self.gauss, work.link_strain, start, work.link_poses,
            work.link_end, work.twist, work.frames,
        )  # fmt: skip
        links = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        links[1::2] = work.link_end
        return links

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Forces follow from the strain."""
        return None

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        work = self.work()
        self.kinematics(nodes, inner, np.empty(0, dtype=np.int64), work)
        q = inner[2 * rod + 1, : len(self.component)]
        rest = np.array([self.rods[rod].rest_strain(x) for x in s]).reshape(-1, 6)
        strain = rest.copy()
        np.add.at(strain.T, self.component, (self._functions(rod, s) * q).T)
        own = slice(self.rod_steps[rod], self.rod_steps[rod + 1])
        ends = np.cumsum(self.step[own])
        index = np.minimum(np.searchsorted(ends, s, side="left"), len(ends) - 1)
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        kernels.place(
            np.arange(len(s)), own.start + index, s - (ends - self.step[own])[index], self.step,
            self.gauss, work.strain, work.poses, pose, work.twist, work.frames,
        )  # fmt: skip
        return pose, strain


class StrainWork:
    """Arrays of one evaluation of ``StrainRods``; names as in ``variable_strain_kernels``."""

    def __init__(self, n_rods: int, n_steps: int, n_points: int, n: int) -> None:
        self.inner = self.d_inner = np.zeros((2 * n_rods, n + 6))
        self.nodes = np.tile(np.eye(4), (2 * n_rods, 1, 1))
        self.strain = np.empty((n_points, 6))
        self.link_strain = np.empty((n_points, 6))
        self.d_strain = np.empty((n_points, 6))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.poses = np.tile(np.eye(4), (n_steps, 1, 1))
        self.link_poses = np.tile(np.eye(4), (n_steps, 1, 1))
        self.end = np.tile(np.eye(4), (n_rods, 1, 1))
        self.link_end = np.tile(np.eye(4), (n_rods, 1, 1))
        self.twist = np.empty(6)
        self.frames = np.tile(np.eye(4), (3, 1, 1))
        self.matrices = np.zeros((2 * n_rods, n + 18, n + 18))
        self.wrench = np.empty((n_steps + 1, 6))
        self.columns = np.zeros((n + 6, 6))
        self.moved = np.empty((n + 6, 6))
        self.product = np.empty((2 * (n + 6), 6))
        self.small = np.empty(28)
        self.forms = np.empty((5, 18))
        self.square = np.empty((4, 36))


def _orders(orders: object) -> tuple[int, ...]:
    """Six whole numbers, not all zero."""
    allowed = (
        "six whole numbers from 0 to 100, not all 0: torsion, bending y, z, stretch, shear y, z"
    )
    values = tuple(orders) if isinstance(orders, Iterable) else ()
    whole = all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in values)
    good = len(values) == 6 and whole and all(0 <= n <= 100 for n in values)
    if not good or not any(values):
        raise ModelError(f"VariableStrain orders must be {allowed}; got {orders!r}")
    return tuple(int(n) for n in values)
