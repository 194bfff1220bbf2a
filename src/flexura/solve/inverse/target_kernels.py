"""Compiled heart of targets."""

from flexura._kernel import kernel
from flexura.lie.kernels import se3
from flexura.typing import Array, Indices


@kernel
def miss(
    pose: Array, target: Array, frame: Array, twist: Array, negative: Array, slope: Array
) -> None:
    """x = log(pose⁻¹ target), and J_l(x)⁻¹, by which a body twist of the pose takes it away.

    Args:
        pose: of the frame, (4, 4).
        target: likewise.
        frame: work space, (4, 4).
        twist: x, a result, (6,).
        negative: becomes -x, (6,).
        slope: a result, (6, 6).
    """
    se3.between_into(frame, pose, target)
    se3.log_into(twist, frame)
    for c in range(6):
        negative[c] = -twist[c]
    se3.dexpinv_into(slope, negative)


@kernel
def miss_place(pose: Array, target: Array, counts: Indices, error: Array, slope: Array) -> None:
    """What is missing to a position, and how a body twist of the frame takes it away, (0, -R).

    Args:
        pose: of the frame, (4, 4).
        target: likewise; its rotation says nothing.
        counts: which of three numbers count, (k,).
        error: a result, (k,).
        slope: a result, (k, 6).
    """
    for k in range(len(counts)):
        i = counts[k]
        error[k] = target[i, 3] - pose[i, 3]
        for j in range(3):
            slope[k, j] = 0.0
            slope[k, 3 + j] = -pose[i, j]
