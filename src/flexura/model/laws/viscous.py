"""Viscosity of the cross-sections: Kelvin-Voigt, the stress D ξ̇ beside the elastic one.

Where the force n of stretch and shear is an unknown of its own, it is the sum of both, so that

    ν = ν* + K'⁻¹ (n - D (pace ν* + ν̇₀)),    K' = K + pace D

is the law that it misses by ``excess``. What is added here is the difference to the elastic law.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura.model.law import Given, Law, PointValues
from flexura.model.laws import viscous_kernels as kernels
from flexura.robot import Rod
from flexura.rods.along import rest_at, stiffness_at, viscosity_at
from flexura.rods.discretization import PointForces, Points
from flexura.typing import Array, Strain, frozen


@dataclass(frozen=True, eq=False)
class Viscous(Law):
    """Viscous law at the points of a group.

    Attributes:
        part: number of the part that it belongs to.
        weight: quadrature weight, (n,).
        viscosity: diagonal of D, (n, 6).
        stiffness: diagonal of K, (n, 6).
        rest: ξ*, (n, 6).
        complementary: whether forces of stretch and shear are unknowns.
    """

    part: int
    weight: Array
    viscosity: Array
    stiffness: Array
    rest: Strain
    complementary: bool
    stored = True

    @classmethod
    def of(
        cls, part: int, rods: Sequence[Rod], points: Points, complementary: bool
    ) -> "Viscous | None":
        """Evaluate sections at the points of a group of rods; None if none is viscous."""
        viscosity = viscosity_at(rods, points)
        if not viscosity.any():
            return None
        return cls(
            part, points.weight, frozen(viscosity), frozen(stiffness_at(rods, points)),
            frozen(rest_at(rods, points)), complementary,
        )  # fmt: skip

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Stress and its change with the strain, if anything moves."""
        past = given.past
        if past is None:
            return
        rate, known = past.strain_rates[self.part], 3 if self.complementary else 6
        kernels.add(
            self.weight, self.viscosity, at.strain, at.strain_ahead, rate, past.pace, known,
            out.stress, out.stress_ahead, out.stiffness,
        )  # fmt: skip
        if self.complementary:
            kernels.add_complementary(
                self.weight, self.viscosity, self.stiffness, self.rest, at.force, rate, past.pace,
                out.excess, out.flexibility,
            )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Nothing that is given changes it."""

    def energy(self, at: PointValues, given: Given) -> float:
        """By how much less is stored than the elastic law takes from unknown forces [J]."""
        if given.past is None or not self.complementary:
            return 0.0
        rate = given.past.strain_rates[self.part]
        return float(
            kernels.energy(
                self.weight, self.viscosity, self.stiffness, self.rest, at.strain, at.force, rate,
                given.past.pace,
            )
        )  # fmt: skip

    def power(self, rate: Strain) -> float:
        """What is dissipated [W], at strain rates ξ̇, (n, 6)."""
        return float(np.sum(self.weight[:, None] * self.viscosity * rate**2))
