"""How far elements of a rod turn, against what their description can tell."""

from math import acos, pi, sqrt

from flexura._kernel import kernel
from flexura.lie.kernels.vector import Vec, blend, cross, dot, vec
from flexura.typing import Array, Indices, Pose, Strain

# The commutator of a fourth-order Magnus step moves its end aside by this much of its length where
# the series stops to be of use: the ends get further apart than the step is long (theory 6.3).
ASIDE = 2.0 / 3.0


@kernel
def turn_between(nodes: Pose, rod_nodes: Indices) -> float:
    """Largest rotation between neighbouring nodes of a rod, over half a turn."""
    smallest = 1.0
    for rod in range(len(rod_nodes) - 1):
        for n in range(rod_nodes[rod] + 1, rod_nodes[rod + 1]):
            trace = 0.0
            for i in range(3):
                for j in range(3):
                    trace += nodes[n - 1, i, j] * nodes[n, i, j]
            smallest = min(smallest, 0.5 * (trace - 1.0))
    return acos(max(smallest, -1.0)) / pi


@kernel
def _aside(first: Array, second: Array) -> Vec:
    """The linear part of [first, second], of strains at the two points of a step."""
    x, y = vec(first, 0), vec(second, 0)
    return blend(1.0, cross(x, vec(second, 3)), 1.0, cross(vec(first, 3), y))


@kernel
def turn_within(first: Strain, second: Strain, scale: Array) -> float:
    """Largest turn within Magnus steps that their mean strain does not see, over what they bear.

    The linear part of scale [first, second] is how far the end of a step moves aside, over its
    length: it grows with the square of the step, as the rotation within does, so that its root is
    compared.
    """
    largest = 0.0
    for k in range(len(scale)):
        aside = _aside(first[k], second[k])
        largest = max(largest, scale[k] * sqrt(dot(aside, aside)))
    return sqrt(largest / ASIDE)


@kernel
def turn_by_gain(
    strain: Strain, rest: Strain, stiffness: Array, step: Array, scale: Array, begin: Indices
) -> float:
    """Fourth root of the work that tension does on rods by the errors of their steps, over theirs.

    What moves the end of a step aside by a part a of its length h, beyond where it is at rest and
    without strain, brings it further away by a²/2 of it. By that the tension N gains N h a²/2,
    which grows with the fourth power of the step: steps that bend to and fro for it gain more than
    all energy of the rod.

    Args:
        strain: at the two points of each step, one after the other, (2 n, 6).
        rest: the same, of the unloaded rods.
        stiffness: of the sections in the middle of steps, (n, 6).
        step: h of each [m].
        scale: that of ``turn_within``, for each step.
        begin: the first step of each rod, and the end of the last.
    """
    largest = 0.0
    for rod in range(len(begin) - 1):
        gained = energy = 0.0
        for k in range(begin[rod], begin[rod + 1]):
            first, second = strain[2 * k], strain[2 * k + 1]
            aside = blend(1.0, _aside(first, second), -1.0, _aside(rest[2 * k], rest[2 * k + 1]))
            a = scale[k] * scale[k] * dot(aside, aside)
            stretch = first[3] - rest[2 * k, 3] + second[3] - rest[2 * k + 1, 3]
            gained += 0.25 * step[k] * stiffness[k, 3] * max(stretch, 0.0) * a
            for c in range(6):
                for p in range(2):
                    bent = strain[2 * k + p, c] - rest[2 * k + p, c]
                    energy += 0.25 * step[k] * stiffness[k, c] * bent * bent
        if gained > 0.0:
            largest = max(largest, gained / energy)
    return sqrt(sqrt(largest))


@kernel
def turn_of_steps(
    strain: Strain, rest: Strain, stiffness: Array, step: Array, scale: Array, begin: Indices
) -> float:
    """The larger of ``turn_within`` and ``turn_by_gain``."""
    within = turn_within(strain[0::2], strain[1::2], scale)
    return max(within, turn_by_gain(strain, rest, stiffness, step, scale, begin))


@kernel
def turn_by_tension(mean: Strain, rest_stretch: Array, scale: Array) -> float:
    """Root of the largest stretch of an element beyond its rest, times a scale."""
    largest = 0.0
    for k in range(len(scale)):
        largest = max(largest, scale[k] * (mean[k, 3] - rest_stretch[k]))
    return sqrt(largest)
