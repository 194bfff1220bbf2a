"""How long the steps of a motion are: all alike, or as long as a tolerance allows."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from flexura.model.motion.momentum import masses
from flexura.solve.motion.engine import Engine, Now
from flexura.solve.motion.integrators import GeneralizedAlpha, ImplicitEuler
from flexura.solve.motion.time_step import InputsAt
from flexura.typing import Array

# No step of its own choice is longer than this part of the motion, so that nothing is missed that
# inputs do, nor shorter than that part.
LONGEST, SHORTEST = 0.02, 1e-10
# Steps are doubled when errors of twice as long ones would be below this part of the tolerance.
CALM = 0.5


class Pace(Protocol):
    """How an engine gets to the end of a motion.

    Attributes:
        h: length of the next step [s].
        over: whether it is there.
    """

    h: float
    over: bool

    def advance(self, inputs_at: InputsAt) -> bool:
        """Go on by a step; whether that succeeded."""


class EvenPace:
    """Steps of one length; the last one may be shorter."""

    def __init__(self, engine: Engine, duration: float, h: float) -> None:
        self._engine, self._begin, self._duration = engine, engine.now.t, duration
        self._taken, self._steps = 0, int(np.ceil(duration / h * (1.0 - 1e-9)))
        self.h, self.over = h, False

    def advance(self, inputs_at: InputsAt) -> bool:
        """Go on by a step; whether that succeeded."""
        self._taken += 1
        self.over = self._taken == self._steps
        end = self._begin + min(self._taken * self.h, self._duration)
        return self._engine.advance(end - self._engine.now.t, inputs_at)


class AdaptivePace:
    """Steps whose local error of positions stays below a tolerance.

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
        self._engine, self._integrator, self._tolerance = engine, integrator, tolerance
        self._end = engine.now.t + duration
        self._corners = np.array([*sorted(corners), np.inf])
        self._longest, self._shortest = LONGEST * duration, SHORTEST * duration
        self._mass = masses(engine.tracks)[:, 3]
        self.h, self.over = self._first(), False

    def _first(self) -> float:
        """A step in which nothing moves farther than the tolerance from rest."""
        acceleration = self._size(self._engine.now.flow.rates[1])
        calm = np.sqrt(2.0 * self._tolerance / acceleration) if acceleration > 0.0 else np.inf
        return float(np.clip(calm, self._shortest, self._longest))

    def advance(self, inputs_at: InputsAt) -> bool:
        """Go on by a step; whether that succeeded."""
        engine, left = self._engine, self._end - self._engine.now.t
        engine.coarse = False
        while True:
            self.over = left <= self.h * (1.0 + 1e-9)
            h = self._until_corner(left if self.over else self.h)
            self.over &= h == left
            after = engine.look(h, inputs_at)
            error = np.inf if after is None else self._error(engine.now, after, h)
            if after is not None and error <= self._tolerance:
                break
            if after is None:
                engine.cuts.append(engine.now.t)
            self.h = 0.5 * h
            if self.h < self._shortest:
                self.over = False
                return False
        engine.now = after
        doubled = 2.0 ** (self._integrator.order + 1) * error
        if not self.over and doubled <= CALM * self._tolerance:
            self.h = min(2.0 * self.h, self._longest)
        return True

    def _until_corner(self, h: float) -> float:
        """A step that does not lead beyond the next corner of inputs [s]."""
        t, least = self._engine.now.t, self._shortest
        ahead = float(self._corners[np.searchsorted(self._corners, t + least)]) - t
        return min(h, ahead)

    def _error(self, before: Now, after: Now, h: float) -> float:
        """Local error of a step [m]."""
        rates = (before.flow.rates, after.flow.rates)
        return self._size(self._integrator.local_error(h, *rates))

    def _size(self, changes: Array) -> float:
        """Root mean square of the translations of masses among changes of all tracks."""
        n = len(self._mass)
        squares = np.sum(changes[: 6 * n].reshape(n, 6)[:, 3:] ** 2, axis=1)
        return float(np.sqrt(self._mass @ squares / self._mass.sum()))
