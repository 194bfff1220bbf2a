"""Compiled part of ``solid``: loops over elements and their points of quadrature.

``small`` is F and P, and work of the laws of material. F = 1 + Σ u_a ⊗ ∇N_a. ``turned`` keeps the
rotations of all F of corotational elements, from forces to tangents. ``stiff`` is B and the vectors
of its stiffness.
"""

from flexura._kernel import heavy, inline, kernel
from flexura.model.particle_kernels import add_pair
from flexura.volumes.material_kernels import add_blocks, cofactors, put_stiffness, respond


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
def add_forces(cells, gradient, weight, law, lam, mu, u, force, turned, two, work):
    """Forces Σ w P ∇N_a; energy, and largest force of an element on a particle."""
    F, P = two[0], two[1]
    energy = largest = 0.0
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            w = weight[e, q]
            energy += w * respond(law, lam, mu, F, P, turned[e, q], work)
            for a in range(cells.shape[1]):
                g, own, square = gradient[e, q, a], force[cells[e, a]], 0.0
                for i in range(3):
                    f = w * (P[i, 0] * g[0] + P[i, 1] * g[1] + P[i, 2] * g[2])
                    square += f * f
                    own[i] += f
                largest = max(largest, square)
    return energy, largest**0.5


@heavy
def add_tangents(
    cells, gradient, weight, slots, law, lam, mu, u, ride, reach, values, turned, two, work, B,
    vectors, block, transfer,
):  # fmt: skip
    """Tangents Σ w K(∇N_a, ∇N_b), symmetric: those with a ≤ b, and their transposes."""
    for e in range(len(cells)):
        put_block(
            cells[e], gradient[e], weight[e], law, lam, mu, u, turned[e], two[0], work, B, vectors,
            block,
        )  # fmt: skip
        scatter(values, slots[e], cells[e], ride, reach, block, transfer)


@inline
def put_block(cell, gradient, weight, law, lam, mu, u, turned, F, work, B, vectors, block):
    """The tangent of an element, for a ≤ b."""
    block[:] = 0.0
    for q in range(len(weight)):
        put_gradient(F, cell, gradient[q], u, 1.0)
        put_stiffness(law, lam, mu, F, turned[q], gradient[q], B, vectors, work)
        add_blocks(block, weight[q], gradient[q], B, vectors, True)


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
def multiply(
    cells, gradient, weight, law, lam, mu, u, motion, force, turned, two, work, B, vectors, block
):  # fmt: skip
    """Forces that a motion makes."""
    k = cells.shape[1]
    for e in range(len(cells)):
        cell = cells[e]
        put_block(
            cell, gradient[e], weight[e], law, lam, mu, u, turned[e], two[0], work, B, vectors,
            block,
        )  # fmt: skip
        for a in range(k):
            for b in range(a, k):
                for i in range(3):
                    for j in range(3):
                        force[cell[a], i] += block[a, b, i, j] * motion[cell[b], j]
                        if a != b:
                            force[cell[b], j] += block[a, b, i, j] * motion[cell[a], i]


@kernel
def largest_strain(cells, gradient, u, motion, own, two):
    """Largest norm of δF F⁻¹, and of the motion of particles, from own to own."""
    F, C = two[0], two[1]
    largest = far = 0.0
    for p in range(own[0], own[1]):
        square = motion[p, 0] ** 2 + motion[p, 1] ** 2 + motion[p, 2] ** 2
        if not square <= far:  # what is not a number is told
            far = square
    for e in range(len(cells)):
        for q in range(gradient.shape[1]):
            put_gradient(F, cells[e], gradient[e, q], u, 1.0)
            J = cofactors(C, F)
            put_gradient(F, cells[e], gradient[e, q], motion, 0.0)
            square = 0.0
            for i in range(3):
                for j in range(3):
                    x = F[i, 0] * C[j, 0] + F[i, 1] * C[j, 1] + F[i, 2] * C[j, 2]
                    square += x * x
            largest = max(largest, square / (J * J))
    return largest**0.5, far**0.5


@kernel
def largest_size(cells, at_rest, moved, u):
    """Largest of what elements resist at rest, and more the further they are displaced."""
    largest = 0.0
    for e in range(len(cells)):
        far = 0.0
        for a in range(cells.shape[1]):
            for i in range(3):
                far = max(far, abs(u[cells[e, a], i]))
        largest = max(largest, at_rest[e] + moved[e] * far)
    return largest
