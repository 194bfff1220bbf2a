"""Rods that joints hold at their tips: they begin between their ends, turned as they will hang.

Those that are welded to each other are one.
"""

import numpy as np
from numpy.typing import NDArray

from flexura.model.chain import Chains
from flexura.model.end import Clamp, End
from flexura.model.held import Held
from flexura.model.layout import Layout
from flexura.model.model import Model
from flexura.model.walk import BY_JOINT
from flexura.typing import Pose


def pinned(model: Model, layout: Layout, nodes: Pose, chains: Chains) -> list[Held]:
    """Every rod whose tip a joint holds in the world, and nothing else, if it gets there.

    Args:
        model: the robot.
        layout: at the inputs of the start.
        nodes: poses of the nodes; those of such rods are no more than a guess.
        chains: of its rods.
    """
    joints, walk = model.joints, layout.walk.tolist()
    holds = np.asarray(joints.held[:, 3:].all(axis=1))
    tree = {frozenset(step[:2]) for step in walk if step[2] == BY_JOINT}
    base_of = {far: near for near, far, way in walk if way != BY_JOINT}
    joint_at: dict[int, tuple[int, int]] = {}
    for joint in np.flatnonzero(holds).tolist():
        a, b = joints.nodes[joint].tolist()
        for node, other in ((a, b), (b, a)):
            joint_at.setdefault(node, (joint, other))
    single, fixed = alone(layout), (layout.coordinate < 0) & ~layout.loose
    found = []
    for joint, pair in enumerate(joints.nodes.tolist()):
        if frozenset(pair) in tree or not holds[joint]:
            continue
        for tip, other in (pair, pair[::-1]):
            if tip in base_of and single[tip] and fixed[other]:
                chain = chains.along(base_of[tip], tip)
                near = chain[0][0]
                before = joint_at.get(near) if single[near] else None
                base: End = Clamp(nodes[near])
                if before is not None:
                    base = chains.pin(before[0], near, nodes[before[1]])
                one = chains.between(chain, base, chains.pin(joint, tip, nodes[other]))
                found += [one] if one.reaches else []
                break
    return found


def alone(layout: Layout) -> NDArray[np.bool_]:
    """Which nodes move, and carry no other."""
    carried = np.bincount(layout.coordinate + 1, minlength=1)
    return np.asarray((layout.coordinate >= 0) & (carried[layout.coordinate + 1] == 1))
