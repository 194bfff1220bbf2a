"""The continuous equations against closed forms, published cases and fine discretizations."""

import numpy as np
import pytest
from arrivals import Arrivals
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc
from support import (
    GRIP,
    OFFSET,
    RUBBER,
    TURNED,
    branched,
    cantilever,
    check_weld_reactions,
    mixed,
    rod_of,
    slope,
    stem_and_arm,
    wire,
    wrench_along,
    wrench_at,
)

import flexura as fx
from flexura.lie import quaternion, se3
from flexura.solve.shooting import shooting
from flexura.solve.shooting.serial import Chain

FINE = fx.Spline(5, 60)
# What is left of the gaps between segments: rounding, after sums over some dozens of steps.
ROUNDED = 1e-12


def section_of(length, GJ, EI, EA, GA, rest=None):
    """A rod with given stiffnesses."""
    section = fx.Section(area=1.0, iy=EI / EA, iz=EI / EA, torsion=GJ / GA)
    return fx.Rod("rod", length, section, fx.Material(young=EA, shear=GA), rest=rest)


def held(rod, pose, loads=()):
    """The rod clamped at its base and at its tip, whose pose is the input "grip"."""
    ends = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", offset=pose, name="grip")]
    return fx.Robot("held", [rod], ends, loads)


def chain(follower=False, moment=0.0, backward=False, grip=None):
    """Two rods with everything that a chain can have; ``backward``: the second from its tip."""
    spin = (0.02 * moment, -0.01 * moment, 0.03 * moment)
    near, far = ("tip", "base") if backward else ("base", "tip")
    joints = [
        fx.Weld("world", "stem.base", offset=OFFSET),
        fx.Weld("stem.tip", f"arm.{near}", offset=TURNED),
    ]
    if grip is not None:
        joints.append(fx.Weld("world", f"arm.{far}", offset=grip, name="grip"))
    return fx.Robot(
        "chain",
        rods=stem_and_arm(),
        joints=joints,
        loads=[
            fx.Gravity((1.0, 2.0, -9.81)),
            fx.PointLoad("end", f"arm.{far}", (0.3, 0.2, -0.1), spin, follower),
            fx.PointLoad("joint", f"arm.{near}", (0.1, 0.2, 0.3), spin, follower),
            fx.PointLoad("elbow", "stem.tip", (0.1, -0.2, 0.1), spin, follower),
            fx.PointLoad("inside", fx.At("stem", 0.4, OFFSET), (-0.3, 0.5, 0.2), spin, follower),
            fx.PointLoad("foot", fx.At("stem", 0.0, TURNED), (5.0, 4.0, 3.0), spin, follower),
            fx.LineLoad("wind", "stem", (0.0, 1.0, 0.3), spin, follower, start=0.1, end=0.6),
            fx.LineLoad("rain", "arm", (0.0, 0.3, -0.3), spin, follower, start=0.1),
        ],
    )


# ---- closed forms ------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0.25, 1.0, 2.0, 10.0])
def test_tip_moment_bends_to_a_circle(turns):
    """At once, from the straight rod, whatever the angle."""
    k = 2.0 * np.pi * turns
    result = shooting(cantilever(rod_of(EI=2.0), moment=(0.0, 0.0, 2.0 * k))).unwrap()
    tip = (np.sin(k) / k, (1.0 - np.cos(k)) / k, 0.0)
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=ROUNDED)
    np.testing.assert_allclose(result.strain("rod", 0.37)[:3], (0.0, 0.0, k), atol=ROUNDED)
    assert result.energy == pytest.approx(0.5 * 2.0 * k**2, rel=ROUNDED)
    assert result.iterations <= 3


def elastica(load):
    """Tip (x, y) and rotation of an inextensible cantilever of length 1 with P L²/EI = load."""
    a = np.sqrt(load)

    def parts(angle):
        m = 0.5 * (1.0 + np.sin(angle))
        return m, np.arcsin(np.sqrt(0.5 / m))

    def excess(angle):
        m, phi = parts(angle)
        return ellipk(m) - ellipkinc(phi, m) - a

    angle = brentq(excess, 1e-9, 0.5 * np.pi - 1e-15, xtol=1e-15)
    m, phi = parts(angle)
    x, y = np.sqrt(2.0 * np.sin(angle)) / a, 1.0 - 2.0 / a * (ellipe(m) - ellipeinc(phi, m))
    return x, y, angle


