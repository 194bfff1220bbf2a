"""Slips of units are asked about; soft robots are not."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support import RUBBER

import flexura as fx

STEEL = fx.Material(young=210e9, poisson=0.3)


def arm(length=0.3, section=None, material=RUBBER, force=(0.0, 0.0, 0.0)):
    rod = fx.Rod("arm", length, section or fx.Circle(0.01), material)
    load = fx.PointLoad("pull", "arm.tip", force=force)
    return fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], [load])


def remarks(robot):
    return fx.statics(fx.build(robot, fx.LinearStrain(6))).remarks


def test_a_radius_in_millimetres():
    (remark,) = remarks(arm(0.3, fx.Circle(0.4), STEEL))
    assert "rod 'arm' is 0.3 m long and about 0.8 m thick: is that meant?" in remark


def test_a_modulus_in_gigapascals():
    soft = fx.Material(young=210.0, poisson=0.3)
    (remark,) = remarks(arm(material=soft))
    assert "a Young's modulus of 210 Pa" in remark
    assert "pascals" in remark


@pytest.mark.parametrize(
    ("young", "density"), [(210e9, 7.8), (3.1e9, 1.14), (147e9, 1.6), (1e6, 1.0)]
)
def test_a_density_in_grams_per_cubic_centimetre(young, density):
    light = fx.Material(young=young, poisson=0.3, density=density)
    (remark,) = remarks(arm(material=light))
    assert f"a density of {density:g} kg/m³" in remark
    assert "steel 7800" in remark


def fallen(material, gravity=None, **more):
    """The arm under its weight."""
    plain = arm(material=material)
    return replace(plain, loads=[gravity or fx.Gravity()], **more)


def test_a_density_that_was_forgotten():
    (remark,) = remarks(fallen(STEEL))
    assert "rod 'arm' has no density, and 'gravity' does nothing to it: is that meant?" in remark


def test_rods_without_density_among_what_is_heavy():
    """What bodies carry, or rods said to have no mass, are models that there are."""
    plate = fx.Body("plate", mass=0.1)
    carried = fallen(STEEL, bodies=[plate])
    carried = replace(carried, joints=[*carried.joints, fx.Weld("arm.tip", "plate")])
    weightless = fallen(STEEL)
    weightless = replace(weightless, rods=[replace(weightless.rods[0], line_mass=0.0)])
    still = fallen(STEEL, fx.Gravity((0, 0, 0)))
    for robot in (carried, weightless, still, arm(material=STEEL)):
        assert robot.doubts == ()


@pytest.mark.parametrize(("young", "density"), [(210e3, 7800.0), (60e3, 6450.0)])
def test_a_modulus_in_megapascals(young, density):
    (remark,) = fallen(fx.Material(young=young, poisson=0.3, density=density)).doubts
    assert f"a Young's modulus of {young:.3g} Pa" in remark
    assert "as dense as metals" in remark


@pytest.mark.parametrize(
    ("young", "density"), [(84e3, 2434.0), (1e6, 4300.0), (16e9, 11300.0), (1e5, 1070.0)]
)
def test_soft_materials_that_there_are(young, density):
    """Silicone with a fifth and a half of its volume of magnets, lead, and silicone."""
    assert fallen(fx.Material(young=young, poisson=0.4, density=density)).doubts == ()


def test_gravity_in_millimetres():
    heavy = replace(STEEL, density=7800.0)
    (remark,) = fallen(heavy, fx.Gravity((0, 0, -9810.0))).doubts
    assert "'gravity' is 9.81e+03 m/s²: is that meant?" in remark
    assert fallen(heavy, fx.Gravity((0, 0, -98.1))).doubts == ()


def test_a_density_that_is_not_used():
    light = fx.Material(young=210e9, poisson=0.3, density=7.8)
    robot = arm(material=light)
    line = [replace(rod, line_mass=0.1) for rod in robot.rods]
    assert replace(robot, rods=line).doubts == ()


def test_materials_that_there_are_are_not_too_light():
    real = [fx.materials.find(name) for name in fx.materials.names()]
    diamond = fx.Material(young=1220e9, poisson=0.07, density=3520.0)
    foam = fx.Material(young=1e5, poisson=0.3, density=30.0)
    for material in (*real, diamond, foam, STEEL):
        assert arm(material=material).doubts == ()


@pytest.mark.parametrize(
    "routing",
    [fx.Parallel(8.0, 0.0), fx.Helical(8.0, 1.0), fx.Discs([0.1, 0.2], y=0.0, z=8.0)],
    ids=str,
)
def test_a_tendon_in_millimetres(routing):
    plain = arm()
    tendons = [fx.Tendon(name, "arm", routing) for name in ("left", "right")]
    robot = fx.Robot("arm", plain.rods, plain.joints, tendons=tendons)
    (remark,) = robot.doubts
    assert remark.startswith(
        "tendon 'left' runs 8 m beside rods that are 0.3 m long: is that meant?"
    )
    assert remark in fx.statics(fx.build(robot, fx.LinearStrain(6))).remarks


def test_wide_discs_are_not_asked_about():
    plain = arm()
    tendons = [fx.Tendon("wide", "arm", fx.Parallel(0.29, 0.0))]
    assert fx.Robot("arm", plain.rods, plain.joints, tendons=tendons).doubts == ()


def test_one_sentence_for_many_rods():
    rods = [fx.Rod(f"r{i}", 0.1, fx.Circle(0.1), STEEL) for i in range(5)]
    robot = fx.Robot("r", rods, [fx.Weld("world", f"r{i}.base") for i in range(5)])
    (remark,) = remarks(robot)
    assert remark.startswith("rod 'r0', as 4 more, is 0.1 m long")


@pytest.mark.parametrize(
    ("section", "length", "young"),
    [
        (fx.Circle(0.0125), 0.1, 100e3),  # silicone, four times as long as thick
        (fx.Circle(0.01), 0.2, 5e3),  # a gel
        (fx.Rectangle(0.05, 0.001), 0.05, 2e9),  # a flexure as wide as long
        (fx.Tube(0.01, 0.009), 0.1, 1e6),
        (fx.Circle(1e-4), 1.0, 70e9),  # a wire
        (fx.Taper(fx.Circle(0.02), fx.Circle(0.005)), 0.15, 60e3),
    ],
    ids=str,
)
def test_soft_and_thin_robots_are_not_asked(section, length, young):
    """Bent to a quarter turn by a moment M = E I (π / 2) / L."""
    material = fx.Material(young=young, poisson=0.45)
    robot = arm(length, section, material)
    moment = young * section.at(1.0).iy * 0.5 * math.pi / length
    model = fx.build(robot, fx.LinearStrain(6))
    result = fx.statics(model, {"pull": (0, moment, 0, 0, 0, 0)})
    assert result.remarks == ()


@pytest.mark.parametrize("rods", [fx.Spline(), fx.LinearStrain(40), fx.VariableStrain()], ids=str)
def test_a_rod_stretched_to_more_than_twice_its_length(rods):
    """F = 2.5 E A stretches it to 3.5 times its length; less than E A is not asked about.

    Shear is as stiff as stretch: else the rod would lean and shear under so large a force.
    """
    even = fx.Material(young=1e6, shear=1e6)
    EA = even.young * math.pi * 0.01**2
    far, less = (arm(material=even, force=(x * EA, 0, 0)) for x in (2.5, 0.9))
    (remark,) = fx.statics(fx.build(far, rods)).remarks
    assert "rod 'arm' is stretched to 3.5 times its length: is that meant?" in remark
    assert fx.statics(fx.build(less, rods)).remarks == ()


def test_the_continuous_equations_ask_too():
    EA = RUBBER.young * math.pi * 0.01**2
    (remark,) = fx.shooting(arm(force=(2.5 * EA, 0, 0))).remarks
    assert "stretched to 3.5 times" in remark
    soft = arm(0.3, fx.Circle(0.4), STEEL)
    assert "0.8 m thick" in fx.shooting(soft).remarks[0]


def test_a_rod_bent_tighter_than_it_is_thick():
    """κ r = M r / (E I) = 1.5: the outside is strained by 150 %."""
    radius, length = 0.02, 0.1
    moment = 1.5 / radius * RUBBER.young * math.pi * radius**4 / 4.0
    model = fx.build(arm(length, fx.Circle(radius)), fx.LinearStrain(12))
    strained, growing = fx.statics(model, {"pull": (0, moment, 0, 0, 0, 0)}).remarks
    assert "the outside of rod 'arm' is strained by about 150 % where it bends" in strained
    assert "loads without a potential" in growing
    half = fx.statics(model, {"pull": (0, 0.5 * moment, 0, 0, 0, 0)})
    assert not any("is strained" in remark for remark in half.remarks)


def test_the_worst_of_several_rods():
    EA = RUBBER.young * math.pi * 0.01**2
    rods = [fx.Rod(name, 0.3, fx.Circle(0.01), RUBBER) for name in ("a", "b")]
    joints = [fx.Weld("world", f"{name}.base") for name in ("a", "b")]
    loads = [
        fx.PointLoad(f"on {name}", f"{name}.tip", force=(x * EA, 0, 0))
        for name, x in (("a", 1.5), ("b", 3.0))
    ]
    remark, *_ = remarks(fx.Robot("two", rods, joints, loads))
    assert "rod 'b' is stretched to 4 times its length, and 1 rod more likewise" in remark


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 0, 1)])
def test_a_slider_in_millimetres(axis):
    """A plate on two rods, one of which slides along by 20 m: no matter of elements or loads."""
    up = np.eye(4)[[1, 2, 0, 3]]
    left, right = (fx.lie.se3.pose((x, 0.0, 0.0)) @ up for x in (-0.05, 0.05))
    joints = [
        fx.Slider("push", "world", "l.base", axis=axis, driven=True, offset=left),
        fx.Weld("world", "r.base", offset=right),
        fx.Weld("plate", "l.tip", offset=left),
        fx.Weld("plate", "r.tip", offset=right),
    ]
    rods = [fx.Rod(name, 0.3, fx.Circle(5e-4), STEEL) for name in ("l", "r")]
    stage = fx.Robot("stage", rods, joints, [fx.Gravity()], bodies=[fx.Body("plate", mass=0.02)])
    model = fx.build(stage)
    assert fx.statics(model, {"push": 0.02}).converged
    far = fx.statics(model, {"push": 20.0}, iterations=300)
    assert far.status is fx.Status.FAR
    assert "metres" in str(far.status)
    assert "is that meant" in far.remarks[0]


@pytest.mark.parametrize(
    ("angle", "asked"),
    [
        (90.0, "14.3 turns: were degrees meant"),
        (-45.0, "7.16 turns: were degrees meant"),
        (70.0, "11.1 turns: is that meant"),
        (60.0, None),
        (0.0, None),
    ],
)
def test_an_angle_in_degrees(angle, asked):
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), RUBBER)
    hinge = fx.Hinge("knee", "world", "arm.base", axis=(0, 0, 1), driven=True)
    model = fx.build(fx.Robot("arm", [rod], [hinge]), fx.LinearStrain(2))
    found = fx.statics(model, {"knee": angle}).remarks
    words = f"input 'knee': {angle:.0f} rad is {asked}? Angles are in radians"
    assert found == ((words,) if asked else ())


@pytest.mark.parametrize(("angle", "asks"), [(90.0, True), (20.0, False)])
def test_what_is_not_reached_is_named(angle, asks):
    """A wire that was to be turned by 90 was turned by 38.25, and 90 was nowhere to be seen."""
    wire = fx.Rod("wire", 0.3, fx.Circle(radius=4e-4), STEEL)
    tip = fx.lie.se3.pose((0.3, 0.0, 0.0))
    turn = fx.Hinge("turn", "world", "wire.tip", axis=(1, 0, 0), offset=tip, driven=True)
    robot = fx.Robot("wound", [wire], [fx.Weld("world", "wire.base"), turn])
    found = fx.statics(fx.build(robot, fx.LinearStrain(3)), {"turn": angle})
    assert found.status is fx.Status.COARSE
    reached = f"'turn' was to be {angle:g}, and is {found.inputs['turn']:.6g}"
    assert found.remarks[-1] == f"this is on the way to what was asked for: input {reached}"
    doubt = "input 'turn': 90 rad is 14.3 turns: were degrees meant? Angles are in radians"
    assert (found.remarks[0] == doubt) is asks


def test_a_robot_in_millimetres():
    """All lengths alike, so that nothing is stubby; a wire of 20 m is not asked about."""
    (remark,) = arm(200.0, fx.Circle(diameter=1.0), STEEL).doubts
    assert "rod 'arm' is 200 m long and about 1 m thick: is that meant?" in remark
    assert "millimetres" in remark
    assert arm(20.0, fx.Circle(diameter=1e-3), STEEL).doubts == ()


def test_metals_bear_less_than_rubber():
    """A nitinol wire stretched by half, and one in a bend that strains it by a third."""
    wire = fx.Rod("arm", 0.2, fx.Circle(1e-3), fx.materials.nitinol)
    area, bending = np.pi * 1e-6, np.pi / 4.0 * 1e-12
    force = 0.5 * fx.materials.nitinol.young * area
    told = remarks(arm(0.2, fx.Circle(1e-3), fx.materials.nitinol, force=(force, 0.0, 0.0)))
    assert any("rod 'arm' is stretched to 1.5 times its length" in x for x in told)
    moment = 0.31 * fx.materials.nitinol.young * bending / 1e-3
    bent = fx.PointLoad("bend", "arm.tip", moment=(0.0, moment, 0.0), follower=True)
    robot = fx.Robot("arm", [wire], [fx.Weld("world", "arm.base")], [bent])
    told = fx.statics(fx.build(robot, fx.LinearStrain(200))).remarks
    assert any("is strained by about 31 % where it bends" in x for x in told)
    told = remarks(arm(0.2, fx.Circle(1e-3), RUBBER, force=(0.5e6 * area, 0.0, 0.0)))
    assert not any("is that meant?" in x for x in told)
