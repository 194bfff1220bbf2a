"""A configuration of a model."""

from dataclasses import dataclass

from flexura.typing import Pose


@dataclass(frozen=True)
class State:
    """Coordinates of a model: a point of a product of SE(3), read-only.

    Attributes:
        poses: the free poses, shape (n_coordinates, 4, 4).
    """

    poses: Pose
