"""Viscosity of the cross-sections: Kelvin-Voigt, the stress D ξ̇ beside the elastic one.

Where the force n of stretch and shear is an unknown of its own, it is the sum of both, so that

    ν = ν* + K'⁻¹ (n - D (pace ν* + ν̇₀)),    K' = K + pace D

is the law that it misses by ``excess``. What is added here is the difference to the elastic law.
The strain ν is the one that forces tell, not that of the poses (``rods/assumed_strain.py``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.law import Given, Law, PointValues
from flexura.model.laws import viscous_kernels as kernels
from flexura.robot import Rod
from flexura.rods.along import rest_at, stiffness_at, viscosity_at
from flexura.rods.assumed_strain import AssumedStrain
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
        assumed: functions of the forces of stretch and shear, where these are unknowns, else None.
    """

    part: int
    weight: Array
    viscosity: Array
    stiffness: Array
    rest: Strain
    assumed: AssumedStrain | None
    stored = True

    @classmethod
    def of(
        cls, part: int, rods: Sequence[Rod], points: Points, assumed: AssumedStrain | None
    ) -> "Viscous | None":
        """Evaluate sections at the points of a group of rods; None if none is viscous."""
        viscosity = viscosity_at(rods, points)
        if not viscosity.any():
            return None
        return cls(
            part, points.weight, frozen(viscosity), frozen(stiffness_at(rods, points)),
            frozen(rest_at(rods, points)), assumed,
        )  # fmt: skip

    @property
    def complementary(self) -> bool:
        """Whether forces of stretch and shear are unknowns."""
        return self.assumed is not None

    @cached_property
    def _projected(self) -> Callable[[Array], Array]:
        """The stretch and shear that forces tell, of any."""
        assert self.assumed is not None
        return self.assumed.projection(self.weight, self.stiffness[:, 3:])

    def told(self, strain: Strain, values: Array) -> Strain:
        """The strains whose rates are resisted, (n, 6): stretch and shear as forces tell them."""
        if self.assumed is None:
            return strain
        found, rest = strain.copy(), self.rest[:, 3:]
        found[:, 3:] = rest + self._projected(strain[:, 3:] - rest)
        return found

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
        """By how much less is stored than the elastic law takes from unknown forces [J].

        What is stored is that of the strains that forces tell, as without viscosity: forces at the
        beginning of a motion belong to rates that are not known yet.
        """
        if given.past is None or not self.complementary:
            return 0.0
        told = self.told(at.strain, given.values)
        stiffness, rest = self.stiffness, self.rest
        return float(kernels.energy(self.weight, stiffness, rest, at.strain, at.force, told))

    def power(self, rate: Strain, values: Array) -> float:
        """What is dissipated [W], at strain rates ξ̇, (n, 6)."""
        return float(np.sum(self.weight[:, None] * self.viscosity * rate**2))
