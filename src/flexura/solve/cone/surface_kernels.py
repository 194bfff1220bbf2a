"""Compiled part of the small problem: what joints and constraints hold along surfaces."""

from math import hypot

from flexura._kernel import inline, kernel

# What gives less than this part of what a contact would give but for what holds it is rounding.
ROUNDED = 1e-12


@kernel
def leave_to_others(W, b, normal, alone, still):
    """Let friction carry nothing in directions along surfaces that joints or constraints hold.

    How much of a load is theirs and how much is that of friction nothing but rounding would tell:
    of all forces that are possible these are the smallest. Where inputs move something along such a
    direction it slides.

    Args:
        W: compliance, changed, (n, n).
        b: gaps without multipliers, changed, (n,).
        normal: first rows of contacts with friction.
        alone: what each row gives where no constraint holds, (n,).
        still: ways that are rounding [m].
    """
    for n in normal:
        s, t = n + 1, n + 2
        most = max(abs(alone[n]), abs(alone[s]), abs(alone[t]))
        mean, half = 0.5 * (W[s, s] + W[t, t]), 0.5 * (W[s, s] - W[t, t])
        skew = 0.5 * (W[s, t] + W[t, s])
        turn = hypot(half, skew)
        more, less = abs(mean + turn) > ROUNDED * most, abs(mean - turn) > ROUNDED * most
        if more and less:
            continue
        u, v = _axis(half, skew, turn)  # gives mean + turn; across it, mean - turn
        slides = not (more or less) and hypot(b[s], b[t]) > still
        if not more:
            _leave(W, b, s, u, v, most, slides, still)
        if not less:
            _leave(W, b, s, -v, u, most, slides, still)


@inline
def _axis(half, skew, turn):
    """The axis of the positive eigenvalue of [[half, skew], [skew, -half]]."""
    if turn == 0.0:
        return 1.0, 0.0
    u, v = (turn + half, skew) if half >= 0.0 else (skew, turn - half)
    size = hypot(u, v)
    return u / size, v / size


@inline
def _leave(W, b, s, u, v, most, slides, still):
    """Let a direction along a surface know nothing of all others; it stays, or goes its way."""
    t = s + 1
    for j in range(len(b)):
        own = u * W[s, j] + v * W[t, j]
        W[s, j] -= u * own
        W[t, j] -= v * own
    for j in range(len(b)):
        own = u * W[j, s] + v * W[j, t]
        W[j, s] -= u * own
        W[j, t] -= v * own
    way = u * b[s] + v * b[t]
    give = most
    if slides or abs(way) > still:
        give = ROUNDED * most
    else:
        b[s] -= u * way
        b[t] -= v * way
    W[s, s] += give * u * u
    W[s, t] += give * u * v
    W[t, s] += give * u * v
    W[t, t] += give * v * v