@pytest.mark.parametrize("load", [1.0, 2.0, 5.0, 10.0])
def test_elastica(load):
    """Mattiasson's cantilever by elliptic integrals; the rod stretches by 1e-11."""
    rod = rod_of(EI=1.0, EA=1e12)
    tip = shooting(cantilever(rod, force=(0.0, load, 0.0))).unwrap().pose("rod.tip")
    x, y, angle = elastica(load)
    np.testing.assert_allclose(tip[:2, 3], (x, y), atol=1e-10)
    assert np.arctan2(tip[1, 0], tip[0, 0]) == pytest.approx(angle, abs=1e-10)


@pytest.mark.parametrize(("load", "iterations"), [(1, 6), (5, 8), (20, 10), (100, 13)])
def test_thin_wire(load, iterations):
    """Steel is a million times stiffer in stretch than in bending; the full load at once."""
    rod = wire()
    EI, EA = rod.stiffness(0.0)[[2, 3]]
    force = load * EI / rod.length**2
    result = shooting(cantilever(rod, force=(0.0, force, 0.0))).unwrap()
    assert result.status is fx.Status.CONVERGED
    assert result.stable
    assert result.iterations <= iterations
    assert result.residual < ROUNDED
    tip = result.pose("rod.tip")[:2, 3] / rod.length
    np.testing.assert_allclose(tip, elastica(load)[:2], atol=3.0 * force / EA)  # stretch and shear


@pytest.mark.parametrize("load", [1e3, 1e4])
def test_heavy_loads_are_raised_in_steps(load):
    """The tip ends above the base, a boundary layer of √(EI/P) aside."""
    result = shooting(cantilever(rod_of(EI=1.0, EA=1e9), force=(0.0, load, 0.0))).unwrap()
    assert result.status is fx.Status.CONTINUED
    assert result.stable
    x, y, _ = elastica(load)
    np.testing.assert_allclose(result.pose("rod.tip")[:2, 3], (x, y), atol=5e-5)


