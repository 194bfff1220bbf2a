"""A configuration of a model."""

from dataclasses import dataclass

from flexura.typing import Array, Pose
from flexura.value import Value


@dataclass(frozen=True, eq=False, repr=False)
class State(Value):
    """All unknowns of a model, read-only. ``Layout.retract`` and ``difference`` move between them.

    Attributes:
        poses: the free poses, a point of a product of SE(3), shape (n_coordinates, 4, 4).
        numbers: all other unknowns, each at its place among the degrees of freedom, which is zero
            where a pose has its place, (n_dof,).
        multipliers: what the constraints exert, (n_rows,), then the forces of contacts, three
            numbers each.
    """

    poses: Pose
    numbers: Array
    multipliers: Array

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""
