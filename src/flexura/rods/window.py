"""Places on rods whose arc lengths may change: what slides along a rod sees it through a window.

A window is a group of rods of its own, one for each place, with copies of just those nodes that its
pose depends on. So the kernels of a description serve it as they are, and forces and tangents are
exact. Numbers of a place are those of its nodes, six each, then the inner ones that it depends on.
"""

from abc import ABC, abstractmethod
from copy import copy
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.rods.basis import cumulative_basis
from flexura.rods.discretization import PointForces, Points, RodGroup
from flexura.rods.elements import element_of
from flexura.rods.linear_strain import LinearStrainRods, LinearStrainWork
from flexura.rods.spline import SplineRods, SplineWork
from flexura.rods.strain_basis import tabulate
from flexura.rods.variable_strain import StrainRods, StrainWork
from flexura.rods.variable_strain_step import GAUSS
from flexura.typing import Array, Indices, Pose, Strain, Wrench

# Slopes of strains are differences over twice this part of a rod.
ASIDE = 1e-5
NOWHERE = np.empty(0, dtype=np.int64)


class Window(ABC):
    """Places on the rods of a group.

    Attributes:
        group: the group that the places are on.
        rod: of each place, (m,).
        s: arc length of each [m], (m,).
        nodes: nodes of the group that each depends on, (m, r).
        inner_node: node of the group with whose inner unknowns it moves, (m,).
        n_inner: how many of these, the first ones.
        pose: of each, (m, 4, 4).
        strain: of each, (m, 6).
        slope: of the strain along the rod, (m, 6).
    """

    nodes: Indices
    inner_node: Indices
    n_inner: int
    pose: Pose
    strain: Strain
    slope: Strain

    def __init__(self, group: Any, rod: Indices, s: Array) -> None:
        self.group, self.rod, self.s, self.m = group, rod, s, len(s)
        lengths = np.array([group.rods[i].length for i in rod.tolist()])
        self._aside = ASIDE * lengths
        self._open()

    @property
    def width(self) -> int:
        """How many numbers a place depends on."""
        return int(6 * self.nodes.shape[1] + self.n_inner)

    @abstractmethod
    def _open(self) -> None:
        """Find the nodes, and make the rods of the window."""

    def move(self, s: Array) -> bool:
        """Go to other arc lengths, if that takes no other nodes; whether it does not."""
        return False

    @abstractmethod
    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains, for poses and inner unknowns of the nodes of the group."""

    @abstractmethod
    def carry(self, load: Wrench, stress: Array) -> Array:
        """What wrenches on the poses, and stresses of the strains, do to the numbers, (m, w)."""

    @abstractmethod
    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers, (m, w, w).

        Args:
            load: wrenches on the poses, (m, 6).
            load_tangent: their derivatives in the exponential charts, symmetric, (m, 36).
        """


class _PointWindow(Window):
    """Places at the points of a copy of the group: the places, and those a little before and after.

    Of all these rods, the first m are loaded.
    """

    _own: Any
    _work: Any

    def _prepare(self, copied: Any, work: Any, n_nodes: int) -> None:
        self._own, self._work = copied, work
        n = 3 * self.m
        copied.points = Points(np.arange(n), self._lengths, np.ones(n), 1)
        self._forces = PointForces(n, n_nodes)
        self._posed = np.arange(self.m)
        self._forces.posed[: self.m] = True
        self._force = np.zeros((n_nodes, 6))
        self._inner_force = np.zeros((n_nodes, max(1, self.n_inner)))

    @property
    def _lengths(self) -> Array:
        return np.concatenate([self.s, self.s + self._aside, self.s - self._aside])

    @property
    def _rods(self) -> Indices:
        return np.tile(self.rod, 3)

    def _look(self, nodes: Pose, inner: Array) -> None:
        """Evaluate the copy."""
        work, m = self._work, self.m
        self._own.kinematics(nodes, inner, self._posed, NOWHERE, work)
        self.pose, self.strain = work.pose[:m], work.strain[:m]
        after, before = work.strain[m : 2 * m], work.strain[2 * m :]
        self.slope = (after - before) / (2.0 * self._aside)[:, None]

    def _load(self, load: Wrench, stress: Array | None, tangent: Array | None) -> None:
        forces = self._forces
        forces.clear()
        self._force.fill(0.0)
        self._inner_force.fill(0.0)
        forces.load[: self.m] = load
        if stress is not None:
            forces.stress[: self.m] = stress
        if tangent is not None:
            forces.load_tangent[: self.m] = tangent


