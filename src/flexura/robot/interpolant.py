"""A user's function of arc length as Chebyshev series, which give its slope."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.robot.chebyshev import TERMS, Fit, Table, fits
from flexura.robot.check import BadField
from flexura.typing import Array
from flexura.value import Value

# What a series may miss of the function, relative to its largest value. A function that stays
# below FLAT of its extent counts as that large: there, rounding is no kink.
MISS, FLAT = 1e-11, 1e-3
# Sizes h of panels relative to the extent. Wide ones could miss a bump. A series misses about h/10
# of a jump of slope and h²/100 of a jump of curvature: at the smallest h only kinks are refused.
WIDEST, SMALLEST = 2.0**-3, 2.0**-22
MAX_PANELS = 10_000


@dataclass(frozen=True, eq=False)
class Interpolant(Value):
    """A function with its slope.

    Attributes:
        table: its series.
        unit: its largest value.
    """

    table: Table
    unit: float

    def __call__(self, s: Array) -> tuple[Array, Array]:
        """Values and slopes at arc lengths s [m], (n, k) both."""
        return self.table(s), self.table.slope(s)

    @property
    def edges(self) -> Array:
        """Where panels begin and end, ascending [m], (m + 1,)."""
        return self.table.edges

    @property
    def slope_error(self) -> Array:
        """How far slopes may be off on each panel, by Markov's inequality, (m,)."""
        return 2.0 * TERMS**2 * MISS * self.unit / np.diff(self.edges)


def interpolate(
    who: str, field: str, function: Callable[[float], Sequence[float]], begin: float, end: float
) -> Interpolant:
    """Tabulate a function between two arc lengths [m], to 1e-11 of its largest value.

    Raises:
        BadField: If the function jumps or kinks; it names ``field`` of ``who`` and the place.
    """
    extent = end - begin
    unit = FLAT * extent
    edges = [begin]
    series: list[Array] = []

    def values(s: Array) -> Array:
        return np.array([function(x) for x in s.tolist()])

    def good(fit: Fit) -> bool:
        nonlocal unit
        unit = max(unit, float(np.abs(fit.values).max()))
        width = fit.end - fit.begin
        if fit.miss.max() <= MISS * unit and width <= WIDEST * extent:
            return True
        if width < SMALLEST * extent or len(series) == MAX_PANELS:
            raise BadField(
                f"{who}: {field} must be smooth, but jumps, kinks or wiggles near "
                f"s = {0.5 * (fit.begin + fit.end):.6g} m; make it smooth, or give a Piecewise "
                "whose pieces meet there",
                field,
            )
        return False

    for fit in fits(values, begin, end, good, continuous=True):
        edges.append(fit.end)
        series.append(fit.series)
    return Interpolant(Table(np.array(edges), np.stack(series)), unit)
