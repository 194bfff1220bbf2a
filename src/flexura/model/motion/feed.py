"""Work of what feeds tubes through their plates.

    rotations      ∫ τ dα, of the ends of tubes behind the plate
    insertions     ∫ F dx, and what tubes bring along from behind the plate     (theory 18.7)

A tube that leaves the plate is bent straight there, and moves already: the account of energies, in
which it is only from then on, takes both for work. Loads along tubes have work of their own.
"""

from typing import NamedTuple

import numpy as np

from flexura.lie import se3
from flexura.model.law import Given
from flexura.model.laws.tube_elastic import TubeElastic
from flexura.model.laws.tube_inertia import TubeInertia
from flexura.model.tube_mesh import TubeMesh
from flexura.model.work import PartWork
from flexura.typing import Array, Pose


class Feed(NamedTuple):
    """What feeds the sets of a part at one time.

    Attributes:
        torque: that holds the ends of tubes against turning [N·m], (sets, tubes).
        force: that pushes them, but for loads along tubes, and the elastic energy by length that
            they bring along [N], (sets, tubes); None where nothing is pushed.
        plate: poses of the plates, (sets, 4, 4).
    """

    torque: Array
    force: Array | None
    plate: Pose


def feed_of(part: PartWork, mesh: TubeMesh, given: Given) -> Feed:
    """What feeds a part where it was evaluated last."""
    group, force = mesh.group, None
    if any(isinstance(x, TubeInertia) and x.rates(given).any() for x in part.part.laws):
        force = np.zeros(mesh.insertion.shape)
        for law in part.part.laws:
            if law.wrenches_at(given.values) is None:
                force += law.push(part.work, given)
            if isinstance(law, TubeElastic):
                force += law.brought(given.values)
    torque = -np.asarray(part.work.strain[group.shown, 6 + group.tubes :])
    return Feed(torque, force, part.nodes[group.base.rod_nodes[: len(mesh.plans)]])


def work_of(
    mesh: TubeMesh, feeds: tuple[Feed, Feed], values: tuple[Array, Array], h: float
) -> float:
    """What feeding does in a step of length h [s], between given values [J]."""
    begin, end = feeds
    change = values[1] - values[0]
    total = 0.5 * float(np.sum((begin.torque + end.torque) * change[mesh.rotation]))
    way = change[mesh.insertion]
    forces = [feed.force for feed in feeds if feed.force is not None]
    if forces and way.any():
        total += float(np.sum(sum(forces) / len(forces) * way))
        total += _carried(mesh, feeds, 0.5 * (values[0] + values[1]), way, h)
    return total


def _carried(
    mesh: TubeMesh, feeds: tuple[Feed, Feed], values: Array, way: Array, h: float
) -> float:
    """Kinetic energy of what leaves the plates [J]."""
    plate = se3.log(se3.inverse(feeds[0].plate) @ feeds[1].plate)[:, 3:]
    total = 0.0
    for i, plan in enumerate(mesh.plans):
        for j, tube in enumerate(plan.members):
            inside = tube.length - float(values[mesh.insertion[i, j]])
            mass = way[i, j] * float(tube.mass_per_length(min(max(inside, 0.0), tube.length)))
            speed = (plate[i] + [way[i, j], 0.0, 0.0]) / h
            total += 0.5 * mass * float(speed @ speed)
    return total
