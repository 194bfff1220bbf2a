"""Cayley map of rotations; kernels and stacks as in ``flexura.lie.so3``."""

import numpy as np

from flexura._kernel import kernel
from flexura.errors import ModelError
from flexura.lie._batch import ROTATION, VECTOR, mapped
from flexura.lie._vector import (
    Vec,
    blend,
    cross,
    dot,
    put,
    put_dyads,
    put_polynomial,
    put_skew,
    scaled,
    vec,
)
from flexura.lie.quaternion import components
from flexura.typing import Array, ArrayLike, Rotation, Vector

LIMIT = 1e8  # Rounding in R leaves an error of about 1e-16 |w| in w: half of the digits here.


@kernel
def factor(w: Vec) -> float:
    """Factor k = 1/(1 + |w|²/4), the inverse of det(I − ŵ/2)."""
    return 1.0 / (1.0 + 0.25 * dot(w, w))


@kernel
def put_half(out: Array, i: int, j: int, w: Vec, f: float, a: float) -> None:
    """Write f (I + a ŵ + w wᵀ/4) into the block at (i, j): (I ∓ ŵ/2)⁻¹ for f = k, a = ±1/2."""
    put_dyads(out, i, j, scaled(f * a, w), f, scaled(0.25 * f, w), w, w, (0.0, 0.0, 0.0))


@kernel
def cayley_vector(R: Array) -> Vec:
    """Vector w = 2 q/q₀ of a rotation, or of the rotation of a 4×4 pose."""
    q, x, y, z = components(R)
    return 2.0 * x / q, 2.0 * y / q, 2.0 * z / q


@kernel
def put_dcay(J: Array, w: Vec) -> None:
    """Write k (I − ŵ/2) into the upper left block."""
    k = factor(w)
    put_skew(J, 0, 0, scaled(-0.5 * k, w))
    J[0, 0] = J[1, 1] = J[2, 2] = k


@kernel
def cay_into(R: Array, w: Array) -> None:
    """Write cay(w) = I + k (ŵ + ŵ²/2)."""
    x = vec(w, 0)
    k = factor(x)
    put_polynomial(R, 0, 0, x, k, 0.5 * k)


@kernel
def cayinv_into(w: Array, R: Array) -> None:
    """Write the w with cay(w) = R; infinite for a half turn."""
    put(w, 0, cayley_vector(R))


@kernel
def dcay_into(J: Array, w: Array) -> None:
    """Write the right tangent k (I − ŵ/2)."""
    put_dcay(J, vec(w, 0))


@kernel
def dcayinv_into(J: Array, w: Array) -> None:
    """Write the inverse of the right tangent, I + ŵ/2 + w wᵀ/4."""
    put_half(J, 0, 0, vec(w, 0), 1.0, 0.5)


@kernel
def put_dcay_gradient(N: Array, i: int, j: int, w: Vec, m: Vec) -> None:
    """Write k m̂/2 − k² w (m + w × m/2)ᵀ/2, the contraction of ``dcay_derivative``."""
    k = factor(w)
    row = blend(1.0, m, 0.5, cross(w, m))
    zero = (0.0, 0.0, 0.0)
    put_dyads(N, i, j, scaled(0.5 * k, m), 0.0, scaled(-0.5 * k * k, w), row, zero, zero)


@kernel
def dcay_derivative_into(N: Array, w: Array, m: Array) -> None:
    """Write N_ij = mᵀ (∂dcay/∂w_i) e_j."""
    put_dcay_gradient(N, 0, 0, vec(w, 0), vec(m, 0))


@kernel
def dcayinv_derivative_into(N: Array, w: Array, m: Array) -> None:
    """Write N_ij = mᵀ (∂dcay⁻¹/∂w_i) e_j = [−m̂/2 + (m wᵀ + (m·w) I)/4]_ij."""
    x, y = vec(w, 0), vec(m, 0)
    zero = (0.0, 0.0, 0.0)
    put_dyads(N, 0, 0, scaled(-0.5, y), 0.25 * dot(x, y), scaled(0.25, y), x, zero, zero)


@kernel
def _cay_all(R: Array, w: Array) -> None:
    for i in range(len(w)):
        cay_into(R[i], w[i])


def cay(vector: ArrayLike) -> Rotation:
    """Rotation by 2 atan(|w|/2) about w.

        cay(w) = (I − ŵ/2)⁻¹ (I + ŵ/2) = I + k (ŵ + ŵ²/2),   k = 1/(1 + |w|²/4)

    Args:
        vector: w, shape (..., 3).

    Returns:
        R, shape (..., 3, 3).
    """
    return mapped("cayley.so3.cay", _cay_all, (3, 3), vector=(vector, VECTOR))