class SplineWindow(_PointWindow):
    """Places on splines: they depend on degree + 1 control poses."""

    group: SplineRods

    def _open(self) -> None:
        group, k, n = self.group, self.group.degree, 3 * self.m
        first, b, db = np.empty(n, dtype=np.int64), np.empty((n, k)), np.empty((n, k))
        for rod in np.unique(self.rod).tolist():
            at = np.flatnonzero(self._rods == rod)
            begin, b[at], db[at] = cumulative_basis(group.knots[rod], k, self._lengths[at])
            first[at] = begin + group.rod_nodes[rod]
        every = first[:, None] + np.arange(k + 1)
        self._gather, self.nodes = every.ravel(), every[: self.m]
        self.inner_node, self.n_inner = np.full(self.m, -1), 0
        copied = copy(group)
        copied.rod_nodes = (k + 1) * np.arange(n + 1)
        copied.point_first = copied.span_first = (k + 1) * np.arange(n)
        copied.span_points = np.arange(n + 1)
        copied.b, copied.db = b, db
        copied.complementary, copied.assumed, copied.n_inner = False, None, 0
        self._prepare(copied, SplineWork(n * (k + 1), b, db), n * (k + 1))

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        self._look(nodes[self._gather], self._inner_force)

    def carry(self, load: Wrench, stress: Array) -> Array:
        """What wrenches and stresses do to the numbers."""
        self._load(load, stress, None)
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        return self._force[: self.nodes.size].reshape(self.m, -1).copy()

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, None, load_tangent)
        coupling = self._own.pull_back(self._forces, self._force, self._inner_force, self._work)
        k = self.group.degree
        c, d = np.indices((k + 1, k + 1))
        node = (k + 1) * np.arange(self.m)[:, None, None] + c
        blocks = coupling.blocks[node, k + d - c].reshape(self.m, k + 1, k + 1, 6, 6)
        return np.ascontiguousarray(np.swapaxes(blocks, 2, 3)).reshape(self.m, self.width, -1)


class LinearStrainWindow(_PointWindow):
    """Places on linear strain elements: they depend on both ends and on the slope."""

    group: LinearStrainRods

    def _open(self) -> None:
        group, n = self.group, 3 * self.m
        node, at = np.empty(n, dtype=np.int64), np.empty(n)
        for rod in np.unique(self.rod).tolist():
            own, breaks = np.flatnonzero(self._rods == rod), group.breaks[rod]
            element = element_of(breaks, self._lengths[own])
            node[own] = group.rod_nodes[rod] + element + 1
            at[own] = self._lengths[own] - breaks[element]
        pairs = np.stack([node - 1, node], axis=1)
        self._gather, self.nodes = pairs.ravel(), pairs[: self.m]
        self.inner_node, self.n_inner = node[: self.m], 6
        copied = copy(group)
        copied.rod_nodes = 2 * np.arange(n + 1)
        copied.first_point = np.arange(2 * n + 1) // 2
        copied.point_node, copied.inside = 2 * np.arange(n) + 1, at
        copied.length = group.length[self._gather]
        copied.length[::2] = 0.0
        self._prepare(copied, LinearStrainWork(copied.length, n), 2 * n)

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        self._look(nodes[self._gather], inner[self._gather])

    def carry(self, load: Wrench, stress: Array) -> Array:
        """What wrenches and stresses do to the numbers."""
        self._load(load, stress, None)
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        of_nodes = self._force[: 2 * self.m].reshape(self.m, 12)
        return np.concatenate([of_nodes, self._inner_force[1 : 2 * self.m : 2]], axis=1)

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, None, load_tangent)
        self._own.pull_back(self._forces, self._force, self._inner_force, self._work)
        order = np.r_[0:6, 12:18, 6:12]
        matrices = self._work.matrices[1 : 2 * self.m : 2]
        return np.ascontiguousarray(matrices[:, order][:, :, order])


