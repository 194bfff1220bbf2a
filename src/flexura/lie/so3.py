"""Rotations: the group SO(3), its exponential map and the tangents of it.

A rotation vector w turns by |w| [rad] about its direction. Functions take stacks, (..., 3)
and (..., 3, 3), that broadcast against each other.
"""

import numpy as np

from flexura._kernel import kernel
from flexura.lie.kernels import so3 as kernels
from flexura.lie.stack import HAT_VECTOR, MATRIX, ROTATION, VECTOR, checked, mapped
from flexura.typing import Array, ArrayLike, Rotation, Vector


@kernel
def _hat_all(out: Array, w: Array) -> None:
    for i in range(len(w)):
        kernels.hat_into(out[i], w[i])


def hat(vector: ArrayLike) -> Array:
    """Matrix of the vector product, ŵ y = w × y.

    Args:
        vector: w, shape (..., 3).

    Returns:
        ŵ, shape (..., 3, 3).
    """
    return mapped("so3.hat", _hat_all, (3, 3), vector=(vector, VECTOR))


def vee(matrix: ArrayLike) -> Vector:
    """Vector w of a skew matrix ŵ, shape (..., 3, 3) to (..., 3)."""
    X = checked("so3.vee: matrix", matrix, HAT_VECTOR)
    return np.stack([X[..., 2, 1], X[..., 0, 2], X[..., 1, 0]], axis=-1)


@kernel
def _exp_all(R: Array, w: Array) -> None:
    for i in range(len(w)):
        kernels.exp_into(R[i], w[i])


def exp(vector: ArrayLike) -> Rotation:
    """Rotation of a rotation vector.

        exp(ŵ) = I + (sin t/t) ŵ + ((1 − cos t)/t²) ŵ²,   t = |w|

    Args:
        vector: w [rad], shape (..., 3).

    Returns:
        R, shape (..., 3, 3).
    """
    return mapped("so3.exp", _exp_all, (3, 3), vector=(vector, VECTOR))


@kernel
def _log_all(w: Array, R: Array) -> None:
    for i in range(len(R)):
        kernels.log_into(w[i], R[i])


def log(rotation: ArrayLike) -> Vector:
    """Rotation vector of a rotation, the shortest one.

        w = 2 atan2(|q|, q₀) q/|q|,   (q₀, q) the unit quaternion of R with q₀ ≥ 0

    Accurate at every angle. A half turn has two logs: of them, the one is taken whose largest
    component (the first of equals) is positive.

    Args:
        rotation: R, shape (..., 3, 3).

    Returns:
        w [rad], |w| ≤ π, shape (..., 3).
    """
    return mapped("so3.log", _log_all, (3,), rotation=(rotation, ROTATION))


def nearest(matrix: ArrayLike) -> Rotation:
    """The rotation nearest to a matrix.

        R = U diag(1, 1, det(U V)) V,   the matrix is U S V; R has the largest trace of Rᵀ M

    Args:
        matrix: M, for example a mean of rotations, or Σ b aᵀ of vectors a that R takes to b,
            shape (..., 3, 3).

    Returns:
        R, shape (..., 3, 3).
    """
    U, _, V = np.linalg.svd(checked("so3.nearest: matrix", matrix, MATRIX))
    U[..., 2] *= np.linalg.det(U @ V)[..., None]
    return np.asarray(U @ V)


def inverse(rotation: ArrayLike) -> Rotation:
    """Inverse rotation Rᵀ, shape (..., 3, 3)."""
    R = checked("so3.inverse: rotation", rotation, ROTATION)
    return np.ascontiguousarray(np.swapaxes(R, -1, -2))


def Ad(rotation: ArrayLike) -> Array:
    """Adjoint, R hat(w) Rᵀ = hat(Ad_R w): the matrix R itself, shape (..., 3, 3)."""
    return checked("so3.Ad: rotation", rotation, ROTATION)


def Ad_dual(rotation: ArrayLike) -> Array:
    """Ad_R⁻ᵀ, how moments change frame: R again, shape (..., 3, 3)."""
    return checked("so3.Ad_dual: rotation", rotation, ROTATION)


