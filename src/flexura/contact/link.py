"""Links of rods and chains of them for ``link_kernels``."""

from typing import NamedTuple

import numpy as np

from flexura.contact.link_kernels import PACK
from flexura.typing import Array, Indices


class Links(NamedTuple):
    """Links that may touch chains, each as often as it has pairs.

    Attributes:
        ends: frames at both ends, (m, 2).
        radius: [m], (m,).
        soft: what draws its nearest point to its middle [m²], (m,).
        chain: that it may touch, (m,).
        apart: along the rod, from which on ahead of it a link may touch its own rod [m], 0 for
            others, (m,).
        length: arc length of its middle [m], (m,).
    """

    ends: Indices
    radius: Array
    soft: Array
    chain: Indices
    apart: Array
    length: Array


class Chains(NamedTuple):
    """Chains of links, one after another.

    Attributes:
        frame: of all chains, from base to tip.
        begin: where each begins, and the end.
        radius: of the links that begin at these frames [m].
        soft: what draws nearest points to their middles [m²].
        length: arc lengths there [m].
    """

    frame: Indices
    begin: Indices
    radius: Array
    soft: Array
    length: Array

    def packs(self) -> tuple[Indices, Array]:
        """First pack of the links of each chain, and room for their boxes."""
        counts = -(-(np.diff(self.begin) - 1) // PACK)
        first = np.append(0, np.cumsum(counts))
        return first, np.zeros((int(first[-1]), 6))
