"""Routings made of parts: smooth pieces, or the holes of discs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, cast

import numpy as np

from flexura.robot.check import (
    BadField,
    assign,
    bad,
    finite,
    instance,
    nonnegative,
    numbers,
    positive,
    within,
)
from flexura.robot.routing import SmoothRouting, Span, pair
from flexura.typing import ArrayLike

# Arc lengths that are the same but for rounding, and those that are too close to be meant,
# relative to the last of them.
SAME, APART = 1e-9, 1e-8
# How far two pieces may miss each other, relative to their largest offset and in [m].
GAP, SMALLEST_GAP = 1e-9, 1e-12


@dataclass(frozen=True)
class Piecewise:
    """Routings one after the other, which meet.

    Attributes:
        pieces: Pairs (arc length where the piece ends [m], its routing). The first piece begins
            where the tendon does, and the last one ends where the tendon ends.
    """

    pieces: Sequence[tuple[float, SmoothRouting]]

    def __post_init__(self) -> None:
        if not isinstance(self.pieces, list | tuple) or not self.pieces:
            remedy = "write for example [(0.1, Parallel(0.01, 0.0)), (0.2, Convergent(0.01, 0.0))]"
            raise bad("Piecewise", "pieces", "a list of (end, routing)", self.pieces, remedy)
        assign(self, pieces=tuple(_piece(i, piece) for i, piece in enumerate(self.pieces)))
        _check_ascending(
            "Piecewise", {f"pieces[{i}][0]": end for i, (end, _) in enumerate(self.pieces)}
        )

    def spans(self, begin: float, end: float) -> tuple[Span, ...]:
        """The routing between two arc lengths [m], in smooth pieces."""
        ends = [piece_end for piece_end, _ in self.pieces]
        if ends[0] - begin <= APART * end:
            allowed = f"greater than {begin:.12g} m, where the tendon starts"
            remedy = "leave out pieces before that"
            raise bad("Piecewise", "pieces[0][0]", allowed, ends[0], remedy)
        if abs(ends[-1] - end) > SAME * end:
            field, allowed = f"pieces[{len(ends) - 1}][0]", f"{end:.12g} m, where the tendon ends"
            raise bad("Piecewise", field, allowed, ends[-1], "let the last piece end there")
        spans: list[Span] = []
        for i, (a, b) in enumerate(pairwise([begin, *ends[:-1], end])):
            with within(f"Piecewise, pieces[{i}]", f"pieces[{i}][1]"):
                spans += self.pieces[i][1].spans(a, b)
        _check_continuous(spans)
        return tuple(spans)


@dataclass(frozen=True)
class Discs:
    """A tendon that is straight between the holes of discs.

    It begins in a hole at its start, passes the discs between start and end, and is anchored at
    its end, with or without a disc there.

    Attributes:
        at: Arc lengths of the discs, ascending [m].
        y: Offset of the holes along y [m], one for all or one per disc.
        z: Offset of the holes along z [m], likewise.
    """

    at: ArrayLike
    y: ArrayLike
    z: ArrayLike

    def __post_init__(self) -> None:
        at = numbers("Discs", "at", self.at)
        _check_ascending(
            "Discs", {f"at[{i}]": nonnegative("Discs", f"at[{i}]", s) for i, s in enumerate(at)}
        )
        y, z = (_per_disc(field, getattr(self, field), len(at)) for field in ("y", "z"))
        assign(self, at=at, y=y, z=z)

    @property
    def count(self) -> int:
        """Number of discs."""
        return len(cast(tuple[float, ...], self.at))

    @property
    def last(self) -> float:
        """Arc length of the last disc [m]."""
        return cast(tuple[float, ...], self.at)[-1]

    def holes(self, begin: float, end: float) -> tuple[tuple[float, float, float], ...]:
        """The holes (s, y, z) [m] of a tendon between two arc lengths, both included.

        Without a disc there, the first and the last hole have the offset of the nearest disc.
        """
        at = np.array(self.at)
        y, z = np.broadcast_to(self.y, at.shape), np.broadcast_to(self.z, at.shape)
        same = SAME * max(end, self.last)
        inside = np.flatnonzero((begin + same < at) & (at < end - same))
        disc = [np.abs(at - begin).argmin(), *inside, np.abs(at - end).argmin()]
        s = [begin, *at[inside], end]
        return tuple(zip(map(float, s), y[disc].tolist(), z[disc].tolist(), strict=True))


AnyRouting: TypeAlias = SmoothRouting | Piecewise | Discs


def _check_ascending(who: str, entries: Mapping[str, float]) -> None:
    """Raise unless arc lengths, by key, go up [m]."""
    apart = APART * max(entries.values())
    for (before, smaller), (key, value) in pairwise(entries.items()):
        if value - smaller <= apart:
            allowed = f"greater than {before} = {smaller} m"
            raise bad(who, key, allowed, value, "list arc lengths in ascending order")


def _piece(i: int, piece: object) -> tuple[float, SmoothRouting]:
    """A checked entry of a Piecewise."""
    if not isinstance(piece, list | tuple) or len(piece) != 2:
        remedy = "write for example (0.1, Parallel(0.01, 0.0))"
        raise bad("Piecewise", f"pieces[{i}]", "a pair (end, routing)", piece, remedy)
    end, routing = piece
    instance("Piecewise", f"pieces[{i}][1]", routing, SmoothRouting)
    return positive("Piecewise", f"pieces[{i}][0]", end), routing


def _check_continuous(spans: Sequence[Span]) -> None:
    """Raise unless each span begins where the one before it ends."""
    ends = np.array([span.path(np.array([span.begin, span.end]))[0] for span in spans])
    allowed = max(SMALLEST_GAP, GAP * np.abs(ends).max())
    for i, (before, after) in enumerate(pairwise(ends)):
        if np.abs(after[0] - before[1]).max() > allowed:
            raise BadField(
                f"Piecewise: pieces must meet, but at s = {spans[i].end:.6g} m pieces[{i}] ends at "
                f"(y, z) = {pair(before[1])} m and pieces[{i + 1}] begins at {pair(after[0])} m; "
                "give them the same offset there",
                f"pieces[{i + 1}][1]",
            )


def _per_disc(field: str, value: object, count: int) -> float | tuple[float, ...]:
    """An offset of holes: a number, or one per disc."""
    if not isinstance(value.tolist() if isinstance(value, np.ndarray) else value, list | tuple):
        return finite("Discs", field, value)
    offsets = numbers("Discs", field, value)
    if len(offsets) != count:
        allowed = f"a number or {count} numbers, one per disc"
        raise bad("Discs", field, allowed, value, f"at lists {count} discs")
    return offsets
