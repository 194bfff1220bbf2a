"""Rods one after the other, seen as one: what first guesses need to know of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.robot import Rod
from flexura.robot.elastic import Elastic
from flexura.rods.shape import Shape
from flexura.typing import Array, ArrayLike, Indices, Matrix, Pose, Strain, Wrench, frozen

# Sections of a rod that runs backwards, in those of the rods before it.
BACKWARDS = frozen(np.diag([-1.0, -1.0, 1.0]))


class Run(NamedTuple):
    """A rod on the way along several.

    Attributes:
        rod: the rod.
        begin: arc length of all where it is entered [m].
        axes: its sections in those of all, (3, 3); the first axis tells whether it runs backwards.
    """

    rod: Rod
    begin: float
    axes: Matrix

    @property
    def sense(self) -> float:
        """1, or -1 if it runs backwards."""
        return float(np.sign(self.axes[0, 0]))

    def along(self, s: Array) -> Array:
        """Arc lengths of all at those of the rod [m]."""
        return np.asarray(self.begin + (s if self.sense > 0.0 else self.rod.length - s))

    def own(self, s: Array) -> Array:
        """Arc lengths of the rod at those of all [m]; beyond its ends, those of the ends."""
        s = np.clip(s - self.begin, 0.0, self.rod.length)
        return np.asarray(s if self.sense > 0.0 else self.rod.length - s)


@dataclass(frozen=True)
class Joined:
    """Rods that follow each other, as one; an ``Elastic``.

    Attributes:
        runs: the rods, in their order.
    """

    runs: tuple[Run, ...]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Elastic:
        """One for all rods; the only one itself if it is."""
        first = runs[0]
        if len(runs) == 1 and np.array_equal(first.axes, np.eye(3)):
            return first.rod
        return cls(tuple(runs))

    @property
    def length(self) -> float:
        """Arc length of all of them [m]."""
        last = self.runs[-1]
        return last.begin + last.rod.length

    def stiffness(self, s: ArrayLike) -> Array:
        """Diagonal of the stiffness at arc lengths s [m], in axes of all, (..., 6)."""
        lengths = np.asarray(s, dtype=float)
        found = np.empty((lengths.size, 6))
        for run, points in _by_run(self.runs, lengths.ravel()):
            own = run.rod.stiffness(run.own(lengths.ravel()[points])).reshape(-1, 2, 3)
            found[points] = (own @ (run.axes**2).T).reshape(-1, 6)
        return found.reshape(*lengths.shape, 6)

    def rest_strain(self, s: ArrayLike) -> Strain:
        """Strain without load at arc lengths s [m], in axes of all, (..., 6)."""
        lengths = np.asarray(s, dtype=float)
        found = np.empty((lengths.size, 6))
        for run, points in _by_run(self.runs, lengths.ravel()):
            own = run.rod.rest_strain(run.own(lengths.ravel()[points])).reshape(-1, 2, 3)
            found[points] = (run.sense * own @ run.axes.T).reshape(-1, 6)
        return found.reshape(*lengths.shape, 6)


def _by_run(runs: Sequence[Run], s: Array) -> list[tuple[Run, Indices]]:
    """The runs that arc lengths are on, each with which of them are."""
    number = np.searchsorted([run.begin for run in runs[1:]], s, side="right")
    return [(runs[i], np.flatnonzero(number == i)) for i in np.unique(number).tolist()]


@dataclass(frozen=True, eq=False)
class Portion(Shape):
    """The shape of one of several rods that lie along a shape, from its own base on.

    Attributes:
        whole: the shape that all lie along.
        run: the rod.
        hangs: whether it is that of a cord.
    """

    whole: Shape
    run: Run
    hangs: bool = False

    def poses(self, s: Array) -> Pose:
        """Poses at arc lengths s [m]."""
        return np.asarray(se3.inverse(self.placed(np.zeros(1))[0]) @ self.placed(s))

    def strain(self, s: Array) -> Strain:
        """Strain at arc lengths s [m]."""
        return self._seen(self.whole.strain(self.run.along(s)))

    def wrench(self, s: Array) -> Wrench:
        """Moment [N·m] and tension [N] at arc lengths s [m], of one that hangs."""
        return self._seen(self.whole.wrench(self.run.along(s)))

    def placed(self, s: Array) -> Pose:
        """Poses at arc lengths s [m], from where the whole begins."""
        found = self.whole.poses(self.run.along(s))
        found[:, :3, :3] = found[:, :3, :3] @ self.run.axes
        return found

    def _seen(self, found: Array) -> Array:
        """Strains, or wrenches, in axes of the rod, (n, 6)."""
        seen = self.run.sense * found.reshape(-1, 2, 3) @ self.run.axes
        return np.asarray(seen.reshape(-1, 6))
