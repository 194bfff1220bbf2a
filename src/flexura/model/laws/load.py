"""Gravity and line loads: wrenches per arc length on the poses of points."""

from dataclasses import dataclass

import numpy as np

from flexura.model.law import Given, Law, PointValues
from flexura.model.wrenches import Wrenches
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices


@dataclass(frozen=True, eq=False)
class LineLoads(Law):
    """Loads along the rods of a group."""

    wrenches: Wrenches

    def posed(self) -> Indices:
        """The points that loads act on."""
        return np.unique(self.wrenches.target)

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Wrenches and their tangents."""
        self.wrenches.add(at.pose, given.values, out.load, self.wrenches.target, out.load_tangent)

    @property
    def reads(self) -> frozenset[int]:
        """Places of the values that the loads take."""
        return self.wrenches.reads

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Derivative of the wrenches along a change of the given values."""
        self.wrenches.add_slope(at.pose, change, out.load)

    def energy(self, at: PointValues, given: Given) -> float:
        """Potential of the dead forces [J]."""
        return self.wrenches.potential(at.pose, given.values)

    def conservative(self, values: Array) -> bool:
        """Whether there are neither followers nor moments."""
        return self.wrenches.conservative(values)

    def size(self, values: Array) -> tuple[float, float]:
        """Sums of the sizes of all moments and forces."""
        return self.wrenches.size(values)
