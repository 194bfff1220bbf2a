"""What pulls at rods where they begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexura.model.held import Held
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Indices, Matrix, Pose, Vector


def mean_loads(
    model: Model, layout: Layout, nodes: Pose, held: Sequence[Held], inputs: Inputs
) -> list[Vector]:
    """The force that laws exert on each meter of rods that are held, in world axes [N/m].

    Laws see unloaded rods; pieces that are held lie evenly between their ends.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes.
        held: these rods.
        inputs: with the loads that will act.
    """
    nodes = nodes.copy()
    points: dict[int, list[tuple[slice, Pose]]] = {
        piece.place.part: [] for one in held for piece in one.pieces
    }
    for one in held:
        for piece, run in zip(one.pieces, one.runs, strict=True):
            s = run.along(np.concatenate([piece.s - piece.s[0], piece.point_lengths]))
            straight = one.straight(s)
            straight[:, :3, :3] = straight[:, :3, :3] @ run.axes
            nodes[piece.first : piece.last + 1] = straight[: len(piece.s)]
            points[piece.place.part].append((piece.points, straight[len(piece.s) :]))
    along = {
        part: _loads(model.parts[part], layout, nodes, placed, inputs.values)
        for part, placed in points.items()
    }
    return [
        sum((along[x.place.part][x.points].sum(axis=0) for x in one.pieces), np.zeros(3))
        / one.rod.length
        for one in held
    ]


def whole_load(model: Model, layout: Layout, poses: Pose, inputs: Inputs) -> Vector:
    """All dead forces on nodes, and those that laws exert on unloaded rods, in world axes [N].

    Args:
        model: the robot.
        layout: at the inputs of the start.
        poses: of all coordinates.
        inputs: with the loads that will act.
    """
    nodes = np.tile(np.eye(4), (layout.n_nodes, 1, 1))
    layout.nodes(poses, nodes)
    along = (_loads(part, layout, nodes, (), inputs.values) for part in model.parts)
    found = forces_on_nodes(model, layout, inputs).force.sum(axis=0)
    return np.asarray(sum((own.sum(axis=0) for own in along), found))


class Forces(NamedTuple):
    """Dead forces on nodes.

    Attributes:
        coordinate: that each acts on, (n,).
        node: on which it acts, (n,).
        force: in world axes [N], (n, 3).
        place: in the coordinate [m], (n, 3).
    """

    coordinate: Indices
    node: Indices
    force: Matrix
    place: Matrix

    def on(self, coordinate: int) -> tuple[Vector, Vector]:
        """All forces on a coordinate, and where they act on the whole [m]."""
        own = self.coordinate == coordinate
        size = np.linalg.norm(self.force[own], axis=1)
        place = size @ self.place[own] / max(float(size.sum()), 1e-300)
        return self.force[own].sum(axis=0), place

    def at(self, node: int, layout: Layout) -> Vector:
        """All forces on a node and on what is welded to it [N]."""
        own = (
            self.node == node if layout.loose[node] else self.coordinate == layout.coordinate[node]
        )
        return np.asarray(self.force[own].sum(axis=0))


@dataclass(frozen=True, eq=False)
class Loading:
    """What pulls at a robot where it begins.

    Attributes:
        model: the robot.
        layout: at the inputs of the start.
        inputs: with the loads that will act.
        aside: what these are multiplied by, a rotation and perhaps a factor, (3, 3).
    """

    model: Model
    layout: Layout
    inputs: Inputs
    aside: Matrix

    def along(self, nodes: Pose, held: Sequence[Held]) -> list[Vector]:
        """The force on each meter of rods, in world axes [N/m]; arguments as for ``mean_loads``."""
        loads = mean_loads(self.model, self.layout, nodes, held, self.inputs)
        return [self.aside @ load for load in loads]

    @cached_property
    def forces(self) -> Forces:
        """The dead forces on nodes."""
        found = forces_on_nodes(self.model, self.layout, self.inputs)
        return found._replace(force=found.force @ self.aside.T)


def forces_on_nodes(model: Model, layout: Layout, inputs: Inputs) -> Forces:
    """The dead forces on nodes, and on what is welded to them."""
    nodes, forces, places = [np.empty(0, int)], [np.empty((0, 3))], [np.empty((0, 3))]
    for term in model.terms:
        loads = term.wrenches_at(inputs.values)
        if loads is not None:
            acts = ~loads.follower & (loads.force >= 0)
            target = loads.target[acts]
            values = inputs.values[loads.force[acts, None] + np.arange(3)]
            nodes.append(target)
            forces.append(loads.coefficient[acts, None] * values)
            places.append((layout.offset[target] @ loads.offset[acts])[:, :3, 3])
    node = np.concatenate(nodes)
    found = np.concatenate(forces), np.concatenate(places)
    return Forces(layout.coordinate[node], node, *found)


def _loads(
    part: Part, layout: Layout, nodes: Pose, placed: Sequence[tuple[slice, Pose]], values: Array
) -> Vector:
    """The forces on all points of a part, some of which are placed, in world axes [N], (n, 3)."""
    n = len(part.group.points.s)
    if not len(part.posed):
        return np.zeros((n, 3))
    work = part.group.work()
    loose = np.flatnonzero(layout.loose[part.nodes])
    own, inner = nodes[part.nodes].copy(), part.rest_inner.copy()
    part.group.kinematics(own, inner, part.posed, loose, work)
    for points, poses in placed:
        work.pose[points] = poses
    work.strain[:] = part.rest_strain
    work.strain_ahead = work.strain
    forces = PointForces(n, part.n_nodes, part.group.components)
    given = Given(values, values, np.zeros_like(values))
    for law in part.laws:
        if len(law.posed()):
            law.add(work, given, forces)
    return np.asarray(-np.einsum("nij,nj->ni", work.pose[:, :3, :3], forces.load[:, 3:]))
