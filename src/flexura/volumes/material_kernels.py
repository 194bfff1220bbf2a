"""Laws of material: energy W(F), stress P = ∂W/∂F, and stiffness between gradients, by kernels.

F is the gradient of the deformation, P the first stress of Piola and Kirchhoff.

    corotational              W = μ |S - 1|² + λ/2 tr(S - 1)²,     F = R S  (polar)
    saint-venant-kirchhoff    W = μ |E|² + λ/2 tr(E)²,             E = (FᵀF - 1)/2
    neo-hookean               W = μ/2 (tr FᵀF - 3) - μ ln J + λ/2 (ln J)²,     J = det F

The stiffness between two gradients g and h of shape functions, g · ∂P/∂F · h, is for all laws

    K(g, h) = (c(g) · d(h)) 1 + (g · h) B + p(g) q(h)ᵀ + r(h) t(g)ᵀ + v(h) w(g)ᵀ

with a matrix B and eight vectors, linear in the gradient. The derivative of the rotation is exact:
with V = R S Rᵀ and D = (tr(V) 1 - V)⁻¹, turns of R g by a motion along h are

    [Rg]× D [Rh]×ᵀ = -(Rg · D Rh) 1 + (g · h) (tr(D) 1 - D) + Rh (D Rg - tr(D) Rg)ᵀ + D Rh (Rg)ᵀ
"""

from math import log, sqrt

import numpy as np

from flexura._kernel import inline, kernel

COROTATIONAL, SAINT_VENANT_KIRCHHOFF, NEO_HOOKEAN = 0, 1, 2
# Newton's iteration for the rotation ends where it moves by less than this, and the next step would
# by its square, or after so many steps. After one by less than that, nothing is to be scaled.
STILL, MOST, NEAR = 1e-9, 60, 0.1
# Vectors of a gradient.
VECTORS = 8
P_, Q_, R_, T_, V_, W_, C_, D_ = range(VECTORS)


@inline
def cofactors(out, F):
    """Cofactors of a 3x3 matrix, and its determinant: F⁻ᵀ = cofactors / determinant."""
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            c, d = (j + 1) % 3, (j + 2) % 3
            out[i, j] = F[a, c] * F[b, d] - F[a, d] * F[b, c]
    return F[0, 0] * out[0, 0] + F[0, 1] * out[0, 1] + F[0, 2] * out[0, 2]


@inline
def rotation(R, F, work):
    """The rotation of F = R S, det F > 0, by Newton's iteration with Higham's scaling."""
    for i in range(3):
        for j in range(3):
            R[i, j] = F[i, j]
    moved = 1.0
    for _ in range(MOST):
        J = cofactors(work, R)
        mine, inverse = 0.5, 0.5 / J
        if moved > NEAR:
            own = other = 0.0
            for i in range(3):
                for j in range(3):
                    own += R[i, j] * R[i, j]
                    other += work[i, j] * work[i, j]
            scale = sqrt(sqrt(other / own) / abs(J))
            mine, inverse = mine * scale, inverse / scale
        moved = 0.0
        for i in range(3):
            for j in range(3):
                new = mine * R[i, j] + inverse * work[i, j]
                moved = max(moved, abs(new - R[i, j]))
                R[i, j] = new
        if not moved > STILL:
            break


@kernel
def rotation_of(F, R, work):
    """The same, for those who are not compiled."""
    rotation(R, F, work)


@kernel
def respond(law, lam, mu, F, P, R, work):
    """Energy density; writes P, and the rotation R of F for a corotational law.

    Not a number where F is inverted. ``work`` is (3, 3, 3).
    """
    C = work[0]
    J = cofactors(C, F)
    if not J > 0.0:
        for i in range(3):
            for j in range(3):
                P[i, j] = np.nan
        return np.nan
    if law == NEO_HOOKEAN:
        return _neo_hookean(lam, mu, F, P, C, J)
    if law == SAINT_VENANT_KIRCHHOFF:
        return _saint_venant_kirchhoff(lam, mu, F, P, work[1], work[2])
    return _corotational(lam, mu, F, P, R, C)


