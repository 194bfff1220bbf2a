"""How far elements of a rod turn, against what their description can tell."""

from math import acos, pi, sqrt

from flexura._kernel import kernel
from flexura.lie.kernels.vector import blend, cross, dot, vec
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
def turn_within(first: Strain, second: Strain, scale: Array) -> float:
    """Largest turn within Magnus steps that their mean strain does not see, over what they bear.

    The linear part of scale [first, second] is how far the end of a step moves aside, over its
    length: it grows with the square of the step, as the rotation within does, so that its root is
    compared.
    """
    largest = 0.0
    for k in range(len(scale)):
        x, y = vec(first[k], 0), vec(second[k], 0)
        aside = blend(1.0, cross(x, vec(second[k], 3)), 1.0, cross(vec(first[k], 3), y))
        largest = max(largest, scale[k] * sqrt(dot(aside, aside)))
    return sqrt(largest / ASIDE)


@kernel
def turn_by_tension(mean: Strain, rest_stretch: Array, scale: Array) -> float:
    """Root of the largest stretch of an element beyond its rest, times a scale."""
    largest = 0.0
    for k in range(len(scale)):
        largest = max(largest, scale[k] * (mean[k, 3] - rest_stretch[k]))
    return sqrt(largest)
