"""Rods as cubic Hermite elements on SE(3): poses and strains at the nodes.

    g(u) = g_0 exp(b_1 Ω_1) exp(b_2 Ω_2) exp(b_3 Ω_3),    u = (s - a)/h               (theory 2.7)
    Ω_1 = h ξ_0/3,   Ω_3 = h ξ_1/3,   Ω_2 = log(exp(-Ω_1) g_0⁻¹ g_1 exp(-Ω_3))
    b_1 = 1 - (1 - u)³,   b_2 = 3u² - 2u³,   b_3 = u³

on an element [a, a + h]: the cumulative Bézier curve of g_0, g_0 exp(Ω_1), g_1 exp(-Ω_3), g_1. Its
strains at the ends are ξ_0 and ξ_1. Neighbours share poses and strains; where strains may jump, a
node has two. Forces of stretch and shear are unknowns of their own, continuous like the strain and
quadratic in every element, so that thin rods do not lock (``assumed_strain``).
Reference: [LieGroup2025, section 3.5]. The tangent here is exact; the forces are ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

import numpy as np

from flexura.robot.check import check_count
from flexura.rods import cumulative_kernels
from flexura.rods import hermite_kernels as kernels
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.basis import distinct, grains, span_breaks
from flexura.rods.discretization import (
    LIMPEST,
    NO_PAIRS,
    ElementMatrices,
    PointForces,
    Points,
    RodPlan,
    StrainField,
    WrenchField,
)
from flexura.rods.elements import inside
from flexura.rods.factors import Factors, Scratch, Slopes
from flexura.rods.quadrature import gauss_points
from flexura.rods.rest import steps_along
from flexura.typing import Array, Indices, Pose, Strain, Wrench, frozen
from flexura.value import ReadOnly

POINTS = 4
# A strain that may jump at a node is looked at this far from it, over the length of the element.
BESIDE = 1e-9
# Grains (``RodGroup``) in an element.
GRAINS = 6.0


@dataclass(frozen=True)
class Hermite:
    """Cubic Hermite elements on SE(3), with poses and strains at the nodes, for each rod.

    Attributes:
        elements: number of elements per rod, of equal length; about that many where point and
            line loads begin or end, because elements end there too.
    """

    elements: int = 4

    def __post_init__(self) -> None:
        check_count("Hermite", "elements", self.elements, 100_000, "4 to 16 suit most rods")

    @property
    def kind(self) -> tuple[str]:
        """All rods of Hermite elements are evaluated together."""
        return ("hermite",)

    def finer(self, factor: float) -> "Hermite":
        """The same with so many times as many elements."""
        return replace(self, elements=ceil(factor * self.elements))

    def group(self, plans: Sequence[RodPlan]) -> "HermiteRods":
        """Discretize rods whose choices are all of this kind."""
        return HermiteRods(plans)

    def breaks(self, plan: RodPlan) -> tuple[Array, list[float]]:
        """Ends of the elements of a rod, and those inside where the strain may jump [m]."""
        length = plan.rod.length
        jumps = distinct(plan.jumps, length)
        return span_breaks(length, self.elements, jumps), jumps


class HermiteRods(ReadOnly):
    """Rods described by Hermite elements; a ``RodGroup``."""

    hidden = 0
    pairs = NO_PAIRS

    def __init__(self, plans: Sequence[RodPlan]) -> None:
        self.order = 3  # poses do not commute: theory 2.4
        self.components = 6
        self.reach = 1
        self.free = frozen(np.ones(6, dtype=np.bool_))
        self.integrated = False
        self.delicate = False
        self.limpest, self.denser = LIMPEST, 1.0
        self.complementary = True
        self.rods = tuple(plan.rod for plan in plans)
        cuts = [cast(Hermite, plan.choice).breaks(plan) for plan in plans]
        self.breaks = [breaks for breaks, _ in cuts]
        self.grain = frozen(grains(self.breaks, GRAINS))
        self.rod_nodes = frozen(np.cumsum([0, *(len(breaks) for breaks in self.breaks)]))
        self.length = frozen(np.concatenate([np.diff(b, prepend=b[0]) for b in self.breaks]))
        self.elements = frozen(np.flatnonzero(self.length))
        self.jumps = frozen(np.concatenate([np.isin(*cut) for cut in cuts]))
        self._number()
        self._lay_out()

    def _number(self) -> None:
        """Inner unknowns of the nodes, and those that elements share with the node before."""
        self.n_inner = kernels.WIDTH
        size = np.where(self.jumps, kernels.WIDTH, kernels.BEYOND)
        size[self.rod_nodes[:-1]] = kernels.SHARED
        self.inner_size = frozen(size)
        jumped = np.concatenate([[False], self.jumps[:-1]])
        self.shared = frozen(np.where(jumped, kernels.BEYOND, 0))
        self.shared_size = frozen(np.full(self.n_nodes, kernels.SHARED))
        forces = np.repeat([False, True, False, True], [kernels.FORCE, 6, 6, 3])
        self.multiplier = frozen(forces)
        arm, h = max(rod.length for rod in self.rods), self.length.max()
        strain = [1.0 / (arm * h)] * 3 + [1.0 / h] * 3
        self.inner_units = frozen(np.array([*strain, *[1.0 / arm] * 6, *strain, *[1.0 / arm] * 3]))

    def _lay_out(self) -> None:
        """Points of all elements."""
        columns: list[tuple[Array | Indices, ...]] = []
        for index, breaks in enumerate(self.breaks):
            s, weight = (x.ravel() for x in gauss_points(breaks, POINTS))
            element, u = inside(breaks, s)
            columns.append((np.full(len(s), index), s, weight, element + self.rod_nodes[index], u))
        rod, s, weight, self.point_node, u = (
            frozen(np.concatenate(column)) for column in zip(*columns, strict=True)
        )
        self.points = Points(rod, s, weight, POINTS)
        self.point_first = frozen(3 * self.point_node + 2)
        self.span_first = frozen(3 * self.elements - 1)
        self.span_points = frozen(POINTS * np.arange(len(self.elements) + 1))
        self.b, self.db = (frozen(x) for x in bezier(u, self.length[self.point_node + 1]))
        self.assumed = self.force_functions(self.point_node, u)

    def force_functions(self, node: Indices, u: Array) -> AssumedStrain:
        """Functions of the forces at places u of the elements that begin at nodes."""
        nodes = np.stack([node, node + 1, node + 1], axis=1)
        columns = np.empty_like(nodes)
        columns[:, 0] = self.shared[node + 1] + kernels.FORCE
        columns[:, 1], columns[:, 2] = kernels.FORCE, kernels.BUBBLE
        basis = np.stack([1.0 - u, u, 4.0 * u * (1.0 - u)], axis=1)
        return AssumedStrain(frozen(nodes), frozen(columns), frozen(basis))

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all rods."""
        return int(self.rod_nodes[-1])

    def work(self) -> "HermiteWork":
        """New arrays for evaluations."""
        return HermiteWork(self.n_nodes, self.b, self.db)

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, strains, and no forces."""
        links = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        fields = [rod.rest_strain for rod in self.rods]
        for i, strain in enumerate(fields):
            links[self.rod_nodes[i] + 1 : self.rod_nodes[i + 1]] = steps_along(
                strain, self.breaks[i]
            )
        return links, np.concatenate([self.fit(i, strain) for i, strain in enumerate(fields)])

    def node_lengths(self, rod: int) -> Array:
        """Ends of the elements of a rod."""
        return self.breaks[rod]

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Strains and forces at the nodes of a rod."""
        breaks, n = self.breaks[rod], len(self.breaks[rod])
        beside = BESIDE * np.diff(breaks)
        inner = np.zeros((n, self.n_inner))
        after, before = strain(breaks[:-1] + beside), strain(breaks[1:] - beside)
        inner[0, :6], inner[1:, :6] = after[0], before
        jumps = self.jumps[self.rod_nodes[rod] : self.rod_nodes[rod + 1]]
        smooth = np.flatnonzero(~jumps[1:-1]) + 1
        inner[smooth, :6] = 0.5 * (before[smooth - 1] + after[smooth])
        where = np.flatnonzero(jumps)
        inner[where, kernels.BEYOND : kernels.BEYOND + 6] = after[where]
        if wrench is not None:
            force = wrench(breaks)[:, 3:]
            inner[:, kernels.FORCE : kernels.BUBBLE] = force
            inner[where, kernels.BEYOND + kernels.FORCE :] = force[where]
        return inner

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "HermiteWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones; no node is loose."""
        self._differences(nodes, inner, work)
        cumulative_kernels.strains(self.span_first, self.span_points, *work.factors, work.strain)
        self.assumed.interpolate(inner, work.force)
        if len(posed):
            cumulative_kernels.poses(
                posed, self.point_node, self.point_first, nodes, self.b, work.omega, work.pose,
                work.frames, work.vectors[0],
            )  # fmt: skip

    def _differences(self, nodes: Pose, inner: Array, work: "HermiteWork") -> None:
        """Ω of every element, and the tangents of Ω_2."""
        kernels.differences(
            self.rod_nodes, self.length, self.shared, nodes, inner, work.omega, work.near,
            work.across, work.from_end, work.to_end, work.frames, work.vectors[0],
        )  # fmt: skip

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "HermiteWork"
    ) -> ElementMatrices:
        """Carry the laws back to the poses, strains and forces of the nodes."""
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            self.elements, self.span_points, self.length, self.shared, *work.factors, work.near,
            work.across, work.from_end, work.to_end, self.assumed.basis, self.points.weight,
            forces.flexibility, *forces.laws, forces.symmetric, force, inner_force, work.matrices,
            *work.slopes, *work.scratch, work.mixed, work.found,
        )  # fmt: skip
        self.assumed.carry(forces.excess, inner_force)
        return ElementMatrices(work.matrices, (self.shared, self.shared_size))

    def carry_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "HermiteWork"
    ) -> None:
        """Add the forces that stress, load and excess at the points make."""
        kernels.carry_back(
            self.elements, self.span_points, self.length, self.shared, *work.factors, work.across,
            forces.stress, forces.posed, forces.load, force, inner_force, work.slopes.gamma,
            work.vectors,
        )  # fmt: skip
        self.assumed.carry(forces.excess, inner_force)

    def carry_ties(self, force: Array, inner_force: Array, work: "HermiteWork") -> None:
        """Nothing ties an element to its nodes: they are its ends."""

    def increments(self, d_nodes: Array, d_inner: Array, work: "HermiteWork") -> Array:
        """Linear change of the strain at all points for increments of nodes and strains."""
        kernels.increments(
            self.rod_nodes, self.span_first, self.span_points, self.length, self.shared,
            *work.factors, work.across, d_nodes, d_inner, work.d_omega, work.d_strain,
            work.vectors,
        )  # fmt: skip
        return work.d_strain

    def relative_poses(self, fraction: float, work: "HermiteWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        kernels.links(
            self.rod_nodes, fraction, work.omega, work.d_omega, work.link, work.frames,
            work.vectors[0],
        )  # fmt: skip
        return work.link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Force at any arc lengths of a rod, (n, 3)."""
        element, u = inside(self.breaks[rod], s)
        found = np.empty((len(s), 3))
        functions = self.force_functions(element + self.rod_nodes[rod], u)
        functions.interpolate(np.ascontiguousarray(inner), found)
        return found

    def turn(self, nodes: Pose, work: "HermiteWork") -> float:
        """Rotation of Ω_2, about a third of that of the element, over half a turn."""
        return float(kernels.turn(self.rod_nodes, work.omega) / np.pi)

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        nodes = np.ascontiguousarray(nodes)
        node, work = self._at(nodes, inner, rod, s)
        cumulative_kernels.poses(
            np.arange(len(s)), node, 3 * node + 2, nodes, work.factors.b, work.omega, work.pose,
            work.frames, work.vectors[0],
        )  # fmt: skip
        return work.pose, work.strain

    def _at(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Indices, "HermiteWork"]:
        """The nodes before places of a rod, and all but the poses there."""
        element, u = inside(self.breaks[rod], s)
        node = element + self.rod_nodes[rod]
        work = HermiteWork(self.n_nodes, *bezier(u, self.length[node + 1]))
        self._differences(nodes, np.ascontiguousarray(inner), work)
        points = np.arange(len(s) + 1)
        cumulative_kernels.strains(3 * node + 2, points, *work.factors, work.strain)
        return node, work

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod."""
        node, work = self._at(np.ascontiguousarray(nodes), inner, rod, np.array([s]))
        force = np.zeros((len(wrenches), self.n_nodes, 6))
        inner_force = np.zeros((len(wrenches), self.n_nodes, self.n_inner))
        point, stress, here = np.arange(2), np.zeros((1, 6)), np.ones(1, dtype=np.bool_)
        for i, wrench in enumerate(wrenches):
            kernels.carry_back(
                node + 1, point, self.length, self.shared, *work.factors, work.across, stress,
                here, wrench[None], force[i], inner_force[i], work.slopes.gamma, work.vectors,
            )  # fmt: skip
        return force, inner_force


