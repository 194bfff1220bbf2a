"""Third-order interpolation of rotations along one element.

On the unit interval, with the rotation vector x1 of the end and the slopes k0 and c at both ends,

    x(u) = (3u² - 2u³) x1 + u(u-1)² k0 + (u³ - u²) c,
    R(u) = exp(x),   κ(u) = J_r(x) x' / L,   p(u) = L ∫ exp(x) e1 du.

k0 is the curvature at the start per unit u, and J_r(x1) c the one at the end. x is linear in the
nine unknowns y = (x1, k0, c), which keeps second derivatives short.
"""

from typing import NamedTuple

from flexura._kernel import inline, kernel
from flexura.lie.kernels import so3
from flexura.lie.kernels.series import dexp_coefficients_2
from flexura.typing import Array


class Derivatives(NamedTuple):
    """Of rotation and curvature at a point, 3x3 each.

    Attributes:
        A: J_r(x).
        C: ∂(J_r x')/∂x.
        Q: ∂²(mᵀ J_r x')/∂x², for the moment m.
        N: ∂(J_rᵀ m)/∂x.
        S: second variation of the force on R e1, for rotations in the section.
        T: ∂(J_rᵀ t)/∂x, for the moment t of that force.
    """

    A: Array
    C: Array
    Q: Array
    N: Array
    S: Array
    T: Array


@kernel
def hermite(u, basis):
    """Values and slopes of the three cubic functions at each u, (n, 2, 3)."""
    for i in range(len(u)):
        t = u[i]
        basis[i, 0, 0] = t * t * (3.0 - 2.0 * t)
        basis[i, 0, 1] = t * (t - 1.0) * (t - 1.0)
        basis[i, 0, 2] = t * t * (t - 1.0)
        basis[i, 1, 0] = 6.0 * t * (1.0 - t)
        basis[i, 1, 1] = (t - 1.0) * (3.0 * t - 1.0)
        basis[i, 1, 2] = t * (3.0 * t - 2.0)


@kernel
def curvature(y, length, basis, kappa, rotation, work):
    """κ and R at every point."""
    x, slope, tangent = work[0], work[1], work[2:5]
    for i in range(len(basis)):
        cubic(x, basis[i, 0], y)
        cubic(slope, basis[i, 1], y)
        so3.dexp_into(tangent, x)
        so3.exp_into(rotation[i], x)
        for a in range(3):
            kappa[i, a] = (
                tangent[a, 0] * slope[0] + tangent[a, 1] * slope[1] + tangent[a, 2] * slope[2]
            ) / length


@kernel
def derivatives(y, basis, moment, stiffness, force, gradient, hessian, work):
    """First and second derivatives of a scalar with given slopes, with respect to y.

    Args:
        y: the nine unknowns.
        basis: of ``hermite``.
        moment: slope of the scalar with respect to L κ at every point, (n, 3).
        stiffness: its second derivative there, (n, 3, 3).
        force: slope of the scalar with respect to R e1 at every point, in the frame of the start.
        gradient: result, (9,).
        hessian: result, (9, 9).
        work: (25, 3).
    """
    gradient[:] = 0.0
    hessian[:] = 0.0
    x, slope, A, C = work[0], work[1], work[2:5], work[5:8]
    R, Q, N, pull, turn = work[8:11], work[11:14], work[14:17], work[17], work[18]
    S, T = work[19:22], work[22:25]
    for i in range(len(basis)):
        cubic(x, basis[i, 0], y)
        cubic(slope, basis[i, 1], y)
        so3.dexp_into(A, x)
        so3.exp_into(R, x)
        slope_tangent(C, Q, x, slope, moment[i])
        so3.dexp_derivative_into(N, x, moment[i])
        for a in range(3):  # the force in the section, and its moment on e1
            pull[a] = R[0, a] * force[i, 0] + R[1, a] * force[i, 1] + R[2, a] * force[i, 2]
        turn[0], turn[1], turn[2] = 0.0, -pull[2], pull[1]
        for a in range(3):
            for b in range(3):
                S[a, b] = 0.0
            S[a, a] = -pull[0]
        for a in range(3):
            S[0, a] += 0.5 * pull[a]
            S[a, 0] += 0.5 * pull[a]
        so3.dexp_derivative_into(T, x, turn)
        at = Derivatives(A, C, Q, N, S, T)
        _add_point(basis[i], at, moment[i], stiffness[i], turn, gradient, hessian)


