"""Robots that are linearised: with tendons of all kinds, what inputs move, and a closed loop."""

import numpy as np

import flexura as fx
from flexura.lie import se3

SOFT = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=300.0)
FIRM = fx.Material(young=2e7, poisson=0.45, density=1000.0, viscosity=3000.0)
EVERY = [
    fx.Spline(3, 4),
    fx.Spline(3, 4, assumed_strain=False),
    fx.Hermite(3),
    fx.LinearStrain(4),
    fx.VariableStrain((3, 4, 4, 3, 3, 3)),
    fx.ConstantStrain(4),
    fx.Power(4),
    fx.RotationInterpolation(elements=2),
]
UP = np.eye(4)[[1, 2, 0, 3]]


def arm(material=SOFT):
    """An arm with tendons of all kinds, one slack, loads, and a base that an input moves."""
    routes = {"left": (0.0, "tension", None), "right": (2.1, "length", 30.0)}
    routes |= {"slack": (4.2, "length", 30.0)}
    return fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), material, rest=(0.0, 1.0, 0.5))],
        joints=[fx.Weld("world", "rod.base", name="base")],
        loads=[fx.Gravity(), fx.PointLoad("tip", "rod.tip"), fx.LineLoad("wind", "rod")],
        tendons=[
            fx.Tendon(name, "rod", fx.Parallel(8e-3 * np.cos(a), 8e-3 * np.sin(a)),
                      drive=drive, stiffness=stiffness)
            for name, (a, drive, stiffness) in routes.items()
        ],
    )  # fmt: skip


ARM = {
    "left": 0.1,
    "right": 2e-3,
    "slack": -0.02,
    "tip": (1e-4, 0, 0, 0, 0.01, 0.0),
    "base": se3.pose((0.02, 0.0, 0.1), (0.2, 0.1, -0.3)),
}


def loop(material=FIRM):
    """Two rods and a plate: a motor, a hinge that closes the loop, a tendon that does not give."""
    left, right = (se3.pose((x, 0.0, 0.0)) @ UP for x in (-0.05, 0.05))
    box = fx.Box(0.12, 0.02, 0.004)
    return fx.Robot(
        "loop",
        rods=[fx.Rod(name, 0.3, fx.Circle(0.01), material) for name in ("left", "right")],
        bodies=[fx.Body("plate", mass=0.02, inertia=(3e-6, 4e-6, 5e-6), shape=box)],
        joints=[
            fx.Motor("turn", axis=(0, 1, 0), point=(-0.05, 0, 0), drives={"left.base": left}),
            fx.Weld("world", "right.base", offset=right, name="foot"),
            fx.Weld("plate", "left.tip", offset=left),
            fx.Hinge("pin", "plate", "right.tip", axis=(0, 0, 1), offset=right),
        ],
        loads=[fx.Gravity(), fx.PointLoad("push", "plate")],
        tendons=[fx.Tendon("cable", "left", fx.Parallel(0.0, 8e-3), drive="length")],
    )


LOOP = {"turn": 0.2, "cable": 4e-3, "push": (0, 0, 0, 0.02, 0.01, 0)}
