"""What contacts hold up: inputs beyond, from where slopes lead on again.

What slid sticks as soon as it turns around, and until it slides again it may press harder the less
it is pulled; what touches at one place touches at another. So there are forces that no small change
leads to. A search that ends there begins again away from it, on both sides.
"""

import numpy as np

from flexura.result.inverse import InverseStatus
from flexura.solve.inverse.search import Search

# How far away, relative to the scale of the inputs; with so many equilibria each.
LEAPS, EACH = (0.1, 0.3), 10
# What ends this near to where it was came back; what is better by this part is worth to go on.
BACK, WORTH = 1e-3, 1e-2


def leapt(search: Search) -> Search:
    """The best of searches from beyond, and this one."""
    best, way, budget = search, search.way(), search.budget
    if way is None:
        return best
    for side in (1.0, -1.0):
        for length in LEAPS:
            low, high = search.limits()
            place = search.probe(np.clip(side * length * way, low, high))
            if place is None:
                continue
            own = budget.without(budget.most - budget.used - EACH)
            other = Search(search.question, place, own)
            other.approach()
            budget.used, other.budget = own.used, budget
            if other.status is InverseStatus.REACHED:
                return other
            if search.merit(other.place) < search.merit(best.place) - search.part(WORTH):
                best = other
            if np.abs(search.to(other.place)).max() <= BACK:
                break
    if best is not search:
        best.approach()
    return best
