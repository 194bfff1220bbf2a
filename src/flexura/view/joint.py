"""Joints and motors, and the rigid links that lead to them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexura.result.static import StaticResult
from flexura.robot import Anchor, Ball, Hinge, Motor, Slider, Weld
from flexura.typing import Vector
from flexura.view.frame import half_widths_at
from flexura.view.primitive import Label, Surface
from flexura.view.solid import ball, bar

# Sizes relative to the extent of the robot.
LINK_RADIUS = 0.004
JOINT_RADIUS = 0.01
MOTOR_RADIUS = 0.02
RAIL = 0.06  # of a slider beyond where it is and where it is zero
# Sizes relative to others.
THICKER = 1.4  # a joint than a rod there
SLIM = 1.7  # half of the length of a hinge, a sleeve or a motor than its radius
CROWD = 9  # more motors than this have no labels


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
    anchor: Anchor
    point: Vector
    radius: float


def arms(result: StaticResult) -> list[Arm]:
    """All arms: of both sides of a joint that moves; of a weld one side reaches to the other."""
    robot = result.model.robot
    found = []
    for joint in robot.links:
        if isinstance(joint, Motor):
            continue
        a, b = (robot.graph.anchor_of(frame)[0] for frame in (joint.a, joint.b))
        if isinstance(joint, Weld):
            near, far = (b, a) if b.is_body and not a.is_body else (a, b)
            ends = [] if a.is_world or b.is_world else [(near, result.pose(far.frame))]
        else:
            ends = [(a, result.pose(joint.a) @ joint.transform), (b, result.pose(joint.b))]
        radius = _widths(result, joint)[1]
        found += [Arm(joint.label, x, T[:3, 3], radius) for x, T in ends if not x.is_world]
    return found


def links(result: StaticResult, extent: float) -> list[Surface]:
    """Rigid bars from rods to joints and other rods, and from motors to what they drive."""
    found: list[Surface] = []
    for arm in arms(result):
        if arm.anchor.on_rod:
            start = result.pose(arm.anchor.frame)[:3, 3]
            found += link(arm.name, start, arm.point, arm.radius, extent)
    for motor in result.model.robot.links:
        if isinstance(motor, Motor):
            for frame, _ in motor.installed:
                end = result.pose(frame)[:3, 3]
                found += link(motor.name, np.array(motor.point), end, 0.0, extent)
    return found


def link(name: str, a: Vector, b: Vector, radius: float, extent: float) -> Iterator[Surface]:
    """A rigid bar that suits a rod of that radius, unless the points are as good as one."""
    if np.linalg.norm(b - a) > LINK_RADIUS * extent:
        yield bar(name, a, b, max(0.4 * radius, LINK_RADIUS * extent))


def joint_surfaces(result: StaticResult, extent: float) -> list[Surface]:
    """Hinges and motors along their axes, sliders with their rails, balls."""
    found: list[Surface] = []
    for joint in result.model.robot.links:
        if isinstance(joint, Motor):
            radius = MOTOR_RADIUS * extent
            half = SLIM * radius * np.array(joint.axis)
            found.append(_pin(joint.name, np.array(joint.point), half, radius))
        elif not isinstance(joint, Weld):
            found += _joint(result, joint, extent)
    return found


def motor_labels(result: StaticResult, extent: float, up: Vector) -> list[Label]:
    """Name and angle below each motor or beside it, unless there are too many."""
    motors = [joint for joint in result.model.robot.links if isinstance(joint, Motor)]
    down, radius = -up / np.linalg.norm(up), MOTOR_RADIUS * extent
    found = []
    for motor in motors if len(motors) <= CROWD else ():
        text = f"{motor.name} {result.inputs[motor.name]:.3g} rad"
        point, half = np.array(motor.point), SLIM * radius * np.array(motor.axis)
        ends = np.array([point - half, point + half])
        found.append(Label(text, point + radius * down, down, "motor", along=ends))
    return found


def _joint(result: StaticResult, joint: Hinge | Slider | Ball, extent: float) -> list[Surface]:
    """A joint between two frames."""
    T, radius = result.pose(joint.b), _radius(result, joint, extent)
    if isinstance(joint, Ball):
        return [ball(joint.name, T[:3, 3], radius)]
    axis = T[:3, :3] @ np.array(joint.axis)
    half = max(SLIM * radius, THICKER * _widths(result, joint)[1]) * axis
    sleeve = _pin(joint.name, T[:3, 3], half, radius)
    if isinstance(joint, Hinge):
        return [sleeve]
    zero = (result.pose(joint.a) @ joint.transform)[:3, 3]
    low, high = sorted((0.0, float((zero - T[:3, 3]) @ axis)))
    a, b = (T[:3, 3] + x * axis for x in (low - RAIL * extent, high + RAIL * extent))
    return [sleeve, bar(joint.name, a, b, 0.4 * radius)]


def _radius(result: StaticResult, joint: Hinge | Slider | Ball, extent: float) -> float:
    """Radius of a joint that shows around a rod there."""
    return max(JOINT_RADIUS * extent, THICKER * _widths(result, joint)[0])


def _widths(result: StaticResult, joint: Weld | Hinge | Slider | Ball) -> tuple[float, float]:
    """Largest of the half widths of rods at a joint: of the smaller and of the larger ones."""
    ends = [half_widths_at(result, frame) for frame in (joint.a, joint.b)]
    small, large = np.max(ends, axis=0)
    return float(small), float(large)


def _pin(name: str, centre: Vector, half: Vector, radius: float) -> Surface:
    """A short cylinder about a point, from -half to half."""
    return bar(name, centre - half, centre + half, radius)
