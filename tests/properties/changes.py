"""Robots that are moved, listed in another order, or described otherwise."""

from dataclasses import replace

import numpy as np
from properties.drafts import Case, suited

import flexura as fx
from flexura.lie import se3


def moved(case, T):
    """The robot and its gravity, moved as a whole by a pose."""
    R = T[:3, :3]

    def joint(old):
        if isinstance(old, fx.Motor):
            drives = [(frame, T @ pose) for frame, pose in old.installed]
            point = T[:3, :3] @ old.point + T[:3, 3]
            return replace(old, axis=R @ old.axis, point=point, drives=drives)
        if old.b == "world":
            return replace(old, offset=old.transform @ se3.inverse(T))
        return replace(old, offset=T @ old.transform) if old.a == "world" else old

    def load(old):
        if isinstance(old, fx.Gravity):
            return replace(old, acceleration=R @ old.acceleration)
        if isinstance(old, fx.Pulley):
            return replace(old, point=R @ old.point + T[:3, 3])
        if old.follower:
            return old
        return replace(old, force=R @ old.force, moment=R @ old.moment)

    grounded = {joint.label for joint in case.robot.joints if getattr(joint, "a", None) == "world"}
    inputs = {
        name: T @ value if name in grounded and np.shape(value) == (4, 4) else value
        for name, value in case.inputs.items()
    }
    robot = replace(
        case.robot,
        joints=[joint(old) for old in case.robot.joints],
        loads=[load(old) for old in case.robot.loads],
    )
    return Case(robot, inputs, case.rods)


def permuted(case, order):
    """The robot with all of its lists in another order, that of a random number generator."""
    rng = np.random.default_rng(order)

    def shuffled(entries):
        return [entries[i] for i in rng.permutation(len(entries))]

    lists = {
        name: shuffled(getattr(case.robot, name))
        for name in ("rods", "joints", "loads", "tendons", "bodies")
    }
    names = shuffled(list(case.rods))
    return Case(
        replace(case.robot, **lists), case.inputs, {name: case.rods[name] for name in names}
    )


def described(case, choice):
    """The robot with one description for all rods that it suits."""
    choices = {rod.name: suited(rod, choice) for rod in case.robot.rods}
    return Case(case.robot, case.inputs, choices)


def beside(case, young, radius, pull):
    """The robot, and a bar elsewhere that nothing joins to it, bent by a part of its length."""
    material = fx.Material(young=young, poisson=0.3, density=0.0)
    bar = fx.Rod("bar", 0.5, fx.Circle(radius), material)
    robot = replace(
        case.robot,
        rods=[bar, *case.robot.rods],
        joints=[*case.robot.joints, fx.Weld("world", "bar.base", offset=se3.pose((0.0, 1.0, 0.0)))],
        loads=[
            fx.PointLoad("on the bar", "bar.tip", (0, 0, pull * bar.stiffness(0.0)[1] / 0.25)),
            *case.robot.loads,
        ],
    )
    return Case(robot, case.inputs, {"bar": fx.Spline(3, 6), **case.rods})


def watched(case, count):
    """The robot, and bars elsewhere that turn freely about their axes between two balls."""
    material = fx.Material(young=1e9, poisson=0.3, density=0.0)
    bars = [fx.Rod(f"bar {i}", 0.5, fx.Circle(2e-3), material) for i in range(count)]
    balls = [
        fx.Ball(f"{bar.name} {end}", "world", f"{bar.name}.{end}", offset=se3.pose((x, 1.0, i)))
        for i, bar in enumerate(bars)
        for end, x in (("base", 0.0), ("tip", bar.length))
    ]
    robot = replace(
        case.robot,
        rods=[*bars, *case.robot.rods],
        joints=[*case.robot.joints, *balls],
    )
    return Case(robot, case.inputs, {**{bar.name: fx.Spline(3, 6) for bar in bars}, **case.rods})
