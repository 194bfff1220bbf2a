"""Tendons: cables that run along rods and pull.

A tendon at D(s) in the section frame is ∫ |Γ| ds long, Γ = ν + κ × D + D'. One between the holes
of discs is Σ |p_b - p_a| long. Its tension τ does the work -τ δl, as an energy τ l would: stresses,
slope jumps and terminations all follow from the length (theory 10.1 to 10.3).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.model.terms import tendon_kernels as kernels
from flexura.rods.discretization import Laws
from flexura.typing import Array, Indices, Pose, Strain


@dataclass(frozen=True)
class Tendons:
    """All tendons of a model.

    Attributes:
        names: of the tendons, whose order is that of all arrays here.
        by_length: whether the input is a shortening, and the tension an unknown, (n,).
        compliance: 1 / EA, 0 for a tendon that does not stretch [1/N], (n,).
        rest: length on the unloaded robot [m], (n,).
        gap: the part of the length between rods, which never changes [m], (n,).
    """

    names: tuple[str, ...]
    by_length: NDArray[np.bool_]
    compliance: Array
    rest: Array
    gap: Array

    @cached_property
    def given(self) -> bool:
        """Whether all tensions are given."""
        return not self.by_length.any()

    def tension(self, unknown: Array, inputs: Array) -> Array:
        """Tensions from the unknown ones, if there are any, and the inputs [N], (n,)."""
        return inputs if self.given else np.where(self.by_length, unknown, inputs)

    def excess(self, length: Array, tension: Array, inputs: Array) -> Array:
        """How much longer the way is than the tendon, driven by its length, can be [m], (n,).

        Negative where it is slack. Zero for tendons that are driven by their tension.
        """
        own = (self.rest - inputs) * (1.0 + self.compliance * tension)
        return np.where(self.by_length, length - own, 0.0)

    def energy(self, length: Array, tension: Array, inputs: Array) -> float:
        """Potential of given tensions, and strain energy of tendons driven by length [J]."""
        if self.given:
            return float(tension @ length)
        stored = 0.5 * (self.rest - inputs) * self.compliance * tension**2
        return float(np.where(self.by_length, stored, tension * length).sum())


@dataclass(frozen=True)
class Routed:
    """Tendons that touch the rods of a group everywhere: a law at its points.

    Attributes:
        tendon: index of the tendon, (n,).
        point: point of the group, (n,).
        weight: of the point [m], (n,).
        offset: D, (n, 3).
        slope: D', (n, 3).
    """

    tendon: Indices
    point: Indices
    weight: Array
    offset: Array
    slope: Array

    def write(
        self, strain: Strain, tension: Array, ahead: Array, laws: Laws, length: Array
    ) -> None:
        """Add stress and stiffness at the points, and the lengths of the tendons.

        ``ahead`` is the tension for the geometric part of the tangent.
        """
        kernels.write(
            self.tendon, self.point, self.weight, self.offset, self.slope, strain, tension, ahead,
            laws.stress, laws.stress_ahead, laws.stiffness, length,
        )  # fmt: skip

    def add_length(self, strain: Strain, length: Array) -> None:
        """Add the lengths of the tendons along the group."""
        kernels.add_length(
            self.tendon, self.point, self.weight, self.offset, self.slope, strain, length
        )

    def unit_stress(self, tendon: int, strain: Strain) -> Array:
        """Stress of a tension of one newton in a tendon, weights included, (n_points, 6)."""
        stress = np.zeros_like(strain)
        kernels.unit_stress(
            tendon, self.tendon, self.point, self.weight, self.offset, self.slope, strain, stress
        )
        return stress


@dataclass(frozen=True)
class Segments:
    """Straight pieces of tendons between the holes of discs: a law on pairs of nodes.

    Attributes:
        tendon: index of the tendon, (n,).
        nodes: the nodes that carry the two holes, (n, 2).
        holes: their places in the frames of the nodes [m], (n, 2, 3).
    """

    tendon: Indices
    nodes: Indices
    holes: Array

    def write(
        self,
        pose: Pose,
        tension: Array,
        ahead: Array,
        force: Array,
        blocks: Array,
        length: Array,
    ) -> None:
        """Add forces of the nodes and lengths of the tendons; write the tangents of the pairs.

        ``blocks`` (n, 2, 2, 36), with the tension ``ahead``, couples the two nodes of each segment.
        """
        kernels.write_segments(
            self.tendon, self.nodes, self.holes, pose, tension, ahead, force, blocks, length,
            np.empty((2, 3, 6)),
        )  # fmt: skip

    def unit_force(self, tendon: int, pose: Pose, force: Array) -> None:
        """Add the forces of the nodes for a tension of one newton in a tendon."""
        kernels.unit_force(tendon, self.tendon, self.nodes, self.holes, pose, force)
