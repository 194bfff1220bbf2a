"""Limits of the tensions of tendons that are driven by their length: none pushes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from flexura.errors import ModelError, show
from flexura.model.model import Model
from flexura.solve.inverse.band import Band
from flexura.solve.inverse.programme import Rows
from flexura.typing import Array, ArrayLike, Indices, Matrix, real_numbers

SUFFIX = ".tension"


@dataclass(frozen=True, eq=False)
class Tensions:
    """Limits of tensions.

    Attributes:
        places: of these tensions among all given values, (k,).
        rows: of their multipliers among all, (k,).
        pulled: rows of those that are used, or that shall not hang, (u,).
        band: their limits.
    """

    places: Indices
    rows: Indices
    pulled: Indices
    band: Band

    def room(self, values: Array, slope: Matrix | None = None) -> Rows:
        """How much they may fall and rise [N], and how they change along directions.

        Args:
            values: of all inputs and multipliers, (n_values,).
            slope: of all multipliers along directions, (n_rows, m).
        """
        now = values[self.places]
        matrix = np.zeros((len(now), 0)) if slope is None else slope[self.rows]
        return Rows(matrix, self.band.least - now, self.band.most - now)

    def active(self, values: Array) -> dict[str, str]:
        """Limits that hold or are broken, and which, with given values of all inputs."""
        return self.band.active(values[self.places])

    def remarks(self, values: Array) -> tuple[str, ...]:
        """How far tensions are off their limits, with given values of all inputs."""
        now, labels = values[self.places], self.band.labels
        return tuple(
            f"{labels[i]} is {now[i]:.4g} N, {off:.4g} N {side} {limit:.4g} N"
            for i, side, limit, off in self.band.off(now)
        )

    def broken(self, values: Array) -> float:
        """By how much limits are broken in all [N], with given values of all inputs; 0 if kept."""
        return self.band.broken(values[self.places])


def is_tension(model: Model, name: object) -> bool:
    """Whether a name is that of the tension of a tendon, such as "left.tension"."""
    return isinstance(name, str) and name in [f"{x}{SUFFIX}" for x in model.tendons.names]


def read_tensions(
    model: Model, bounds: Mapping[str, ArrayLike], using: Collection[str]
) -> Tensions:
    """Limits of tensions of all tendons that are driven by their length.

    Where none are given, those that are used only pull; others may as well hang.

    Args:
        model: the robot.
        bounds: limits that are given, by names such as "left.tension".
        using: names of the inputs that are used.

    Raises:
        ModelError: for a tension that is an input, for limits that cross.
    """
    tendons = model.tendons
    for tendon, long in zip(tendons.names, tendons.by_length, strict=True):
        if not long and f"{tendon}{SUFFIX}" in bounds:
            raise ModelError(f"{tendon!r} is driven by its tension: give bounds of {tendon!r}")
    which = np.flatnonzero(tendons.by_length)
    names = [f"{tendons.names[i]}{SUFFIX}" for i in which]
    limits = [_limits(name, bounds.get(name, (0.0, inf))) for name in names]
    rows = np.array([tendons.row(i, model.inputs) for i in which.tolist()], dtype=np.int64)
    used = [tendons.names[i] in using for i in which]
    pulled = np.array([a or least > 0.0 for a, (least, _) in zip(used, limits, strict=True)], bool)
    ends = np.array(limits, dtype=np.float64).reshape(-1, 2)
    return Tensions(
        tendons.source[which],
        rows,
        rows[pulled],
        Band(tuple(names), ends[:, 0], ends[:, 1], model.limp_force),
    )


def _limits(name: str, given: ArrayLike) -> tuple[float, float]:
    """Least and largest tension."""
    try:
        low, high = given  # type: ignore[misc, str-unpack]
        least = 0.0 if low is None else float(real_numbers(low))
        most = inf if high is None else float(real_numbers(high))
    except (TypeError, ValueError):
        least = most = np.nan
    if not least <= most or most < 0.0:
        raise ModelError(
            f"bounds of {name!r} must be two numbers, least and most tension [N], the most not "
            f"negative; got {show(given)}"
        )
    return max(least, 0.0), most
