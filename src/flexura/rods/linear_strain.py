"""Rods as elements of linear strain between nodes on SE(3).

    ξ(s) = x + (s - h/2) β,     log(g_a⁻¹ g_b) = (h - h³/12 ad_β) x

An element of length h has its end poses as nodes and the slope β of the strain as inner unknowns;
the fourth-order Magnus expansion gives the mean strain x without iteration. Strains may jump from
one element to the next. A bent element need not stretch, so thin rods do not lock.
Reference: [ParallelRobots2025, eq. 2-9]. The paper freezes the Jacobians in its tangent; the
tangent here is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import cast

import numpy as np

from flexura.lie import se3
from flexura.robot.check import check_count
from flexura.rods import difference_kernels
from flexura.rods import linear_strain_kernels as kernels
from flexura.rods.basis import distinct, grains, span_breaks
from flexura.rods.discretization import (
    NO_PAIRS,
    ElementMatrices,
    PointForces,
    Points,
    RodPlan,
    StrainField,
    WrenchField,
)
from flexura.rods.elements import element_of
from flexura.rods.inner import inner_sizes
from flexura.rods.linear_strain_element import Element, Scratch
from flexura.rods.quadrature import gauss_points, gauss_rule
from flexura.typing import Array, Indices, Pose, Strain, Wrench, frozen
from flexura.value import ReadOnly

# Three points integrate the energy of a uniform section and a rest strain of degree two exactly, a
# taper to h⁶: two orders beyond the element. Two would make its error a quarter larger.
POINTS = 3
# Elements, two places of unknowns each, bend by themselves from N h² = 12 EI on: half as long.
LIMPEST = 0.25 * sqrt(12.0)
# Grains (``RodGroup``) in an element.
GRAINS = 6.0


@dataclass(frozen=True)
class LinearStrain:
    """Elements whose strain is linear in arc length, between poses, for each rod.

    Attributes:
        elements: number of elements per rod, of equal length; about that many where point and
            line loads begin or end, because elements end there too.
    """

    elements: int = 4

    def __post_init__(self) -> None:
        check_count("LinearStrain", "elements", self.elements, 100_000, "4 to 16 suit most rods")

    @property
    def kind(self) -> tuple[str]:
        """All rods of linear strain elements are evaluated together."""
        return ("linear_strain",)

    def finer(self, factor: float) -> "LinearStrain":
        """The same with so many times as many elements."""
        return replace(self, elements=ceil(factor * self.elements))

    def group(self, plans: Sequence[RodPlan]) -> "LinearStrainRods":
        """Discretize rods whose choices are all of this kind."""
        return LinearStrainRods(plans)

    def breaks(self, plan: RodPlan) -> Array:
        """Ends of the elements of a rod [m]."""
        length = plan.rod.length
        return span_breaks(length, self.elements, distinct(plan.jumps, length))


class LinearStrainRods(ReadOnly):
    """Rods described by linear strain elements; a ``RodGroup``."""

    pairs = NO_PAIRS

    def __init__(self, plans: Sequence[RodPlan]) -> None:
        self.order = 4  # inside elements of a rod that is soft in shear or stretch: 3
        self.reach = 1
        self.components = 6
        self.free = frozen(np.ones(6, dtype=np.bool_))
        self.n_inner = self.hidden = 6
        self.multiplier = frozen(np.zeros(6, dtype=np.bool_))
        self.integrated = False
        self.delicate = False
        self.limpest, self.denser = LIMPEST, 1.0
        self.complementary, self.assumed = False, None
        self.rods = tuple(plan.rod for plan in plans)
        self.breaks = [cast(LinearStrain, plan.choice).breaks(plan) for plan in plans]
        self.grain = frozen(grains(self.breaks, GRAINS))
        self.rod_nodes = frozen(np.cumsum([0, *(len(b) for b in self.breaks)]))
        self.inner_size = frozen(inner_sizes(self.rod_nodes, self.n_inner))
        columns: list[tuple[Array | Indices, ...]] = []
        for index, breaks in enumerate(self.breaks):
            s, weight = (x.ravel() for x in gauss_points(breaks, POINTS))
            _, node, inside = _by_element(breaks, s)
            rod = np.full(len(s), index)
            columns.append((rod, s, weight, node + self.rod_nodes[index], inside))
        rod, s, weight, self.point_node, self.inside = (
            frozen(np.concatenate(column)) for column in zip(*columns, strict=True)
        )
        self.points = Points(rod, s, weight, POINTS)
        self.first_point = frozen(np.searchsorted(self.point_node, np.arange(self.n_nodes + 1)))
        self.length = frozen(np.concatenate([np.diff(b, prepend=b[0]) for b in self.breaks]))
        self._aside = frozen(self.length**2 / 12.0)
        self._pulled, self._rest_stretch = (frozen(x) for x in self._tension())
        # δβ turns an element of length h by h² δβ, so the residual over h² is a moment, or a force.
        arm = max(rod.length for rod in self.rods)
        of_turn = np.array([1.0 / arm] * 3 + [1.0] * 3)
        self.inner_units = frozen(of_turn / self.length.max() ** 2)

    def _tension(self) -> tuple[Array, Array]:
        """h² EA / 12 EI of all elements, and their stretch at rest."""
        pulled, rest = np.zeros(self.n_nodes), np.ones(self.n_nodes)
        for i, rod in enumerate(self.rods):
            elements = slice(self.rod_nodes[i] + 1, self.rod_nodes[i + 1])
            middle = self.breaks[i][1:] - 0.5 * self.length[elements]
            stiffness = rod.stiffness(middle)
            pulled[elements] = stiffness[:, 3] / stiffness[:, 1:3].min(axis=1)
            rest[elements] = rod.rest_strain(middle)[:, 3]
        return pulled * self.length**2 / 12.0, rest

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all rods."""
        return int(self.rod_nodes[-1])

    def work(self) -> "LinearStrainWork":
        """New arrays for evaluations."""
        return LinearStrainWork(self.length, len(self.inside))

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and slopes.

        Each element has the mean and slope of its rest strain; a linear one is exact.
        """
        work = self.work()
        for i, rod in enumerate(self.rods):
            own = slice(self.rod_nodes[i], self.rod_nodes[i + 1])
            mean, work.slope[own] = self._line(i, rod.rest_strain)
            h = self.length[own, None]
            bracket = np.einsum("nij,nj->ni", se3.ad(work.slope[own]), mean)
            work.omega[own] = h * mean - h**3 / 12.0 * bracket
        return self.relative_poses(0.0, work), work.slope

    def node_lengths(self, rod: int) -> Array:
        """Ends of the elements of a rod."""
        return self.breaks[rod]

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Slopes of a rod's elements that follow a strain."""
        return self._line(rod, strain)[1]

    def _line(self, rod: int, strain: StrainField) -> tuple[Array, Array]:
        """Mean and slope of a strain in every element of a rod, (rod's nodes, 6) each."""
        breaks = self.breaks[rod]
        s, _ = gauss_points(breaks, POINTS)
        x, w = gauss_rule(POINTS)
        values = strain(s.ravel()).reshape(*s.shape, 6)
        mean, slope = np.zeros((2, len(breaks), 6))
        mean[1:] = np.einsum("p,epc->ec", 0.5 * w, values)
        slope[1:] = np.einsum("p,epc->ec", 3.0 * w * x, values) / np.diff(breaks)[:, None]
        return mean, slope

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "LinearStrainWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones; no node is loose."""
        kernels.strains(
            nodes, inner, self.rod_nodes, self.first_point, self.inside, *work.elements,
            work.strain, work.frame,
        )  # fmt: skip
        if len(posed):
            kernels.poses(
                posed, self.point_node, self.inside, self.length, nodes, work.slope, work.mean,
                work.pose, work.frame, work.vectors[0],
            )  # fmt: skip

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "LinearStrainWork"
    ) -> ElementMatrices:
        """Carry the laws back to the nodes and the slopes."""
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            self.rod_nodes, self.first_point, self.inside, *work.elements, *forces.laws,
            forces.symmetric, force, inner_force, work.matrices, *work.scratch,
        )  # fmt: skip
        return ElementMatrices(work.matrices)

    def carry_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "LinearStrainWork"
    ) -> None:
        """Add the forces that stress and load at the points make."""
        kernels.carry_back(
            self.rod_nodes, self.first_point, self.inside, *work.elements, forces.stress,
            forces.posed, forces.load, force, inner_force, work.vectors, work.scratch.duals,
        )  # fmt: skip

    def carry_ties(self, force: Array, inner_force: Array, work: "LinearStrainWork") -> None:
        """Nothing ties an element to its nodes: they are its ends."""

    def increments(self, d_nodes: Array, d_inner: Array, work: "LinearStrainWork") -> Array:
        """Linear change of the strain at all points for increments of nodes and slopes."""
        kernels.strain_increments(
            self.rod_nodes, self.first_point, self.inside, self.length, work.from_end,
            work.to_end, work.inverse, work.mean, d_nodes, d_inner, work.d_omega, work.d_strain,
            work.vectors,
        )  # fmt: skip
        return work.d_strain

    def relative_poses(self, fraction: float, work: "LinearStrainWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        difference_kernels.links(
            self.rod_nodes, fraction, work.omega, work.d_omega, work.link, work.vectors[0]
        )
        return work.link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Forces follow from the strain."""
        return None

    def turn(self, nodes: Pose, work: "LinearStrainWork") -> float:
        """Rotation between nodes, over half a turn; or within elements, by their slopes.

        Or the tension that makes elements bend by themselves, which brings their ends apart.
        """
        found = kernels.turn(
            nodes, self.rod_nodes, work.mean, work.slope, self._aside, self._rest_stretch,
            self._pulled,
        )  # fmt: skip
        return float(found)

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        own = slice(self.rod_nodes[rod], self.rod_nodes[rod + 1])
        order, node, inside = _by_element(self.breaks[rod], s)
        poses = nodes[own].copy()
        work = self._at(poses, inner[own], own, node, inside)
        kernels.poses(
            frozen(np.arange(len(s))), node, inside, self.length[own], poses, work.slope,
            work.mean, work.pose, work.frame, work.vectors[0],
        )  # fmt: skip
        back = np.argsort(order)
        return work.pose[back], work.strain[back]

    def _at(
        self, poses: Pose, slope: Array, own: slice, node: Indices, inside: Array
    ) -> "LinearStrainWork":
        """All but the poses at places of a rod, ``own`` its nodes, in the order of elements."""
        n = len(poses)
        first_point, rod_nodes = np.searchsorted(node, np.arange(n + 1)), np.array([0, n])
        work = LinearStrainWork(self.length[own], len(inside))
        kernels.strains(
            poses, slope, rod_nodes, first_point, inside, *work.elements, work.strain, work.frame
        )
        return work

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod."""
        own = slice(self.rod_nodes[rod], self.rod_nodes[rod + 1])
        _, node, inside = _by_element(self.breaks[rod], np.array([s]))
        work = self._at(nodes[own].copy(), inner[own], own, node, inside)
        n = own.stop - own.start
        first_point, rod_nodes = np.searchsorted(node, np.arange(n + 1)), np.array([0, n])
        force, inner_force = np.zeros((2, len(wrenches), self.n_nodes, 6))
        stress, here = np.zeros((1, 6)), np.ones(1, dtype=np.bool_)
        for i, wrench in enumerate(wrenches):
            kernels.carry_back(
                rod_nodes, first_point, inside, *work.elements, stress, here, wrench[None],
                force[i, own], inner_force[i, own], work.vectors, work.scratch.duals,
            )  # fmt: skip
        return force, inner_force


