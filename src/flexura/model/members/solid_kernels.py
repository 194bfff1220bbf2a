"""Compiled part of ``solid``: loops over elements and their points of quadrature.

``small`` is F and P, A = ∂P/∂F, and work of the laws of material. F = 1 + Σ u_a ⊗ ∇N_a.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.model.particle_kernels import add_pair
from flexura.volumes.material_kernels import cofactors, respond


@inline
def put_gradient(F, cell, gradient, u, at_rest):
    """Gradient of the deformation at a point, or of a motion if it begins with nothing."""
    for i in range(3):
        for j in range(3):
            F[i, j] = at_rest if i == j else 0.0
    for a in range(len(cell)):
        for i in range(3):
            for j in range(3):
                F[i, j] += u[cell[a], i] * gradient[a, j]


@heavy
def add_forces(cells, gradient, weight, law, lam, mu, u, force, two, A, work):
    """Forces Σ w P ∇N_a; energy, and largest force of an element on a particle."""
    F, P = two[0], two[1]
    energy = largest = 0.0
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            w = weight[e, q]
            energy += w * respond(law, lam, mu, F, P, A, work, False)
            for a in range(cells.shape[1]):
                g, own = gradient[e, q, a], force[cells[e, a]]
                for i in range(3):
                    f = w * (P[i, 0] * g[0] + P[i, 1] * g[1] + P[i, 2] * g[2])
                    largest = max(largest, abs(f))
                    own[i] += f
    return energy, largest


@heavy
def add_tangents(
    cells, gradient, weight, slots, law, lam, mu, u, ride, reach, values, two, A, work, block,
    half, transfer,
):  # fmt: skip
    """Tangents Σ w ∇N_a A ∇N_b, symmetric: those with a ≤ b, and their transposes."""
    F, P = two[0], two[1]
    k = cells.shape[1]
    for e in range(len(cells)):
        cell = cells[e]
        for a in range(k):
            for b in range(a, k):
                for i in range(3):
                    for j in range(3):
                        block[a, b, i, j] = 0.0
        for q in range(weight.shape[1]):
            put_gradient(F, cell, gradient[e, q], u, 1.0)
            respond(law, lam, mu, F, P, A, work, True)
            add_stiffness(block, half, A, gradient[e, q], weight[e, q])
        scatter(values, slots[e], cell, ride, reach, block, transfer)


@inline
def add_stiffness(block, half, A, gradient, w):
    """w ∇N_a A ∇N_b of a point, for a ≤ b."""
    k = len(gradient)
    for b in range(k):
        g0, g1, g2 = w * gradient[b, 0], w * gradient[b, 1], w * gradient[b, 2]
        for r in range(9):
            row = A[r]
            for c in range(3):
                half[b, r, c] = row[3 * c] * g0 + row[3 * c + 1] * g1 + row[3 * c + 2] * g2
    for a in range(k):
        g0, g1, g2 = gradient[a, 0], gradient[a, 1], gradient[a, 2]
        for b in range(a, k):
            h = half[b]
            for i in range(3):
                for c in range(3):
                    block[a, b, i, c] += (
                        g0 * h[3 * i, c] + g1 * h[3 * i + 1, c] + g2 * h[3 * i + 2, c]
                    )


@inline
def scatter(values, slots, cell, ride, reach, block, transfer):
    """Add the symmetric blocks between the particles of an element to the matrix."""
    k = len(cell)
    for a in range(k):
        for b in range(a, k):
            add_pair(
                values, slots[a, b], block[a, b], ride[cell[a]], ride[cell[b]], reach, transfer
            )
            if a != b:
                add_pair(
                    values, slots[b, a], block[a, b].T, ride[cell[b]], ride[cell[a]], reach,
                    transfer,
                )  # fmt: skip


@kernel
def multiply(cells, gradient, weight, law, lam, mu, u, motion, force, two, A, work):
    """Forces Σ w (A δF) ∇N_a of a motion."""
    F, P = two[0], two[1]
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            respond(law, lam, mu, F, P, A, work, True)
            put_gradient(F, cells[e], gradient[e, q], motion, 0.0)
            for i in range(3):
                for j in range(3):
                    total = 0.0
                    for k in range(3):
                        for l in range(3):
                            total += A[3 * i + j, 3 * k + l] * F[k, l]
                    P[i, j] = weight[e, q] * total
            for a in range(cells.shape[1]):
                g, own = gradient[e, q, a], force[cells[e, a]]
                for i in range(3):
                    own[i] += P[i, 0] * g[0] + P[i, 1] * g[1] + P[i, 2] * g[2]


@kernel
def largest_strain(cells, gradient, u, motion, two):
    """Largest norm of δF F⁻¹."""
    F, C = two[0], two[1]
    largest = 0.0
    for e in range(len(cells)):
        for q in range(gradient.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            J = cofactors(C, F)
            put_gradient(F, cells[e], gradient[e, q], motion, 0.0)
            square = 0.0
            for i in range(3):
                for j in range(3):
                    x = (F[i, 0] * C[j, 0] + F[i, 1] * C[j, 1] + F[i, 2] * C[j, 2]) / J
                    square += x * x
            largest = max(largest, square)
    return largest**0.5
