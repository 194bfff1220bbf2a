"""A configuration of a model."""

from dataclasses import dataclass, field

import numpy as np

from flexura.typing import Array, Pose


@dataclass(frozen=True)
class State:
    """Where a model is, read-only.

    Attributes:
        poses: the free poses, a point of a product of SE(3), shape (n_coordinates, 4, 4).
        inner: for each part of the model, what its rods have besides poses, (n_nodes, n_inner).
        stress: for each part, the elastic stress at its points that a tangent shall be taken
            with, weights included, (n_points, 6): an unknown of its own in the mixed iteration
            (``solve.newton``). Empty: the stress that belongs to the poses.
        tension: of the tendons [N], (n_tendons,): an unknown for those that are driven by their
            length. For the others it is, like the stress, what the geometric part of a tangent
            takes; empty: the given tension.
        hold: what the joints exert in the directions that they hold, (n_rows,); empty: nothing.
    """

    poses: Pose
    inner: tuple[Array, ...]
    stress: tuple[Array, ...] = ()
    tension: Array = field(default_factory=lambda: np.zeros(0))
    hold: Array = field(default_factory=lambda: np.zeros(0))
