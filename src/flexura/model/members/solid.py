"""Elements of a volume."""

from dataclasses import dataclass, replace

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.members import solid_kernels as kernels
from flexura.model.particles import ParticleWork
from flexura.typing import Array, Indices, frozen
from flexura.value import Value
from flexura.volumes.elements import Elements
from flexura.volumes.material_kernels import COROTATIONAL, VECTORS

# About twenty elements meet at a node; their rounding errors add up to so many times that of one.
AROUND = 5.0


@dataclass(frozen=True, eq=False, repr=False)
class Solid(Member, Value):
    """The elements of one volume.

    Attributes:
        name: of the volume.
        begin: its first particle.
        elements: the elements.
    """

    name: str
    begin: int
    elements: Elements

    @property
    def cells(self) -> Indices:
        """Particles of the elements."""
        return frozen(self.begin + self.elements.cells)

    @property
    def own(self) -> slice:
        """Its particles."""
        return slice(self.begin, self.begin + len(self.elements.rest))

    @property
    def stiffness(self) -> float:  # type: ignore[override]
        """Of an element against stretch [N]."""
        lam, mu = self.elements.lame
        return (lam + 2.0 * mu) * self.elements.edge**2

    @property
    def strained_by_turns(self) -> bool:  # type: ignore[override]
        """Whether it is not corotational.

        A turn by ω along a straight line makes volumes larger by |ω|². The stress of other laws
        then pulls so much at nearly incompressible elements that their tangents are indefinite.
        """
        return self.elements.law != COROTATIONAL

    def softened(self) -> "Solid":
        """The same, corotational: its rotations have no strain in them, and small strains agree."""
        return replace(self, elements=replace(self.elements, law=COROTATIONAL))

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActiveSolid":
        """The elements in an evaluation."""
        return ActiveSolid(self, layout, particles)


class ActiveSolid(Active):
    """The elements of a volume in an evaluation; arrays as in its kernels."""

    def __init__(self, solid: Solid, layout: Layout, particles: ParticleWork) -> None:
        elements = solid.elements
        self.solid, self.cells = solid, np.ascontiguousarray(solid.cells)
        self._particles, own = particles, solid.own
        self._range = own.start, own.stop
        start = particles.start[self.cells]
        self._slots = layout.structure.slots(start[:, :, None], start[:, None, :])
        k = self.cells.shape[1]
        self._law = (elements.law, *elements.lame)
        self._geometry = (self.cells, elements.gradient, elements.weight)
        turned = np.zeros((*elements.weight.shape, 3, 3))
        self._small = turned, np.zeros((2, 3, 3)), np.zeros((3, 3, 3))
        self._stiff = np.zeros((3, 3)), np.zeros((k, VECTORS, 3)), np.zeros((k, k, 3, 3))
        self._transfer = np.zeros((2, 6, 6))
        self._energy, self._largest = 0.0, 0.0

    def act(self, assembly: Around) -> None:
        """Forces of the elements."""
        work = self._particles
        self._energy, self._largest = kernels.add_forces(
            *self._geometry, *self._law, work.displacement, work.force, *self._small
        )

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Their tangents."""
        work = self._particles
        kernels.add_tangents(
            *self._geometry, self._slots, *self._law, work.displacement, work.ride, work.reach,
            values, *self._small, *self._stiff, self._transfer,
        )  # fmt: skip

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """What the tangent makes of a motion."""
        kernels.multiply(
            *self._geometry, *self._law, self._particles.displacement, motion, force,
            *self._small, *self._stiff,
        )  # fmt: skip

    def energy(self, assembly: Around, stored: bool) -> float:
        """Strain energy [J]."""
        return float(self._energy) if stored else 0.0

    def measure(self, assembly: Around, motion: Array, dq: Array) -> tuple[float, float]:
        """Largest |δF F⁻¹| of all points, and largest displacement over the length."""
        largest, far = kernels.largest_strain(
            self.cells, self.solid.elements.gradient, self._particles.displacement, motion,
            self._range, self._small[1],
        )  # fmt: skip
        return largest, far / assembly.model.length

    def force_size(self) -> float:
        """Largest force of an element on a particle [N]."""
        return float(self._largest)

    def rounding(self, assembly: Around) -> float:
        """What rounding of F, a sum of u ⊗ ∇N, does to the forces of the worst element."""
        at_rest, moved = self.solid.elements.sizes
        largest = kernels.largest_size(self.cells, at_rest, moved, self._particles.displacement)
        return AROUND * float(largest)
