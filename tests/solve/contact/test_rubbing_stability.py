"""Equilibria that friction does not hold: what is pushed on though all that rubs sticks."""

import numpy as np
import pytest

import flexura as fx


def poking(length=0.2, radius=5e-4):
    """A wire on a driven slider above a rough wall, pushed aside a little."""
    down = fx.lie.se3.pose((0, 0, length + radius + 1e-4), (0, 0.5 * np.pi, 0))
    material = fx.Material(60e9, poisson=0.3, density=6450.0)
    return fx.Robot(
        "poke",
        rods=[fx.Rod("wire", length, fx.Circle(radius=radius), material)],
        joints=[fx.Slider("push", "world", "wire.base", (1, 0, 0), offset=down, driven=True)],
        loads=[fx.PointLoad("side", at=fx.At("wire", 0.5 * length), force=(2e-3, 0, 0))],
        obstacles=[fx.Obstacle("wall", fx.Plane())],
        contacts=[fx.Contact("wire", "wall", friction=1.0)],
    )


@pytest.mark.parametrize("rods", [fx.Spline(3, 24), fx.LinearStrain(24)], ids=str)
def test_a_wire_that_pokes_a_wall_buckles(rods):
    """In one increment as in ten; it was straight, at 1.4 times Euler's load, and converged."""
    model = fx.build(poking(), rods=rods)
    start = fx.statics(model, {"push": 1e-4}).unwrap()
    at_once = fx.statics(model, {"push": 1.1e-4}, start=start).unwrap()
    slowly = start
    for way in np.linspace(1e-4, 1.1e-4, 11)[1:]:
        slowly = fx.statics(model, {"push": way}, start=slowly).unwrap()
    euler = 20.19 * model.robot.rods[0].stiffness(0.0)[1] / 0.2**2  # clamped and pinned
    assert at_once.pressing("wire", "wall") < euler
    # both stick from where they touch first, the same but for the way there
    assert at_once.pressing("wire", "wall") == pytest.approx(
        slowly.pressing("wire", "wall"), rel=1e-3
    )
