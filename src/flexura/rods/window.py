"""Places on rods whose arc lengths may change: what slides along a rod sees it through a window.

A window is a group of rods of its own, one for each place, with copies of just those nodes that its
pose depends on. So the kernels of a description serve it as they are, and forces and tangents are
exact, but for the slope of the strain along the rod: a difference of the functions of the element
that the place is in, right to ten digits. Numbers of a place are those of its nodes, six each, then
the inner ones that it depends on, node by node. ``windows`` has one for every description.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from flexura.rods import window_kernels as kernels
from flexura.rods.discretization import PointForces, Points
from flexura.rods.elements import element_of
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
        inner_nodes: nodes of the group with whose inner unknowns it moves, (m, q).
        inner_begin: the first of these inner unknowns in the rows of their nodes, (m, q).
        n_inner: how many of each node.
        pose: of each, (m, 4, 4).
        strain: of each, (m, 6).
        slope: of the strain along the rod, (m, 6).
    """

    nodes: Indices
    inner_nodes: Indices
    inner_begin: Indices
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
        return int(6 * self.nodes.shape[1] + self.n_inner * self.inner_nodes.shape[1])

    @property
    def _lengths(self) -> Array:
        """The places, and those a little after and before [m], (3 m,).

        These go on with the functions of the element that the place is in, even beyond its end.
        """
        return np.concatenate([self.s, self.s + self._aside, self.s - self._aside])

    def _differences(self, values: Array) -> Array:
        """Slopes along the rods of what there is at all of these."""
        m, shape = self.m, (-1, *(1,) * (values.ndim - 1))
        return np.asarray(
            (values[m : 2 * m] - values[2 * m :]) / (2.0 * self._aside).reshape(shape)
        )

    @abstractmethod
    def _open(self) -> None:
        """Find the nodes, and make the rods of the window."""

    def move(self, s: Array) -> bool:
        """Go to other arc lengths, if that takes no other nodes; whether it does not."""
        return np.array_equal(s, self.s)

    @abstractmethod
    def place(self, nodes: Pose, inner: Array) -> None:
        """Find poses and strains, for poses and inner unknowns of the nodes of the group."""

    @abstractmethod
    def carry(self, load: Wrench) -> Array:
        """What wrenches on the poses do to the numbers, (m, w)."""

    @abstractmethod
    def carry_along(self, force: Array) -> Array:
        """How f · p'(s) changes with the numbers, for forces in the axes of the places, (m, w)."""

    @abstractmethod
    def tangent(self, load: Wrench, load_tangent: Array) -> Array:
        """How what wrenches do changes with the numbers, (m, w, w).

        Args:
            load: wrenches on the poses, (m, 6).
            load_tangent: their derivatives in the exponential charts, symmetric, (m, 36).
        """

    def _along(self, force: Array) -> tuple[Wrench, Array]:
        """What f · R ν does to the pose, and to the strain, (m, 6) both."""
        turning, stress = np.zeros((2, self.m, 6))
        kernels.act_along(self.strain, np.ascontiguousarray(force), turning, stress)
        return turning, stress


class PointWindow(Window):
    """Places at points of a copy of the group: the places, and those a little before and after.

    Of all these rods, the first m are loaded.
    """

    _own: Any
    _work: Any
    _force: Array
    _inner_force: Array

    def _prepare(self, copied: Any, work: Any, n_nodes: int, per_rod: int = 1) -> None:
        """Take a copy of the group and its work; places are the last points of their rods."""
        self._own, self._work = copied, work
        n = 3 * self.m
        at = np.repeat(self._lengths, per_rod)
        copied.points = Points(np.repeat(np.arange(n), per_rod), at, np.ones(len(at)), per_rod)
        self._forces = PointForces(len(at), n_nodes)
        self._every = per_rod * np.arange(n) + per_rod - 1
        self._posed = self._every[: self.m]
        self._forces.posed[self._posed] = True
        self._force = np.zeros((n_nodes, 6))
        self._inner_force = np.zeros((n_nodes, max(1, copied.n_inner)))

    def _look(self, nodes: Pose, inner: Array, loose: Indices = NOWHERE) -> None:
        """Evaluate the copy."""
        work = self._work
        self._own.kinematics(nodes, inner, self._posed, loose, work)
        self.pose, strain = work.pose[self._posed], work.strain[self._every]
        self.strain, self.slope = strain[: self.m], self._differences(strain)

    def _load(
        self, load: Wrench, stress: Array | None = None, tangent: Array | None = None
    ) -> None:
        forces = self._forces
        forces.clear()
        self._force.fill(0.0)
        self._inner_force.fill(0.0)
        forces.load[self._posed] = load
        if stress is not None:
            forces.stress[self._posed] = stress
        if tangent is not None:
            forces.load_tangent[self._posed] = tangent

    def carry(self, load: Wrench) -> Array:
        """What wrenches on the poses do to the numbers."""
        self._load(load)
        return self._carried()

    def carry_along(self, force: Array) -> Array:
        """How f · p'(s) changes with the numbers."""
        self._load(*self._along(force))
        return self._carried()

    @abstractmethod
    def _carried(self) -> Array:
        """What acts, as it reaches the numbers, (m, w)."""


def pairs_of(window: Window, breaks: list[Array], rod_nodes: Indices) -> tuple[Indices, Array]:
    """The node that the element of each place leads to, and how far it is inside [m], (3 m,) both.

    Args:
        window: of places on elements between neighbouring nodes.
        breaks: ends of the elements of each rod.
        rod_nodes: first node of each rod.
    """
    node, begin = np.empty(window.m, dtype=np.int64), np.empty(window.m)
    for rod in np.unique(window.rod).tolist():
        own = np.flatnonzero(window.rod == rod)
        element = element_of(breaks[rod], window.s[own])
        node[own] = rod_nodes[rod] + element + 1
        begin[own] = breaks[rod][element]
    return np.tile(node, 3), window._lengths - np.tile(begin, 3)
