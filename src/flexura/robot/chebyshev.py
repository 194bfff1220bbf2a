"""Functions of arc length as Chebyshev series on adjacent panels."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.polynomial.chebyshev import chebder, chebpts1, chebval

from flexura.typing import Array, Indices

TERMS = 17
NODES = chebpts1(TERMS)
_ORDERS = np.arange(TERMS)
# From values at the nodes to the terms of the series, (TERMS, TERMS).
TO_SERIES = 2.0 / TERMS * np.cos(np.outer(_ORDERS, np.pi * (_ORDERS[::-1] + 0.5) / TERMS))
TO_SERIES[0] /= 2.0
CUT = 0.4837  # of a panel; no round number, so that no kink hides between two panels

_PROBES = np.array([-1.0, -0.97, -0.61, -0.113, 0.359, 0.82, 0.991, 1.0])  # between the nodes


@dataclass(frozen=True, eq=False)
class Table:
    """A function as series.

    Attributes:
        edges: where the panels begin and end, ascending [m], (m + 1,).
        series: the terms on each panel, (m, TERMS, k).
    """

    edges: Array
    series: Array

    def __call__(self, s: Array | float) -> Array:
        """Values at arc lengths s [m], (..., k); beyond the ends as there."""
        panel, polynomials = self._at(s)
        return np.asarray((polynomials @ self.series[panel])[..., 0, :])

    def slope(self, s: Array | float) -> Array:
        """Slopes at arc lengths s [m], (..., k)."""
        panel, polynomials = self._at(s)
        return np.asarray((polynomials[..., :-1] @ self._slopes[panel])[..., 0, :])

    def _at(self, s: Array | float) -> tuple[Indices, Array]:
        """Panels of arc lengths, and the Chebyshev polynomials there, (..., 1, TERMS)."""
        panel = self.edges[1:-1].searchsorted(s, side="right")
        begin, end = self.edges[panel], self.edges[panel + 1]
        x = np.minimum(np.maximum((2.0 * s - begin - end) / (end - begin), -1.0), 1.0)
        return panel, np.cos(_ORDERS * np.arccos(x)[..., None, None])

    @cached_property
    def _slopes(self) -> Array:
        """Series of the slopes, (m, TERMS - 1, k)."""
        width = np.diff(self.edges)[:, None, None]
        return np.asarray(chebder(self.series, axis=1) * (2.0 / width))


class Fit(NamedTuple):
    """A series on one panel.

    Attributes:
        begin: where the panel begins [m].
        end: where it ends [m].
        values: of the function at places in it, (n, k).
        series: the terms, (TERMS, k).
        miss: how far they are off between the nodes, (p, k).
    """

    begin: float
    end: float
    values: Array
    series: Array
    miss: Array


def fits(
    function: Callable[[Array], Array],
    begin: float,
    end: float,
    good: Callable[[Fit], bool],
    *,
    continuous: bool,
) -> Iterator[Fit]:
    """Good series of a function on adjacent panels, in order; others are cut in two.

    Args:
        function: arc lengths (n,) ↦ values (n, k).
        begin: where the first panel begins [m].
        end: where the last one ends [m].
        good: whether a series is good enough; on panels of some size it must be, or raise.
        continuous: whether series must agree with the function where two panels meet, too. Else
            panels are halved, as jumps are often at round numbers.
    """
    probes, cut = (_PROBES, CUT) if continuous else (_PROBES[1:-1], 0.5)
    points = np.concatenate([probes, NODES])
    todo = [(begin, end)]
    while todo:
        a, b = todo.pop()
        values = function(np.clip(0.5 * (a + b) + 0.5 * (b - a) * points, a, b))
        series = TO_SERIES @ values[len(probes) :]
        miss = np.abs(chebval(probes, series).T - values[: len(probes)])
        fit = Fit(a, b, values, series, miss)
        if good(fit):
            yield fit
        else:
            middle = a + cut * (b - a)
            todo += [(middle, b), (a, middle)]
