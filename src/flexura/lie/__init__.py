"""The groups of rotations and poses: exponential and Cayley maps with their tangents.

Twists are (angular, linear), in the body frame.
"""

from flexura.lie import se3, so3

__all__ = ["se3", "so3"]
