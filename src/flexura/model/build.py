"""From a description to a model: the only crossing."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from flexura.errors import ModelError, UnknownName
from flexura.lie import se3
from flexura.model.entries import inputs_of, movers_of
from flexura.model.loading import loads_along, loads_at_nodes, pulleys
from flexura.model.model import Cut, Model, Part, Place
from flexura.model.node_finder import NodeFinder
from flexura.model.numbering import number_unknowns
from flexura.model.route import route_along, route_between, tendons_of
from flexura.model.terms.elastic import Elastic
from flexura.model.terms.joint import Joints
from flexura.robot import Motor, Robot
from flexura.robot.graph import FreeJoint, Group, free_joints, rigid_groups, side
from flexura.rods.discretization import Discretization, RodGroup, RodPlan
from flexura.rods.spline import Spline
from flexura.typing import frozen

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
    places = {
        plan.rod.name: Place(part, index, plan.rod)
        for part, chosen in enumerate(members)
        for index, plan in enumerate(chosen)
    }
    nodes = NodeFinder(robot, groups, places)
    welded = rigid_groups(robot.rods, robot.bodies, robot.joints)
    free = free_joints(robot.rods, robot.bodies, robot.joints)
    movers = movers_of(robot)
    segments, pulls = route_between(robot, nodes), pulleys(robot, nodes)
    layout = number_unknowns(
        welded,
        free,
        nodes,
        {mover.joint.label: i for i, mover in enumerate(movers)},
        np.concatenate([segments.nodes, pulls.nodes]),
        max((rod.length for rod in robot.rods), default=1.0),
    )
    parts = tuple(
        _part(robot, group, chosen, begin)
        for group, chosen, begin in zip(groups, members, nodes.begins[:-1], strict=True)
    )
    anchors = [name for group in welded for name in group.frames if name != "world"]
    return Model(
        name=robot.name,
        robot=robot,
        parts=parts,
        places=MappingProxyType(places),
        frames=MappingProxyType({name: nodes.node(name) for name in anchors}),
        layout=layout,
        node_loads=loads_at_nodes(robot, nodes),
        tendons=tendons_of(
            robot, welded, [part.routed for part in parts], [part.elastic.rest for part in parts]
        ),
        segments=segments,
        pulleys=pulls,
        joints=_joints(robot, free, nodes),
        cuts=MappingProxyType(_cuts(welded, nodes)),
        movers=movers,
        inputs=MappingProxyType(inputs_of(robot)),
    )


def _part(robot: Robot, group: RodGroup, plans: Sequence[RodPlan], begin: int) -> Part:
    """A group of rods with the laws along it."""
    loads = loads_along(robot, group, plans)
    links, inner = group.rest()
    return Part(
        group=group,
        begin=begin,
        elastic=Elastic.of([plan.rod for plan in plans], group),
        routed=route_along(robot, group, {plan.rod.name: i for i, plan in enumerate(plans)}),
        loads=loads,
        posed=frozen(loads.targets),
        rest_links=frozen(links),
        rest_inner=frozen(inner),
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


def _joints(robot: Robot, free: Sequence[FreeJoint], nodes: NodeFinder) -> Joints:
    """The joints that move freely, between nodes."""
    seconds = {joint.label: joint.b for joint in robot.joints if not isinstance(joint, Motor)}
    return Joints.of(
        free,
        [(nodes.node(joint.a), nodes.node(joint.b)) for joint in free],
        [nodes.find(seconds[joint.label])[1] for joint in free],
    )


def _cuts(welded: Sequence[Group], nodes: NodeFinder) -> dict[str, tuple[Cut, ...]]:
    """For each link, the nodes on the side that does not hold the world; a motor has several."""
    cuts: dict[str, tuple[Cut, ...]] = {}
    for group in welded:
        for link in group.links:
            beyond, sign = side(group.links, link), 1.0
            if "world" in beyond:
                beyond, sign = frozenset(group.frames) - beyond, -1.0
            held = [nodes.node(name) for name in group.frames if name in beyond]
            offset = np.eye(4) if isinstance(link.joint, Motor) else se3.inverse(link.after)
            cut = Cut(
                frozen(np.array(held, dtype=np.int64)), nodes.node(link.b), frozen(offset), sign
            )
            cuts[link.label] = (*cuts.get(link.label, ()), cut)
    return cuts
