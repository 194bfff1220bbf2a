"""Compiled part of ``spot``."""

from flexura._kernel import kernel
from flexura.model.particle_kernels import displacement
from flexura.volumes.material_kernels import rotation


@kernel
def put_pose(
    rest, dof, node, place, nodes, numbers, particles, weights, gradient, pose, work
):  # fmt: skip
    """Σ N_a x_a and the rotation of 1 + Σ u_a ⊗ ∇N_a, by particles at rest and where they ride.

    ``work`` is (3, 3, 3).
    """
    F, R = work[0], work[1]
    for i in range(3):
        pose[i, 3] = 0.0
        for j in range(3):
            F[i, j] = 1.0 if i == j else 0.0
    for a in range(len(particles)):
        p = particles[a]
        u = displacement(p, rest, dof, node, place, nodes, numbers)
        for i in range(3):
            pose[i, 3] += weights[a] * (rest[p, i] + u[i])
            for j in range(3):
                F[i, j] += u[i] * gradient[a, j]
    rotation(R, F, work[2])
    for i in range(3):
        for j in range(3):
            pose[i, j] = R[i, j]