def reached(who: str, w: Vector) -> Vector:
    """The vectors, or a ModelError where a rotation is too close to a half turn."""
    if not np.all(np.abs(w) < LIMIT):
        raise ModelError(
            f"{who}: the Cayley map reaches no half turn, got a rotation within "
            f"{4.0 / LIMIT:g} rad of one; use log"
        )
    return w


@kernel
def _cayinv_all(w: Array, R: Array) -> None:
    for i in range(len(R)):
        cayinv_into(w[i], R[i])


def cayinv(rotation: ArrayLike) -> Vector:
    """Inverse of the Cayley map, w = 2 q/q₀ with (q₀, q) the quaternion of R.

    Args:
        rotation: R, not a half turn, shape (..., 3, 3).

    Returns:
        w, shape (..., 3).
    """
    w = mapped("cayley.so3.cayinv", _cayinv_all, (3,), rotation=(rotation, ROTATION))
    return reached("cayley.so3.cayinv", w)


@kernel
def _dcay_all(J: Array, w: Array) -> None:
    for i in range(len(w)):
        dcay_into(J[i], w[i])


def _dcay_left_all(J: Array, w: Array) -> None:
    _dcay_all(J, -w)


@kernel
def _dcayinv_all(J: Array, w: Array) -> None:
    for i in range(len(w)):
        dcayinv_into(J[i], w[i])


def _dcayinv_left_all(J: Array, w: Array) -> None:
    _dcayinv_all(J, -w)


def dcay(vector: ArrayLike) -> Array:
    """Right tangent of the Cayley map, cay(w)ᵀ d cay(w) = hat(dcay(w) dw).

        dcay(w) = k (I − ŵ/2),   k = 1/(1 + |w|²/4)

    Args:
        vector: w, shape (..., 3).

    Returns:
        dcay, shape (..., 3, 3).
    """
    return mapped("cayley.so3.dcay", _dcay_all, (3, 3), vector=(vector, VECTOR))


def dcay_left(vector: ArrayLike) -> Array:
    """Left tangent of the Cayley map, d cay(w) cay(w)ᵀ = hat(dcay(−w) dw)."""
    return mapped("cayley.so3.dcay_left", _dcay_left_all, (3, 3), vector=(vector, VECTOR))


def dcayinv(vector: ArrayLike) -> Array:
    """Inverse of the right tangent, I + ŵ/2 + w wᵀ/4, shape (..., 3) to (..., 3, 3)."""
    return mapped("cayley.so3.dcayinv", _dcayinv_all, (3, 3), vector=(vector, VECTOR))


def dcayinv_left(vector: ArrayLike) -> Array:
    """Inverse of the left tangent, I − ŵ/2 + w wᵀ/4, shape (..., 3) to (..., 3, 3)."""
    return mapped("cayley.so3.dcayinv_left", _dcayinv_left_all, (3, 3), vector=(vector, VECTOR))


@kernel
def _dcay_derivative_all(N: Array, w: Array, m: Array) -> None:
    for i in range(len(w)):
        dcay_derivative_into(N[i], w[i], m[i])


@kernel
def _dcayinv_derivative_all(N: Array, w: Array, m: Array) -> None:
    for i in range(len(w)):
        dcayinv_derivative_into(N[i], w[i], m[i])


def dcay_derivative(vector: ArrayLike, moment: ArrayLike) -> Array:
    """Derivative of the right tangent, contracted from the left with a moment.

        N_ij = mᵀ (∂dcay/∂w_i) e_j

    Args:
        vector: w, shape (..., 3).
        moment: m, shape (..., 3).

    Returns:
        N, shape (..., 3, 3).
    """
    inputs = {"vector": (vector, VECTOR), "moment": (moment, VECTOR)}
    return mapped("cayley.so3.dcay_derivative", _dcay_derivative_all, (3, 3), **inputs)


def dcayinv_derivative(vector: ArrayLike, moment: ArrayLike) -> Array:
    """The same for the inverse of the right tangent, N_ij = mᵀ (∂dcay⁻¹/∂w_i) e_j."""
    inputs = {"vector": (vector, VECTOR), "moment": (moment, VECTOR)}
    return mapped("cayley.so3.dcayinv_derivative", _dcayinv_derivative_all, (3, 3), **inputs)
