"""Wrenches on poses, dead or following: what loads along rods and loads on nodes have in common.

A load is a coefficient times an input wrench (moment, force), at a pose g with rotation R:

    dead:      r = -(Rᵀ M, Rᵀ F)          follower:  r = -(M, F)

``r`` is what the load adds to the residual, the gradient of the energy where there is one. Tangents
are derivatives of r pulled back by the exponential chart (docs/theory.md, section 3): symmetric for
a dead force, not for a dead moment or a follower.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.model import wrench_kernels as kernels
from flexura.model.law import Given
from flexura.typing import Array, Indices, Pose, Vector, frozen
from flexura.value import Value


class Entry(NamedTuple):
    """One load.

    Attributes:
        target: index of the pose that it acts on.
        moment: place of the moment among the given values, -1 for none.
        force: place of the force.
        coefficient: factor of the wrench: a weight [m], a mass [kg] or 1.
        follower: whether the wrench turns with the pose.
        offset: pose where the wrench acts, in the target.
    """

    target: int
    moment: int
    force: int
    coefficient: float
    follower: bool
    offset: Pose


@dataclass(frozen=True, eq=False)
class Wrenches(Value):
    """Loads on a list of poses, the points of a group or the nodes; arrays as in ``Entry``."""

    target: Indices
    moment: Indices
    force: Indices
    coefficient: Array
    follower: NDArray[np.bool_]
    offset: Pose

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Wrenches":
        """The loads, entry by entry."""
        columns = list(zip(*entries, strict=True)) if entries else [()] * 6
        kinds: tuple[Any, ...] = (np.int64, np.int64, np.int64, np.float64, np.bool_, np.float64)
        arrays: list[Any] = [np.array(x, dtype=k) for x, k in zip(columns, kinds, strict=True)]
        arrays[-1] = arrays[-1].reshape(-1, 4, 4)
        return cls(*(frozen(x) for x in arrays))

    def __len__(self) -> int:
        return len(self.target)

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the values that they take."""
        begins = np.concatenate([self.moment, self.force])
        return frozenset((begins[begins >= 0, None] + np.arange(3)).ravel().tolist())

    def add(self, pose: Pose, given: Given, force: Array, row: Indices, tangent: Array) -> None:
        """Add the forces (n, 6) of the poses that loads act on, and tangents, at given rows."""
        kernels.add(
            self.target, self.moment, self.force, self.coefficient, self.follower, self.offset,
            pose, given.values, force, row, tangent, given.tangents,
        )  # fmt: skip

    def add_slope(self, pose: Pose, change: Array, force: Array) -> None:
        """Add the change of the forces with that of the given values: they are linear."""
        kernels.add_force(
            self.target, self.moment, self.force, self.coefficient, self.follower, self.offset,
            pose, change, force,
        )  # fmt: skip

    def potential(self, pose: Pose, values: Array) -> float:
        """Potential of the dead forces [J], zero at the world's origin."""
        return float(
            kernels.potential(
                self.target, self.force, self.coefficient, self.follower, self.offset, pose, values
            )
        )

    def dead_force(self, values: Array, which: NDArray[np.bool_] | bool = True) -> Vector:
        """The dead forces together, or some of them, in world axes [N], (3,)."""
        acts = ~self.follower & (self.force >= 0) & which
        found = values[self.force[acts, None] + np.arange(3)]
        return np.asarray(self.coefficient[acts] @ found)

    def without_potential(self, values: Array) -> tuple[float, float]:
        """Sums of the sizes of all moments [N·m], and of the forces that follow [N]."""
        found = []
        for source, counts in ((self.moment, True), (self.force, self.follower)):
            own = (source >= 0) & counts
            size = np.linalg.norm(values[source[own, None] + np.arange(3)], axis=1)
            found.append(float(np.abs(self.coefficient[own]) @ size))
        return found[0], found[1]

    @cached_property
    def _dead(self) -> bool:
        """Whether there are neither followers nor moments, whatever their values."""
        return not (self.follower.any() or (self.moment >= 0).any())

    def size(self, values: Array) -> tuple[float, float]:
        """Sums of the sizes of all moments [N·m] and forces [N]."""
        moment, force = kernels.size(self.moment, self.force, self.coefficient, values)
        return float(moment), float(force)

    def conservative(self, values: Array) -> bool:
        """Whether all loads have a potential: dead forces without moments."""
        if self._dead:
            return True
        return bool(kernels.conservative(self.moment, self.force, self.follower, values))
