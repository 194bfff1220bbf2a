"""Poses: the group SE(3), its exponential map and the tangents of it.

A twist x = (w, v) is angular first, in the body frame; a pose is g = [[R, p], [0, 1]]. Functions
take stacks, (..., 6) and (..., 4, 4), that broadcast against each other.
"""

import numpy as np

from flexura._kernel import kernel
from flexura.lie.kernels import se3 as kernels
from flexura.lie.kernels import so3 as rotation_kernels
from flexura.lie.kernels.vector import vec
from flexura.lie.stack import HAT_TWIST, POSE, TWIST, VECTOR, checked, mapped
from flexura.typing import Array, ArrayLike, Matrix6, Pose, Twist


@kernel
def _pose_all(g: Array, p: Array, w: Array) -> None:
    for i in range(len(g)):
        rotation_kernels.exp_into(g[i], w[i])
        kernels.put_position(g[i], vec(p[i], 0))


def pose(position: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike = (0.0, 0.0, 0.0)) -> Pose:
    """Pose at a position, turned by a rotation vector, g = (exp(w), p).

    Args:
        position: p [m], shape (..., 3).
        rotation: w [rad], shape (..., 3).

    Returns:
        g, shape (..., 4, 4).
    """
    inputs = {"position": (position, VECTOR), "rotation": (rotation, VECTOR)}
    return mapped("se3.pose", _pose_all, (4, 4), **inputs)


@kernel
def _hat_all(out: Array, x: Array) -> None:
    for i in range(len(x)):
        kernels.hat_into(out[i], x[i])


def hat(twist: ArrayLike) -> Array:
    """Matrix [[ŵ, v], [0, 0]] of a twist, shape (..., 6) to (..., 4, 4)."""
    return mapped("se3.hat", _hat_all, (4, 4), twist=(twist, TWIST))


def vee(matrix: ArrayLike) -> Twist:
    """Twist (w, v) of a matrix [[ŵ, v], [0, 0]], shape (..., 4, 4) to (..., 6)."""
    X = checked("se3.vee: matrix", matrix, HAT_TWIST)
    w = np.stack([X[..., 2, 1], X[..., 0, 2], X[..., 1, 0]], axis=-1)
    return np.concatenate([w, X[..., :3, 3]], axis=-1)


@kernel
def _exp_all(g: Array, x: Array) -> None:
    for i in range(len(x)):
        kernels.exp_into(g[i], x[i])


def exp(twist: ArrayLike) -> Pose:
    """Pose reached by following a twist for one unit of time, or of arc length.

        exp(x) = (exp(ŵ), J_l(w) v)

    Args:
        twist: x = (w, v) [rad, m], shape (..., 6).

    Returns:
        g, shape (..., 4, 4).
    """
    return mapped("se3.exp", _exp_all, (4, 4), twist=(twist, TWIST))


@kernel
def _log_all(x: Array, g: Array) -> None:
    for i in range(len(g)):
        kernels.log_into(x[i], g[i])


def log(pose: ArrayLike) -> Twist:
    """Twist of a pose, the one that turns least.

        log(R, p) = (w, J_l(w)⁻¹ p),   w = log(R)

    Accurate at every angle; for the sign at a half turn see ``so3.log``.

    Args:
        pose: g, shape (..., 4, 4).

    Returns:
        x = (w, v) [rad, m], |w| ≤ π, shape (..., 6).
    """
    return mapped("se3.log", _log_all, (6,), pose=(pose, POSE))


@kernel
def _inverse_all(out: Array, g: Array) -> None:
    for i in range(len(g)):
        kernels.inverse_into(out[i], g[i])


def inverse(pose: ArrayLike) -> Pose:
    """Inverse pose (Rᵀ, −Rᵀp), shape (..., 4, 4)."""
    return mapped("se3.inverse", _inverse_all, (4, 4), pose=(pose, POSE))


@kernel
def _Ad_all(A: Array, g: Array) -> None:
    for i in range(len(g)):
        kernels.Ad_into(A[i], g[i])


@kernel
def _Ad_inv_all(A: Array, g: Array) -> None:
    for i in range(len(g)):
        kernels.Ad_inv_into(A[i], g[i])


def Ad(pose: ArrayLike) -> Matrix6:
    """Adjoint: carries the twist of a body from frame b to frame a, where g = T_ab.

        Ad_g = [[R, 0], [p̂R, R]],   g hat(x) g⁻¹ = hat(Ad_g x)

    Args:
        pose: g, shape (..., 4, 4).

    Returns:
        Ad_g, shape (..., 6, 6).
    """
    return mapped("se3.Ad", _Ad_all, (6, 6), pose=(pose, POSE))


