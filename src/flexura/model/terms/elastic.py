"""Linear elasticity of the cross-sections.

U = ½ ∫ (ξ - ξ*)ᵀ K (ξ - ξ*) ds,    Λ = K (ξ - ξ*)                  (theory 1.3)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura._kernel import kernel
from flexura.robot import Rod
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.discretization import Laws, RodGroup
from flexura.typing import Array, Strain, frozen


@dataclass(frozen=True)
class Elastic:
    """Elastic law at the points of a group.

    Attributes:
        weight: quadrature weight, (n,).
        stiffness: diagonal of K times the weight, (n, 6).
        rest: ξ*, (n, 6).
        assumed: forces that are unknowns of their own, None if there are none.
        compliance: of stretch and shear, between those unknowns.
    """

    weight: Array
    stiffness: Array
    rest: Strain
    assumed: AssumedStrain | None
    compliance: Array

    @classmethod
    def of(cls, rods: Sequence[Rod], group: RodGroup) -> "Elastic":
        """Evaluate sections and rest shapes at the points of a group."""
        points, assumed = group.points, group.assumed
        where = list(zip(points.rod, points.s, points.weight, strict=True))
        stiffness = np.array([w * rods[r].stiffness(s) for r, s, w in where])
        rest = np.array([rods[r].rest_strain(s) for r, s, _ in where])
        compliance = np.empty((0, 0, 3))
        if assumed is not None:
            compliance = assumed.compliance(stiffness[:, 3:], points.weight)
        return cls(points.weight, frozen(stiffness), frozen(rest), assumed, compliance)

    def energy(self, strain: Strain, inner: Array) -> float:
        """Strain energy [J].

        With unknown forces n it is ∫ n (ν - ν*) - ½ n K⁻¹ n, the same at equilibrium.
        """
        if self.assumed is None:
            return float(_energy(self.stiffness, self.rest, strain))
        change = strain - self.rest
        bending = 0.5 * np.sum(self.stiffness[:, :3] * change[:, :3] ** 2)
        excess = self.weight[:, None] * change[:, 3:]
        law = self.assumed.law(self.compliance, inner, excess)
        work = self.assumed.law(np.zeros_like(self.compliance), inner, excess)
        return float(bending + 0.5 * np.sum(inner * (law + work)))

    def stress(self, strain: Strain) -> Array:
        """Stress at the strains, weights included, (n, 6)."""
        return self.stiffness * (strain - self.rest)

    def stress_after(self, strain: Strain, fraction: float, d_strain: Strain) -> Array:
        """Stress after a fraction of a change of the strain, weights included, (n, 6)."""
        stress = np.empty(strain.shape)
        _stress_after(self.stiffness, self.rest, strain, fraction, d_strain, stress)
        return stress

    def write(self, strain: Strain, inner: Array, ahead: Array | None, laws: Laws) -> None:
        """Stress and stiffness.

        Args:
            strain: at the points.
            inner: unknown forces, where there are any.
            ahead: stress for the geometric part of the tangent, None for the one at the strains.
            laws: where the results go, instead of what was there.
        """
        known = 6 if self.assumed is None else 3
        _write(
            self.stiffness, self.rest, strain, laws.stress if ahead is None else ahead, known,
            laws.stress, laws.stress_ahead, laws.stiffness,
        )  # fmt: skip
        if self.assumed is not None:
            laws.stress[:, 3:] = self.weight[:, None] * self.assumed.force(inner)
            laws.stress_ahead[:, 3:] = laws.stress[:, 3:]
            laws.excess = self.weight[:, None] * (strain - self.rest)[:, 3:]
            laws.compliance = self.compliance

    @cached_property
    def largest_stiffness(self) -> float:
        """Largest stiffness against stretch or shear [N]."""
        return float(_largest(self.weight, self.stiffness)[1])

    def largest_wrench(self, stress: Array) -> tuple[float, float]:
        """Largest moment [N·m] and force [N] of a stress with weights."""
        moment, force = _largest(self.weight, stress)
        return float(moment), float(force)

    def motion(self, d_strain: Strain) -> tuple[float, float]:
        """What a change of the strain adds up to along all rods: rotation [rad] and way [m]."""
        turn, way = _motion(self.weight, d_strain)
        return float(turn), float(way)


@kernel
def _energy(stiffness: Array, rest: Strain, strain: Strain) -> float:
    """½ Σ K (ξ - ξ*)²."""
    total = 0.0
    for p in range(len(strain)):
        for i in range(6):
            total += stiffness[p, i] * (strain[p, i] - rest[p, i]) ** 2
    return 0.5 * total


@kernel
def _stress_after(
    stiffness: Array, rest: Strain, strain: Strain, fraction: float, d_strain: Strain, stress: Array
) -> None:
    """K (ξ + fraction · δξ - ξ*)."""
    for p in range(len(strain)):
        for i in range(6):
            change = strain[p, i] + fraction * d_strain[p, i] - rest[p, i]
            stress[p, i] = stiffness[p, i] * change


@kernel
def _motion(weight: Array, d_strain: Strain) -> tuple[float, float]:
    """∫ |δκ| ds and ∫ |δν| ds."""
    turn = way = 0.0
    for p in range(len(weight)):
        x = d_strain[p]
        turn += weight[p] * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) ** 0.5
        way += weight[p] * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) ** 0.5
    return turn, way


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
def _write(
    stiffness: Array,
    rest: Strain,
    strain: Strain,
    expected: Array,
    known: int,
    stress: Array,
    ahead: Array,
    tangent: Array,
) -> None:
    """Stress, the one ahead, and stiffness of the first ``known`` components."""
    for p in range(len(strain)):
        for i in range(36):
            tangent[p, i] = 0.0
        for i in range(known):
            stress[p, i] = stiffness[p, i] * (strain[p, i] - rest[p, i])
            tangent[p, 7 * i] = stiffness[p, i]
            ahead[p, i] = expected[p, i]
