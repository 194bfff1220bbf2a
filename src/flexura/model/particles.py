"""Particles: positions that something acts on, such as the nodes of a mesh.

A particle is free: its displacement u is three unknowns; or it rides on a node with a place r,

    X + u = g_n r,

and has none: what acts on it acts on the node (kinematic embedding, as in ``Layout``). The world is
a node, too. X is where it is at rest.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.matrix.structure import Structure
from flexura.model import particle_kernels as kernels
from flexura.typing import Array, Indices, Pose, Twist, frozen
from flexura.value import Value

NONE: Indices = frozen(np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False, repr=False)
class Particles(Value):
    """All particles of a model.

    Attributes:
        rest: X [m], (n, 3).
        dof: first of the unknowns of each, -1 for those that ride, (n,).
        node: that each rides on, -1 for free ones, (n,).
        place: r of those that ride [m], (n, 3).
    """

    rest: Array
    dof: Indices
    node: Indices
    place: Array

    def __post_init__(self) -> None:
        """Its arrays are read-only already."""

    def __len__(self) -> int:
        return len(self.rest)

    @cached_property
    def free(self) -> Indices:
        """Unknowns of all free particles, (n_free, 3)."""
        own = self.dof[self.dof >= 0]
        return np.asarray(own[:, None] + np.arange(3))

    def displacements(self, nodes: Pose, numbers: Array, out: Array) -> None:
        """u of all particles, for poses of the nodes and all unknowns."""
        kernels.displace(self.rest, self.dof, self.node, self.place, nodes, numbers, out)

    def increments(self, nodes: Pose, d_nodes: Twist, dq: Array, out: Array) -> None:
        """How particles move, for increments of the nodes and of all unknowns."""
        kernels.increments(self.dof, self.node, self.place, nodes, d_nodes, dq, out)

    def carry(self, nodes: Pose, force: Array, node_force: Array, residual: Array) -> None:
        """Add forces of particles to those of nodes and unknowns."""
        kernels.carry(self.dof, self.node, self.place, nodes, force, node_force, residual)


NO_PARTICLES = Particles(frozen(np.empty((0, 3))), NONE, NONE, frozen(np.empty((0, 3))))


class ParticleWork:
    """Arrays of an evaluation for the particles of a model; a solve owns it.

    Attributes:
        particles: where they are at rest, and what they ride on.
        start: first unknown that each moves with, its own or those of a coordinate; -1 if fixed.
        ride: which of the rows of ``reach`` each has, -1 for free and for fixed ones.
        reach: ∂u/∂ζ of those that ride on coordinates, (m, 3, 6).
        displacement: u, (n, 3).
        force: what acts on them, (n, 3).
        scratch: for whoever needs three numbers for each particle for a moment.
    """

    def __init__(self, particles: Particles, coordinate: Indices, dof: Indices) -> None:
        n, self.particles = len(particles), particles
        rides = particles.node >= 0
        on = np.where(rides, particles.node, 0)
        moving = rides & (coordinate[on] >= 0)
        self.start = np.where(moving, dof[on], particles.dof)
        self.ride = np.full(n, -1)
        self.riding = np.flatnonzero(moving)
        self.ride[self.riding] = np.arange(len(self.riding))
        self.coordinate = coordinate[particles.node[self.riding]]
        self.reach = np.zeros((len(self.riding), 3, 6))
        self.arm = np.zeros((len(self.riding), 3))
        self.displacement, self.force, self.scratch = np.zeros((3, n, 3))

    def place(self, nodes: Pose, poses: Pose, offset: Pose, numbers: Array) -> None:
        """Where the particles are, and how they move with the coordinates."""
        self.particles.displacements(nodes, numbers, self.displacement)
        if len(self.riding):
            node = self.particles.node[self.riding]
            kernels.reaches(
                offset[node], self.particles.place[self.riding], poses[self.coordinate],
                self.arm, self.reach,
            )  # fmt: skip

    @property
    def position(self) -> Array:
        """Where the particles are [m], (n, 3)."""
        return np.asarray(self.particles.rest + self.displacement)

    def add_curvatures(self, structure: Structure, poses: Pose, values: Array) -> None:
        """Add what forces do to the tangent of coordinates that particles ride on."""
        if len(self.riding):
            start = self.start[self.riding]
            slots = structure.slots(start, start)
            kernels.add_curvatures(
                slots, poses[self.coordinate], self.arm, self.force[self.riding], values,
                np.empty(36),
            )  # fmt: skip
