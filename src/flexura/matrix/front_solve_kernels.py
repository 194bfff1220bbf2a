"""Compiled part of ``fronts``: solutions by the factors of all fronts, and what they leave.

Transposed, up is low and low is up, and both halves of the square part change their order.
"""

import numpy as np

from flexura._kernel import heavy, inline, kernel, summing
from flexura.matrix.front_kernels import Factors, multiply, parts, subtract

# So many columns are solved one by one.
FEW = 2
# A solution that misses by no more than this is not improved; nor is one so many times.
EXACT, MOST = 1e-13, 4


@heavy
def improve(
    tree, square, low, up, pivots, data, pointer, rows, right, x, left, work, transposed, most
):  # fmt: skip
    """Add to x what is left of it, until it is exact, or most times; what it misses by, relative.

    ``left`` is what is left of ``right``, see ``_leave``; ``work`` has room for as much.
    """
    factors = Factors(square, low, up, pivots)
    worst = np.inf
    for _ in range(most):
        _solve(tree, factors, left, work.reshape(work.size), transposed)
        for i in range(x.shape[0]):
            for q in range(x.shape[1]):
                x[i, q] += left[i, q]
        before, worst = worst, _leave(data, pointer, rows, x, right, left, transposed)
        if worst <= EXACT or not worst < 0.5 * before:
            break
    return worst


@kernel
def _solve(tree, factors, x, work, transposed):
    """Solve for the rows of x, (n, c), in place: all fronts forward, then backward."""
    c, n = x.shape[1], len(tree.own)
    for turn in range(2 * n):
        back = turn >= n
        f = 2 * n - 1 - turn if back else turn
        D, L, U = parts(tree, f, factors)
        k, m = tree.own[f], tree.size[f]
        unknown = tree.unknown[tree.at[f] : tree.at[f] + m]
        pivots = factors.pivots[tree.at[f] : tree.at[f] + k]
        beside = U if back != transposed else L
        if c <= FEW:
            for q in range(c):
                y, rest = work[:k], work[k:m]
                _gather_one(unknown, x[:, q], y, rest)
                if back:
                    _backward(D, beside, pivots, y, rest, transposed)
                    _scatter_one(unknown, y, rest[:0], x[:, q])
                else:
                    _forward(D, beside, pivots, y, rest, transposed)
                    _scatter_one(unknown, y, rest, x[:, q])
        elif back:
            _backward_all(D, beside, unknown, pivots, x, work, transposed)
        else:
            _forward_all(D, beside, unknown, pivots, x, work, transposed)


