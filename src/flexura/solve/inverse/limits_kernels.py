"""Compiled part of ``limits``: loops over the numbers that are chosen.

Symbols as ``Choice`` has them: ``places`` among all given values, ``plain`` for numbers that are no
twists of poses, ``gone`` the change of all inputs since steps are counted.
"""

from flexura._kernel import inline, kernel


@inline
def _at(values, places, plain, i):
    """A number as its bounds see it: twists are counted from where their pose is."""
    return values[places[i]] if plain[i] else 0.0


@kernel
def confine(values, places, least, most):
    """Numbers within their bounds."""
    for i in range(len(places)):
        values[places[i]] = min(max(values[places[i]], least[i]), most[i])


@kernel
def room(values, gone, places, plain, least, most, stride, low, high):
    """How much each number may fall and rise, from zero down and up."""
    for i in range(len(places)):
        at, way = _at(values, places, plain, i), gone[places[i]]
        low[i] = min(max(least[i] - at, -stride[i] - way), 0.0)
        high[i] = max(min(most[i] - at, stride[i] - way), 0.0)


@kernel
def touching(values, gone, places, plain, least, most, near, stride, part, found):
    """Which bounds hold, 1 for the least, 2 for the most, and steps, likewise; how many do.

    ``near`` is how near numbers are to bounds that hold, and ``part`` of a stride to one that does.
    """
    count = 0
    for i in range(len(places)):
        at, way = _at(values, places, plain, i), gone[places[i]]
        found[0, i] = found[1, i] = 0
        if at - least[i] <= near[0, i]:
            found[0, i] = 1
        elif most[i] - at <= near[1, i]:
            found[0, i] = 2
        if stride[i] - abs(way) <= part * stride[i] and stride[i] < float("inf"):
            found[1, i] = 1 if way < 0.0 else 2
        count += (found[0, i] > 0) + (found[1, i] > 0)
    return count