@inline
def end_rows(y, length, basis, weight, rotation, rows, work):
    """∂p/∂y of the end p = L Σ w R e1, (3, 9); ``rotation`` is R at every point."""
    rows[:] = 0.0
    x, A = work[0], work[2:5]
    for i in range(len(basis)):
        cubic(x, basis[i, 0], y)
        so3.dexp_into(A, x)
        for a in range(3):
            up, aside = rotation[i, a, 1], rotation[i, a, 2]
            for b in range(3):
                turn = length * weight[i] * (A[2, b] * up - A[1, b] * aside)
                for k in range(3):
                    rows[a, 3 * k + b] += basis[i, 0, k] * turn


@inline
def slope_tangent(C, Q, w, e, m):
    """C = ∂(J_r(w) e)/∂w and Q = ∂²(mᵀ J_r(w) e)/∂w²."""
    t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    a, b, a1, b1, a2, b2 = dexp_coefficients_2(t2)
    we = w[0] * e[0] + w[1] * e[1] + w[2] * e[2]
    mw = m[0] * w[0] + m[1] * w[1] + m[2] * w[2]
    me = m[0] * e[0] + m[1] * e[1] + m[2] * e[2]
    cross = (w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2], w[0] * e[1] - w[1] * e[0])
    n = (e[1] * m[2] - e[2] * m[1], e[2] * m[0] - e[0] * m[2], e[0] * m[1] - e[1] * m[0])
    s1 = w[0] * n[0] + w[1] * n[1] + w[2] * n[2]
    s2 = mw * we - t2 * me
    for i in range(3):
        gi = m[i] * we + e[i] * mw - 2.0 * me * w[i]
        for j in range(3):
            gj = m[j] * we + e[j] * mw - 2.0 * me * w[j]
            C[i, j] = (
                -a1 * cross[i] * w[j]
                + b1 * (w[i] * we - t2 * e[i]) * w[j]
                + b * (w[i] * e[j] - 2.0 * e[i] * w[j])
            )
            Q[i, j] = (
                -a1 * (n[i] * w[j] + w[i] * n[j])
                + (b2 * s2 - a2 * s1) * w[i] * w[j]
                + b1 * (w[i] * gj + gi * w[j])
                + b * (m[i] * e[j] + e[i] * m[j])
            )
        C[i, i] += b * we
        Q[i, i] += b1 * s2 - a1 * s1 - 2.0 * b * me
    C[0, 1] -= a * e[2]
    C[0, 2] += a * e[1]
    C[1, 0] += a * e[2]
    C[1, 2] -= a * e[0]
    C[2, 0] -= a * e[1]
    C[2, 1] += a * e[0]


@inline
def _add_point(basis, at, moment, stiffness, turn, gradient, hessian):
    """Add one point: the scalar depends on (x, x'), and these on y by the basis."""
    A, C, Q, N, S, T = at
    for a in range(3):
        by_x = 0.0
        by_slope = 0.0
        for i in range(3):
            by_x += C[i, a] * moment[i] + A[i, a] * turn[i]
            by_slope += A[i, a] * moment[i]
        for k in range(3):
            gradient[3 * k + a] += basis[0, k] * by_x + basis[1, k] * by_slope
    for a in range(3):
        for b in range(3):
            xx = Q[a, b] + 0.5 * (T[a, b] + T[b, a])
            xs = N[a, b]
            sx = N[b, a]
            ss = 0.0
            for i in range(3):
                for j in range(3):
                    k = stiffness[i, j]
                    xx += C[i, a] * k * C[j, b] + A[i, a] * S[i, j] * A[j, b]
                    xs += C[i, a] * k * A[j, b]
                    sx += A[i, a] * k * C[j, b]
                    ss += A[i, a] * k * A[j, b]
            for k in range(3):
                for l in range(3):
                    hessian[3 * k + a, 3 * l + b] += basis[0, k] * (
                        basis[0, l] * xx + basis[1, l] * xs
                    ) + basis[1, k] * (basis[0, l] * sx + basis[1, l] * ss)


@inline
def cubic(out, basis, y):
    """x or x' from the unknowns."""
    for a in range(3):
        out[a] = basis[0] * y[a] + basis[1] * y[3 + a] + basis[2] * y[6 + a]
