"""Pressure on closed surfaces of volumes.

    U = p V,    V = ⅓ ∫ x · n dA

n points out of the material: V is the volume inside a boundary, and less than nothing for a cavity,
which pressure makes larger. V is conjugate to p.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.members import pressure_kernels as kernels
from flexura.model.particles import ParticleWork
from flexura.robot.tetrahedron import FACE_KINDS
from flexura.typing import Array, Indices
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class Pressures(Member, Value):
    """Pressure on one closed surface.

    Attributes:
        place: of the pressure among the given values.
        faces: particles of the triangles, turned to the left from outside, (m, 3 or 6).
        area: of the surface at rest [m²].
    """

    place: int
    faces: Indices
    area: float

    @property
    def cells(self) -> Indices:
        """The triangles."""
        return self.faces

    @cached_property
    def reads(self) -> frozenset[int]:
        """Place of the pressure."""
        return frozenset({self.place})

    def size(self, values: Array) -> float:
        """Pressure times area [N]."""
        return float(abs(values[self.place]) * self.area)

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActivePressure":
        """The pressure in an evaluation."""
        return ActivePressure(self, layout, particles)


class ActivePressure(Active):
    """Pressure on a surface in an evaluation."""

    def __init__(self, own: Pressures, layout: Layout, particles: ParticleWork) -> None:
        self._own, self._work = own, particles
        self._faces = np.ascontiguousarray(own.faces)
        start = particles.start[self._faces]
        self._slots = layout.structure.slots(start[:, :, None], start[:, None, :])
        k = own.faces.shape[1]
        kind = FACE_KINDS[k]
        functions, (at, weights) = kind.face, kind.face_rule
        self._rule = functions.values(at), functions.slopes(at), 0.5 * weights
        self._middle = particles.particles.rest[np.unique(own.faces)].mean(axis=0)
        self._at = np.zeros_like(particles.force)
        self._small = np.zeros((k, k, 3, 3)), np.zeros((2, 6, 6))

    def place(self, assembly: Around) -> None:
        """Where the surface is, seen from its middle."""
        work = self._work
        np.subtract(work.particles.rest, self._middle, out=self._at)
        self._at += work.displacement

    def act(self, assembly: Around) -> None:
        """Forces p ∂V/∂x; the volume is conjugate to the pressure."""
        given, place = assembly.given, self._own.place
        volume = kernels.add_forces(
            self._faces, *self._rule, self._at, given.values[place], self._work.force
        )
        given.conjugate[place] += volume

    def slope(self, assembly: Around, change: Array, force: Array) -> None:
        """Linear in the pressure."""
        p = change[self._own.place]
        kernels.add_forces(self._faces, *self._rule, self._at, p, force)

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Tangents p ∂²V/∂x²."""
        work = self._work
        kernels.add_tangents(
            self._faces, *self._rule, self._slots, self._at,
            assembly.given.values[self._own.place], work.ride, work.reach, values, *self._small,
        )  # fmt: skip

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """What the tangent makes of a motion."""
        p = assembly.given.values[self._own.place]
        kernels.multiply(self._faces, *self._rule, self._at, p, motion, force, self._small[0])
