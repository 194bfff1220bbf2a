"""Contacts at particles: corners of the skins of volumes."""

from dataclasses import dataclass

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.members import contact_kernels as kernels
from flexura.model.particles import ParticleWork
from flexura.typing import Array, Indices
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class PressedParticles(Member, Value):
    """What contacts exert on particles.

    Attributes:
        particles: that may touch, or carry what does, (n,).
        first: the first of them among all frames of contacts.
        frictional: whether there is any friction, which has no potential.
    """

    particles: Indices
    first: int
    frictional: bool

    def conservative(self, values: Array) -> bool:
        """Whether nothing rubs."""
        return not self.frictional

    @property
    def rubs(self) -> bool:
        """Whether it is friction, if it has no potential."""
        return True

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActivePressed":
        """The contacts in an evaluation."""
        return ActivePressed(self, layout, particles)


class ActivePressed(Active):
    """Contacts at particles in an evaluation."""

    def __init__(self, own: PressedParticles, layout: Layout, work: ParticleWork) -> None:
        self._own, self._work = own, work
        free = np.flatnonzero(work.particles.dof[own.particles] >= 0)
        start = work.particles.dof[own.particles[free]]
        self._frames = own.first + free
        self._slots = layout.structure.slots(start, start)

    def act(self, assembly: Around) -> None:
        """Forces, if anything touches."""
        pressed, own = assembly.given.pressed, self._own
        if pressed is not None:
            self._work.force[own.particles] += pressed.load[own.first :, 3:]

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Their tangents; those that ride on frames touch nothing fixed by themselves."""
        pressed = assembly.given.pressed
        if pressed is not None:
            kernels.add_tangents(self._frames, self._slots, pressed.tangent, values)
