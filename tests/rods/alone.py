"""Groups of rods without a model: their tangent as a matrix, and one clamped rod in balance."""

from itertools import pairwise

import numpy as np

from flexura.rods.discretization import NodeBlocks, PointForces, RodPlan

NONE = np.empty(0, dtype=np.int64)


def dense(group, coupling):
    """The tangent of all numbers of a group, poses first, then rows of inner unknowns."""
    n_nodes = int(group.rod_nodes[-1])
    poses = 6 * n_nodes
    found = np.zeros((poses + n_nodes * group.n_inner,) * 2)

    def pose(n):
        return np.arange(6 * n, 6 * n + 6)

    def inner(n, begin=0, size=None):
        size = group.inner_size[n] if size is None else size
        return poses + group.n_inner * n + begin + np.arange(size)

    if isinstance(coupling, NodeBlocks):
        reach, width = coupling.reach, group.n_inner
        for first, stop in pairwise(group.rod_nodes):
            for n in range(first, stop):
                for m in range(max(first, n - reach), min(stop, n + reach + 1)):
                    block = coupling.blocks[n, reach + m - n].reshape(6, 6)
                    found[np.ix_(pose(n), pose(m))] += block
                    if coupling.rows is not None and m < n + reach:
                        rows = coupling.rows[n, reach + m - n].reshape(width, 6)
                        found[np.ix_(inner(n, 0, width), pose(m))] += rows
                        found[np.ix_(pose(m), inner(n, 0, width))] += rows.T
                if coupling.between is not None:
                    for j in range(min(coupling.between.shape[1], stop - n)):
                        one, other = inner(n, 0, width), inner(n + j, 0, width)
                        found[one, other] += coupling.between[n, j]
                        if j:
                            found[other, one] += coupling.between[n, j]
        return found
    begin, size = coupling.shared or np.zeros((2, n_nodes), dtype=np.int64)
    widest = coupling.matrices.shape[1] - 12 - group.n_inner
    for first, stop in pairwise(group.rod_nodes):
        for n in range(first + 1, stop):
            numbers = (pose(n - 1), inner(n - 1, begin[n], size[n]), inner(n), pose(n))
            starts = (0, 6, 6 + widest, 6 + widest + group.n_inner)
            rows = np.concatenate(
                [a + np.arange(len(x)) for a, x in zip(starts, numbers, strict=True)]
            )
            where = np.concatenate(numbers)
            found[np.ix_(where, where)] += coupling.matrices[n][np.ix_(rows, rows)]
    return found


class Cantilever:
    """One rod clamped at its base, with a dead force and a follower moment at its tip."""

    def __init__(self, rod, choice, jumps=()):
        group = self.group = choice.group([RodPlan(rod, choice, jumps)])
        self.rod = rod
        self.n_nodes = int(group.rod_nodes[-1])
        links, self.inner = group.rest()
        self.nodes = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        for n in range(1, self.n_nodes):
            self.nodes[n] = self.nodes[n - 1] @ links[n]
        points = group.points
        self.stiffness = np.array([rod.stiffness(s) for s in points.s]) * points.weight[:, None]
        self.rest = np.array([rod.rest_strain(s) for s in points.s])
        self.forces = PointForces(len(points.s), self.n_nodes)
        self.work, self.ahead = group.work(), None
        self.loose = np.array([self.n_nodes - 1]) if group.integrated else NONE
        self.forces.loose[self.loose] = True
        unknown = np.ones((self.n_nodes, 6), dtype=bool)
        unknown[0], unknown[self.loose] = False, False
        inside = np.arange(group.n_inner) < group.inner_size[:, None]
        if group.integrated:
            inside[self.loose, -6:] = False
        self.free = np.concatenate([unknown.ravel(), inside.ravel()])
        self.iterations = 0

    def evaluate(self, tip_force, tip_moment):
        """Residual of all numbers, and the tangent."""
        group, forces, work = self.group, self.forces, self.work
        group.kinematics(self.nodes, self.inner, NONE, self.loose, work)
        forces.clear()
        known = 3 if group.complementary else 6
        change, w = work.strain - self.rest, group.points.weight[:, None]
        forces.stress[:, :known] = (self.stiffness * change)[:, :known]
        ahead = forces.stress if self.ahead is None else self.ahead
        forces.stress_ahead[:, :known] = ahead[:, :known]
        forces.stiffness[:, ::7][:, :known] = self.stiffness[:, :known]
        if group.complementary:
            give = w * w / self.stiffness[:, 3:]
            forces.stress[:, 3:] = forces.stress_ahead[:, 3:] = w * work.force
            forces.excess[:] = w * change[:, 3:] - give * work.force
            forces.flexibility[:] = give
        force, inner_force = np.zeros((self.n_nodes, 6)), np.zeros_like(self.inner)
        tip = self.n_nodes - 1
        n = self.nodes[tip, :3, :3].T @ tip_force
        hat_m, hat_n = (np.cross(np.eye(3), x) for x in (tip_moment, n))
        force[tip] -= np.concatenate([tip_moment, n])
        tangent = 0.5 * np.block([[hat_m, hat_n], [-hat_n, np.zeros((3, 3))]])
        forces.end_tangent[tip] = tangent.ravel()
        forces.symmetric = not np.any(tip_moment)
        matrix = dense(group, group.pull_back(forces, force, inner_force, work))
        if not group.integrated:
            own = slice(6 * tip, 6 * tip + 6)
            matrix[own, own] += tangent
        return np.concatenate([force.ravel(), inner_force.ravel()]), matrix

    def solve(self, tip_force=(0, 0, 0), tip_moment=(0, 0, 0), steps=1, tolerance=1e-11):
        """Newton's method, the load raised in equal steps; an open chain is recomposed."""
        tip_force, tip_moment = np.asarray(tip_force, float), np.asarray(tip_moment, float)
        for part in np.arange(1, steps + 1) / steps:
            for _ in range(60):
                residual, matrix = self.evaluate(part * tip_force, part * tip_moment)
                step = np.zeros(len(residual))
                free = self.free
                step[free] = np.linalg.solve(matrix[np.ix_(free, free)], -residual[free])
                self.iterations += 1
                if self.take(step) < tolerance:
                    break
            else:
                raise RuntimeError("no convergence")
        self.evaluate(tip_force, tip_moment)
        return self

    def take(self, step):
        """Take a step, its rotations limited; how far it turns."""
        d_nodes = step[: 6 * self.n_nodes].reshape(-1, 6)
        d_inner = step[6 * self.n_nodes :].reshape(self.inner.shape)
        d_strain = self.group.increments(d_nodes, d_inner, self.work)
        turn = self.group.points.weight @ np.linalg.norm(d_strain[:, :3], axis=1)
        fraction = min(1.0, 1.0 / max(turn, 1e-300))
        self.ahead = self.stiffness * (self.work.strain + fraction * d_strain - self.rest)
        links = self.group.relative_poses(fraction, self.work).copy()
        self.inner = self.inner + fraction * d_inner
        for n in range(1, self.n_nodes):
            self.nodes[n] = self.nodes[n - 1] @ links[n]
        return turn

    def shape(self, s):
        """Poses and strains at arc lengths."""
        return self.group.shape(self.nodes, self.inner, 0, np.asarray(s, float))
