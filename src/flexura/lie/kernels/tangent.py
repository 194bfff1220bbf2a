"""The right tangent of exp on SE(3) and its inverse, as 3×3 blocks.

se(3) is so(3) over the dual numbers w + ε v. So a matrix A(w) = I + a ŵ + b ŵ² of SO(3) becomes

    [[A, 0], [B, A]],   B = DA[v] = hat(a v + a₁σ w) + w uᵀ + u wᵀ − 2(w·u) I

on SE(3), with u = b v + b₁σ w/2, σ = w·v, and a₁ = a′(t)/t, b₁ = b′(t)/t as in ``series``.
"""

from flexura._kernel import inline
from flexura.lie.kernels.series import dexp_coefficients_1, dexpinv_coefficients_1
from flexura.lie.kernels.vector import Block, Vec, blend, dot, polynomial_block


@inline
def right_tangent(w: Vec, v: Vec) -> tuple[Block, Block]:
    """A and B of J_r(x), with exp(x)⁻¹ d exp(x) = J_r(x) dx."""
    a, b, a1, b1 = dexp_coefficients_1(dot(w, w))
    return tangent_blocks(w, v, -a, b, -a1, b1)


@inline
def right_tangent_inverse(w: Vec, v: Vec) -> tuple[Block, Block]:
    """A and B of J_r(x)⁻¹."""
    d, d1 = dexpinv_coefficients_1(dot(w, w))
    return tangent_blocks(w, v, 0.5, d, 0.0, d1)


@inline
def tangent_blocks(w: Vec, v: Vec, a: float, b: float, a1: float, b1: float) -> tuple[Block, Block]:
    """A = I + a ŵ + b ŵ² and its derivative along v."""
    sigma = dot(w, v)
    x, y, z = blend(a, v, a1 * sigma, w)
    u = blend(b, v, 0.5 * b1 * sigma, w)
    xx, yy, zz = w[0] * u[0], w[1] * u[1], w[2] * u[2]
    xy = w[0] * u[1] + w[1] * u[0]
    xz = w[0] * u[2] + w[2] * u[0]
    yz = w[1] * u[2] + w[2] * u[1]
    B = (
        (-2.0 * (yy + zz), xy - z, xz + y),
        (xy + z, -2.0 * (xx + zz), yz - x),
        (xz - y, yz + x, -2.0 * (xx + yy)),
    )
    return polynomial_block(w, a, b), B
