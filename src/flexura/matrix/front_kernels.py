"""Compiled part of ``fronts``: dense elimination front by front.

A front is a small dense matrix: rows and columns of the unknowns that are eliminated there, and of
those that they meet. Rows are exchanged among the former only. It is made where its factors stay,
in three parts; a fourth is what it leaves to its parent:

    square (own x own)     L below its diagonal of ones, U above, column by column
    low (own x rest)       L below that, column by column
    up (own x rest)        U beside it, row by row
    left (rest x rest)     row by row
"""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np

from flexura._kernel import allocating, heavy, inline
from flexura.typing import Array, Indices

# Columns that are eliminated before everything behind them is updated, by BLAS; and those that are
# before the others of these. Below so many rows nothing is worth a call of BLAS, below so many that
# are left not even what these become.
PANEL, STRIP = 32, 4
SMALL, FEW_LEFT = 192, 96


class Tree(NamedTuple):
    """Which unknowns are eliminated where; fronts follow their children.

    Attributes:
        own, size: unknowns that are eliminated in each front, and all of it, (m,).
        at: where its unknowns begin, (m + 1,).
        unknown: of all fronts, one after another; those that are eliminated first.
        child_count: children of each front, (m,).
        up: places of the unknowns that are left, in the front of the parent; as ``unknown``.
        entry_at: where the entries of the matrix begin that a front begins with, those of its
            three parts one after the other, (3 m + 1,).
        entry, spot: these, and their places among all of such parts.
        square_at, beside_at: where the square part of a front begins, and both others, (m + 1,).
    """

    own: Indices
    size: Indices
    at: Indices
    unknown: Indices
    child_count: Indices
    up: Indices
    entry_at: Indices
    entry: Indices
    spot: Indices
    square_at: Indices
    beside_at: Indices


class Factors(NamedTuple):
    """Factors of all fronts, one after another, and rows that were exchanged, as ``unknown``."""

    square: Array
    low: Array
    up: Array
    pivots: Indices


@allocating
def multiply(left, right, out):
    """The product of two matrices, by BLAS; its call counts references."""
    np.dot(left, right, out)


