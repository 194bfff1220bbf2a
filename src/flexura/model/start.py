"""The state to begin with: the unloaded robot, its loops closed by smooth curves."""

import numpy as np

from flexura.lie import se3
from flexura.model.inputs import Inputs
from flexura.model.model import Model, Place
from flexura.model.state import State
from flexura.robot import Rod
from flexura.rods.bridge import curve_between
from flexura.rods.discretization import StrainField
from flexura.typing import Array, Pose, Strain, frozen


def start_state(model: Model, inputs: Inputs) -> State:
    """The unloaded robot, with its welds as the inputs have them.

    Rods that close a loop follow the third-order interpolation between their ends.
    """
    layout = model.layout.at(inputs.pose)
    poses = layout.compose(np.concatenate([part.rest_links for part in model.parts]))
    inner = [part.rest_inner.copy() for part in model.parts]
    expected = [part.elastic.rest.copy() for part in model.parts]
    nodes = layout.nodes(poses)
    for first, last in layout.closing:
        place = _place(model, first)
        part = model.parts[place.part]
        s = part.group.node_lengths(place.index)
        between, strain = _curve(place.rod, se3.inverse(nodes[first]) @ nodes[last], s)
        inside = slice(first + 1, last)
        poses[layout.coordinate[inside]] = nodes[first] @ between[1:-1]
        own = slice(first - part.begin, last - part.begin + 1)
        inner[place.part][own] = part.group.fit(place.index, strain)
        points = part.group.points
        along = points.rod == place.index
        expected[place.part][along] = strain(points.s[along])
    return State(
        frozen(poses),
        tuple(frozen(values) for values in inner),
        tuple(
            frozen(part.elastic.stress(strain))
            for part, strain in zip(model.parts, expected, strict=True)
        ),
        frozen(np.zeros(len(model.tendons.names))),
    )


def _place(model: Model, first: int) -> Place:
    """The rod whose first node this is."""
    return next(
        place
        for place in model.places.values()
        if model.parts[place.part].begin + model.parts[place.part].group.rod_nodes[place.index]
        == first
    )


def _curve(rod: Rod, T: Pose, s: Array) -> tuple[Pose, StrainField]:
    """Poses at arc lengths s, and the strain, of a curve from the identity to T."""
    twist = se3.log(T)
    near = np.linalg.norm(T[:3, 3]) < rod.length
    found = curve_between(rod, twist[:3], T[:3, 3]) if near else None
    if found is not None:
        return found.poses(s), found.strain

    def strain(where: Array) -> Strain:
        return np.tile(twist / rod.length, (len(where), 1))

    return se3.exp(s[:, None] / rod.length * twist), strain