class HermiteWork:
    """Arrays of one evaluation of ``HermiteRods``; names as in its kernels."""

    def __init__(self, n_nodes: int, b: Array, db: Array) -> None:
        n_points = len(b)
        self.omega, self.d_omega, gamma, gamma_ahead = np.zeros((4, 3 * n_nodes, 6))
        self.near, self.across = np.zeros((2, n_nodes, 4, 18))
        self.from_end, self.to_end = np.zeros((2, n_nodes, 18))
        self.link = np.tile(np.eye(4), (n_nodes, 1, 1))
        transport, tangent, jacobian = np.empty((3, n_points, 3, 18))
        eta = np.empty((n_points, 3, 6))
        self.factors = Factors(b, db, self.omega, transport, tangent, eta)
        self.slopes = Slopes(gamma, gamma_ahead, jacobian)
        self.strain, self.d_strain = np.empty((2, n_points, 6))
        self.force = np.zeros((n_points, 3))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.matrices = np.zeros((n_nodes, kernels.SIZE, kernels.SIZE))
        self.vectors, duals = np.empty((7, 6)), np.empty((6, 18))
        self.frames = np.tile(np.eye(4), (3, 1, 1))
        self.mixed = np.empty((4, 36))
        material, local, self.found = np.empty((3, 4, 4, 36))
        forms = np.empty((4, 4, 18))
        self.scratch = Scratch(self.vectors, duals, forms, material, local, self.mixed[0])


def bezier(u: Array, length: Array) -> tuple[Array, Array]:
    """b and b' = db/ds at places u of elements, (n, 3) each."""
    v = 1.0 - u
    b = np.stack([1.0 - v**3, u * u * (3.0 - 2.0 * u), u**3], axis=1)
    db = np.stack([3.0 * v * v, 6.0 * u * v, 3.0 * u * u], axis=1) / length[:, None]
    return b, db
