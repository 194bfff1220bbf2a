"""A motion: instants in their order."""

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from flexura.errors import ModelError, NotConverged
from flexura.model.assemble import Assembly
from flexura.result.between import instant_between
from flexura.result.instant import Instant, body_twist
from flexura.result.sequence import ResultSequence
from flexura.result.table import Column
from flexura.robot import FrameLike
from flexura.robot.check import finite
from flexura.shown import Facts
from flexura.text import counted
from flexura.typing import Array, ArrayLike, Indices, Twist, frozen


class MotionStatus(Enum):
    """A sentence for every way a motion can end."""

    REACHED = "reached: the robot was followed for the whole duration"
    STOPPED = "stopped: the condition until= was met"
    LOST = (
        "failed: a step in time was not found however short; the motion may be too fast for its "
        "step, or the robot cannot move on as its inputs say"
    )
    COARSE = (
        "failed: an element of a rod turns by more than its description can tell; use more spans "
        "or elements"
    )
    PART = "cut: a part of a motion that went on beyond its last instant"

    @property
    def converged(self) -> bool:
        """Whether the motion went as it should."""
        return self in (MotionStatus.REACHED, MotionStatus.STOPPED)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class Motion(ResultSequence):
    """Instants of a motion; queries stack along the time.

    Attributes:
        results: the instants.
        status: how it ended; print it.
        step: length of its steps [s]; of the first one where they adapt.
        cuts: times of steps that were cut into shorter ones, since they did not converge [s].
    """

    results: tuple[Instant, ...]
    status: MotionStatus
    step: float
    cuts: tuple[float, ...] = ()

    @property
    def converged(self) -> bool:  # type: ignore[override]
        """Whether it was followed to its end."""
        return self.status.converged

    def unwrap(self) -> "Motion":
        """This motion, if it was followed to its end.

        Raises:
            NotConverged: with the status, if it was not.
        """
        if not self.converged:
            raise NotConverged(
                f"motion of {self.model.name!r}: {self.status} (at t = {self.t[-1]:.6g} s, "
                f"{counted(len(self), 'instant')})"
            )
        return self

    @cached_property
    def t(self) -> Array:
        """Times [s], (n,)."""
        return frozen(np.array([instant.t for instant in self.results]))

    @property
    def kinetic(self) -> Array:
        """Kinetic energy [J], (n,)."""
        return np.array([instant.kinetic for instant in self.results])

    @property
    def elastic(self) -> Array:
        """Elastic energy [J], (n,)."""
        return np.array([instant.elastic for instant in self.results])

    @property
    def potential(self) -> Array:  # type: ignore[override]
        """Elastic energy, and the potential of all loads that have one [J], (n,)."""
        return np.array([instant.potential for instant in self.results])

    @property
    def energy(self) -> Array:
        """Kinetic energy and potential [J], (n,)."""
        return np.array([instant.energy for instant in self.results])

    @property
    def dissipated(self) -> Array:
        """What viscosity has taken away since the beginning [J], (n,)."""
        return np.array([instant.dissipated for instant in self.results])

    @property
    def momentum(self) -> Array:
        """Angular momentum about the world's origin, and momentum, in world axes, (n, 6)."""
        return np.array([instant.momentum for instant in self.results])

    def velocity(self, frame: FrameLike, s: ArrayLike | None = None) -> Twist:
        """Velocities of a frame, or of a rod at arc lengths, as body twists, (n, ..., 6)."""
        if not self.results:
            return np.empty((0, 6))
        assembly, ends, times = Assembly(self.model), [], []
        for instant in self.results:
            before, after, between = instant.neighbours(assembly)
            ends.append((before.pose(frame, s), after.pose(frame, s)))
            times.append(between)
        before, after = np.moveaxis(np.array(ends), 1, 0)
        return body_twist(before, after, np.reshape(times, (-1, *[1] * (before.ndim - 2))))

    def at(self, t: float) -> Instant:
        """The instant at a time between the first one and the last one [s].

        Between two of the motion, everything follows a cubic with their places and velocities.
        """
        times, t = self.t, finite("Motion.at", "t", t)
        if not times[0] <= t <= times[-1]:
            raise ModelError(
                f"the motion is known from {times[0]:g} s to {times[-1]:g} s, got t = {t:g} s"
            )
        i = int(np.searchsorted(times, t))
        if times[i] == t:
            return self.results[i]
        return instant_between(self.results[i - 1], self.results[i], t)

    def table(self) -> dict[str, Column]:
        """What there is to know of each instant in columns, as of many results.

        The first are ``t`` [s], ``kinetic``, ``potential`` and ``dissipated`` [J].
        """
        own = {"t": self.t, "kinetic": self.kinetic, "potential": self.potential}
        rest = super().table()
        return {**own, "dissipated": self.dissipated, **rest} if self.results else {}

    def _some(self, chosen: Indices) -> "Motion":
        """Some instants, in their order."""
        if not (np.diff(chosen) > 0).all():
            raise ModelError(
                "the instants of a motion are chosen in their order, each once, got "
                f"{chosen.tolist()}; a list of its instants may have any order"
            )
        ended = len(chosen) > 0 and chosen[-1] == len(self) - 1
        return replace(
            self,
            results=tuple(self.results[i] for i in chosen.tolist()),
            status=self.status if ended else MotionStatus.PART,
        )

    def _facts(self) -> Facts:
        if not self.results:
            return Facts(f"Motion without instants: {self.status}", [])
        t = self.t
        rows = [
            ("time", f"{t[0]:.6g} to {t[-1]:.6g} s, {counted(len(self), 'instant')}"),
            ("steps", f"{self.step:.4g} s, {counted(int(self.iterations.sum()), 'iteration')}"),
        ]
        if self.cuts:
            where = f"{counted(len(self.cuts), 'step')} into shorter ones"
            rows.append(("cut", f"{where}, the first at t = {self.cuts[0]:.6g} s"))
        last = self.results[-1]
        rows.append(("energy", f"{self.results[0].energy:.6g} J, then {last.energy:.6g} J"))
        if last.dissipated:
            rows.append(("dissipated", f"{last.dissipated:.6g} J"))
        return Facts(f"Motion of {self.model.name!r}: {self.status}", rows)
