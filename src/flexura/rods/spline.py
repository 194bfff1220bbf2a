"""Rods as cumulative B-splines on SE(3).

    g(s) = g_0 Π_i exp(b_i(s) Ω_i),   Ω_i = log(g_{i-1}⁻¹ g_i)          (theory 2.1)

The control poses are the nodes; the end poses of the rod are the end nodes.
Reference: [LieGroup2025, section 3]. The tangent here is exact.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

import numpy as np

from flexura.errors import ModelError, show
from flexura.robot.check import check_count, flag
from flexura.rods import assumed_strain_kernels as assumed_kernels
from flexura.rods import cumulative_kernels, difference_kernels
from flexura.rods import spline_kernels as kernels
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.basis import (
    clamped_knots,
    cumulative_basis,
    distinct,
    grains,
    greville,
    span_breaks,
)
from flexura.rods.discretization import (
    LIMPEST,
    NO_PAIRS,
    NodeBlocks,
    PointForces,
    Points,
    RodPlan,
    StrainField,
    WrenchField,
)
from flexura.rods.factors import Factors, Scratch, Slopes
from flexura.rods.inner import inner_sizes
from flexura.rods.quadrature import gauss_points
from flexura.rods.rest import rest_steps
from flexura.rods.turn import turn_between
from flexura.typing import Array, Indices, Pose, Strain, Wrench, frozen, real_numbers
from flexura.value import ReadOnly

MAX_DEGREE = 5
# Grains (``RodGroup``) in a span.
GRAINS = 4.0
HERE = frozen(np.ones(1, dtype=np.bool_))


@dataclass(frozen=True)
class Spline:
    """Cumulative B-spline on SE(3) for each rod.

    Attributes:
        degree: polynomial degree, 1 (piecewise constant strain) to 5.
        spans: number of polynomial pieces per rod; a rod has about ``spans + degree`` control
            poses.
        breakpoints: further arc lengths where the strain may jump [m]. Where point and line
            loads begin or end, it may jump anyway.
        assumed_strain: whether forces are unknowns of their own, so that thin rods do not lock.
    """

    degree: int = 3
    spans: int = 12
    breakpoints: tuple[float, ...] = ()
    assumed_strain: bool = True

    def __post_init__(self) -> None:
        check_count("Spline", "degree", self.degree, MAX_DEGREE, "3 is a good choice")
        check_count("Spline", "spans", self.spans, 100_000)
        object.__setattr__(
            self, "assumed_strain", flag("Spline", "assumed_strain", self.assumed_strain)
        )
        try:
            points = real_numbers(self.breakpoints)
        except (TypeError, ValueError):
            points = np.array([np.nan])
        if points.ndim != 1 or not np.isfinite(points).all():
            raise ModelError(
                "Spline breakpoints must be a sequence of arc lengths in metres, "
                f"got {show(self.breakpoints)}"
            )
        object.__setattr__(self, "breakpoints", tuple(float(x) for x in points))

    @property
    def kind(self) -> Hashable:
        """Splines of one degree are evaluated together."""
        return ("spline", self.degree, self.assumed_strain)

    def finer(self, factor: float) -> "Spline":
        """The same with so many times as many spans."""
        return replace(self, spans=ceil(factor * self.spans))

    def group(self, plans: Sequence[RodPlan]) -> "SplineRods":
        """Discretize rods whose choices are splines of this degree."""
        return SplineRods(self.degree, self.assumed_strain, plans)

    def knots(self, plan: RodPlan) -> tuple[Array, Array]:
        """Ends of the spans and knots of a rod."""
        length = plan.rod.length
        for s in self.breakpoints:
            if not 0.0 < s < length:
                raise ModelError(
                    f"Spline breakpoint {s} m is not inside rod {plan.rod.name!r} "
                    f"of length {length} m; give different rods different Splines"
                )
        jumps = distinct([*plan.jumps, *self.breakpoints], length)
        breaks = span_breaks(length, self.spans, jumps)
        return breaks, clamped_knots(breaks, self.degree, jumps)


class SplineRods(ReadOnly):
    """Rods described by splines of one degree; a ``RodGroup``."""

    hidden = 0
    pairs = NO_PAIRS

    def __init__(self, degree: int, assumed: bool, plans: Sequence[RodPlan]) -> None:
        self.degree = degree
        self.order = min(degree + 1, 3)  # poses do not commute: theory 2.4
        self.rods = tuple(plan.rod for plan in plans)
        self.knots: list[Array] = []
        rod_nodes = [0]
        columns: list[tuple[Array | Indices, ...]] = []
        count = 0
        for index, plan in enumerate(plans):
            breaks, knots = cast(Spline, plan.choice).knots(plan)
            s, weight = gauss_points(breaks, degree + 1)
            s, weight = s.ravel(), weight.ravel()
            first, b, db = cumulative_basis(knots, degree, s)
            columns.append((np.full(len(s), index), s, weight, first + rod_nodes[-1], b, db))
            count += len(s)
            self.knots.append(knots)
            rod_nodes.append(rod_nodes[-1] + len(knots) - degree - 1)
        rod, s, weight, self.point_first, self.b, self.db = (
            frozen(np.concatenate(column)) for column in zip(*columns, strict=True)
        )
        spans = [np.unique(knots) for knots in self.knots]
        self.grain = frozen(grains(spans, GRAINS if degree > 1 else 1.0))
        self.rod_nodes = frozen(np.array(rod_nodes))
        self.points = Points(rod, s, weight, degree + 1)
        span_first, starts = np.unique(self.point_first, return_index=True)
        self.span_first = frozen(span_first)
        self.span_points = frozen(np.append(starts, count))
        self.reach = degree
        self.components = 6
        self.free = frozen(np.ones(6, dtype=np.bool_))
        self._rest = frozen(self._rest_links())
        self.complementary = assumed
        self.assumed = self._force_functions() if assumed else None
        self.n_inner = 3 if assumed else 0
        self.inner_size = frozen(inner_sizes(self.rod_nodes, self.n_inner))
        self.multiplier = frozen(np.ones(self.n_inner, dtype=np.bool_))
        self.integrated = False
        self.delicate = False
        self.limpest, self.denser = LIMPEST, 1.0
        arm = max(rod.length for rod in self.rods)
        self.inner_units = frozen(np.full(self.n_inner, 1.0 / arm))

    def _rest_links(self) -> Pose:
        """Pose of each control pose in the one before it, without load."""
        links = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        places = [greville(knots, self.degree) for knots in self.knots]
        later = np.delete(np.arange(self.n_nodes), self.rod_nodes[:-1])
        links[later] = rest_steps(self.rods, places)
        return links

    def _force_functions(self) -> AssumedStrain:
        """The functions of the forces: b_i' without its factor degree / (t_{i+degree} - t_i)."""
        scale = np.zeros(self.n_nodes)
        for knots, first in zip(self.knots, self.rod_nodes, strict=False):
            n, k = len(knots) - self.degree - 1, self.degree
            scale[first + 1 : first + n] = (knots[1 + k : n + k] - knots[1:n]) / k
        columns = self.point_first[:, None] + 1 + np.arange(self.degree)
        zero = np.zeros(columns.shape, dtype=np.int64)
        return AssumedStrain(frozen(columns), frozen(zero), frozen(self.db * scale[columns]))

    @property
    def n_nodes(self) -> int:
        """Number of control poses of all rods."""
        return int(self.rod_nodes[-1])

    def work(self) -> "SplineWork":
        """New arrays for evaluations."""
        return SplineWork(self.n_nodes, self.b, self.db)

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each control pose in the one before it.

        Control poses lie on the rest shape at the Greville abscissae: exact for a constant
        strain, else second order, which does for a start.
        """
        return self._rest, np.zeros((self.n_nodes, self.n_inner))

    def node_lengths(self, rod: int) -> Array:
        """Greville abscissae of a rod."""
        return greville(self.knots[rod], self.degree)

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Forces, each where its function is about the largest."""
        inner = np.zeros((self.rod_nodes[rod + 1] - self.rod_nodes[rod], self.n_inner))
        if wrench is not None and self.n_inner:
            at = self.node_lengths(rod)
            inner[1:] = wrench(0.5 * (at[1:] + at[:-1]))[:, 3:]
        return inner

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "SplineWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones; no node is loose."""
        difference_kernels.differences(
            nodes, self.rod_nodes, work.omega, work.from_end, work.to_end, work.frames[0]
        )
        cumulative_kernels.strains(self.span_first, self.span_points, *work.factors, work.strain)
        if self.assumed is not None:
            self.assumed.interpolate(inner, work.force)
        if len(posed):
            cumulative_kernels.poses(
                posed, self.point_first, self.point_first, nodes, self.b, work.omega, work.pose,
                work.frames, work.vectors[0],
            )  # fmt: skip

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "SplineWork"
    ) -> NodeBlocks:
        """Carry the laws back to the control poses and the forces."""
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            self.rod_nodes, self.span_first, self.span_points, *work.factors, work.from_end,
            work.to_end, *forces.laws, forces.symmetric, force, *work.slopes, work.blocks,
            *work.scratch, work.mixed,
        )  # fmt: skip
        if self.assumed is None:
            return NodeBlocks(work.blocks)
        assumed = self.assumed
        assumed_kernels.couple(
            self.span_first, self.span_points, assumed.node, assumed.column, assumed.basis,
            self.points.weight, forces.flexibility, forces.excess, work.from_end, work.to_end,
            work.slopes.jacobian, inner_force, work.rows, work.between, work.scratch.product,
        )  # fmt: skip
        return NodeBlocks(work.blocks, work.rows, work.between)

    def carry_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "SplineWork"
    ) -> None:
        """Add the forces that stress, load and excess at the points make."""
        kernels.carry_back(
            self.rod_nodes, self.span_first, self.span_points, *work.factors, work.from_end,
            work.to_end, forces.stress, forces.posed, forces.load, force, work.slopes.gamma,
            work.vectors,
        )  # fmt: skip
        if self.assumed is not None:
            self.assumed.carry(forces.excess, inner_force)

    def carry_ties(self, force: Array, inner_force: Array, work: "SplineWork") -> None:
        """Nothing ties a spline to its control poses."""

    def increments(self, d_nodes: Array, d_inner: Array, work: "SplineWork") -> Array:
        """Linear change of the strain at all points for increments of the nodes."""
        kernels.strain_increments(
            self.rod_nodes, self.span_first, self.span_points, *work.factors, work.from_end,
            work.to_end, d_nodes, work.d_omega, work.d_strain, work.vectors,
        )  # fmt: skip
        return work.d_strain

    def relative_poses(self, fraction: float, work: "SplineWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        difference_kernels.links(
            self.rod_nodes, fraction, work.omega, work.d_omega, work.link, work.vectors[0]
        )
        return work.link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Force at any arc lengths of a rod, where it is an unknown of its own, (n, 3)."""
        if self.assumed is None:
            return None
        start, stop = self.rod_nodes[rod], self.rod_nodes[rod + 1]
        k, knots = self.degree, self.knots[rod]
        first, _, db = cumulative_basis(knots, k, s)
        scale = (knots[1 + k : stop - start + k] - knots[1 : stop - start]) / k
        columns = first[:, None] + np.arange(k)
        own = inner[start + 1 : stop]
        return np.asarray(np.einsum("nk,nkc->nc", db * scale[columns], own[columns]))

    def turn(self, nodes: Pose, work: "SplineWork") -> float:
        """Rotation between control poses, over half a turn."""
        return float(turn_between(nodes, self.rod_nodes))

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        own = np.ascontiguousarray(nodes[self.rod_nodes[rod] : self.rod_nodes[rod + 1]])
        first, work = self._at(own, rod, s)
        cumulative_kernels.poses(
            np.arange(len(s)), first, first, own, work.factors.b, work.omega, work.pose,
            work.frames, work.vectors[0],
        )  # fmt: skip
        return work.pose, work.strain

    def _at(self, own: Pose, rod: int, s: Array) -> tuple[Indices, "SplineWork"]:
        """First nodes of places of a rod, and all but their poses, for given poses of its nodes."""
        first, b, db = cumulative_basis(self.knots[rod], self.degree, s)
        work = SplineWork(len(own), b, db)
        difference_kernels.differences(
            own, np.array([0, len(own)]), work.omega, work.from_end, work.to_end, work.frames[0]
        )
        cumulative_kernels.strains(first, np.arange(len(s) + 1), *work.factors, work.strain)
        return first, work

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod."""
        start, stop = self.rod_nodes[rod], self.rod_nodes[rod + 1]
        first, work = self._at(np.ascontiguousarray(nodes[start:stop]), rod, np.array([s]))
        force = np.zeros((len(wrenches), self.n_nodes, 6))
        ends, point, stress = np.array([0, stop - start]), np.arange(2), np.zeros((1, 6))
        for own, wrench in zip(force, wrenches, strict=True):
            kernels.carry_back(
                ends, first, point, *work.factors, work.from_end, work.to_end, stress, HERE,
                wrench[None], own[start:stop], work.slopes.gamma, work.vectors,
            )  # fmt: skip
        return force, np.zeros((len(wrenches), self.n_nodes, self.n_inner))


