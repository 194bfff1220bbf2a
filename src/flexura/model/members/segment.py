"""Straight pieces of tendons between points of volumes and of the world."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.members import segment_kernels as kernels
from flexura.model.particles import ParticleWork
from flexura.typing import Array, Indices, frozen
from flexura.value import Value


@dataclass(frozen=True, eq=False)
class ParticleSegments(Member, Value):
    """The energy τ |p_b - p_a| of each piece, p = c + Σ w (X + u).

    Attributes:
        source: place of each tension among the given values, (m,).
        particles: of both ends, (m, 2, k); those of an end in the world have no weight.
        weights: w, (m, 2, k).
        fixed: c, (m, 2, 3).
    """

    source: Indices
    particles: Indices
    weights: Array
    fixed: Array

    @cached_property
    def cells(self) -> Indices:
        """The particles of each piece that count."""
        found = self.particles.reshape(len(self.source), -1).copy()
        idle = self.weights.reshape(found.shape) == 0.0
        first = np.take_along_axis(found, np.argmin(idle, axis=1)[:, None], axis=1)
        return frozen(np.where(idle, first, found))

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the tensions."""
        return frozenset(self.source.tolist())

    def size(self, values: Array) -> float:
        """The largest tension [N]."""
        return float(np.abs(values[self.source]).max(initial=0.0))

    def ends(self, displacement: Array, rest: Array) -> Array:
        """Where the pieces end [m], (m, 2, 3)."""
        at = rest[self.particles] + displacement[self.particles]
        return np.asarray(self.fixed + np.einsum("mek,mekc->mec", self.weights, at))

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActiveSegments":
        """The pieces in an evaluation."""
        return ActiveSegments(self, layout, particles)


class ActiveSegments(Active):
    """Pieces of tendons in an evaluation."""

    def __init__(self, own: ParticleSegments, layout: Layout, particles: ParticleWork) -> None:
        self._own, self._work = own, particles
        m = len(own.source)
        self._cells = np.ascontiguousarray(own.particles.reshape(m, -1))
        signs = np.array([-1.0, 1.0])[:, None]
        self._shares = np.ascontiguousarray((signs * own.weights).reshape(m, -1))
        start = np.where(self._shares != 0.0, particles.start[self._cells], -1)
        self._slots = layout.structure.slots(start[:, :, None], start[:, None, :])
        self._arms = np.ascontiguousarray(own.fixed[:, 1] - own.fixed[:, 0])
        self._direction, self._length = np.zeros((m, 3)), np.zeros(m)
        self._small = np.zeros((2, 3, 3)), np.zeros((2, 6, 6))

    def act(self, assembly: Around) -> None:
        """Forces; lengths are conjugate to tensions."""
        given, work = assembly.given, self._work
        kernels.add_forces(
            self._own.source, self._cells, self._shares, self._arms, work.particles.rest,
            work.displacement, given.values, given.conjugate, self._direction, self._length,
            work.force,
        )  # fmt: skip

    def pull_back(self, assembly: Around, values: Array) -> None:
        """Tangents, of the tension that is expected."""
        work = self._work
        kernels.add_tangents(
            self._own.source, self._cells, self._shares, self._slots, assembly.given.ahead,
            self._direction, self._length, work.ride, work.reach, values, *self._small,
        )  # fmt: skip

    def slope(self, assembly: Around, change: Array, force: Array) -> None:
        """Forces of a change of the tensions."""
        kernels.add_pulls(
            self._own.source, self._cells, self._shares, change, self._direction, force
        )

    def multiply(self, assembly: Around, motion: Array, force: Array, found: Array) -> None:
        """What the tangent makes of a motion."""
        kernels.multiply(
            self._own.source, self._cells, self._shares, assembly.given.ahead, self._direction,
            self._length, motion, force,
        )  # fmt: skip
