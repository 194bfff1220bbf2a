"""Where volumes begin: carried along with the first frame that holds them."""

import numpy as np

from flexura.lie import se3
from flexura.model.layout import Layout
from flexura.model.members.solid import Solid
from flexura.model.model import Model
from flexura.model.particle_numbering import unloaded_nodes
from flexura.typing import Array, Pose


def carry_volumes(model: Model, layout: Layout, nodes: Pose, numbers: Array) -> None:
    """Put displacements of volumes that inputs have moved into the numbers of a state.

    A volume moves as the particles do that ride on the node with most of them, as a rigid body.
    """
    particles = layout.particles
    for member, _ in model.with_rows(Solid):
        own = np.arange(member.own.start, member.own.stop)
        riding = own[particles.node[own] >= 0]
        if not len(riding):
            continue
        node = int(np.bincount(particles.node[riding]).argmax())
        T = nodes[node] @ se3.inverse(model.once(_rest_nodes)[node])
        if np.array_equal(T, np.eye(4)):
            continue
        free = own[particles.dof[own] >= 0]
        x = particles.rest[free]
        moved = x @ T[:3, :3].T + T[:3, 3] - x
        numbers[particles.dof[free][:, None] + np.arange(3)] = moved


def _rest_nodes(model: Model) -> Pose:
    """Poses of the nodes on the unloaded robot as it is described."""
    return unloaded_nodes(model.layout, [part.rest_links for part in model.parts])
