"""Points of volumes as frames: where they are, and how they turn.

    p = Σ N_a x_a,      F = Σ x_a ⊗ ∇N_a = R S,      R the rotation of the polar decomposition

at the point, of the element that it is in. A motion δx_a of its nodes is the body twist

    v = Rᵀ Σ N_a δx_a,      (tr(S) 1 - S) ω = Σ ∇N_a × Rᵀ δx_a.
"""

from typing import NamedTuple

import numpy as np

from flexura.model.particles import Particles
from flexura.model.spot_kernels import put_pose
from flexura.robot import On, Volume
from flexura.robot.volume_place import find_on
from flexura.typing import Array, Indices, Matrix, Pose
from flexura.volumes.elements import gradients
from flexura.volumes.material_kernels import rotation_of


class Spot(NamedTuple):
    """A point of a volume.

    Attributes:
        particles: nodes of the element that it is in, (k,).
        weights: N_a of these, (k,).
        gradient: ∇N_a [1/m], (k, 3).
    """

    particles: Indices
    weights: Array
    gradient: Array

    @classmethod
    def of(cls, volume: Volume, begin: int, at: On) -> "Spot":
        """The point of a volume whose particles begin at a number.

        Raises:
            BadField: for a point outside.
        """
        nodes, inside = find_on(f"On {volume.name!r}", "point", volume, at.point)
        mesh = volume.elements
        gradient, _ = gradients(mesh.points, nodes, inside)
        return cls(begin + nodes[0], mesh.kind.functions.values(inside)[0], gradient[0, 0])

    def stretch(self, displacement: Array) -> tuple[Matrix, Matrix]:
        """R and S, for displacements of all particles [m], (n, 3)."""
        F = np.eye(3) + displacement[self.particles].T @ self.gradient
        R = np.empty((3, 3))
        rotation_of(F, R, np.empty((3, 3)))
        return R, R.T @ F

    def pose(self, particles: Particles, nodes: Pose, numbers: Array) -> Pose:
        """Where it is, for poses of the nodes and all unknowns."""
        found = np.eye(4)
        put_pose(
            particles.rest, particles.dof, particles.node, particles.place, nodes, numbers, *self,
            found, np.empty((3, 3, 3)),
        )  # fmt: skip
        return found

    def forces(self, displacement: Array, rows: Matrix) -> Array:
        """Forces on its particles that do the work of rows on its body twist, (p, k, 3)."""
        R, S = self.stretch(displacement)
        found = rows[:, None, 3:] * self.weights[:, None]
        if np.count_nonzero(rows[:, :3]):  # most often nobody asks how it turns
            about = np.linalg.solve(np.trace(S) * np.eye(3) - S, rows[:, :3].T).T
            found += np.cross(about[:, None], self.gradient[None])
        return np.asarray(found @ R.T)
