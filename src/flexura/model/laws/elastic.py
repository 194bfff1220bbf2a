"""Linear elasticity of the cross-sections.

U = ½ ∫ (ξ - ξ*)ᵀ K (ξ - ξ*) ds,    Λ = K (ξ - ξ*)                  (theory 1.3)

Where the force n of stretch and shear is an unknown of its own, their part of U is
∫ n·(ν - ν*) - ½ n·K⁻¹n ds instead, the same at equilibrium.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexura._kernel import kernel
from flexura.model.law import Given, Law, PointValues
from flexura.robot import Rod
from flexura.rods.along import rest_at, stiffness_at
from flexura.rods.discretization import PointForces, Points
from flexura.typing import Array, Indices, Strain, frozen

# A softened rod has no more than this stiffness against stretch and shear, times the square of
# its length, over that against bending.
STIFF = 2e3


@dataclass(frozen=True, eq=False)
class Elastic(Law):
    """Elastic law at the points of a group.

    Attributes:
        weight: quadrature weight, (n,).
        stiffness: diagonal of K times the weight, (n, 6).
        rest: ξ*, (n, 6).
        complementary: whether forces of stretch and shear are unknowns.
    """

    weight: Array
    stiffness: Array
    rest: Strain
    complementary: bool
    stored = True

    @classmethod
    def of(cls, rods: Sequence[Rod], points: Points, complementary: bool) -> "Elastic":
        """Evaluate sections and rest shapes at the points of a group of rods."""
        stiffness = points.weight[:, None] * stiffness_at(rods, points)
        return cls(points.weight, frozen(stiffness), frozen(rest_at(rods, points)), complementary)

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Stress and stiffness."""
        known = 3 if self.complementary else 6
        _add(
            self.stiffness, self.rest, at.strain, at.strain_ahead, known, out.stress,
            out.stress_ahead, out.stiffness,
        )  # fmt: skip
        if self.complementary:
            _add_complementary(
                self.weight, self.stiffness, self.rest, at.strain, at.force, out.stress,
                out.stress_ahead, out.excess, out.flexibility,
            )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values."""
        return frozenset()

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Nothing that is given changes it."""

    def energy(self, at: PointValues, given: Given) -> float:
        """Strain energy [J]."""
        known = 3 if self.complementary else 6
        found = _energy(self.stiffness, self.rest, at.strain, known)
        if self.complementary:
            found += _complementary_energy(
                self.weight, self.stiffness, self.rest, at.strain, at.force
            )
        return float(found)

    def firmness(self, rods: Indices, count: int) -> Array:
        """Largest stiffness of each rod against stretch or shear [N], (count,)."""
        found, used = np.zeros(count), self.weight > 0.0
        stiffness = self.stiffness[used, 3:] / self.weight[used, None]
        np.maximum.at(found, rods[used], stiffness.max(axis=1, initial=0.0))
        return found

    def softened(self, rods: Indices) -> "Elastic":
        """The law with stretch and shear no stiffer than ``STIFF`` allows."""
        length = np.bincount(rods, self.weight)[rods]
        most = STIFF * self.stiffness[:, 1:3].min(axis=1) / length**2
        stiffness = self.stiffness.copy()
        stiffness[:, 3:] = np.minimum(stiffness[:, 3:], most[:, None])
        return replace(self, stiffness=frozen(stiffness))


@kernel
def _energy(stiffness: Array, rest: Strain, strain: Strain, known: int) -> float:
    """½ Σ K (ξ - ξ*)² of the first ``known`` components."""
    total = 0.0
    for p in range(len(strain)):
        for i in range(known):
            total += stiffness[p, i] * (strain[p, i] - rest[p, i]) ** 2
    return 0.5 * total


@kernel
def _complementary_energy(
    weight: Array, stiffness: Array, rest: Strain, strain: Strain, force: Array
) -> float:
    """Σ w (n (ν - ν*) - ½ n² / K)."""
    total = 0.0
    for p in range(len(strain)):
        for i in range(3):
            n = weight[p] * force[p, i]
            total += n * (strain[p, 3 + i] - rest[p, 3 + i])
            if weight[p] > 0.0:
                total -= 0.5 * n * n / stiffness[p, 3 + i]
    return total


@kernel
def _add(
    stiffness: Array,
    rest: Strain,
    strain: Strain,
    strain_ahead: Strain,
    known: int,
    stress: Array,
    stress_ahead: Array,
    tangent: Array,
) -> None:
    """Stress, the one ahead, and stiffness of the first ``known`` components."""
    for p in range(len(strain)):
        for i in range(known):
            k = stiffness[p, i]
            stress[p, i] += k * (strain[p, i] - rest[p, i])
            stress_ahead[p, i] += k * (strain_ahead[p, i] - rest[p, i])
            tangent[p, 7 * i] += k


@kernel
def _add_complementary(
    weight: Array,
    stiffness: Array,
    rest: Strain,
    strain: Strain,
    force: Array,
    stress: Array,
    stress_ahead: Array,
    excess: Array,
    flexibility: Array,
) -> None:
    """The unknown force as stress, by how much it misses the law, and how soft that is."""
    for p in range(len(strain)):
        w = weight[p]
        for i in range(3):
            n, soft = w * force[p, i], w * w / stiffness[p, 3 + i] if w > 0.0 else 0.0
            stress[p, 3 + i] += n
            stress_ahead[p, 3 + i] += n
            excess[p, i] += w * (strain[p, 3 + i] - rest[p, 3 + i]) - soft * force[p, i]
            flexibility[p, i] += soft
