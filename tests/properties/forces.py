"""What loads and joints exert on a robot, found from its shape and its reactions."""

import numpy as np

import flexura as fx


def wrench_about_origin(T, wrench):
    """A wrench (moment, force) in a frame, about the origin of the world."""
    moment, force = T[:3, :3] @ wrench[:3], T[:3, :3] @ wrench[3:]
    return np.concatenate([moment + np.cross(T[:3, 3], force), force])


def turned(T, follower):
    """The pose of a frame with the axes that a load has there."""
    place = T.copy()
    if not follower:
        place[:3, :3] = np.eye(3)
    return place


def along(result, rod, begin, end, panels=40):
    """Arc lengths between two, their weights and the poses there."""
    x, w = np.polynomial.legendre.leggauss(4)
    edges = np.linspace(begin, end, panels + 1)
    half = 0.5 * np.diff(edges)[:, None]
    s = (edges[:-1, None] + half * (1.0 + x)).ravel()
    return zip(s, (half * w).ravel(), result.pose(rod, s), strict=True)


def masses(result):
    """Masses [kg] and where they are [m]."""
    for rod in result.model.robot.rods:
        for s, weight, T in along(result, rod.name, 0.0, rod.length):
            yield weight * rod.mass_per_length(s), T[:3, 3]
    for body in result.model.robot.bodies:
        yield body.mass, (result.pose(body.name) @ [*body.center, 1.0])[:3]


def wrenches(result):
    """What each load exerts on the robot, about the origin."""
    for load in result.model.robot.loads:
        if isinstance(load, fx.Gravity):
            for mass, place in masses(result):
                force = mass * np.array(load.acceleration)
                yield np.concatenate([np.cross(place, force), force])
        elif isinstance(load, fx.LineLoad):
            end = result.model.robot.rod(load.rod).length if load.end is None else load.end
            for _, weight, T in along(result, load.rod, load.start, end):
                yield weight * wrench_about_origin(turned(T, load.follower), load.wrench)
        elif isinstance(load, fx.Pulley):
            T = turned(result.pose(load.at), False)
            way = np.array(load.point) - T[:3, 3]
            force = load.force * way / np.linalg.norm(way)
            yield wrench_about_origin(T, np.concatenate([np.zeros(3), force]))
        else:
            yield wrench_about_origin(turned(result.pose(load.at), load.follower), load.wrench)


def reactions(result):
    """What each joint of the world exerts on the robot, about the origin."""
    for joint in result.model.robot.joints:
        if isinstance(joint, fx.Motor):
            ((frame, _),) = joint.installed
            yield wrench_about_origin(result.pose(frame), result.reaction(joint))
        elif joint.a == "world":
            yield wrench_about_origin(result.pose(joint.b), result.reaction(joint))
        elif joint.b == "world":
            yield -result.reaction(joint)
