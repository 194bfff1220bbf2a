"""Where a model counts poses from: near what holds the robot, so that nothing rounds as far away.

Strains are differences of positions, which round by what these are. Far from the world's origin
that was more than what holds limp robots against gravity.
"""

import numpy as np

from flexura.robot import Robot
from flexura.typing import Vector

# A robot is moved by whole multiples of a power of two that is no less than so many lengths: what
# is left of a position is exact then.
GRID = 2.0


def origin_of(robot: Robot) -> Vector:
    """A point of a coarse grid next to the middle of all that the world holds [m], (3,).

    The world's own origin where parts fly, for volumes, whose particles are counted from there,
    for sets of tubes, and for contacts, whose obstacles are.
    """
    graph = robot.graph
    held = [pose for anchor, pose in graph.groups[0].frames.items() if not anchor.is_world]
    held += [joint.T_a for joint in graph.free if joint.a.is_world]
    held += [joint.T_b for joint in graph.free if joint.b.is_world]
    if not held or graph.floating or robot.volumes or robot.tubes or robot.contacts:
        return np.zeros(3)
    places = np.array(held)[:, :3, 3]
    grid = 2.0 ** np.ceil(np.log2(GRID * robot.length))
    return np.asarray(grid * np.round(0.5 * (places.min(axis=0) + places.max(axis=0)) / grid))
