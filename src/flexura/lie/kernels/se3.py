"""Kernels of the pose group: they fill the array given first, which aliases no other."""

from flexura._kernel import kernel
from flexura.lie.kernels.series import (
    dexp_coefficients_2,
    dexpinv_coefficient,
    dexpinv_coefficients_2,
    exp_coefficients,
)
from flexura.lie.kernels.so3 import gradient_row, put_gradient, rotation_vector
from flexura.lie.kernels.tangent import right_tangent, right_tangent_inverse
from flexura.lie.kernels.vector import (
    Block,
    Vec,
    blend,
    block_times,
    cross,
    dot,
    polynomial,
    polynomial_block,
    put,
    put_block,
    put_dyads,
    put_skew,
    put_zero,
    rotate,
    rotate_back,
    scaled,
    vec,
)
from flexura.typing import Array


@kernel
def put_position(g: Array, p: Vec) -> None:
    """Write the last column and row of a pose."""
    g[0, 3], g[1, 3], g[2, 3] = p[0], p[1], p[2]
    g[3, 0], g[3, 1], g[3, 2], g[3, 3] = 0.0, 0.0, 0.0, 1.0


@kernel
def position(g: Array) -> Vec:
    """Position p of g = (R, p)."""
    return g[0, 3], g[1, 3], g[2, 3]


@kernel
def hat_into(out: Array, x: Array) -> None:
    """Write the 4×4 matrix [[ŵ, v], [0, 0]]."""
    put_skew(out, 0, 0, vec(x, 0))
    put_position(out, vec(x, 3))
    out[3, 3] = 0.0


@kernel
def exp_into(g: Array, x: Array) -> None:
    """Write exp(x) = (I + s ŵ + a ŵ², (I + a ŵ + b ŵ²) v)."""
    w = vec(x, 0)
    s, a, b = exp_coefficients(dot(w, w))
    put_block(g, 0, 0, polynomial_block(w, s, a))
    put_position(g, polynomial(w, a, b, vec(x, 3)))


@kernel
def log_into(x: Array, g: Array) -> None:
    """Write the twist of g, with a rotation of at most π."""
    w = rotation_vector(g)
    put(x, 0, w)
    put(x, 3, polynomial(w, -0.5, dexpinv_coefficient(dot(w, w)), position(g)))


@kernel
def copy_into(out: Array, g: Array) -> None:
    """Write g."""
    for i in range(4):
        for j in range(4):
            out[i, j] = g[i, j]


