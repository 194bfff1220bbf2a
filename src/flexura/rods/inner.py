"""Inner unknowns: numbers that are stored with the nodes of rods, beside their poses."""

import numpy as np

from flexura.typing import Indices


def inner_sizes(rod_nodes: Indices, width: int) -> Indices:
    """Rows of ``width`` unknowns with every node but the first of each rod, (n_nodes,)."""
    sizes = np.full(rod_nodes[-1], width)
    sizes[rod_nodes[:-1]] = 0
    return sizes
