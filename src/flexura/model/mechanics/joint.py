"""Joints of a robot: those that move freely, those that inputs move, and what carries reactions."""

import numpy as np

from flexura.lie import se3
from flexura.model.inputs import Input
from flexura.model.linked import Cut, Mover
from flexura.model.site import Site
from flexura.model.terms.joint import Joints
from flexura.robot import Hinge, Motor, Slider, Weld
from flexura.typing import frozen

ZERO = frozen(np.array(0.0))


def add_joints(site: Site) -> None:
    """All joints; named welds, driven joints and motors are inputs."""
    for joint in site.robot.links:
        if isinstance(joint, Weld) and joint.name is not None:
            meaning = f"the pose of {joint.b} in {joint.a}"
            entry = Input("weld", "pose", frozen(joint.transform), meaning, loads=False)
            site.movers.append(Mover(joint, site.input(joint.name, entry)))
        elif isinstance(joint, Motor) or (isinstance(joint, Hinge | Slider) and joint.driven):
            meaning = "a displacement [m]" if isinstance(joint, Slider) else "an angle [rad]"
            entry = Input("joint", "number", ZERO, meaning, loads=False)
            site.movers.append(Mover(joint, site.input(joint.name, entry)))
    site.joints = _free_joints(site)
    if len(site.joints.nodes):
        site.terms.append(site.joints)
    _add_cuts(site)


def _free_joints(site: Site) -> Joints:
    """The joints that move freely, between nodes."""
    free, nodes = site.robot.graph.free, site.nodes
    seconds = {joint.label: joint.b for joint in site.robot.links if not isinstance(joint, Motor)}
    return Joints.of(
        free,
        [(nodes.node(joint.a), nodes.node(joint.b)) for joint in free],
        [nodes.find(seconds[joint.label])[1] for joint in free],
    )


def _add_cuts(site: Site) -> None:
    """For each rigid link, the nodes on the side without the world; a motor has several."""
    nodes = site.nodes
    links = [(group, link) for group in site.robot.graph.groups for link in group.links]
    motor = [isinstance(link.joint, Motor) for _, link in links]
    after = [np.eye(4) if own else link.after for own, (_, link) in zip(motor, links, strict=True)]
    offsets = se3.inverse(np.reshape(after, (-1, 4, 4)))
    for (group, link), offset in zip(links, offsets, strict=True):
        beyond = group.beyond(link)
        held = np.array([nodes.node(anchor) for anchor in beyond], dtype=np.int64)
        sign = 1.0 if beyond[0] == link.b else -1.0
        cut = Cut(frozen(held), nodes.node(link.b), frozen(offset), sign)
        site.cuts[link.label] = (*site.cuts.get(link.label, ()), cut)
