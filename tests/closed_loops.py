"""Random closed loops: rods of different lengths between bodies and the world, joints of any kind.

They can be closed: ends in the world are no further apart than rods and bodies reach.
"""

from dataclasses import replace

import numpy as np

import flexura as fx
from flexura.lie import se3

PLASTIC = fx.Material(young=1e9, poisson=0.3, density=1000.0)
KINDS = ("weld", "ball", "hinge")


def joint(kind, name, a, b, axis, offset):
    """A joint of a kind between two frames."""
    if kind == "weld":
        return fx.Weld(a, b, offset)
    if kind == "ball":
        return fx.Ball(name, a, b, offset)
    return fx.Hinge(name, a, b, axis, offset=offset)


def closed_loop(seed):
    """A chain from the world to the world: rods, and bodies between some of them."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 4))
    rods, bodies, joints, frame = [], [], [], "world"
    section = fx.Circle(np.exp(rng.uniform(*np.log([1e-3, 1e-2]))))
    for i in range(count):
        rods.append(fx.Rod(f"r{i}", rng.uniform(0.3, 1.0), section, PLASTIC))
        offset = se3.pose(rotation=0.7 * rng.normal(size=3))
        kind = "weld" if i == 0 else rng.choice(KINDS)
        joints.append(joint(kind, f"j{i}", frame, f"r{i}.base", _axis(rng), offset))
        frame = f"r{i}.tip"
        if i + 1 < count and rng.random() < 0.5:
            bodies.append(fx.Body(f"b{i}", 0.05, inertia=1e-4 * np.ones(3)))
            offset = se3.pose(0.05 * rng.normal(size=3), rotation=rng.normal(size=3))
            joints.append(fx.Weld(frame, f"b{i}", offset))
            place = se3.pose(0.05 * rng.normal(size=3), rotation=rng.normal(size=3))
            frame = fx.At(f"b{i}", offset=place)
    way = rng.normal(size=3)
    way *= rng.uniform(0.2, 0.8) * sum(rod.length for rod in rods) / np.linalg.norm(way)
    end = se3.pose(way, rotation=rng.normal(size=3))
    joints.append(joint(rng.choice(KINDS), "last", "world", frame, _axis(rng), end))
    gravity = 9.81 * _axis(rng)
    return fx.Robot("loop", rods, joints, [fx.Gravity(tuple(gravity))], bodies=bodies)


def placed(robot, T):
    """The same elsewhere, gravity with it."""
    joints = [
        replace(own, offset=T @ own.offset) if own.a == "world" else own for own in robot.joints
    ]
    (gravity,) = robot.loads
    turned = replace(gravity, acceleration=tuple(T[:3, :3] @ gravity.acceleration))
    return replace(robot, joints=joints, loads=[turned])


def shuffled(robot, rng):
    """The same with its lists in another order."""
    lists = {name: getattr(robot, name) for name in ("rods", "bodies", "joints")}
    return replace(
        robot, **{name: [own[i] for i in rng.permutation(len(own))] for name, own in lists.items()}
    )


def renamed(robot):
    """The same with other names of rods and joints, in the opposite order."""
    names = {rod.name: f"q{len(robot.rods) - i}" for i, rod in enumerate(robot.rods)}

    def named(frame):
        name, dot, end = frame.partition(".") if isinstance(frame, str) else (frame, "", "")
        return f"{names[name]}.{end}" if dot else frame

    joints = [replace(own, a=named(own.a), b=named(own.b)) for own in robot.joints]
    joints = [
        own if isinstance(own, fx.Weld) else replace(own, name=f"k{len(joints) - i}")
        for i, own in enumerate(joints)
    ]
    rods = [replace(rod, name=names[rod.name]) for rod in robot.rods]
    return replace(robot, rods=rods, joints=joints)


def _axis(rng):
    """Any direction."""
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)
