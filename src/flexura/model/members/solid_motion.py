"""What resists motions of a volume: inertia, drag and viscosity.

    f_a = Σ m_ab (ü_b + α u̇_b) + ∫ F S ∇N_a dV,    S = 2 μ Ė + λ tr(Ė) 1,    Ė = sym(Fᵀ Ḟ)

m are masses between nodes, consistent with the shape functions. S is the damping of the stiffness
of Rayleigh's kind, of strains instead of displacements: a rotation is not damped by it.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.members import solid_motion_kernels as kernels
from flexura.model.members.solid import Solid
from flexura.model.particles import ParticleWork
from flexura.typing import Array, Indices
from flexura.value import Value
from flexura.volumes.material_kernels import VECTORS


@dataclass(frozen=True, eq=False, repr=False)
class SolidMotion(Member, Value):
    """Inertia and damping of one volume; at rest, nothing of it acts.

    Attributes:
        solid: the volume.
        weighs: whether its inertia counts.
        damps: whether its damping does.
    """

    solid: Solid
    weighs: bool = True
    damps: bool = True

    @property
    def cells(self) -> Indices:
        """Particles of the elements."""
        return self.solid.cells

    @property
    def damped(self) -> bool:
        """Whether it has any damping."""
        elements = self.solid.elements
        return bool(elements.drag) or any(elements.viscosity)

    @property
    def mass(self) -> float:
        """Of the volume [kg]."""
        return float(self.solid.elements.mass.sum())

    @property
    def lag(self) -> float:
        """Viscosity over stiffness [s]."""
        elements = self.solid.elements
        return float(elements.viscosity[1] / elements.lame[1])

    def _between(self, a: Array, b: Array) -> float:
        """Σ a_i m_ij b_j of vectors of all particles."""
        pushed = np.zeros_like(b)
        kernels.add_inertia(self.cells, self.solid.elements.mass, b, pushed)
        return float(np.vdot(a, pushed))

    def kinetic(self, velocity: Array) -> float:
        """Kinetic energy, for velocities of all particles [J]."""
        return 0.5 * self._between(velocity, velocity)

    def momentum(self, at: Array, velocity: Array) -> Array:
        """Angular momentum about the world's origin, and momentum, (6,)."""
        moved = np.einsum("mab,mbc->mac", self.solid.elements.mass, velocity[self.cells])
        angular = np.cross(at[self.cells], moved).sum(axis=(0, 1))
        return np.concatenate([angular, moved.sum(axis=(0, 1))])

    def power(self, displacement: Array, velocity: Array) -> float:
        """What damping takes away, for displacements and velocities of all particles [W]."""
        elements = self.solid.elements
        found = elements.drag * self._between(velocity, velocity)
        if any(elements.viscosity):
            found += float(
                kernels.power(
                    self.cells, elements.gradient, elements.weight, *elements.viscosity,
                    displacement, velocity, np.zeros((6, 3, 3)),
                )
            )  # fmt: skip
        return found

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActiveMotion":
        """What resists, in an evaluation."""
        return ActiveMotion(self, layout, particles)


class ActiveMotion(Active):
    """Inertia and damping of a volume in an evaluation."""

    def __init__(self, own: SolidMotion, layout: Layout, particles: ParticleWork) -> None:
        elements = own.solid.elements
        self._own, self._work = own, particles
        self._cells = np.ascontiguousarray(own.cells)
        start = particles.start[self._cells]
        self._slots = layout.structure.slots(start[:, :, None], start[:, None, :])
        k = self._cells.shape[1]
        self._drag = elements.drag if own.damps else 0.0
        self._viscosity = elements.viscosity if own.damps else (0.0, 0.0)
        self._small = np.zeros((6, 3, 3))
        self._stiff = np.zeros((k, VECTORS, 3)), np.zeros((k, k, 3, 3))
        self._transfer = np.zeros((2, 6, 6))
        self._velocity, self._largest = None, 0.0

    def act(self, assembly: Around) -> None:
        """Forces, if anything moves."""
        past, work = assembly.given.past, self._work
        self._largest = 0.0
        if past is None:
            return
        u = work.displacement
        velocity = past.pace * u + past.particles[0]
        pushed = past.push * u + past.particles[1] + self._drag * velocity
        if not self._own.weighs:
            pushed = self._drag * velocity
        mass = self._own.solid.elements.mass
        self._largest = kernels.add_inertia(self._cells, mass, pushed, work.force)
        if any(self._viscosity):
            elements = self._own.solid.elements
            kernels.add_viscous(
                self._cells, elements.gradient, elements.weight, *self._viscosity, u, velocity,
                work.force, self._small,
            )  # fmt: skip
        self._velocity = velocity

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Tangents, if anything moves."""
        past, work, elements = assembly.given.past, self._work, self._own.solid.elements
        if past is None:
            return
        push = past.push if self._own.weighs else 0.0
        kernels.add_tangents(
            self._cells, elements.gradient, elements.weight, elements.mass,
            push + past.pace * self._drag, self._slots, *self._viscosity, work.displacement,
            self._velocity, past.pace, work.ride, work.reach, values, self._small, *self._stiff,
            self._transfer,
        )  # fmt: skip

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """What the tangent makes of a motion."""
        past, elements = assembly.given.past, self._own.solid.elements
        if past is None:
            return
        push = past.push if self._own.weighs else 0.0
        kernels.add_inertia(
            self._cells, elements.mass, (push + past.pace * self._drag) * motion, force
        )
        if any(self._viscosity):
            kernels.multiply(
                self._cells, elements.gradient, elements.weight, *self._viscosity,
                self._work.displacement, self._velocity, past.pace, motion, force, self._small,
                *self._stiff,
            )  # fmt: skip

    def force_size(self) -> float:
        """Largest inertial force on a particle [N]."""
        return float(self._largest)