def test_heavy_rod_hangs():
    """Stretch of a rod under its own weight: ρ g L² / 2E."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.4, density=1000.0))
    down = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0))
    robot = fx.Robot("r", [rod], [fx.Weld("world", "rod.base", down)], [fx.Gravity()])
    tip = shooting(robot).unwrap().pose("rod.tip")
    expected = (0.0, 0.0, -1.0 - 1000.0 * 9.81 / 2e6)
    np.testing.assert_allclose(tip[:3, 3], expected, atol=ROUNDED)


def test_point_load_inside_makes_the_wrench_jump():
    load = fx.PointLoad("p", fx.At("rod", 0.4), force=(0.0, 1e-3, 0.0))
    robot = fx.Robot("r", [rod_of(EA=20.0)], [fx.Weld("world", "rod.base")], [load])
    result = shooting(robot).unwrap()
    before, at, after = result.internal_wrench("rod", [0.4 - 1e-9, 0.4, 0.4 + 1e-9])
    assert before[4] == pytest.approx(1e-3, rel=1e-6)
    np.testing.assert_allclose([at, after], 0.0, atol=1e-17)
    tip = result.pose("rod.tip")[1, 3]
    assert tip == pytest.approx(1e-3 * (0.4**2 / 6.0 * (3.0 - 0.4) + 0.4 / 20.0), rel=1e-6)


def test_half_circle_between_two_clamps():
    """A rod held where pure bending takes it carries a constant moment and no force."""
    half = se3.pose(position=(0.0, 0.0, -2.0 / np.pi), rotation=(0.0, np.pi, 0.0))
    result = shooting(held(rod_of(EI=2.0, GJ=1.5), half)).unwrap()
    s = np.linspace(0.0, 1.0, 9)
    wrench = result.internal_wrench("rod", s)
    expected = np.tile([0.0, 2.0 * np.pi, 0.0, 0.0, 0.0, 0.0], (9, 1))
    np.testing.assert_allclose(wrench, expected, atol=1e-10)
    np.testing.assert_allclose(result.reaction("grip"), expected[0], atol=1e-10)
    assert result.stable
    assert result.energy == pytest.approx(np.pi**2, rel=ROUNDED)


# ---- stability ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("factor", "stable"), [(0.9999, True), (1.0001, False)])
def test_euler_and_greenhill(factor, stable):
    """A straight cantilever up to π² EI/4L², a standing column up to q L³/EI = 7.8373."""
    rod = rod_of(EI=1.0, EA=1e9)
    force = (-factor * np.pi**2 / 4.0, 0.0, 0.0)
    result = shooting(cantilever(rod, force=force), seek_stable=False)
    assert result.unwrap().stable is stable
    weight = fx.LineLoad("weight", "rod", force=(-factor * 9.0 / 4.0 * 1.8663508588**2, 0.0, 0.0))
    column = fx.Robot("column", [rod], [fx.Weld("world", "rod.base")], [weight])
    assert shooting(column, seek_stable=False).unwrap().stable is stable


@pytest.mark.parametrize(("direction", "critical"), [(1.0, 1.0875178408), (-1.0, 0.6804273623)])
def test_right_angle_frame_buckles(direction, critical):
    """Lateral buckling of Argyris' frame (references S08b, J = b t³/3)."""
    E, G = 71240.0, 27190.839694656486
    section = fx.Section(area=18.0, iy=0.54, iz=1350.0, torsion=2.16)
    material = fx.Material(young=E, shear=G)
    legs = [fx.Rod(name, 240.0, section, material, shear_factor=5.0 / 6.0) for name in "ab"]
    corner = se3.pose(rotation=(0.0, 0.0, np.pi / 2.0))
    joints = [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base", offset=corner)]
    robot = fx.Robot("frame", legs, joints, [fx.PointLoad("end", "b.tip")])
    for factor in (1.0 - 1e-6, 1.0 + 1e-6):
        load = {"end": (0, 0, 0, direction * factor * critical, 0, 0)}
        result = shooting(robot, load, seek_stable=False)
        assert result.unwrap().stable is (factor < 1.0)


def test_a_compressed_rod_buckles():
    """Both ends held in line: the straight rod is an equilibrium, but not the one to find."""
    result = shooting(held(rod_of(EI=1.0, GJ=0.6, EA=1e6), se3.pose((0.7, 1e-3, 0.0)))).unwrap()
    assert result.stable
    assert np.abs(result.pose("rod", 0.5)[1:3, 3]).max() > 0.2
    assert result.energy < 20.0  # straight it would be ½ EA 0.3² = 45000


def cord(radius, tip):
    """A nylon cord of 2 m with both ends held, under its weight."""
    rod = fx.Rod("rod", 2.0, fx.Circle(radius), fx.materials.nylon)
    ends = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", offset=se3.pose(tip))]
    return fx.Robot("cord", [rod], ends, [fx.Gravity()])


@mixed(tip=[(1.4, 0.0, 0.0), (1.0, 0.0, 0.8), (0.05, 0.0, 1.8)], radius=[1e-3, 2e-4])
def test_a_cord_hangs(radius, tip):
    """As in other models; it can also stand up as an arch, which is no stable equilibrium."""
    robot = cord(radius, tip)
    result = shooting(robot).unwrap()
    assert result.stable
    hanging = fx.statics(fx.build(robot, rods=fx.LinearStrain(96))).unwrap()
    s = np.linspace(0.0, 2.0, 9)
    here, there = (each.pose("rod", s)[:, :3, 3] for each in (result, hanging))
    np.testing.assert_allclose(here, there, atol=1e-3 * 2.0)


@pytest.mark.parametrize("factor", [1.05, 2.0, 9.0])
def test_a_column_buckles_beyond_its_load(factor):
    """The elastica: K(k) = π/2 √factor, tip at 2 E(k)/K(k) - 1 along the column.

    It bends in any plane, and that motion without resistance does not make it unstable.
    """
    robot = cantilever(rod_of(EI=1.0, EA=1e9), force=(-factor * np.pi**2 / 4.0, 0.0, 0.0))
    result = shooting(robot).unwrap()
    assert result.stable
    m = brentq(lambda m: ellipk(m) - 0.5 * np.pi * np.sqrt(factor), 0.0, 1.0 - 1e-12)
    tip = result.pose("rod.tip")[0, 3]
    assert tip == pytest.approx(2.0 * ellipe(m) / ellipk(m) - 1.0, abs=1e-7)


def test_an_unstable_end_says_so(monkeypatch):
    """Where nothing leads off the straight column."""
    robot = cantilever(rod_of(EI=1.0, EA=1e9), force=(-(np.pi**2), 0.0, 0.0))
    assert shooting(robot, seek_stable=False).unwrap().stable is False
    monkeypatch.setattr("flexura.solve.shooting.search.FINER", ())
    result = shooting(robot)
    assert result.status is fx.Status.UNSTABLE
    assert not result.converged
    with pytest.raises(fx.NotConverged, match="unstable"):
        result.unwrap()
    assert result.unwrap(unstable=True) is result


# ---- published cases: values from the project's references, to 1e-10 or better -----------------

TAPERED = [  # P000: load, tip, quaternion of the tip, energy
    (
        {"moment": (0, 0, 0.25)},
        (0.7789799933847382, 0.43021330402130964, 0.0),
        (0.608250223181731, 0.0, 0.0, 0.7937453407733329),
        0.22923551474141307,
    ),
    (
        {"force": (0, 0.5, 0)},
        (0.8801573777998648, 0.4004153237512428, 0.0),
        (0.91709755136843, 0.0, 0.0, 0.3986628666856621),
        0.08715611205283298,
    ),
    (
        {"force": (0, 5.0, 0)},
        (0.4151547647685139, 0.8007060897714606, 0.0),
        (0.7146367820966729, 0.0, 0.0, 0.6994957252725083),
        0.7404593733322892,
    ),
    (
        {"force": (0, 0, -1.0)},
        (0.7459952148481098, 0.0, -0.5623454389246308),
        (0.8334870241766434, 0.0, 0.5525390307744453, 0.0),
        0.20284083108395806,
    ),
    (
        {"force": (-0.2, 0.4, 0.3)},
        (0.8261215075547039, 0.375034962397527, 0.2812762217981452),
        (0.8759045733638247, 0.0, -0.28949062888066185, 0.3859875051742158),
        0.12710727003589903,
    ),
    (
        {"force": (0, 1.0, 0), "follower": True},
        (0.6090437661510958, 0.5914166488529539, 0.0),
        (0.6510797266091438, 0.0, 0.0, 0.7590093475040756),
        0.3020597739398757,
    ),
]


@pytest.mark.parametrize(("load", "tip", "rotation", "energy"), TAPERED)
def test_tapered_rod(load, tip, rotation, energy):
    taper = fx.Taper(fx.Circle(0.03), fx.Circle(0.015))
    rod = fx.Rod("rod", 1.0, taper, fx.Material(young=1e6, poisson=0.45))
    result = shooting(cantilever(rod, **load)).unwrap()
    pose = result.pose("rod.tip")
    np.testing.assert_allclose(pose[:3, 3], tip, atol=ROUNDED)
    np.testing.assert_allclose(pose[:3, :3], quaternion.to_matrix(rotation), atol=ROUNDED)
    assert result.energy == pytest.approx(energy, rel=ROUNDED)
    assert result.status is fx.Status.CONVERGED


@pytest.mark.parametrize(
    ("force", "tip"),
    [
        (300.0, (58.779122489682806, 22.244780945367697, 40.191891670150525)),
        (600.0, (47.15043857362903, 15.68480053403877, 53.47485879182523)),
    ],
)
def test_45_degree_bend(force, tip):
    """S03, data of Simo and Vu-Quoc."""
    rod = section_of(25.0 * np.pi, 5e6 / 6.0, 1e7 / 12.0, 1e7, 5e6, rest=(0.0, 0.0, 0.01))
    result = shooting(cantilever(rod, force=(0.0, 0.0, force))).unwrap()
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=1e-10)
    assert result.iterations <= 10


