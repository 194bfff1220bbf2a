"""Windows on rods that are products of exponentials between poses: splines, Hermite elements."""

from copy import copy

import numpy as np

from flexura.rods.basis import cumulative_basis
from flexura.rods.hermite import HermiteRods, HermiteWork, bezier
from flexura.rods.hermite_kernels import PLACES
from flexura.rods.spline import SplineRods, SplineWork
from flexura.rods.window import PointWindow, pairs_of
from flexura.typing import Array, Pose, Wrench


class SplineWindow(PointWindow):
    """Places on splines: they depend on degree + 1 control poses."""

    group: SplineRods

    def _open(self) -> None:
        group, k, n = self.group, self.group.degree, 3 * self.m
        first, b, db = np.empty(n, dtype=np.int64), np.empty((n, k)), np.empty((n, k))
        for rod in np.unique(self.rod).tolist():
            at = np.flatnonzero(np.tile(self.rod, 3) == rod)
            spans = np.tile(self.s, 3)[at]
            begin, b[at], db[at] = cumulative_basis(group.knots[rod], k, self._lengths[at], spans)
            first[at] = begin + group.rod_nodes[rod]
        every = first[:, None] + np.arange(k + 1)
        self._gather, self.nodes = every.ravel(), every[: self.m]
        self.inner_nodes = self.inner_begin = np.empty((self.m, 0), dtype=np.int64)
        self.n_inner = 0
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

    def _carried(self) -> Array:
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        return self._force[: self.nodes.size].reshape(self.m, -1).copy()

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, tangent=load_tangent)
        coupling = self._own.pull_back(self._forces, self._force, self._inner_force, self._work)
        k = self.group.degree
        c, d = np.indices((k + 1, k + 1))
        node = (k + 1) * np.arange(self.m)[:, None, None] + c
        blocks = coupling.blocks[node, k + d - c].reshape(self.m, k + 1, k + 1, 6, 6)
        return np.ascontiguousarray(np.swapaxes(blocks, 2, 3)).reshape(self.m, self.width, -1)


class HermiteWindow(PointWindow):
    """Places on Hermite elements: they depend on the poses and strains at both ends."""

    group: HermiteRods

    def _open(self) -> None:
        group, n = self.group, 3 * self.m
        node, at = pairs_of(self, group.breaks, group.rod_nodes)
        pairs = np.stack([node - 1, node], axis=1)
        self._gather, self.nodes = pairs.ravel(), pairs[: self.m]
        self.inner_nodes, self.n_inner = self.nodes, 6
        begin = np.stack([group.shared[node], np.zeros_like(node)], axis=1)
        self.inner_begin = begin[: self.m]
        copied, first = copy(group), 2 * np.arange(n)
        copied.rod_nodes, copied.elements = 2 * np.arange(n + 1), first + 1
        copied.length = group.length[self._gather]
        copied.length[::2] = 0.0
        copied.shared = begin[:, ::-1].ravel()
        copied.point_node = first
        copied.point_first = copied.span_first = 3 * first + 2
        copied.span_points = np.arange(n + 1)
        u = at / group.length[node]
        copied.b, copied.db = bezier(u, group.length[node])
        copied.assumed = copied.force_functions(first, u)
        self._prepare(copied, HermiteWork(2 * n, copied.b, copied.db), 2 * n)

    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains."""
        self._look(nodes[self._gather], np.ascontiguousarray(inner[self._gather]))

    def _carried(self) -> Array:
        self._own.carry_back(self._forces, self._force, self._inner_force, self._work)
        k = 2 * self.m
        of_nodes = self._force[:k].reshape(self.m, 12)
        columns = self.inner_begin[:, :, None] + np.arange(6)
        rows = np.arange(k).reshape(self.m, 2, 1)
        of_strains = self._inner_force[rows, columns].reshape(self.m, 12)
        return np.concatenate([of_nodes, of_strains], axis=1)

    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers."""
        self._load(load, tangent=load_tangent)
        self._own.pull_back(self._forces, self._force, self._inner_force, self._work)
        order = np.concatenate([PLACES[i] + np.arange(6) for i in (0, 3, 1, 2)])
        matrices = self._work.matrices[1 : 2 * self.m : 2]
        return np.ascontiguousarray(matrices[:, order][:, :, order])
