"""Rods on hinges and balls at both ends: which of their equilibria is found."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.lie import se3
from flexura.rods.directions import directions_between

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


@pytest.mark.parametrize("kind", ["hinges", "hinge and ball", "balls"])
@pytest.mark.parametrize("span", [0.05, 0.15, 0.3])
def test_a_wire_with_its_ends_close_to_each_other_hangs(span, kind):
    """It leaves backwards; hinges that lean let it bulge to their sides alone."""
    rod, axis, place = fx.Rod("rod", 1.0, fx.Circle(2e-3), STEEL), (0.0, 1.0, 0.7), (span, 0, 0)
    base = fx.Hinge("a", "world", "rod.base", axis)
    tip = fx.Ball("b", "world", "rod.tip", se3.pose(place))
    if kind == "hinges":
        tip = fx.Hinge("b", "world", "rod.tip", axis, se3.pose(place))
    if kind == "balls":
        base = fx.Ball("a", "world", "rod.base")
    model = fx.build(fx.Robot("wire", [rod], [base, tip], [fx.Gravity()]), rods=fx.Spline())
    result = fx.statics(model).unwrap()
    assert result.stable is not False
    assert result.pose("rod", 0.5)[2, 3] < 0.0
    # from the angles of an elastica; 38 and more, some to the wrong side, from those of arcs
    assert result.iterations <= 10


@pytest.mark.parametrize("angle", [0.1, 1.0, 1.6, 2.2])
def test_what_no_load_bends_leaves_as_an_elastica(angle):
    """θ'' = -sin θ from θ' = 0 at one end to θ' = 0 at the other; that may be further back."""

    def straight(_, y):
        return y[1]

    straight.terminal, straight.direction = True, 1.0
    begin, slope = [angle, 0.0, 0.0], lambda _, y: [y[1], -np.sin(y[0]), np.cos(y[0])]
    found = solve_ivp(slope, (0.0, 50.0), begin, events=straight, rtol=1e-10, atol=1e-12)
    apart = found.y[2, -1] / found.t[-1]
    ends = directions_between(ROD, np.eye(3)[0], apart, np.zeros(3), True, [np.eye(3)[2]])
    for leave, arrive in ends:
        assert abs(leave[2]) == pytest.approx(np.sin(angle), rel=1e-6)
        assert leave * (1, 1, -1) == pytest.approx(arrive)
        assert leave[0] == pytest.approx(np.cos(angle), abs=1e-6)


def test_what_clamps_would_bend_beyond_its_middle_is_no_cord():
    """A guess whose clamps moved all of it was compressed by 90 %."""
    rod = fx.Rod("rod", 1.943, fx.Circle(diameter=1.22e-3), STEEL)
    joints = [
        fx.Ball("a", "world", "rod.base"),
        fx.Ball("b", "world", "rod.tip", se3.pose((0.709, 0, 0))),
    ]
    robot = fx.Robot("wire", [rod], joints, [fx.Gravity()])
    assert fx.statics(fx.build(robot, rods=fx.LinearStrain(16))).unwrap().stable is not False


@pytest.mark.parametrize("elements", [24, 32])
@pytest.mark.parametrize("height", [0.0, 10.0, -1000.0])
def test_what_newton_leads_uphill_goes_down_instead(height, elements):
    """It was stable with 1.0269 J, more than the 0.87 J that it began with; splines found less."""
    section, rest = fx.Rectangle(0.00800539, 0.00556363), (0.69376, -0.238952, 0.422303)
    rod = fx.Rod("rod", 1.64545, section, fx.materials.nylon, rest=rest)
    base = se3.pose((-0.143737, 1.82976, height - 0.211914), (-1.01975, -1.01764, -0.777314))
    tip = se3.pose((0.562904, 2.48395, height + 0.061279), (-1.22533, -0.198588, -0.461595))
    axis = (0.388855, 0.917551, 0.0830228)
    joints = [
        fx.Hinge("a", "world", "rod.base", axis, base),
        fx.Ball("b", "world", "rod.tip", tip),
    ]
    model = fx.build(fx.Robot("bent", [rod], joints, [fx.Gravity()]), fx.LinearStrain(elements))
    result = fx.statics(model).unwrap()
    assert result.stable
    lifted = 9.81 * section.area * fx.materials.nylon.density * rod.length * height
    assert result.potential - lifted == pytest.approx(0.7462, rel=1e-3)
