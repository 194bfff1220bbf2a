"""Linear elasticity of the cross-sections.

U = ½ ∫ (ξ - ξ*)ᵀ K (ξ - ξ*) ds,    Λ = K (ξ - ξ*)                  (theory 1.3)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexura._kernel import kernel
from flexura.robot import Rod
from flexura.rods.discretization import Laws, Points
from flexura.typing import Array, Strain, frozen


@dataclass(frozen=True)
class Elastic:
    """Elastic law at the points of a group.

    Attributes:
        weight: quadrature weight, (n,).
        stiffness: diagonal of K times the weight, (n, 6).
        rest: ξ*, (n, 6).
    """

    weight: Array
    stiffness: Array
    rest: Strain

    @classmethod
    def of(cls, rods: Sequence[Rod], points: Points) -> "Elastic":
        """Evaluate sections and rest shapes at the points."""
        where = list(zip(points.rod, points.s, points.weight, strict=True))
        stiffness = np.array([w * rods[r].stiffness(s) for r, s, w in where])
        rest = np.array([rods[r].rest_strain(s) for r, s, _ in where])
        return cls(points.weight, frozen(stiffness), frozen(rest))

    def energy(self, strain: Strain) -> float:
        """Strain energy [J]."""
        return float(0.5 * np.sum(self.stiffness * (strain - self.rest) ** 2))

    @property
    def largest_stiffness(self) -> float:
        """Largest stiffness against stretch or shear [N]."""
        return float(_largest(self.weight, self.stiffness)[1])

    def largest_wrench(self, strain: Strain) -> Array:
        """Largest moment [N·m] and force [N] in the rods, (2,)."""
        return np.array(_largest(self.weight, self.stiffness * (strain - self.rest)))

    def turn(self, d_strain: Strain) -> float:
        """Rotation along all rods that a change of the strain makes, at most [rad]."""
        return float(self.weight @ np.sqrt((d_strain[:, :3] ** 2).sum(axis=1)))

    def write(self, strain: Strain, laws: Laws) -> None:
        """Stress at the strains, and the stiffness."""
        _write(self.stiffness, self.rest, strain, laws.stress, laws.stiffness)

    def stress(self, strain: Strain) -> Array:
        """Stress at the strains, weights included, (n, 6)."""
        return self.stiffness * (strain - self.rest)


@kernel
def _largest(weight: Array, stress: Array) -> tuple[float, float]:
    """Largest moment and force where there is a weight, with the weight taken out."""
    moment = force = 0.0
    for p in range(len(weight)):
        if weight[p] > 0.0:
            for i in range(3):
                moment = max(moment, abs(stress[p, i]) / weight[p])
                force = max(force, abs(stress[p, 3 + i]) / weight[p])
    return moment, force


@kernel
def _write(stiffness: Array, rest: Strain, strain: Strain, stress: Array, tangent: Array) -> None:
    for p in range(len(strain)):
        for i in range(6):
            stress[p, i] = stiffness[p, i] * (strain[p, i] - rest[p, i])
            tangent[p, 7 * i] = stiffness[p, i]
