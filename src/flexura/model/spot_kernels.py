"""Compiled part of ``spot``: where a point of an element is, and how it turns."""

from flexura._kernel import kernel
from flexura.model.particle_kernels import displacement
from flexura.volumes.material_kernels import rotation


@kernel
def put_pose(
    particles, weights, gradient, rest, dof, node, place, nodes, numbers, out, F, R, work
):  # fmt: skip
    """The pose of a point: Σ N_a x_a, and the rotation of F = 1 + Σ u_a ⊗ ∇N_a."""
    for i in range(3):
        out[i, 3] = 0.0
        for j in range(3):
            F[i, j] = 1.0 if i == j else 0.0
    for a in range(len(particles)):
        p = particles[a]
        u = displacement(p, rest, dof, node, place, nodes, numbers)
        for i in range(3):
            out[i, 3] += weights[a] * (rest[p, i] + u[i])
            for j in range(3):
                F[i, j] += u[i] * gradient[a, j]
    rotation(R, F, work)
    for i in range(3):
        for j in range(3):
            out[i, j] = R[i, j]
