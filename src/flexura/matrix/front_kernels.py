"""Compiled part of ``fronts``: dense elimination front by front.

A front is a small dense matrix: rows and columns of the unknowns that are eliminated there, and of
those that they meet. Rows are exchanged among the former only.

    Tree     own, size: unknowns that are eliminated, and all; at: where its unknowns begin
    Factor   low (size x own): L below its diagonal of ones, U above;  up (own x rest): U
"""

from typing import NamedTuple

import numpy as np

from flexura._kernel import allocating, heavy, inline
from flexura.typing import Indices

# Columns that are eliminated before everything behind them is updated, by BLAS; and those that are
# before the others of these. Below so many rows nothing is worth a call of BLAS.
PANEL, STRIP = 32, 4
SMALL = 192


class Tree(NamedTuple):
    """Which unknowns are eliminated where; fronts follow their children.

    Attributes:
        own, size: unknowns that are eliminated in each front, and all of it, (m,).
        at: where its unknowns begin, (m + 1,).
        unknown: of all fronts, one after another; those that are eliminated first.
        child_count: children of each front, (m,).
        up: places of the unknowns that are left, in the front of the parent; as ``unknown``.
        entry_at: where the entries of the matrix that a front begins with begin, (m + 1,).
        entry, spot: these, and their places in the front.
        low_at, up_at: where the factors of a front begin, (m + 1,).
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
    low_at: Indices
    up_at: Indices


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
            scale[i] = 2.0 ** -np.floor(0.5 * np.log2(scale[i]))
        else:
            scale[i] = 1.0
    for j in range(len(scale)):
        own = scale[j]
        for e in range(pointer[j], pointer[j + 1]):
            data[e] = values[e] * scale[rows[e]] * own


@heavy
def factorise(tree, data, diagonal, low, up, pivots, front, stack, waiting, panels):
    """Eliminate all fronts; -1 where that is not possible, else how many rows were exchanged.

    A row is exchanged where the diagonal is smaller than a part of the largest.
    ``front`` has room for the largest front, ``stack`` for what ``waiting`` fronts left to their
    parents, and ``panels`` for three pieces of a front.
    """
    top = exchanged = count = 0
    for f in range(len(tree.own)):
        k, m = tree.own[f], tree.size[f]
        F = front[: m * m].reshape(m, m)
        F[:] = 0.0
        flat = front[: m * m]
        for e in range(tree.entry_at[f], tree.entry_at[f + 1]):
            flat[tree.spot[e]] += data[tree.entry[e]]
        for _ in range(tree.child_count[f]):
            count -= 1
            child = waiting[count]
            top -= (tree.size[child] - tree.own[child]) ** 2
            _add_child(tree, child, F, stack[top:])
        own = pivots[tree.at[f] : tree.at[f] + k]
        swaps = _eliminate(F, k, diagonal, own, panels)
        if swaps < 0:
            return -1
        exchanged += swaps
        begin, beside = tree.low_at[f], tree.up_at[f]
        for i in range(m):
            for j in range(k):
                low[begin + i * k + j] = F[i, j]
        r = m - k
        for i in range(k):
            for j in range(r):
                up[beside + i * r + j] = F[i, k + j]
        for i in range(r):
            for j in range(r):
                stack[top + i * r + j] = F[k + i, k + j]
        top += r * r
        waiting[count] = f
        count += 1
    return exchanged


@inline
def _add_child(tree, child, F, left):
    """Add what a child left to the front of its parent."""
    k, m = tree.own[child], tree.size[child]
    r = m - k
    place = tree.up[tree.at[child] + k : tree.at[child] + m]
    for i in range(r):
        row = F[place[i]]
        for j in range(r):
            row[place[j]] += left[i * r + j]


@inline
def _eliminate(F, k, diagonal, pivots, panels):
    """LU of the first k columns, with exchanges among the first k rows; their number, or -1.

    Strip by strip; where rows are many, columns behind a panel wait for all of it, in all rows, as
    any two of them may be exchanged.
    """
    m, swaps = len(F), 0
    many = m > SMALL
    for a in range(0, k, PANEL):
        b = min(a + PANEL, k)
        end = b if many else m
        for s in range(a, b, STRIP):
            e = min(s + STRIP, b)
            exchanged = _eliminate_strip(F, s, e, k, diagonal, pivots)
            if exchanged < 0:
                return -1
            swaps += exchanged
            for i in range(s + 1, e):
                _subtract_rows(F, i, s, i, e, end)
            for i in range(e, m):
                _subtract_rows(F, i, s, e, e, end)
        if many:
            for i in range(a + 1, b):
                _subtract_rows(F, i, a, i, b, m)
            _update(F, a, b, panels)
    return swaps


@inline
def _eliminate_strip(F, s, e, k, diagonal, pivots):
    """LU of the columns s to e alone; how many rows were exchanged, or -1."""
    m, swaps = len(F), 0
    for j in range(s, e):
        p = _pivot(F, j, k, diagonal)
        if p < 0:
            return -1
        pivots[j] = p
        if p != j:
            swaps += 1
            for c in range(m):
                F[j, c], F[p, c] = F[p, c], F[j, c]
        inverse = 1.0 / F[j, j]
        for i in range(j + 1, m):
            l = F[i, j] * inverse
            F[i, j] = l
            for c in range(j + 1, e):
                F[i, c] -= l * F[j, c]
    return swaps


@inline
def _subtract_rows(F, i, first, last, begin, end):
    """F[i, begin:end] -= F[i, first:last] F[first:last, begin:end], four rows at once."""
    row, j = F[i, begin:end], first
    while j + STRIP <= last:
        a, b, c, d = F[i, j], F[i, j + 1], F[i, j + 2], F[i, j + 3]
        A, B = F[j, begin:end], F[j + 1, begin:end]
        C, D = F[j + 2, begin:end], F[j + 3, begin:end]
        for q in range(len(row)):
            row[q] -= a * A[q] + b * B[q] + c * C[q] + d * D[q]
        j += STRIP
    while j < last:
        a, A = F[i, j], F[j, begin:end]
        for q in range(len(row)):
            row[q] -= a * A[q]
        j += 1


@inline
def _pivot(F, j, k, diagonal):
    """The row to be eliminated with: the diagonal, where it is not small; -1 for none."""
    own = largest = abs(F[j, j])
    p = j
    for i in range(j + 1, k):
        if abs(F[i, j]) > largest:
            largest, p = abs(F[i, j]), i
    if own < diagonal * largest:
        own, j = largest, p
    return j if own > 0.0 and np.isfinite(own) else -1


@inline
def _update(F, a, b, panels):
    """F[b:, b:] -= F[b:, a:b] F[a:b, b:]."""
    m = len(F)
    r, w = m - b, b - a
    if r == 0:
        return
    left = panels[: r * w].reshape(r, w)
    right = panels[r * w : 2 * r * w].reshape(w, r)
    product = panels[2 * r * w : 2 * r * w + r * r].reshape(r, r)
    for i in range(r):
        for j in range(w):
            left[i, j] = F[b + i, a + j]
    for i in range(w):
        for j in range(r):
            right[i, j] = F[a + i, b + j]
    multiply(left, right, product)
    for i in range(r):
        for j in range(r):
            F[b + i, b + j] -= product[i, j]


@heavy
def negative_pivots(tree, low):
    """How many pivots are below zero."""
    found = 0
    for f in range(len(tree.own)):
        k, begin = tree.own[f], tree.low_at[f]
        for i in range(k):
            if low[begin + i * k + i] < 0.0:
                found += 1
    return found
