"""Compiled part of ``coulomb``: block Gauss-Seidel, contact by contact [Duriez2006]."""

from math import sqrt

from flexura._kernel import inline, kernel


@inline
def _gap(W, b, x, i):
    """w_i."""
    total = b[i]
    for j in range(len(x)):
        total += W[i, j] * x[j]
    return total


@kernel
def gauss_seidel(W, b, single, normal, friction, x, sweeps, enough):
    """Sweep until changes are below a part of the largest multiplier; how often.

    Args:
        W: compliance, (n, n).
        b: gaps without multipliers, (n,).
        single: rows that must not be negative.
        normal: first rows of contacts with friction.
        friction: their coefficients.
        x: multipliers, a guess at first.
        sweeps: at most.
        enough: the part.
    """
    for sweep in range(sweeps):
        change = size = 0.0
        for i in single:
            if W[i, i] <= 0.0:
                continue
            new = max(0.0, x[i] - _gap(W, b, x, i) / W[i, i])
            change, size = max(change, abs(new - x[i])), max(size, new)
            x[i] = new
        for c in range(len(normal)):
            n = normal[c]
            if W[n, n] <= 0.0:
                continue
            new = max(0.0, x[n] - _gap(W, b, x, n) / W[n, n])
            change, size = max(change, abs(new - x[n])), max(size, new)
            x[n] = new
            change = max(change, _rub(W, b, x, n, friction[c] * new))
        if change <= enough * size:
            return sweep + 1
    return sweeps


@inline
def _rub(W, b, x, n, allowed):
    """Stick if the force is allowed, else slide; how much the force has changed."""
    s, t = n + 1, n + 2
    ws, wt = _gap(W, b, x, s), _gap(W, b, x, t)
    det = W[s, s] * W[t, t] - W[s, t] * W[t, s]
    a, c = x[s], x[t]
    if det > 0.0:
        a -= (W[t, t] * ws - W[s, t] * wt) / det
        c -= (W[s, s] * wt - W[t, s] * ws) / det
    if det <= 0.0 or a * a + c * c > allowed * allowed:
        give = W[s, s] + W[t, t]
        a, c = x[s], x[t]
        if give > 0.0:
            a, c = x[s] - ws / give, x[t] - wt / give
        size = sqrt(a * a + c * c)
        if size > allowed:
            a, c = allowed * a / size, allowed * c / size
    change = max(abs(a - x[s]), abs(c - x[t]))
    x[s], x[t] = a, c
    return change
