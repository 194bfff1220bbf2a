"""Rods as products of exponentials with powers of arc length.

    g(u) = g_0 exp(u Ω_1) exp(u² Ω_2) … exp(u^k Ω_k),    u = (s - a)/h               (theory 2.8)

on an element [a, a + h] with its ends as nodes. Its unknowns are the strains at its k Gauss points,
from which the twists Ω_i follow, and six multipliers that tie its end to its second node. Rods can
bend without stretch at these points, so that thin rods do not lock.
Reference: [LieGroup2025, section 3.5, table 2]: the curve, one element; its unknowns are ours.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

import numpy as np

from flexura.robot.check import check_count
from flexura.rods import cumulative_kernels
from flexura.rods import power_kernels as kernels
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
from flexura.rods.factors import Factors, Scratch
from flexura.rods.inner import inner_sizes
from flexura.rods.integrated import IntegratedRods
from flexura.rods.quadrature import gauss_points, gauss_rule
from flexura.typing import Array, Indices, Matrix, Pose, Strain, Wrench, frozen

MAX_DEGREE = 9
# From this degree on, small changes of the strain turn elements a lot.
DELICATE = 4
NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Power:
    """Products of exponentials with powers of arc length, between poses, for each rod.

    Attributes:
        degree: highest power, which is the number of exponentials, 1 to 9.
        elements: number of products per rod, of equal length; about that many where point and
            line loads begin or end, because elements end there too. One bends well to a quarter of
            a turn, and to any circle or helix.

    High powers turn a lot for small changes of the strain. So from degree 4 on, coarse elements
    under large loads buckle where the rod does not. A result says so, with ``Status.COARSE``: use
    more elements, or degree 2 or 3.
    """

    degree: int = 5
    elements: int = 8

    def __post_init__(self) -> None:
        check_count("Power", "degree", self.degree, MAX_DEGREE, "2 to 5 suit most rods")
        check_count("Power", "elements", self.elements, 10_000, "4 to 32 suit most rods")

    @property
    def kind(self) -> Hashable:
        """Rods of one degree are evaluated together."""
        return ("power", self.degree)

    def finer(self, factor: float) -> "Power":
        """The same with so many times as many elements."""
        return replace(self, elements=ceil(factor * self.elements))

    def group(self, plans: Sequence[RodPlan]) -> "PowerRods":
        """Discretize rods whose choices are of this degree."""
        return PowerRods(self.degree, plans)

    def breaks(self, plan: RodPlan) -> Array:
        """Ends of the elements of a rod [m]."""
        length = plan.rod.length
        return span_breaks(length, self.elements, distinct(plan.jumps, length))


class PowerRods(IntegratedRods):
    """Rods described by power elements; a ``RodGroup``."""

    def __init__(self, degree: int, plans: Sequence[RodPlan]) -> None:
        self.degree = degree
        self.order = degree + 1  # at the ends of elements 2 degree
        self.components = 6
        self.reach = 1
        self.free = frozen(np.ones(6, dtype=np.bool_))
        self.integrated = True
        self.complementary, self.assumed = False, None
        self.delicate = degree >= DELICATE
        self.limpest, self.denser = LIMPEST, 1.0
        self.rods = tuple(plan.rod for plan in plans)
        self.breaks = [cast(Power, plan.choice).breaks(plan) for plan in plans]
        self.grain = frozen(grains(self.breaks, degree**2))
        self.rod_nodes = frozen(np.cumsum([0, *(len(breaks) for breaks in self.breaks)]))
        self.length = frozen(np.concatenate([np.diff(b, prepend=b[0]) for b in self.breaks]))
        self.elements = frozen(np.flatnonzero(self.length))
        self.n_inner = 6 * degree + 6
        self.inner_size = frozen(inner_sizes(self.rod_nodes, self.n_inner))
        self.multiplier = frozen(np.arange(self.n_inner) >= 6 * degree)
        arm, piece = max(rod.length for rod in self.rods), self.length.max()
        strain = ([1.0 / (arm * piece)] * 3 + [1.0 / piece] * 3) * degree
        self.inner_units = frozen(np.array([*strain, *[1.0] * 3, *[1.0 / arm] * 3]))
        self._lay_out()

    def _lay_out(self) -> None:
        """Points of all elements, then their ends."""
        s, weight = (
            np.concatenate([x.ravel() for x in column])
            for column in zip(*(gauss_points(b, self.degree) for b in self.breaks), strict=True)
        )
        count = [self.degree * (len(breaks) - 1) for breaks in self.breaks]
        rod = np.repeat(np.arange(len(count)), count)
        self.points = Points(frozen(rod), frozen(s), frozen(weight), self.degree)
        before = self.elements - 1
        self.place_node = frozen(np.concatenate([np.repeat(before, self.degree), before]))
        self.place_first = frozen(self.degree * (self.place_node + 1) - 1)
        self.ends = frozen(len(s) + np.arange(len(before)))
        u = 0.5 + 0.5 * gauss_rule(self.degree)[0]
        places = np.concatenate([np.tile(u, len(before)), np.ones(len(before))])
        self.b, self.db = (frozen(x) for x in self.powers(places, self.length[self.place_node + 1]))
        self._start = frozen(np.ascontiguousarray(np.linalg.inv(self.powers(u, np.ones(1))[1])))

    def powers(self, u: Array, length: Array) -> tuple[Matrix, Matrix]:
        """b_i = u^i and b_i' = db_i/ds at places of elements, (n, degree) each."""
        i = np.arange(1, self.degree + 1)
        return u[:, None] ** i, i * u[:, None] ** (i - 1) / length[:, None]

    @property
    def n_nodes(self) -> int:
        """Ends of all elements."""
        return int(self.rod_nodes[-1])

    def work(self) -> "PowerWork":
        """New arrays for evaluations."""
        return PowerWork(self.n_nodes, len(self.points.s), self.b, self.db)

    def rest(self) -> tuple[Pose, Array]:
        """The unloaded rods: pose of each node in the one before it, and inner unknowns."""
        inner = np.zeros((self.n_nodes, self.n_inner))
        strain = [rod.rest_strain(self._own(i)) for i, rod in enumerate(self.rods)]
        inner[self.elements, : 6 * self.degree] = np.concatenate(strain).reshape(
            len(self.elements), -1
        )
        work = self.work()
        work.inner[:] = inner
        return self.relative_poses(0.0, work), inner

    def _own(self, rod: int) -> Array:
        """Arc lengths of the points of a rod."""
        return np.asarray(self.points.s[self.points.rod == rod])

    def node_lengths(self, rod: int) -> Array:
        """Ends of the elements of a rod."""
        return self.breaks[rod]

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Strains at the points of a rod, and ties of its elements."""
        inner = np.zeros((len(self.breaks[rod]), self.n_inner))
        inner[1:, : 6 * self.degree] = strain(self._own(rod)).reshape(len(inner) - 1, -1)
        inner[1:, 6 * self.degree :] = self.ties(rod, wrench)
        self._even_out(rod, inner)
        return inner

    def _even_out(self, rod: int, inner: Array) -> None:
        """Give elements of a rod that have no curve with their strains the mean of these."""
        k, n = self.degree, len(inner)
        length = self.length[self.rod_nodes[rod] : self.rod_nodes[rod + 1]]
        u = np.append(np.tile(0.5 + 0.5 * gauss_rule(k)[0], n - 1), np.ones(n - 1))
        b, db = self.powers(u, np.append(np.repeat(length[1:], k), length[1:]))
        elements, work = frozen(np.arange(1, n)), PowerWork(n, k * (n - 1), frozen(b), frozen(db))
        kernels.find_twists(
            elements, length, self._start, inner, *work.factors, work.place_strain, *work.jacobian,
            work.duals, work.steps,
        )  # fmt: skip
        lost = 1 + np.flatnonzero(np.isnan(work.omega.reshape(n, -1)[1:, 0]))
        strain = inner[:, : 6 * k].reshape(n, k, 6)
        strain[lost] = strain[lost].mean(axis=1, keepdims=True)

    def _find_twists(self, inner: Array, work: "PowerWork") -> None:
        """Twists of all elements, and what the derivatives at all places need."""
        kernels.find_twists(
            self.elements, self.length, self._start, inner, *work.factors, work.place_strain,
            *work.jacobian, work.duals, work.steps,
        )  # fmt: skip

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: "PowerWork"
    ) -> None:
        """Strains at all points and poses at the ``posed`` ones."""
        work.inner[:], work.nodes, work.loose = inner, nodes, loose
        self._find_twists(work.inner, work)
        for places in (posed, self.ends):
            if len(places):
                cumulative_kernels.poses(
                    places, self.place_node, self.place_first, nodes, self.b, work.omega,
                    work.place_pose, work.frames, work.vectors[0],
                )  # fmt: skip
        work.end[self.elements] = work.place_pose[self.ends]
        for n in loose:  # one by one is faster: they are few
            nodes[n] = work.end[n]

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: "PowerWork"
    ) -> ElementMatrices:
        """Carry the laws back to the nodes, the strains and the multipliers.

        Strains are unknowns, so that ``forces.stress_ahead`` makes no difference.
        """
        pull_back = kernels.pull_back_aside if self.points.many else kernels.pull_back
        pull_back(
            self.elements, *work.factors, *work.jacobian, work.inner, work.nodes, work.end,
            *forces.laws, force, inner_force, work.matrices, work.gamma, work.counter,
            work.nothing.stiffness, work.spare, work.slopes, work.zero, *work.scratch,
            work.pull, work.square, work.small, work.moved, work.turned,
        )  # fmt: skip
        return ElementMatrices(work.matrices)

    def carry_wrenches(
        self, forces: PointForces, force: Array, inner_force: Array, work: "PowerWork"
    ) -> None:
        """Add what stresses, loads and the wrenches at the ends of elements make."""
        kernels.carry_back(
            self.elements, *work.factors, *work.jacobian, forces.stress, forces.posed, forces.load,
            work.wrench, force, inner_force, work.gamma, work.zero, work.vectors,
        )  # fmt: skip

    def increments(self, d_nodes: Array, d_inner: Array, work: "PowerWork") -> Array:
        """Change of the strain at all points: these are unknowns."""
        work.d_inner[:] = d_inner
        work.d_strain.reshape(len(self.elements), -1)[:] = d_inner[self.elements][:, :-6]
        return work.d_strain

    def relative_poses(self, fraction: float, work: "PowerWork") -> Pose:
        """Relative poses of the nodes after a fraction of the last ``increments``."""
        if work.ahead is None:
            work.ahead = self.work()
        moved = work.ahead
        self._find_twists(work.inner + fraction * work.d_inner, moved)
        kernels.links(self.elements, self.degree, moved.omega, work.link, work.frames)
        return work.link

    def force(self, inner: Array, rod: int, s: Array) -> Array | None:
        """Forces follow from the strain."""
        return None

    def turn(self, nodes: Pose, work: "PowerWork") -> float:
        """Rotation of all factors but the first, over half a turn; 2 if there are none."""
        twists = work.omega.reshape(self.n_nodes, self.degree, 6)[self.elements, 1:, :3]
        turns = np.linalg.norm(twists, axis=2).sum(axis=1).max()
        return float(turns / np.pi) if np.isfinite(turns) else 2.0

    def shape(self, nodes: Pose, inner: Array, rod: int, s: Array) -> tuple[Pose, Strain]:
        """Pose and strain of a rod at any arc lengths."""
        n, k, found = len(s), self.degree, self.work()
        self._find_twists(np.ascontiguousarray(inner), found)
        element, u = inside(self.breaks[rod], s)
        node = element + self.rod_nodes[rod]
        first = k * (node + 1) - 1
        b, db = self.powers(u, self.length[node + 1])
        strain, pose = np.empty((n, 6)), np.tile(np.eye(4), (n, 1, 1))
        transport, tangent = np.empty((2, n, k, 18))
        cumulative_kernels.strains(
            first, np.arange(n + 1), b, db, found.omega, transport, tangent, np.empty((n, k, 6)),
            strain,
        )  # fmt: skip
        cumulative_kernels.poses(
            np.arange(n), node, first, np.ascontiguousarray(nodes), b, found.omega, pose,
            found.frames, found.vectors[0],
        )  # fmt: skip
        return pose, strain

    def carry_from(
        self, nodes: Pose, inner: Array, rod: int, s: float, wrenches: Wrench
    ) -> tuple[Array, Array]:
        """Forces that do the work of wrenches at any arc length of a rod.

        There is the last place of an element like its own, where the wrench at its end acts.
        """
        k = self.degree
        element, u = inside(self.breaks[rod], np.array([s]))
        node = 1 + int(element[0]) + self.rod_nodes[rod]
        length, places = self.length[node : node + 1], 0.5 + 0.5 * gauss_rule(k)[0]
        own, one = slice(node - 1, node + 1), np.ones(1, dtype=np.int64)
        work = PowerWork(2, k, *self.powers(np.append(places, u), length))
        kernels.find_twists(
            one, self.length[own], self._start, np.ascontiguousarray(inner[own]), *work.factors,
            work.place_strain, *work.jacobian, work.duals, work.steps,
        )  # fmt: skip
        force = np.zeros((len(wrenches), self.n_nodes, 6))
        inner_force = np.zeros((len(wrenches), self.n_nodes, self.n_inner))
        for i, wrench in enumerate(wrenches):
            work.wrench[1] = wrench
            kernels.carry_back(
                one, *work.factors, *work.jacobian, work.nothing.stress, work.nothing.posed,
                work.nothing.load, work.wrench, force[i, own], inner_force[i, own], work.gamma,
                work.zero, work.vectors,
            )  # fmt: skip
        return force, inner_force


class PowerWork:
    """Arrays of one evaluation of ``PowerRods``; names as in its kernels."""

    def __init__(self, n_nodes: int, n_points: int, b: Array, db: Array) -> None:
        places, k = b.shape
        self.inner, self.d_inner = np.zeros((2, n_nodes, 6 * k + 6))
        self.omega, self.gamma, self.spare = np.zeros((3, k * n_nodes, 6))
        self.nodes: Pose
        self.link: Pose
        self.nodes, self.end, self.link = np.tile(np.eye(4), (3, n_nodes, 1, 1))
        self.ahead: PowerWork | None = None
        self.loose = NONE
        self.wrench = np.zeros((n_nodes, 6))
        self.nothing = PointForces(n_points, n_nodes)
        transport, tangent = np.empty((2, places, k, 18))
        eta = np.empty((places, k, 6))
        self.factors = Factors(b, db, self.omega, transport, tangent, eta)
        self.slopes = np.empty((n_points, k, 18))
        self.place_strain, self.place_pose = np.empty((places, 6)), np.empty((places, 4, 4))
        self.place_pose[:] = np.eye(4)
        self.strain, self.pose = self.place_strain[:n_points], self.place_pose[:n_points]
        self.d_strain, self.counter = np.empty((2, n_points, 6))
        self.force = np.empty((0, 3))
        pivots = np.empty((n_nodes, 6 * k), dtype=np.int64)
        self.jacobian = kernels.Jacobian(np.empty((n_nodes, 6 * k, 6 * k)), pivots)
        self.steps, self.zero = np.empty((2, 6 * k)), np.zeros(6)
        self.matrices = np.zeros((n_nodes, 6 * k + 18, 6 * k + 18))
        self.vectors = np.empty((k + 4, 6))
        self.duals = np.empty((max(5, k + 3), 18))
        self.frames = np.tile(np.eye(4), (3, 1, 1))
        forms = np.empty((k + 1, k + 1, 18))
        material, local = np.empty((2, k + 1, k + 1, 36))
        self.pull, self.square, self.small = np.empty(6), np.empty((5, 36)), np.empty(28)
        product = self.square[4]
        self.scratch = Scratch(self.vectors, self.duals, forms, material, local, product)
        self.moved = np.empty((6, 6 * k + 6))
        self.turned = np.empty((6 * k + 6, 6 * k + 6))
