"""Motions to look at, made once."""

from functools import cache

import flexura as fx
from flexura.lie import se3

VISCOUS = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=500.0)


@cache
def arm():
    """An arm with two tendons beside it, of which one begins to pull."""
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), VISCOUS)],
        joints=[fx.Weld("world", "arm.base")],
        loads=[fx.Gravity()],
        tendons=[
            fx.Tendon(name, "arm", fx.Parallel(0.0, z))
            for name, z in (("up", 0.012), ("down", -0.012))
        ],
    )
    model = fx.build(robot, rods=fx.Spline(3, 4))
    return fx.simulate(model, 0.2, 0.01, {"up": lambda t: 10.0 * t}).unwrap()


@cache
def spaghetto():
    """A rod that flies, with a stone at its tip."""
    robot = fx.Robot(
        "spaghetto",
        rods=[fx.Rod("rod", 0.5, fx.Circle(0.01), VISCOUS)],
        bodies=[fx.Body("stone", mass=0.05, inertia=(1e-5, 1e-5, 1e-5), shape=fx.Sphere(0.02))],
        joints=[fx.Weld("rod.tip", "stone")],
        loads=[fx.PointLoad("push", "rod.base", force=(0.0, 0.3, 0.1), moment=(0.0, 0.0, 5e-3))],
    )
    model = fx.build(robot, rods=fx.LinearStrain(4))
    place = {"rod": se3.pose((0.0, 0.0, 1.0))}
    return fx.simulate(
        model,
        0.2,
        0.01,
        place=place,
        velocity=dict.fromkeys(("rod", "stone"), (0, 0, 0, 0, 0, 1.0)),
    ).unwrap()


@cache
def waving():
    """A hinge that is driven, a rod behind it and a tendon that is driven by its length."""
    robot = fx.Robot(
        "waving",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), VISCOUS)],
        joints=[fx.Hinge("shoulder", "world", "arm.base", axis=(0, 1, 0), driven=True)],
        loads=[fx.Gravity()],
        tendons=[fx.Tendon("cable", "arm", fx.Parallel(0.012, 0.0), drive="length")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 4))
    inputs = {"shoulder": lambda t: -10.0 * t**2, "cable": lambda t: 0.05 * t**2}
    return fx.simulate(model, 0.2, 0.01, inputs).unwrap()
