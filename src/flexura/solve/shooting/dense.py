"""The solution of the continuous equations at any arc length."""

import numpy as np

from flexura.solve.shooting.kernels import Shot
from flexura.solve.shooting.serial import Chain
from flexura.solve.shooting.strong_form import Law, new_stages, sample
from flexura.typing import Array, Indices, Pose, Strain, Wrench


class Dense:
    """Poses, strains and wrenches from the begins of all integration steps; a ``Solution``."""

    def __init__(self, chain: Chain, law: Law, shot: Shot) -> None:
        used = np.arange(shot.begin.shape[1]) < shot.n_steps[:, None]
        self._length, self._wrench_unit, self._law = chain.length, chain.wrench_unit, law
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
        """Pose, strain and internal wrench of a rod at arc lengths s [m], (n,)."""
        own, low = self._steps[rod]
        s = s / self._length
        which = own[np.searchsorted(low[1:], s, side="right")]
        n = len(s)
        pose, strain, wrench = np.zeros((n, 4, 4)), np.zeros((n, 6)), np.zeros((n, 6))
        sample(
            self._law, self._segment, self._begin, self._pose, self._wrench, which, s,
            new_stages(), pose, strain, wrench,
        )  # fmt: skip
        pose[:, :3, 3] *= self._length
        strain[:, :3] /= self._length
        return pose, strain, wrench * self._wrench_unit
