"""Rods in contact know how wrong their discretization may be."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

RUBBER = fx.Material(young=1e6, poisson=0.4, density=1000.0)
HEAVY = fx.Rod("rod", 0.5, fx.Circle(0.005), RUBBER)
WIRE = fx.Rod("rod", 0.3, fx.Circle(0.001), fx.Material(young=5e7, poisson=0.4))
HANGING = [fx.Gravity()]
BOWED = [(x, 0.005 * np.sin(2 * np.pi * x / 0.3), 0.0) for x in np.linspace(-0.02, 0.34, 13)]
SIDEWAYS = [
    fx.PointLoad("tip", "rod.tip", force=(0.0, 5e-3, 0.0)),
    fx.PointLoad("middle", fx.At("rod", 0.15), force=(0.0, -5e-3, 2e-3)),
]


def scene(rod, shape, loads=HANGING, friction=0.0):
    """A clamped rod beside an obstacle, or in one."""
    touch = fx.Contact("rod", "wall", friction=friction)
    clamp = fx.Weld("world", "rod.base")
    wall = fx.Obstacle("wall", shape)
    return fx.Robot("touch", [rod], [clamp], loads, obstacles=[wall], contacts=[touch])


SCENES = {
    "table": scene(HEAVY, fx.Plane(point=(0, 0, -0.025))),
    "rough table": scene(HEAVY, fx.Plane(point=(0, 0, -0.025)), friction=0.3),
    "drum": scene(HEAVY, fx.Cylinder(0.1, 1.0, (0, 1, 0), se3.pose((0.15, 0, -0.106)))),
    "thin drum": scene(HEAVY, fx.Cylinder(0.03, 1.0, (0, 1, 0), se3.pose((0.25, 0, -0.036)))),
    "vessel": scene(WIRE, fx.Vessel(BOWED, 0.008), SIDEWAYS),
}


@pytest.mark.parametrize("name", SCENES)
def test_the_estimate_knows_that_rods_touch_at_points(name):
    """Between them they may be in what they touch; with dead forces it was 1/100 of the error."""
    robot = SCENES[name]
    fine = fx.statics(fx.build(robot, rods=fx.LinearStrain(96))).unwrap()
    for rods in (fx.LinearStrain(16), fx.Hermite(8)):
        result = fx.statics(fx.build(robot, rods=rods)).unwrap()
        true = fx.shape_error(result, fine, "rod").max_position
        assert true / 3.0 < result.accuracy < 5.0 * true  # 2 by rough places of touch, or more


def test_a_print_solves_nothing_again():
    result = fx.statics(fx.build(SCENES["drum"], rods=fx.LinearStrain(8))).unwrap()
    assert "accuracy" not in repr(result)
    assert f"{result.accuracy:.1e} m" in repr(result)


def test_bodies_alone_are_exact():
    """There is nothing to refine."""
    ball = fx.Body("ball", mass=1.0, shape=fx.Sphere(0.1))
    rail = fx.Slider("rail", "world", "ball", (0, 0, 1), se3.pose((0, 0, 0.2)))
    floor = fx.Obstacle("floor", fx.Plane())
    contact = fx.Contact("ball", "floor")
    robot = fx.Robot(
        "falls", [], [rail], [fx.Gravity()], bodies=[ball], obstacles=[floor], contacts=[contact]
    )
    assert fx.statics(fx.build(robot)).unwrap().accuracy == 0.0
