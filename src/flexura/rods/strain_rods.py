"""Rods whose strain is expanded in functions of arc length (GVS, Ritz).

    ξ(s) = ξ*(s) + Σ_j φ_j(u) e_{c(j)} q_j,    u = (s - a)/(b - a)         (theory 5.1)

on each smooth piece [a, b] of a rod: an element with its ends as nodes, its own q, and six
multipliers that tie the end of its integration to its second node.
Reference: [TendonRobots2025, section V]: one piece per rod. The tangent here is exact.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Protocol, cast

import numpy as np

from flexura.rods import variable_strain_curve_kernels as curve
from flexura.rods import variable_strain_kernels as kernels
from flexura.rods.basis import grains
from flexura.rods.discretization import (
    LIMPEST,
    ElementMatrices,
    PointForces,
    Points,
    RodPlan,
    StrainField,
    WrenchField,
)
from flexura.rods.elements import element_of, inside
from flexura.rods.inner import inner_sizes
from flexura.rods.integrated import IntegratedRods
from flexura.rods.quadrature import gauss_points
from flexura.rods.strain_basis import tabulate
from flexura.rods.turn import turn_of_steps
from flexura.typing import Array, Indices, Matrix, Pose, Strain, Wrench, frozen

# Loops over columns are compiled for vectors of four, and take them from 24 columns on.
PACK, NARROWEST = 4, 24
# Steps that are longer than this many lengths √(EI/T) do not hold what bends at clamps.
LIMPEST_STEPS = 2.0
# Grains (``RodGroup``) in a piece with one strain.
GRAINS = 2.5
# The two points of a step are this part of it from its middle.
ASIDE = np.sqrt(3.0) / 6.0


class Stepped(Protocol):
    """A choice of strain functions."""

    def step_ends(self, plan: RodPlan) -> list[Array]:
        """Ends of the integration steps of each element of a rod [m]."""


class StrainRods(IntegratedRods):
    """Rods described by strain functions on smooth pieces; a ``RodGroup``."""

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
        self.free = frozen(np.array(orders) > 0)
        self.components = 6
        self.component = frozen(np.repeat(np.arange(6), orders))
        self.runs = frozen(np.cumsum([0, *orders]))
        self.n_inner = len(self.component) + 6
        self.multiplier = frozen(np.arange(self.n_inner) >= len(self.component))
        self.integrated = True
        self.delicate = False
        self.limpest = LIMPEST if max(orders) == 1 else LIMPEST_STEPS
        self.complementary, self.assumed = False, None
        rods = [cast(Stepped, plan.choice).step_ends(plan) for plan in plans]
        self.breaks = [np.array([0.0, *(ends[-1] for ends in pieces)]) for pieces in rods]
        bend = max(orders[1:3]) or max(orders)  # polynomials: they lie as close at their ends
        self.grain = frozen(grains(self.breaks, max(GRAINS, bend**2)))
        self.rod_nodes = frozen(np.cumsum([0, *(len(breaks) for breaks in self.breaks)]))
        self.inner_size = frozen(inner_sizes(self.rod_nodes, self.n_inner))
        self.inner_units = frozen(self._inner_units())
        self.denser = self._denser(rods)
        self._lay_out(rods)

    def _denser(self, rods: Sequence[Sequence[Array]]) -> float:
        """How close functions are at ends of pieces, as far as steps tell, over the average.

        Those of n polynomials lie there as 1/n², elsewhere as 1/n.
        """
        steps = max(len(ends) - 1 for pieces in rods for ends in pieces)
        average = len(self.component) / 6.0
        return max(1.0, min(0.5 * steps, (0.5 * max(self._orders)) ** 2) / average)

    def _inner_units(self) -> Array:
        """A curvature's coefficient does work on a moment times a length, a gap is one of poses."""
        piece = max(np.diff(breaks).max() for breaks in self.breaks)
        arm = max(rod.length for rod in self.rods)
        of_strain = np.where(self.component < 3, 1.0 / (piece * arm), 1.0 / piece)
        return np.concatenate([of_strain, [1.0] * 3, [1.0 / arm] * 3])

    def _lay_out(self, rods: Sequence[Sequence[Array]]) -> None:
        """Steps of all elements and points in them, from the ends of the steps [m]."""
        counts = [n for pieces in rods for n in (0, *(len(ends) - 1 for ends in pieces))]
        self.node_steps = frozen(np.cumsum([0, *counts]))
        every = [ends for pieces in rods for ends in pieces]
        self.step = frozen(np.concatenate([np.diff(ends) for ends in every]))
        self._aside = frozen(np.sqrt(3.0) / 12.0 * self.step)
        self.step_begin = frozen(np.concatenate([ends[:-1] for ends in every]))
        self._rod_steps = frozen(self.node_steps[self.rod_nodes])
        middle = self.step_begin + 0.5 * self.step
        of_rods = (middle[a:b] for a, b in pairwise(self._rod_steps))
        self._stiffness = frozen(
            np.concatenate([r.stiffness(s) for r, s in zip(self.rods, of_rods, strict=True)])
        )
        gauss = [[x.ravel() for x in gauss_points(ends, 2)] for ends in every]
        s, weight = (np.concatenate(column) for column in zip(*gauss, strict=True))
        n_points = [2 * sum(len(ends) - 1 for ends in pieces) for pieces in rods]
        rod = np.repeat(np.arange(len(rods)), n_points)
        self.points = Points(frozen(rod), frozen(s), frozen(weight), 2)
        functions = [self._functions(i, s[rod == i]) for i in range(len(rods))]
        self.phi = frozen(np.ascontiguousarray(np.concatenate(functions)))
        self.rest_strain = frozen(
            np.concatenate([r.rest_strain(s[rod == i]) for i, r in enumerate(self.rods)])
        )

    def _functions(self, rod: int, s: Array) -> Matrix:
        """All functions of their element at arc lengths of a rod."""
        return tabulate(self._function, self._orders, inside(self.breaks[rod], s)[1])

    @property
    def n_nodes(self) -> int:
        """Ends of all elements."""
        return int(self.rod_nodes[-1])

    def work(self) -> "StrainWork":
        """New arrays for evaluations."""
        return StrainWork(self.n_nodes, len(self.component), self.node_steps, self.step)

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and inner unknowns."""
        work = self.work()
        return self.relative_poses(0.0, work), work.inner

    def node_lengths(self, rod: int) -> Array:
        """Ends of the elements of a rod."""
        return self.breaks[rod]

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Coefficients that follow a strain in the least-squares sense, and ties."""
        first, stop = self.rod_nodes[rod : rod + 2]
        inner = np.zeros((stop - first, self.n_inner))
        inner[1:, -6:] = self.ties(rod, wrench)
        rows = slice(2 * self.node_steps[first + 1], 2 * self.node_steps[stop])
        weights = np.sqrt(self.points.weight[rows, None])
        wanted = weights * (strain(self.points.s[rows]) - self.rest_strain[rows])
        phi = weights * self.phi[rows]
        for n in range(first + 1, stop):
            own = slice(*(2 * self.node_steps[n : n + 2] - rows.start))
            for c, (a, b) in enumerate(pairwise(self.runs)):
                matrix, right = phi[own, a:b], wanted[own, c]
                inner[n - first, a:b] = np.linalg.lstsq(matrix, right, rcond=None)[0]
        return inner

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "StrainWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones."""
        work.nodes, work.inner, work.loose = nodes, inner, loose
        curve.kinematics(
            self.node_steps, self.step, self.runs, self.phi, self.rest_strain, inner, nodes, posed,
            loose, work.strain, work.poses, work.end, work.pose, work.twist, work.frame,
        )  # fmt: skip

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "StrainWork"
    ) -> ElementMatrices:
        """Carry the laws back to the nodes, the coefficients and the multipliers.

        The strain is linear in them, so that ``forces.stress_ahead`` makes no difference.
        """
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            *work.curve, self.runs, self.phi, work.nodes, work.inner, *forces.laws,
            forces.symmetric, force, inner_force, work.matrices, work.vectors, work.duals,
            work.squares, work.columns, work.pulled, work.rows, work.small,
        )  # fmt: skip
        return ElementMatrices(work.matrices)

    def carry_wrenches(
        self, forces: PointForces, force: Array, inner_force: Array, work: "StrainWork"
    ) -> None:
        """Add what stresses, loads and the wrenches at the ends of elements make."""
        kernels.carry_back(
            *work.curve, self.runs, self.phi, work.nodes, forces.stress, forces.posed, forces.load,
            work.wrench, force, inner_force, work.vectors, work.duals,
        )  # fmt: skip

    def increments(self, d_nodes: Array, d_inner: Array, work: "StrainWork") -> Array:
        """Linear change of the strain at all points: it depends on the coefficients only."""
        work.d_inner = d_inner
        curve.strains(self.node_steps, self.runs, self.phi, work.zero, d_inner, work.d_strain)
        return work.d_strain

    def relative_poses(self, fraction: float, work: "StrainWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        curve.links(
            self.node_steps, self.step, self.runs, self.phi, self.rest_strain, work.inner, fraction,
            work.d_inner, work.origin, work.moved, work.link_strain, work.link_poses, work.link,
            work.twist, work.frame,
        )  # fmt: skip
        return work.link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Forces follow from the strain."""
        return None

    def turn(self, nodes: Pose, work: "StrainWork") -> float:
        """Strains can turn a rod by any angle; but steps of integration may be too long.

        For what their ends are moved aside, or for what tension makes of that.
        """
        return turn_of_steps(
            work.strain, self.rest_strain, self._stiffness, self.step, self._aside, self._rod_steps
        )

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        work = self.work()
        none = np.empty(0, dtype=np.int64)
        self.kinematics(nodes.copy(), inner, none, none, work)
        node = 1 + self.rod_nodes[rod] + element_of(self.breaks[rod], s)
        change = self._functions(rod, s) * inner[node, : len(self.component)]
        strain = self.rods[rod].rest_strain(s) + change @ np.eye(6)[self.component]
        first, stop = self.node_steps[self.rod_nodes[rod : rod + 2]]
        begin = self.step_begin[first:stop]
        k = first + np.maximum(np.searchsorted(begin, s, side="right") - 1, 0)
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        x = (s - self.step_begin[k]) / self.step[k]
        curve.place(k, x, self.step, work.strain, work.poses, pose, work.twist, work.frame)
        return pose, strain

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod.

        There ends an element like its own, but for the last step: its strains are those of the
        line through the two of the whole step.
        """
        node = 1 + self.rod_nodes[rod] + int(element_of(self.breaks[rod], np.array([s]))[0])
        first, stop = self.node_steps[node : node + 2]
        last = first + max(0, int(np.searchsorted(self.step_begin[first:stop], s, "right")) - 1)
        step = self.step[first : last + 1].copy()
        step[-1] = s - self.step_begin[last]
        rows = slice(2 * first, 2 * last + 2)
        phi, rest = self.phi[rows].copy(), self.rest_strain[rows].copy()
        line = _line_within(step[-1] / self.step[last])
        phi[-2:], rest[-2:] = line @ phi[-2:], line @ rest[-2:]
        ends, n = np.array([0, 0, len(step)]), len(self.component)
        work, own = StrainWork(2, n, ends, step), slice(node - 1, node + 1)
        work.nodes, none = np.ascontiguousarray(nodes[own]), np.empty(0, dtype=np.int64)
        curve.kinematics(
            ends, step, self.runs, phi, rest, np.ascontiguousarray(inner[own]), work.nodes, none,
            none, work.strain, work.poses, work.end, work.pose, work.twist, work.frame,
        )  # fmt: skip
        force = np.zeros((len(wrenches), self.n_nodes, 6))
        inner_force = np.zeros((len(wrenches), self.n_nodes, self.n_inner))
        for i, wrench in enumerate(wrenches):
            work.wrench[1] = wrench
            kernels.carry_back(
                *work.curve, self.runs, phi, work.nodes, work.nothing.stress, work.nothing.posed,
                work.nothing.load, work.wrench, force[i, own], inner_force[i, own], work.vectors,
                work.duals,
            )  # fmt: skip
        return force, inner_force


