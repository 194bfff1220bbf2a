"""Forces on particles: weight, and point loads on volumes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexura.model.layout import Layout
from flexura.model.member import Active, Around, Member
from flexura.model.particles import ParticleWork
from flexura.typing import Array, Indices, frozen
from flexura.value import Value


class Share(NamedTuple):
    """How particles share a vector of the inputs.

    Attributes:
        place: of the vector among the given values.
        particles: those that have a share, (n,).
        part: of each, (n,): masses for gravity, weights of a force.
    """

    place: int
    particles: Indices
    part: Array


@dataclass(frozen=True, eq=False)
class ParticleLoads(Member, Value):
    """Dead forces: each particle has a part of a vector that is given.

    Attributes:
        place: of the vector among the given values, (m,).
        target: the particle, (m,).
        part: how much of the vector it has, (m,).
    """

    place: Indices
    target: Indices
    part: Array

    @classmethod
    def of(cls, shares: Sequence[Share]) -> "ParticleLoads":
        """The loads of all shares."""
        return cls(
            frozen(np.concatenate([np.full(len(x.particles), x.place) for x in shares])),
            frozen(np.concatenate([np.asarray(x.particles, dtype=np.int64) for x in shares])),
            frozen(np.concatenate([np.asarray(x.part, dtype=np.float64) for x in shares])),
        )

    @cached_property
    def _columns(self) -> Indices:
        return np.asarray(self.place[:, None] + np.arange(3))

    @cached_property
    def reads(self) -> frozenset[int]:
        """Places of the vectors."""
        return frozenset(np.unique(self._columns).tolist())

    def forces(self, values: Array) -> Array:
        """The force of each load [N], (m, 3)."""
        return np.asarray(self.part[:, None] * values[self._columns])

    def size(self, values: Array) -> float:
        """The sum of the sizes of all forces [N]."""
        return float(np.linalg.norm(self.forces(values), axis=1).sum())

    def active(self, layout: Layout, particles: ParticleWork, rows: Indices) -> "ActiveLoads":
        """The loads in an evaluation."""
        return ActiveLoads(self, particles)


class ActiveLoads(Active):
    """Dead forces in an evaluation."""

    def __init__(self, loads: ParticleLoads, particles: ParticleWork) -> None:
        self._loads, self._particles = loads, particles

    def act(self, assembly: Around) -> None:
        """What acts is the negative gradient."""
        self._add(assembly.given.values, self._particles.force)

    def _add(self, values: Array, force: Array) -> None:
        np.subtract.at(force, self._loads.target, self._loads.forces(values))

    def slope(self, assembly: Around, change: Array, force: Array) -> None:
        """Linear in what is given."""
        self._add(change, force)

    def energy(self, assembly: Around, stored: bool) -> float:
        """Potential of the forces, seen from the world's origin [J]."""
        if stored:
            return 0.0
        work, loads = self._particles, self._loads
        at = work.particles.rest[loads.target] + work.displacement[loads.target]
        return -float(np.sum(loads.forces(assembly.given.values) * at))
