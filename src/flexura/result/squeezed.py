"""Elements of volumes that are squeezed, or turned inside out: where a mesh says nothing true."""

import numpy as np

from flexura.model.members.solid import Solid
from flexura.model.model import Model
from flexura.text import few
from flexura.typing import Array, Pose
from flexura.volumes.elements import volume_ratios

# Elements that are squeezed to less than this part of their volume are worth a word: what soft
# robots are made of keeps its volume nearly.
HALF = 0.5


def squeezed(model: Model, nodes: Pose, numbers: Array) -> list[str]:
    """Volumes with elements that are squeezed, in words.

    Quadratic elements are looked at in their corners, too, where no law of material does.

    Args:
        model: with volumes, or without.
        nodes: poses of the nodes.
        numbers: all unknowns.
    """
    if not model.volumes:
        return []
    particles, found = model.layout.particles, []
    moved = np.zeros((len(particles), 3))
    particles.displacements(nodes, numbers, moved)
    for solid in model.members:
        if not isinstance(solid, Solid):
            continue
        ratio = volume_ratios(solid.elements, moved[solid.own])
        worst = np.argsort(ratio)
        worst = worst[~(ratio[worst] >= HALF)]
        if len(worst):
            which = few([str(i) for i in worst.tolist()])
            found.append(
                f"elements {which} of volume {solid.name!r} are squeezed to less than half of what "
                f"they were somewhere, {worst[0]} to {ratio[worst[0]]:.2g} of it: what is found "
                "near them says little; lower the load, let more nodes share it, or refine the "
                "mesh there"
            )
    return found