def Ad_dual(pose: ArrayLike) -> Matrix6:
    """Dual adjoint Ad_g⁻ᵀ = [[R, p̂R], [0, R]]: carries wrenches as ``Ad`` carries twists."""
    A = mapped("se3.Ad_dual", _Ad_inv_all, (6, 6), pose=(pose, POSE))
    return np.ascontiguousarray(np.swapaxes(A, -1, -2))


@kernel
def _ad_all(A: Array, x: Array) -> None:
    for i in range(len(x)):
        kernels.ad_into(A[i], x[i])


def ad(twist: ArrayLike) -> Matrix6:
    """Bracket of twists, as a matrix.

        ad_x = [[ŵ, 0], [v̂, ŵ]],   hat(ad_x y) = hat(x) hat(y) − hat(y) hat(x)

    Args:
        twist: x = (w, v), shape (..., 6).

    Returns:
        ad_x, shape (..., 6, 6).
    """
    return mapped("se3.ad", _ad_all, (6, 6), twist=(twist, TWIST))


def ad_dual(twist: ArrayLike) -> Matrix6:
    """Transposed bracket ad_xᵀ, which acts on wrenches, shape (..., 6) to (..., 6, 6)."""
    A = mapped("se3.ad_dual", _ad_all, (6, 6), twist=(twist, TWIST))
    return np.ascontiguousarray(np.swapaxes(A, -1, -2))


@kernel
def _dexp_all(J: Array, x: Array) -> None:
    for i in range(len(x)):
        kernels.dexp_into(J[i], x[i])


def _dexp_left_all(J: Array, x: Array) -> None:
    _dexp_all(J, -x)


@kernel
def _dexpinv_all(J: Array, x: Array) -> None:
    for i in range(len(x)):
        kernels.dexpinv_into(J[i], x[i])


def _dexpinv_left_all(J: Array, x: Array) -> None:
    _dexpinv_all(J, -x)


def dexp(twist: ArrayLike) -> Matrix6:
    """Right tangent of exp, exp(x)⁻¹ d exp(x) = hat(J_r(x) dx).

        J_r(x) = Σ (−ad_x)ᵐ/(m+1)! = [[A, 0], [DA[v], A]],   A = J_r(w) of SO(3)

    Args:
        twist: x = (w, v) [rad, m], shape (..., 6).

    Returns:
        J_r, shape (..., 6, 6).
    """
    return mapped("se3.dexp", _dexp_all, (6, 6), twist=(twist, TWIST))


def dexp_left(twist: ArrayLike) -> Matrix6:
    """Left tangent of exp, d exp(x) exp(x)⁻¹ = hat(J_l(x) dx), J_l(x) = J_r(−x)."""
    return mapped("se3.dexp_left", _dexp_left_all, (6, 6), twist=(twist, TWIST))


def dexpinv(twist: ArrayLike) -> Matrix6:
    """Inverse of the right tangent J_r(x)⁻¹, for |w| < 2π, shape (..., 6) to (..., 6, 6)."""
    return mapped("se3.dexpinv", _dexpinv_all, (6, 6), twist=(twist, TWIST))


def dexpinv_left(twist: ArrayLike) -> Matrix6:
    """Inverse of the left tangent, J_l(x)⁻¹ = J_r(−x)⁻¹, shape (..., 6) to (..., 6, 6)."""
    return mapped("se3.dexpinv_left", _dexpinv_left_all, (6, 6), twist=(twist, TWIST))


@kernel
def _dexp_derivative_all(N: Array, x: Array, mu: Array) -> None:
    for i in range(len(x)):
        kernels.dexp_derivative_into(N[i], x[i], mu[i])


@kernel
def _dexpinv_derivative_all(N: Array, x: Array, mu: Array) -> None:
    for i in range(len(x)):
        kernels.dexpinv_derivative_into(N[i], x[i], mu[i])


def dexp_derivative(twist: ArrayLike, wrench: ArrayLike) -> Matrix6:
    """Derivative of the right tangent, contracted from the left with a wrench.

        N_ij = μᵀ (∂J_r/∂x_i) e_j

    Args:
        twist: x = (w, v) [rad, m], shape (..., 6).
        wrench: μ, shape (..., 6).

    Returns:
        N, shape (..., 6, 6).
    """
    inputs = {"twist": (twist, TWIST), "wrench": (wrench, TWIST)}
    return mapped("se3.dexp_derivative", _dexp_derivative_all, (6, 6), **inputs)


def dexpinv_derivative(twist: ArrayLike, wrench: ArrayLike) -> Matrix6:
    """The same for the inverse of the right tangent, N_ij = μᵀ (∂J_r⁻¹/∂x_i) e_j."""
    inputs = {"twist": (twist, TWIST), "wrench": (wrench, TWIST)}
    return mapped("se3.dexpinv_derivative", _dexpinv_derivative_all, (6, 6), **inputs)
