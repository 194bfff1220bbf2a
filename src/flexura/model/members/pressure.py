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
from flexura.typing import Array, Indices, frozen
from flexura.value import Value

# Points on triangles, as coordinates and weights: exact for polynomials of degree 4.
A, B = 0.44594849091596488632, 0.09157621350977074346
HEAVY, LIGHT = 0.5 * 0.22338158967801146570, 0.5 * 0.10995174365532186764
SIX = np.array(
    [(A, A), (1.0 - 2.0 * A, A), (A, 1.0 - 2.0 * A), (B, B), (1.0 - 2.0 * B, B), (B, 1.0 - 2.0 * B)]
)
RULES = {3: (np.full((1, 2), 1.0 / 3.0), np.array([0.5])), 6: (SIX, np.repeat([HEAVY, LIGHT], 3))}


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

    def active(self, layout: Layout, particles: ParticleWork) -> "ActivePressure":
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
        at, weights = RULES[k]
        self._rule = (*triangle_functions(at, k), weights)
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


def triangle_functions(at: Array, nodes: int) -> tuple[Array, Array]:
    """Shape functions of triangles at local coordinates, (q, k), and their slopes, (q, k, 2)."""
    x, y = at[:, 0], at[:, 1]
    one, zero = np.ones_like(x), np.zeros_like(x)
    L = np.stack([1.0 - x - y, x, y], axis=1)
    D = np.stack([np.stack([-one, -one], 1), np.stack([one, zero], 1), np.stack([zero, one], 1)], 1)
    if nodes == 3:
        return frozen(L), frozen(D)
    ends = [(0, 1), (1, 2), (2, 0)]
    values = [L[:, i] * (2.0 * L[:, i] - 1.0) for i in range(3)]
    values += [4.0 * L[:, a] * L[:, b] for a, b in ends]
    slopes = [(4.0 * L[:, i, None] - 1.0) * D[:, i] for i in range(3)]
    slopes += [4.0 * (L[:, a, None] * D[:, b] + L[:, b, None] * D[:, a]) for a, b in ends]
    return frozen(np.stack(values, axis=1)), frozen(np.stack(slopes, axis=1))
