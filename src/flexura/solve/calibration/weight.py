"""How much each measured number weighs: one over its standard deviation."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.robot.observation import Observation
from flexura.typing import Array

# What equilibria are rounded to, relative to the sizes of what is measured.
ROUNDING = 1e-10


class Weights:
    """Standard deviations of all numbers that were measured.

    Where none are given, they are in proportion to the length of the longest rod, 1 rad and the
    largest tension that was measured.

    Attributes:
        given: whether standard deviations are given.
        count: how many numbers were measured.
        rounding: what all weighted residuals together are rounded to.
    """

    def __init__(self, observations: Sequence[Observation], model: Model) -> None:
        """Of observations.

        Raises:
            ModelError: if some have standard deviations and others have none.
        """
        lacking = [i for i, seen in enumerate(observations) if seen.sigma is None]
        self.given = not lacking
        if lacking and len(lacking) < len(observations):
            raise ModelError(
                f"calibrate: observation {lacking[0]} has no sigma and others have; give it to all "
                "of them or to none"
            )
        tensions = [abs(x) for seen in observations for x in seen.tensions.values()]
        largest = max(tensions, default=0.0) or 1.0
        length = model.length
        sizes = {"position": length, "rotation": 1.0, "length": length, "tension": largest}
        self._sigma = [_numbers(seen, seen.deviations or sizes) for seen in observations]
        self._kept = [np.isfinite(sigma) for sigma in self._sigma]
        self.count = sum(int(kept.sum()) for kept in self._kept)
        parts = [_numbers(seen, sizes) for seen in observations]
        all_sizes, all_sigma = np.concatenate(parts), np.concatenate(self._sigma)
        self.rounding = ROUNDING * float(np.sqrt(np.nansum((all_sizes / all_sigma) ** 2)))

    def of(self, i: int, values: Array) -> Array:
        """Numbers of an observation, or rows of them, weighted; without what was not measured."""
        kept = self._kept[i]
        return np.asarray((values[kept].T / self._sigma[i][kept]).T)

    def size(self, i: int) -> int:
        """How many numbers an observation has, also those that were not measured."""
        return len(self._sigma[i])


def _numbers(observation: Observation, of_kind: Mapping[str, float]) -> Array:
    """A number for each that was measured, by its kind; NaN for those that were not."""
    return np.concatenate(
        [np.where(np.isnan(x.numbers), np.nan, of_kind[x.kind]) for x in observation.measured]
    )
