"""How far elements of a rod turn, against what the rotation between two nodes can tell."""

from math import acos, pi

from flexura._kernel import kernel
from flexura.typing import Indices, Pose


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
