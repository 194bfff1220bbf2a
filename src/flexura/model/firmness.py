"""How firm a robot is at each of its unknowns, beside its firmest rods.

Rounding in the forces of a steel bar says nothing about a silicone thread beside it, or on its end:
what is free, what balances and how much of a motion is none is told there by what the thread can
exert. An unknown of a rod is as firm as the rods that it moves; a body and what a joint carries are
as firm as what they are joined to.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexura.model.layout import Layout
from flexura.model.part import Part
from flexura.model.term import Term
from flexura.typing import Array, frozen

# Rods that are softer still count as so soft: beyond that, numbers would be lost.
SOFTEST = 1e-24


def firmness(layout: Layout, parts: Sequence[Part], terms: Sequence[Term], largest: float) -> Array:
    """Stiffness that acts on each unknown, relative to the largest one, (n_dof,).

    Args:
        layout: of the unknowns.
        parts: rods.
        terms: what acts on nodes, and joins them.
        largest: stiffness of all rods [N].
    """
    found = np.zeros(layout.n_dof)
    _add_rods(layout, parts, largest, found)
    _add_joined(layout, terms, found)
    return frozen(np.where(found > 0.0, np.maximum(found, SOFTEST), 1.0))


def _add_rods(layout: Layout, parts: Sequence[Part], largest: float, found: Array) -> None:
    """What the rods of each node exert, by poses and by what is stored with it."""
    for part in parts:
        own = np.repeat(part.stiffness / largest, np.diff(part.group.rod_nodes))
        dof, inner = layout.dof[part.nodes], layout.inner_dof[part.nodes]
        held, size = dof >= 0, layout.inner_size[part.nodes]
        np.maximum.at(found, dof[held, None] + np.arange(6), own[held, None])
        before = np.cumsum(size) - size
        rows = np.repeat(inner - before, size) + np.arange(size.sum())
        np.maximum.at(found, rows, np.repeat(own, size))


def _add_joined(layout: Layout, terms: Sequence[Term], found: Array) -> None:
    """Of bodies, and of the unknowns of joints, by what these join."""
    places = np.append(layout.pose_dof, layout.n_dof)  # the last is the world
    firm = np.append(found, 0.0)[places]
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for term in terms:
        nodes = layout.coordinate[term.nodes]
        pairs += [nodes[:, [0, k]] for k in range(1, nodes.shape[1])]
    a, b = np.concatenate(pairs).T
    bare = firm == 0.0
    bare[-1] = False
    # bodies that hang together without a rod between are one
    between = bare[a] & bare[b]
    graph = coo_array((np.ones(between.sum()), (a[between], b[between])), shape=2 * (len(firm),))
    _, group = connected_components(graph, directed=False)
    most = np.zeros(group.max(initial=-1) + 1)
    for one, other in ((a, b), (b, a)):
        np.maximum.at(most, group[one], np.where(bare[one], firm[other], 0.0))
    firm = np.where(bare, most[group], firm)
    np.maximum.at(found, layout.pose_dof[:, None] + np.arange(6), firm[:-1, None])
    for term, rows in zip(terms, layout.term_rows, strict=True):
        ends = firm[layout.coordinate[term.nodes]].max(axis=1, initial=0.0)
        found[rows] = np.repeat(ends, term.brings)
