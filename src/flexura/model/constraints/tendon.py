"""Tendons that are driven by their length: they are as long as their way, or slack."""

from dataclasses import dataclass

import numpy as np

from flexura.model.constraint import Cone, Constraint
from flexura.model.law import Given
from flexura.typing import Array, Indices, Pose


@dataclass(frozen=True, eq=False)
class TendonLengths(Constraint):
    """gap = (rest - shortening) (1 + τ / EA) - length of the way, τ the multiplier.

    Attributes:
        multipliers: places of the tensions among the given values, (m,).
        shortening: places of the inputs, (m,).
        rest: lengths on the unloaded robot [m], (m,).
        flexibility: 1 / EA, 0 for a tendon that does not stretch [1/N], (m,).
    """

    multipliers: Indices
    shortening: Indices
    rest: Array
    flexibility: Array
    cone = Cone.NOT_NEGATIVE

    def _own(self, values: Array) -> Array:
        """Lengths of the tendons without tension [m], (m,)."""
        return np.asarray(self.rest - values[self.shortening])

    def gap(self, pose: Pose, given: Given) -> Array:
        """How much longer the tendons are than their ways [m]."""
        tension = given.values[self.multipliers]
        own = self._own(given.values) * (1.0 + self.flexibility * tension)
        return np.asarray(own - given.conjugate[self.multipliers])

    def compliance(self, given: Given) -> Array:
        """How they grow with tension [m/N]."""
        return self.flexibility * self._own(given.values)

    def add_slope(self, pose: Pose, given: Given, change: Array, gap: Array) -> None:
        """They get shorter as the inputs say."""
        stretch = 1.0 + self.flexibility * given.values[self.multipliers]
        gap -= change[self.shortening] * stretch

    def energy(self, given: Given) -> float:
        """Strain energy of the tendons [J]."""
        tension = given.values[self.multipliers]
        return float(0.5 * np.sum(self._own(given.values) * self.flexibility * tension**2))

    def impossible(self, values: Array) -> bool:
        """Whether a tendon is shortened to nothing."""
        return bool((values[self.shortening] >= self.rest).any())

    def driven(self, values: Array) -> bool:
        """Whether a tendon is shortened at all."""
        return bool(values[self.shortening].any())
