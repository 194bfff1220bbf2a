"""How long the steps of a motion are: all alike, or as long as a tolerance allows.

Here alone it is decided what the next step is: ``advance`` tries the one that its strides say, and
halves it where it is not found, or not good enough.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from flexura.model.motion import flow_kernels as kernels
from flexura.model.motion.momentum import masses
from flexura.result.motion import MotionStatus
from flexura.solve.motion.engine import Engine, Now
from flexura.solve.motion.integrators import GeneralizedAlpha, ImplicitEuler
from flexura.solve.motion.steps import InputsAt
from flexura.typing import Array

# Steps of one length are cut in halves so often at most; where contacts drove them, so often.
HALVINGS, CALMED = 12, 6
# No step of its own choice is longer than this part of the motion, so that nothing is missed that
# inputs do, nor shorter than that part.
LONGEST, SHORTEST = 0.02, 1e-10
# Steps are doubled when errors of twice as long ones would be below this part of the tolerance.
CALM = 0.5
# Steps of their own choice turn nothing by more than this [rad].
TURNED = 1.0
# Times nearer than this part of a step are the same.
SAME = 1e-9


class Strides(Protocol):
    """How long steps are.

    Attributes:
        step: length of all of them, or of the first one [s].
        h: length of the next step [s].
        stop: when it must be over [s].
        shortest: no step shorter than this is tried [s].
        calmed: one that contacts drove, or in which something went through what it may touch, is
            taken if it is no longer than this [s].
        over: whether the motion is at its end.
    """

    step: float
    h: float
    stop: float
    shortest: float
    calmed: float
    over: bool

    def accepts(self, before: Now, after: Now, h: float) -> bool:
        """Whether a step of length h [s] that was found is good enough."""

    def took(self, t: float) -> bool:
        """Take note that a step led to a time [s]; whether that one counts."""


def advance(engine: Engine, strides: Strides, inputs_at: InputsAt) -> MotionStatus:
    """Go on to the next time that counts; REACHED, or why that is not found.

    Args:
        engine: what moves; where a shorter step was found it stays there.
        strides: how long its steps are.
        inputs_at: inputs at any time [s].
    """
    begin, status = engine.now.t, MotionStatus.LOST
    engine.go_on(counts=True)
    while True:
        now = engine.now
        left = strides.stop - now.t
        ends = left <= strides.h * (1.0 + SAME)
        h = left if left < strides.h * (1.0 - SAME) else strides.h
        after = engine.look(h, strides.stop if ends else now.t + h, inputs_at)
        if isinstance(after, MotionStatus):
            engine.cut(begin)
            status = after if after.explained else status
        elif (after.driven or after.leapt) and h > strides.calmed:
            engine.cut(begin)
        elif strides.accepts(now, after, h):
            engine.now = after
            if strides.took(after.t):
                return MotionStatus.REACHED
            engine.go_on(counts=False)
            continue
        strides.h = 0.5 * h
        if strides.h < strides.shortest:
            return status


class EvenStrides:
    """Steps of one length; the last one may be shorter. Times between them do not count.

    Attributes:
        count: how many there are.
    """

    def __init__(self, t: float, duration: float, step: float) -> None:
        """Prepare.

        Args:
            t: when the motion begins [s].
            duration: of the motion [s].
            step: length of its steps [s].
        """
        self._begin, self._duration, self.step = t, duration, step
        self._taken, self.count = 0, int(np.ceil(duration / step * (1.0 - SAME)))
        self.over = False
        self._next(t)

    def _next(self, t: float) -> None:
        """Set out for the next time that counts."""
        end = self._begin + min((self._taken + 1) * self.step, self._duration)
        self.h = end - t
        self.stop, self.shortest = t + self.h, 2.0**-HALVINGS * self.h
        self.calmed = 2.0**-CALMED * (1.0 + SAME) * self.h

    def accepts(self, before: Now, after: Now, h: float) -> bool:
        """Always."""
        return True

    def took(self, t: float) -> bool:
        """Take note that a step led to a time [s]; whether that one counts."""
        if t != self.stop:
            return False
        self._taken += 1
        self.over = self._taken == self.count
        if not self.over:
            self._next(t)
        return True


class AdaptiveStrides:
    """Steps whose local error of positions stays below a tolerance.

    Positions are those of all mass, so that an error of rotation counts by the radius of gyration.
    They are doubled and halved, no more: integrators of several steps like them equal.
    """

    def __init__(
        self,
        engine: Engine,
        duration: float,
        integrator: GeneralizedAlpha | ImplicitEuler,
        tolerance: float,
        corners: Sequence[float] = (),
    ) -> None:
        """Prepare.

        Args:
            engine: where the motion begins, with its accelerations.
            duration: of the motion [s].
            integrator: of the engine.
            tolerance: root mean square of local errors, by mass [m].
            corners: times at which steps end, as inputs bend there [s].
        """
        self._integrator, self._tolerance = integrator, tolerance
        self._tracks, self._inertia = engine.tracks, masses(engine.tracks, engine.now.inputs)
        self._longest, self.shortest = LONGEST * duration, SHORTEST * duration
        self._error = 0.0  # of the step that was accepted last [m]
        self._end, self.over = engine.now.t + duration, False
        self._corners = np.array([*sorted(corners), np.inf])
        self.stop = self._next(engine.now.t)
        self.step = self.h = self._first(engine.now)
        self.calmed = 2.0**-CALMED * self._longest

    def _next(self, t: float) -> float:
        """The next corner of inputs after a time, or the end [s]."""
        corner = self._corners[np.searchsorted(self._corners, t + self.shortest)]
        return float(min(corner, self._end))

    def _first(self, now: Now) -> float:
        """A step in which nothing moves farther than the tolerance from rest."""
        acceleration = self._size(now.flow.rates[1])
        calm = np.sqrt(2.0 * self._tolerance / acceleration) if acceleration > 0.0 else np.inf
        return float(np.clip(calm, self.shortest, self._longest))

    def accepts(self, before: Now, after: Now, h: float) -> bool:
        """Whether the local error of a step of length h [s] is below the tolerance.

        And whether nothing turns so far that poses between its ends could not be told.
        """
        rates = (before.flow.rates, after.flow.rates)
        self._error = self._size(self._integrator.local_error(h, *rates))
        turned = h * kernels.squares(self._inertia, rates[0][0], rates[1][0])[2]
        return self._error <= self._tolerance and turned <= TURNED

    def took(self, t: float) -> bool:
        """Take note that a step led to a time [s]; every one counts."""
        self.over = t == self._end
        self.stop = self._next(t)
        doubled = 2.0 ** (self._integrator.order + 1) * self._error
        if not self.over and doubled <= CALM * self._tolerance:
            self.h = min(2.0 * self.h, self._longest)
        return True

    def _size(self, changes: Array) -> float:
        """Root mean square of the displacements of all mass, by changes of all tracks [m]."""
        tracks, frames = self._tracks, changes[: self._inertia.size].reshape(-1, 6)
        moving, total = tracks.moving, float(np.sum(self._inertia * frames**2))
        if moving.volumes:
            soft = changes[6 * tracks.n_frames :][tracks.particles].reshape(-1, 3)
            total += 2.0 * sum(x.kinetic(soft) for x in moving.volumes)
        return float(np.sqrt(total / moving.mass))
