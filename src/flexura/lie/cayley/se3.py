"""Cayley map of poses, of 4×4 matrices; kernels and stacks as in ``flexura.lie.se3``."""

from flexura._kernel import kernel
from flexura.lie._batch import POSE, TWIST, mapped
from flexura.lie._se3 import position, put_position
from flexura.lie._vector import (
    blend,
    cross,
    dot,
    put,
    put_dyads,
    put_polynomial,
    put_skew,
    put_zero,
    scaled,
    vec,
)
from flexura.lie.cayley.so3 import (
    cayley_vector,
    factor,
    put_dcay,
    put_dcay_gradient,
    put_half,
    reached,
)
from flexura.typing import Array, ArrayLike, Matrix6, Pose, Twist


@kernel
def cay_into(g: Array, x: Array) -> None:
    """Write cay(x) = (cay(w), (I − ŵ/2)⁻¹ v), with (I − ŵ/2)⁻¹ = k (I + ŵ/2 + w wᵀ/4)."""
    w, v = vec(x, 0), vec(x, 3)
    k = factor(w)
    put_polynomial(g, 0, 0, w, k, 0.5 * k)
    p = blend(1.0, v, 0.25 * dot(w, v), w)
    put_position(g, blend(k, p, 0.5 * k, cross(w, v)))


@kernel
def cayinv_into(x: Array, g: Array) -> None:
    """Write the x with cay(x) = g; infinite for a half turn."""
    w, p = cayley_vector(g), position(g)
    put(x, 0, w)
    put(x, 3, blend(1.0, p, -0.5, cross(w, p)))


@kernel
def dcay_into(J: Array, x: Array) -> None:
    """Write the right tangent [[C, 0], [−v̂C/2, (I + ŵ/2)⁻¹]], C = k (I − ŵ/2)."""
    w, v = vec(x, 0), vec(x, 3)
    put_dcay(J, w)
    put_zero(J, 0, 3)
    for j in range(3):
        column = cross(v, (J[0, j], J[1, j], J[2, j]))
        for i in range(3):
            J[i + 3, j] = -0.5 * column[i]
    put_half(J, 3, 3, w, factor(w), -0.5)


@kernel
def dcayinv_into(J: Array, x: Array) -> None:
    """Write the inverse [[I + ŵ/2 + w wᵀ/4, 0], [(I + ŵ/2) v̂/2, I + ŵ/2]]."""
    w, v = vec(x, 0), vec(x, 3)
    put_half(J, 0, 0, w, 1.0, 0.5)
    put_zero(J, 0, 3)
    # ŵ v̂ = v wᵀ − (w·v) I
    zero = (0.0, 0.0, 0.0)
    put_dyads(J, 3, 0, scaled(0.5, v), -0.25 * dot(w, v), scaled(0.25, v), w, zero, zero)
    put_skew(J, 3, 3, scaled(0.5, w))
    J[3, 3] = J[4, 4] = J[5, 5] = 1.0


@kernel
def dcay_derivative_into(N: Array, x: Array, mu: Array) -> None:
    """Write N_ij = μᵀ (∂dcay/∂x_i) e_j, with μ = (l, m).

    Its rows are those of SO(3) for the moment l − m × v/2, then m̂C/2; beside them
    k (m̂/2 + (m wᵀ + (m·w) I)/4) − k² w rᵀ/2, r = m + w × m/2 + (w·m) w/4.
    """
    w, v = vec(x, 0), vec(x, 3)
    l, m = vec(mu, 0), vec(mu, 3)
    k = factor(w)
    put_dcay(N, w)
    for j in range(3):
        column = cross(m, (N[0, j], N[1, j], N[2, j]))
        for i in range(3):
            N[i + 3, j] = 0.5 * column[i]
    put_dcay_gradient(N, 0, 0, w, blend(1.0, l, -0.5, cross(m, v)))
    mw = dot(m, w)
    r = blend(1.0, blend(1.0, m, 0.5, cross(w, m)), 0.25 * mw, w)
    dyad, row = scaled(0.25 * k, m), scaled(-0.5 * k * k, w)
    put_dyads(N, 0, 3, scaled(0.5 * k, m), 0.25 * k * mw, dyad, w, row, r)
    put_zero(N, 3, 3)


@kernel
def dcayinv_derivative_into(N: Array, x: Array, mu: Array) -> None:
    """Write N_ij = μᵀ (∂dcay⁻¹/∂x_i) e_j, with μ = (l, m).

    N_ww = −l̂/2 + (l wᵀ + (l·w + m·v) I − v mᵀ)/4,  N_wv = −m̂/2,  N_vw = −hat(m − w × m/2)/2
    """
    w, v = vec(x, 0), vec(x, 3)
    l, m = vec(mu, 0), vec(mu, 3)
    trace = 0.25 * (dot(l, w) + dot(m, v))
    put_dyads(N, 0, 0, scaled(-0.5, l), trace, scaled(0.25, l), w, scaled(-0.25, v), m)
    put_skew(N, 0, 3, scaled(-0.5, m))
    put_skew(N, 3, 0, blend(-0.5, m, 0.25, cross(w, m)))
    put_zero(N, 3, 3)


