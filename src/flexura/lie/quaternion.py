"""Unit quaternions, scalar first (w, x, y, z), and rotation matrices."""

import numpy as np

from flexura._kernel import kernel
from flexura.lie.kernels.quaternion import components
from flexura.lie.stack import QUATERNION, ROTATION, mapped
from flexura.typing import Array, ArrayLike, Rotation


@kernel
def _from_matrix_all(q: Array, R: Array) -> None:
    for i in range(len(R)):
        q[i, 0], q[i, 1], q[i, 2], q[i, 3] = components(R[i])


def from_matrix(rotation: ArrayLike) -> Array:
    """Unit quaternion (w, x, y, z) of a rotation, w ≥ 0.

    Args:
        rotation: R, shape (..., 3, 3).

    Returns:
        q, shape (..., 4); for a half turn, w = 0, its largest component is positive.
    """
    q = mapped("quaternion.from_matrix", _from_matrix_all, (4,), rotation=(rotation, ROTATION))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return q


@kernel
def _to_matrix_all(R: Array, q: Array) -> None:
    for i in range(len(q)):
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        f = 2.0 / (w * w + x * x + y * y + z * z)
        R[i, 0, 0], R[i, 1, 1] = 1.0 - f * (y * y + z * z), 1.0 - f * (x * x + z * z)
        R[i, 2, 2] = 1.0 - f * (x * x + y * y)
        R[i, 0, 1], R[i, 1, 0] = f * (x * y - w * z), f * (x * y + w * z)
        R[i, 0, 2], R[i, 2, 0] = f * (x * z + w * y), f * (x * z - w * y)
        R[i, 1, 2], R[i, 2, 1] = f * (y * z - w * x), f * (y * z + w * x)


def to_matrix(quaternion: ArrayLike) -> Rotation:
    """Rotation of a unit quaternion.

        R = I + 2 w q̂ + 2 q̂²,   q = (x, y, z)

    Args:
        quaternion: (w, x, y, z), unit norm within 1e-6, normalised exactly; shape (..., 4).

    Returns:
        R, shape (..., 3, 3).
    """
    given = (quaternion, QUATERNION)
    return mapped("quaternion.to_matrix", _to_matrix_all, (3, 3), quaternion=given)
