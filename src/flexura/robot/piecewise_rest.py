"""Rest shapes in pieces: a constant strain on each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from flexura.robot.check import assign, bad, nonnegative, positive, vector
from flexura.typing import Array, ArrayLike, Strain


@dataclass(frozen=True)
class PiecewiseRest:
    """Rest shape of a rod in pieces, straight, then curved for example; a function of arc length.

    >>> import flexura as fx
    >>> rest = fx.PiecewiseRest([(0.19, (0, 0, 0)), (0.25, (0, 25.0, 0))])
    >>> rod = fx.Rod("inner", 0.25, fx.Tube(0.46e-3, 0.4e-3), fx.materials.nitinol, rest=rest)

    Attributes:
        pieces: Pairs (arc length where the piece ends [m], its rest strain): three curvatures
            (torsion, bending about y, bending about z) [1/m], or six strains. The last piece ends
            at the tip of the rod; pieces without length are left out.
    """

    pieces: Sequence[tuple[float, ArrayLike]]

    def __post_init__(self) -> None:
        if not isinstance(self.pieces, list | tuple) or not self.pieces:
            remedy = "write for example [(0.1, (0, 0, 0)), (0.2, (0, 10, 0))]"
            raise bad("PiecewiseRest", "pieces", "a list of (end, strain)", self.pieces, remedy)
        assign(self, pieces=tuple(_piece(i, piece) for i, piece in enumerate(self.pieces)))
        ends = [0.0, *(end for end, _ in self.pieces)]
        for i, (a, b) in enumerate(pairwise(ends)):
            if b < a:
                allowed = f"at least {a} m, where the piece before it ends"
                remedy = "each piece is given up to the arc length where it ends"
                raise bad("PiecewiseRest", f"pieces[{i}][0]", allowed, b, remedy)
        positive("PiecewiseRest", f"pieces[{len(ends) - 2}][0]", ends[-1])
        kept = [x for x, (a, b) in zip(self.pieces, pairwise(ends), strict=True) if b > a]
        assign(self, pieces=tuple(kept))

    @property
    def length(self) -> float:
        """Arc length where the last piece ends [m]."""
        return self.pieces[-1][0]

    @property
    def knots(self) -> tuple[float, ...]:
        """Arc lengths where the strain jumps [m], ascending."""
        return tuple(end for end, _ in self.pieces[:-1])

    def __call__(self, s: float) -> tuple[float, ...]:
        """Strain at arc length s [m], six numbers; at a jump the one beyond it."""
        return tuple(self.strains(np.array([s]))[0].tolist())

    def strains(self, s: Array) -> Strain:
        """Strains at arc lengths s [m], s.shape + (6,)."""
        found: Strain = self._table[np.searchsorted(self.knots, s, side="right")]
        return found

    @cached_property
    def _table(self) -> Array:
        """Strains of the pieces, (n, 6)."""
        rows = [np.asarray(strain, dtype=np.float64) for _, strain in self.pieces]
        return np.array([x if len(x) == 6 else [*x, 1.0, 0.0, 0.0] for x in rows])


def _piece(i: int, value: object) -> tuple[float, tuple[float, ...]]:
    """A checked piece."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        remedy = "write for example (0.1, (0, 10, 0)): up to 0.1 m, bent about y"
        raise bad("PiecewiseRest", f"pieces[{i}]", "a pair (end, strain)", value, remedy)
    end = nonnegative("PiecewiseRest", f"pieces[{i}][0]", value[0])
    return end, vector("PiecewiseRest", f"pieces[{i}][1]", value[1], (3, 6))
