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
from flexura.robot import AnyFrame
from flexura.robot.check import finite
from flexura.shown import Facts
from flexura.text import counted
from flexura.typing import Array, ArrayLike, Indices, Twist, frozen

ENERGIES = ("kinetic", "elastic", "gravity", "dissipated", "work")
PICTURED = 5  # instants in the picture that a notebook shows


class MotionStatus(Enum):
    """A sentence for every way a motion can end."""

    REACHED = "reached: the robot was followed for the whole duration"
    STOPPED = "stopped: the condition until= was met"
    LOST = (
        "failed: a step in time was not found however short; the motion may be too fast for its "
        "step, or the robot cannot move on as its inputs say"
    )
    COARSE = (
        "failed: an element of a rod turns by more than its description can tell, or bends by "
        "itself under its tension; use more spans or elements"
    )
    UNSOLVED = (
        "failed: contact and friction of a step were not solved to their tolerance, however "
        "short it was; what touches may be pushed where it cannot give way, or leave out contacts "
        "that hold the same twice, or take less friction"
    )
    UNTHREADED = (
        "failed: a rod moves out of a point of a volume that it is threaded through, and would no "
        "longer pass it; the motion's remarks name the point: move the rod less, make it longer, "
        "or leave the point out"
    )
    PART = "cut: a part of a motion that went on beyond its last instant"

    @property
    def converged(self) -> bool:
        """Whether the motion went as it should."""
        return self in (MotionStatus.REACHED, MotionStatus.STOPPED)

    @property
    def explained(self) -> bool:
        """Whether it tells more than that a step was not found."""
        return self in (MotionStatus.COARSE, MotionStatus.UNSOLVED, MotionStatus.UNTHREADED)

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
        remarks: what else to know, for example that steps are too long for what moves.
    """

    results: tuple[Instant, ...]
    status: MotionStatus
    step: float
    cuts: tuple[float, ...] = ()
    remarks: tuple[str, ...] = ()  # type: ignore[assignment]

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
                f"{counted(len(self), 'instant')})" + "".join(f"; {x}" for x in self.remarks)
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
        """What strains store, in rods, elastic tendons and springs [J], (n,)."""
        return np.array([instant.elastic for instant in self.results])

    @property
    def gravity(self) -> Array:
        """Potential of weights, zero at the world's origin [J], (n,)."""
        return np.array([instant.gravity for instant in self.results])

    @property
    def energy(self) -> Array:
        """What the robot has: kinetic and elastic energy, and that of gravity [J], (n,)."""
        return np.array([instant.energy for instant in self.results])

    @property
    def dissipated(self) -> Array:
        """What viscosity has taken away since the beginning [J], (n,)."""
        return np.array([instant.dissipated for instant in self.results])

    @property
    def work(self) -> Array:
        """What tendons, loads, and what inputs move have done since the beginning [J], (n,)."""
        return np.array([instant.work for instant in self.results])

    @property
    def balance(self) -> Array:
        """Energy and what was dissipated, less work [J], (n,): constant but for errors of steps.

        What impacts and friction of contacts take has no entry; it is missing here.
        """
        return np.array([instant.balance for instant in self.results])

    @property
    def momentum(self) -> Array:
        """Angular momentum about the world's origin, and momentum, in world axes, (n, 6)."""
        return np.array([instant.momentum for instant in self.results])

    def velocity(self, frame: AnyFrame, s: ArrayLike | None = None) -> Twist:
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
        if not len(times):
            raise ModelError(f"this motion has no instants, so none at t = {t:g} s")
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

        The first are ``t`` [s], then ``kinetic``, ``elastic``, ``gravity``, ``dissipated`` and
        ``work`` [J]; ``energy`` is the sum of the first three of these.
        """
        if not self.results:
            return {}
        return {"t": self.t, **{name: getattr(self, name) for name in ENERGIES}, **super().table()}

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

    def _picture(self) -> list[Instant] | None:
        """A few instants, from the first to the last."""
        chosen = np.unique(np.linspace(0, len(self) - 1, PICTURED).astype(int)) if len(self) else ()
        return [self.results[i] for i in chosen] or None

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
        for name in ("dissipated", "work"):
            if getattr(last, name):
                rows.append((name, f"{getattr(last, name):.6g} J"))
        off = float(np.ptp(self.balance))
        rows.append(("balance", f"energy + dissipated - work stays within {off:.2g} J"))
        rows += [("note", remark) for remark in self.remarks]
        return Facts(f"Motion of {self.model.name!r}: {self.status}", rows)