class LinearStrainWork:
    """Arrays of one evaluation of ``LinearStrainRods``; names as in ``linear_strain_kernels``."""

    def __init__(self, length: Array, n_points: int) -> None:
        n_nodes = len(length)
        self.slope, self.mean, self.omega, self.d_omega = np.zeros((4, n_nodes, 6))
        self.from_end, self.to_end, self.inverse = np.zeros((3, n_nodes, 18))
        self.elements = Element(
            length, self.slope, self.mean, self.omega, self.from_end, self.to_end, self.inverse
        )
        self.link = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.strain, self.d_strain = np.empty((2, n_points, 6))
        self.force = np.empty((0, 3))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.frame = np.eye(4)
        self.matrices = np.zeros((n_nodes, 18, 18))
        self.vectors, duals = np.empty((6, 6)), np.empty((8, 18))
        forms, moments = np.empty((3, 3, 18)), np.empty((3, 36))
        local, mixed = np.empty((2, 3, 3, 36))
        self.scratch = Scratch(self.vectors, duals, forms, moments, local, mixed)


def _by_element(breaks: Array, s: Array) -> tuple[Indices, Indices, Array]:
    """Arc lengths of a rod, element by element; an end belongs to the element after it.

    Returns their order; then, in that order, the node that the element leads to, counted from the
    first of the rod, and the arc length from the beginning of the element.
    """
    element = element_of(breaks, s)
    order = np.argsort(element, kind="stable")
    return order, frozen(element[order] + 1), frozen((s - breaks[element])[order])
