"""Arrays of one evaluation of sets of tubes."""

from typing import Any

import numpy as np

from flexura.rods.discretization import PointForces
from flexura.typing import Indices

TIES = 6  # multipliers of a mark that something holds
MARK = 19  # unknowns of a mark: centreline, angle, ties, its own pose


class TubeWork:
    """Arrays of one evaluation of ``TubeRods``.

    Attributes:
        sums: forces of the numbers of centrelines and of angles, to be set at once.
        at: the node of the centreline where each mark is found, (m,).
        angle_at: the same among the nodes with angles.
    """

    def __init__(self, group: Any) -> None:
        base, n_points, m = group.base, len(group.points.s), len(group.marks.tube)
        self.base = base.work()
        self.none = np.empty(0, dtype=np.int64)
        nb, nodes = group.n_base, group.n_nodes
        self.forces = PointForces(len(base.points.s), nb)
        self.strain, self.d_strain = np.zeros((2, n_points, group.components))
        self.pose = np.tile(np.eye(4), (n_points, 1, 1))
        self.base.take_poses(self.pose[: len(base.points.s)])
        self.force = np.zeros((n_points if group.complementary else 0, 3))
        if group.complementary:
            self.base.force = self.force[: len(base.points.s)]
        self.nodes = np.tile(np.eye(4), (nodes, 1, 1))
        self.inner = np.zeros((nodes, group.n_inner))
        self.base_inner, self.d_base = np.zeros((2, nb, base.n_inner))
        a = len(group.angle_nodes), group.n_angle
        self.angle, self.d_angle = np.zeros((2, *a))
        self.sums = np.zeros(nb * base.n_inner + a[0] * a[1])
        self.base_force = self.sums[: nb * base.n_inner].reshape(nb, base.n_inner)
        self.angle_force = self.sums[nb * base.n_inner :].reshape(a)
        self.loose, self.free = np.zeros(nodes, dtype=np.bool_), self.none
        self.end = np.tile(np.eye(4), (m, 1, 1))
        self.mark_matrices = np.zeros((m, MARK, MARK))
        self.moved, self.product = np.zeros((7, 6)), np.zeros((7, 6))
        self.small, self.duals, self.squares = np.zeros(34), np.zeros((5, 18)), np.zeros((4, 36))
        self.link = np.tile(np.eye(4), (nodes, 1, 1))
        self.matrices, self.cross = np.empty((0, 0, 0)), np.empty((0, 0, 0, 0))
        self.gamma, self.column = np.empty((0, 0, 0)), np.empty((0, 0))
        self.strain_ahead = self.strain
        self.angle_at: Indices = group.section_nodes[group.marks.set, 1 + group.marks.rank]
        self.at: Indices = group.angle_nodes[self.angle_at]
