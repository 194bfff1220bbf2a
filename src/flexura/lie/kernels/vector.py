"""Vectors of three and 3×3 matrices as tuples: they live in registers, nothing is allocated."""

from typing import TypeAlias

from flexura._kernel import kernel
from flexura.typing import Array

Vec: TypeAlias = tuple[float, float, float]
Block: TypeAlias = tuple[Vec, Vec, Vec]  # a 3×3 matrix, by rows


@kernel
def clear(x: Array) -> None:
    """Zeros everywhere. NumPy would hand over to other threads, which takes longer."""
    for i in range(len(x)):
        x[i] = 0.0


@kernel
def vec(x: Array, i: int) -> Vec:
    """(x[i], x[i + 1], x[i + 2])."""
    return x[i], x[i + 1], x[i + 2]


@kernel
def dot(u: Vec, v: Vec) -> float:
    """Scalar product u · v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@kernel
def cross(u: Vec, v: Vec) -> Vec:
    """Vector product u × v."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@kernel
def scaled(a: float, u: Vec) -> Vec:
    """The multiple a u."""
    return a * u[0], a * u[1], a * u[2]


@kernel
def blend(a: float, u: Vec, b: float, v: Vec) -> Vec:
    """The combination a u + b v."""
    return a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]


@kernel
def rotate(R: Array, v: Vec) -> Vec:
    """R v, with R the upper left 3×3 block of a matrix."""
    return (
        R[0, 0] * v[0] + R[0, 1] * v[1] + R[0, 2] * v[2],
        R[1, 0] * v[0] + R[1, 1] * v[1] + R[1, 2] * v[2],
        R[2, 0] * v[0] + R[2, 1] * v[1] + R[2, 2] * v[2],
    )


@kernel
def rotate_back(R: Array, v: Vec) -> Vec:
    """Rᵀ v, with R the upper left 3×3 block of a matrix."""
    return (
        R[0, 0] * v[0] + R[1, 0] * v[1] + R[2, 0] * v[2],
        R[0, 1] * v[0] + R[1, 1] * v[1] + R[2, 1] * v[2],
        R[0, 2] * v[0] + R[1, 2] * v[1] + R[2, 2] * v[2],
    )


@kernel
def put(out: Array, i: int, v: Vec) -> None:
    """Write v into out[i : i + 3]."""
    out[i], out[i + 1], out[i + 2] = v[0], v[1], v[2]


@kernel
def block_times(A: Block, v: Vec) -> Vec:
    """A v."""
    return dot(A[0], v), dot(A[1], v), dot(A[2], v)


@kernel
def put_block(out: Array, i: int, j: int, A: Block) -> None:
    """Write A into the 3×3 block of ``out`` at (i, j)."""
    out[i, j], out[i, j + 1], out[i, j + 2] = A[0]
    out[i + 1, j], out[i + 1, j + 1], out[i + 1, j + 2] = A[1]
    out[i + 2, j], out[i + 2, j + 1], out[i + 2, j + 2] = A[2]


@kernel
def put_skew(out: Array, i: int, j: int, v: Vec) -> None:
    """Write hat(v) into the 3×3 block of ``out`` at (i, j)."""
    out[i, j], out[i, j + 1], out[i, j + 2] = 0.0, -v[2], v[1]
    out[i + 1, j], out[i + 1, j + 1], out[i + 1, j + 2] = v[2], 0.0, -v[0]
    out[i + 2, j], out[i + 2, j + 1], out[i + 2, j + 2] = -v[1], v[0], 0.0


@kernel
def put_zero(out: Array, i: int, j: int) -> None:
    """Write zeros into the 3×3 block of ``out`` at (i, j)."""
    for r in range(i, i + 3):
        for c in range(j, j + 3):
            out[r, c] = 0.0


@kernel
def put_dyads(
    out: Array, i: int, j: int, h: Vec, trace: float, u: Vec, v: Vec, p: Vec, q: Vec
) -> None:
    """Write ĥ + trace I + u vᵀ + p qᵀ into the 3×3 block of ``out`` at (i, j)."""
    put_skew(out, i, j, h)
    for r in range(3):
        out[i + r, j + r] = trace
        for c in range(3):
            out[i + r, j + c] += u[r] * v[c] + p[r] * q[c]


@kernel
def polynomial_block(w: Vec, a: float, b: float) -> Block:
    """The matrix I + a ŵ + b ŵ²."""
    x, y, z = w
    bxy, bxz, byz = b * x * y, b * x * z, b * y * z
    xx, yy, zz = x * x, y * y, z * z
    ax, ay, az = a * x, a * y, a * z
    return (
        (1.0 - b * (yy + zz), bxy - az, bxz + ay),
        (bxy + az, 1.0 - b * (xx + zz), byz - ax),
        (bxz - ay, byz + ax, 1.0 - b * (xx + yy)),
    )


@kernel
def polynomial(w: Vec, a: float, b: float, y: Vec) -> Vec:
    """(I + a ŵ + b ŵ²) y."""
    c = cross(w, y)
    e = cross(w, c)
    return (
        y[0] + a * c[0] + b * e[0],
        y[1] + a * c[1] + b * e[1],
        y[2] + a * c[2] + b * e[2],
    )
