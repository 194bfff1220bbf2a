"""Groups of rods in a model, and where its rods and tubes are found in them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from flexura.model.law import Law
from flexura.robot import Rod
from flexura.rods.discretization import RodGroup
from flexura.typing import Array, Indices, Pose, Strain, Wrench
from flexura.value import Value


class Binding(Protocol):
    """What inputs change about a group of rods, besides what laws do."""

    def bind(self, values: Array, work: Any) -> None:
        """Make the arrays of an evaluation ready for the values of inputs."""

    def start(self, values: Array) -> tuple[Pose, Array, Array]:
        """The unloaded rods: links of the nodes, inner unknowns, strains at the points."""

    def grow(self, before: Array, after: Array, inner: Array) -> Array | None:
        """Let rods that grow with inputs keep their curvature: inner unknowns, in place.

        Returns the strains at the points then; None where nothing grows, or nothing can be kept.
        """

    def firmest(self, values: Array) -> float:
        """Largest stiffness of a section against bending and torsion, by arc length of reference.

        In N·m²: those that inputs make short are firmer than the rods that they are of. Zero where
        that rounds no forces.
        """


@dataclass(frozen=True, eq=False, repr=False)
class Part(Value):
    """A group of rods with the laws that act along it.

    Attributes:
        group: the discretized rods.
        begin: index of its first node in the model.
        laws: what acts at its points.
        posed: the points whose poses laws see.
        rest_links: the unloaded rods: pose of each node in the one before it.
        rest_inner: their inner unknowns.
        rest_strain: their strains at the points.
        fibre: what a strain there does to the outermost fibre, over what that bears: its distance
            [m], or 1, (n, 6).
        binding: what inputs change about where things are; None where they do not.
    """

    group: RodGroup
    begin: int
    laws: tuple[Law, ...]
    posed: Indices
    rest_links: Pose
    rest_inner: Array
    rest_strain: Array
    fibre: Array
    binding: Binding | None = None

    @cached_property
    def bends(self) -> bool:
        """Whether inner unknowns bend the rods, not only nodes."""
        return not bool(self.group.multiplier.all())

    @cached_property
    def stiffness(self) -> Array:
        """Largest stiffness of each rod against stretch or shear [N], (n_rods,)."""
        rods, count = self.group.points.rod, len(self.group.rod_nodes) - 1
        found = [law.firmness(rods, count) for law in self.laws]
        return np.asarray(np.max([np.zeros(count), *found], axis=0))

    @property
    def n_nodes(self) -> int:
        """Number of its nodes."""
        return int(self.group.rod_nodes[-1])

    @cached_property
    def nodes(self) -> slice:
        """The nodes of the group in the model."""
        return slice(self.begin, self.begin + self.n_nodes)

    def pulled(self, strain: Strain, values: Array) -> Wrench:
        """What tendons carry at its points, weights included, (n, 6).

        Args:
            strain: at the points.
            values: inputs and multipliers.
        """
        found = np.zeros((len(self.group.points.s), 6))
        for law in self.laws:
            law.add_stress(strain, values, found)
        return found


@dataclass(frozen=True)
class Place:
    """Where to find a rod: its part, its index there, its description."""

    part: int
    index: int
    rod: Rod


@dataclass(frozen=True)
class TubePlace:
    """Where to find a tube: its part, its set and its number there, its description, its set."""

    part: int
    index: int
    tube: int
    rod: Rod
    set: str
