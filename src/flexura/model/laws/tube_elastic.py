"""Elasticity of tubes inside each other, and of their transmissions behind the plate.

    U = ½ ∫ Σ_j (ξ_j - ξ*_j)ᵀ K_j (ξ_j - ξ*_j) ds                              (theory 18.1)
    ξ_j = Ad(Rot_x(-θ_j)) ξ + θ_j' e_1

over the tubes that are there. A tube turned by α at its end, behind the plate, is turned by

    φ = α + c τ + rest twist,    c = ∫ ds / GJ                                 (theory 18.3)

at the plate, where its torque is τ: multipliers, so that c may be zero.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.law import Given, Law, PointValues
from flexura.model.laws import tube_energy_kernels as energies
from flexura.model.laws import tube_kernels as kernels
from flexura.model.tube_mesh import NEAR, Moved, TubeMesh
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices


@dataclass(frozen=True, eq=False)
class TubeElastic(Law):
    """Elastic law of the sets of a group."""

    mesh: TubeMesh
    stored = True

    @property
    def _known(self) -> int:
        return 3 if self.mesh.group.complementary else 6

    @cached_property
    def _weight(self) -> Array:
        weight: Array = self.mesh.group.base.points.weight
        return weight

    @cached_property
    def _gauge(self) -> Array:
        """Stiffness of the frame of centrelines against twist: any, where it could twist."""
        plans, group = self.mesh.plans, self.mesh.group
        torsion = [sum(float(x.stiffness(0.0)[0]) for x in plan.members) for plan in plans]
        return np.asarray(np.array(torsion)[group.base.points.rod] * (not group.integrated))

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of insertions and rotations."""
        mesh = self.mesh
        return frozenset([*mesh.insertion.ravel().tolist(), *mesh.rotation.ravel().tolist()])

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Stress and stiffness."""
        mesh, group, found = self.mesh, self.mesh.group, self.mesh.at(given.values)
        scale, part = found.stiff_scale, found.part
        kernels.act(
            self._weight, scale, part, found.stiffness, found.rest, self._gauge, self._known,
            group.shown, mesh.rotation, given.values, found.turned, found.hidden, group.locked[0],
            found.stretch, at.strain, at.strain_ahead, out.stress, out.stress_ahead, out.stiffness,
        )  # fmt: skip
        if group.complementary:
            kernels.add_complementary(
                self._weight, scale, part, found.stiffness, found.rest, at.strain, at.force,
                out.stress, out.stress_ahead, out.excess, out.flexibility,
            )  # fmt: skip

    def add_slope(self, at: PointValues, given: Given, change: Array, out: PointForces) -> None:
        """Derivative of the stress by rotations and insertions; exact (theory 18.4)."""
        mesh, group = self.mesh, self.mesh.group
        moved = mesh.moved(given.values, change)
        soft, twist = mesh.hidden_slopes(given.values)
        kernels.add_tie_slopes(
            group.tubes, group.shown, mesh.rotation, change, moved.behind, soft, twist,
            group.locked[0], moved.stretch, at.strain, out.stress,
        )  # fmt: skip
        if moved is mesh.still:
            return
        found = mesh.at(given.values)
        scale, part = found.stiff_scale, found.part
        d_stiffness, d_rest = mesh.rest_slopes(found)
        if not mesh.uniform:
            d_stiffness = d_stiffness * moved.own[..., None]
            d_rest = d_rest * moved.own[..., None]
        kernels.add_slope(
            self._weight, scale, part, moved.scale, found.stiffness, found.rest, d_rest,
            self._gauge, self._known, at.strain, out.stress,
        )  # fmt: skip
        if not mesh.uniform and d_stiffness.any():
            nothing = np.zeros((len(out.stress), out.stiffness.shape[1]))
            none = np.zeros_like(out.stress)
            kernels.add(
                self._weight, scale, part, d_stiffness, found.rest, np.zeros(len(scale)),
                self._known, at.strain, at.strain, out.stress, none, nothing,
            )  # fmt: skip
        if group.complementary:
            kernels.add_excess_slope(
                self._weight, found.scale, moved.scale, found.stiffness, found.rest, d_stiffness,
                d_rest, at.force, out.excess,
            )  # fmt: skip

    def energy(self, at: PointValues, given: Given) -> float:
        """Strain energy [J], with that of multipliers: the same at equilibrium."""
        group, found = self.mesh.group, self.mesh.at(given.values)
        scale, part = found.stiff_scale, found.part
        total = energies.energy(
            self._weight, scale, part, found.stiffness, found.rest, self._gauge, self._known,
            at.strain,
        )  # fmt: skip
        total += energies.tie_energy(
            group.tubes, group.shown, self.mesh.rotation, given.values, found.turned, found.hidden,
            group.locked[0], found.stretch, at.strain,
        )  # fmt: skip
        if group.complementary:
            total += energies.complementary_energy(
                self._weight, scale, part, found.stiffness, found.rest, at.strain, at.force
            )
        return float(total)

    def push(self, at: PointValues, given: Given) -> Array:
        """Derivatives of the energy by insertions, that of what is behind the plate included."""
        mesh, values = self.mesh, given.values
        slopes = [self._energy_slope(at, values, moved) for moved in mesh.pushed(values)]
        return np.reshape(slopes, mesh.insertion.shape) - self.brought(values)

    def brought(self, values: Array) -> Array:
        """Energy by length of what leaves the plate, bent straight there [N], (sets, tubes)."""
        found = np.empty(self.mesh.insertion.shape)
        for i, plan in enumerate(self.mesh.plans):
            for j, tube in enumerate(plan.members):
                inside = tube.length - float(values[self.mesh.insertion[i, j]])
                s = min(max(inside - NEAR * tube.length, 0.0), tube.length)
                found[i, j] = 0.5 * tube.stiffness(s)[1:3] @ tube.rest_strain(s)[1:3] ** 2
        return found

    def _energy_slope(self, at: PointValues, values: Array, moved: Moved) -> float:
        """Derivative of the energy as sections move, strains and multipliers kept [N]."""
        mesh, group, found = self.mesh, self.mesh.group, self.mesh.at(values)
        soft, twist = mesh.hidden_slopes(values)
        d_stiffness, d_rest = mesh.rest_slopes(found)
        d_stiffness, d_rest = (x * moved.own[..., None] for x in (d_stiffness, d_rest))
        total = energies.energy_slope(
            self._weight, found.stiff_scale, found.part, moved.scale, found.stiffness, found.rest,
            d_stiffness, d_rest, self._gauge, self._known, at.strain,
        )  # fmt: skip
        total += energies.tie_energy_slope(
            group.tubes, group.shown, moved.behind, soft, twist, group.locked[0], moved.stretch,
            at.strain,
        )  # fmt: skip
        if group.complementary:
            total += energies.complementary_slope(
                self._weight, found.scale, moved.scale, found.stiffness, found.rest, d_stiffness,
                d_rest, at.force,
            )  # fmt: skip
        return float(total)

    def firmness(self, rods: Indices, count: int) -> Array:
        """Largest stiffness of all sets against stretch or shear [N], (count,)."""
        firm = [
            sum(float(tube.stiffness(0.0)[3:].max()) for tube in plan.members)
            for plan in self.mesh.plans
        ]
        return np.full(count, max(firm))
