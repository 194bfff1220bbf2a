"""Gravity, point and line loads: wrenches on poses.

A load is a coefficient times an input wrench (moment, force), at a pose g with rotation R:

    dead:      r = -(Rᵀ M, Rᵀ F)          follower:  r = -(M, F)

``r`` is what the load adds to the residual, the gradient of the energy where there is one. Tangents
are derivatives of r pulled back by the exponential chart (docs/theory.md, section 3): symmetric for
a dead force, not for a dead moment or a follower.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.model.terms import load_kernels as kernels
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True)
class Loads:
    """Loads on a list of poses: the points of a group, or the nodes.

    Attributes:
        target: index of the pose that each entry acts on, (n,).
        source: row of the inputs that each entry takes its wrench from, (n,).
        coefficient: factor of the wrench: a weight [m], a mass [kg] or 1, (n,).
        follower: whether the wrench turns with the pose, (n,).
        offset: pose where the wrench acts, in the target, (n, 4, 4).
    """

    target: Indices
    source: Indices
    coefficient: Array
    follower: NDArray[np.bool_]
    offset: Pose

    @property
    def targets(self) -> Indices:
        """The poses that loads act on, each once."""
        return np.unique(self.target)

    def write(self, pose: Pose, inputs: Array, force: Array, tangent: Array) -> None:
        """Write the forces (n, 6) and tangents (n, 36) of the poses that loads act on."""
        kernels.write(
            self.target, self.source, self.coefficient, self.follower, self.offset, pose, inputs,
            force, tangent,
        )  # fmt: skip

    def potential(self, pose: Pose, inputs: Array) -> float:
        """Potential of the dead forces [J], zero at the world's origin."""
        if not len(self.source):
            return 0.0
        return float(
            kernels.potential(
                self.target, self.source, self.coefficient, self.follower, self.offset, pose, inputs
            )
        )

    def total(self, inputs: Array) -> tuple[float, float]:
        """Sums of the sizes of all moments [N·m] and forces [N]."""
        if not len(self.source):
            return 0.0, 0.0
        moment, force = kernels.total(self.source, self.coefficient, inputs)
        return float(moment), float(force)

    def conservative(self, inputs: Array) -> bool:
        """Whether all loads have a potential: dead forces without moments."""
        if not len(self.source):
            return True
        return bool(kernels.conservative(self.source, self.follower, inputs))
