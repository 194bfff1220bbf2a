"""Limits of the tensions of tendons that are driven by their length."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.model import Model
from flexura.result.static import StaticResult
from flexura.solve.derivative.response import Directions
from flexura.solve.inverse.programme import Rows
from flexura.typing import Array, ArrayLike, Indices, Matrix, real_numbers

SUFFIX = ".tension"
# Tensions this close to a limit, relative to its size, are there.
TOUCHING = 1e-6


@dataclass(frozen=True, eq=False)
class Tensions:
    """Limits of tensions.

    Attributes:
        tendons: which, (k,), in the order of the model.
        rows: of their multipliers among all, (k,).
        labels: how each is called.
        least, most: [N], (k,).
    """

    tendons: Indices
    rows: Indices
    labels: tuple[str, ...]
    least: Array
    most: Array

    def room(self, result: StaticResult) -> Rows:
        """How much they may fall and rise, relative to the size of their limits; no slopes."""
        now = result.tensions[self.tendons]
        low, high = (self.least - now) / self._size, (self.most - now) / self._size
        return Rows(np.zeros((len(now), 0)), low, high)

    def slope(self, directions: Directions) -> Matrix:
        """How they change along directions, relative to the size of their limits, (k, m)."""
        return np.asarray(directions.multipliers[self.rows] / self._size[:, None])

    def active(self, result: StaticResult) -> dict[str, str]:
        """Limits that hold, and which of the two."""
        room, found = self.room(result), {}
        for label, low, high in zip(self.labels, room.low, room.high, strict=True):
            if low > -TOUCHING:
                found[label] = "lower"
            elif high < TOUCHING:
                found[label] = "upper"
        return found

    @property
    def _size(self) -> Array:
        pair = np.abs([self.least, self.most])
        size = np.where(np.isfinite(pair), pair, 0.0).max(axis=0, initial=0.0)
        return np.where(size > 0.0, size, 1.0)


def read_tensions(model: Model, bounds: Mapping[str, ArrayLike]) -> Tensions:
    """Limits that are given as those of "left.tension".

    Raises:
        ModelError: for a tension that is an input, for limits that cross.
    """
    names, tendons, places = model.tendons.names, model.tendons, list(model.inputs.multipliers)
    found: list[tuple[int, int, str, float, float]] = []
    for name, given in bounds.items():
        tendon = name.removesuffix(SUFFIX)
        if not (name.endswith(SUFFIX) and tendon in names):
            continue
        i = names.index(tendon)
        if not tendons.by_length[i]:
            raise ModelError(f"{tendon!r} is driven by its tension: give bounds of {tendon!r}")
        try:
            least, most = (float(real_numbers(x)) for x in given)  # type: ignore[union-attr]
        except (TypeError, ValueError):
            least = most = np.nan
        if not least <= most or most < 0.0:
            raise ModelError(
                f"bounds of {name!r} must be two numbers, least and most tension [N], the most not "
                f"negative; got {show(given)}"
            )
        found.append((i, places.index(tendons.source[i]), name, least, most))
    columns = list(zip(*found, strict=True)) or [(), (), (), (), ()]
    return Tensions(
        np.array(columns[0], dtype=np.int64),
        np.array(columns[1], dtype=np.int64),
        tuple(columns[2]),
        np.array(columns[3], dtype=np.float64),
        np.array(columns[4], dtype=np.float64),
    )