@summing
def _dot(a, b):
    """a · b."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@inline
def _forward(D, below, pivots, y, rest, transposed):
    """Solve with L of a front, or Uᵀ, for one column, and take it from the rest."""
    k = len(y)
    if transposed:
        for i in range(k):
            y[i] = (y[i] - _dot(D[i, :i], y[:i])) / D[i, i]
    else:
        for i in range(k):
            p = pivots[i]
            if p != i:
                y[i], y[p] = y[p], y[i]
        for i in range(k - 1):
            subtract(y[i + 1 :], y, D, i, i + 1, i + 1)
    subtract(rest, y, below, 0, k, 0)


@inline
def _backward(D, beside, pivots, y, rest, transposed):
    """Solve with U of a front, or Lᵀ, for one column, where the rest is known."""
    k = len(y)
    for i in range(k):
        y[i] -= _dot(beside[i], rest)
    if transposed:
        for i in range(k - 1, -1, -1):
            y[i] -= _dot(D[i, i + 1 :], y[i + 1 :])
        for i in range(k - 1, -1, -1):
            p = pivots[i]
            if p != i:
                y[i], y[p] = y[p], y[i]
    else:
        for i in range(k - 1, -1, -1):
            y[i] /= D[i, i]
            subtract(y[:i], y, D, i, i + 1, 0)


@inline
def _forward_all(D, below, unknown, pivots, x, work, transposed):
    """The same for all columns at once."""
    k, m, c = len(D), len(unknown), x.shape[1]
    y = work[: k * c].reshape(k, c)
    _gather(unknown[:k], x, y)
    if transposed:
        for i in range(k):
            for j in range(i):
                _take(y, i, D[i, j], j)
            for q in range(c):
                y[i, q] /= D[i, i]
    else:
        for i in range(k):
            _exchange(y, i, pivots[i])
        for j in range(k):
            for i in range(j + 1, k):
                _take(y, i, D[j, i], j)
    _scatter(unknown[:k], y, x)
    if m > k:
        rest = work[k * c : m * c].reshape(m - k, c)
        multiply(below.T, y, rest)
        _subtract_rows(unknown[k:], rest, x)


@inline
def _backward_all(D, beside, unknown, pivots, x, work, transposed):
    """The same for all columns at once."""
    k, m, c = len(D), len(unknown), x.shape[1]
    y = work[: k * c].reshape(k, c)
    if m > k:
        rest = work[k * c : m * c].reshape(m - k, c)
        _gather(unknown[k:], x, rest)
        multiply(beside, rest, y)
        _subtract_rows(unknown[:k], y, x)
    _gather(unknown[:k], x, y)
    if transposed:
        for i in range(k - 1, -1, -1):
            for j in range(i + 1, k):
                _take(y, i, D[i, j], j)
        for i in range(k - 1, -1, -1):
            _exchange(y, i, pivots[i])
    else:
        for j in range(k - 1, -1, -1):
            for q in range(c):
                y[j, q] /= D[j, j]
            for i in range(j):
                _take(y, i, D[j, i], j)
    _scatter(unknown[:k], y, x)


@inline
def _take(y, i, part, j):
    """A part of row j from row i."""
    for q in range(y.shape[1]):
        y[i, q] -= part * y[j, q]


@inline
def _exchange(y, i, p):
    """Exchange two rows."""
    if p != i:
        for q in range(y.shape[1]):
            y[i, q], y[p, q] = y[p, q], y[i, q]


@inline
def _gather_one(unknown, x, y, rest):
    k = len(y)
    for i in range(k):
        y[i] = x[unknown[i]]
    for i in range(len(rest)):
        rest[i] = x[unknown[k + i]]


@inline
def _scatter_one(unknown, y, rest, x):
    k = len(y)
    for i in range(k):
        x[unknown[i]] = y[i]
    for i in range(len(rest)):
        x[unknown[k + i]] = rest[i]


@inline
def _gather(unknown, x, y):
    for i in range(len(unknown)):
        for q in range(x.shape[1]):
            y[i, q] = x[unknown[i], q]


@inline
def _scatter(unknown, y, x):
    for i in range(len(unknown)):
        for q in range(x.shape[1]):
            x[unknown[i], q] = y[i, q]


@inline
def _subtract_rows(unknown, y, x):
    for i in range(len(unknown)):
        for q in range(x.shape[1]):
            x[unknown[i], q] -= y[i, q]


@kernel
def _leave(data, pointer, rows, x, right, left, transposed):
    """left = right - A x, or Aᵀ x; the largest entry, relative to those of x and right."""
    n, c = x.shape
    for i in range(n):
        for q in range(c):
            left[i, q] = right[i, q]
    if c <= FEW:
        for q in range(c):
            _leave_one(data, pointer, rows, x[:, q], left[:, q], transposed)
    else:
        for j in range(n):
            for e in range(pointer[j], pointer[j + 1]):
                a, i = data[e], rows[e]
                own, other = (left[j], x[i]) if transposed else (left[i], x[j])
                for q in range(c):
                    own[q] -= a * other[q]
    worst = 0.0
    for q in range(c):
        missed = size = 0.0
        for i in range(n):
            missed = max(missed, abs(left[i, q]))
            size = max(size, abs(x[i, q]), abs(right[i, q]))
        if missed > worst * size:
            worst = missed / size
    return worst


@inline
def _leave_one(data, pointer, rows, x, left, transposed):
    """left -= A x, or Aᵀ x, of one column."""
    for j in range(len(x)):
        if transposed:
            total = 0.0
            for e in range(pointer[j], pointer[j + 1]):
                total += data[e] * x[rows[e]]
            left[j] -= total
        else:
            own = x[j]
            for e in range(pointer[j], pointer[j + 1]):
                left[rows[e]] -= data[e] * own