@kernel
def _cay_all(g: Array, x: Array) -> None:
    for i in range(len(x)):
        cay_into(g[i], x[i])


def cay(twist: ArrayLike) -> Pose:
    """Pose of a twist by the Cayley map of 4×4 matrices.

        cay(x) = (I − x̂/2)⁻¹ (I + x̂/2) = (cay(w), (I − ŵ/2)⁻¹ v)

    Args:
        twist: x = (w, v) [–, m], shape (..., 6).

    Returns:
        g, shape (..., 4, 4).
    """
    return mapped("cayley.se3.cay", _cay_all, (4, 4), twist=(twist, TWIST))


@kernel
def _cayinv_all(x: Array, g: Array) -> None:
    for i in range(len(g)):
        cayinv_into(x[i], g[i])


def cayinv(pose: ArrayLike) -> Twist:
    """Inverse of the Cayley map, (w, (I − ŵ/2) p) with w that of the rotation.

    Args:
        pose: g, its rotation not a half turn, shape (..., 4, 4).

    Returns:
        x = (w, v), shape (..., 6).
    """
    x = mapped("cayley.se3.cayinv", _cayinv_all, (6,), pose=(pose, POSE))
    reached("cayley.se3.cayinv", x[..., :3])
    return x


@kernel
def _dcay_all(J: Array, x: Array) -> None:
    for i in range(len(x)):
        dcay_into(J[i], x[i])


def _dcay_left_all(J: Array, x: Array) -> None:
    _dcay_all(J, -x)


@kernel
def _dcayinv_all(J: Array, x: Array) -> None:
    for i in range(len(x)):
        dcayinv_into(J[i], x[i])


def _dcayinv_left_all(J: Array, x: Array) -> None:
    _dcayinv_all(J, -x)


def dcay(twist: ArrayLike) -> Matrix6:
    """Right tangent of the Cayley map, cay(x)⁻¹ d cay(x) = hat(dcay(x) dx).

        dcay(x) = [[C, 0], [−v̂C/2, (I + ŵ/2)⁻¹]],   C = (I − ŵ/2)/(1 + |w|²/4)

    Args:
        twist: x = (w, v), shape (..., 6).

    Returns:
        dcay, shape (..., 6, 6).
    """
    return mapped("cayley.se3.dcay", _dcay_all, (6, 6), twist=(twist, TWIST))


def dcay_left(twist: ArrayLike) -> Matrix6:
    """Left tangent of the Cayley map, d cay(x) cay(x)⁻¹ = hat(dcay(−x) dx)."""
    return mapped("cayley.se3.dcay_left", _dcay_left_all, (6, 6), twist=(twist, TWIST))


def dcayinv(twist: ArrayLike) -> Matrix6:
    """Inverse of the right tangent, a polynomial in x.

        dcay(x)⁻¹ = [[I + ŵ/2 + w wᵀ/4, 0], [(I + ŵ/2) v̂/2, I + ŵ/2]]

    Args:
        twist: x = (w, v), shape (..., 6).

    Returns:
        dcay⁻¹, shape (..., 6, 6).
    """
    return mapped("cayley.se3.dcayinv", _dcayinv_all, (6, 6), twist=(twist, TWIST))


def dcayinv_left(twist: ArrayLike) -> Matrix6:
    """Inverse of the left tangent, dcay(−x)⁻¹, shape (..., 6) to (..., 6, 6)."""
    return mapped("cayley.se3.dcayinv_left", _dcayinv_left_all, (6, 6), twist=(twist, TWIST))


@kernel
def _dcay_derivative_all(N: Array, x: Array, mu: Array) -> None:
    for i in range(len(x)):
        dcay_derivative_into(N[i], x[i], mu[i])


@kernel
def _dcayinv_derivative_all(N: Array, x: Array, mu: Array) -> None:
    for i in range(len(x)):
        dcayinv_derivative_into(N[i], x[i], mu[i])


def dcay_derivative(twist: ArrayLike, wrench: ArrayLike) -> Matrix6:
    """Derivative of the right tangent, contracted from the left with a wrench.

        N_ij = μᵀ (∂dcay/∂x_i) e_j

    Args:
        twist: x = (w, v), shape (..., 6).
        wrench: μ, shape (..., 6).

    Returns:
        N, shape (..., 6, 6).
    """
    inputs = {"twist": (twist, TWIST), "wrench": (wrench, TWIST)}
    return mapped("cayley.se3.dcay_derivative", _dcay_derivative_all, (6, 6), **inputs)


def dcayinv_derivative(twist: ArrayLike, wrench: ArrayLike) -> Matrix6:
    """The same for the inverse of the right tangent, N_ij = μᵀ (∂dcay⁻¹/∂x_i) e_j."""
    inputs = {"twist": (twist, TWIST), "wrench": (wrench, TWIST)}
    return mapped("cayley.se3.dcayinv_derivative", _dcayinv_derivative_all, (6, 6), **inputs)
