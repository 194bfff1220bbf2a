"""The results of many static solves of one model."""

from dataclasses import dataclass

import numpy as np

from flexura.errors import NotConverged
from flexura.result.sequence import ResultSequence
from flexura.result.status import Status
from flexura.robot.check import flag
from flexura.shown import Facts


@dataclass(frozen=True, eq=False, repr=False)
class StaticResults(ResultSequence):
    """Results in the order of the inputs."""

    @property
    def status(self) -> tuple[Status, ...]:
        """How each solve ended."""
        return tuple(result.status for result in self.results)

    def unwrap(self, unstable: bool = False) -> "StaticResults":
        """These results, if all converged.

        Args:
            unstable: whether equilibria will do that are unstable.

        Raises:
            NotConverged: with the first status that failed, and how many did.
        """
        flag("unwrap", "unstable", unstable)
        good = [s.equilibrium if unstable else s.converged for s in self.status]
        failed = np.flatnonzero(np.logical_not(good))
        if len(failed):
            first = int(failed[0])
            raise NotConverged(
                f"{len(failed)} of {len(self)} solves did not converge, the first is number "
                f"{first}: {self.results[first].status}"
            )
        return self

    def _facts(self) -> Facts:
        good = int(self.converged.sum())
        name = repr(self.model.name) if self.results else "no robot"
        rows = [("stable", f"{self.stable.count(True)} of {len(self)}")] if self.results else []
        failed = np.flatnonzero(~self.converged)
        if len(failed):
            first = int(failed[0])
            rows.append(("failed", f"the first is number {first}: {self.results[first].status}"))
        noted = [i for i, remarks in enumerate(self.remarks) if remarks]
        if noted:
            remark = self.results[noted[0]].remarks[0]
            rows.append(("notes", f"on {len(noted)}, the first is number {noted[0]}: {remark}"))
        return Facts(f"StaticResults of {name}: {good} of {len(self)} solves converged", rows)
