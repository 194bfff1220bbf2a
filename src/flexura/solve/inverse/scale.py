"""What is a large change of inputs and of tensions: steps are relative to that."""

from typing import NamedTuple

import numpy as np

from flexura.solve.inverse.limits import Choice
from flexura.solve.inverse.place import Place
from flexura.solve.inverse.programme import Rows
from flexura.typing import Array, Matrix

# The scale of inputs that do little is no more than this many times the smallest.
WEAK = 1e2


class Scale(NamedTuple):
    """Sizes of changes.

    Attributes:
        change: of each number that is chosen: its range, or what moves the frames as far as the
            robot is long, (n,).
        tension: of each tension that has limits: what such changes make of it, (k,).
    """

    change: Array
    tension: Array

    @classmethod
    def at(cls, choice: Choice, place: Place) -> "Scale":
        """At a place of a search."""
        change = _sizes(choice, place)
        steep = np.abs(place.tensions.matrix * change).max(axis=1, initial=0.0)
        return cls(change, np.where(steep > 0.0, steep, 1.0))

    def rows(self, place: Place) -> Rows:
        """Limits of tensions for changes relative to the scale, and of tensions that do nothing."""
        rows, idle = self.relative(place.tensions), place.idle
        if idle is None:
            return rows
        unmet = idle.unmet * self.change
        unmet = unmet / np.maximum(np.abs(unmet).max(axis=1, keepdims=True), 1e-300)
        stress = idle.stress * (self.tension.max() / self.tension[:, None])
        d, none = len(unmet), np.zeros(len(unmet))
        return Rows(
            np.block([[rows.matrix, stress], [unmet, np.zeros((d, d))]]),
            np.concatenate([rows.low, none]),
            np.concatenate([rows.high, none]),
        )

    def relative(self, tensions: Rows) -> Rows:
        """Rows of tensions for changes relative to the scale."""
        matrix = tensions.matrix
        if matrix.size:
            matrix = matrix * self.change / self.tension[:, None]
        return Rows(matrix, tensions.low / self.tension, tensions.high / self.tension)


def _sizes(choice: Choice, place: Place) -> Array:
    """What is a large change of each number.

    Its range, or what moves frames by the length, or else what changes forces as much as they are.
    """
    moving = _whole(place.result.model.length, place.slope)
    if not np.isfinite(moving).any():
        moving = _whole(place.force, place.tensions.matrix)
    found: Array = np.minimum(np.minimum(choice.most - choice.least, moving), choice.large)
    known = np.isfinite(found) & (found > 0.0)
    found[~known] = 1.0
    return np.asarray(np.minimum(found, WEAK * found[known].min(initial=np.inf)))


def _whole(size: float, slope: Matrix) -> Array:
    """What changes of each number come to a size, by slopes of all that they change, (n,)."""
    steep = np.linalg.norm(slope, axis=0)
    return np.asarray(np.divide(size, steep, out=np.full(len(steep), np.inf), where=steep > 0.0))
