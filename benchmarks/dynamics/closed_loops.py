"""Closed loops in motion: how far joints open, and whether energy is accounted for."""

from dataclasses import replace
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.parallel_robot_constraint_free.cases import MOTORS, PLATFORM, three_motors
from benchmarks.progress import track
from benchmarks.table import Table
from flexura.lie import se3

STEEL = fx.Material(young=210e9, poisson=0.3, density=7800.0)
# Gaps of hinges, relative to poses of size 1: a step is found when no more is left open.
ROUNDING = 1e-13
INTEGRATORS = (fx.GeneralizedAlpha(0.9), fx.ImplicitEuler())


def run(quick: bool = False) -> Table:
    """Turn the crank of a four-bar, and the motors of a parallel robot.

    Args:
        quick: only generalised-alpha, and fewer steps.
    """
    rows, found = [], {}
    cases = [(name, i) for name in CASES for i in (INTEGRATORS[:1] if quick else INTEGRATORS)]
    for name, integrator in track(cases, "loops"):
        robot, inputs, duration, h = CASES[name]()
        model = fx.build(robot, rods=fx.Spline(3, 6))
        motion = fx.simulate(
            model, duration * (0.25 if quick else 1.0), h, inputs, integrator=integrator
        ).unwrap()
        gap = max(opening(motion, joint) for joint in robot.joints)
        found[name, type(integrator).__name__] = (motion, gap)
        rows.append(
            [
                name,
                type(integrator).__name__,
                str(len(motion) - 1),
                f"{gap:.1e}",
                f"{motion.iterations[1:].mean():.1f}",
                str(len(motion.cuts)),
            ]
        )
    return Table(
        title="closed loops in motion",
        header=("robot", "integrator", "steps", "widest joint [m, rad]", "iterations", "cut steps"),
        rows=rows,
        notes=["Gaps of all joints at all instants, from the poses of what they join."],
        data=found,
    )


def four_bar() -> tuple[fx.Robot, dict[str, Any], float, float]:
    """A crank, a thin coupler that bends, and a rocker; the crank turns once a second."""
    crank, coupler, rocker, ground = 0.1, 0.4, 0.25, 0.4
    upright = np.arctan2(1.0, 0.0)
    start = np.array([0.0, crank])
    # Where the coupler and the rocker meet: circles about the crank's tip and the far hinge.
    far = np.array([ground, 0.0])
    d = np.linalg.norm(far - start)
    along = (coupler**2 - rocker**2 + d**2) / (2.0 * d)
    across = np.sqrt(coupler**2 - along**2)
    x = (far - start) / d
    meet = start + along * x + across * np.array([-x[1], x[0]])
    angles = [upright, np.arctan2(*(meet - start)[::-1]), np.arctan2(*(meet - far)[::-1])]
    turn = [se3.pose(rotation=(0.0, 0.0, a)) for a in angles]
    thick, thin = fx.Rectangle(0.02, 0.02), fx.Rectangle(0.002, 0.02)
    at_far = np.array(turn[2])
    at_far[:2, 3] = far
    robot = fx.Robot(
        "four-bar",
        rods=[
            fx.Rod("crank", crank, thick, STEEL),
            fx.Rod("coupler", coupler, thin, STEEL),
            fx.Rod("rocker", rocker, thick, STEEL),
        ],
        joints=[
            fx.Hinge("motor", "world", "crank.base", axis=(0, 0, 1), offset=turn[0], driven=True),
            fx.Hinge(
                "first", "crank.tip", "coupler.base", axis=(0, 0, 1),
                offset=se3.inverse(turn[0]) @ turn[1],
            ),
            fx.Hinge(
                "second", "coupler.tip", "rocker.tip", axis=(0, 0, 1),
                offset=se3.inverse(turn[1]) @ turn[2],
            ),
            fx.Hinge("third", "world", "rocker.base", axis=(0, 0, 1), offset=at_far),
        ],
        loads=[fx.Gravity((0.0, -9.81, 0.0))],
    )  # fmt: skip

    def angle(t: float) -> float:
        """Smoothly from rest to a turn each second."""
        ramp = 0.5
        if t >= ramp:
            return float(2.0 * np.pi * (t - 0.5 * ramp))
        return float(2.0 * np.pi * ramp * (t / ramp) ** 3 * (1.0 - 0.5 * t / ramp))

    return robot, {"motor": angle}, 1.5, 0.0025


def parallel_robot() -> tuple[fx.Robot, dict[str, Any], float, float]:
    """Three motors that carry two rods each and a platform on the six rods; motors swing."""
    bare = three_motors()
    rods = [replace(rod, material=replace(rod.material, density=6450.0)) for rod in bare.rods]
    platform = fx.Body(PLATFORM, mass=0.05, inertia=(2e-5, 2e-5, 4e-5))
    robot = replace(bare, rods=rods, bodies=[platform])

    def course(phase: float) -> Any:
        return lambda t: np.pi / 12.0 * np.sin(np.pi * t) ** 2 * (1.0 + np.sin(phase + 2.0 * t))

    phases = 2.0 * np.pi * np.arange(3) / 3.0
    inputs = {name: course(phase) for name, phase in zip(MOTORS, phases, strict=True)}
    return robot, inputs, 1.0, 0.005


CASES = {"four-bar with a thin coupler": four_bar, "six rods on three motors": parallel_robot}


def opening(motion: fx.Motion, joint: Any) -> float:
    """The widest gap of a joint over a motion [m, rad]."""
    if isinstance(joint, fx.Motor):
        return max(
            _apart(_turned(motion, joint, offset), motion.pose(frame))
            for frame, offset in joint.drives
        )
    first = np.eye(4) if joint.a == "world" else motion.pose(joint.a)
    offset = np.eye(4) if joint.offset is None else np.array(joint.offset)
    between = se3.inverse(first @ offset) @ motion.pose(joint.b)
    if isinstance(joint, fx.Hinge):
        axis = np.array(joint.axis)
        off = between[:, :3, :3] @ axis - axis
        return float(max(np.abs(between[:, :3, 3]).max(), np.abs(off).max()))
    return _apart(np.broadcast_to(np.eye(4), between.shape), between)


def _turned(motion: fx.Motion, motor: fx.Motor, offset: Any) -> np.ndarray:
    """Where a motor has a frame that it drives, at its angles."""
    axis, point = np.array(motor.axis), np.array(motor.point)
    axis = axis / np.linalg.norm(axis)
    screw = np.concatenate([axis, np.cross(point, axis)])
    angles = np.array([instant.inputs[motor.name] for instant in motion])
    return np.asarray(se3.exp(angles.reshape(-1, 1) * screw) @ np.array(offset))


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of poses [m, rad]."""
    return float(np.abs(a - b).max())
