"""Negative eigenvalues of symmetric matrices with a border, by pivots of one and of two unknowns.

Sylvester: L D Lᵀ has as many as D. A pivot may vanish where unknowns are multipliers, so it is
chosen by Bunch and Kaufman's rule, but among unknowns of a front only: those that have met
everything that they interact with, and what they interact with. An unknown whose largest entry
belongs to one that has not met everything waits. In the end nothing is left to wait for, so the
rule always finds a pivot, whatever the matrix; and of those that wait no more than a half bandwidth
can be independent, so the front stays narrow: O(n h²).

What waits for unknowns of the border only goes there.
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import heavy, inline, kernel
from flexura.matrix.band import LONG, half_bandwidth
from flexura.typing import Array, Indices

# A pivot of one unknown is taken if it is this part of the largest entry in its column: with more,
# unknowns wait longer, with less, rounding grows. Then Bunch and Kaufman's rule, with their number.
ENOUGH = 0.01
ALPHA = 0.6403882032022076
# Room for unknowns that wait, at first.
WAITING = 16


def negative_eigenvalues(
    band: Array, right: Array, corner: Array, piece: Indices, columns: Indices
) -> int:
    """How many a symmetric matrix has, stored as in ``Bordered``."""
    n, w = right.shape
    scale = np.zeros(n + len(corner))
    _put_scale(band, right, corner, piece, columns, scale)
    room = half_bandwidth(band) + 1 + w + WAITING
    found = -1
    while found < 0:
        front, late, outer = _Front.of(room), _Late.of(room), corner.copy()
        put = _eliminate if n * room * room < LONG else _eliminate_aside
        found, waiting = put(band, right, piece, columns, scale, outer, front, late)
        room *= 2
    if not len(corner):
        return int(found)
    if waiting:
        outer = _widened(outer, columns, late.entries[:waiting], late.piece[:waiting])
    return int(found) + negative_eigenvalues(outer, *_no_border(len(outer)))


def _no_border(n: int) -> tuple[Array, Array, Indices, Indices]:
    """What a band matrix has besides its band."""
    one, none = np.zeros(n, dtype=np.int64), np.empty((1, 0), dtype=np.int64)
    return np.empty((n, 0)), np.empty((0, 1)), one, none


class _Front(NamedTuple):
    """Unknowns that are neither eliminated nor to come.

    Attributes:
        entries: of their matrix; the unknowns of the border come first.
        who: number of each unknown in the band.
    """

    entries: Array
    who: Indices

    @classmethod
    def of(cls, room: int) -> "_Front":
        """Room for so many."""
        return cls(np.zeros((room, room)), np.zeros(room, dtype=np.int64))


class _Late(NamedTuple):
    """Unknowns that wait for the border.

    Attributes:
        entries: with what their piece meets of the border, then with those of the same piece.
        piece: of each.
    """

    entries: Array
    piece: Indices

    @classmethod
    def of(cls, room: int) -> "_Late":
        """Room for as many as the front has, with all of it."""
        return cls(np.zeros((room, room)), np.zeros(room, dtype=np.int64))


def _widened(corner: Array, columns: Indices, late: Array, of_piece: Indices) -> Array:
    """The corner with the unknowns that wait for it, each behind those that its piece meets."""
    n, h, met = len(corner), int(half_bandwidth(corner)), columns[of_piece]
    behind = np.append(np.arange(n), met.max(axis=1))
    place = np.argsort(np.argsort(behind, kind="stable"))
    blocks = []
    for d in range(-h, h + 1):
        at = np.arange(max(0, -d), min(n, n - d))
        blocks.append((at + d, at, corner[at, 2 * h + d]))
    for number, own in enumerate(late):
        k = np.flatnonzero(met[number] >= 0)
        border, fellows = met[number, k], n + np.flatnonzero(of_piece == of_piece[number])
        me = np.full(len(k), n + number), np.full(len(fellows), n + number)
        blocks += [(border, me[0], own[k]), (me[0], border, own[k])]
        blocks.append((fellows, me[1], own[met.shape[1] :][: len(fellows)]))
    rows, columns, entries = (np.concatenate(block) for block in zip(*blocks, strict=True))
    i, j = place[rows], place[columns]
    half = int(np.abs(i - j).max(initial=0))
    found = np.zeros((n + len(late), 3 * half + 1))
    found[j, 2 * half + i - j] = entries
    return found


@kernel
def _put_scale(
    band: Array, right: Array, corner: Array, piece: Indices, columns: Indices, scale: Array
) -> None:
    """By what to multiply rows and columns, so that the largest entries are about 1; from zeros."""
    n, w = right.shape
    for part, own in ((band, scale[:n]), (corner, scale[n:])):
        h = half_bandwidth(part)
        for j in range(len(part)):
            largest = 0.0
            for entry in part[j, h:]:
                size = abs(entry)
                largest = size if size > largest else largest
            own[j] = largest
    for i in range(n):
        for k in range(w):
            c = columns[piece[i], k]
            if c >= 0:
                size = abs(right[i, k])
                scale[i], scale[n + c] = max(scale[i], size), max(scale[n + c], size)
    for i in range(len(scale)):
        scale[i] = 1.0 / scale[i] ** 0.5 if scale[i] > 0.0 else 1.0


@kernel
def _eliminate(
    band: Array,
    right: Array,
    piece: Indices,
    columns: Indices,
    scale: Array,
    corner: Array,
    front: _Front,
    late: _Late,
) -> tuple[int, int]:
    """Eliminate all pieces; the corner becomes its Schur complement, and scaled.

    Returns:
        Negative eigenvalues of all pivots, -1 if there was no room; how many wait.
    """
    n, w = right.shape
    negative, n_late, begin = 0, 0, 0
    _scale_corner(corner, scale[n:])
    while begin < n:
        end = begin + 1
        while end < n and piece[end] == piece[begin]:
            end += 1
        own = columns[piece[begin]]
        m, below = _eliminate_piece(band, right, scale, begin, end, own, front)
        if m < 0 or n_late + m - w > len(late.piece):
            return -1, 0
        negative += below
        for i in range(w, m):
            late.piece[n_late] = piece[begin]
            for k in range(m):
                late.entries[n_late, k] = front.entries[i, k]
            n_late += 1
        _add_to_corner(front.entries, own, corner)
        begin = end
    return negative, n_late


@heavy
def _eliminate_aside(
    band: Array,
    right: Array,
    piece: Indices,
    columns: Indices,
    scale: Array,
    corner: Array,
    front: _Front,
    late: _Late,
) -> tuple[int, int]:
    return _eliminate(band, right, piece, columns, scale, corner, front, late)


@inline
def _scale_corner(corner: Array, scale: Array) -> None:
    """Multiply rows and columns of the corner."""
    n, h = len(corner), half_bandwidth(corner)
    for j in range(n):
        for i in range(max(0, j - h), min(n, j + h + 1)):
            corner[j, 2 * h + i - j] *= scale[i] * scale[j]


@inline
def _eliminate_piece(
    band: Array, right: Array, scale: Array, begin: int, end: int, own: Indices, front: _Front
) -> tuple[int, int]:
    """Eliminate unknowns from ``begin`` to ``end``; the size of what is left, -1 for no room."""
    entries, who, (n, w), h = front.entries, front.who, right.shape, half_bandwidth(band)
    m, negative = w, 0
    for k in range(w):
        entries[k, :w] = 0.0
    for t in range(begin, end):
        if m == len(entries):
            return -1, 0
        who[m], row = t, entries[m]
        for k in range(w):
            row[k] = right[t, k] * scale[t] * scale[n + own[k]] if own[k] >= 0 else 0.0
        for q in range(w, m + 1):
            i = who[q]
            row[q] = band[t, 2 * h + i - t] * scale[t] * scale[i] if t - i <= h else 0.0
        for q in range(m):
            entries[q, m] = row[q]
        m += 1
        met = t - h if t < end - 1 else t
        taken = 1
        while taken > 0:
            taken, below = _take(entries, who, w, m, met)
            m -= taken
            negative += below
    return m, negative


@inline
def _take(front: Array, who: Indices, w: int, m: int, met: int) -> tuple[int, int]:
    """Eliminate the first pivot that serves; how many unknowns it has, and negative eigenvalues.

    Unknowns up to number ``met`` have met everything.
    """
    for p in range(m - 1, w - 1, -1):  # those that wait already may wait on
        if who[p] > met:
            continue
        r, largest = _largest(front[p], p, m)
        pivot = abs(front[p, p])
        if pivot >= ENOUGH * largest:
            return _take_one(front, who, p, m)
        if r < w or who[r] > met:
            continue
        _, beyond = _largest(front[r], r, m)
        if pivot * beyond >= ALPHA * largest * largest:
            return _take_one(front, who, p, m)
        if abs(front[r, r]) >= ALPHA * beyond:
            return _take_one(front, who, r, m)
        return _take_two(front, who, p, r, m)
    return 0, 0


@inline
def _largest(row: Array, p: int, m: int) -> tuple[int, float]:
    """Which of the first m entries of row p is the largest but for the diagonal, and its size."""
    largest, found = 0.0, p
    for q in range(m):
        if abs(row[q]) > largest and q != p:
            largest, found = abs(row[q]), q
    return found, largest


@inline
def _take_one(front: Array, who: Indices, p: int, m: int) -> tuple[int, int]:
    """Eliminate an unknown; one that interacts with nothing, itself included, is just left out."""
    own = front[p, :m]
    pivot = own[p]
    if pivot != 0.0:
        for i in range(m):
            factor = own[i] / pivot
            if factor != 0.0 and i != p:
                row = front[i, :m]
                for l in range(m):
                    row[l] -= factor * own[l]
    _drop(front, who, p, m)
    return 1, 1 if pivot < 0.0 else 0


@inline
def _take_two(front: Array, who: Indices, p: int, r: int, m: int) -> tuple[int, int]:
    """Eliminate two unknowns whose block has one eigenvalue of each sign."""
    a, b = front[p, :m], front[r, :m]
    across = a[r]
    determinant = a[p] * b[r] - across * across
    for i in range(m):
        f = (a[i] * b[r] - b[i] * across) / determinant
        g = (b[i] * a[p] - a[i] * across) / determinant
        if (f != 0.0 or g != 0.0) and i != p and i != r:
            row = front[i, :m]
            for l in range(m):
                row[l] -= f * a[l] + g * b[l]
    _drop(front, who, max(p, r), m)
    _drop(front, who, min(p, r), m - 1)
    return 2, 1


@inline
def _drop(front: Array, who: Indices, p: int, m: int) -> None:
    """Take p out of the front; the last one takes its place."""
    last = m - 1
    if p < last:
        front[last, p] = front[last, last]
        for q in range(last):
            front[p, q] = front[q, p] = front[last, q]
        who[p] = who[last]


@inline
def _add_to_corner(front: Array, own: Indices, corner: Array) -> None:
    """Add what a piece leaves to the corner."""
    middle = 2 * half_bandwidth(corner)
    for k in range(len(own)):
        for l in range(k + 1):
            a, b = own[k], own[l]
            if a >= 0 and b >= 0:
                corner[b, middle + a - b] += front[k, l]
                if a != b:
                    corner[a, middle + b - a] += front[k, l]
