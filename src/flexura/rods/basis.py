"""B-splines on a clamped knot vector, in the cumulative form that SE(3) needs."""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from flexura._kernel import kernel
from flexura.typing import Array, Indices

# Pieces shorter than this part of a rod would lose the strain, a difference of poses, to rounding.
SHORTEST = 1e-6


def distinct(jumps: Sequence[float], length: float) -> list[float]:
    """Jumps strictly inside a rod, in order, those too close for a piece taken as one."""
    found: list[float] = []
    for s in sorted(jumps):
        if min(s - (found[-1] if found else 0.0), length - s) > SHORTEST * length:
            found.append(s)
    return found


def span_breaks(length: float, spans: int, jumps: Sequence[float]) -> Array:
    """Ends of about ``spans`` equal spans of [0, length] that meet every jump.

    Each piece between jumps gets its share of the spans, at least one.
    """
    if not jumps:
        return np.append(np.linspace(0.0, length, spans, endpoint=False), length)
    corners = np.unique([0.0, *jumps, length])
    pieces = np.diff(corners)
    shares = np.maximum(1, np.rint(spans * pieces / length).astype(int))
    parts = [
        np.linspace(a, b, n, endpoint=False)
        for a, b, n in zip(corners[:-1], corners[1:], shares, strict=True)
    ]
    return np.concatenate([*parts, [length]])


def grains(breaks: Sequence[Array], over: float) -> Array:
    """The longest span of each rod over so much [m], (n_rods,)."""
    return np.array([np.diff(ends).max() for ends in breaks]) / over


def clamped_knots(breaks: Array, degree: int, jumps: Sequence[float]) -> Array:
    """Knots with multiplicity degree + 1 at the ends and ``degree`` at the jumps.

    A knot of multiplicity ``degree`` keeps the pose continuous and lets the strain jump.
    """
    inner = breaks[1:-1]
    if jumps:
        inner = np.repeat(inner, np.where(np.isin(inner, jumps), degree, 1))
    ends = np.full(degree + 1, 1.0)
    return np.concatenate([breaks[0] * ends, inner, breaks[-1] * ends])


def greville(knots: Array, degree: int) -> Array:
    """Averages of ``degree`` neighbouring knots: where each control pose has its influence."""
    return np.asarray(sliding_window_view(knots[1:-1], degree).mean(axis=1))


def cumulative_basis(
    knots: Array, degree: int, s: Array, spans: Array | None = None
) -> tuple[Indices, Array, Array]:
    """Cumulative B-splines that are neither zero nor one at each arc length.

        b_i(s) = Σ_{j ≥ i} B_j(s),   b_i'(s) = degree · N_{i,degree-1}(s) / (t_{i+degree} - t_i)

    Args:
        knots: clamped knots [m].
        degree: polynomial degree k ≥ 1.
        s: arc lengths within the knots [m], shape (n,). A knot belongs to the span after it.
        spans: arc lengths in the spans whose functions are taken; None for those of s.

    Returns:
        Index f of the first active control pose, (n,), then b and b' [1/m] of the control poses
        f+1 … f+k, shape (n, k) each.
    """
    number = np.searchsorted(knots, s if spans is None else spans, side="right") - 1
    first = np.clip(number, degree, len(knots) - degree - 2).astype(np.int64)
    b = np.empty((len(s), degree))
    db = np.empty((len(s), degree))
    _cumulative_basis(knots, degree, s, first, b, db, np.empty(degree + 1))
    return first, b, db


@kernel
def _cumulative_basis(
    knots: Array, degree: int, s: Array, first: Indices, b: Array, db: Array, value: Array
) -> None:
    """Cox-de Boor triangle at every s; row ``degree - 1`` gives the derivative.

    ``first`` holds the spans, and then the first control poses that are active there.
    """
    for n in range(len(s)):
        span = first[n]
        while knots[span + 1] == knots[span]:
            span -= 1
        value[0] = 1.0
        for k in range(1, degree + 1):
            if k == degree:
                for i in range(degree):
                    left = span - degree + 1 + i
                    db[n, i] = degree * value[i] / (knots[left + degree] - knots[left])
            carried = 0.0
            for i in range(k):
                right = knots[span + 1 + i]
                left_knot = knots[span + 1 + i - k]
                share = value[i] / (right - left_knot)
                value[i] = carried + (right - s[n]) * share
                carried = (s[n] - left_knot) * share
            value[k] = carried
        first[n] = span - degree
        total = 0.0
        for i in range(degree - 1, -1, -1):
            total += value[i + 1]
            b[n, i] = total
