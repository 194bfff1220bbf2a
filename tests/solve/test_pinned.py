"""Rods on hinges and balls at both ends: which of their equilibria is found."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

ROD = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e9, poisson=0.3))
BENDING = ROD.stiffness(0.0)[1]
STRIP = fx.Rod("rod", 1.0, fx.Rectangle(1e-2, 5e-3), ROD.material)
CURVED = fx.Rod("rod", 1.0, fx.Circle(5e-3), ROD.material, rest=(0.0, 1.0, -0.7))
TIP = se3.exp(np.array([-2.3272, 1.1249, -1.2253, 0.2412, -0.1493, 0.8361]))
AXES = (-0.204, 0.271, 0.186), (-0.489, -1.951, 0.957)
TURNS = ((0.0, 0.0, 0.0), (2.0, 1.0, -0.5), (-1.0, 0.3, 2.5), (0.4, -2.0, 0.9))


def ends(kind, place):
    """A rod's base and its tip on joints, with the whole robot at a place."""
    if kind == "hinges":
        base = fx.Hinge("a", "world", "rod.base", AXES[0], place)
        return [base, fx.Hinge("b", "world", "rod.tip", AXES[1], place @ TIP)]
    tip = fx.Ball("b", "world", "rod.tip", place @ TIP)
    if kind == "clamp and ball":
        return [fx.Weld("world", "rod.base", place), tip]
    return [fx.Ball("a", "world", "rod.base", place), tip]


@pytest.mark.parametrize("kind", ["hinges", "clamp and ball", "balls"])
@pytest.mark.parametrize("rod", [ROD, STRIP, CURVED], ids=["round", "flat", "curved"])
def test_what_is_found_turns_with_the_robot(rod, kind):
    """Without any load nothing but the robot itself tells to which side rods bulge."""
    energies = []
    for turn in TURNS:
        robot = fx.Robot("turned", [rod], ends(kind, se3.pose((0.1, 2.0, -1.0), turn)))
        energies.append(fx.statics(fx.build(robot, rods=fx.Hermite(16))).unwrap().energy)
    assert energies == pytest.approx([energies[0]] * len(TURNS), rel=1e-5)


def test_the_lower_of_two_equilibria_between_hinges_is_found():
    """The other one, which some directions of the whole robot led to, stores 7.41 EI/L."""
    for turn in TURNS:
        robot = fx.Robot("turned", [ROD], ends("hinges", se3.pose((0, 0, 0), turn)))
        result = fx.statics(fx.build(robot, rods=fx.Hermite(16))).unwrap()
        assert result.stable
        assert result.energy == pytest.approx(5.72 * BENDING, rel=1e-2)


STEEL, TITANIUM = fx.materials.stainless_316l, fx.materials.titanium
WIRES = [(STEEL, 0.139, 0.218e-3, 0.106), (TITANIUM, 0.1348, 1.013e-4, 0.0552)]


@pytest.mark.parametrize("kind", ["hinges", "hinge and ball"])
@pytest.mark.parametrize("rods", [fx.Spline(), fx.VariableStrain()], ids=["spline", "strain"])
@pytest.mark.parametrize(("material", "length", "diameter", "span"), WIRES, ids=["steel", "thin"])
def test_a_wire_between_pins_hangs(material, length, diameter, span, rods, kind):
    """A little of its weight in its shape, what stands on its pins has more energy."""
    rod = fx.Rod("rod", length, fx.Circle(diameter=diameter), material)
    base = fx.Hinge("a", "world", "rod.base", (0, 1, 0))
    tip = fx.Ball("b", "world", "rod.tip", se3.pose((span, 0, 0)))
    if kind == "hinges":
        tip = fx.Hinge("b", "world", "rod.tip", (0, 1, 0), se3.pose((span, 0, 0)))
    robot = fx.Robot("wire", [rod], [base, tip], [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable is not False
    assert result.pose("rod", 0.5 * length)[2, 3] < 0.0
