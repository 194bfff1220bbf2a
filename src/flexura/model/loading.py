"""Loads of a robot in numbers: at the points of rods, at nodes, and pulls towards points."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexura.model.node_finder import NodeFinder
from flexura.model.terms.load import Loads
from flexura.model.terms.tendon import Segments
from flexura.robot import Gravity, LineLoad, PointLoad, Pulley, Robot
from flexura.rods.discretization import RodGroup, RodPlan
from flexura.typing import Pose, frozen


def sources(robot: Robot) -> dict[str, int]:
    """Row of each load among the wrenches of the inputs."""
    wrenches = [load.name for load in robot.loads if not isinstance(load, Pulley)]
    return {name: i for i, name in enumerate(wrenches)}


def loads_along(robot: Robot, group: RodGroup, plans: Sequence[RodPlan]) -> Loads:
    """Gravity and line loads on the rods of a group."""
    entries: list[tuple[int, int, float, bool, Pose]] = []
    points, rows = group.points, sources(robot)
    index = {plan.rod.name: i for i, plan in enumerate(plans)}
    for load in robot.loads:
        if isinstance(load, Gravity):
            for p, weight in enumerate(points.weight.tolist()):
                rod = plans[points.rod[p]].rod
                mass = float(rod.mass_per_length(points.s[p]) * weight)
                if mass > 0.0:
                    entries.append((p, rows[load.name], mass, False, np.eye(4)))
        elif isinstance(load, LineLoad) and load.rod in index:
            i = index[load.rod]
            end = plans[i].rod.length if load.end is None else load.end
            inside = (points.rod == i) & (load.start <= points.s) & (points.s <= end)
            for p in np.flatnonzero(inside).tolist():
                weight = float(points.weight[p])
                entries.append((p, rows[load.name], weight, load.follower, np.eye(4)))
    return _loads(entries)


def loads_at_nodes(robot: Robot, nodes: NodeFinder) -> Loads:
    """Point loads, and the weight of bodies."""
    entries: list[tuple[int, int, float, bool, Pose]] = []
    rows: Mapping[str, int] = sources(robot)
    for load in robot.loads:
        if isinstance(load, PointLoad):
            node, offset = nodes.find(load.at)
            entries.append((node, rows[load.name], 1.0, load.follower, offset))
        elif isinstance(load, Gravity):
            for body in robot.bodies:
                offset = np.eye(4)
                offset[:3, 3] = body.center
                if body.mass > 0.0:
                    entry = (nodes.node(body.name), rows[load.name], body.mass, False, offset)
                    entries.append(entry)
    return _loads(entries)


def pulleys(robot: Robot, nodes: NodeFinder) -> Segments:
    """Pulls towards points of the world: segments from there, under a given tension."""
    pulls = [load for load in robot.loads if isinstance(load, Pulley)]
    ends = [nodes.find(load.at) for load in pulls]
    pairs = [(nodes.world, node) for node, _ in ends]
    holes = [(load.point, offset[:3, 3]) for load, (_, offset) in zip(pulls, ends, strict=True)]
    return Segments(
        frozen(np.arange(len(pulls))),
        frozen(np.array(pairs, dtype=np.int64).reshape(-1, 2)),
        frozen(np.array(holes, dtype=np.float64).reshape(-1, 2, 3)),
    )


def _loads(entries: Sequence[tuple[int, int, float, bool, Pose]]) -> Loads:
    """Loads from (target, source, coefficient, follower, offset)."""
    columns = list(zip(*entries, strict=True)) if entries else [()] * 5
    return Loads(
        target=frozen(np.array(columns[0], dtype=np.int64)),
        source=frozen(np.array(columns[1], dtype=np.int64)),
        coefficient=frozen(np.array(columns[2], dtype=np.float64)),
        follower=frozen(np.array(columns[3], dtype=np.bool_)),
        offset=frozen(np.array(columns[4]).reshape(-1, 4, 4)),
    )
