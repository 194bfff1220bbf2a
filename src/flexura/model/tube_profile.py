"""What a tube has along itself: stiffness, rest strain, and what it twists behind the plate.

Most tubes have one section and a rest shape of constant pieces: these are looked up in tables.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.robot import Rod
from flexura.rods.quadrature import gauss_points
from flexura.typing import Array
from flexura.value import Value

# Points that rest twists and torsional compliance of tapers are integrated with, between kinks.
HIDDEN = 12


@dataclass(frozen=True, eq=False)
class Profile(Value):
    """A tube by its arc length."""

    rod: Rod

    @cached_property
    def constant(self) -> bool:
        """Whether its section is the same all along."""
        section = self.rod.section
        return bool(section.at(0.0) == section.at(1.0))

    @cached_property
    def even(self) -> bool:
        """Whether its rest strain is constant on its smooth pieces."""
        return not callable(self.rod.rest) or hasattr(self.rod.rest, "pieces")

    @property
    def uniform(self) -> bool:
        """Whether nothing changes along its smooth pieces."""
        return self.constant and self.even

    @cached_property
    def ends(self) -> Array:
        """Ends of its smooth pieces [m], from 0 on."""
        kinks = self.rod.kinks if callable(self.rod.rest) else ()
        return np.array([0.0, *kinks, self.rod.length])

    @cached_property
    def _stiffness(self) -> Array:
        return self.rod.stiffness(0.0)

    @cached_property
    def _rests(self) -> Array:
        return self.rod.rest_strain((self.ends[:-1] + self.ends[1:]) / 2.0)

    @cached_property
    def plain(self) -> bool:
        """Whether it is as stiff against torsion all along, and twisted nowhere at rest."""
        return self.uniform and not self._rests[:, 0].any()

    def piece_beyond(self, s: float, near: float) -> int:
        """The smooth piece beyond an arc length, by number; -1 at the tip.

        Args:
            s: arc length [m].
            near: how near to an end of a piece that is the end, over the length.
        """
        close = near * self.rod.length
        if s > self.rod.length - close:
            return -1
        return int(np.searchsorted(self.ends[1:-1], s + close, side="right"))

    def stiffness(self, s: Array) -> Array:
        """Diagonals of K at arc lengths, (n, 6), or one for all of them, (6,)."""
        return self._stiffness if self.constant else self.rod.stiffness(s)

    def rest(self, s: Array) -> Array:
        """Rest strains at arc lengths, (n, 6)."""
        if not self.even:
            return self.rod.rest_strain(s)
        return self._rests[np.searchsorted(self.ends[1:-1], s, side="right")]

    def transmission(self, length: float) -> tuple[float, float]:
        """Compliance against torsion [1/(N·m)] and rest twist [rad] of its first piece."""
        if length <= 0.0:
            return 0.0, 0.0
        if self.plain:
            return length / float(self._stiffness[0]), 0.0
        ends = np.array([0.0, *(k for k in self.ends[1:-1] if k < length), length])
        s, weight = (x.ravel() for x in gauss_points(ends, HIDDEN))
        torsion, rest = self.rod.stiffness(s)[:, 0], self.rod.rest_strain(s)[:, 0]
        return float(weight @ (1.0 / torsion)), float(weight @ rest)

    def transmission_slopes(self, length: float) -> tuple[float, float]:
        """Derivatives of both by the length."""
        if self.plain:
            return 1.0 / float(self._stiffness[0]), 0.0
        s = min(max(0.0, length), self.rod.length)
        return 1.0 / float(self.rod.stiffness(s)[0]), float(self.rod.rest_strain(s)[0])
