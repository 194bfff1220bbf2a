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


def platform():
    """A motor with two rods and two clamped ones under a body without a shape, and a pulley."""
    up = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))
    corners = {"a": (0.1, 0.1), "b": (0.1, -0.1), "c": (-0.1, 0.1), "d": (-0.1, -0.1)}
    place = {name: se3.pose((*xy, 0.0)) @ up for name, xy in corners.items()}
    drives = {f"{name}.base": place[name] for name in "ab"}
    return fx.Robot(
        "platform",
        rods=[fx.Rod(name, 0.5, fx.Circle(1e-3), STEEL) for name in corners],
        bodies=[fx.Body("top", mass=0.1)],
        joints=[
            fx.Motor("motor", axis=(0.0, 1.0, 0.0), point=(0.1, 0.0, 0.0), drives=drives),
            *(fx.Weld("world", f"{name}.base", offset=place[name]) for name in "cd"),
            *(fx.Weld("top", f"{name}.tip", offset=place[name]) for name in corners),
        ],
        loads=[fx.Pulley("pull", at="top", point=(0.6, 0.0, 0.5), force=0.5)],
    )


def linkage():
    """Two rods with a hinge between them, on a ball on a cart that slides, with a driven flag."""
    stiff = fx.Material(young=2e9, poisson=0.3, density=1200.0)
    knee = se3.pose((0.02, 0.0, 0.0), (0.0, 1.2, 0.0))
    return fx.Robot(
        "linkage",
        rods=[fx.Rod("a", 0.3, fx.Circle(3e-3), stiff), fx.Rod("b", 0.25, fx.Circle(3e-3), stiff)],
        bodies=[
            fx.Body("cart", mass=0.05, shape=fx.Box(0.05, 0.03, 0.02)),
            fx.Body("flag", mass=0.01, shape=fx.Sphere(0.01)),
        ],
        joints=[
            fx.Weld("world", "a.base"),
            fx.Hinge("knee", "a.tip", "b.base", axis=(0.0, 1.0, 0.0), offset=knee),
            fx.Slider(
                "rail", "world", "cart", axis=(1.0, 0.0, 0.0), offset=se3.pose((0.4, 0, -0.2))
            ),
            fx.Ball("socket", "cart", "b.tip", offset=se3.pose((0.0, 0.0, 0.03))),
            fx.Hinge(
                "turn",
                fx.At("a", 0.1),
                fx.At("flag", offset=se3.pose((0.0, 0.0, -0.05))),
                axis=(1.0, 0.0, 0.0),
                driven=True,
            ),
        ],
        loads=[fx.Gravity(), fx.PointLoad("push", fx.At("a", 0.15), force=(0.0, 0.0, -2.0))],
    )


def nine():
    """Three rods on top of each other with three tendons each, through discs."""
    names, third = ("low", "mid", "top"), 2.0 * np.pi / 3.0
    tendons = []
    for k, i in np.ndindex(3, 3):
        at = 0.02 * np.arange(1, 6 * (k + 1) + 1)
        y, z = 0.01 * np.cos(third * (i + k / 3)), 0.01 * np.sin(third * (i + k / 3))
        tendons.append(fx.Tendon(f"t{k}{i}", names[: k + 1], fx.Discs(at, y, z)))
    welds = [fx.Weld("low.tip", "mid.base"), fx.Weld("mid.tip", "top.base")]
    return fx.Robot(
        "nine",
        rods=[fx.Rod(name, 0.12, fx.Circle(0.7e-3), fx.materials.nitinol) for name in names],
        joints=[fx.Weld("world", "low.base", offset=np.eye(4)[[1, 2, 0, 3]]), *welds],
        loads=[fx.Gravity()],
        tendons=tendons,
    )


def hollow():
    """A soft arm with two tendons inside."""
    return fx.Robot(
        "hollow",
        rods=[fx.Rod("arm", 0.5, fx.Circle(0.03), RUBBER)],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[
            fx.Tendon(name, "arm", fx.Parallel(0.0, z)) for name, z in (("a", 0.02), ("b", -0.02))
        ],
    )


@cache
def solved(robot):
    """The equilibrium of one of the robots above."""
    return fx.statics(fx.build(robot())).unwrap()
