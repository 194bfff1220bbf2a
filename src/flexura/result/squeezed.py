"""Where volumes say nothing true: elements that are squeezed, points beyond the ends of rods."""

import numpy as np

from flexura.model.members.solid import Solid
from flexura.model.members.thread import Threads
from flexura.model.model import Model
from flexura.text import few
from flexura.typing import Array, Pose
from flexura.volumes.elements import volume_ratios

# Elements that are squeezed to less than this part of their volume are worth a word: what soft
# robots are made of keeps its volume nearly.
HALF = 0.5
# A rod may pass a point this part of its length beyond its end: that is rounding.
BEYOND = 1e-6


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
    for solid, _ in model.with_rows(Solid):
        ratio = volume_ratios(solid.elements, moved[solid.own])
        if not ratio.min() >= HALF:
            worst = np.argsort(ratio)
            worst = worst[~(ratio[worst] >= HALF)]
            which = few([str(i) for i in worst.tolist()])
            found.append(
                f"elements {which} of volume {solid.name!r} are squeezed to less than half of what "
                f"they were somewhere, {worst[0]} to {ratio[worst[0]]:.2g} of it: what is found "
                "near them says little; lower the load, let more nodes share it, or refine the "
                "mesh there"
            )
    return found


def beyond_ends(model: Model, numbers: Array) -> list[str]:
    """Rods that have been pulled out of points they are threaded through, in words."""
    found = []
    for own, rows in model.with_rows(Threads):
        out = own.beyond(numbers[rows])
        for i in np.flatnonzero(out > BEYOND * own.length).tolist():
            label, number = own.labels[own.tie[i]], int((own.tie[:i] == own.tie[i]).sum())
            found.append(
                f"{label!r}: the rod passes point {number} {out[i]:.3g} m beyond its end, where "
                "there is none: make it longer, or move it less"
            )
    return found