class StrainWindow(Window):
    """Places on integrated strains: loose ends of rods from the node before them."""

    group: StrainRods

    def _open(self) -> None:
        group, m, n = self.group, self.m, len(self.group.component)
        node, step = self._at = self._steps()
        first = group.node_steps[node]
        counts = np.stack([np.zeros(m, dtype=np.int64), step - first + 1], axis=1).ravel()
        whole = [
            slice(2 * a, 2 * k + 2) for a, k in zip(first.tolist(), step.tolist(), strict=True)
        ]
        self.nodes, self.inner_node, self.n_inner = node[:, None] - 1, node, n
        copied = copy(group)
        copied.rod_nodes = 2 * np.arange(m + 1)
        copied.node_steps = np.concatenate([[0], np.cumsum(counts)])
        self._last = copied.node_steps[2::2] - 1
        copied.phi = np.concatenate([group.phi[own] for own in whole])
        copied.rest_strain = np.concatenate([group.rest_strain[own] for own in whole])
        every = [np.arange(own.start // 2, own.stop // 2) for own in whole]
        copied.step = group.step[np.concatenate(every)]
        points = len(copied.phi)
        nowhere = np.zeros(points, dtype=np.int64)
        copied.points = Points(nowhere, np.zeros(points), np.ones(points), 2)
        self._own, self._work = copied, StrainWork(2 * m, n, copied.node_steps, copied.step)
        self._tips = 1 + 2 * np.arange(m)
        self._forces = PointForces(points, 2 * m)
        self._forces.loose[self._tips] = True
        self._poses = np.tile(np.eye(4), (2 * m, 1, 1))
        self._inner = np.zeros((2 * m, n + 6))
        self._end_steps()

    def move(self, s: Array) -> bool:
        """Go to other arc lengths, in the same steps."""
        before, self.s = self.s, s
        node, step = self._steps()
        if np.array_equal(node, self._at[0]) and np.array_equal(step, self._at[1]):
            self._end_steps()
            return True
        self.s = before
        return False

    def _end_steps(self) -> None:
        """Let the last steps end at the places."""
        group, m, (node, step) = self.group, self.m, self._at
        begin = group.step_begin[step]
        length = self.s - begin
        looked = (self.s, self.s + self._aside, self.s - self._aside)
        at = np.concatenate([*looked, *(begin + x * length for x in GAUSS)])
        every = np.tile(np.arange(m), 5)
        start = group.step_begin[group.node_steps[node]]
        u = (at - start[every]) / self._element_length(node)[every]
        functions = tabulate(group._function, group._orders, u)
        rest = np.empty((len(at), 6))
        for rod in np.unique(self.rod).tolist():
            own = self.rod[every] == rod
            inside = np.clip(at[own], 0.0, group.rods[rod].length)
            rest[own] = group.rods[rod].rest_strain(inside)
        self._functions = functions[: 3 * m].reshape(3, m, -1)
        self._rest = rest[: 3 * m].reshape(3, m, 6)
        copied, last = self._own, self._last
        copied.step[last] = length
        for i in range(2):
            own = slice((3 + i) * m, (4 + i) * m)
            copied.phi[2 * last + i], copied.rest_strain[2 * last + i] = functions[own], rest[own]

    def _steps(self) -> tuple[Indices, Indices]:
        """The node that the element of each place leads to, and the step that it is in."""
        group, node, step = self.group, *np.empty((2, self.m), dtype=np.int64)
        for rod in np.unique(self.rod).tolist():
            own = np.flatnonzero(self.rod == rod)
            first = group.rod_nodes[rod]
            node[own] = first + 1 + element_of(group.breaks[rod], self.s[own])
            a, b = group.node_steps[first], group.node_steps[group.rod_nodes[rod + 1]]
            begins = group.step_begin[a:b]
            step[own] = a + np.clip(np.searchsorted(begins, self.s[own], side="right") - 1, 0, None)
        low, high = group.node_steps[node], group.node_steps[node + 1] - 1
        return node, np.clip(step, low, high)

    def _element_length(self, node: Indices) -> Array:
        """Lengths of the elements that lead to nodes [m]."""
        ends = np.concatenate([[0.0], np.cumsum(self.group.step)])
        return np.asarray(ends[self.group.node_steps[node + 1]] - ends[self.group.node_steps[node]])

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        work, group, n = self._work, self.group, self.n_inner
        self._poses[::2] = nodes[self.nodes[:, 0]]
        self._inner[1::2, :n] = inner[self.inner_node, :n]
        self._own.kinematics(self._poses, self._inner, NOWHERE, self._tips, work)
        self.pose = self._poses[1::2]
        change = self._functions * inner[self.inner_node, :n]
        strains = self._rest + change @ np.eye(6)[group.component]
        self.strain = strains[0]
        self.slope = (strains[1] - strains[2]) / (2.0 * self._aside)[:, None]

    def carry(self, load: Wrench, stress: Array) -> Array:
        """What wrenches and stresses do to the numbers."""
        force, inner = np.zeros((2 * self.m, 6)), np.zeros((2 * self.m, self.n_inner + 6))
        force[1::2] = load
        self._own.carry_back(self._forces, force, inner, self._work)
        of_strain = self._functions[0] * stress[:, self.group.component]
        return np.concatenate([force[::2], inner[1::2, : self.n_inner] + of_strain], axis=1)

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        force, inner = np.zeros((2 * self.m, 6)), np.zeros((2 * self.m, self.n_inner + 6))
        force[1::2] = load
        self._forces.end_tangent[self._tips] = load_tangent
        self._own.pull_back(self._forces, force, inner, self._work)
        return self._work.matrices[1::2, : self.width, : self.width].copy()


WINDOWS: dict[type, type[Window]] = {
    SplineRods: SplineWindow,
    LinearStrainRods: LinearStrainWindow,
    StrainRods: StrainWindow,
}


def window(group: RodGroup, rod: Indices, s: Array) -> Window:
    """Places at arc lengths of the rods of a group."""
    return WINDOWS[type(group)](group, rod, s)


def check_window(rod: str, group: RodGroup) -> None:
    """Raise unless there are windows on a group."""
    if type(group) not in WINDOWS:
        raise ModelError(
            f"rod {rod!r} is threaded through a volume: its discretization must be Spline, "
            "LinearStrain, VariableStrain or ConstantStrain; choose one with "
            f"build(robot, rods={{{rod!r}: ...}})"
        )
