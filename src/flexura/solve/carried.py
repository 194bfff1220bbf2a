"""The state of a model that has the shape of a result, of another model of the same robot.

Or of the same one, with sets of tubes turned about the axes of their plates.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.lie.axial import about_x, turned
from flexura.model.model import Model
from flexura.model.start import start_state
from flexura.model.state import State
from flexura.result.static import StaticResult
from flexura.rods.tube_group import TubeRods
from flexura.typing import Array, Pose, Strain, frozen


def carried(
    result: StaticResult, model: Model, turns: Mapping[str, float] | None = None
) -> tuple[State, tuple[Strain, ...]]:
    """A state with nearly the shape of a result, and strains at the points of each part.

    What ties elements exerts nothing, and control poses of another model are put on the curve: a
    few iterations off.

    Args:
        result: of the same robot.
        model: that shall have its shape.
        turns: by which sets of tubes that nothing else hangs on are turned [rad], by name.
    """
    inputs = model.read_inputs(result.inputs)
    begin, layout = start_state(model, inputs), model.layout_at(inputs)
    poses, numbers = begin.state.poses.copy(), np.zeros(model.n_dof)
    strains = [strain.copy() for strain in begin.strains]
    nodes = np.full((layout.n_nodes, 4, 4), np.nan)
    for name, node in model.frames.items():
        nodes[node] = result.evaluation.nodes[result.model.frames[name]]
    rows = [np.zeros((part.n_nodes, part.group.n_inner)) for part in model.parts]
    for name, place in model.places.items():
        course = _Course(result, name, (turns or {}).get(name, 0.0))
        part = model.parts[place.part]
        first, stop = (int(n) for n in part.group.rod_nodes[place.index : place.index + 2])
        own = slice(part.begin + first, part.begin + stop)
        there = result.evaluation.nodes[own]  # control poses need not be on the curve
        if model is not result.model:
            there = course.shape(part.group.node_lengths(place.index))[0]
        nodes[own] = np.where(np.isfinite(nodes[own]), nodes[own], course.turned(there))
        inner, strain, points = rows[place.part], strains[place.part], part.group.points
        if isinstance(part.group, TubeRods):
            part.group.follow(place.index, course.strain, course.angle, inner, strain)
        else:
            inner[first:stop] = part.group.fit(place.index, course.strain)
            along = points.rod == place.index
            strain[along] = course.strain(points.s[along])
    known = (layout.coordinate >= 0) & np.isfinite(nodes[:, 0, 0])
    poses[layout.coordinate[known]] = nodes[known] @ se3.inverse(layout.offset[known])
    for part, rows_of in zip(model.parts, rows, strict=True):
        layout.add_inner(part.nodes, rows_of, numbers)
    for here, before in zip(layout.term_rows, result.model.layout.term_rows, strict=True):
        numbers[here] = result.state.numbers[before]
    state = State(frozen(poses), frozen(numbers), _multipliers(result, model))
    return state, tuple(frozen(strain) for strain in strains)


def _multipliers(result: StaticResult, model: Model) -> Array:
    """Those of constraints; what touches in another model presses nothing yet."""
    if model is result.model:
        return result.state.multipliers
    found, own = np.zeros(model.n_multipliers), len(model.inputs.multipliers)
    found[:own] = result.state.multipliers[:own]
    return frozen(found)


class _Course(NamedTuple):
    """A rod or a set of a result by arc length, a set by that of reference, turned by an angle."""

    result: StaticResult
    name: str
    turn: float

    def shape(self, s: Array) -> tuple[Pose, Strain]:
        """Poses and strains, not turned."""
        place = self.result.model.places[self.name]
        part = self.result.model.parts[place.part]
        nodes = self.result.evaluation.nodes[part.nodes]
        inner = self.result.model.inner(self.result.state, place.part)
        return part.group.shape(nodes, inner, place.index, s)

    def turned(self, pose: Pose) -> Pose:
        """Poses with the set turned; they begin as its plate, turned or not."""
        if not self.turn:
            return pose
        plate = self.result.evaluation.nodes[self.result.model.frames[f"{self.name}.base"]]
        back = about_x(-self.turn)
        return np.asarray(plate @ about_x(self.turn) @ se3.inverse(plate) @ pose @ back)

    def strain(self, s: Array) -> Strain:
        """Strains in the frames of these poses."""
        found = self.shape(s)[1]
        parts = [turned(found[:, i : i + 3], self.turn) for i in (0, 3)]
        return np.concatenate(parts, axis=1) if self.turn else found

    def angle(self, s: Array) -> Array:
        """Angles of the tubes of a set, (k, n)."""
        model = self.result.model
        place = model.places[self.name]
        group = model.parts[place.part].group
        assert isinstance(group, TubeRods)
        return group.angles(model.inner(self.result.state, place.part), place.index, s) + self.turn
