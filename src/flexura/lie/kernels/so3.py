"""Kernels of the rotation group: they fill the array given first, which aliases no other."""

from math import atan2, sqrt

from flexura._kernel import kernel
from flexura.lie.kernels.quaternion import components
from flexura.lie.kernels.series import (
    dexp_coefficients,
    dexp_coefficients_1,
    dexpinv_coefficient,
    dexpinv_coefficients_1,
    exp_coefficients,
)
from flexura.lie.kernels.vector import (
    Vec,
    blend,
    cross,
    dot,
    polynomial_block,
    put,
    put_block,
    put_dyads,
    put_skew,
    scaled,
    vec,
)
from flexura.typing import Array


@kernel
def hat_into(out: Array, w: Array) -> None:
    """Write ŵ, with ŵ y = w × y."""
    put_skew(out, 0, 0, vec(w, 0))


@kernel
def exp_into(R: Array, w: Array) -> None:
    """Write exp(ŵ) = I + s ŵ + a ŵ²."""
    x = vec(w, 0)
    s, a, _ = exp_coefficients(dot(x, x))
    put_block(R, 0, 0, polynomial_block(x, s, a))


@kernel
def rotation_vector(R: Array) -> Vec:
    """Log of a rotation, or of the rotation of a 4×4 pose, as three scalars, |w| ≤ π."""
    q, x, y, z = components(R)
    n2 = x * x + y * y + z * z
    # 2 atan(n/q)/n; below n² = 1e-32 it is 2/q, up to n²/3, and n² itself may underflow.
    n = sqrt(n2)
    f = 2.0 * atan2(n, q) / n if n2 > 1e-32 else 2.0 / q
    return f * x, f * y, f * z


@kernel
def log_into(w: Array, R: Array) -> None:
    """Write the rotation vector of R, |w| ≤ π."""
    put(w, 0, rotation_vector(R))


@kernel
def dexp_into(J: Array, w: Array) -> None:
    """Write J_r(w) = I − a ŵ + b ŵ²."""
    x = vec(w, 0)
    a, b = dexp_coefficients(dot(x, x))
    put_block(J, 0, 0, polynomial_block(x, -a, b))


@kernel
def dexpinv_into(J: Array, w: Array) -> None:
    """Write J_r(w)⁻¹ = I + ŵ/2 + d ŵ²."""
    x = vec(w, 0)
    put_block(J, 0, 0, polynomial_block(x, 0.5, dexpinv_coefficient(dot(x, x))))


@kernel
def gradient_row(w: Vec, m: Vec, b: float, a1: float, b1: float) -> Vec:
    """Row k = a₁ m×w + b₁ ŵ²m − 2b m, for ``put_gradient``."""
    c = cross(m, w)
    return blend(1.0, blend(a1, c, -b1, cross(w, c)), -2.0 * b, m)


@kernel
def put_gradient(out: Array, i: int, j: int, w: Vec, m: Vec, a: float, b: float, k: Vec) -> None:
    """Write n, with n_ij = mᵀ (∂A/∂w_i) e_j and A = I + a ŵ + b ŵ², into the block at (i, j).

    n = −a m̂ + b (m·w) I + w kᵀ + b m wᵀ
    """
    put_dyads(out, i, j, scaled(-a, m), b * dot(m, w), w, k, scaled(b, m), w)


@kernel
def dexp_derivative_into(N: Array, w: Array, m: Array) -> None:
    """Write N_ij = mᵀ (∂J_r/∂w_i) e_j."""
    x, y = vec(w, 0), vec(m, 0)
    a, b, a1, b1 = dexp_coefficients_1(dot(x, x))
    put_gradient(N, 0, 0, x, y, -a, b, gradient_row(x, y, b, -a1, b1))


@kernel
def dexpinv_derivative_into(N: Array, w: Array, m: Array) -> None:
    """Write N_ij = mᵀ (∂J_r⁻¹/∂w_i) e_j."""
    x, y = vec(w, 0), vec(m, 0)
    d, d1 = dexpinv_coefficients_1(dot(x, x))
    put_gradient(N, 0, 0, x, y, 0.5, d, gradient_row(x, y, d, 0.0, d1))
