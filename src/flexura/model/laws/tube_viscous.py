"""Viscosity of tubes inside each other: Kelvin-Voigt, D_j ξ̇_j of each beside its elastic stress.

    ξ_j = Ad(Rot_x(-θ_j)) ξ + θ_j' e_1,    ξ̇_j = pace ξ_j + ξ̇₀_j            (theory 18.1, 13)

at points that keep their part of a section. Stretch and shear resist in the axes of the centreline;
where their forces are unknowns, they do not.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.lie.axial import turned
from flexura.model.law import Given, Law, PointValues
from flexura.model.laws import tube_kernels as kernels
from flexura.model.tube_mesh import TubeMesh
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Strain


@dataclass(frozen=True, eq=False)
class TubeViscous(Law):
    """Viscous law of the sets of a group.

    Attributes:
        part: number of the part that it belongs to.
        mesh: of the sets.
    """

    part: int
    mesh: TubeMesh
    stored = True

    @classmethod
    def of_mesh(cls, part: int, mesh: TubeMesh) -> "TubeViscous | None":
        """None if no tube is viscous."""
        tubes = (tube for plan in mesh.plans for tube in plan.members)
        return cls(part, mesh) if any(tube.material.viscosity > 0.0 for tube in tubes) else None

    @property
    def _known(self) -> int:
        return 3 if self.mesh.group.complementary else 6

    @property
    def _weight(self) -> Array:
        weight: Array = self.mesh.group.base.points.weight
        return weight

    @cached_property
    def viscosity(self) -> Array:
        """The largest of each tube at each point, at any insertion, (points * tubes, 6)."""
        shape = (len(self._weight), self.mesh.group.tubes, 6)
        found = np.empty(shape)
        for i, plan in enumerate(self.mesh.plans):
            own = self.mesh.group.base.points.rod == i
            for j, tube in enumerate(plan.members):
                found[own, j] = tube.viscosity(np.linspace(0.0, tube.length, 9)).max(axis=0)
        return found.reshape(-1, 6)

    def _damping(self, values: Array) -> Array:
        """Diagonals of D of the tubes that are there, (points, tubes, 6)."""
        found, shape = self.mesh.at(values), (len(self._weight), self.mesh.group.tubes, 6)
        damping = np.empty(shape)
        for i, plan in enumerate(self.mesh.plans):
            own = self.mesh.group.base.points.rod == i
            for j, tube in enumerate(plan.members):
                s = np.clip(found.own[own, j], 0.0, tube.length)
                damping[own, j] = found.present[own, j, None] * tube.viscosity(s)
        return damping

    def _scale(self, values: Array) -> Array:
        """Arc length by that of reference; sections without length have no rates."""
        return np.maximum(self.mesh.at(values).scale, 1e-6)

    def told(self, strain: Strain, values: Array) -> Strain:
        """The strains whose rates are resisted, those of each tube, (points * tubes, 6)."""
        n = self.mesh.group.tubes
        own = strain[: len(self._weight)] / self._scale(values)[:, None]
        angle = strain[: len(own), 6 : 6 + n]
        found = np.empty((len(own), n, 6))
        found[..., :3] = turned(own[:, None, :3], -angle)
        found[..., 0] += own[:, 6 + n :]
        found[..., 3:] = own[:, None, 3:6]
        return found.reshape(-1, 6)

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Stress and its change with the strain, if anything moves."""
        past = given.past
        if past is None:
            return
        rate = past.strain_rates[self.part].reshape(len(self._weight), -1, 6)
        kernels.add_viscous(
            self._weight, self._scale(given.values), self._damping(given.values), rate, past.pace,
            self._known, at.strain, at.strain_ahead, out.stress, out.stress_ahead, out.stiffness,
        )  # fmt: skip

    @property
    def reads(self) -> frozenset[int]:
        """None of the given values: insertions that change are in the strains."""
        return frozenset()

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Nothing that is given changes it, where nothing moves."""

    def energy(self, at: PointValues, given: Given) -> float:
        """Nothing is stored."""
        return 0.0

    def push(self, at: PointValues, given: Given) -> Array | float:
        """Work of its stresses on strains ξ/λ of sections that grow."""
        past, values = given.past, given.values
        if past is None:
            return 0.0
        strain, known = self.told(at.strain, values), self._known
        rate = past.pace * strain + past.strain_rates[self.part]
        work = self._damping(values) * (rate * strain).reshape(len(self._weight), -1, 6)
        by_scale = -self._weight * work[..., :known].sum(axis=(1, 2))
        found = [by_scale @ moved.scale for moved in self.mesh.pushed(values)]
        return np.reshape(found, self.mesh.insertion.shape)

    def power(self, rate: Strain, values: Array) -> float:
        """What is dissipated [W], at strain rates of the tubes, (points * tubes, 6)."""
        weight = (self._weight * self._scale(values))[:, None, None]
        square = rate.reshape(len(self._weight), -1, 6)[..., : self._known] ** 2
        return float(np.sum(weight * self._damping(values)[..., : self._known] * square))
