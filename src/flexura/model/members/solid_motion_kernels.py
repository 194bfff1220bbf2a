"""Compiled part of ``solid_motion``; ``small`` is F, Ḟ, P, S, Ė and G = Ḟ + pace F."""

from flexura._kernel import heavy, inline, kernel
from flexura.model.members.solid_kernels import put_gradient
from flexura.model.particle_kernels import add_pair


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
def _put_stress(small, lam, mu, pace):
    """P = F S, S = 2 μ Ė + λ tr(Ė) 1, Ė = sym(Fᵀ Ḟ), and G; Ė : S."""
    F, rate, P, S, E, G = small[0], small[1], small[2], small[3], small[4], small[5]
    trace = 0.0
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += F[k, i] * rate[k, j] + rate[k, i] * F[k, j]
            E[i, j] = 0.5 * total
            G[i, j] = rate[i, j] + pace * F[i, j]
        trace += E[i, i]
    power = 0.0
    for i in range(3):
        for j in range(3):
            S[i, j] = 2.0 * mu * E[i, j] + (lam * trace if i == j else 0.0)
            power += S[i, j] * E[i, j]
    for i in range(3):
        for j in range(3):
            P[i, j] = F[i, 0] * S[0, j] + F[i, 1] * S[1, j] + F[i, 2] * S[2, j]
    return power


@inline
def _put_tangent(small, lam, mu, A):
    """∂P/∂F: δF S + F δS, δĖ = sym(δFᵀ G)."""
    F, P, S, G = small[0], small[2], small[3], small[5]
    for i in range(3):
        for k in range(3):
            P[i, k] = F[i, 0] * G[k, 0] + F[i, 1] * G[k, 1] + F[i, 2] * G[k, 2]  # F Gᵀ
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for l in range(3):
                    value = lam * F[i, j] * G[k, l] + mu * F[i, l] * G[k, j]
                    if i == k:
                        value += S[j, l]
                    if j == l:
                        value += mu * P[i, k]
                    A[3 * i + j, 3 * k + l] = value


@heavy
def add_viscous(cells, gradient, weight, lam, mu, u, velocity, pace, force, small, A):
    """Forces Σ w P ∇N_a."""
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(small[0], cells[e], gradient[e, q], u, 1.0)
            put_gradient(small[1], cells[e], gradient[e, q], velocity, 0.0)
            _put_stress(small, lam, mu, pace)
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
            total += weight[e, q] * _put_stress(small, lam, mu, 0.0)
    return total


@heavy
def add_tangents(
    cells, gradient, weight, mass, push, slots, lam, mu, u, velocity, pace, ride, reach, values,
    small, A, block, half, transfer,
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
            for q in range(weight.shape[1]):
                put_gradient(small[0], cell, gradient[e, q], u, 1.0)
                put_gradient(small[1], cell, gradient[e, q], velocity, 0.0)
                _put_stress(small, lam, mu, pace)
                _put_tangent(small, lam, mu, A)
                _add_all(block, half, A, gradient[e, q], weight[e, q])
        for a in range(k):
            for b in range(k):
                add_pair(
                    values, slots[e, a, b], block[a, b], ride[cell[a]], ride[cell[b]], reach,
                    transfer,
                )  # fmt: skip


@inline
def _add_all(block, half, A, gradient, w):
    """w ∇N_a A ∇N_b of a point, for all a and b."""
    k = len(gradient)
    for b in range(k):
        for r in range(9):
            for c in range(3):
                total = 0.0
                for l in range(3):
                    total += A[r, 3 * c + l] * gradient[b, l]
                half[b, r, c] = w * total
    for a in range(k):
        for b in range(k):
            h = half[b]
            for i in range(3):
                for c in range(3):
                    total = 0.0
                    for j in range(3):
                        total += gradient[a, j] * h[3 * i + j, c]
                    block[a, b, i, c] += total


@kernel
def multiply(
    cells, gradient, weight, lam, mu, u, velocity, pace, motion, force, small, A
):  # fmt: skip
    """Forces Σ w (A δF) ∇N_a of a motion."""
    for e in range(len(cells)):
        for q in range(weight.shape[1]):
            put_gradient(small[0], cells[e], gradient[e, q], u, 1.0)
            put_gradient(small[1], cells[e], gradient[e, q], velocity, 0.0)
            _put_stress(small, lam, mu, pace)
            _put_tangent(small, lam, mu, A)
            dF, P = small[1], small[2]
            put_gradient(dF, cells[e], gradient[e, q], motion, 0.0)
            for i in range(3):
                for j in range(3):
                    total = 0.0
                    for k in range(3):
                        for l in range(3):
                            total += A[3 * i + j, 3 * k + l] * dF[k, l]
                    P[i, j] = weight[e, q] * total
            for a in range(cells.shape[1]):
                g, own = gradient[e, q, a], force[cells[e, a]]
                for i in range(3):
                    own[i] += P[i, 0] * g[0] + P[i, 1] * g[1] + P[i, 2] * g[2]
