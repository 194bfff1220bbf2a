"""Compiled part of ``solid_motion``; ``small`` is F, Ḟ, P, S, Ė and G = Ḟ + pace F."""

from flexura._kernel import heavy, inline, kernel
from flexura.model.members.solid_kernels import put_gradient
from flexura.model.particle_kernels import add_pair
from flexura.volumes.material_kernels import add_blocks, put_second_stress, put_strain_stiffness


@kernel
def add_inertia(cells, mass, pushed, force):
    """Forces Σ m_ab a_b; the largest of an element."""
    largest = 0.0
    for e in range(len(cells)):
        for a in range(cells.shape[1]):
            own = force[cells[e, a]]
            for i in range(3):
                total = 0.0
                for b in range(cells.shape[1]):
                    total += mass[e, a, b] * pushed[cells[e, b], i]
                own[i] += total
                largest = max(largest, abs(total))
    return largest


@inline
def _put_stress(small, lam, mu):
    """P = F S, S = 2 μ Ė + λ tr(Ė) 1, Ė = sym(Fᵀ Ḟ); Ė : S."""
    F, rate, P, S, E = small[0], small[1], small[2], small[3], small[4]
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += F[k, i] * rate[k, j] + rate[k, i] * F[k, j]
            E[i, j] = 0.5 * total
    power = put_second_stress(S, E, lam, mu)
    for i in range(3):
        for j in range(3):
            P[i, j] = F[i, 0] * S[0, j] + F[i, 1] * S[1, j] + F[i, 2] * S[2, j]
    return power


@heavy
def add_viscous(cells, gradient, weight, lam, mu, u, velocity, force, small):
    """Forces Σ w P ∇N_a."""
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(small[0], cells[e], gradient[e, q], u, 1.0)
            put_gradient(small[1], cells[e], gradient[e, q], velocity, 0.0)
            _put_stress(small, lam, mu)
            P, w = small[2], weight[e, q]
            for a in range(cells.shape[1]):
                g, own = gradient[e, q, a], force[cells[e, a]]
                for i in range(3):
                    own[i] += w * (P[i, 0] * g[0] + P[i, 1] * g[1] + P[i, 2] * g[2])


@kernel
def power(cells, gradient, weight, lam, mu, u, velocity, small):
    """∫ S : Ė dV."""
    total = 0.0
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(small[0], cells[e], gradient[e, q], u, 1.0)
            put_gradient(small[1], cells[e], gradient[e, q], velocity, 0.0)
            total += weight[e, q] * _put_stress(small, lam, mu)
    return total


@heavy
def add_tangents(
    cells, gradient, weight, mass, push, slots, lam, mu, u, velocity, pace, ride, reach, values,
    small, vectors, block, transfer,
):  # fmt: skip
    """push m_ab, and what viscosity adds, which is not symmetric."""
    k, viscous = cells.shape[1], lam != 0.0 or mu != 0.0
    for e in range(len(cells)):
        cell = cells[e]
        for a in range(k):
            for b in range(k):
                for i in range(3):
                    for j in range(3):
                        block[a, b, i, j] = push * mass[e, a, b] if i == j else 0.0
        if viscous:
            _add_viscous_block(
                cell, gradient[e], weight[e], lam, mu, u, velocity, pace, small, vectors, block
            )
        for a in range(k):
            for b in range(k):
                add_pair(
                    values, slots[e, a, b], block[a, b], ride[cell[a]], ride[cell[b]], reach,
                    transfer,
                )  # fmt: skip


@inline
def _add_viscous_block(
    cell, gradient, weight, lam, mu, u, velocity, pace, small, vectors, block
):  # fmt: skip
    """Add what viscosity of an element does: δĖ = sym(δFᵀ G)."""
    F, rate, B, S, G = small[0], small[1], small[2], small[3], small[5]
    for q in range(len(weight)):
        put_gradient(F, cell, gradient[q], u, 1.0)
        put_gradient(rate, cell, gradient[q], velocity, 0.0)
        _put_stress(small, lam, mu)
        for i in range(3):
            for j in range(3):
                G[i, j] = rate[i, j] + pace * F[i, j]
        put_strain_stiffness(lam, mu, F, G, S, gradient[q], B, vectors)
        add_blocks(block, weight[q], gradient[q], B, vectors, False)


@kernel
def multiply(
    cells, gradient, weight, lam, mu, u, velocity, pace, motion, force, small, vectors, block
):  # fmt: skip
    """Forces that viscosity answers a motion with."""
    k = cells.shape[1]
    for e in range(len(cells)):
        cell = cells[e]
        block[:] = 0.0
        _add_viscous_block(
            cell, gradient[e], weight[e], lam, mu, u, velocity, pace, small, vectors, block
        )
        for a in range(k):
            for b in range(k):
                for i in range(3):
                    for j in range(3):
                        force[cell[a], i] += block[a, b, i, j] * motion[cell[b], j]
