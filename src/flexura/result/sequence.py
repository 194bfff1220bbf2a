"""Several static results of one model, asked together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import FrameLike
from flexura.typing import Array, ArrayLike, Indices, Pose, Strain, Wrench
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class ResultSequence(Value):
    """Results in their order; all queries stack along the first axis.

    Attributes:
        results: the i-th is ``many[i]``.
    """

    results: tuple[StaticResult, ...]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> StaticResult:
        return self.results[index]

    def __iter__(self) -> Iterator[StaticResult]:
        return iter(self.results)

    @property
    def stable(self) -> tuple[bool | None, ...]:
        """Whether each is stable, None where it cannot be told."""
        return tuple(result.stable for result in self.results)

    @property
    def iterations(self) -> Indices:
        """Newton iterations of each, (n,)."""
        return np.array([result.iterations for result in self.results], dtype=np.int64)

    @property
    def load_steps(self) -> Indices:
        """Load steps of each, (n,)."""
        return np.array([result.load_steps for result in self.results], dtype=np.int64)

    @property
    def energy(self) -> Array:
        """Elastic energy of each [J], (n,)."""
        return np.array([result.energy for result in self.results])

    @property
    def accuracy(self) -> Array:
        """Estimate of the largest position error of each [m], (n,)."""
        return np.array([result.accuracy for result in self.results])

    def pose(self, frame: FrameLike, s: ArrayLike | None = None) -> Pose:
        """Poses of a frame, or of a rod at arc lengths, (n, ..., 4, 4)."""
        return np.array([result.pose(frame, s) for result in self.results])

    def strain(self, rod: str, s: ArrayLike) -> Strain:
        """Strains of a rod at arc lengths s [m], (n, ..., 6)."""
        return np.array([result.strain(rod, s) for result in self.results])

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrenches that a rod carries at arc lengths s [m], (n, ..., 6)."""
        return np.array([result.internal_wrench(rod, s) for result in self.results])

    def tension(self, tendon: str) -> Array:
        """Tensions of a tendon [N], (n,)."""
        return np.array([result.tension(tendon) for result in self.results])

    def tendon_length(self, tendon: str) -> Array:
        """Lengths of a tendon [m], (n,)."""
        return np.array([result.tendon_length(tendon) for result in self.results])
