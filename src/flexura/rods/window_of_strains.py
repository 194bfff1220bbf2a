"""Windows on rods whose strains are functions: linear strain elements, integrated strains."""

from copy import copy

import numpy as np

from flexura.rods import window_kernels as kernels
from flexura.rods.discretization import PointForces, Points
from flexura.rods.elements import element_of
from flexura.rods.linear_strain import LinearStrainRods, LinearStrainWork
from flexura.rods.strain_basis import tabulate
from flexura.rods.strain_rods import StrainRods, StrainWork
from flexura.rods.variable_strain_step import GAUSS
from flexura.rods.window import NOWHERE, PointWindow, Window, pairs_of
from flexura.typing import Array, Indices, Pose, Wrench


class LinearStrainWindow(PointWindow):
    """Places on linear strain elements: they depend on both ends and on the slope."""

    group: LinearStrainRods

    def _open(self) -> None:
        group, n = self.group, 3 * self.m
        node, at = pairs_of(self, group.breaks, group.rod_nodes)
        pairs = np.stack([node - 1, node], axis=1)
        self._gather, self.nodes = pairs.ravel(), pairs[: self.m]
        self.inner_nodes, self.n_inner = node[: self.m, None], 6
        self.inner_begin = np.zeros_like(self.inner_nodes)
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

    def _carried(self) -> Array:
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        of_nodes = self._force[: 2 * self.m].reshape(self.m, 12)
        return np.concatenate([of_nodes, self._inner_force[1 : 2 * self.m : 2]], axis=1)

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, tangent=load_tangent)
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
        self.nodes, self.inner_nodes, self.n_inner = node[:, None] - 1, node[:, None], n
        self.inner_begin = np.zeros_like(self.inner_nodes)
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
        self._inner, self._inner_force = np.zeros((2, 2 * m, n + 6))
        self._force = np.zeros((2 * m, 6))
        self.strain, self.slope = np.zeros((2, m, 6))
        self._begin = group.step_begin[step]
        # a place stays in its step up to the next one; ends of rods have none
        ends = group.node_steps[group.rod_nodes[self.rod + 1]] - 1
        self._beyond = np.where(step == ends, np.inf, self._begin + group.step[step])
        start, length = group.step_begin[first], self._element_length(node)
        self._element = np.tile(start, 5), np.tile(length, 5)
        of_rod = np.tile(self.rod, 5)
        self._of_rods = [
            (group.rods[i], np.flatnonzero(of_rod == i)) for i in np.unique(self.rod).tolist()
        ]
        even = all(not callable(rod.rest) for rod, _ in self._of_rods)
        self._even = even and max(group._orders) <= 1
        self._end_steps()

    def move(self, s: Array) -> bool:
        """Go to other arc lengths, in the same steps."""
        before, self.s = self.s, s
        same = kernels.stay(s, self._begin, self._beyond)  # most often
        if not same:
            node, step = self._steps()
            same = np.array_equal(node, self._at[0]) and np.array_equal(step, self._at[1])
        if not same:
            self.s = before
            return False
        if self._even:  # strains are the same everywhere in an element
            kernels.end_steps(s, self._begin, self._last, self._own.step)
        elif not np.array_equal(s, before):
            self._end_steps()
        return True

    def _end_steps(self) -> None:
        """Let the last steps end at the places."""
        group, m, begin = self.group, self.m, self._begin
        length = self.s - begin
        at = np.concatenate([self._lengths, *(begin + x * length for x in GAUSS)])
        start, whole = self._element
        functions = tabulate(group._function, group._orders, (at - start) / whole)
        rest = np.empty((len(at), 6))
        for rod, own in self._of_rods:
            rest[own] = rod.rest_strain(np.clip(at[own], 0.0, rod.length))
        self._functions = functions[: 3 * m].reshape(3, m, -1)
        self._rest = rest[: 3 * m].reshape(3, m, 6)
        copied, last = self._own, self._last
        copied.step[last] = length
        for i in range(2):
            part = slice((3 + i) * m, (4 + i) * m)
            copied.phi[2 * last + i], copied.rest_strain[2 * last + i] = functions[part], rest[part]

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
        kernels.look(
            nodes, inner, self.nodes, self.inner_nodes, self._functions, self._rest,
            self.group.component, self._aside, self._poses, self._inner, self.strain, self.slope,
        )  # fmt: skip
        self._own.kinematics(self._poses, self._inner, NOWHERE, self._tips, self._work)
        self.pose = self._poses[1::2]

    def carry(self, load: Wrench) -> Array:
        """What wrenches on the poses do to the numbers."""
        own, work, forces = self._own, self._work, self._forces
        found = np.empty((self.m, self.width))
        kernels.carry(
            load, own.rod_nodes, forces.loose, *work.curve, own.runs, own.phi, work.nodes,
            forces.stress, forces.posed, forces.load, work.wrench, self._force, self._inner_force,
            work.vectors, work.duals, found,
        )  # fmt: skip
        return found

    def carry_along(self, force: Array) -> Array:
        """How f · p'(s) changes with the numbers."""
        load, stress = self._along(force)
        found = self.carry(load)
        found[:, 6:] += self._functions[0] * stress[:, self.group.component]
        return found

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        force, inner = self._force, self._inner_force
        kernels.load_tips(load, force, inner)
        self._forces.end_tangent[self._tips] = load_tangent
        self._own.pull_back(self._forces, force, inner, self._work)
        return self._work.matrices[1::2, : self.width, : self.width].copy()