@pytest.mark.parametrize(
    ("part", "tip"),
    [
        (0.1, (0.41020335260915947, 0.053770903117680534, -1.091729019323806)),
        (1.0, (0.0048032496596145495, 7.249684689979147e-05, -0.07644174173200823)),
    ],
)
def test_helix_of_ten_turns(part, tip):
    """S04, Ibrahimbegovic: a dead moment of 200π and a force of 50 along its axis."""
    load = {"moment": (0, 0, 200.0 * np.pi * part), "force": (0, 0, 50.0 * part)}
    result = shooting(cantilever(section_of(10.0, 100.0, 100.0, 1e4, 1e4), **load)).unwrap()
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=1e-10)


def test_helical_spring():
    """S12b, pulled by 20 EI/L²: base frame, rest curvature and stiffness of the reference."""
    rest = (0.03435055068787722, 0.0, 0.08633235015023911)
    EI, EA, GA = 1.6423368134025852e-05, 0.014366006080613544, 0.007183003040306772
    rod = section_of(135.24558048876483, EI, EI, EA, GA, rest)
    c, s = 0.9291520335781389, 0.3696978475696188
    base = np.array([[c, 0, -s, 0], [0, 1, 0, -10.0], [s, 0, c, 0], [0, 0, 0, 1]])
    result = shooting(cantilever(rod, base, force=(0, 0, 1.7957507600766932e-08))).unwrap()
    tip = (2.0512434761211606, -1.4310383954246146, 66.5028335239397)
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=1e-9)


