"""What contacts hold up: inputs beyond, from where slopes lead on again.

What slid sticks as soon as it turns around, and until it slides again it may press harder the less
it is pulled; what touches at one place touches at another. So there are forces that no small change
leads to: forces fold over the inputs. A search that ends at a fold begins again away from it, on
all sides, then away from its start; of one input only on the side that was left behind, where
something presses too hard: forces may fall whichever way it goes, and are led to on one side.
"""

import numpy as np

from flexura.result.inverse import InverseStatus
from flexura.solve.inverse.place import Place
from flexura.solve.inverse.search import Search
from flexura.typing import Array, Matrix

# How far away, relative to the scale of the inputs; with so many equilibria each.
LEAPS, EACH = (0.1, 0.3), 10
# What ends this near to where it was came back; what is better by this part is worth to go on.
BACK, WORTH = 1e-3, 1e-2


def leapt(search: Search, start: Place) -> Search:
    """The best of searches from beyond where one ended, from around its start, and this one."""
    best, there = search, Search(search.question, start, search.budget)
    begins: list[tuple[Search, Array | None]] = [(search, None)]
    way = there.to(search.place)
    if len(way) > 1:
        begins.append((there, None))
    elif np.abs(way).max() > LEAPS[-1] and (search.place.tensions.high < 0.0).any():
        begins.append((there, way))  # a line: what presses too hard may be let go behind the start
    for begin, passed in begins:
        best = _around(begin, best, passed)
        if best.status is InverseStatus.REACHED:
            return best
    if best is not search:
        best.approach()
    return best


def _around(begin: Search, best: Search, passed: Array | None) -> Search:
    """The best of searches from around a place, and another one; not on a way that was passed."""
    budget = begin.budget
    low, high = begin.limits()
    for way in _ways(begin):
        for side in (1.0, -1.0):
            if passed is not None and not side * float(way @ passed) < 0.0:
                continue
            for length in LEAPS:
                place = begin.probe(np.clip(side * length * way, low, high))
                if place is None:
                    continue
                own = budget.without(budget.most - budget.used - EACH)
                other = Search(begin.question, place, own)
                other.approach()
                budget.used, other.budget = own.used, budget
                if other.status is InverseStatus.REACHED:
                    return other
                if best.merit(other.place) < best.merit(best.place) - best.part(WORTH):
                    best = other
                if np.abs(begin.to(other.place)).max() <= BACK:
                    break
    return best


def _ways(search: Search) -> Matrix:
    """Directions that do most to what is asked for, and across these, each with a largest number 1.

    Across a fold, forces on both sides of it are on one side of what they are on it: what leads
    beyond may do little to them.
    """
    place, scale = search.place, search.scale
    slope = place.slope * scale.change / place.result.model.length
    rows = np.concatenate([slope, scale.relative(place.tensions).matrix])
    ways = np.linalg.svd(rows)[2]
    return np.asarray(ways / np.abs(ways).max(axis=1, keepdims=True))
