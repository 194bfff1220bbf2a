"""Inertia of tubes inside each other, at the poses of their centreline.

The mass of all tubes that are at a point moves with the centreline, and turns with its tangent.
Points keep their part of a section, which is no place of any tube: a tube slides past, by u along
the tangent, as fast as it is pushed less as fast as the point moves along the centreline,

    p̈ = p̈_point + 2 u ω × e₁ + u² κ × e₁ + u̇ e₁                                  (theory 18.5)

in the frame of the point. Rates of arc lengths that pass points follow the formulas of the points'
own: where ends of tubes pass each other, both jump, but no mass does. Left out is the spin of tubes
about their axes.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.inertia_kernels import add_at_points
from flexura.model.law import Given, PointValues
from flexura.model.laws import tube_inertia_kernels as kernels
from flexura.model.laws.inertia import Inertia
from flexura.model.tube_mesh import TubeMesh
from flexura.rods.discretization import PointForces
from flexura.typing import Array, frozen


@dataclass(frozen=True, eq=False)
class TubeInertia(Inertia):
    """Inertia at the points of the sets of a group; ``inertia`` is that of described insertions."""

    mesh: TubeMesh

    @classmethod
    def of_mesh(cls, part: int, mesh: TubeMesh, values: Array) -> "TubeInertia":
        """For given values of inputs."""
        points = np.arange(len(mesh.group.base.points.s))
        return cls(part, frozen(points), frozen(_inertia(mesh, values)[0]), mesh)

    def passing(self, values: Array) -> Array:
        """Arc lengths of the tubes at the points [m], (points, tubes)."""
        return self.mesh.at(values).own

    def at(self, values: Array) -> Array:
        """Moments of inertia and masses of what is outside of the plates, (n, 6)."""
        return _inertia(self.mesh, values)[0]

    def sliding(self, values: Array, rates: Array) -> Array:
        """Σ m u, Σ m u² and Σ m u̇ of the tubes at the points, (n, 3).

        Args:
            values: of the inputs.
            rates: first and second, of the arc lengths that pass, (2, points * tubes).
        """
        found = np.zeros((len(self.point), 3))
        if not rates.any():
            return found
        mass = _inertia(self.mesh, values)[1]
        u, du = -rates.reshape(2, *mass.shape)
        found[:, 0] = np.sum(mass * u, axis=1)
        found[:, 1] = np.sum(mass * u**2, axis=1)
        found[:, 2] = np.sum(mass * du, axis=1)
        return found

    def rates(self, given: Given) -> Array:
        """First and second rates of the arc lengths that pass, (2, points * tubes)."""
        past, passing = given.past, self.passing(given.values).ravel()
        if past is None:
            return np.zeros((2, len(passing)))
        gain = np.array([past.pace, past.push])[:, None]
        return np.asarray(gain * passing + past.slid[self.part])

    def push(self, at: PointValues, given: Given) -> Array | float:
        """Mass times acceleration, along the tangent, by how far tubes slide past the points."""
        past, values = given.past, given.values
        if past is None:
            return 0.0
        unit = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (len(self.point), 1))
        force, tangent = np.zeros((len(at.pose), 6)), np.empty((0, 36))
        add_at_points(
            self.point, unit, *past.points[self.part], past.pace, past.push, past.in_space, at.pose,
            force, tangent, False,
        )  # fmt: skip
        along = force[self.point, 3]
        mass = _inertia(self.mesh, values)[1]
        inertial = mass * (along[:, None] - self.rates(given)[1].reshape(mass.shape))
        found = [-np.sum(inertial * moved.own) for moved in self.mesh.pushed(values)]
        return np.reshape(found, self.mesh.insertion.shape)

    def add(self, at: PointValues, given: Given, out: PointForces) -> None:
        """Inertial wrenches, if anything moves."""
        super().add(at, given, out)
        past = given.past
        if past is None:
            return
        values = given.values
        flow = self.sliding(values, self.rates(given))
        if flow.any():
            begin, velocity, _ = past.points[self.part]
            scale = np.maximum(self.mesh.at(values).scale, 1e-12)
            kernels.add_sliding(
                flow, scale, begin, velocity, past.pace, at.pose, at.strain, out.load,
                out.load_tangent, given.tangents, np.empty((4, 4)), np.empty(6),
            )  # fmt: skip


def _inertia(mesh: TubeMesh, values: Array) -> tuple[Array, Array]:
    """At the points, weights included: moments about y and z, and mass, (n, 6); masses, (n, m)."""
    found, rods = mesh.at(values), mesh.group.base.points.rod
    total, mass = np.zeros((len(rods), 6)), np.zeros(found.own.shape)
    for i, plan in enumerate(mesh.plans):
        own = rods == i
        for j, tube in enumerate(plan.members):
            s = np.clip(found.own[own, j], 0.0, tube.length)
            inertia = found.present[own, j, None] * tube.inertia(s)
            total[own] += inertia
            mass[own, j] = inertia[:, 3]
    total[:, 1:3] = total[:, 1:3].mean(axis=1, keepdims=True)
    total[:, 0] = total[:, 1]  # spin is left out; the frame of the centreline hardly twists
    weight = (mesh.group.base.points.weight * found.scale)[:, None]
    return np.asarray(weight * total), np.asarray(weight * mass)