FIBREGLASS = [  # P001b: twist of the tip, energy, positions at 1/4 and 1/2 of the length
    (
        0.0,
        0.11797277521535732,
        (0.24607438812, 0.0, 0.04152920753),
        (0.47851680875, -0.02148319125),
    ),
    (
        np.pi / 2.0,
        0.12371346322563971,
        (0.24607159642, 0.0020724836, 0.04149102756),
        (0.47850775888, -0.02149224112),
    ),
    (
        np.pi,
        0.14093542217564678,
        (0.24606320766, 0.00414411869, 0.04137642365),
        (0.47848057908, -0.02151942092),
    ),
]


@pytest.mark.parametrize(("twist", "energy", "quarter", "middle"), FIBREGLASS)
def test_rod_between_two_clamps(twist, energy, quarter, middle):
    """The gentlest of the equilibria, from the straight rod; EA and GA are infinite there."""
    T = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0)) @ se3.pose(rotation=(twist, 0.0, 0.0))
    T[:3, 3] = (0.5, 0.0, -0.5)
    EI, GJ = 0.02866703296400687, 0.004712388980384691
    result = shooting(held(section_of(1.0, GJ, EI, 1e9, 1e9), T)).unwrap()
    assert result.stable
    assert result.energy == pytest.approx(energy, rel=1e-8)
    position = result.pose("rod", [0.25, 0.5])[:, :3, 3]
    # The tip of the fibre may be turned either way round by π; the shapes are mirror images.
    position[:, 1] *= np.sign(position[0, 1]) or 1.0
    np.testing.assert_allclose(position[0], quarter, atol=1e-9)
    np.testing.assert_allclose(position[1, [0, 2]], middle, atol=1e-9)


def test_real_fibreglass_between_two_clamps():
    """With the stretch of the true section, EA L²/EI = 4e6, the energy is 1e-4 lower."""
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-3), fx.Material(young=36.5e9, shear=3e9))
    T = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    result = shooting(held(rod, T)).unwrap()
    assert result.energy == pytest.approx(0.11797277521535732, rel=2e-4)
    assert result.energy < 0.11797277521535732


# ---- other descriptions of the same robot ------------------------------------------------------


@pytest.mark.slow
@mixed(load=[(False, 0.0), (False, 1.0), (True, 1.0)], end=["free", "held"])
def test_agrees_with_a_fine_spline(load, end):
    """Taper, curved rods, offsets, every load; the energy of the spline is good to some 1e-11."""
    (follower, moment), grip = load, GRIP if end == "held" else None
    robot = chain(follower, moment, grip=grip)
    spline = fx.statics(fx.build(robot, rods=fx.Spline(5, 120))).unwrap()
    exact = shooting(robot, start=spline, seek_stable=False).unwrap()  # there are other ones, too
    assert exact.residual < ROUNDED
    assert exact.energy == pytest.approx(spline.energy, rel=1e-9)
    for frame in exact.model.frames:
        np.testing.assert_allclose(exact.pose(frame), spline.pose(frame), atol=1e-9)
    for joint in exact.model.reacting:
        np.testing.assert_allclose(exact.reaction(joint), spline.reaction(joint), atol=1e-9)
    for rod in robot.rods:
        s = np.linspace(0.0, rod.length, 13)
        np.testing.assert_allclose(exact.pose(rod.name, s), spline.pose(rod.name, s), atol=5e-7)
        np.testing.assert_allclose(exact.strain(rod.name, s), spline.strain(rod.name, s), atol=5e-4)
    if not follower and not moment:
        assert exact.potential == pytest.approx(spline.potential, rel=1e-9)


def test_a_rod_may_be_passed_backwards():
    """From its tip to its base, and from an earlier result of another kind."""
    robot = chain(moment=1.0, backward=True)
    spline = fx.statics(fx.build(robot, rods=FINE)).unwrap()
    exact = shooting(robot, start=spline).unwrap()
    assert exact.iterations <= 6
    np.testing.assert_allclose(exact.pose("arm.base"), spline.pose("arm.base"), atol=1e-9)
    for joint in exact.model.reacting:
        np.testing.assert_allclose(exact.reaction(joint), spline.reaction(joint), atol=1e-9)


