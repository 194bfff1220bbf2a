"""A robot with everything that can be described, and what it does: shared by two processes."""

import numpy as np

import flexura as fx
from flexura.robot import Discs, Motor, Piecewise, Plate, Routing, Taper

STEEL = fx.Material(200e9, 0.3, density=7800.0, viscosity=1.0)
TURN = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def place(x=0.0, y=0.0, z=0.0, R=None):
    T = np.eye(4) if R is None else R.copy()
    T[:3, 3] = x, y, z
    return T


def wave(s):
    return 0.0, 2.0 * np.sin(10.0 * s), 1.0


def inwards(s):
    return 0.004 - 0.01 * s, 0.001


def still(s):
    return 0.0, 0.0


def slope(s):
    return -0.01, 0.0


def arm():
    """Two rods, three tendons and loads, with functions."""
    drawn = fx.rest_from_spline([place(0.05 * i, 0.01 * i * i) for i in range(5)])
    rods = [
        fx.Rod("first", 0.2, Taper(fx.Circle(2e-3), fx.Circle(1.5e-3)), STEEL, rest=wave),
        fx.Rod("second", drawn.length, fx.Tube(1.5e-3, 1e-3), STEEL, rest=drawn, line_mass=0.1),
    ]
    length = 0.2 + drawn.length
    pieces = [(0.1, fx.Parallel(0.004, 0.0)), (length, fx.Convergent(0.004, 0.0))]
    tendons = [
        fx.Tendon("smooth", "first", Routing(inwards, slope)),
        fx.Tendon("table", "first", Routing(inwards), drive="length", stiffness=1e4),
        fx.Tendon("pieces", ["first", "second"], Piecewise(pieces)),
        fx.Tendon("discs", ["first", "second"], Discs([0.1, 0.2, 0.3], 0.0, (0.004, 0.003, 0.002))),
        fx.Tendon("wound", "second", fx.Helical(0.003, 0.5)),
    ]
    loads = [
        fx.Gravity(),
        fx.PointLoad("pull", fx.At("first", 0.1, place(0, 0.01)), (0.0, 0.2, 0.1), follower=True),
        fx.LineLoad("wind", "second", (0.0, 0.1, 0.0), end=0.1),
        fx.Pulley("weight", "second.tip", (0.5, 0.0, 1.0), 0.1),
    ]
    joints = [fx.Weld("world", "first.base", name="grip"), fx.Weld("first.tip", "second.base")]
    return fx.Robot("arm", rods, joints, loads, tendons)


def machine():
    """Rods and bodies with all joints."""
    inertia = {"line_inertia": (2e-8, 1e-8, 1e-8)}
    rods = [
        fx.Rod(name, 0.3, fx.Rectangle(2e-3, 3e-3), STEEL, **inertia) for name in ("left", "right")
    ]
    outline = Plate([(0.0, 0.0), (0.1, 0.0), (0.0, 0.1)], 0.01)
    bodies = [
        fx.Body("plate", 0.1, (1e-5, 1e-5, 1e-5), (0.01, 0.0, 0.0), outline),
        fx.Body("cart", shape=fx.robot.Box(0.1, 0.1, 0.1)),
        fx.Body("bob", 0.01),
    ]
    joints = [
        Motor("motor", (1, 0, 0), drives={"left.base": place(0, 0.1)}),
        fx.Slider("rail", "world", "cart", (0, 1, 0), driven=True),
        fx.Weld("cart", "right.base", place(0, -0.1)),
        fx.Weld("left.tip", fx.At("plate", offset=place(0, 0.1))),
        fx.Ball("ball", "right.tip", fx.At("plate", offset=place(0, -0.1))),
        fx.Hinge("hinge", fx.At("left", 0.15), "bob", (0, 1, 0), place(0.0, 0.0, -0.05)),
    ]
    return fx.Robot("machine", rods, joints, [fx.Gravity()], bodies=bodies)


ROBOTS = {"arm": arm, "machine": machine}
INPUTS = {
    "arm": {"smooth": 0.5, "pieces": 0.3, "discs": 0.2, "wound": 0.1},
    "machine": {"motor": 0.2, "rail": 0.02},
}


def solve(robot):
    """All numbers of an equilibrium, to the last bit."""
    result = fx.statics(fx.build(robot), INPUTS[robot.name])
    assert result.converged
    parts = [result.pose(rod.name, np.linspace(0.0, rod.length, 9)) for rod in robot.rods]
    return b"".join(
        part.tobytes() for part in [*parts, result.tensions, result.evaluation.node_forces]
    )
