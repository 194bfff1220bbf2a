"""Points of volumes, and sets of their nodes, as frames: where they are, and how they turn.

    p = Σ N_a x_a,      F = Σ x_a ⊗ ∇N_a = R S,      R the rotation of the polar decomposition

at the point, of the element that it is in. Of a set of n nodes, whose N_a are 1/n,

    F = Σ x_a ⊗ (X_a - X̄) / σ² = R S,      σ a size of the set

so that R turns the set at rest as near as it can to where it is. A motion δx_a of nodes is the body
twist

    v = Rᵀ Σ N_a δx_a,      (tr(S) 1 - S) ω = Σ G_a × Rᵀ δx_a,      F = Σ x_a ⊗ G_a.
"""

from typing import NamedTuple

import numpy as np

from flexura.lie import so3
from flexura.model import spot_kernels as kernels
from flexura.model.particles import Particles
from flexura.robot import Nodes, On, Volume
from flexura.robot.check import bad
from flexura.robot.volume_place import find_on
from flexura.typing import Array, Indices, Matrix, Pose, frozen
from flexura.volumes.elements import gradients
from flexura.volumes.material_kernels import rotation_of

# F at rest of a point of an element.
UNIT: Matrix = frozen(np.eye(3))
# Nodes whose spread across their longest direction is less than this part of it are on a line.
ON_A_LINE = 1e-6


class Spot(NamedTuple):
    """A point of a volume, or a set of nodes.

    Attributes:
        particles: nodes of the element that it is in, or of the set, (k,).
        weights: N_a of these, (k,).
        gradient: G_a, (k, 3).
        rest: F at rest.
    """

    particles: Indices
    weights: Array
    gradient: Array
    rest: Matrix

    @classmethod
    def of(cls, volume: Volume, begin: int, at: On | Nodes) -> "Spot":
        """The point of a volume whose particles begin at a number, or the set of its nodes.

        Raises:
            BadField: for a point outside, and for nodes on a line, which tell no rotation.
        """
        if isinstance(at, Nodes):
            return cls._mean(volume, begin, at)
        nodes, inside = find_on(f"On {volume.name!r}", "point", volume, at.point)
        mesh = volume.elements
        gradient, _ = gradients(mesh.points, nodes, inside)
        weights = mesh.kind.functions.values(inside)[0]
        return cls(begin + nodes[0], weights, gradient[0, 0], UNIT)

    @classmethod
    def _mean(cls, volume: Volume, begin: int, nodes: Nodes) -> "Spot":
        own = nodes.find(volume)
        at = volume.elements.points[own]
        arms = at - at.mean(axis=0)
        spread = np.linalg.svd(arms, compute_uv=False)
        if len(own) < 3 or spread[1] <= ON_A_LINE * spread[0]:
            allowed = "at least three nodes of a frame, not all on a line"
            raise bad(str(nodes), "nodes", allowed, len(own), "take On(...) for a single point")
        weights = np.full(len(own), 1.0 / len(own))
        arms = arms / (spread[0] * spread[0])
        return cls(begin + own, weights, arms, at.T @ arms)

    def rotation(self, F: Matrix) -> Matrix:
        """R of its F."""
        if self.rest is not UNIT:
            return so3.nearest(F)
        R = np.empty((3, 3))  # elements are not flat, and many ask
        rotation_of(F, R, np.empty((3, 3)))
        return R

    def pose(self, particles: Particles, nodes: Pose, numbers: Array) -> Pose:
        """Where it is, for poses of the nodes and all unknowns."""
        found = np.eye(4)
        if self.rest is UNIT:
            kernels.put_pose(
                self.particles, self.weights, self.gradient, particles.rest, particles.dof,
                particles.node, particles.place, nodes, numbers, found, *np.empty((3, 3, 3)),
            )  # fmt: skip
            return found
        displacement = np.zeros((len(particles), 3))
        particles.displacements(nodes, numbers, displacement)
        found[:3, :3] = self.rotation(self._stretched(displacement))
        at = particles.rest[self.particles] + displacement[self.particles]
        found[:3, 3] = self.weights @ at
        return found

    def forces(self, displacement: Array, rows: Matrix) -> Array:
        """Forces on its particles that do the work of rows on its body twist, (p, k, 3)."""
        F = self._stretched(displacement)
        R = self.rotation(F)
        found = rows[:, None, 3:] * self.weights[:, None]
        if np.count_nonzero(rows[:, :3]):  # most often nobody asks how it turns
            S = R.T @ F
            about = np.linalg.solve(np.trace(S) * np.eye(3) - S, rows[:, :3].T).T
            found += np.cross(about[:, None], self.gradient[None])
        return np.asarray(found @ R.T)

    def _stretched(self, displacement: Array) -> Matrix:
        """F, for displacements of all particles [m], (n, 3)."""
        return np.asarray(self.rest + displacement[self.particles].T @ self.gradient)