def test_reversing_a_rod_changes_no_shape():
    taper = fx.Taper(fx.Circle(0.03), fx.Circle(0.015))
    back = fx.Taper(fx.Circle(0.015), fx.Circle(0.03))
    force = np.array([0.3, 0.8, -0.4])
    forward = shooting(cantilever(fx.Rod("rod", 1.0, taper, RUBBER), force=force)).unwrap()
    turn = se3.pose(rotation=(0.0, 0.0, np.pi))
    joint = fx.Weld("world", "rod.tip", offset=turn)
    load = fx.PointLoad("p", "rod.base", force)
    robot = fx.Robot("reversed", [fx.Rod("rod", 1.0, back, RUBBER)], [joint], [load])
    backward = shooting(robot).unwrap()
    s = np.linspace(0.0, 1.0, 11)
    there, here = backward.pose("rod", 1.0 - s)[:, :3, 3], forward.pose("rod", s)[:, :3, 3]
    np.testing.assert_allclose(there, here, atol=ROUNDED)


def test_a_rest_shape_with_jumps_is_a_chain_of_rods():
    def rest(s):
        return (0.0, 0.0, 0.0) if s < 0.3 else ((0.0, 0.0, 8.0) if s < 0.7 else (0.0, 5.0, 0.0))

    section, steel = fx.Circle(0.001), fx.Material(young=60e9, poisson=0.3, density=6450.0)
    loads = [fx.Gravity(), fx.PointLoad("p", "rod.tip", (0.0, 0.05, 0.02))]
    whole = fx.Rod("rod", 1.0, section, steel, rest=rest)
    one = fx.Robot("one", [whole], [fx.Weld("world", "rod.base")], loads)
    parts = [("a", 0.3, None), ("b", 0.4, (0.0, 0.0, 8.0)), ("rod", 0.3, (0.0, 5.0, 0.0))]
    rods = [fx.Rod(name, length, section, steel, rest=k) for name, length, k in parts]
    welds = [("world", "a.base"), ("a.tip", "b.base"), ("b.tip", "rod.base")]
    three = fx.Robot("three", rods, [fx.Weld(*ends) for ends in welds], loads)
    found, expected = shooting(one).unwrap(), shooting(three).unwrap()
    np.testing.assert_allclose(found.pose("rod.tip"), expected.pose("rod.tip"), atol=ROUNDED)
    assert found.energy == pytest.approx(expected.energy, rel=1e-11)
    assert found.stable


def test_moving_the_whole_chain_changes_no_strain():
    motion = se3.pose(position=(0.3, -0.7, 0.2), rotation=(1.0, 0.4, -2.0))
    force, moment = np.array([0.4, 1.0, -0.3]), np.array([0.1, -0.2, 0.3])
    rod = rod_of(EA=100.0, rest=(0.5, 1.0, 0.0))
    here = shooting(cantilever(rod, force=force, moment=moment)).unwrap()
    R = motion[:3, :3]
    there = shooting(cantilever(rod, motion, force=R @ force, moment=R @ moment)).unwrap()
    s = np.linspace(0.0, 1.0, 7)
    np.testing.assert_allclose(there.strain("rod", s), here.strain("rod", s), atol=ROUNDED)
    np.testing.assert_allclose(there.pose("rod", s), motion @ here.pose("rod", s), atol=ROUNDED)


# ---- balance and derivatives -------------------------------------------------------------------


@pytest.mark.parametrize("grip", [None, GRIP], ids=["free", "held"])
def test_reactions_balance_the_loads(grip):
    robot = chain(grip=grip)
    result = shooting(robot).unwrap()
    total = wrench_along(result, "arm", 0.1, 0.6, lambda _: np.array([0.0, 0.3, -0.3]))
    for a, b in ((0.1, 0.4), (0.4, 0.6)):  # the curvature jumps at 0.4 of the stem
        total += wrench_along(result, "stem", a, b, lambda _: np.array([0.0, 1.0, 0.3]))
    for rod in robot.rods:
        for a, b in ((0.0, 0.4), (0.4, rod.length)):
            total += wrench_along(
                result, rod.name, a, b,
                lambda x, r=rod: r.mass_per_length(x) * np.array([1.0, 2.0, -9.81]),
            )  # fmt: skip
    for load in robot.loads:
        if isinstance(load, fx.PointLoad):
            total += wrench_at(result.pose(load.at)[:3, 3], np.array(load.force))
    wall = se3.Ad_dual(result.pose("stem.base")) @ result.reaction("world-stem.base")
    if grip is not None:
        wall = wall + se3.Ad_dual(result.pose("arm.tip")) @ result.reaction("grip")
    np.testing.assert_allclose(wall, -total, atol=1e-10)


def test_reaction_at_a_weld_between_rods():
    check_weld_reactions(shooting, ROUNDED, ROUNDED)


