"""Compiled part of ``fronts``: solutions by the factors of all fronts, and what they leave."""

import numpy as np

from flexura._kernel import heavy, inline, kernel, summing
from flexura.matrix.front_kernels import multiply

# So many columns are solved one by one.
FEW = 2
# A solution that misses by no more than this is not improved; nor is one so many times.
EXACT, MOST = 1e-13, 4


@heavy
def improve(
    tree, low, up, pivots, data, pointer, rows, right, x, left, work, transposed, most
):  # fmt: skip
    """Add to x, (n, c), what is left of it, until it is exact, or most times; what it misses by.

    ``left`` is what is left of ``right``; see ``_leave``.
    """
    worst = np.inf
    for _ in range(most):
        if transposed:
            _solve_transposed(tree, low, up, pivots, left, work)
        else:
            _solve(tree, low, up, pivots, left, work)
        for i in range(x.shape[0]):
            for q in range(x.shape[1]):
                x[i, q] += left[i, q]
        before, worst = worst, _leave(data, pointer, rows, x, right, left, transposed)
        if worst <= EXACT or not worst < 0.5 * before:
            break
    return worst


@kernel
def _solve(tree, low, up, pivots, x, work):
    """Solve for the rows of x, (n, c), in place; ``work`` has room for two pieces of them."""
    c = x.shape[1]
    for f in range(len(tree.own)):
        k, m, L, _ = _factors(tree, f, low, up)
        unknown, own = tree.unknown[tree.at[f] : tree.at[f] + m], pivots[tree.at[f] :]
        if c <= FEW:
            for q in range(c):
                _forward(L, unknown, own, x[:, q], work[:k])
            continue
        y = work[: k * c].reshape(k, c)
        _gather(unknown[:k], x, y)
        for i in range(k):
            p = own[i]
            if p != i:
                for q in range(c):
                    y[i, q], y[p, q] = y[p, q], y[i, q]
        for i in range(k):
            for j in range(i):
                for q in range(c):
                    y[i, q] -= L[i, j] * y[j, q]
        _scatter(unknown[:k], y, x)
        if m > k:
            rest = work[k * c : m * c].reshape(m - k, c)
            multiply(L[k:], y, rest)
            _subtract(unknown[k:], rest, x)
    for f in range(len(tree.own) - 1, -1, -1):
        k, m, L, U = _factors(tree, f, low, up)
        unknown = tree.unknown[tree.at[f] : tree.at[f] + m]
        if c <= FEW:
            for q in range(c):
                _backward(L, U, unknown, x[:, q], work[:k], work[k:m])
            continue
        y = work[: k * c].reshape(k, c)
        if m > k:
            rest = work[k * c : m * c].reshape(m - k, c)
            _gather(unknown[k:], x, rest)
            multiply(U, rest, y)
            _subtract(unknown[:k], y, x)
        _gather(unknown[:k], x, y)
        for i in range(k - 1, -1, -1):
            for j in range(i + 1, k):
                for q in range(c):
                    y[i, q] -= L[i, j] * y[j, q]
            for q in range(c):
                y[i, q] /= L[i, i]
        _scatter(unknown[:k], y, x)


@summing
def _dot(a, b):
    """a · b."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@inline
def _forward(L, unknown, pivots, x, y):
    """Solve with L of a front for one column; ``y`` has room for what is eliminated there."""
    k = len(y)
    for i in range(k):
        y[i] = x[unknown[i]]
    for i in range(k):
        p = pivots[i]
        if p != i:
            y[i], y[p] = y[p], y[i]
    for i in range(k):
        y[i] -= _dot(L[i, :i], y[:i])
        x[unknown[i]] = y[i]
    for i in range(k, len(unknown)):
        x[unknown[i]] -= _dot(L[i], y)


@inline
def _backward(L, U, unknown, x, y, rest):
    """Solve with U of a front for one column."""
    k = len(y)
    for i in range(k):
        y[i] = x[unknown[i]]
    for i in range(len(rest)):
        rest[i] = x[unknown[k + i]]
    for i in range(k - 1, -1, -1):
        total = y[i] - _dot(U[i], rest) - _dot(L[i, i + 1 :], y[i + 1 :])
        y[i] = total / L[i, i]
        x[unknown[i]] = y[i]


@kernel
def _solve_transposed(tree, low, up, pivots, x, work):
    """The same of the transposed matrix: Uᵀ, then Lᵀ."""
    c = x.shape[1]
    for f in range(len(tree.own)):
        k, m, L, U = _factors(tree, f, low, up)
        unknown = tree.unknown[tree.at[f] : tree.at[f] + m]
        y = work[: k * c].reshape(k, c)
        _gather(unknown[:k], x, y)
        for i in range(k):
            for q in range(c):
                y[i, q] /= L[i, i]
            for j in range(i + 1, k):
                for q in range(c):
                    y[j, q] -= L[i, j] * y[i, q]
        _scatter(unknown[:k], y, x)
        if m > k:
            rest = work[k * c : m * c].reshape(m - k, c)
            multiply(U.T, y, rest)
            _subtract(unknown[k:], rest, x)
    for f in range(len(tree.own) - 1, -1, -1):
        k, m, L, _ = _factors(tree, f, low, up)
        unknown = tree.unknown[tree.at[f] : tree.at[f] + m]
        y = work[: k * c].reshape(k, c)
        if m > k:
            rest = work[k * c : m * c].reshape(m - k, c)
            _gather(unknown[k:], x, rest)
            multiply(L[k:].T, rest, y)
            _subtract(unknown[:k], y, x)
        _gather(unknown[:k], x, y)
        for i in range(k - 1, -1, -1):
            for j in range(i):
                for q in range(c):
                    y[j, q] -= L[i, j] * y[i, q]
        for i in range(k - 1, -1, -1):
            p = pivots[tree.at[f] + i]
            if p != i:
                for q in range(c):
                    y[i, q], y[p, q] = y[p, q], y[i, q]
        _scatter(unknown[:k], y, x)


@inline
def _factors(tree, f, low, up):
    """Sizes and factors of a front."""
    k, m = tree.own[f], tree.size[f]
    L = low[tree.low_at[f] : tree.low_at[f + 1]].reshape(m, k)
    U = up[tree.up_at[f] : tree.up_at[f + 1]].reshape(k, m - k)
    return k, m, L, U


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
def _subtract(unknown, y, x):
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
