"""What results say of volumes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.errors import known
from flexura.model.members.segment import ParticleSegments
from flexura.model.members.solid import Solid
from flexura.model.members.thread import Threads
from flexura.result.volume_kernels import strains_and_stresses
from flexura.robot import Clamp
from flexura.typing import Array, Indices, Pose, Wrench, frozen
from flexura.value import Value
from flexura.volumes.elements import Elements

if TYPE_CHECKING:
    from flexura.model.evaluation import Evaluation
    from flexura.model.model import Model
    from flexura.model.state import State


@dataclass(frozen=True, eq=False, repr=False)
class VolumeState(Value):
    """A deformed volume: nodes, and what its elements carry.

    Attributes:
        displacements: of the nodes [m], (n, 3).
        elements: with their law of material.
    """

    displacements: Array
    elements: Elements

    @property
    def rest(self) -> Array:
        """Positions of the nodes at rest [m], (n, 3)."""
        return self.elements.rest

    @property
    def cells(self) -> Indices:
        """Nodes of the elements, (m, 4 or 10)."""
        return self.elements.cells

    @property
    def points(self) -> Array:
        """Positions of the nodes [m], (n, 3)."""
        return np.asarray(self.rest + self.displacements)

    @cached_property
    def _answers(self) -> tuple[Array, Array, Array]:
        elements = self.elements
        m, q = elements.weight.shape
        strain, stress = np.empty((2, m, q, 3, 3))
        energy, part = np.empty((m, q)), elements.weight / elements.weight.sum(axis=1)[:, None]
        strains_and_stresses(
            elements.cells, elements.gradient, elements.law, *elements.lame, self.displacements,
            strain, stress, energy, np.empty((3, 3, 3)), np.empty((3, 3, 3)),
        )  # fmt: skip
        strain = np.einsum("mq,mqij->mij", part, strain)
        stress = np.einsum("mq,mqij->mij", part, stress)
        return frozen(strain), frozen(stress), frozen((elements.weight * energy).sum(axis=1))

    @property
    def strain(self) -> Array:
        """Green's strain (FᵀF - 1)/2 of each element, its mean, (m, 3, 3)."""
        return self._answers[0]

    @property
    def stress(self) -> Array:
        """Cauchy's stress of each element, its mean [Pa], (m, 3, 3)."""
        return self._answers[1]

    @property
    def energy(self) -> Array:
        """Strain energy of each element [J], (m,)."""
        return self._answers[2]

    @cached_property
    def von_mises(self) -> Array:
        """Stress of von Mises of each element [Pa], (m,)."""
        deviator = self.stress - np.einsum("mii->m", self.stress)[:, None, None] / 3.0 * np.eye(3)
        return np.asarray(np.sqrt(1.5 * np.einsum("mij,mij->m", deviator, deviator)))

    def at_nodes(self, values: Array) -> Array:
        """Means at the nodes of what elements have, by their volumes, (n, ...)."""
        weight = self.elements.weight.sum(axis=1)
        shape = (-1, *(1,) * (values.ndim - 1))
        total = np.zeros((len(self.rest), *values.shape[1:]))
        count = np.zeros(len(self.rest))
        for nodes in self.cells.T:
            np.add.at(total, nodes, weight.reshape(shape) * values)
            np.add.at(count, nodes, weight)
        return total / count.reshape(shape)

    @property
    def volume(self) -> float:
        """Volume inside the surface [m³]."""
        return self.elements.mesh.enclosed(self.points)


class SoftAnswers:
    """What a result says of the volumes of its robot."""

    model: "Model"
    state: "State"
    evaluation: "Evaluation"
    pose: Callable[..., Pose]
    _assembly: Callable[[], Any]

    def volume(self, name: str) -> VolumeState:
        """A volume: its nodes, strains and stresses."""
        model = self.model
        known("volume", name, model.volumes)
        (solid,) = (x for x, _ in model.with_rows(Solid) if x.name == name)
        return VolumeState(frozen(self._displacements[solid.own].copy()), solid.elements)

    def points(self, volume: str) -> Array:
        """Where the nodes of a volume are [m], (n, 3)."""
        return self.volume(volume).points

    def _way_through(self, tendon: str) -> Array:
        """Points of a tendon through a volume, from where it is pulled [m], (n, 3)."""
        model, names = self.model, self.model.tendons.names
        ((pieces, _),) = model.with_rows(ParticleSegments)
        own = pieces.source == model.tendons.source[names.index(tendon)]
        begins, ends = np.moveaxis(
            pieces.ends(self._displacements, model.layout.particles.rest)[own], 1, 0
        )
        return np.concatenate([begins, ends[-1:]])

    @property
    def _clamps(self) -> list[str]:
        """Labels of the clamps of volumes, whose reaction can be asked for."""
        return [tie.label for tie in self.model.robot.ties if isinstance(tie, Clamp)]

    def _clamp_reaction(self, label: str) -> Wrench:
        """Wrench that the frame of a clamp exerts on the volume, in that frame."""
        (tie,) = (x for x in self.model.robot.ties if isinstance(x, Clamp) and x.label == label)
        nodes = tie.nodes.find(self.model.robot.volume(tie.volume))
        particles = self.model.volumes[tie.volume] + nodes
        T = self.pose(tie.frame)
        force = self._particle_forces[particles] @ T[:3, :3]
        at = self.model.layout.particles.rest[particles] + self._displacements[particles]
        arm = (at - T[:3, 3]) @ T[:3, :3]
        return np.concatenate([np.cross(arm, force).sum(axis=0), force.sum(axis=0)])

    @cached_property
    def _particle_forces(self) -> Array:
        """What acts on particles, those of free ones nearly zero [N], (n, 3)."""
        return frozen(self._assembly().particles.force.copy())

    def sliding(self, tie: str) -> tuple[Array, Array]:
        """Where a threaded rod passes its points, and what it exerts on the volume there.

        Args:
            tie: label of the ``Threaded``.

        Returns:
            Arc lengths of the rod [m], (n,), and forces in world axes [N], (n, 3).
        """
        threads = self.model.with_rows(Threads)
        known("threaded rod", tie, [label for x, _ in threads for label in x.labels])
        ((own, rows),) = (x for x in threads if tie in x[0].labels)
        numbers = self.state.numbers[rows]
        mine = own.tie == own.labels.index(tie)
        return own.abscissae(numbers)[mine], own.forces(numbers)[mine]

    @cached_property
    def _displacements(self) -> Array:
        """Displacements of all particles [m], (n, 3)."""
        particles = self.model.layout.particles
        found = np.zeros((len(particles), 3))
        particles.displacements(self.evaluation.nodes, self.state.numbers, found)
        return frozen(found)
