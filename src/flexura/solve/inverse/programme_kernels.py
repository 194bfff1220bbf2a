"""Compiled part of ``programme``: whether anything is in the way."""

from flexura._kernel import kernel


@kernel
def all_move(least, most):
    """Whether bounds leave all numbers some room."""
    some = True
    for i in range(len(least)):
        some &= most[i] > least[i]
    return some


@kernel
def within(x, least, most, matrix, low, high):
    """Whether numbers are within their bounds, and so are combinations of them."""
    for i in range(len(x)):
        if not least[i] <= x[i] <= most[i]:
            return False
    for k in range(len(low)):
        value = 0.0
        for i in range(len(x)):
            value += matrix[k, i] * x[i]
        if not low[k] <= value <= high[k]:
            return False
    return True