@heavy
def equilibrate(values, pointer, rows, scale, data):
    """Powers of two that make the largest entries about 1, and the entries with them."""
    scale[:] = 0.0
    for j in range(len(scale)):
        own = 0.0
        for e in range(pointer[j], pointer[j + 1]):
            x = abs(values[e])
            scale[rows[e]] = max(scale[rows[e]], x)
            own = max(own, x)
        scale[j] = max(scale[j], own)
    for i in range(len(scale)):
        if scale[i] > 0.0 and np.isfinite(scale[i]):
            _, power = frexp(scale[i])
            scale[i] = ldexp(1.0, -((power - 1) // 2))
        else:
            scale[i] = 1.0
    for j in range(len(scale)):
        own = scale[j]
        for e in range(pointer[j], pointer[j + 1]):
            data[e] = values[e] * scale[rows[e]] * own


@inline
def parts(tree, f, factors):
    """The three parts of the factors of a front."""
    k, r = tree.own[f], tree.size[f] - tree.own[f]
    a, b = tree.square_at[f], tree.beside_at[f]
    square = factors.square[a : a + k * k].reshape(k, k)
    low = factors.low[b : b + k * r].reshape(k, r)
    up = factors.up[b : b + k * r].reshape(k, r)
    return square, low, up


@heavy
def factorise(tree, data, diagonal, square, low, up, pivots, stack, waiting, panels):
    """Eliminate all fronts; -1 where that is not possible, else how many rows were exchanged.

    A row is exchanged where the diagonal is smaller than a part of the largest.
    ``stack`` has room for what ``waiting`` fronts left to their parents, and ``panels`` for three
    pieces of a front.
    """
    factors = Factors(square, low, up, pivots)
    top = exchanged = count = 0
    for f in range(len(tree.own)):
        k, r = tree.own[f], tree.size[f] - tree.own[f]
        D, L, U = parts(tree, f, factors)
        S = stack[top : top + r * r].reshape(r, r)
        for part in (D, L, U, S):
            _clear(part.reshape(part.size))
        _put_entries(tree, 3 * f, data, square)
        _put_entries(tree, 3 * f + 1, data, low)
        _put_entries(tree, 3 * f + 2, data, up)
        begin = top
        for _ in range(tree.child_count[f]):
            count -= 1
            child = waiting[count]
            begin -= (tree.size[child] - tree.own[child]) ** 2
            _add_child(tree, child, D, L, U, S, stack[begin:])
        swaps = _eliminate(D, L, U, diagonal, pivots[tree.at[f] : tree.at[f] + k], panels)
        if swaps < 0:
            return -1
        exchanged += swaps
        _leave(L, U, S, panels)
        if begin < top:  # children are not needed any more
            for i in range(r * r):
                stack[begin + i] = stack[top + i]
        top = begin + r * r
        waiting[count] = f
        count += 1
    return exchanged


@inline
def _clear(part):
    """Nothing, in one go: a loop over one index is."""
    for i in range(len(part)):
        part[i] = 0.0


@inline
def _put_entries(tree, part, data, out):
    """The entries of the matrix that a part of a front begins with."""
    for e in range(tree.entry_at[part], tree.entry_at[part + 1]):
        out[tree.spot[e]] = data[tree.entry[e]]


@inline
def _add_child(tree, child, D, L, U, S, left):
    """Add what a child left to the front of its parent, where its places rise."""
    own, m, k = tree.own[child], tree.size[child], len(D)
    r = m - own
    place = tree.up[tree.at[child] + own : tree.at[child] + m]
    first = 0  # of those that are not eliminated there
    while first < r and place[first] < k:
        first += 1
    for j in range(first):
        column, below = D[place[j]], L[place[j]]
        for i in range(first):
            column[place[i]] += left[i * r + j]
        for i in range(first, r):
            below[place[i] - k] += left[i * r + j]
    for i in range(r):
        row = U[place[i]] if i < first else S[place[i] - k]
        mine = left[i * r : i * r + r]
        for j in range(first, r):
            row[place[j] - k] += mine[j]


@inline
def _eliminate(D, L, U, diagonal, pivots, panels):
    """LU of a front but for what it leaves; how many rows were exchanged, or -1.

    Strip by strip; where rows are many, columns behind a panel wait for all of it.
    """
    k, r = L.shape
    swaps, many = 0, k + r > SMALL
    for a in range(0, k, PANEL):
        b = min(a + PANEL, k)
        for s in range(a, b, STRIP):
            e = min(s + STRIP, b)
            exchanged = _eliminate_strip(D, L, U, s, e, diagonal, pivots)
            if exchanged < 0:
                return -1
            swaps += exchanged
            last = b if many else k
            for c in range(e, last):
                _solve_low(D, D[c], s, e)
            c = e
            while c + 1 < last:
                subtract_from_both(D[c, e:], D[c + 1, e:], D[c], D[c + 1], D, s, e, e)
                subtract_from_both(L[c], L[c + 1], D[c], D[c + 1], L, s, e, 0)
                c += 2
            if c < last:
                subtract(D[c, e:], D[c], D, s, e, e)
                subtract(L[c], D[c], L, s, e, 0)
        if many:
            for i in range(a + 1, b):
                subtract(U[i], D[:, i], U, a, i, 0)
            _update(D, L, U, a, b, panels)
    if not many:
        for i in range(1, k):
            subtract(U[i], D[:, i], U, 0, i, 0)
    return swaps


@inline
def _eliminate_strip(D, L, U, s, e, diagonal, pivots):
    """LU of the columns s to e alone; how many rows were exchanged, or -1."""
    k, r = L.shape
    swaps = 0
    for j in range(s, e):
        p = _pivot(D[j], j, diagonal)
        if p < 0:
            return -1
        pivots[j] = p
        if p != j:
            swaps += 1
            for c in range(k):
                D[c, j], D[c, p] = D[c, p], D[c, j]
            for c in range(r):
                U[j, c], U[p, c] = U[p, c], U[j, c]
        inverse = 1.0 / D[j, j]
        for i in range(j + 1, k):
            D[j, i] *= inverse
        for i in range(r):
            L[j, i] *= inverse
        for c in range(j + 1, e):
            subtract(D[c, j + 1 :], D[c], D, j, j + 1, j + 1)
            subtract(L[c], D[c], L, j, j + 1, 0)
    return swaps


@inline
def _solve_low(D, column, first, last):
    """Solve with the part of L between first and last for those entries of a column."""
    for t in range(first, last - 1):
        for i in range(t + 1, last):
            column[i] -= column[t] * D[t, i]


@inline
def subtract(row, parts, F, first, last, begin):
    """row -= parts[first:last] F[first:last, begin:], four rows of F at once."""
    j = first
    while j + STRIP <= last:
        a, b, c, d = parts[j], parts[j + 1], parts[j + 2], parts[j + 3]
        A, B, C, D = F[j, begin:], F[j + 1, begin:], F[j + 2, begin:], F[j + 3, begin:]
        for q in range(len(row)):
            row[q] -= a * A[q] + b * B[q] + c * C[q] + d * D[q]
        j += STRIP
    while j < last:
        a, A = parts[j], F[j, begin:]
        for q in range(len(row)):
            row[q] -= a * A[q]
        j += 1


@inline
def subtract_from_both(row, other, parts, others, F, first, last, begin):
    """The same for two rows, which read F once."""
    j = first
    while j + STRIP <= last:
        a, b, c, d = parts[j], parts[j + 1], parts[j + 2], parts[j + 3]
        e, f, g, h = others[j], others[j + 1], others[j + 2], others[j + 3]
        A, B, C, D = F[j, begin:], F[j + 1, begin:], F[j + 2, begin:], F[j + 3, begin:]
        for q in range(len(row)):
            row[q] -= a * A[q] + b * B[q] + c * C[q] + d * D[q]
            other[q] -= e * A[q] + f * B[q] + g * C[q] + h * D[q]
        j += STRIP
    while j < last:
        a, e, A = parts[j], others[j], F[j, begin:]
        for q in range(len(row)):
            row[q] -= a * A[q]
            other[q] -= e * A[q]
        j += 1


@inline
def _pivot(column, j, diagonal):
    """The row to be eliminated with: the diagonal, where it is not small; -1 for none."""
    own = largest = abs(column[j])
    p = j
    for i in range(j + 1, len(column)):
        if abs(column[i]) > largest:
            largest, p = abs(column[i]), i
    if own < diagonal * largest:
        own, j = largest, p
    return j if own > 0.0 and np.isfinite(own) else -1


@inline
def _update(D, L, U, a, b, panels):
    """All behind the columns a to b: columns in all rows, and rows of U."""
    k, r = L.shape
    n, w = k - b, b - a
    if n == 0:
        return
    left = panels[: n * w].reshape(n, w)
    right = panels[n * w : 2 * n * w].reshape(w, n)
    product = panels[2 * n * w :]
    for c in range(n):
        _solve_low(D, D[b + c], a, b)
        for t in range(w):
            left[c, t] = D[b + c, a + t]
            right[t, c] = D[a + t, b + c]
    square = product[: n * n].reshape(n, n)
    multiply(left, right, square)
    for c in range(n):
        for i in range(n):
            D[b + c, b + i] -= square[c, i]
    if r == 0:
        return
    beside = product[: n * r].reshape(n, r)
    multiply(left, L[a:b], beside)
    _subtract_all(L[b:], beside)
    multiply(right.T, U[a:b], beside)
    _subtract_all(U[b:], beside)


@inline
def _leave(L, U, S, panels):
    """S -= Lᵀ U: what a front leaves to its parent."""
    k, r = L.shape
    if r > FEW_LEFT:
        product = panels[: r * r].reshape(r, r)
        multiply(L.T, U, product)
        _subtract_all(S, product)
        return
    i = 0
    while i + 1 < r:
        subtract_from_both(S[i], S[i + 1], L[:, i], L[:, i + 1], U, 0, k, 0)
        i += 2
    if i < r:
        subtract(S[i], L[:, i], U, 0, k, 0)


@inline
def _subtract_all(A, B):
    """A -= B."""
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] -= B[i, j]


@heavy
def negative_pivots(tree, square):
    """How many pivots are below zero."""
    found = 0
    for f in range(len(tree.own)):
        k, begin = tree.own[f], tree.square_at[f]
        for i in range(k):
            if square[begin + i * k + i] < 0.0:
                found += 1
    return found