class SplineWork:
    """Arrays of one evaluation of ``SplineRods``; names as in its kernels."""

    def __init__(self, n_nodes: int, b: Array, db: Array) -> None:
        n_points, k = b.shape
        self.omega, self.d_omega, gamma, gamma_ahead = np.zeros((4, n_nodes, 6))
        transport, tangent, jacobian = np.empty((3, n_points, k, 18))
        eta = np.empty((n_points, k, 6))
        self.factors = Factors(b, db, self.omega, transport, tangent, eta)
        self.slopes = Slopes(gamma, gamma_ahead, jacobian)
        self.from_end, self.to_end = np.zeros((2, n_nodes, 18))
        self.link = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.strain, self.d_strain = np.empty((2, n_points, 6))
        self.force = np.zeros((n_points, 3))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.frames = np.tile(np.eye(4), (3, 1, 1))
        self.blocks = np.empty((n_nodes, 2 * k + 1, 36))
        self.rows = np.zeros((n_nodes, 2 * k, 18))
        self.between = np.zeros((n_nodes, k, 3))
        self.vectors, duals = np.empty((k + 4, 6)), np.empty((k + 3, 18))
        material, local, self.mixed = np.empty((3, k + 1, k + 1, 36))
        forms, product = np.empty((k + 1, k + 1, 18)), self.mixed[0, 0]
        self.scratch = Scratch(self.vectors, duals, forms, material, local, product)

    def take_poses(self, pose: Pose) -> None:
        """Write poses at the points to another array from now on."""
        self.pose = pose
