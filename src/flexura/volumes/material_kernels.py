"""Laws of material: energy W(F), stress P = ∂W/∂F and its derivative A = ∂P/∂F, all by kernels.

F is the gradient of the deformation, P the first stress of Piola and Kirchhoff. Flat indices of F,
P and A are 3 i + j, i in space, j in the volume at rest.

    corotational              W = μ |S - 1|² + λ/2 tr(S - 1)²,     F = R S  (polar)
    saint-venant-kirchhoff    W = μ |E|² + λ/2 tr(E)²,             E = (FᵀF - 1)/2
    neo-hookean               W = μ/2 (tr FᵀF - 3) - μ ln J + λ/2 (ln J)²,     J = det F

The derivative of the rotation is exact: with R êₖ for unit vectors eₖ, as rows of Q,

    ∂R/∂F = Qᵀ (tr(S) 1 - S)⁻¹ Q
"""

from math import log, sqrt

import numpy as np

from flexura._kernel import inline, kernel

COROTATIONAL, SAINT_VENANT_KIRCHHOFF, NEO_HOOKEAN = 0, 1, 2
# Newton's iteration for the rotation ends where it moves by less than this, or after so many steps.
STILL, MOST = 1e-15, 60


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
    for _ in range(MOST):
        J = cofactors(work, R)
        own = other = 0.0
        for i in range(3):
            for j in range(3):
                work[i, j] /= J
                own += R[i, j] * R[i, j]
                other += work[i, j] * work[i, j]
        scale = sqrt(sqrt(other / own))
        moved = 0.0
        for i in range(3):
            for j in range(3):
                new = 0.5 * (scale * R[i, j] + work[i, j] / scale)
                moved = max(moved, abs(new - R[i, j]))
                R[i, j] = new
        if not moved > STILL:
            break


@kernel
def rotation_of(F, R, work):
    """The same, for those who are not compiled."""
    rotation(R, F, work)


@kernel
def respond(law, lam, mu, F, P, A, work, tangent):
    """Energy density; writes P, and A if it is asked for. Not a number where F is inverted.

    ``work`` is (5, 3, 3).
    """
    C = work[0]
    J = cofactors(C, F)
    if not J > 0.0:
        for i in range(3):
            for j in range(3):
                P[i, j] = np.nan
        return np.nan
    if law == NEO_HOOKEAN:
        return _neo_hookean(lam, mu, F, P, A, C, J, tangent)
    if law == SAINT_VENANT_KIRCHHOFF:
        return _saint_venant_kirchhoff(lam, mu, F, P, A, work, tangent)
    return _corotational(lam, mu, F, P, A, work, tangent)


@inline
def _neo_hookean(lam, mu, F, P, A, C, J, tangent):
    """P = μ F + (λ ln J - μ) F⁻ᵀ."""
    inverse, change, square = 1.0 / J, log(J), 0.0
    for i in range(3):
        for j in range(3):
            C[i, j] *= inverse  # F⁻ᵀ
            square += F[i, j] * F[i, j]
            P[i, j] = mu * F[i, j] + (lam * change - mu) * C[i, j]
    if tangent:
        for i in range(3):
            for j in range(3):
                for k in range(3):
                    for l in range(3):
                        A[3 * i + j, 3 * k + l] = (
                            lam * C[i, j] * C[k, l] + (mu - lam * change) * C[i, l] * C[k, j]
                        )
                A[3 * i + j, 3 * i + j] += mu
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
def _saint_venant_kirchhoff(lam, mu, F, P, A, work, tangent):
    """P = F S, S = 2 μ E + λ tr(E) 1."""
    E, S = work[1], work[2]
    green(E, F)
    trace = E[0, 0] + E[1, 1] + E[2, 2]
    W = 0.5 * lam * trace * trace
    for i in range(3):
        for j in range(3):
            W += mu * E[i, j] * E[i, j]
            S[i, j] = 2.0 * mu * E[i, j] + (lam * trace if i == j else 0.0)
    add_second_stress(F, S, lam, mu, P, A, work[3], tangent, True)
    return W


@inline
def add_second_stress(F, S, lam, mu, P, A, product, tangent, fresh):
    """P += F S, and A for S = 2 μ E + λ tr(E) 1: δF S + F δS; from zero if ``fresh``."""
    for i in range(3):
        for j in range(3):
            total = product_ij = 0.0
            for k in range(3):
                total += F[i, k] * S[k, j]
                product_ij += F[i, k] * F[j, k]
            product[i, j] = product_ij  # F Fᵀ
            P[i, j] = total if fresh else P[i, j] + total
    if tangent:
        for i in range(3):
            for j in range(3):
                for k in range(3):
                    for l in range(3):
                        value = lam * F[i, j] * F[k, l] + mu * F[i, l] * F[k, j]
                        if i == k:
                            value += S[j, l]
                        if j == l:
                            value += mu * product[i, k]
                        if fresh:
                            A[3 * i + j, 3 * k + l] = value
                        else:
                            A[3 * i + j, 3 * k + l] += value


@inline
def _corotational(lam, mu, F, P, A, work, tangent):
    """P = 2 μ (F - R) + λ tr(S - 1) R."""
    R, S, M, C = work[1], work[2], work[3], work[4]
    rotation(R, F, C)
    trace = -3.0
    for i in range(3):
        for j in range(3):
            S[i, j] = R[0, i] * F[0, j] + R[1, i] * F[1, j] + R[2, i] * F[2, j]
        trace += S[i, i]
    W = 0.5 * lam * trace * trace
    for i in range(3):
        for j in range(3):
            strain = 0.5 * (S[i, j] + S[j, i]) - (1.0 if i == j else 0.0)
            W += mu * strain * strain
            P[i, j] = 2.0 * mu * (F[i, j] - R[i, j]) + lam * trace * R[i, j]
    if tangent:
        for i in range(3):
            for j in range(3):
                M[i, j] = -0.5 * (S[i, j] + S[j, i])
            M[i, i] += trace + 3.0
        J = cofactors(C, M)
        _put_corotational_tangent(A, lam, mu, (lam * trace - 2.0 * mu) / J, R, C)
    return W


@inline
def _put_corotational_tangent(A, lam, mu, scale, R, C):
    """A = 2 μ 1 + λ R Rᵀ + (λ tr(S - 1) - 2 μ) Qᵀ M⁻¹ Q; C has the cofactors of M."""
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for l in range(3):
                    # Q of the unit vectors that turn j, and l: R ê has two columns
                    total = 0.0
                    for p in range(1, 3):
                        m = (j + p) % 3  # ê_m moves column j of R by ± its column n
                        n, sign = (j + 3 - p) % 3, 1.0 if p == 2 else -1.0
                        for q in range(1, 3):
                            o = (l + q) % 3
                            r, other = (l + 3 - q) % 3, 1.0 if q == 2 else -1.0
                            total += sign * other * C[m, o] * R[i, n] * R[k, r]
                    A[3 * i + j, 3 * k + l] = lam * R[i, j] * R[k, l] + scale * total
            A[3 * i + j, 3 * i + j] += 2.0 * mu