@inline
def _neo_hookean(lam, mu, F, P, C, J):
    """P = μ F + (λ ln J - μ) F⁻ᵀ."""
    change, square = log(J), 0.0
    for i in range(3):
        for j in range(3):
            square += F[i, j] * F[i, j]
            P[i, j] = mu * F[i, j] + (lam * change - mu) / J * C[i, j]
    return 0.5 * mu * (square - 3.0) - mu * change + 0.5 * lam * change * change


@inline
def green(E, F):
    """E = (FᵀF - 1)/2, without cancellation where F is near to 1."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                a = F[k, i] - (1.0 if k == i else 0.0)
                b = F[k, j] - (1.0 if k == j else 0.0)
                total += a * b
            gradient = F[i, j] + F[j, i] - (2.0 if i == j else 0.0)
            E[i, j] = 0.5 * (gradient + total)


@inline
def put_second_stress(S, E, lam, mu):
    """S = 2 μ E + λ tr(E) 1, of strains or of their rates; E : S."""
    pressure, product = lam * (E[0, 0] + E[1, 1] + E[2, 2]), 0.0
    for i in range(3):
        for j in range(3):
            S[i, j] = 2.0 * mu * E[i, j] + (pressure if i == j else 0.0)
            product += S[i, j] * E[i, j]
    return product


@inline
def _saint_venant_kirchhoff(lam, mu, F, P, E, S):
    """P = F S."""
    green(E, F)
    double = put_second_stress(S, E, lam, mu)
    for i in range(3):
        for j in range(3):
            P[i, j] = F[i, 0] * S[0, j] + F[i, 1] * S[1, j] + F[i, 2] * S[2, j]
    return 0.5 * double


@inline
def _corotational(lam, mu, F, P, R, work):
    """P = 2 μ (F - R) + λ tr(S - 1) R."""
    rotation(R, F, work)
    trace = -3.0
    for i in range(3):
        for j in range(3):
            trace += R[i, j] * F[i, j]
    W = 0.5 * lam * trace * trace
    for i in range(3):
        for j in range(3):
            away = F[i, j] - R[i, j]  # |F - R| = |S - 1|
            W += mu * away * away
            P[i, j] = 2.0 * mu * away + lam * trace * R[i, j]
    return W


@inline
def put_stiffness(law, lam, mu, F, R, gradient, B, vectors, work):
    """B and the vectors of all gradients, (k, 8, 3), of the stiffness at a point.

    ``R`` is as ``respond`` writes it.
    """
    if law == NEO_HOOKEAN:
        _stiffen_neo_hookean(lam, mu, F, gradient, B, vectors, work[0])
    elif law == SAINT_VENANT_KIRCHHOFF:
        green(work[1], F)
        put_second_stress(work[2], work[1], lam, mu)
        put_strain_stiffness(lam, mu, F, F, work[2], gradient, B, vectors)
    else:
        _stiffen_corotational(lam, mu, F, R, gradient, B, vectors, work[0], work[1])


@inline
def put_image(out, M, g):
    """The image of a vector by a matrix."""
    for i in range(3):
        out[i] = M[i, 0] * g[0] + M[i, 1] * g[1] + M[i, 2] * g[2]


@inline
def _put_scaled(out, factor, x):
    """A vector times a number."""
    for i in range(3):
        out[i] = factor * x[i]


@inline
def _stiffen_neo_hookean(lam, mu, F, gradient, B, vectors, C):
    """μ (g · h) 1 + λ F⁻ᵀg (F⁻ᵀh)ᵀ + (μ - λ ln J) F⁻ᵀh (F⁻ᵀg)ᵀ."""
    J = cofactors(C, F)
    for i in range(3):
        for j in range(3):
            B[i, j] = mu if i == j else 0.0
    for a in range(len(gradient)):
        own = vectors[a]
        put_image(own[Q_], C, gradient[a])
        _put_scaled(own[Q_], 1.0 / J, own[Q_])
        _put_scaled(own[P_], lam, own[Q_])
        _put_scaled(own[R_], mu - lam * log(J), own[Q_])
        _put_scaled(own[T_], 1.0, own[Q_])
        for kind in range(V_, VECTORS):
            _put_scaled(own[kind], 0.0, own[Q_])


@inline
def put_strain_stiffness(lam, mu, F, G, S, gradient, B, vectors):
    """Of P = F S, S by E, δE = sym(δFᵀ G): δF S + F δS.

    (g · S h) 1 + μ (g · h) F Gᵀ + λ Fg (Gh)ᵀ + μ Fh (Gg)ᵀ
    """
    for i in range(3):
        for j in range(3):
            B[i, j] = mu * (F[i, 0] * G[j, 0] + F[i, 1] * G[j, 1] + F[i, 2] * G[j, 2])
    for a in range(len(gradient)):
        own = vectors[a]
        put_image(own[V_], F, gradient[a])
        put_image(own[Q_], G, gradient[a])
        put_image(own[C_], S, gradient[a])
        _put_scaled(own[D_], 1.0, gradient[a])
        _put_scaled(own[P_], lam, own[V_])
        _put_scaled(own[R_], mu, own[V_])
        _put_scaled(own[T_], 1.0, own[Q_])
        _put_scaled(own[V_], 0.0, own[V_])
        _put_scaled(own[W_], 0.0, own[V_])


@inline
def _stiffen_corotational(lam, mu, F, R, gradient, B, vectors, D, M):
    """2 μ (g · h) 1 + λ Rg (Rh)ᵀ + (λ tr(V - 1) - 2 μ) [Rg]× D [Rh]×ᵀ."""
    trace = 0.0
    for i in range(3):
        for j in range(3):
            M[i, j] = -0.5 * (
                F[i, 0] * R[j, 0] + F[i, 1] * R[j, 1] + F[i, 2] * R[j, 2]
                + F[j, 0] * R[i, 0] + F[j, 1] * R[i, 1] + F[j, 2] * R[i, 2]
            )  # fmt: skip
        trace -= M[i, i]
    for i in range(3):
        M[i, i] += trace  # tr(V) 1 - V
    turning = (lam * (trace - 3.0) - 2.0 * mu) / cofactors(D, M)
    for i in range(3):
        for j in range(3):
            D[i, j] *= turning
    turn = D[0, 0] + D[1, 1] + D[2, 2]
    for i in range(3):
        for j in range(3):
            B[i, j] = (2.0 * mu + turn if i == j else 0.0) - D[i, j]
    for a in range(len(gradient)):
        own = vectors[a]
        put_image(own[Q_], R, gradient[a])
        put_image(own[V_], D, own[Q_])
        _put_scaled(own[P_], lam, own[Q_])
        _put_scaled(own[R_], 1.0, own[Q_])
        for i in range(3):
            own[T_][i] = own[V_][i] - turn * own[Q_][i]
        _put_scaled(own[W_], 1.0, own[Q_])
        _put_scaled(own[C_], -1.0, own[V_])
        _put_scaled(own[D_], 1.0, own[Q_])


@inline
def add_blocks(block, weight, gradient, B, vectors, symmetric):
    """Add the stiffness between all gradients, (k, k, 3, 3); for a <= b where it is symmetric."""
    k = len(gradient)
    for a in range(k):
        g, own = gradient[a], vectors[a]
        for b in range(a if symmetric else 0, k):
            h, other, out = gradient[b], vectors[b], block[a, b]
            c, d = own[C_], other[D_]
            even = weight * (c[0] * d[0] + c[1] * d[1] + c[2] * d[2])
            share = weight * (g[0] * h[0] + g[1] * h[1] + g[2] * h[2])
            for i in range(3):
                p, r, v = weight * own[P_][i], weight * other[R_][i], weight * other[V_][i]
                for j in range(3):
                    out[i, j] += (
                        share * B[i, j] + p * other[Q_][j] + r * own[T_][j] + v * own[W_][j]
                    )
                out[i, i] += even
