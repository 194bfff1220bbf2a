"""Compiled heart of targets that are poses."""

from flexura._kernel import kernel
from flexura.lie.kernels import se3
from flexura.typing import Array


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
