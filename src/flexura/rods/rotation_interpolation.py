"""Rods that neither stretch nor shear, with rotations interpolated to third order.

    x(u) = (3u² - 2u³) x1 + u(u-1)² k0 + (u³ - u²) J_r(x1)⁻¹ k1
    R = R_a exp(x),   κ = J_r(x) x'/L,   p = p_a + R_a L ∫ exp(x) e1 du

An element of length L has its end poses as nodes, u = s/L. Inner unknowns are the rotation vector
x1 of its end, the slopes of x at both ends, and six multipliers that tie its end to the second
node. x1 is a vector, not a rotation: an element can turn by more than pi, and is followed there.
Reference: [StrainModels2025, section III-A]: one element, no loads. The tangent here is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

import numpy as np

from flexura.errors import ModelError
from flexura.lie import so3
from flexura.robot import Rod
from flexura.robot.check import check_count
from flexura.rods import rotation_curve_kernels as curve
from flexura.rods import rotation_interpolation_kernels as kernels
from flexura.rods.basis import distinct, grains, span_breaks
from flexura.rods.discretization import (
    LIMPEST,
    ElementMatrices,
    PointForces,
    Points,
    RodPlan,
    StrainField,
    WrenchField,
)
from flexura.rods.elements import inside
from flexura.rods.inner import inner_sizes
from flexura.rods.integrated import IntegratedRods
from flexura.rods.quadrature import gauss_points, integral_rows
from flexura.typing import Array, Indices, Pose, Strain, Wrench, frozen

# Ten points integrate a full turn of exp(x) to 1e-13 of the length.
POINTS = 10
# Steps of an element where a strain is integrated to fit it.
FIT_STEPS = 32
# Rest strains off by less than this are rounding.
ROUNDING = 1e-12
# Grains (``RodGroup``) in an element.
GRAINS = 15.0


@dataclass(frozen=True)
class RotationInterpolation:
    """Elements of third-order rotation, between poses, for each rod: no stretch, no shear.

    Attributes:
        elements: number of elements per rod, of equal length; about that many where point and
            line loads begin or end, because elements end there too. One can turn by almost 2π.
    """

    elements: int = 1

    def __post_init__(self) -> None:
        check_count(
            "RotationInterpolation", "elements", self.elements, 10_000, "1 to 8 suit most rods"
        )

    @property
    def kind(self) -> tuple[str]:
        """All rods of such elements are evaluated together."""
        return ("rotation interpolation",)

    def finer(self, factor: float) -> "RotationInterpolation":
        """The same with so many times as many elements."""
        return replace(self, elements=ceil(factor * self.elements))

    def group(self, plans: Sequence[RodPlan]) -> "RotationRods":
        """Discretize rods whose choices are all of this kind."""
        return RotationRods(plans)

    def breaks(self, plan: RodPlan) -> Array:
        """Ends of the elements of a rod [m]."""
        length = plan.rod.length
        return span_breaks(length, self.elements, distinct(plan.jumps, length))


class RotationRods(IntegratedRods):
    """Rods described by interpolated rotations; a ``RodGroup``."""

    def __init__(self, plans: Sequence[RodPlan]) -> None:
        self.order = 5  # at the ends of elements 6
        self.reach = 1
        self.components = 6
        self.free = frozen(np.array([True] * 3 + [False] * 3))
        self.n_inner = kernels.N + 6
        self.multiplier = frozen(np.arange(self.n_inner) >= kernels.N)
        self.integrated = True
        self.delicate = False
        self.limpest, self.denser = LIMPEST, 1.0
        self.complementary, self.assumed = False, None
        self.rods = tuple(plan.rod for plan in plans)
        arm = max(rod.length for rod in self.rods)
        self.inner_units = frozen(np.array([1.0 / arm] * kernels.N + [1.0] * 3 + [1.0 / arm] * 3))
        self.breaks = [cast(RotationInterpolation, plan.choice).breaks(plan) for plan in plans]
        self.grain = frozen(grains(self.breaks, GRAINS))
        self.rod_nodes = frozen(np.cumsum([0, *(len(b) for b in self.breaks)]))
        self.inner_size = frozen(inner_sizes(self.rod_nodes, self.n_inner))
        self.length = frozen(np.concatenate([np.diff(b, prepend=b[0]) for b in self.breaks]))
        columns: list[tuple[Array | Indices, ...]] = []
        for index, breaks in enumerate(self.breaks):
            s, weight = (x.ravel() for x in gauss_points(breaks, POINTS))
            element, u = inside(breaks, s)
            node = 1 + self.rod_nodes[index] + element
            columns.append((np.full(len(s), index), s, weight, node, u))
        rod, s, weight, self.point_node, u = (
            frozen(np.concatenate(column)) for column in zip(*columns, strict=True)
        )
        self.points = Points(rod, s, weight, POINTS)
        self.first_point = frozen(np.searchsorted(self.point_node, np.arange(self.n_nodes + 1)))
        first = self.first_point
        self._first_of_element = frozen(np.unique(first[:-1][np.diff(first) > 0]))
        self.basis = frozen(hermite(u))
        self.rows = frozen(integral_rows(np.append(u, 1.0), POINTS))
        self.end_basis = frozen(np.array([1.0, 0.0, 0.0]))
        for index in range(len(plans)):
            _check_rest(self.rods[index], s[rod == index])

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all rods."""
        return int(self.rod_nodes[-1])

    def work(self) -> "RotationWork":
        """New arrays for evaluations."""
        return RotationWork(self.n_nodes, len(self.points.s))

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and inner unknowns."""
        inner = np.concatenate([self.fit(i, rod.rest_strain) for i, rod in enumerate(self.rods)])
        return self._link(inner, self.work()), inner

    def node_lengths(self, rod: int) -> Array:
        """Ends of the elements of a rod."""
        return self.breaks[rod]

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Unknowns whose rotations are those of a curvature, at element ends, and near inside.

        The rotation is integrated by fourth-order Magnus steps, and its vector unwrapped on the
        way; the slopes are those of the nearest cubic.
        """
        breaks = self.breaks[rod]
        u = np.linspace(0.0, 1.0, FIT_STEPS + 1)
        x = _rotation_vectors(breaks, strain)
        basis = hermite(u)[:, 0]
        slopes = np.linalg.pinv(basis[:, 1:]) @ (
            x.transpose(1, 0, 2) - basis[:, None, :1] * x[:, -1]
        ).reshape(len(u), -1)
        inner = np.zeros((len(breaks), self.n_inner))
        inner[1:, :3] = x[:, -1]
        inner[1:, 3:9] = slopes.reshape(2, -1, 3).transpose(1, 0, 2).reshape(-1, 6)
        inner[1:, 9:] = self.ties(rod, wrench)
        return inner

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "RotationWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones."""
        work.nodes, work.inner[:], work.loose = nodes, inner, loose
        kernels.interpolate(
            self.first_point, self.length, self.basis, self.rows, work.inner, work.strain,
            work.rotation, work.link, work.vectors,
        )  # fmt: skip
        kernels.follow(nodes, work.link, loose, work.end)
        if len(posed):
            kernels.place(
                posed, self.point_node, self.first_point, self.length, self.rows, work.rotation,
                nodes, work.pose, work.frame,
            )  # fmt: skip

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "RotationWork"
    ) -> ElementMatrices:
        """Carry the laws back to the nodes, the rotations and the multipliers."""
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            self.first_point, self.length, self.basis, self.rows, self.end_basis, work.inner,
            work.rotation, work.nodes, work.end, *forces.laws, force, inner_force, work.matrices,
            work.lever, work.pulls, work.moment, work.curved, work.gradient, work.hessian,
            work.moved, work.product, work.pull, work.square, work.small, work.duals, work.frame,
            work.vectors,
        )  # fmt: skip
        return ElementMatrices(work.matrices)

    def carry_wrenches(
        self, forces: PointForces, force: Array, inner_force: Array, work: "RotationWork"
    ) -> None:
        """Add what stresses, loads and the wrenches at the ends of elements make."""
        kernels.carry_back(
            self.first_point, self.length, self.basis, self.rows, self.end_basis, work.inner,
            work.rotation, forces.stress, forces.posed, forces.load, work.wrench, force,
            inner_force, work.pulls, work.frame, work.pull, work.vectors,
        )  # fmt: skip

    def increments(self, d_nodes: Array, d_inner: Array, work: "RotationWork") -> Array:
        """Linear change of the strain at all points: it depends on the inner unknowns only."""
        work.d_inner = d_inner
        kernels.strain_increments(
            self.first_point, self.length, self.basis, work.inner, d_inner, work.d_strain,
            work.vectors,
        )  # fmt: skip
        return work.d_strain

    def relative_poses(self, fraction: float, work: "RotationWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        return self._link(work.inner + fraction * work.d_inner, work)

    def _link(self, inner: Array, work: "RotationWork") -> Pose:
        """Pose of the end of each element in its beginning."""
        kernels.interpolate(
            self.first_point, self.length, self.basis, self.rows, inner, work.moved_strain,
            work.moved_rotation, work.moved_link, work.vectors,
        )  # fmt: skip
        return work.moved_link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Forces do no work in a rod that cannot stretch: balance alone gives them."""
        return None

    def turn(self, nodes: Pose, work: "RotationWork") -> float:
        """Rotation along an element, ∫ |κ| ds, over a whole turn, where J_r is singular."""
        along = self.points.weight * np.sqrt((work.strain[:, :3] ** 2).sum(axis=1))
        return float(np.add.reduceat(along, self._first_of_element).max() / (2.0 * np.pi))

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        own = slice(self.rod_nodes[rod], self.rod_nodes[rod + 1])
        pose = np.tile(np.eye(4), (len(s), 1, 1))
        strain = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0], (len(s), 1))
        element, u = inside(self.breaks[rod], s)
        gauss = self.basis[:POINTS]  # the same in every element
        work = self.work()
        for e in np.unique(element):
            n, at = own.start + e + 1, np.flatnonzero(element == e)
            y, basis = inner[n].copy(), np.concatenate([gauss, hermite(u[at])])
            values, rotation = np.empty((len(basis), 6)), np.empty((len(basis), 3, 3))
            curve.curvature(y, self.length[n], basis, values, rotation, work.vectors)
            strain[at, :3] = values[POINTS:, :3]
            p = self.length[n] * integral_rows(u[at], POINTS) @ rotation[:POINTS, :, 0]
            R = nodes[n - 1, :3, :3]
            pose[at, :3, :3] = R @ rotation[POINTS:]
            pose[at, :3, 3] = nodes[n - 1, :3, 3] + p @ R.T
        return pose, strain

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod.

        There is one more point of an element like its own, which no integral takes.
        """
        element, u = inside(self.breaks[rod], np.array([s]))
        node = 1 + int(element[0]) + self.rod_nodes[rod]
        own, first = slice(node - 1, node + 1), np.array([0, 0, POINTS + 1])
        basis = np.concatenate([self.basis[:POINTS], hermite(u)])
        rows = np.zeros((POINTS + 2, POINTS + 1))
        rows[:POINTS, :-1], rows[-1, :-1] = self.rows[:POINTS], self.rows[-1]
        rows[POINTS, :-1] = integral_rows(u, POINTS)
        length, y, work = self.length[own], np.ascontiguousarray(inner[own]), self.work()
        strain, rotation = np.empty((POINTS + 1, 6)), np.empty((POINTS + 1, 3, 3))
        pulls, (stress, load) = np.empty((POINTS + 1, 3)), np.zeros((2, POINTS + 1, 6))
        curve.curvature(y[1], length[1], basis, strain, rotation, work.vectors)
        posed = np.arange(POINTS + 1) == POINTS
        force = np.zeros((len(wrenches), self.n_nodes, 6))
        inner_force = np.zeros((len(wrenches), self.n_nodes, self.n_inner))
        for i, wrench in enumerate(wrenches):
            load[-1] = wrench
            kernels.carry_back(
                first, length, basis, rows, self.end_basis, y, rotation, stress, posed, load,
                work.wrench[:2], force[i, own], inner_force[i, own], pulls, work.frame, work.pull,
                work.vectors,
            )  # fmt: skip
        return force, inner_force


class RotationWork:
    """Arrays of one evaluation of ``RotationRods``; names as in its kernels."""

    def __init__(self, n_nodes: int, n_points: int, per_element: int = POINTS) -> None:
        n = kernels.N
        self.inner, self.d_inner = np.zeros((2, n_nodes, n + 6))
        self.loose = np.empty(0, dtype=np.int64)
        self.wrench = np.zeros((n_nodes, 6))
        self.nothing = PointForces(n_points, n_nodes)
        self.nodes = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.link = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.moved_link: Pose = self.link.copy()
        self.end = np.tile(np.eye(4), (n_nodes, 1, 1))
        self.strain = np.empty((n_points, 6))
        self.moved_strain = np.empty((n_points, 6))
        self.d_strain = np.empty((n_points, 6))
        self.force = np.empty((0, 3))
        self.rotation = np.empty((n_points, 3, 3))
        self.moved_rotation = np.empty((n_points, 3, 3))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.matrices = np.zeros((n_nodes, n + 18, n + 18))
        self.lever, self.curved = np.empty((2, per_element, 3, 3))
        self.pulls, self.moment = np.empty((2, per_element, 3))
        self.gradient = np.empty(n)
        self.hessian = np.empty((n, n))
        self.moved = np.empty((n + 6, 6))
        self.product = np.empty((n + 6, 6))
        self.pull = np.empty(6)
        self.square = np.empty((4, 36))
        self.small = np.empty(28)
        self.duals = np.empty((5, 18))
        self.frame = np.eye(4)
        self.vectors = np.empty((25, 3))


def hermite(u: Array) -> Array:
    """Values and slopes of the cubic functions, (n, 2, 3)."""
    basis = np.empty((len(u), 2, 3))
    curve.hermite(np.ascontiguousarray(u), basis)
    return basis


def _rotation_vectors(breaks: Array, strain: StrainField) -> Array:
    """Rotation vectors along each element, from its beginning, (n_elements, FIT_STEPS + 1, 3)."""
    count, h = len(breaks) - 1, np.diff(breaks) / FIT_STEPS
    corners = np.append((breaks[:-1, None] + h[:, None] * np.arange(FIT_STEPS)).ravel(), breaks[-1])
    s, _ = gauss_points(corners, 2)
    kappa = strain(s.ravel())[:, :3].reshape(count, FIT_STEPS, 2, 3)
    h = h[:, None, None]
    turn = 0.5 * h * kappa.sum(axis=2) + np.sqrt(3.0) / 12.0 * h**2 * np.cross(
        kappa[:, :, 0], kappa[:, :, 1]
    )
    factors = so3.exp(turn)
    x = np.zeros((count, FIT_STEPS + 1, 3))
    R = np.tile(np.eye(3), (count, 1, 1))
    for k in range(FIT_STEPS):
        R = R @ factors[:, k]
        x[:, k + 1] = _unwrapped(so3.log(R), x[:, k])
    return x


def _unwrapped(x: Array, before: Array) -> Array:
    """The rotation vectors of the same rotations that are next to those before, (n, 3)."""
    angle = np.linalg.norm(x, axis=1, keepdims=True)
    size = np.linalg.norm(before, axis=1, keepdims=True)
    near = angle < 1e-9  # a full turn, or none: the axis is that of before
    axis = np.where(near, before / np.maximum(size, 1e-300), x / np.maximum(angle, 1e-300))
    along = np.sum(axis * before, axis=1, keepdims=True)
    turns = np.rint((along - angle) / (2.0 * np.pi))
    return np.asarray(x + 2.0 * np.pi * turns * axis)


def _check_rest(rod: Rod, s: Array) -> None:
    """Refuse a rod that is stretched or sheared at rest."""
    strain = rod.rest_strain(s)[:, 3:]
    off = np.abs(strain - [1.0, 0.0, 0.0]).max(axis=1)
    if off.max() > ROUNDING:
        worst = int(off.argmax())
        raise ModelError(
            f"RotationInterpolation has no stretch and no shear, but rod {rod.name!r} rests with "
            f"stretch and shear {strain[worst].tolist()} at s = {s[worst]} m; give it three "
            "curvatures, or use LinearStrain, Spline or VariableStrain for it"
        )
