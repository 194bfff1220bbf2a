"""Sections, rest shapes and tendons along a rod as Chebyshev series on panels, to rounding."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from flexura._kernel import kernel
from flexura.errors import ModelError
from flexura.robot import Rod, Taper
from flexura.robot.chebyshev import Fit, fits
from flexura.typing import Array

# Arc lengths (n,) ↦ offsets D = (0, y, z) and their slopes, (n, 3) both.
OffsetFunction: TypeAlias = Callable[[Array], tuple[Array, Array]]

# What a series may miss of a rest curvature, relative to the largest one and to 1 rad over the rod;
# of the slope of a tendon, relative to that of the rod's axis; of all others, relative.
MISS = 1e-13
# A routing without a derivative is itself a series, smooth to 1e-11 (robot.interpolant), its slope
# to some ten times that: on panels this small, relative to the rod, a tendon may miss as much.
ROUGH, ROUGH_PANEL = 1e-10, 2.0**-6
# Terms below this part of the largest value are rounding.
NOTHING = 1e-15
# A panel this small, relative to the rod, holds a jump and is left as it is.
SMALLEST_PANEL = 2.0**-45
MAX_PANELS = 1000


class Panel(NamedTuple):
    """A part of a rod where everything is smooth.

    Attributes:
        begin: arc length where it begins [m].
        end: arc length where it ends [m].
        section: Chebyshev series of the diagonal of K and of ξ*, (n, 12).
        tendons: numbers of the tendons that run there.
        offset: series of their offsets and slopes (y, z, y', z'), (n, t, 4).
    """

    begin: float
    end: float
    section: Array
    tendons: tuple[int, ...]
    offset: Array


def panels(rod: Rod, a: float, b: float, tendons: Mapping[int, OffsetFunction]) -> list[Panel]:
    """Panels between two arc lengths of a rod [m], in order.

    Args:
        rod: the rod.
        a: where the first one begins.
        b: where the last one ends.
        tendons: those that run there, by number.

    Raises:
        ModelError: for a rest shape, or a tendon, that no series can follow.
    """
    if not tendons and _uniform(rod):
        section = _section(rod, np.array([0.5 * (a + b)]))
        return [Panel(a, b, section, (), np.empty((1, 0, 4)))]

    def values(s: Array) -> Array:
        offsets = [_offset(path, s) for path in tendons.values()]
        return np.concatenate([_section(rod, s), *offsets], axis=1)

    def good(fit: Fit) -> bool:
        width = fit.end - fit.begin
        allowed = MISS * _units(fit.values, rod.length)
        allowed[12:] *= ROUGH / MISS if width < ROUGH_PANEL * rod.length else 1.0
        return bool((fit.miss <= allowed).all()) or width < SMALLEST_PANEL * rod.length

    found = []
    for fit in fits(values, a, b, good, continuous=False):
        found.append(_panel(fit, tuple(tendons), rod.length))
        if len(found) > MAX_PANELS:
            raise ModelError(
                f"Rod {rod.name!r}: rest(s), or a tendon on it, is too rough to integrate; make it "
                "a smooth function of s with few jumps"
            )
    return found


def _panel(fit: Fit, tendons: tuple[int, ...], length: float) -> Panel:
    """A panel, without the terms that are nothing but rounding."""
    unit = _units(fit.values, length)
    used = np.flatnonzero((np.abs(fit.series) > NOTHING * unit).any(axis=1))[-1] + 1
    section, offset = fit.series[:used, :12], fit.series[:used, 12:].reshape(used, -1, 4)
    return Panel(fit.begin, fit.end, section, tendons, offset)


def _units(values: Array, length: float) -> Array:
    """The size of each column of values."""
    unit: Array = np.abs(values).max(axis=0)
    unit[6:9] = max(unit[6:9].max(), 1.0 / length)
    unit[9:12] = unit[9:12].max()
    tendons = unit[12:].reshape(-1, 2, 2)  # (y, z), (y', z')
    tendons[:] = tendons.max(axis=2, keepdims=True)
    tendons[:, 1] = np.maximum(tendons[:, 1], 1.0)
    return unit


def _uniform(rod: Rod) -> bool:
    """Whether section and rest shape are the same all along a rod."""
    return not callable(rod.rest) and not isinstance(rod.section, Taper)


def _section(rod: Rod, s: Array) -> Array:
    """Diagonal of the stiffness and rest strain at arc lengths [m], (n, 12)."""
    where = s[:1] if _uniform(rod) else s
    values = np.concatenate([rod.stiffness(where), rod.rest_strain(where)], axis=1)
    return np.broadcast_to(values, (len(s), 12))


def _offset(path: OffsetFunction, s: Array) -> Array:
    """Offsets of a tendon and their slopes (y, z, y', z') at arc lengths [m], (n, 4)."""
    offset, slope = path(s)
    return np.concatenate([offset[:, 1:], slope[:, 1:]], axis=1)


@kernel
def clenshaw(out: Array, series: Array, terms: int, x: float) -> None:
    """Write Chebyshev series, the columns of an array, at x in [-1, 1]: Clenshaw's recurrence."""
    for j in range(len(out)):
        c1 = c2 = 0.0
        for k in range(terms - 1, 0, -1):
            c1, c2 = series[k, j] + 2.0 * x * c1 - c2, c1
        out[j] = series[0, j] + x * c1 - c2
