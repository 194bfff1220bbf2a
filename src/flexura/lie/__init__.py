"""The groups of rotations and poses: the exponential map with its tangents.

Twists are (angular, linear), in the body frame. Functions take stacks of them; what they are
compiled from is in ``flexura.lie.kernels``.
"""

from flexura.lie import quaternion, se3, so3

__all__ = ["quaternion", "se3", "so3"]