@pytest.mark.parametrize("follower", [False, True])
def test_variations_are_derivatives(follower, rng):
    """Of poses and wrenches that the segments arrive with, by central differences."""
    model = fx.build(chain(follower, 1.0, backward=True))
    tabulated = Chain(model)
    loaded = tabulated.at(model.read_inputs(None))
    n = len(tabulated.owner)
    pose = se3.exp(rng.normal(size=(n + 1, 6)))
    arrivals = Arrivals(loaded, pose, 3.0 * rng.normal(size=(n + 1, 6)))
    middle = arrivals.after(np.zeros(12))
    for k in range(12):
        found, _ = arrivals.difference(k)
        # Steps of the integration differ by their tolerance of 1e-13 of the wrenches, some 10.
        np.testing.assert_allclose(middle.transfer[:, :, k], found, atol=1e-7, rtol=1e-7)


def test_integration_keeps_to_the_tolerance():
    """Errors of the tip fall with the tolerance, and stay below it."""
    robot = cantilever(rod_of(EI=1.0, EA=20.0), force=(1.0, 30.0, -20.0), moment=(0.5, 0.0, 0.0))
    exact = shooting(robot, tolerance=1e-12).unwrap().pose("rod.tip")
    tolerances = [1e-3, 1e-5, 1e-7, 1e-9]
    tips = [shooting(robot, tolerance=t).unwrap().pose("rod.tip") for t in tolerances]
    errors = [np.abs(tip - exact).max() for tip in tips]
    assert all(error < t for error, t in zip(errors, tolerances, strict=True))


# ---- starts, ends, questions -------------------------------------------------------------------


def test_a_warm_start_is_followed():
    robot = cantilever(rod_of(), force=(0.0, 1.0, 0.0))
    result = shooting(robot)
    for size in np.linspace(1.0, 20.0, 10):
        result = shooting(robot, {"tip": (0, 0, 0, 0.0, size, 0.0)}, start=result).unwrap()
    cold = shooting(robot, {"tip": (0, 0, 0, 0.0, 20.0, 0.0)}).unwrap()
    assert result.iterations < cold.iterations
    np.testing.assert_allclose(result.pose("rod.tip"), cold.pose("rod.tip"), atol=ROUNDED)


def test_a_held_end_is_moved_by_its_input():
    """Twisted in steps and back again to the same shape, or to one as good."""
    T = se3.pose(position=(0.5, 0.0, -0.5), rotation=(0.0, np.pi / 2.0, 0.0))
    robot = held(rod_of(EI=1.0, GJ=0.8, EA=1e6), T)
    first = result = shooting(robot).unwrap()
    for twist in (0.5, 1.0, 1.5, 1.0, 0.5, 0.0):
        grip = T @ se3.pose(rotation=(twist, 0.0, 0.0))
        result = shooting(robot, {"grip": grip}, start=result).unwrap()
        np.testing.assert_allclose(result.pose("rod.tip"), grip, atol=ROUNDED)
        np.testing.assert_allclose(result.pose("rod", 1.0), grip, atol=ROUNDED)
        np.testing.assert_allclose(result.inputs["grip"], grip)
    np.testing.assert_allclose(result.pose("rod", 0.5), first.pose("rod", 0.5), atol=1e-10)


def test_statics_begins_from_a_result_of_shooting():
    exact = shooting(cantilever(rod_of(EA=100.0), force=(0.0, 3.0, 1.0))).unwrap()
    coarse = fx.statics(exact.model, start=exact).unwrap()
    assert coarse.iterations <= 5
    np.testing.assert_allclose(coarse.pose("rod.tip"), exact.pose("rod.tip"), atol=5e-2)


def test_statics_begins_from_a_held_chain():
    """Both rods, their weld and the held end are where the coarse model has them."""
    exact = shooting(chain(grip=GRIP)).unwrap()
    coarse = fx.statics(exact.model, start=exact).unwrap()
    assert coarse.iterations <= 5
    np.testing.assert_allclose(coarse.pose("arm.base"), exact.pose("arm.base"), atol=1e-2)


def test_the_load_is_raised_in_steps_when_needed():
    result = shooting(cantilever(rod_of(), force=(-50.0, 60.0, 60.0)))
    assert result.status is fx.Status.CONTINUED
    assert result.stable
    assert result.load_steps > 1
    assert result.pose("rod.tip")[1, 3] > 0.0  # with the force, not wound around against it


