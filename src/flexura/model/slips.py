"""How far pairs that may touch have slid."""

from dataclasses import dataclass

import numpy as np

from flexura.typing import Array, Indices, Vector, frozen
from flexura.value import Value

STILL = frozen(np.zeros(3))


@dataclass(frozen=True, eq=False, repr=False)
class Slips(Value):
    """Ways of the pairs that have slid; of all that may touch, most are far and have none.

    Attributes:
        pairs: which these are, ascending, (k,).
        ways: along the surface, of the sample or link [m], (k, 3).
    """

    pairs: Indices
    ways: Array

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""

    @classmethod
    def among(cls, pairs: Indices, ways: Array) -> "Slips":
        """Of those among some pairs that have slid, by the ways of all of these, (m, 3)."""
        moved = np.flatnonzero(ways.any(axis=1))
        return cls(frozen(pairs[moved]), frozen(ways[moved]))

    def __add__(self, other: "Slips") -> "Slips":
        """One way, then another."""
        pairs = np.union1d(self.pairs, other.pairs)
        ways = np.zeros((len(pairs), 3))
        for x in (self, other):
            ways[np.searchsorted(pairs, x.pairs)] += x.ways
        return Slips.among(pairs, ways)

    def of(self, pair: int) -> Vector:
        """How far one has slid [m], (3,)."""
        k = int(np.searchsorted(self.pairs, pair))
        return self.ways[k] if k < len(self.pairs) and self.pairs[k] == pair else STILL

    def everywhere(self, count: int) -> Array:
        """How far each of so many has slid [m], (n, 3)."""
        found = np.zeros((count, 3))
        found[self.pairs] = self.ways
        return found


NONE = Slips(frozen(np.empty(0, dtype=np.int64)), frozen(np.empty((0, 3))))
