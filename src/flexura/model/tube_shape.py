"""Where tubes are, and how they are strained, at any of their arc lengths."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.lie.axial import about_x, turned
from flexura.model.inputs import Inputs
from flexura.model.law import NOWHERE, Given
from flexura.model.model import Model
from flexura.model.part import TubePlace
from flexura.model.state import State
from flexura.model.tube_binding import Fed
from flexura.model.tube_mesh import TubeMesh
from flexura.rods.discretization import PointForces
from flexura.rods.quadrature import integral_rows
from flexura.typing import Array, Indices, Pose, Strain

# The end of a section, as seen from within.
WITHIN = 1.0 - 1e-13


class TubeShape(NamedTuple):
    """A tube at some arc lengths.

    Attributes:
        pose: material frames, (n, 4, 4).
        angle: about the tangent, against a frame that begins with the plate's and does not twist
            [rad], (n,).
        strain: of the tube itself, (n, 6).
    """

    pose: Pose
    angle: Array
    strain: Strain


def mesh_of(model: Model, place: TubePlace) -> TubeMesh:
    """The mesh of the set of a tube."""
    binding = model.parts[place.part].binding
    assert isinstance(binding, Fed)
    return binding.mesh


def torque_at_plate(model: Model, state: State, place: TubePlace) -> float:
    """Torque that the tube carries from behind the plate [N·m]."""
    group = mesh_of(model, place).group
    row = group.angle_nodes[group.plates[place.index]]
    return float(model.inner(state, place.part)[row, group.tubes + place.tube])


def tube_shape(
    model: Model, state: State, inputs: Inputs, nodes: Pose, name: str, s: Array
) -> TubeShape:
    """The shape of a tube at its own arc lengths [m], (n,), checked already.

    Args:
        model: that has it.
        state: where it is.
        inputs: the ones that belong to it.
        nodes: poses of all nodes there.
        name: of the tube.
        s: arc lengths.
    """
    place = model.tubes[name]
    mesh = mesh_of(model, place)
    inserted = float(inputs.values[mesh.insertion[place.index, place.tube]])
    x = s - (place.rod.length - inserted)
    found = TubeShape(np.tile(np.eye(4), (len(s), 1, 1)), np.zeros(len(s)), np.zeros((len(s), 6)))
    out = x >= 0.0
    if out.any():
        _fill(
            found, out, _outside(model, state, inputs, nodes, place, np.minimum(x[out], inserted))
        )
    if not out.all():
        _fill(found, ~out, _behind(model, state, inputs, nodes, place, s[~out], x[~out]))
    return found


def _fill(found: TubeShape, which: NDArray[np.bool_], part: TubeShape) -> None:
    for whole, own in zip(found, part, strict=True):
        whole[which] = own


def _outside(
    model: Model, state: State, inputs: Inputs, nodes: Pose, place: TubePlace, x: Array
) -> TubeShape:
    """Beyond the plate, at distances x along the centreline [m]."""
    mesh, part = mesh_of(model, place), model.parts[place.part]
    group, ends = mesh.group, mesh.at(inputs.values).ends[place.index]
    last = np.searchsorted(ends, x, side="right") - 1
    tip = float(inputs.values[mesh.insertion[place.index, place.tube]])
    before = np.searchsorted(ends, x, side="left") - 1
    k = np.clip(np.where(x >= tip, before, last), 0, len(ends) - 2)
    length, reference = np.diff(ends)[k], group.section_length[place.index]
    with np.errstate(all="ignore"):
        u = np.where(length > 0.0, (x - ends[k]) / length, 0.0)
    u = np.minimum(u, WITHIN)  # at its end, a section is asked, not the next one
    sigma = np.clip((k + u) * reference, 0.0, model.places[place.set].rod.length)
    inner = model.inner(state, place.part)
    pose, strain = group.shape(nodes[part.nodes], inner, place.index, sigma)
    angle = group.angles(inner, place.index, sigma)[:, place.tube]
    scale = np.maximum(length, 1e-12 * model.length) / reference
    strain = strain / scale[:, None]
    if group.complementary:
        strain[:, 3:] = _of_force(mesh, inputs, place, x, group.force(inner, place.index, sigma))
    own = np.clip(x - tip + place.rod.length, 0.0, place.rod.length)
    torque = _torque(model, state, inputs, nodes, place, sigma, k)
    strain[:, 0] = place.rod.rest_strain(own)[:, 0] + torque / place.rod.stiffness(own)[:, 0]
    for three in (slice(0, 3), slice(3, 6)):
        strain[:, three] = turned(strain[:, three], -angle)
    return TubeShape(np.asarray(pose @ about_x(angle)), angle, strain)


def _torque(
    model: Model,
    state: State,
    inputs: Inputs,
    nodes: Pose,
    place: TubePlace,
    s: Array,
    section: Indices,
) -> Array:
    """Torque in a tube at arc lengths of reference, in balance with what bending exerts on it.

    At the end of an element it is the multiplier that ties the angle there; from there back it
    changes by the density of torque, a polynomial on each span of points.
    """
    mesh, part = mesh_of(model, place), model.parts[place.part]
    group = mesh.group
    work, inner = group.work(), model.inner(state, place.part)
    assert part.binding is not None
    part.binding.bind(inputs.values, work)
    group.kinematics(nodes[part.nodes].copy(), inner, NOWHERE, NOWHERE, work)
    work.strain_ahead = work.strain
    out = PointForces(len(work.strain), part.n_nodes, group.components)
    for law in part.laws:
        if law.stored:
            law.add(work, Given(inputs.values, inputs.values, np.zeros_like(inputs.values)), out)
    own, ends = group.base.points.spans(place.index)
    turning = out.stress[own, 6 + place.tube]
    passed = np.append(0.0, np.cumsum(turning.sum(axis=1)))
    stop, tie = group.ties(inner, place.index, s, section)
    span = np.clip(np.searchsorted(ends, s, side="right") - 1, 0, len(ends) - 2)
    last = np.searchsorted(ends, stop - 1e-9 * ends[-1])
    span = np.minimum(span, last - 1)
    u = np.clip((s - ends[span]) / np.diff(ends)[span], 0.0, 1.0)
    weight = group.base.points.weight[own[span]]
    rows = np.diff(ends)[span, None] * integral_rows(u, group.points.per_span) / weight
    here = passed[span] + np.einsum("nk,nk->n", rows, turning[span])
    return np.asarray(tie[:, place.tube] - (passed[last] - here))


def _of_force(
    mesh: TubeMesh, inputs: Inputs, place: TubePlace, x: Array, force: Array | None
) -> Array:
    """Stretch and shear of a centreline by its force, (n, 3)."""
    assert force is not None
    total, pull = np.zeros((len(x), 3)), np.zeros((len(x), 3))
    for j, tube in enumerate(mesh.plans[place.index].members):
        inserted = float(inputs.values[mesh.insertion[place.index, j]])
        there = (x < inserted) | ((x <= inserted) & (j == place.tube))
        own = np.clip(x - inserted + tube.length, 0.0, tube.length)
        stiff = np.where(there[:, None], tube.stiffness(own)[:, 3:], 0.0)
        total += stiff
        pull += stiff * tube.rest_strain(own)[:, 3:]
    return np.asarray((pull + force) / total)


def _behind(
    model: Model, state: State, inputs: Inputs, nodes: Pose, place: TubePlace, s: Array, x: Array
) -> TubeShape:
    """Behind the plate, where tubes are straight and only twist."""
    mesh, tube = mesh_of(model, place), place.rod
    rotation = float(inputs.values[mesh.rotation[place.index, place.tube]])
    torque = torque_at_plate(model, state, place)
    profile = mesh.profiles[place.index][place.tube]
    ways = [profile.transmission(float(y)) for y in s]
    angle = np.array([rotation + soft * torque + rest for soft, rest in ways])
    plate = nodes[model.frames[f"{place.set}.base"]]
    pose = np.tile(np.eye(4), (len(s), 1, 1))
    pose[:, 0, 3] = x
    strain = np.zeros((len(s), 6))
    strain[:, 0] = tube.rest_strain(s)[:, 0] + torque / tube.stiffness(s)[:, 0]
    strain[:, 3] = tube.rest_strain(s)[:, 3]
    return TubeShape(np.asarray(plate @ pose @ about_x(angle)), angle, strain)