class StrainWork:
    """Arrays of one evaluation of ``StrainRods``; names as in ``variable_strain_kernels``."""

    def __init__(self, n_nodes: int, n: int, node_steps: Indices, step: Array) -> None:
        n_steps = len(step)
        self.inner, self.d_inner, self.moved = np.zeros((3, n_nodes, n + 6))
        self.loose = np.empty(0, dtype=np.int64)
        self.wrench = np.zeros((n_nodes, 6))
        self.nothing = PointForces(2 * n_steps, n_nodes)
        self.nodes, self.origin, self.end = np.tile(np.eye(4), (3, n_nodes, 1, 1))
        self.link = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.poses, self.link_poses = np.empty((2, n_steps, 4, 4))
        self.pose = np.tile(np.eye(4), (2 * n_steps, 1, 1))
        self.strain, self.d_strain, self.link_strain, self.zero = np.zeros((4, 2 * n_steps, 6))
        self.curve = kernels.Curve(node_steps, step, self.strain, self.poses, self.end, self.pose)
        self.force = np.empty((0, 3))
        self.twist, self.frame = np.empty(6), np.eye(4)
        self.matrices = np.zeros((n_nodes, n + 18, n + 18))
        width = max(NARROWEST, PACK * -(-n // PACK))
        self.columns = np.zeros((5, 6, width))
        self.pulled = np.zeros((2 * n_steps, 6, width))
        self.rows = np.zeros((2, n, width))
        self.vectors = np.empty((11, 6))
        self.duals = np.empty((7, 18))
        self.squares = np.empty((20, 36))
        self.small = np.empty(28)

    def take_poses(self, pose: Pose) -> None:
        """Write poses at the points to another array from now on."""
        self.pose, self.curve = pose, self.curve._replace(pose=pose)


def _line_within(x: float) -> Matrix:
    """Strains at the two points of the first part x of a step from those of the whole, (2, 2)."""
    first, second = 0.5 - ASIDE, 0.5 + ASIDE
    at = x * np.array([first, second])
    return np.asarray(np.stack([second - at, at - first], axis=1) / (second - first))
