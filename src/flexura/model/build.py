"""From a description to a model: the only crossing."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.model.inputs import Input
from flexura.model.layout import adjoint_duals
from flexura.model.model import Cut, Model, Part, Place
from flexura.model.node_finder import NodeFinder
from flexura.model.numbering import number_coordinates
from flexura.model.route import route_along, route_between, tendons_of
from flexura.model.terms.elastic import Elastic
from flexura.model.terms.load import Loads
from flexura.robot import Gravity, LineLoad, PointLoad, Robot
from flexura.robot.graph import Group, rigid_groups, side
from flexura.rods.discretization import Discretization, RodGroup, RodPlan
from flexura.rods.spline import Spline
from flexura.typing import Pose, frozen

DEFAULT = Spline()
TENDON_INPUT = {
    "tension": Input(frozen(np.array(0.0)), "a tension [N]; a tendon cannot push", least=0.0),
    "length": Input(frozen(np.array(0.0)), "a shortening against the straight length [m]"),
}


def build(robot: Robot, rods: Discretization | Mapping[str, Discretization] = DEFAULT) -> Model:
    """Discretize a robot.

    Args:
        robot: the description; it is not changed.
        rods: how to describe the rods: one choice for all, or one for each rod by name.

    Returns:
        An immutable model for the solvers.

    Raises:
        ModelError: for a choice that does not fit the robot.
    """
    if not isinstance(robot, Robot):
        raise ModelError(f"build takes a Robot, got {type(robot).__name__}: {robot!r}")
    plans = _plans(robot, rods)
    kinds = dict.fromkeys(plan.choice.kind for plan in plans.values())
    members = [[p for p in plans.values() if p.choice.kind == kind] for kind in kinds]
    groups = [chosen[0].choice.group(chosen) for chosen in members]
    begins = list(accumulate((int(group.rod_nodes[-1]) for group in groups), initial=0))
    places = {
        plan.rod.name: Place(part, index, plan.rod)
        for part, chosen in enumerate(members)
        for index, plan in enumerate(chosen)
    }
    nodes = NodeFinder(groups, begins, places)
    ends = {name: nodes.ends(name) for name in places}
    frames = {
        f"{name}.{end}": node
        for name, pair in ends.items()
        for end, node in zip(("base", "tip"), pair, strict=True)
    }
    welded = rigid_groups(robot.rods, robot.joints)
    named = [joint.label for joint in robot.joints if joint.name is not None]
    length = max(rod.length for rod in robot.rods)
    segments = route_between(robot, nodes)
    layout = number_coordinates(welded, frames, ends, groups, named, segments.nodes, length)
    sources = {load.name: i for i, load in enumerate(robot.loads)}
    parts = []
    for part, (group, chosen) in enumerate(zip(groups, members, strict=True)):
        loads = _loads_along(robot, group, chosen, sources)
        elastic = Elastic.of([plan.rod for plan in chosen], group)
        routed = route_along(robot, group, {plan.rod.name: i for i, plan in enumerate(chosen)})
        links, inner = group.rest()
        parts.append(
            Part(
                group=group,
                begin=begins[part],
                elastic=elastic,
                routed=routed,
                loads=loads,
                posed=frozen(loads.targets),
                rest_links=frozen(links),
                rest_inner=frozen(inner),
            )
        )
    return Model(
        name=robot.name,
        robot=robot,
        parts=tuple(parts),
        places=MappingProxyType(places),
        frames=MappingProxyType(frames),
        layout=layout,
        node_loads=_loads_at_nodes(robot, nodes, sources),
        tendons=tendons_of(
            robot, welded, [part.routed for part in parts], [part.elastic.rest for part in parts]
        ),
        segments=segments,
        joints=MappingProxyType(_cuts(robot, welded, frames)),
        inputs=MappingProxyType(_inputs(robot)),
    )


def _plans(robot: Robot, rods: Discretization | Mapping[str, Discretization]) -> dict[str, RodPlan]:
    """What to discretize, rod by rod."""
    names = [rod.name for rod in robot.rods]
    if isinstance(rods, Mapping):
        for name in rods:
            if name not in names:
                raise UnknownName("rod", name, names)
        missing = [name for name in names if name not in rods]
        if missing:
            raise ModelError(
                f"rods= names no discretization for {', '.join(map(repr, missing))}; "
                "give one for every rod, or one for all"
            )
        choices = dict(rods)
    else:
        choices = dict.fromkeys(names, rods)
    for choice in choices.values():
        if not hasattr(choice, "group"):
            raise ModelError(
                f"rods= takes a discretization such as Spline(degree=3, spans=12), got {choice!r}"
            )
    return {
        rod.name: RodPlan(
            rod,
            choices[rod.name],
            robot.jumps(rod.name),
        )
        for rod in robot.rods
    }


def _loads(entries: Sequence[tuple[int, int, float, bool, Pose]]) -> Loads:
    """Loads from (target, source, coefficient, follower, offset)."""
    columns = list(zip(*entries, strict=True)) if entries else [()] * 5
    offset = np.array(columns[4]).reshape(-1, 4, 4)
    return Loads(
        target=frozen(np.array(columns[0], dtype=np.int64)),
        source=frozen(np.array(columns[1], dtype=np.int64)),
        coefficient=frozen(np.array(columns[2], dtype=np.float64)),
        follower=frozen(np.array(columns[3], dtype=np.bool_)),
        offset=frozen(offset),
        adjoint=frozen(adjoint_duals(offset)),
    )


def _loads_along(
    robot: Robot, group: RodGroup, plans: Sequence[RodPlan], sources: Mapping[str, int]
) -> Loads:
    """Gravity and line loads on the rods of a group."""
    entries: list[tuple[int, int, float, bool, Pose]] = []
    points = group.points
    index = {plan.rod.name: i for i, plan in enumerate(plans)}
    for load in robot.loads:
        source = sources[load.name]
        if isinstance(load, Gravity):
            for p, weight in enumerate(points.weight.tolist()):
                rod = plans[points.rod[p]].rod
                mass = float(rod.mass_per_length(points.s[p]) * weight)
                if mass > 0.0:
                    entries.append((p, source, mass, False, np.eye(4)))
        elif isinstance(load, LineLoad) and load.rod in index:
            i = index[load.rod]
            end = plans[i].rod.length if load.end is None else load.end
            inside = (points.rod == i) & (load.start <= points.s) & (points.s <= end)
            for p in np.flatnonzero(inside).tolist():
                entries.append((p, source, float(points.weight[p]), load.follower, np.eye(4)))
    return _loads(entries)


def _loads_at_nodes(robot: Robot, nodes: NodeFinder, sources: Mapping[str, int]) -> Loads:
    """Point loads."""
    entries = []
    for load in robot.loads:
        if isinstance(load, PointLoad):
            node, offset = nodes.find(load.at)
            entries.append((node, sources[load.name], 1.0, load.follower, offset))
    return _loads(entries)


def _inputs(robot: Robot) -> dict[str, Input]:
    """Loads, named welds and tendons as inputs."""
    inputs = {}
    for load in robot.loads:
        if isinstance(load, Gravity):
            default = np.concatenate([np.zeros(3), np.asarray(load.acceleration)])
            inputs[load.name] = Input(frozen(default), "an acceleration [m/s²]", 3)
        else:
            unit = "[N·m/m, N/m]" if isinstance(load, LineLoad) else "[N·m, N]"
            meaning = f"a wrench (moment, force) {unit}"
            inputs[load.name] = Input(frozen(np.array(load.wrench)), meaning)
    for joint in robot.joints:
        if joint.name is not None:
            meaning = f"the pose of {joint.b} in {joint.a}"
            inputs[joint.name] = Input(frozen(joint.transform), meaning)
    for tendon in robot.tendons:
        inputs[tendon.name] = TENDON_INPUT[tendon.drive]
    return inputs


def _cuts(robot: Robot, welded: list[Group], frames: Mapping[str, int]) -> dict[str, Cut]:
    """For each joint, the nodes on the side that does not hold the world."""
    cuts = {}
    for weld in robot.joints:
        group = next(g for g in welded if str(weld.b) in g.frames)
        beyond = side(robot.joints, weld)
        sign = 1.0
        if "world" in beyond:
            beyond, sign = frozenset(group.frames) - beyond, -1.0
        nodes = [frames[name] for name in group.frames if name in beyond and name in frames]
        cuts[weld.label] = Cut(frozen(np.array(nodes, dtype=np.int64)), str(weld.b), sign)
    return cuts
