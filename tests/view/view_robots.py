"""Robots to look at, solved once."""

from functools import cache

import numpy as np

import flexura as fx
from flexura.lie import se3

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)
STEEL = fx.Material(young=210e9, poisson=0.3125, density=7800.0)


def arm():
    """A tapered arm with gravity, a force and a moment at its tip."""
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 1.0, fx.Taper(fx.Circle(0.03), fx.Circle(0.02)), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[
            fx.Gravity(),
            fx.PointLoad("pull", "arm.tip", force=(0.0, 0.6, 1.2), moment=(0.0, 0.0, 0.1)),
        ],
    )


def chain():
    """Three kinds of sections, a gap between rods, a load inside and a line load that follow."""
    stiff = fx.Material(young=5e7, poisson=0.4, density=1000.0)
    return fx.Robot(
        "chain",
        rods=[
            fx.Rod("tube", 0.4, fx.Tube(0.012, 0.008), stiff),
            fx.Rod("ribbon", 0.3, fx.Rectangle(0.03, 0.006), stiff, rest=(0.0, 0.0, 2.0)),
            fx.Rod("tail", 0.2, fx.Section(1e-4, 1e-9, 1e-9, 2e-9), stiff),
        ],
        joints=[
            fx.Weld("world", "tube.base", offset=se3.pose((0.0, 0.0, 0.3))),
            fx.Weld("tube.tip", "ribbon.base", offset=se3.pose((0.02, 0.0, 0.04))),
            fx.Weld("ribbon.tip", "tail.tip", offset=se3.pose(rotation=(0.0, 0.0, np.pi))),
        ],
        loads=[
            fx.PointLoad("push", fx.At("ribbon", 0.15), force=(0.0, 0.4, 0.0), follower=True),
            fx.PointLoad("pull", "tail.base", force=(0.0, 0.0, 0.1)),
            fx.LineLoad("wind", "tube", force=(0.0, 1.0, 0.0), start=0.1, end=0.35, follower=True),
        ],
    )


def wire():
    """A rod much too thin to be seen."""
    return fx.Robot(
        "wire",
        rods=[fx.Rod("wire", 0.242, fx.Circle(0.4e-3), STEEL)],
        joints=[fx.Weld("world", "wire.base")],
        loads=[fx.PointLoad("pull", "wire.tip", force=(0.0, 0.0, 0.5))],
    )


def puppet():
    """Discs with three holes and, at the tip, with two; a tendon that slackens beside them."""
    at, third = (0.1, 0.2, 0.3, 0.4), 2.0 * np.pi / 3.0
    holes = [(0.03 * np.cos(i * third), 0.03 * np.sin(i * third)) for i in range(3)]
    a, b, c = (fx.Tendon(n, "arm", fx.Discs(at, *h)) for n, h in zip("abc", holes, strict=True))
    ends = [fx.Tendon(n, "arm", fx.Discs((0.5,), 0.0, z)) for n, z in (("d", 0.02), ("e", -0.02))]
    loose = fx.Tendon("loose", "arm", fx.Parallel(0.0, 0.05), start=0.1, drive="length")
    return fx.Robot(
        "puppet",
        rods=[fx.Rod("arm", 0.5, fx.Circle(0.01), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[a, b, c, *ends, loose],
    )


@cache
def solved(robot):
    """The equilibrium of one of the robots above."""
    return fx.statics(fx.build(robot())).unwrap()
