"""The solution of the continuous equations at any arc length."""

import numpy as np

from flexura.solve.shooting.boundary_problem import Report
from flexura.solve.shooting.segment_law import new_pull, new_stages
from flexura.solve.shooting.serial import Chain
from flexura.solve.shooting.strong_form import sample
from flexura.typing import Array, Indices, Pose, Strain, Wrench


class Dense:
    """Poses, strains and stresses from the begins of all integration steps; a ``Solution``."""

    def __init__(self, chain: Chain, report: Report) -> None:
        law, strands, shot = report.loaded.law, report.strands, report.shot
        used = np.arange(shot.begin.shape[1]) < shot.n_steps[:, None]
        self._length, self._wrench_unit = chain.length, chain.wrench_unit
        known = np.full_like(strands.unknown, -1)  # no derivatives are asked for
        self._law, self._strands = law, strands._replace(unknown=known)
        self._segment = np.repeat(np.arange(len(shot.n_steps)), shot.n_steps)
        self._begin, self._pose, self._wrench = shot.begin[used], shot.pose[used], shot.wrench[used]
        ends = np.append(self._begin[1:], 0.0)
        last = np.cumsum(shot.n_steps) - 1
        ends[last] = law.end
        low = np.minimum(self._begin, ends)
        self._steps: dict[str, tuple[Indices, Array]] = {}
        for number, passage in enumerate(chain.passages):
            own = np.flatnonzero(chain.owner[self._segment] == number)
            own = own[np.argsort(low[own])]
            self._steps[passage.rod.name] = (own, low[own])

    def at(self, rod: str, s: Array) -> tuple[Pose, Strain, Wrench]:
        """Pose, strain and internal wrench Λ of a rod at arc lengths s [m], (n,)."""
        pose, strain, elastic, _ = self._sample(rod, s)
        return pose, strain, elastic

    def total_stress(self, rod: str, s: Array) -> Wrench:
        """Total stress Σ of a rod, with its tendons, at arc lengths s [m], (n,)."""
        return self._sample(rod, s)[3]

    def _sample(self, rod: str, s: Array) -> tuple[Pose, Strain, Wrench, Wrench]:
        """Pose, strain, elastic wrench and total stress of a rod at arc lengths s [m], (n,)."""
        own, low = self._steps[rod]
        s = s / self._length
        which = own[np.searchsorted(low[1:], s, side="right")]
        n = len(s)
        pose, (strain, elastic, stress) = np.zeros((n, 4, 4)), np.zeros((3, n, 6))
        sample(
            self._law, self._strands, self._segment, self._begin, self._pose, self._wrench,
            which, s, new_stages(), new_pull(len(self._strands.tension)), pose, strain, elastic,
            stress,
        )  # fmt: skip
        pose[:, :3, 3] *= self._length
        strain[:, :3] /= self._length
        return pose, strain, elastic * self._wrench_unit, stress * self._wrench_unit
