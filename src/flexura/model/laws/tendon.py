"""Tendons that touch rods everywhere: cables that run along them and pull.

A tendon at D(s) in the section frame is ∫ |Γ| ds long, Γ = ν + κ × D + D'. Its tension τ does the
work -τ δl, as an energy τ l would: stresses, slope jumps and terminations all follow from the
length (theory 10.1, 10.2).
"""

from dataclasses import dataclass
from functools import cached_property

from flexura.model.given_kernels import largest_of
from flexura.model.law import Given, Law, PointValues
from flexura.model.laws import tendon_kernels as kernels
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices, Strain


@dataclass(frozen=True, eq=False)
class Routed(Law):
    """Tendons at the points of a group.

    Attributes:
        source: place of the tension among the given values, (n,).
        point: point of the group, (n,).
        weight: of the point [m], (n,).
        offset: D, (n, 3).
        slope: D', (n, 3).
    """

    source: Indices
    point: Indices
    weight: Array
    offset: Array
    slope: Array

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Stress and stiffness; lengths are conjugate to tensions.

        Where tendons bend a rod, the tension at the start of an iteration is better for its first
        tangent than the one to come (theory 10, "the first step").
        """
        kernels.add(
            self.source, self.point, self.weight, self.offset, self.slope, at.strain,
            given.values, given.ahead, out.stress, out.stress_ahead, out.stiffness, given.conjugate,
            given.tangents,
        )  # fmt: skip

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the tensions."""
        return frozenset(self.source.tolist())

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Stress of a change of the tensions."""
        self.add_stress(at.strain, change, out.stress)

    def add_stress(self, strain: Strain, values: Array, stress: Array) -> None:
        """Add what the tensions carry."""
        kernels.add_slope(
            self.source, self.point, self.weight, self.offset, self.slope, strain, values, stress
        )

    def add_length(self, strain: Strain, conjugate: Array) -> None:
        """Add the lengths of the tendons along the group at given strains."""
        kernels.add_length(
            self.source, self.point, self.weight, self.offset, self.slope, strain, conjugate
        )

    def size(self, values: Array) -> tuple[float, float]:
        """The largest tension."""
        return 0.0, largest_of(values, self.source)
