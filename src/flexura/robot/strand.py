"""Strands: rods that are joined end to end, which are one rod that was cut."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.robot.graph import Graph
from flexura.robot.rod import Rod


def longest_strand(graph: Graph, rods: Mapping[str, Rod]) -> float:
    """The length of the longest strand [m]; 0 without rods.

    Rods go on in each other where two ends, and nothing of the world, meet in a joint.
    """
    number = {name: i for i, name in enumerate(rods)}
    pairs = [pair for pair in _meetings(graph) if all(name in number for name in pair)]
    n, ends = len(rods), np.array([[number[x] for x in pair] for pair in pairs], dtype=int)
    a, b = ends.reshape(-1, 2).T
    count, strand = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(n, n)))
    lengths = np.bincount(strand, [rod.length for rod in rods.values()], minlength=count)
    return float(lengths.max(initial=0.0))


def _meetings(graph: Graph) -> list[list[str]]:
    """The two rods of each place where ends of two rods meet."""
    number = {anchor: i for i, group in enumerate(graph.groups) for anchor in group.frames}
    pairs = np.array([[number[joint.a], number[joint.b]] for joint in graph.free], dtype=int)
    a, b = pairs.reshape(-1, 2).T
    n = len(graph.groups)
    count, knot = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(n, n)))
    meeting: list[list[str]] = [[] for _ in range(count)]
    for anchor, i in number.items():
        if anchor.on_rod or anchor.is_world:
            meeting[knot[i]].append(anchor.part)
    return [x for x in meeting if len(x) == len(set(x)) == 2]
