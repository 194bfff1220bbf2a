"""From a description to a model: the only crossing."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.model.inputs import Input
from flexura.model.layout import adjoint_duals
from flexura.model.model import Cut, Model, Part, Place
from flexura.model.numbering import number_coordinates
from flexura.model.terms.elastic import Elastic
from flexura.model.terms.load import Loads
from flexura.robot import At, Gravity, LineLoad, PointLoad, Robot
from flexura.robot.graph import Group, rigid_groups, side
from flexura.rods.discretization import Discretization, RodGroup, RodPlan
from flexura.rods.spline import Spline
from flexura.typing import Pose, frozen

DEFAULT = Spline()


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
    begins = np.cumsum([0, *(int(group.rod_nodes[-1]) for group in groups)])
    places = {
        plan.rod.name: Place(part, index, plan.rod)
        for part, chosen in enumerate(members)
        for index, plan in enumerate(chosen)
    }
    ends = {
        name: _end_nodes(groups[place.part], int(begins[place.part]), place.index)
        for name, place in places.items()
    }
    frames = {
        f"{name}.{end}": node
        for name, pair in ends.items()
        for end, node in zip(("base", "tip"), pair, strict=True)
    }
    welded = rigid_groups(robot.rods, robot.joints)
    named = [joint.label for joint in robot.joints if joint.name is not None]
    length = max(rod.length for rod in robot.rods)
    layout = number_coordinates(welded, frames, ends, groups, named, length)
    sources = {load.name: i for i, load in enumerate(robot.loads)}
    parts = []
    for part, (group, chosen) in enumerate(zip(groups, members, strict=True)):
        loads = _loads_along(robot, group, chosen, sources)
        elastic = Elastic.of([plan.rod for plan in chosen], group)
        parts.append(Part(group, int(begins[part]), elastic, loads, frozen(loads.targets)))
    return Model(
        name=robot.name,
        robot=robot,
        parts=tuple(parts),
        places=MappingProxyType(places),
        frames=MappingProxyType(frames),
        layout=layout,
        node_loads=_loads_at_nodes(robot, frames, sources),
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
            tuple(rod.clamp(at.s) for at in _stations(robot, rod.name)),
        )
        for rod in robot.rods
    }


def _stations(robot: Robot, rod: str) -> list[At]:
    """The points of a rod where point loads act, in the order of the loads."""
    loads = (load for load in robot.loads if isinstance(load, PointLoad))
    return [load.at for load in loads if isinstance(load.at, At) and load.at.rod == rod]


def _end_nodes(group: RodGroup, begin: int, index: int) -> tuple[int, int]:
    """First and last node of a rod."""
    return begin + int(group.rod_nodes[index]), begin + int(group.rod_nodes[index + 1]) - 1


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
    """Gravity, line loads and point loads inside the rods of a group."""
    entries: list[tuple[int, int, float, bool, Pose]] = []
    points = group.points
    seen = dict.fromkeys(range(len(plans)), 0)
    index = {plan.rod.name: i for i, plan in enumerate(plans)}
    for load in robot.loads:
        source = sources[load.name]
        if isinstance(load, Gravity):
            for p in np.flatnonzero(points.weight).tolist():
                rod = plans[points.rod[p]].rod
                mass = float(rod.mass_per_length(points.s[p]) * points.weight[p])
                if mass > 0.0:
                    entries.append((p, source, mass, False, np.eye(4)))
        elif isinstance(load, LineLoad) and load.rod in index:
            i = index[load.rod]
            end = plans[i].rod.length if load.end is None else load.end
            inside = (points.rod == i) & (points.weight > 0.0)
            for p in np.flatnonzero(inside & (load.start <= points.s) & (points.s <= end)).tolist():
                entries.append((p, source, float(points.weight[p]), load.follower, np.eye(4)))
        elif isinstance(load, PointLoad) and isinstance(load.at, At) and load.at.rod in index:
            i = index[load.at.rod]
            station = points.stations[i][seen[i]]
            seen[i] += 1
            entries.append((station, source, 1.0, load.follower, load.at.transform))
    return _loads(entries)


def _loads_at_nodes(robot: Robot, frames: Mapping[str, int], sources: Mapping[str, int]) -> Loads:
    """Point loads at the ends of rods."""
    return _loads(
        [
            (frames[load.at], sources[load.name], 1.0, load.follower, np.eye(4))
            for load in robot.loads
            if isinstance(load, PointLoad) and isinstance(load.at, str)
        ]
    )


def _inputs(robot: Robot) -> dict[str, Input]:
    """Loads and named welds as inputs."""
    inputs = {}
    for load in robot.loads:
        if isinstance(load, Gravity):
            default = np.concatenate([np.zeros(3), np.asarray(load.acceleration)])
            inputs[load.name] = Input(frozen(default), 3, "an acceleration [m/s²]")
        else:
            unit = "[N·m/m, N/m]" if isinstance(load, LineLoad) else "[N·m, N]"
            meaning = f"a wrench (moment, force) {unit}"
            inputs[load.name] = Input(frozen(np.array(load.wrench)), 6, meaning)
    for joint in robot.joints:
        if joint.name is not None:
            meaning = f"the pose of {joint.b} in {joint.a}"
            inputs[joint.name] = Input(frozen(joint.transform), 16, meaning)
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
