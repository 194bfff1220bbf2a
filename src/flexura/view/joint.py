"""Joints and motors, and the rigid links that lead to them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import Ball, Hinge, Motor, Slider, Weld, World, anchor
from flexura.typing import Array, Vector
from flexura.view.frame import pose_of, radius_at
from flexura.view.primitive import Surface
from flexura.view.solid import ball, bar

# Sizes relative to the extent of the robot, or to the radius of a rod there if that is more.
LINK_RADIUS = 0.004
JOINT_RADIUS = 0.009
MOTOR_RADIUS = 0.02
THICKER = 1.5  # a joint than the rod
SLIM = 1.6  # half of the length of a hinge, a sleeve or a motor relative to its radius
RAIL = 2.0  # of a slider beyond its sleeve, relative to the length of the sleeve


@dataclass(frozen=True, eq=False)
class Arm:
    """What a joint needs of one of its sides: the anchor there reaches out to a point.

    Attributes:
        name: label of the joint.
        anchor: end or point of a rod, or body.
        point: in the world [m].
        radius: of the thicker rod at the joint [m].
    """

    name: str
    anchor: str
    point: Vector
    radius: float


def arms(result: StaticResult) -> list[Arm]:
    """All arms: of both sides of a joint that moves; of a weld one side reaches to the other."""
    robot = result.model.robot
    parts = {rod.name: rod for rod in robot.rods}, {body.name: body for body in robot.bodies}
    found = []
    for joint in robot.joints:
        if isinstance(joint, Motor):
            continue
        a, b = (anchor(frame, *parts)[0] for frame in (joint.a, joint.b))
        if isinstance(joint, Weld):
            near, far = (b, a) if b in parts[1] and a not in parts[1] else (a, b)
            ends = [] if World in (a, b) else [(near, result.pose(far))]
        else:
            ends = [(a, pose_of(result, joint.a) @ joint.transform), (b, pose_of(result, joint.b))]
        radius = max(radius_at(result, frame) for frame in (a, b) if frame != World)
        found += [Arm(joint.label, x, T[:3, 3], radius) for x, T in ends if x != World]
    return found


def links(result: StaticResult, extent: float) -> list[Surface]:
    """Rigid bars from rods to joints and other rods, and from motors to what they drive."""
    found = []
    for arm in arms(result):
        if arm.anchor not in {body.name for body in result.model.robot.bodies}:
            start = result.pose(arm.anchor)[:3, 3]
            found += link(arm.name, start, arm.point, arm.radius, extent)
    for motor in result.model.robot.joints:
        if isinstance(motor, Motor):
            for frame, _ in motor.installed:
                end = pose_of(result, frame)[:3, 3]
                found += link(motor.name, np.array(motor.point), end, 0.0, extent)
    return found


def link(name: str, a: Vector, b: Vector, radius: float, extent: float) -> Iterator[Surface]:
    """A rigid bar that suits a rod of that radius, unless the points are as good as one."""
    if np.linalg.norm(b - a) > LINK_RADIUS * extent:
        yield bar(name, a, b, max(0.4 * radius, LINK_RADIUS * extent))


def joint_surfaces(result: StaticResult, extent: float) -> list[Surface]:
    """Hinges and motors along their axes, sliders with their rails, balls."""
    found: list[Surface] = []
    for joint in result.model.robot.joints:
        if isinstance(joint, Weld):
            continue
        if isinstance(joint, Motor):
            half = SLIM * MOTOR_RADIUS * extent * np.array(joint.axis)
            found.append(_pin(joint.name, np.array(joint.point), half))
            continue
        thick = max(radius_at(result, x) for x in (joint.a, joint.b) if x != World)
        radius = max(JOINT_RADIUS * extent, THICKER * thick)
        found += _joint(result, joint, radius)
    return found


def _joint(result: StaticResult, joint: Hinge | Slider | Ball, radius: float) -> list[Surface]:
    """A joint between two frames."""
    T = pose_of(result, joint.b)
    if isinstance(joint, Ball):
        return [ball(joint.name, T[:3, 3], radius)]
    half = SLIM * radius * (T[:3, :3] @ np.array(joint.axis))
    sleeve = _pin(joint.name, T[:3, 3], half)
    if isinstance(joint, Hinge):
        return [sleeve]
    zero = (pose_of(result, joint.a) @ joint.transform)[:3, 3]
    ends: Array = np.array([zero, T[:3, 3]])[np.argsort((zero, T[:3, 3]) @ half)]
    return [sleeve, bar(joint.name, ends[0] - RAIL * half, ends[1] + RAIL * half, 0.4 * radius)]


def _pin(name: str, centre: Vector, half: Vector) -> Surface:
    """A short cylinder about a point, from -half to half."""
    return bar(name, centre - half, centre + half, float(np.linalg.norm(half)) / SLIM)