def test_no_equilibrium_is_a_status():
    robot = cantilever(rod_of(), force=(1e3, 0.0, 1e3), moment=(0.0, 1e3, 0.0))
    result = shooting(robot)
    assert not result.converged
    assert str(result.status).startswith("not converged")
    assert np.isfinite(result.pose("rod", [0.0, 0.5, 1.0])).all()
    assert 0.0 <= result.load_factor < 1.0
    force = result.inputs["tip"][5]
    assert force == pytest.approx(1e3 * result.load_factor)
    with pytest.raises(fx.NotConverged, match="load factor"):
        result.unwrap()


def test_the_result_answers_any_arc_length():
    result = shooting(cantilever(rod_of(EA=100.0), force=(0.0, 2.0, 0.0))).unwrap()
    assert result.pose("rod", 0.3).shape == (4, 4)
    assert result.pose("rod", np.zeros((2, 3))).shape == (2, 3, 4, 4)
    assert result.strain("rod", [0.1, 0.2]).shape == (2, 6)
    assert result.internal_wrench("rod", np.zeros((2, 3))).shape == (2, 3, 6)
    np.testing.assert_allclose(result.pose("rod", 1.0), result.pose("rod.tip"), atol=ROUNDED)
    R = result.pose("rod", np.linspace(0.0, 1.0, 50))[:, :3, :3]
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (50, 1, 1)), atol=1e-14)
    s, w = np.polynomial.legendre.leggauss(50)
    density = result.energy_density("rod", 0.5 * (s + 1.0))
    assert 0.5 * w @ density == pytest.approx(result.energy, rel=ROUNDED)
    assert result.inputs["tip"].tolist() == [0.0, 0.0, 0.0, 0.0, 2.0, 0.0]
    assert result.stable


def test_poses_follow_the_strain():
    """The dense solution has the order of the integration: its derivative is its strain."""
    result = shooting(chain()).unwrap()
    sizes, errors = np.array([4e-3, 2e-3, 1e-3]), []
    for h in sizes:
        before, after = result.pose("stem", [0.3 - h, 0.3 + h])
        slope_ = se3.log(se3.inverse(before) @ after) / (2.0 * h)
        errors.append(np.abs(slope_ - result.strain("stem", 0.3)).max())
    assert slope(sizes, errors) == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: shooting(branched()), "no part of the chain"),
        (lambda r: shooting(r.model), "shooting takes a Robot, got Model"),
        (lambda r: shooting(r.model.robot, start=3), "start must be a StaticResult"),
        (lambda r: shooting(chain(), start=r), "for the same robot"),
        (lambda r: shooting(r.model.robot, {"tipp": 1}), "Did you mean 'tip'"),
        (lambda r: shooting(r.model.robot, {"tip": 1}), "takes 6 finite numbers"),
        (lambda r: shooting(r.model.robot, tolerance=0.0), "tolerance must be"),
        (lambda r: shooting(r.model.robot, tolerance="fine"), "tolerance must be"),
        (lambda r: shooting(cantilever(rod_of(rest=(0.0, 0.0, 1e7)))), "turns by 10000000 rad"),
        (lambda r: r.pose("rod.tipp"), "Did you mean 'rod.tip'"),
        (lambda r: r.pose("rod", 1.1), "must be in"),
        (lambda r: r.internal_wrench("rood", 0.1), "no rod 'rood'"),
        (lambda r: r.reaction("world"), "no joint 'world'"),
    ],
)
def test_bad_questions(ask, message):
    result = shooting(cantilever(rod_of(), force=(0.0, 2.0, 0.0)))
    with pytest.raises(fx.ModelError, match=message):
        ask(result)


@pytest.mark.slow
def test_a_rest_shape_of_noise_is_refused(rng):
    noise = rod_of(rest=lambda s: (float(rng.normal()), 0.0, 0.0))
    with pytest.raises(fx.ModelError, match="too rough"):
        shooting(cantilever(noise))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(
    force=st.tuples(*[st.floats(-1e12, 1e12, allow_nan=False)] * 3),
    moment=st.tuples(*[st.floats(-1e12, 1e12, allow_nan=False)] * 3),
    follower=st.booleans(),
)
def test_any_load_ends_in_a_status_without_nan(force, moment, follower):
    robot = cantilever(rod_of(), force=force, moment=moment, follower=follower)
    result = shooting(robot)
    assert np.isfinite(result.pose("rod", [0.0, 0.3, 1.0])).all()
    assert np.isfinite(result.energy)
    assert np.isfinite(result.residual)
    assert isinstance(result.status, fx.Status)
