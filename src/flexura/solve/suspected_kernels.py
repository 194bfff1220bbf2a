"""Compiled part of ``suspected``."""

from math import sqrt

from flexura._kernel import kernel
from flexura.typing import Array, Indices, Strain


@kernel
def varied(strain: Strain, rest: Strain, rod: Indices, grain: Array) -> float:
    """The sum over rods of the squares of Σ |Δ(κ - κ*)| g², from point to point, g their grain."""
    total, own = 0.0, 0.0
    for i in range(1, len(rod)):
        if rod[i] != rod[i - 1]:
            total += own * own
            own = 0.0
            continue
        squares = 0.0
        for c in range(3):
            change = strain[i, c] - rest[i, c] - strain[i - 1, c] + rest[i - 1, c]
            squares += change * change
        own += sqrt(squares) * grain[rod[i]] ** 2
    return total + own * own


@kernel
def section_turns(strain: Strain, weight: Array, rod: Indices, apart: Array, turns: Array) -> float:
    """How far sections turn within a part ``apart`` of each rod, written to turns; the largest."""
    turns[:] = 0.0
    for i in range(len(rod)):
        turns[rod[i]] += weight[i] * abs(strain[i, 0]) * apart[rod[i]]
    return float(max(turns))
