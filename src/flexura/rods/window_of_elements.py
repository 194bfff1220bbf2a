"""Windows on elements that lead from one node to the next: power elements, rotations."""

from copy import copy

import numpy as np

from flexura.rods import rotation_interpolation_kernels as rotation_kernels
from flexura.rods.discretization import PointForces, Points
from flexura.rods.power import PowerRods, PowerWork
from flexura.rods.quadrature import gauss_rule, integral_rows
from flexura.rods.rotation_interpolation import POINTS, RotationRods, RotationWork, hermite
from flexura.rods.window import NOWHERE, PointWindow, Window, pairs_of
from flexura.typing import Array, Pose, Wrench


class RotationWindow(PointWindow):
    """Places on interpolated rotations: one more point of an element, which no integral takes."""

    group: RotationRods

    def _open(self) -> None:
        group, n, k = self.group, 3 * self.m, POINTS + 1
        node, at = pairs_of(self, group.breaks, group.rod_nodes)
        self._gather = np.stack([node - 1, node], axis=1).ravel()
        self.nodes, self.inner_nodes = node[: self.m, None] - 1, node[: self.m, None]
        self.inner_begin, self.n_inner = np.zeros_like(self.inner_nodes), rotation_kernels.N
        u = at / group.length[node]
        basis, own = np.empty((n, k, 2, 3)), hermite(u)
        basis[:, :POINTS], basis[:, POINTS] = group.basis[:POINTS], own
        rows = np.zeros((n * k + 1, k))
        rows[:-1].reshape(n, k, k)[:, :POINTS, :POINTS] = group.rows[:POINTS]
        rows[POINTS:-1:k, :POINTS] = integral_rows(u, POINTS)
        rows[-1, :POINTS] = group.rows[-1]
        copied = copy(group)
        copied.rod_nodes = 2 * np.arange(n + 1)
        copied.length = group.length[self._gather]
        copied.length[::2] = 0.0
        copied.first_point = k * (np.arange(2 * n + 1) // 2)
        copied.point_node = np.repeat(2 * np.arange(n) + 1, k)
        copied.basis, copied.rows = basis.reshape(-1, 2, 3), rows
        self._prepare(copied, RotationWork(2 * n, n * k, k), 2 * n, k)
        self._tips = 1 + 2 * np.arange(n)
        self._forces.loose[self._tips] = True

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        self._look(nodes[self._gather], inner[self._gather], self._tips)

    def _carried(self) -> Array:
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        k = 2 * self.m
        inner = self._inner_force[1:k:2, : self.n_inner]
        return np.concatenate([self._force[:k:2], inner], axis=1)

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, tangent=load_tangent)
        self._own.pull_back(self._forces, self._force, self._inner_force, self._work)
        w = self.width
        return np.ascontiguousarray(self._work.matrices[1 : 2 * self.m : 2, :w, :w])


class PowerWindow(Window):
    """Places on power elements: the loose ends of elements that end there.

    Their unknowns are strains at points of the whole element. How f · p'(s) changes with them is
    a difference along the rod of what f does at p(s).
    """

    group: PowerRods

    def _open(self) -> None:
        group, n, k = self.group, 3 * self.m, self.group.degree
        node, at = pairs_of(self, group.breaks, group.rod_nodes)
        self._gather = np.stack([node - 1, node], axis=1).ravel()
        self.nodes, self.inner_nodes = node[: self.m, None] - 1, node[: self.m, None]
        self.inner_begin, self.n_inner = np.zeros_like(self.inner_nodes), 6 * k
        length = group.length[node]
        u = np.tile(0.5 + 0.5 * gauss_rule(k)[0], n)
        copied, first = copy(group), 2 * np.arange(n)
        copied.rod_nodes, copied.elements = 2 * np.arange(n + 1), first + 1
        copied.length = group.length[self._gather]
        copied.length[::2] = 0.0
        copied.points = Points(np.repeat(np.arange(n), k), np.zeros(n * k), np.ones(n * k), k)
        copied.place_node = np.concatenate([np.repeat(first, k), first])
        copied.place_first = k * (copied.place_node + 1) - 1
        copied.ends = n * k + np.arange(n)
        copied.b, copied.db = group.powers(
            np.concatenate([u, at / length]), np.concatenate([np.repeat(length, k), length])
        )
        self._own, self._work = copied, PowerWork(2 * n, n * k, copied.b, copied.db)
        self._tips = first + 1
        self._forces = PointForces(n * k, 2 * n)
        self._forces.loose[self._tips] = True

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        work = self._work
        poses = nodes[self._gather]
        self._own.kinematics(poses, inner[self._gather], NOWHERE, self._tips, work)
        self._all_poses = poses[1::2]
        self.pose, strain = self._all_poses[: self.m], work.place_strain[self._own.ends]
        self.strain, self.slope = strain[: self.m], self._differences(strain)

    def _carry(self, load: Wrench) -> Array:
        """What wrenches on all poses do, also on those a little after and before, (3 m, w)."""
        n = 3 * self.m
        force, inner = np.zeros((2 * n, 6)), np.zeros((2 * n, self.n_inner + 6))
        force[1::2] = load
        self._own.carry_back(self._forces, force, inner, self._work)
        return np.concatenate([force[::2], inner[1::2, : self.n_inner]], axis=1)

    def carry(self, load: Wrench) -> Array:
        """What wrenches on the poses do to the numbers."""
        every = np.zeros((3 * self.m, 6))
        every[: self.m] = load
        return self._carry(every)[: self.m]

    def carry_along(self, force: Array) -> Array:
        """How f · p'(s) changes with the numbers."""
        R = self._all_poses[:, :3, :3]
        world = np.tile(np.einsum("mij,mj->mi", R[: self.m], force), (3, 1))
        turned = np.einsum("mji,mj->mi", R, world)
        return self._differences(self._carry(np.concatenate([0.0 * turned, turned], axis=1)))

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        n, m, w = 3 * self.m, self.m, self.width
        force, inner = np.zeros((2 * n, 6)), np.zeros((2 * n, self.n_inner + 6))
        force[1 : 2 * m : 2] = load
        self._forces.end_tangent[self._tips[:m]] = load_tangent
        self._own.pull_back(self._forces, force, inner, self._work)
        return np.ascontiguousarray(self._work.matrices[1 : 2 * m : 2, :w, :w])
