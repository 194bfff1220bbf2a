"""Closed loops with tendons are solved alike at any size: a tenth of a millimetre, a metre."""

import numpy as np
import pytest
from properties.drafts import Case
from properties.images import scaled
from properties.judge import shape

import flexura as fx
from flexura.lie import se3

SMALL = 1e-4
PLASTIC = fx.Material(young=2e9, poisson=0.4, density=1200.0)
CHOICES = (
    fx.Spline(3, 8),
    fx.Hermite(6),
    fx.Power(3, 4),
    fx.LinearStrain(6),
    fx.VariableStrain((3, 5, 5, 2, 2, 2), steps=12),
    fx.ConstantStrain(8),
    fx.RotationInterpolation(3),
)
UP = se3.pose(rotation=(0.0, -np.pi / 2.0, 0.0))  # x, along which rods run, to z


def tendon(rod, drive, y):
    """A tendon that ends inside its rod: what it turns there, the other half turns back."""
    return fx.Tendon(f"{rod} {drive}", rod, fx.Parallel(y, 0.0), end=0.5, drive=drive)


def bridge():
    """A rod held at both ends, nearer than it is long, with two tendons."""
    rod = fx.Rod("rod", 1.0, fx.Circle(8e-3), PLASTIC)
    ends = [
        fx.Weld("world", "rod.base", UP),
        fx.Weld("world", "rod.tip", se3.pose((0.05, 0.3, 0.8)) @ UP),
    ]
    tendons = [tendon("rod", "tension", -0.02), tendon("rod", "length", 0.02)]
    robot = fx.Robot("bridge", [rod], ends, [fx.Gravity()], tendons)
    return robot, {"rod tension": 5.0, "rod length": 0.015}


def platform():
    """A plate on three rods, each with a tendon, two of them on balls."""
    rods, joints, tendons = [], [], []
    for i, drive in enumerate(["tension", "length", "tension"]):
        name, angle = f"leg{i}", 2.0 * np.pi * i / 3.0
        foot = se3.pose(rotation=(0.0, 0.0, angle)) @ se3.pose((0.3, 0.0, 0.0)) @ UP
        rods.append(fx.Rod(name, 1.0, fx.Circle(8e-3), PLASTIC))
        ankle = fx.At("plate", offset=foot)
        joints.append(fx.Weld("world", f"{name}.base", foot))
        joints.append(
            fx.Ball(f"ball{i}", f"{name}.tip", ankle) if i else fx.Weld(f"{name}.tip", ankle)
        )
        tendons.append(tendon(name, drive, 0.02))
    load = fx.PointLoad("push", "plate", force=(3.0, 2.0, 0.0))
    plate = fx.Body("plate", mass=0.2)
    robot = fx.Robot("platform", rods, joints, [fx.Gravity(), load], tendons, [plate])
    return robot, {"leg0 tension": 8.0, "leg1 length": 0.01, "leg2 tension": 2.0}


@pytest.mark.parametrize("rods", CHOICES, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("described", [bridge, platform], ids=lambda made: made.__name__)
def test_loops_with_tendons(described, rods):
    robot, inputs = described()
    large = Case(robot, inputs, {rod.name: rods for rod in robot.rods})
    small = scaled(large, SMALL, 1.0)
    wanted, found = large.solve().unwrap(), small.solve().unwrap()
    assert found.iterations == wanted.iterations
    assert found.load_steps == wanted.load_steps
    assert found.stable == wanted.stable
    assert found.remarks == wanted.remarks
    expected, unit = shape(large, wanted), np.array([1.0, 1.0, 1.0, SMALL])
    for name, poses in shape(small, found).items():
        np.testing.assert_allclose(
            (poses / unit)[:, :3], expected[name][:, :3], rtol=0.0, atol=1e-7
        )
    for each in robot.tendons:
        pull = found.tension(each.name) / SMALL**2
        assert pull == pytest.approx(wanted.tension(each.name), rel=1e-6)
        assert pull > 0.0
