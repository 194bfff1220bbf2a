"""What pulls at rods where they begin."""

from collections.abc import Sequence

import numpy as np

from flexura.model.held import Held
from flexura.model.inputs import Inputs
from flexura.model.law import Given
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.part import Part
from flexura.rods.discretization import PointForces
from flexura.typing import Array, Pose, Vector


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
