"""What all descriptions of sets of tubes share: angles along a centreline, frames of tubes.

A group of sets has the nodes of the centrelines, those of the description that it is made of, and
after them a node for each mark: the frame of a tube at one of its places, which follows from the
pose of the centreline and the angle of the tube there. A mark that nothing holds is loose; one that
something holds is tied by six multipliers. Which node of the centreline it is found at depends on
inputs: ``Marked.bind`` tells it.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.rods import tube_kernels as kernels
from flexura.rods import tube_mark_kernels as frames
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.discretization import (
    MarkedMatrices,
    PointForces,
    Points,
    StrainField,
    WrenchField,
)
from flexura.rods.tube_curves import TubeCurves
from flexura.rods.tube_work import TIES, TubeWork
from flexura.rods.tubes import Marks, SetPlan, angle_functions
from flexura.typing import Array, Indices, Pose, Strain, frozen


class TubeRods(TubeCurves):
    """Sets of tubes, each a centreline of a group that is described already; a ``RodGroup``.

    Attributes (besides those of ``RodGroup``):
        base: the centrelines, a ``RodGroup``.
        n_base, n_nodes: nodes of centrelines, and with marks.
        tubes: n, in each set.
        marks: frames of tubes.
        angle_nodes: nodes of centrelines where angles are unknowns, set by set, (a,).
        plates: the first of them of each set, by number, (sets,).
        functions: of each angle between two of them.
        section: section of each point of the centrelines, by number in its set, (points,).
        part: how far along its section it is, 0 to 1, (points,).
        section_length: of each set in arc length of reference [m], (sets,).
        section_nodes: ends of sections, from the plate on, among nodes with angles, (sets, s).
        shown: the point that shows angles and torques at the plate of each set, (sets,).
        locked: points that show stretch and its multiplier of each element, (elements,), and their
            sets and sections, (elements, 2); none where centrelines can stretch.
        elements: nodes that elements lead to, among those with angles, (elements,).
        columns: where numbers begin in the rows of nodes, as ``tube_kernels`` tells.
        stretch: the coefficient of stretch of a locked element.
    """

    base: Any
    locked: tuple[Indices, Indices]

    def __init__(self, base: Any, plans: Sequence[SetPlan], functions: int, lock: bool) -> None:
        self.base, self.functions, self.n_base = base, functions, int(base.rod_nodes[-1])
        self.tubes = n = len(plans[0].members)
        self.marks = Marks.of(plans)
        self.rods = (*base.rods, *self.marks.rods)
        self.order, self.components = base.order, 6 + 2 * n
        self.integrated, self.delicate = base.integrated, base.delicate
        self.limpest, self.denser, self.grain = base.limpest, base.denser, base.grain
        self.complementary = base.complementary
        nb, m = self.n_base, len(self.marks.tube)
        self.rod_nodes = frozen(np.concatenate([base.rod_nodes, nb + 1 + np.arange(m)]))
        self.n_nodes = nb + m
        self._lay_out(plans, lock)
        at_plate = np.isin(np.arange(len(self.angle_nodes)), self.plates)
        self.at_plate, self.elements = frozen(at_plate), frozen(np.flatnonzero(~at_plate))
        self._number(lock)
        self._find_rows()
        self.pairs = frozen(self._pairs())

    @property
    def assumed(self) -> AssumedStrain | None:
        """As of the centrelines."""
        found: AssumedStrain | None = self.base.assumed
        return found

    @abstractmethod
    def _angle_places(self, plans: Sequence[SetPlan]) -> list[Array]:
        """Arc lengths of reference of the nodes of each set that have angles [m]."""

    def _lay_out(self, plans: Sequence[SetPlan], lock: bool) -> None:
        """Points, and angles at them."""
        base, points, n_sets = self.base, self.base.points, len(plans)
        places = self._angle_places(plans)
        nodes, counts, values, slopes = [], [0], [], []
        section, part = np.empty(len(points.s), dtype=np.int64), np.empty(len(points.s))
        for i, (plan, ends) in enumerate(zip(plans, places, strict=True)):
            own = np.flatnonzero(points.rod == i)
            lengths = base.node_lengths(i)
            nodes.append(int(base.rod_nodes[i]) + np.searchsorted(lengths, ends - 1e-9 * ends[-1]))
            element = np.clip(np.searchsorted(ends, points.s[own], "right") - 1, 0, len(ends) - 2)
            counts += [0, *np.bincount(element, minlength=len(ends) - 1).tolist()]
            h = np.diff(ends)[element]
            value, slope = angle_functions(self.functions, (points.s[own] - ends[element]) / h)
            values.append(value)
            slopes.append(slope / h[:, None])
            h = plan.rod.length / len(plan.breaks)
            section[own] = np.minimum(points.s[own] // h, len(plan.breaks) - 1)
            part[own] = points.s[own] / h - section[own]
        self.angle_nodes = frozen(np.concatenate(nodes))
        self.plates = frozen(np.cumsum([0, *(len(x) for x in nodes)])[:-1])
        self.node_points = frozen(np.cumsum(counts[:1] + counts[1:]))
        self.value, self.slope = frozen(np.concatenate(values)), frozen(np.concatenate(slopes))
        at_ends = [
            np.searchsorted(x, p.section_ends - 1e-9 * x[-1])
            for p, x in zip(plans, places, strict=True)
        ]
        self.section_nodes = frozen(self.plates[:, None] + np.array(at_ends))
        self.section, self.part = frozen(section), frozen(part)
        self.section_length = frozen(np.array([p.rod.length / len(p.breaks) for p in plans]))
        self._add_points(plans, places, n_sets, lock)

    def _add_points(
        self, plans: Sequence[SetPlan], places: Sequence[Array], n_sets: int, lock: bool
    ) -> None:
        """Points without length: one for each plate, and one for each element that is locked."""
        points = self.base.points
        rods: list[int] = []
        shown, locked, where = [], [], []
        for i, ends in enumerate(places):
            first = n_sets + int(np.searchsorted(self.marks.set, i))
            shown.append(len(points.s) + len(rods))
            rods.append(first)
            if lock:
                locked += (len(points.s) + len(rods) + np.arange(len(ends) - 1)).tolist()
                rods += [first] * (len(ends) - 1)
                middle = (ends[:-1] + ends[1:]) / 2.0
                where += [(i, int(x // self.section_length[i])) for x in middle]
        more = len(rods)
        self.shown = frozen(np.array(shown))
        self.locked = (
            frozen(np.array(locked, dtype=np.int64)),
            frozen(np.array(where, dtype=np.int64).reshape(-1, 2)),
        )
        self.points = Points(
            frozen(np.concatenate([points.rod, np.array(rods, dtype=np.int64)])),
            frozen(np.concatenate([points.s, np.zeros(more)])),
            frozen(np.concatenate([points.weight, np.ones(more)])),
            points.per_span,
        )

    @abstractmethod
    def _number(self, lock: bool) -> None:
        """Rows of inner unknowns: n_inner, n_angle, columns; reach and free."""

    n_inner: int
    hidden: Indices
    stretch: int = 0
    reach: int
    free: NDArray[np.bool_]

    def _find_rows(self) -> None:
        """How many unknowns there are in each row, and what they are."""
        base, n, width = self.base, self.tubes, self.n_inner
        nb, plates = self.n_base, self.angle_nodes[self.plates]
        arm = max(rod.length for rod in base.rods)
        size = np.zeros(self.n_nodes, dtype=np.int64)
        multiplier = np.zeros((self.n_nodes, width), dtype=np.bool_)
        units = np.ones((self.n_nodes, width))
        size[:nb] = base.inner_size
        own = slice(self.columns[1], self.columns[1] + base.n_inner)
        multiplier[:nb, own], units[:nb, own] = base.multiplier, base.inner_units
        at = np.setdiff1d(self.angle_nodes, plates)
        size[at] = self.n_angle + base.n_inner
        first, angle = int(self.columns[0]), int(self.columns[2])
        ties = first + n * self.functions
        multiplier[at[:, None], np.arange(ties, first + self.n_angle - n)] = True
        turning = np.append(np.arange(first, ties), angle + np.arange(n))
        units[at[:, None], turning] = 1.0 / arm
        size[plates] = 2 * n
        multiplier[plates] = np.arange(width) >= n
        units[plates, :n] = 1.0 / arm
        size[nb:], multiplier[nb:] = TIES, True
        units[nb:, 3:TIES] = 1.0 / arm
        self.inner_size, self.multiplier = frozen(size), frozen(multiplier)
        self.inner_units = frozen(units)

    def _pairs(self) -> Indices:
        """Marks, and the nodes of centrelines that they may be found at, (k, 2)."""
        ends = np.append(self.plates, len(self.angle_nodes))
        found = [
            (self.n_base + m, int(node))
            for m, i in enumerate(self.marks.set.tolist())
            for node in self.angle_nodes[ends[i] : ends[i + 1]]
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def work(self) -> TubeWork:
        """New arrays for evaluations."""
        return TubeWork(self)

    def rest(self) -> tuple[Pose, Array]:
        """Straight sets; where they begin depends on inputs."""
        links = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        links[: self.n_base] = self.base.rest()[0]
        return links, np.zeros((self.n_nodes, self.n_inner))

    def straight(self, lengths: Array, angle: Array) -> tuple[Pose, Array, Strain]:
        """Sets that are straight: pose of each node in the one before it, inner unknowns, strains.

        Args:
            lengths: of sections [m], (sets, sections).
            angle: of the tubes [rad], (sets, tubes).
        """
        base, n = self.base, self.tubes
        links, inner = self.rest()
        strain = np.zeros((len(self.points.s), self.components))
        scale = lengths / self.section_length[:, None]
        for i, own in enumerate(lengths):
            first, stop = base.rod_nodes[i : i + 2]
            reference = np.linspace(0.0, base.rods[i].length, len(own) + 1)
            x = np.interp(base.node_lengths(i), reference, np.append(0.0, np.cumsum(own)))
            links[first:stop] = np.eye(4)
            links[first + 1 : stop, 0, 3] = np.diff(x)
        of_set = np.searchsorted(self.plates, np.arange(len(self.angle_nodes)), "right") - 1
        turned = np.zeros((len(self.angle_nodes), self.n_angle))
        turned[:, :n] = angle[of_set]
        self.scatter(np.zeros((self.n_base, base.n_inner)), turned, inner)
        rod = base.points.rod
        strain[: len(rod), 3], strain[: len(rod), 6 : 6 + n] = scale[rod, self.section], angle[rod]
        strain[self.shown, 6 : 6 + n] = angle
        points, where = self.locked
        strain[points, 6] = scale[where[:, 0], where[:, 1]]
        self._stretch_out(scale, inner)
        return links, inner, strain

    def grow(self, before: Array, after: Array, most: float, inner: Array) -> Strain | None:
        """Let strains grow with sections, where they are unknowns; else None."""
        return None

    def _stretch_out(self, scale: Array, inner: Array) -> None:
        """Set unknowns that stretch sections to their lengths over those of reference."""

    def node_lengths(self, rod: int) -> Array:
        """Nodes of a centreline in arc length of reference; a mark is no rod."""
        if rod < len(self.base.rods):
            return np.asarray(self.base.node_lengths(rod))
        return np.zeros(1)

    def fit(self, rod: int, strain: StrainField, wrench: WrenchField | None = None) -> Array:
        """Nothing follows a strain."""
        first, stop = self.rod_nodes[rod : rod + 2]
        return np.zeros((stop - first, self.n_inner))

    def kinematics(
        self, nodes: Pose, inner: Array, posed: Indices, loose: Indices, work: TubeWork
    ) -> None:
        """Strains at all points, poses at the ``posed`` ones, frames of marks."""
        work.nodes, work.inner = nodes, inner
        if work.free is not loose:  # those of an assembly are the same all the time
            work.free = loose
            work.loose[:] = False
            work.loose[loose] = True
        self.gather(inner, work.base_inner, work.angle)
        self.base.kinematics(nodes[: self.n_base], work.base_inner, posed, work.none, work.base)
        self._show(work.base.strain, work.base_inner, work.angle, work.strain)
        frames.place_marks(
            work.at, self.marks.tube, work.angle_at, nodes, work.angle, work.loose, work.end
        )

    def pull_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: TubeWork
    ) -> MarkedMatrices:
        """Carry the laws back to centrelines, angles and marks."""
        own = work.forces
        self._split(forces, own)
        work.sums.fill(0.0)
        frames.mark_tangents(
            work.at, self.marks.tube, work.angle_at, work.angle, forces.loose, work.end, work.nodes,
            work.inner, forces.end_tangent, force, work.angle_force, inner_force,
            work.mark_matrices, work.moved, work.small, work.duals, work.squares, work.product,
        )  # fmt: skip
        coupling = self.base.pull_back(own, force[: self.n_base], work.base_force, work.base)
        self._carry(forces.stress, inner_force, work, acts=True, ties=True)
        return MarkedMatrices(self._coupled(coupling, forces, work), work.mark_matrices, work.at)

    @abstractmethod
    def _coupled(self, coupling: Any, forces: PointForces, work: TubeWork) -> Any:
        """The tangent of centrelines and angles."""

    def _split(self, forces: PointForces, own: PointForces) -> None:
        """What acts on centrelines alone."""
        kernels.split(
            self.components, forces.stress, forces.stress_ahead, forces.stiffness, forces.posed,
            forces.load, forces.load_tangent, own.stress, own.stress_ahead, own.stiffness,
            own.posed, own.load, own.load_tangent,
        )  # fmt: skip
        own.symmetric = forces.symmetric
        if self.complementary:
            n = len(own.stress)
            own.excess[:], own.flexibility[:] = forces.excess[:n], forces.flexibility[:n]

    def _carry(
        self, stress: Array, inner_force: Array, work: TubeWork, acts: bool, ties: bool
    ) -> None:
        """Add to rows what stresses do, if any acts, and multipliers, if these tie."""
        kernels.carry(
            acts, ties, self.columns, self.at_plate, self.node_points, self.value, self.slope,
            self.tubes, self.plates, self.shown, self.locked[0], self.elements, self.angle_nodes,
            self.stretch, stress, work.angle, work.base_force, work.angle_force, inner_force,
        )  # fmt: skip

    def carry_back(
        self, forces: PointForces, force: Array, inner_force: Array, work: TubeWork
    ) -> None:
        """Add the forces that stress and load at the points, and what acts on marks, make."""
        own = work.forces
        acts = kernels.split_forces(
            forces.stress, forces.posed, forces.load, own.stress, own.posed, own.load
        )
        if self.complementary:
            own.excess[:] = forces.excess[: len(own.stress)]
        self._carry_marks(True, forces.loose, force, inner_force, work)
        if acts or self.complementary:
            self.base.carry_back(own, force[: self.n_base], work.base_force, work.base)
        self._carry(forces.stress, inner_force, work, acts=True, ties=False)

    def carry_ties(self, force: Array, inner_force: Array, work: TubeWork) -> None:
        """Add what multipliers exert, and the gaps that they close."""
        self._carry_marks(False, work.loose, force, inner_force, work)
        self.base.carry_ties(force[: self.n_base], work.base_force, work.base)
        self._carry(work.strain, inner_force, work, acts=False, ties=True)

    def _carry_marks(
        self, acts: bool, loose: Any, force: Array, inner_force: Array, work: TubeWork
    ) -> None:
        """Begin with forces of nothing but marks."""
        work.sums.fill(0.0)
        frames.carry_marks(
            work.at, self.marks.tube, work.angle_at, work.angle, loose, work.end, work.nodes,
            work.inner, acts, force, work.angle_force, inner_force, work.small, work.duals,
        )  # fmt: skip

    def increments(self, d_nodes: Array, d_inner: Array, work: TubeWork) -> Array:
        """Linear change of the generalised strain at all points."""
        self.gather(d_inner, work.d_base, work.d_angle)
        strain = self.base.increments(d_nodes[: self.n_base], work.d_base, work.base)
        self._show(strain, work.d_base, work.d_angle, work.d_strain)
        found: Array = work.d_strain
        return found

    def relative_poses(self, fraction: float, work: TubeWork) -> Pose:
        """Relative poses of nodes of centrelines after a fraction of the last ``increments``."""
        links: Pose = work.link
        links[: self.n_base] = self.base.relative_poses(fraction, work.base)
        return links

    def turn(self, nodes: Pose, work: TubeWork) -> float:
        """As of the centrelines."""
        return float(self.base.turn(nodes[: self.n_base], work.base))
