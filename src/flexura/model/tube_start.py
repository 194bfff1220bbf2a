"""Where tubes begin: bent to meet what holds their tips, or as an earlier state has them."""

from collections import defaultdict

import numpy as np

from flexura.lie import se3
from flexura.lie.axial import about_x, turned
from flexura.model.inputs import Inputs
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.model.state import State
from flexura.model.tube_binding import Fed
from flexura.rods.between import shape_between
from flexura.typing import Array, Pose, Strain, frozen

# Stations along a centreline where its angle is added up.
STATIONS = 41


def grown(
    model: Model, state: State, strains: tuple[Strain, ...] | None, before: Inputs, after: Inputs
) -> tuple[State, tuple[Strain, ...] | None]:
    """A state, and its strains, with sets of tubes as long as other inputs make them.

    They stay as curved and twisted as they were; what they meet is left to the first step.
    """
    if strains is None or not model.tubes:
        return state, strains
    numbers, found = None, list(strains)
    for i, part in enumerate(model.parts):
        if part.binding is None:
            continue
        own = model.inner(state, i)
        inner = own.copy()
        strain = part.binding.grow(before.values, after.values, inner)
        if strain is not None:
            numbers = state.numbers.copy() if numbers is None else numbers
            model.layout.add_inner(part.nodes, inner - own, numbers)
            found[i] = frozen(strain)
    if numbers is None:
        return state, strains
    return State(state.poses, frozen(numbers), state.multipliers), tuple(found)


def held_marks(part: Part, layout: Layout) -> list[int]:
    """Frames of tubes that something holds, by number."""
    assert isinstance(part.binding, Fed)
    group = part.binding.mesh.group
    nodes = part.begin + group.n_base + np.arange(len(group.marks.tube))
    return np.flatnonzero(~layout.loose[nodes]).tolist()


def proposals(
    model: Model, layout: Layout, inputs: Inputs, nodes: Pose
) -> dict[int, list[tuple[Pose, Array, Array, float]]]:
    """For each coordinate that frames of tubes ride on, what straight tubes propose.

    Returns:
        Pose of the coordinate, where the tube begins, where on the coordinate it ends, and how far
        it reaches, for each frame.
    """
    found = defaultdict(list)
    for part in model.parts:
        if part.binding is None:
            continue
        assert isinstance(part.binding, Fed)
        mesh = part.binding.mesh
        group, sections = mesh.group, mesh.at(inputs.values)
        for m in held_marks(part, layout):
            i, j = group.marks.set[m], group.marks.tube[m]
            node = part.begin + group.n_base + m
            plate = nodes[part.begin + group.base.rod_nodes[i]]
            reach = float(sections.ends[i, 1 + sections.rank[i, group.marks.rank[m]]])
            out = about_x(inputs.values[mesh.rotation[i, j]])
            out[0, 3] = reach
            pose = plate @ out @ se3.inverse(layout.offset[node])
            entry = (pose, plate[:3, 3], layout.offset[node][:3, 3], reach)
            found[int(layout.coordinate[node])].append(entry)
    return found


def bend(
    part: Part,
    layout: Layout,
    inputs: Inputs,
    nodes: Pose,
    poses: Pose,
    inner: Array,
    strain: Strain,
) -> None:
    """Bend centrelines to the frames that are held, the farthest of each set; in place."""
    assert isinstance(part.binding, Fed)
    mesh = part.binding.mesh
    group, sections = mesh.group, mesh.at(inputs.values)
    farthest: dict[int, tuple[float, int]] = {}
    for m in held_marks(part, layout):
        i = int(group.marks.set[m])
        reach = float(sections.ends[i, 1 + sections.rank[i, group.marks.rank[m]]])
        farthest[i] = max(farthest.get(i, (0.0, -1)), (reach, m))
    for i, (reach, m) in farthest.items():
        if reach <= 0.0:
            continue
        tube = mesh.plans[i].members[group.marks.tube[m]]
        first = int(group.base.rod_nodes[i])
        plate, tip = nodes[part.begin + first], nodes[part.begin + group.n_base + m]
        start = plate @ about_x(inputs.values[mesh.rotation[i, group.marks.tube[m]]])
        begin = tube.length - float(inputs.values[mesh.insertion[i, group.marks.tube[m]]])
        rod = tube.piece(begin, min(begin + reach, tube.length))
        stretches = bool(group.free[3])
        shape = shape_between(rod, se3.inverse(start) @ tip, np.zeros(3), stretches, 0.0)
        s = np.linspace(0.0, reach, STATIONS)
        twist = shape.strain(s)[:, 0]
        added = np.append(0.0, np.cumsum(0.5 * (twist[1:] + twist[:-1]) * np.diff(s)))
        angle = inputs.values[mesh.rotation[i, group.marks.tube[m]]] + added
        _place(part, layout, i, start, (s, angle, shape), sections.ends[i], poses, inner, strain)


def _place(
    part: Part,
    layout: Layout,
    i: int,
    start: Pose,
    curve: tuple[Array, Array, object],
    ends: Array,
    poses: Pose,
    inner: Array,
    strain: Strain,
) -> None:
    """Let the centreline of a set follow a curve of material frames with their angles."""
    assert isinstance(part.binding, Fed)
    group, (s, angle, shape) = part.binding.mesh.group, curve
    reference = np.linspace(0.0, group.base.rods[i].length, len(ends))
    first, stop = group.base.rod_nodes[i : i + 2]
    x = np.minimum(np.interp(group.base.node_lengths(i), reference, ends), s[-1])
    at = start @ shape.poses(x)  # type: ignore[attr-defined]
    at = at @ about_x(-np.interp(x, s, angle))
    for k in range(1, stop - first):
        c = layout.coordinate[part.begin + first + k]
        if c >= 0:
            poses[c] = at[k] @ se3.inverse(layout.offset[part.begin + first + k])

    def along(sigma: Array) -> Strain:
        """The strain of the centreline by arc length of reference."""
        scale = (np.diff(ends) / np.diff(reference))[
            np.clip(np.searchsorted(reference, sigma, "right") - 1, 0, len(ends) - 2)
        ]
        y = np.minimum(np.interp(sigma, reference, ends), s[-1])
        found = shape.strain(y).copy()  # type: ignore[attr-defined]
        a = np.interp(y, s, angle)
        for part in (slice(0, 3), slice(3, 6)):
            found[:, part] = turned(found[:, part], a)
        found[:, 0] = 0.0
        return np.asarray(found * scale[:, None])

    def turn_of(sigma: Array) -> Array:
        """The angle of the curve, for all tubes."""
        own = np.interp(np.interp(sigma, reference, ends), s, angle)
        return np.repeat(own[:, None], group.tubes, axis=1)

    group.follow(i, along, turn_of, inner, strain)
