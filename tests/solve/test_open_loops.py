"""Loops that cannot be closed are told in few iterations, with how far they stay open."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

Z = (0.0, 0.0, 1.0)
INEXTENSIBLE = fx.VariableStrain(orders=(5, 5, 5, 0, 0, 0))


def bar(name, length):
    return fx.Body(name, mass=0.1, center=(length / 2, 0.0, 0.0), inertia=(1e-5, 1e-4, 1e-4))


def end(name, length):
    return fx.At(name, offset=se3.pose((length, 0.0, 0.0)))


def four_bars(crank, coupler, rocker, ground, driven=False):
    """A planar linkage of hinges, under gravity along -y."""
    at = se3.pose((ground, 0.0, 0.0), rotation=(0.0, 0.0, 1.5))
    joints = [
        fx.Hinge("o", "world", "crank", axis=Z, driven=driven),
        fx.Hinge("p", end("crank", crank), "coupler", axis=Z),
        fx.Hinge("q", "world", "rocker", axis=Z, offset=at),
        fx.Hinge("r", end("coupler", coupler), end("rocker", rocker), axis=Z),
    ]
    bodies = [bar("crank", crank), bar("coupler", coupler), bar("rocker", rocker)]
    return fx.Robot("bars", bodies=bodies, joints=joints, loads=[fx.Gravity((0.0, -9.81, 0.0))])


def legs(height, length, flexible):
    """Three legs on balls below a platform that is held at a height."""
    material, rods, bodies = fx.materials.nitinol, [], [fx.Body("top", mass=0.1)]
    joints = [fx.Weld("world", "top", offset=se3.pose((0.0, 0.0, height)))]
    for i in range(3):
        name, way = f"leg{i}", np.array([np.cos(2.1 * i), np.sin(2.1 * i), 0.0])
        if flexible:
            rods.append(fx.Rod(name, length, fx.Circle(1e-3), material))
            base, tip = f"{name}.base", f"{name}.tip"
        else:
            bodies.append(bar(name, length))
            base, tip = name, end(name, length)
        up = se3.pose(0.3 * way, rotation=(0.0, -np.pi / 2, 0.0))
        joints.append(fx.Ball(f"below {i}", "world", base, offset=up))
        joints.append(fx.Ball(f"above {i}", tip, fx.At("top", offset=se3.pose(0.15 * way))))
    return fx.Robot("legs", rods, bodies=bodies, joints=joints, loads=[fx.Gravity()])


def open_by(result):
    """The gaps that the remarks tell [m]."""
    return [float(x.split("open by ")[1].split(" m")[0]) for x in result.remarks if "open by" in x]


OUT_OF_REACH = np.hypot(0.8, 0.15) - 0.5  # of each leg


@pytest.mark.parametrize(
    ("robot", "rods", "missing"),
    [
        (four_bars(0.1, 0.2, 0.2, 0.9), None, 0.4),
        (four_bars(0.1, 0.2, 0.2, 0.501), None, 0.001),
        (legs(0.8, 0.5, flexible=False), None, 3.0 * OUT_OF_REACH),
        (legs(0.8, 0.5, flexible=True), INEXTENSIBLE, 3.0 * OUT_OF_REACH),
        (legs(0.8, 0.5, flexible=True), fx.RotationInterpolation(4), 3.0 * OUT_OF_REACH),
    ],
    ids=["bars", "bars a little", "bars below a platform", "rods", "rods by rotations"],
)
def test_what_is_too_short_is_told(robot, rods, missing):
    """Gaps along stretched chains add up to what is missing; loads open them a little more."""
    result = fx.statics(fx.build(robot, rods=rods) if rods else fx.build(robot))
    assert result.status is fx.Status.OPEN
    assert result.iterations < 80
    assert missing <= sum(open_by(result)) < 1.15 * missing


def test_a_crank_that_is_driven_too_far():
    """Links of 0.2 m reach 0.4 m from the rocker's pivot: a crank at 2.9 rad is out of reach."""
    model = fx.build(four_bars(0.2, 0.2, 0.2, 0.5, driven=True))
    result = fx.statics(model, {"o": 2.9})
    assert result.status is fx.Status.OPEN
    assert result.iterations < 200
    missing = np.hypot(0.5 + 0.2 * np.cos(np.pi - 2.9), 0.2 * np.sin(2.9)) - 0.4
    assert missing <= sum(open_by(result)) < 1.4 * missing
    near = fx.statics(model, {"o": 0.6}).unwrap()
    beyond = fx.statics(model, {"o": 2.0}, start=near)
    assert beyond.status is fx.Status.OPEN
    assert beyond.iterations < 100


@pytest.mark.parametrize("ground", [0.35, 0.49])
def test_what_is_long_enough_is_closed(ground):
    result = fx.statics(fx.build(four_bars(0.1, 0.2, 0.2, ground))).unwrap()
    assert not open_by(result)
