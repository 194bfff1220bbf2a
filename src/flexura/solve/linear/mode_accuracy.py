"""How wrong frequencies may be: how far they are from those of a finer model."""

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.result.modes import Complex, Modes
from flexura.solve.linear.modes import modes
from flexura.solve.refined import finer_result
from flexura.typing import Array

# Differences to a model twice as fine are half of the error, or more: where rods that are held
# bend within a span alone, as taut wires in clamps do, errors are halved, else they are less.
LEFT = 2.0


def mode_accuracy(found: Modes) -> Array:
    """Estimates of the relative error of each eigenvalue, (k,); inf where there is no telling.

    Growing modes, free ones and all others are compared in their order each.
    """
    apart = np.full(len(found), np.inf)
    try:
        fine = finer_result(found.result)
        finer = None if fine is None else modes(fine, len(found)).eigenvalue
    except FlexuraError:  # there, something hangs loose, or modes were not found
        finer = None
    if finer is None:
        return apart
    s = found.eigenvalue
    for kind, other in zip(_kinds(s), _kinds(finer), strict=True):
        n = min(len(kind), len(other))
        own, near = s[kind[:n]], finer[other[:n]]
        apart[kind[:n]] = LEFT * np.abs(own - near) / np.where(own == 0.0, 1.0, np.abs(own))
    return apart


def _kinds(s: Complex) -> tuple[NDArray[np.intp], ...]:
    """Numbers of the modes that grow, that are free, and of the others."""
    grows, free = s.real > 0.0, s == 0.0
    return tuple(np.flatnonzero(x) for x in (grows, free, ~(grows | free)))
