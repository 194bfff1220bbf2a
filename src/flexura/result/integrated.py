"""The result of a solve that integrated the continuous equations."""

from dataclasses import dataclass
from typing import Any, Protocol

from flexura.result.static import StaticResult
from flexura.typing import Array, ArrayLike, Pose, Strain, Wrench


class Solution(Protocol):
    """Poses, strains and wrenches of rods at any arc length."""

    def at(self, rod: str, s: Array) -> tuple[Pose, Strain, Wrench]:
        """Pose, strain and internal wrench, (n, 4, 4), (n, 6), (n, 6), at arc lengths s [m], (n,).

        Where the wrench jumps, it is the one beyond s.
        """

    def arrays(self) -> dict[str, Any]:
        """All of it as arrays by name, for files."""


@dataclass(frozen=True, eq=False, repr=False)
class IntegratedResult(StaticResult):
    """An equilibrium of the continuous equations, with all queries of a ``StaticResult``.

    Its model is a coarse spline of degree one, whose nodes are poses of the solution: it knows the
    names and the inputs, and ``statics(result.model, start=result)`` begins from there.

    Attributes:
        solution: answers the questions about rods.
    """

    solution: Solution

    def strain(self, rod: str, s: ArrayLike) -> Strain:
        """Strain (κ, ν) of a rod at arc lengths s [m], shape s.shape + (6,)."""
        return self._shape(rod, s)[1]

    def internal_wrench(self, rod: str, s: ArrayLike) -> Wrench:
        """Wrench Λ = K (ξ - ξ*) that a rod carries, body frame.

        It is what the rod beyond s exerts on the rod before it, tendons left out: (moment, force)
        [N·m, N], shape s.shape + (6,).
        """
        lengths = self._lengths(rod, s)
        return self.solution.at(rod, lengths.ravel())[2].reshape(*lengths.shape, 6)

    def _shape(self, rod: str, s: ArrayLike) -> tuple[Pose, Strain]:
        lengths = self._lengths(rod, s)
        pose, strain, _ = self.solution.at(rod, lengths.ravel())
        return pose.reshape(*lengths.shape, 4, 4), strain.reshape(*lengths.shape, 6)