def ad(vector: ArrayLike) -> Array:
    """Bracket, ad_w y = w × y: the matrix ŵ, shape (..., 3) to (..., 3, 3)."""
    return mapped("so3.ad", _hat_all, (3, 3), vector=(vector, VECTOR))


def ad_dual(vector: ArrayLike) -> Array:
    """Transposed bracket ad_wᵀ = −ŵ, shape (..., 3) to (..., 3, 3)."""
    return -mapped("so3.ad_dual", _hat_all, (3, 3), vector=(vector, VECTOR))


@kernel
def _dexp_all(J: Array, w: Array) -> None:
    for i in range(len(w)):
        kernels.dexp_into(J[i], w[i])


def _dexp_left_all(J: Array, w: Array) -> None:
    _dexp_all(J, -w)


@kernel
def _dexpinv_all(J: Array, w: Array) -> None:
    for i in range(len(w)):
        kernels.dexpinv_into(J[i], w[i])


def _dexpinv_left_all(J: Array, w: Array) -> None:
    _dexpinv_all(J, -w)


def dexp(vector: ArrayLike) -> Array:
    """Right tangent of exp, exp(w)ᵀ d exp(w) = hat(J_r(w) dw).

        J_r(w) = I − a ŵ + b ŵ²,   a = (1 − cos t)/t²,   b = (t − sin t)/t³

    Args:
        vector: w [rad], shape (..., 3).

    Returns:
        J_r, shape (..., 3, 3).
    """
    return mapped("so3.dexp", _dexp_all, (3, 3), vector=(vector, VECTOR))


def dexp_left(vector: ArrayLike) -> Array:
    """Left tangent of exp, d exp(w) exp(w)ᵀ = hat(J_l(w) dw), J_l(w) = J_r(−w)."""
    return mapped("so3.dexp_left", _dexp_left_all, (3, 3), vector=(vector, VECTOR))


def dexpinv(vector: ArrayLike) -> Array:
    """Inverse of the right tangent, for |w| < 2π.

        J_r(w)⁻¹ = I + ŵ/2 + d ŵ²,   d = (1 − (t/2) cot(t/2))/t²

    Args:
        vector: w [rad], shape (..., 3).

    Returns:
        J_r⁻¹, shape (..., 3, 3).
    """
    return mapped("so3.dexpinv", _dexpinv_all, (3, 3), vector=(vector, VECTOR))


def dexpinv_left(vector: ArrayLike) -> Array:
    """Inverse of the left tangent, J_l(w)⁻¹ = J_r(−w)⁻¹, shape (..., 3) to (..., 3, 3)."""
    return mapped("so3.dexpinv_left", _dexpinv_left_all, (3, 3), vector=(vector, VECTOR))


@kernel
def _dexp_derivative_all(N: Array, w: Array, m: Array) -> None:
    for i in range(len(w)):
        kernels.dexp_derivative_into(N[i], w[i], m[i])


@kernel
def _dexpinv_derivative_all(N: Array, w: Array, m: Array) -> None:
    for i in range(len(w)):
        kernels.dexpinv_derivative_into(N[i], w[i], m[i])


def dexp_derivative(vector: ArrayLike, moment: ArrayLike) -> Array:
    """Derivative of the right tangent, contracted from the left with a moment.

        N_ij = mᵀ (∂J_r/∂w_i) e_j

    Args:
        vector: w [rad], shape (..., 3).
        moment: m, shape (..., 3).

    Returns:
        N, shape (..., 3, 3).
    """
    inputs = {"vector": (vector, VECTOR), "moment": (moment, VECTOR)}
    return mapped("so3.dexp_derivative", _dexp_derivative_all, (3, 3), **inputs)


def dexpinv_derivative(vector: ArrayLike, moment: ArrayLike) -> Array:
    """The same for the inverse of the right tangent, N_ij = mᵀ (∂J_r⁻¹/∂w_i) e_j."""
    inputs = {"vector": (vector, VECTOR), "moment": (moment, VECTOR)}
    return mapped("so3.dexpinv_derivative", _dexpinv_derivative_all, (3, 3), **inputs)
