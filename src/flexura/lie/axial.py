"""Rotations about x, the axis of rods: in the frames of what is turned about its own axis."""

import numpy as np

from flexura.lie import se3
from flexura.typing import Array, ArrayLike, Pose

AXIS = np.eye(6)[0]


def about_x(angle: ArrayLike) -> Pose:
    """Poses that turn by angles about x [rad], angle.shape + (4, 4)."""
    return np.asarray(se3.exp(np.multiply.outer(angle, AXIS)))


def turned(vector: Array, angle: ArrayLike) -> Array:
    """Vectors of a turned frame in the frame that it was turned from: Rot_x(angle) v, (..., 3)."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = np.moveaxis(vector, -1, 0)
    return np.stack(np.broadcast_arrays(x, c * y - s * z, s * y + c * z), axis=-1)
