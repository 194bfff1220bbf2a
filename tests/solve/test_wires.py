"""Wires between two points, from cold: weight and stiffness do about as much to them."""

import numpy as np
import pytest

import flexura as fx
from benchmarks.rods import cords
from flexura.lie import se3

G = 9.81
YOUNG, RADIUS = 2e9, 1e-3
EACH = pytest.mark.parametrize("rods", cords.DESCRIPTIONS, ids=lambda rods: type(rods).__name__)


def wire(bends):
    """A rod of 1 m whose weight does so many times what its stiffness does, w L³ = bends EI."""
    weight = bends * YOUNG * np.pi / 4.0 * RADIUS**4
    density = weight / (G * np.pi * RADIUS**2)
    material = fx.Material(young=YOUNG, poisson=0.4, density=density)
    return fx.Rod("wire", 1.0, fx.Circle(RADIUS), material)


def clamped(bends, end, base=(0.0, 0.0, 0.0), tip=(0.0, 0.0, 0.0)):
    """A wire between two clamps that are turned."""
    joints = [fx.Weld("world", "wire.base", se3.pose(rotation=base))]
    joints += [fx.Weld("world", "wire.tip", se3.pose(end, rotation=tip))]
    return fx.Robot("wire", [wire(bends)], joints, [fx.Gravity()])


def pinned(bends, end, hinges):
    """A wire between two pins."""
    place = se3.pose(end)
    joints = [fx.Ball("a", "world", "wire.base"), fx.Ball("b", "world", "wire.tip", place)]
    if hinges:
        joints = [fx.Hinge("a", "world", "wire.base", (0, 1, 0))]
        joints += [fx.Hinge("b", "world", "wire.tip", (0, 1, 0), offset=place)]
    return fx.Robot("wire", [wire(bends)], joints, [fx.Gravity()])


@EACH
@pytest.mark.parametrize(
    ("end", "turn"), [((0.5, 0.0, 0.5), 0.0), ((0.4, 0.0, 0.0), 1.5)], ids=["level", "upright"]
)
def test_a_wire_begins_as_its_weight_bends_it(rods, end, turn):
    """A start by stiffness alone took 38 to 96 iterations from there."""
    robot = clamped(200.0, end, (0.0, -turn, 0.0), (0.0, turn, 0.0))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert result.iterations <= 8
    true = fx.shooting(robot).unwrap()
    assert result.potential == pytest.approx(true.potential, rel=0.03)  # what such meshes leave


@pytest.mark.parametrize("rods", [fx.Spline(3, 24), fx.Hermite(16)], ids=str)
@pytest.mark.parametrize(("bends", "span"), [(310.0, 0.2), (1000.0, 0.05)])
def test_clamps_that_turn_a_limp_wire_back_do_not_take_it_long(rods, bends, span):
    """As a cord it would begin where it is unstable: it took 404 to 504 iterations from there."""
    robot = clamped(bends, (span, 0.0, 0.0), (0.0, -1.5, 0.0), (0.0, 1.5, 0.0))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert result.iterations <= 10
    true = fx.shooting(robot).unwrap()
    assert result.potential == pytest.approx(true.potential, rel=0.01)  # what such meshes leave


@pytest.mark.parametrize("hinges", [True, False], ids=["hinges", "balls"])
@pytest.mark.parametrize("span", [0.001, 0.005])
def test_pins_that_are_close_do_not_cross_their_wire(hinges, span):
    """It leaves each end to its own side and opens as a drop: crossed, it has more energy."""
    result = fx.statics(fx.build(pinned(200.0, (span, 0.0, 0.0), hinges))).unwrap()
    assert result.stable
    assert result.iterations <= 12  # 50 to 299 on balls
    sides = result.pose("wire", [0.25, 0.75])[:, 0, 3]
    assert sides[0] < 0.0 < span < sides[1]


@pytest.mark.parametrize(
    "rods", [fx.VariableStrain((6, 6, 6, 0, 0, 0)), fx.RotationInterpolation(8)], ids=str
)
def test_what_cannot_reach_its_clamps_is_told_at_once(rods):
    """Its ends are further apart than it is long, and it cannot stretch: 91 to 391 iterations."""
    result = fx.statics(fx.build(clamped(200.0, (1.0001, 0.0, 0.0)), rods=rods))
    assert result.status is fx.Status.APART
    assert result.iterations == 0


@pytest.mark.parametrize(
    "rods", [fx.RotationInterpolation(16), fx.VariableStrain((14, 14, 14, 0, 0, 0))], ids=str
)
@pytest.mark.parametrize("span", [0.999, 0.9999])
def test_soft_cords_without_stretch_know_how_far_off_they_are(rods, span):
    """They would hang 0.4 m lower, ten times as low as without stretch: told was 0.01 to 0.04."""
    result = fx.statics(fx.build(cords.robot("silicone", "balls", (span, 0.0)), rods=rods))
    assert any("stretch" in remark for remark in result.unwrap().remarks)
    true = cords.places("silicone", "balls", (span, 0.0), stretches=True)
    found = result.pose("cord", cords.PLACES)[:, [0, 2], 3]
    error = np.linalg.norm(found - true, axis=1).max()
    assert error > 0.2
    assert error / 1.1 < result.accuracy < 1.5 * error
