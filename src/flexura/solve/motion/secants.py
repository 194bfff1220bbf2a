"""Steps by a factor that is kept, corrected by what the steps before have shown."""

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
        self._factor, self._weight = factor, weight
        self._steps, self._rows = [first], [self._row(first)]

    def step(self, residual: Array) -> Array:
        """The step from a residual; all of the one before it was taken.

        z ← -F⁻¹ r,   z ← z + s_{j+1} ⟨s_j, z⟩ / ⟨s_j, s_j⟩,  j < k,
        s_{k+1} = z / (1 - ⟨s_k, z⟩ / ⟨s_k, s_k⟩)
        """
        z, steps, rows = -self._factor.solve(residual), self._steps, self._rows
        for row, after in zip(rows[:-1], steps[1:], strict=True):
            z += after * (row @ z)
        z /= 1.0 - rows[-1] @ z
        steps.append(z)
        rows.append(self._row(z))
        return z

    def _row(self, step: Array) -> Array:
        """What tells how much of a step there is in another one."""
        weighted = self._weight * step
        size = float(weighted @ step)
        return weighted / size if size > 0.0 else 0.0 * weighted
