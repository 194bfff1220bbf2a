"""A user's function of arc length as Chebyshev series on panels, which gives its slope."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial.chebyshev import chebder, chebval

from flexura.robot.check import BadField
from flexura.typing import Array

TERMS = 17
# What a series may miss of the function, relative to its largest value. A function that stays
# below FLAT of its extent counts as that large: there, rounding is no kink.
MISS, FLAT = 1e-11, 1e-3
# Sizes h of panels relative to the extent. Wide ones could miss a bump. A series misses about h/10
# of a jump of slope and h²/100 of a jump of curvature: at the smallest h only kinks are refused.
WIDEST, SMALLEST = 2.0**-3, 2.0**-22
MAX_PANELS = 10_000
CUT = 0.4837  # of a panel; no round number, so that no kink hides between two panels

_NODES = -np.cos(np.pi * (np.arange(TERMS) + 0.5) / TERMS)
_TO_SERIES = 2.0 / TERMS * np.cos(np.outer(np.arange(TERMS), np.arccos(_NODES)))
_TO_SERIES[0] /= 2.0
_PROBES = np.array([-1.0, -0.97, -0.61, -0.113, 0.359, 0.82, 0.991, 1.0])  # between the nodes
_POINTS = np.concatenate([_PROBES, _NODES])


@dataclass(frozen=True, eq=False)
class Interpolant:
    """A function on adjacent panels.

    Attributes:
        edges: Where the panels begin and end, ascending [m], (m + 1,).
        series: Chebyshev coefficients on each panel, (terms, m, k).
        unit: The largest value.
    """

    edges: Array
    series: Array
    unit: float

    def __call__(self, s: Array) -> tuple[Array, Array]:
        """Values and slopes at arc lengths s [m], (n, k) both."""
        last = len(self.edges) - 2
        panel = np.clip(np.searchsorted(self.edges, s, side="right") - 1, 0, last)
        begin, width = self.edges[panel], np.diff(self.edges)[panel]
        x = (2.0 * (s - begin) / width - 1.0)[:, None]
        value = _evaluate(x, self.series[:, panel])
        slope = _evaluate(x, self._slope_series[:, panel])
        return value, slope * (2.0 / width)[:, None]

    @cached_property
    def _slope_series(self) -> Array:
        return np.asarray(chebder(self.series, axis=0), dtype=np.float64)

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
    edges, found = [begin], []
    todo = [(begin, end)]
    while todo:
        a, b = todo.pop()
        points = np.clip(0.5 * (a + b) + 0.5 * (b - a) * _POINTS, a, b)
        values = np.array([function(s) for s in points.tolist()])
        unit = max(unit, float(np.abs(values).max()))
        series = _TO_SERIES @ values[len(_PROBES) :]
        miss = np.abs(_evaluate(_PROBES[:, None], series[:, None]) - values[: len(_PROBES)]).max()
        if miss <= MISS * unit and b - a <= WIDEST * extent:
            edges.append(b)
            found.append(series)
        elif b - a < SMALLEST * extent or len(found) == MAX_PANELS:
            raise BadField(
                f"{who}: {field} must be smooth, but jumps, kinks or wiggles near "
                f"s = {0.5 * (a + b):.6g} m; make it smooth, or give a Piecewise whose pieces "
                "meet there",
                field,
            )
        else:
            cut = a + CUT * (b - a)
            todo += [(cut, b), (a, cut)]
    return Interpolant(np.array(edges), np.stack(found, axis=1), unit)


def _evaluate(x: Array, series: Array) -> Array:
    """Chebyshev series at x, which is broadcast against their coefficients."""
    return np.asarray(chebval(x, series, tensor=False), dtype=np.float64)
