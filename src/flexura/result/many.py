"""The results of many static solves of one model."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import NotConverged
from flexura.result.sequence import ResultSequence
from flexura.result.status import Status


@dataclass(frozen=True, eq=False)
class StaticResults(ResultSequence):
    """Results in the order of the inputs."""

    @property
    def status(self) -> tuple[Status, ...]:
        """How each solve ended."""
        return tuple(result.status for result in self.results)

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Whether each is an equilibrium, (n,)."""
        return np.array([result.converged for result in self.results], dtype=np.bool_)

    def unwrap(self) -> "StaticResults":
        """These results, if all converged.

        Raises:
            NotConverged: with the first status that failed, and how many did.
        """
        failed = np.flatnonzero(~self.converged)
        if len(failed):
            first = int(failed[0])
            raise NotConverged(
                f"{len(failed)} of {len(self)} solves did not converge, the first is number "
                f"{first}: {self.results[first].status}"
            )
        return self

    def __str__(self) -> str:
        good = int(self.converged.sum())
        name = self.results[0].model.name if self.results else "no robot"
        return f"{name}: {good} of {len(self)} solves converged"
