"""Compiled part of ``projections``: where multipliers are projected to, and Newton's equations."""

from math import hypot, sqrt

from flexura._kernel import inline, kernel


@kernel
def project(W, b, rho, normal, friction, x, p, y):
    """Project λ - ρ w.

    Args:
        W: compliance, (n, n).
        b: gaps without multipliers, (n,).
        rho: ρ, (n,).
        normal: first rows of contacts with friction.
        friction: their coefficients.
        x: λ, (n,).
        p: projections, written, (n,).
        y: what is projected, written, (n,).

    Returns:
        By how much λ misses its projections, all together and the most of all; the largest of both.
    """
    for i in range(len(x)):
        total = b[i]
        for j in range(len(x)):
            total += W[i, j] * x[j]
        y[i] = x[i] - rho[i] * total
        p[i] = 0.0 if y[i] <= 0.0 else y[i]  # what is no number stays none
    for c in range(len(normal)):
        n = normal[c]
        size, allowed = hypot(y[n + 1], y[n + 2]), friction[c] * p[n]
        scale = allowed / size if size > allowed else 1.0
        p[n + 1], p[n + 2] = scale * y[n + 1], scale * y[n + 2]
    squares = most = largest = 0.0
    for i in range(len(x)):
        miss = abs(x[i] - p[i])
        squares += miss * miss
        most, largest = max(most, miss), max(largest, abs(x[i]), abs(p[i]))
    missed = sqrt(squares)
    if missed != missed:
        most = largest = missed
    return missed, most, largest


@kernel
def newton_equations(W, rho, normal, friction, x, p, y, A, right, own):
    """Newton's equations of the rows that are closed; those that are open end where they project.

    Args:
        W: compliance, (n, n).
        rho: ρ, (n,).
        normal: first rows of contacts with friction.
        friction: their coefficients.
        x: λ, (n,).
        p: projections, (n,).
        y: what was projected, (n,).
        A: matrix, its first m rows and columns are written, (n, n).
        right: right-hand side, its first m are written, (n,).
        own: the closed rows, its first m are written, (n,).

    Returns:
        How many are closed, m.
    """
    size = len(x)
    for i in range(size):
        own[i] = -1 if y[i] <= 0.0 else 0
    for n in normal:
        own[n + 1] = own[n + 2] = own[n]
    count = 0
    for i in range(size):
        if own[i] == 0:
            own[count] = i  # never beyond i
            count += 1
    for k in range(count):
        right[k] = p[own[k]] - x[own[k]]
        _fill(W, x, p, own, count, k, own[k], rho[own[k]], 0, 0.0, 0, 0.0, A, right)
    for c in range(len(normal)):
        n = normal[c]
        slid, allowed = hypot(y[n + 1], y[n + 2]), friction[c] * p[n]
        if y[n] <= 0.0 or slid <= allowed:
            continue
        k = _place(own, count, n)
        s, t, part, mu = y[n + 1] / slid, y[n + 2] / slid, allowed / slid, friction[c]
        for row, a, across in ((k + 1, s, t), (k + 2, t, -s)):
            right[row] = p[own[row]] - x[own[row]]
            turn = across * part
            _fill(
                W, x, p, own, count, row, n, mu * a * rho[n],
                n + 1, turn * t * rho[n + 1], n + 2, -turn * s * rho[n + 2], A, right,
            )  # fmt: skip
            A[row, row] += 1.0
            A[row, k] -= mu * a
            A[row, k + 1] -= turn * t
            A[row, k + 2] += turn * s
    return count


@inline
def _fill(W, x, p, own, count, k, i, a, j, c, l, d, A, right):
    """Row k is a W_i + c W_j + d W_l; what is open goes to the right-hand side."""
    next_one = 0
    for column in range(len(x)):
        value = a * W[i, column]
        if c != 0.0 or d != 0.0:
            value += c * W[j, column] + d * W[l, column]
        if next_one < count and own[next_one] == column:
            A[k, next_one] = value
            next_one += 1
        else:
            right[k] -= value * (p[column] - x[column])


@inline
def _place(own, count, row):
    """Where a row is among the closed ones."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if own[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low
