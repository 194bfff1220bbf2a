"""Constant poses as arrays, for calculations with them."""

import numpy as np

from flexura.typing import ArrayLike, Pose


def transform(offset: ArrayLike | None) -> Pose:
    """An offset as a 4x4 array, the identity if there is none."""
    return np.eye(4) if offset is None else np.array(offset, dtype=np.float64)


def inverse(T_ab: Pose) -> Pose:
    """Inverse of a pose, without a kernel: describing a robot compiles nothing."""
    T_ba = np.eye(4)
    T_ba[:3, :3] = T_ab[:3, :3].T
    T_ba[:3, 3] = -T_ab[:3, :3].T @ T_ab[:3, 3]
    return T_ba
