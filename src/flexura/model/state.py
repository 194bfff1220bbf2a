"""A configuration of a model."""

from dataclasses import dataclass

from flexura.typing import Array, Pose


@dataclass(frozen=True)
class State:
    """Coordinates of a model, read-only.

    Attributes:
        poses: the free poses, a point of a product of SE(3), shape (n_coordinates, 4, 4).
        inner: for each part of the model, what its rods have besides poses, shape (n,) each.
    """

    poses: Pose
    inner: tuple[Array, ...]
