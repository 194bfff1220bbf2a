"""Compiled part of ``soft``."""

from flexura._kernel import kernel
from flexura.model.members.solid_kernels import put_gradient
from flexura.volumes.material_kernels import cofactors, green, respond


@kernel
def strains_and_stresses(cells, gradient, law, lam, mu, u, strain, stress, energy, three, work):
    """Green's strain, σ = P Fᵀ / J and the energy density at all points."""
    F, P, R = three[0], three[1], three[2]
    for e in range(len(cells)):
        for q in range(gradient.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            energy[e, q] = respond(law, lam, mu, F, P, R, work)
            green(strain[e, q], F)
            J = cofactors(work[0], F)
            for i in range(3):
                for j in range(3):
                    total = P[i, 0] * F[j, 0] + P[i, 1] * F[j, 1] + P[i, 2] * F[j, 2]
                    stress[e, q, i, j] = total / J