@kernel
def inverse_into(out: Array, g: Array) -> None:
    """Write g⁻¹ = (Rᵀ, −Rᵀp)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = g[j, i]
    put_position(out, rotate_back(g, scaled(-1.0, position(g))))


@kernel
def compose_into(out: Array, g: Array, h: Array) -> None:
    """Write g h."""
    for i in range(3):
        for j in range(3):
            out[i, j] = g[i, 0] * h[0, j] + g[i, 1] * h[1, j] + g[i, 2] * h[2, j]
    put_position(out, blend(1.0, position(g), 1.0, rotate(g, position(h))))


@kernel
def between_into(out: Array, g: Array, h: Array) -> None:
    """Write g⁻¹ h."""
    for i in range(3):
        for j in range(3):
            out[i, j] = g[0, i] * h[0, j] + g[1, i] * h[1, j] + g[2, i] * h[2, j]
    put_position(out, rotate_back(g, blend(1.0, position(h), -1.0, position(g))))


@kernel
def Ad_into(A: Array, g: Array) -> None:
    """Write Ad_g = [[R, 0], [p̂R, R]]."""
    p = position(g)
    put_zero(A, 0, 3)
    for j in range(3):
        column = (g[0, j], g[1, j], g[2, j])
        moment = cross(p, column)
        for i in range(3):
            A[i, j] = A[i + 3, j + 3] = column[i]
            A[i + 3, j] = moment[i]


@kernel
def Ad_inv_into(A: Array, g: Array) -> None:
    """Write Ad_g⁻¹ = [[Rᵀ, 0], [−Rᵀp̂, Rᵀ]]."""
    p = position(g)
    put_zero(A, 0, 3)
    for i in range(3):
        column = (g[0, i], g[1, i], g[2, i])
        moment = cross(p, column)
        for j in range(3):
            A[i, j] = A[i + 3, j + 3] = column[j]
            A[i + 3, j] = moment[j]


@kernel
def ad_into(A: Array, x: Array) -> None:
    """Write ad_x = [[ŵ, 0], [v̂, ŵ]]."""
    w = vec(x, 0)
    put_skew(A, 0, 0, w)
    put_zero(A, 0, 3)
    put_skew(A, 3, 0, vec(x, 3))
    put_skew(A, 3, 3, w)


@kernel
def Ad_apply(out: Array, g: Array, x: Array) -> None:
    """Write Ad_g x = (R w, R v + p × R w)."""
    w, v = rotate(g, vec(x, 0)), rotate(g, vec(x, 3))
    put(out, 0, w)
    put(out, 3, blend(1.0, v, 1.0, cross(position(g), w)))


@kernel
def Ad_inv_apply(out: Array, g: Array, x: Array) -> None:
    """Write Ad_g⁻¹ x = (Rᵀw, Rᵀ(v − p × w))."""
    w, v = vec(x, 0), vec(x, 3)
    put(out, 0, rotate_back(g, w))
    put(out, 3, rotate_back(g, blend(1.0, v, -1.0, cross(position(g), w))))


@kernel
def Ad_T_apply(out: Array, g: Array, f: Array) -> None:
    """Write Ad_gᵀ f = (Rᵀ(m − p × n), Rᵀn) of f = (m, n)."""
    m, n = vec(f, 0), vec(f, 3)
    put(out, 0, rotate_back(g, blend(1.0, m, -1.0, cross(position(g), n))))
    put(out, 3, rotate_back(g, n))


@kernel
def Ad_inv_T_apply(out: Array, g: Array, f: Array) -> None:
    """Write Ad_g⁻ᵀ f = (R m + p × R n, R n) of f = (m, n)."""
    m, n = rotate(g, vec(f, 0)), rotate(g, vec(f, 3))
    put(out, 0, blend(1.0, m, 1.0, cross(position(g), n)))
    put(out, 3, n)


@kernel
def ad_apply(out: Array, x: Array, y: Array) -> None:
    """Write ad_x y = (w × y_w, v × y_w + w × y_v)."""
    w, v = vec(x, 0), vec(x, 3)
    y_w = vec(y, 0)
    put(out, 0, cross(w, y_w))
    put(out, 3, blend(1.0, cross(v, y_w), 1.0, cross(w, vec(y, 3))))


@kernel
def ad_T_apply(out: Array, x: Array, f: Array) -> None:
    """Write ad_xᵀ f = (m × w + n × v, n × w) of f = (m, n)."""
    w, v = vec(x, 0), vec(x, 3)
    n = vec(f, 3)
    put(out, 0, blend(1.0, cross(vec(f, 0), w), 1.0, cross(n, v)))
    put(out, 3, cross(n, w))


@kernel
def _put_tangent(J: Array, A: Block, B: Block) -> None:
    """Write [[A, 0], [B, A]]."""
    put_block(J, 0, 0, A)
    put_zero(J, 0, 3)
    put_block(J, 3, 0, B)
    put_block(J, 3, 3, A)


@kernel
def dexp_into(J: Array, x: Array) -> None:
    """Write J_r(x), with exp(x)⁻¹ d exp(x) = J_r(x) dx."""
    A, B = right_tangent(vec(x, 0), vec(x, 3))
    _put_tangent(J, A, B)


@kernel
def dexpinv_into(J: Array, x: Array) -> None:
    """Write J_r(x)⁻¹."""
    A, B = right_tangent_inverse(vec(x, 0), vec(x, 3))
    _put_tangent(J, A, B)


@kernel
def _tangent_apply(out: Array, A: Block, B: Block, y: Array) -> None:
    """Write [[A, 0], [B, A]] y."""
    w, v = vec(y, 0), vec(y, 3)
    put(out, 0, block_times(A, w))
    put(out, 3, blend(1.0, block_times(B, w), 1.0, block_times(A, v)))


@kernel
def dexp_apply(out: Array, x: Array, y: Array) -> None:
    """Write J_r(x) y."""
    A, B = right_tangent(vec(x, 0), vec(x, 3))
    _tangent_apply(out, A, B, y)


@kernel
def dexpinv_apply(out: Array, x: Array, y: Array) -> None:
    """Write J_r(x)⁻¹ y."""
    A, B = right_tangent_inverse(vec(x, 0), vec(x, 3))
    _tangent_apply(out, A, B, y)


@kernel
def _put_tangent_gradient(
    N: Array,
    x: Array,
    mu: Array,
    a: float,
    b: float,
    a1: float,
    b1: float,
    a2: float,
    b2: float,
) -> None:
    """Write N_ij = μᵀ (∂J/∂x_i) e_j for the matrix J of ``tangent.tangent_blocks``.

    With n(w, m) as in ``put_gradient`` and μ = (l, m), the blocks are
    N_ww = n(w, l) + Dn(w, m)[v],  N_wv = N_vw = n(w, m),  N_vv = 0.
    """
    w, v = vec(x, 0), vec(x, 3)
    l, m = vec(mu, 0), vec(mu, 3)
    sigma, mw, mv = dot(w, v), dot(m, w), dot(m, v)
    k = gradient_row(w, m, b, a1, b1)
    put_gradient(N, 0, 3, w, m, a, b, k)
    for i in range(3):
        for j in range(3):
            N[i + 3, j] = N[i, j + 3]
    put_zero(N, 3, 3)
    # The row k of l, and the derivative along v of the row k of m.
    row = gradient_row(w, l, b, a1, b1)
    along = gradient_row(w, m, b1 * sigma, a2 * sigma, b2 * sigma)
    bend = blend(a1, cross(m, v), b1 * mv, w)
    rest = blend(b1 * mw, v, -2.0 * b1 * sigma, m)
    row = blend(1.0, blend(1.0, row, 1.0, along), 1.0, blend(1.0, bend, 1.0, rest))
    f = blend(b, l, b1 * sigma, m)
    trace = b * (dot(l, w) + mv) + b1 * sigma * mw
    put_dyads(N, 0, 0, blend(-a, l, -a1 * sigma, m), trace, w, row, f, w)
    for i in range(3):
        for j in range(3):
            N[i, j] += v[i] * k[j] + b * m[i] * v[j]


@kernel
def dexp_derivative_into(N: Array, x: Array, mu: Array) -> None:
    """Write N_ij = μᵀ (∂J_r/∂x_i) e_j."""
    w = vec(x, 0)
    a, b, a1, b1, a2, b2 = dexp_coefficients_2(dot(w, w))
    _put_tangent_gradient(N, x, mu, -a, b, -a1, b1, -a2, b2)


@kernel
def dexpinv_derivative_into(N: Array, x: Array, mu: Array) -> None:
    """Write N_ij = μᵀ (∂J_r⁻¹/∂x_i) e_j."""
    w = vec(x, 0)
    d, d1, d2 = dexpinv_coefficients_2(dot(w, w))
    _put_tangent_gradient(N, x, mu, 0.5, d, 0.0, d1, 0.0, d2)
