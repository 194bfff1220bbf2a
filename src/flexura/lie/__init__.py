"""The groups of rotations and poses: exponential and Cayley maps with their tangents.

Twists are (angular, linear), in the body frame.
"""

from flexura.lie import cayley, quaternion, se3, so3

__all__ = ["cayley", "quaternion", "se3", "so3"]
