"""Steps by a factor that is kept, corrected by what the steps before have shown."""

from itertools import pairwise

import numpy as np

from flexura.matrix.structure import Factor
from flexura.typing import Array


class Secants:
    """Broyden's method [Broyden1965] on a fixed factor, from its own steps alone [Kelley1995].

    Args:
        factor: of a matrix near the derivative of the residual.
        weight: of the unknowns in products of steps, (n,).
        first: the first step, by this factor, (n,).
    """

    def __init__(self, factor: Factor, weight: Array, first: Array) -> None:
        self._factor, self._weight, self._steps = factor, weight, [first]

    def step(self, residual: Array) -> Array:
        """The step from a residual; all of the one before it was taken.

        z ← -F⁻¹ r,   z ← z + s_{j+1} ⟨s_j, z⟩ / ⟨s_j, s_j⟩,  j < k,
        s_{k+1} = z / (1 - ⟨s_k, z⟩ / ⟨s_k, s_k⟩)
        """
        z, steps = -self._factor.solve(residual), self._steps
        for before, after in pairwise(steps):
            z = z + after * self._along(before, z)
        z = z / (1.0 - self._along(steps[-1], z))
        steps.append(z)
        return np.asarray(z)

    def _along(self, step: Array, z: Array) -> float:
        """How much of a step there is in another one."""
        weighted = self._weight * step
        size = float(weighted @ step)
        return float(weighted @ z) / size if size > 0.0 else 0.0
