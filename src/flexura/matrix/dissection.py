"""Nested dissection: what separates a graph is eliminated behind what it separates [George1973].

Separators are levels: nodes as far as each other from one end of the graph.
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from flexura.typing import Indices

# Parts with no more nodes are not cut again.
SMALL = 100
# Each of two parts has at least this part of the nodes; of such cuts a small one is taken, and of
# small ones one in the middle.
LEAST, EVEN = 0.2, 2.0
# So often a farther end is looked for.
ROUNDS = 3


def dissected(graph: csr_array) -> tuple[Indices, list[Indices]]:
    """Nodes that are in no separator, and separators, each behind those of the parts it leaves.

    Args:
        graph: symmetric, with ones where nodes meet.
    """
    inner, separators, waiting = [], [], [np.arange(graph.shape[0])]
    while waiting:
        nodes = waiting.pop()
        cut = _cut(csr_array(graph[nodes][:, nodes])) if len(nodes) > SMALL else None
        if cut is None:
            inner.append(nodes)
        else:
            waiting += [nodes[cut < 0], nodes[cut > 0]]
            separators.append(nodes[cut == 0])
    return np.sort(np.concatenate(inner)), separators[::-1]


def _cut(graph: csr_array) -> Indices | None:
    """-1 and 1 for nodes of two parts, 0 for those between; None where there is no such cut."""
    end, n = 0, graph.shape[0]
    for _ in range(ROUNDS):
        far = dijkstra(graph, indices=end, unweighted=True)
        if not np.isfinite(far).all():  # apart already
            return np.where(np.isfinite(far), -1, 1)
        end = int(np.argmax(far))
    level = far.astype(np.int64)
    count = np.bincount(level)
    below = np.cumsum(count) - count
    above = n - below - count
    least = np.minimum(below, above)
    if not least.any():
        return None
    enough = least >= min(LEAST * n, least.max())
    cost = count * (1.0 + EVEN * np.abs(below - above) / n)
    at = int(np.argmin(np.where(enough, cost, np.inf)))
    side = np.sign(level - at)
    meets = (graph @ (side > 0).astype(float)) > 0.0
    return np.where((side == 0) & ~meets, -1, side)
