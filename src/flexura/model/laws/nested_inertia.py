"""Inertia of tubes inside each other, at the poses of their centreline.

The mass of all tubes that are at a point moves with the centreline, and turns with its tangent.
Left out are the spin of tubes about their axes, and what insertions that move add by sliding mass
along the centreline: points keep their part of a section.
"""

from dataclasses import dataclass

import numpy as np

from flexura.model.laws.inertia import Inertia
from flexura.model.tube_mesh import TubeMesh
from flexura.typing import Array, frozen


@dataclass(frozen=True, eq=False)
class NestedInertia(Inertia):
    """Inertia at the points of the sets of a group; ``inertia`` is that of described insertions."""

    mesh: TubeMesh

    @classmethod
    def of_mesh(cls, part: int, mesh: TubeMesh, values: Array) -> "NestedInertia":
        """For given values of inputs."""
        points = np.arange(len(mesh.group.base.points.s))
        return cls(part, frozen(points), frozen(inertia_of(mesh, values)), mesh)

    def at(self, values: Array) -> Array:
        """Moments of inertia and masses of what is outside of the plates, (n, 6)."""
        return inertia_of(self.mesh, values)


def inertia_of(mesh: TubeMesh, values: Array) -> Array:
    """Moments of inertia about y and z, and mass, at the points, weights included, (n, 6)."""
    found, rods = mesh.at(values), mesh.group.base.points.rod
    total = np.zeros((len(rods), 6))
    for i, plan in enumerate(mesh.plans):
        own = rods == i
        for j, tube in enumerate(plan.members):
            s = np.clip(found.own[own, j], 0.0, tube.length)
            total[own] += found.present[own, j, None] * tube.inertia(s)
    total[:, 1:3] = total[:, 1:3].mean(axis=1, keepdims=True)
    total[:, 0] = total[:, 1]  # spin is left out; the frame of the centreline hardly twists
    weight = mesh.group.base.points.weight * found.scale
    return np.asarray(weight[:, None] * total)
