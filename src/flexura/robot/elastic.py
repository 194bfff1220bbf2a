"""What bends, as far as its shape is concerned: a rod, or several of them seen as one."""

from typing import Protocol

from flexura.typing import Array, ArrayLike, Strain


class Elastic(Protocol):
    """What first guesses need to know of a rod."""

    @property
    def length(self) -> float:
        """Arc length without load [m]."""

    def stiffness(self, s: ArrayLike) -> Array:
        """Diagonal of the stiffness at arc lengths s [m], (..., 6)."""

    def rest_strain(self, s: ArrayLike) -> Strain:
        """Strain without load at arc lengths s [m], (..., 6)."""
