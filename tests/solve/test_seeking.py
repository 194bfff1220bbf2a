"""Statics looks for stable equilibria: off unstable ones, in rest shapes, as assembled."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk
from support import mixed

import flexura as fx
from flexura.errors import NotConverged
from flexura.lie import se3

STEEL = fx.Material(young=210e9, poisson=0.3, density=7800.0)
DESCRIPTIONS = [
    fx.Spline(),
    fx.LinearStrain(16),
    fx.VariableStrain(),
    fx.ConstantStrain(24),
    fx.RotationInterpolation(6),
    fx.Hermite(8),
]
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)


def column(factor, radius=1e-3):
    """A wire of 1 m that stands clamped under a multiple of Euler's load."""
    bending = STEEL.young * np.pi * radius**4 / 4.0
    push = factor * np.pi**2 * bending / 4.0
    rod = fx.Rod("wire", 1.0, fx.Circle(radius), STEEL)
    load = fx.PointLoad("push", "wire.tip", force=(-push, 0.0, 0.0))
    return fx.Robot("column", [rod], [fx.Weld("world", "wire.base")], [load])


@pytest.mark.parametrize("factor", [1.05, 2.0, 9.0])
@EACH
def test_a_column_buckles(rods, factor):
    """The elastica: K(k) = π/2 √factor, k = sin(α/2), tip at 2 E(k)/K(k) - 1 along the column."""

    result = fx.statics(fx.build(column(factor), rods=rods)).unwrap()
    assert result.stable is not False
    m = brentq(lambda m: ellipk(m) - 0.5 * np.pi * np.sqrt(factor), 0.0, 1.0 - 1e-12)
    along = 2.0 * ellipe(m) / ellipk(m) - 1.0
    assert result.pose("wire.tip")[0, 3] == pytest.approx(along, abs=3e-3)


@pytest.mark.parametrize("turned", [(1e-9, 0, 0), (1e-3, 0, 0), (0, 0, 1e-6)], ids=str)
def test_a_moment_does_not_hide_that_a_column_buckles(turned):
    """Moments in the world have no potential, and change nothing where they are that small."""
    robot = column(12.0)
    (push,) = robot.loads
    bending = STEEL.young * np.pi * 1e-12 / 4.0
    twisted = replace(push, moment=tuple(bending * np.array(turned)))
    result = fx.statics(fx.build(replace(robot, loads=[twisted])))
    if result.converged:
        along = fx.statics(fx.build(robot)).unwrap().pose("wire.tip")[0, 3]
        assert result.pose("wire.tip")[0, 3] == pytest.approx(along, abs=1e-3)
        assert result.stable
    else:
        assert result.status is fx.Status.UNSTABLE


@mixed(
    together=2,
    rods=[fx.Spline(), fx.LinearStrain(16), fx.RotationInterpolation(6)],
    axis=["along", "across"],
    size=[1e-2, 0.1, 1.0, 3.0],
)
def test_no_moment_lets_a_straight_column_pass(rods, axis, size):
    """It is left, or unstable, or said to be in doubt: across, moments bend it on; along, they turn
    whatever leaves the axis around it for ever, and nothing is at rest but the column.
    """
    robot = column(12.0)
    (push,) = robot.loads
    moment = size * STEEL.young * np.pi * 1e-12 / 4.0
    twisted = replace(push, moment=(moment, 0.0, 0.0) if axis == "along" else (0.0, 0.0, moment))
    result = fx.statics(fx.build(replace(robot, loads=[twisted]), rods=rods))
    straight = bool(result.pose("wire.tip")[0, 3] > 0.9)
    assert straight is (axis == "along")
    if result.stable is None:
        assert "loads without a potential" in result.remarks[-1]
        assert "modes(result)" in result.remarks[-1]
        assert not straight or fx.modes(result).growth.max() > 0.0
    else:
        assert result.stable is not straight
        assert result.converged is result.stable


FINER = [fx.LinearStrain(40), fx.LinearStrain(160), fx.Spline(3, 48), fx.ConstantStrain(120)]


@pytest.mark.parametrize(
    "moment", [(0.5, 0.0, 0.0), (1.0, 0.0, 0.0), (1.25, 0.0, 0.0), (0.5, 0.25, 0.25)]
)
def test_what_a_moment_feeds_does_not_depend_on_the_mesh(moment):
    """Moments alone wind a rod up, by 20 to 50 EI/L here: what they feed decides, in all meshes."""
    nylon = fx.Material(young=2e9, poisson=0.4)
    rod, load = fx.Rod("rod", 1.0, fx.Circle(2e-3), nylon), fx.PointLoad("turned", "rod.tip")
    robot = fx.Robot("turned", [rod], [fx.Weld("world", "rod.base")], [load])
    for rods in FINER:
        found = fx.statics(fx.build(robot, rods=rods), {"turned": (*moment, 0, 0, 0)})
        assert found.converged
        assert found.stable is None
        assert any("loads without a potential" in x for x in found.remarks)


@pytest.mark.parametrize("turns", [8, 10])
@pytest.mark.parametrize("rods", [fx.Spline(3, 24), fx.Spline(3, 96), fx.LinearStrain(24)], ids=str)
def test_coils_that_a_moment_winds_are_told_alike_in_all_meshes(rods, turns):
    """Coarse ones were UNSTABLE after 910 iterations, of the same circles."""
    rod = fx.Rod("rod", 1.0, fx.Circle(2e-3), fx.materials.spring_steel)
    moment = (0.0, 0.0, 2.0 * np.pi * turns * float(rod.stiffness(0.0)[1]))
    load = fx.PointLoad("turned", "rod.tip", moment=moment)
    robot = fx.Robot("coil", [rod], [fx.Weld("world", "rod.base")], [load])
    found = fx.statics(fx.build(robot, rods=rods))
    assert found.converged
    assert found.stable is None
    assert found.iterations < 5
    assert any("loads without a potential" in x for x in found.remarks)


@EACH
def test_a_rod_that_ends_where_it_begins(rods):
    """On a ball, it is half of the elastica's figure of eight: 2 E(m) = K(m)."""
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), STEEL)
    joints = [fx.Weld("world", "rod.base"), fx.Ball("ball", "world", "rod.tip")]
    result = fx.statics(fx.build(fx.Robot("eye", [rod], joints), rods=rods)).unwrap()
    m = brentq(lambda m: 2.0 * ellipe(m) - ellipk(m), 0.5, 0.99)
    energy = 8.0 * ellipk(m) ** 2 * (m - 0.5) * STEEL.young * np.pi * 5e-3**4 / 4.0
    assert result.energy == pytest.approx(energy, rel=1e-2)
    assert result.stable


def test_a_wire_between_pins_bows():
    wire = fx.Rod("wire", 1.0, fx.Circle(1e-3), STEEL)
    end = se3.pose((0.7, 0.0, 0.0))
    pins = [fx.Ball("a", "world", "wire.base"), fx.Ball("b", "world", "wire.tip", end)]
    robot = fx.Robot("bow", [wire], pins)
    for rods in DESCRIPTIONS:
        result = fx.statics(fx.build(robot, rods=rods))
        # Straight and compressed by 30 % it would have 29.7 kJ.
        assert result.energy == pytest.approx(0.5297, rel=5e-3)


def test_an_equilibrium_that_stays_unstable_says_so():
    """With so few iterations there is no way off the straight column."""
    model = fx.build(column(4.0))
    asked = fx.statics(model, seek_stable=False).unwrap()
    assert asked.stable is False
    unstable = fx.statics(model, iterations=2)
    assert unstable.status is fx.Status.UNSTABLE
    assert not unstable.converged
    with pytest.raises(NotConverged, match="unstable"):
        unstable.unwrap()
    assert unstable.unwrap(unstable=True) is unstable


def test_an_unstable_robot_is_too_coarse_where_a_rod_is():
    """A hook of 1 cm that is wrong by 7 % of itself is not a fine one beside a column of 1 m."""
    straight, hook = column(4.0), fx.Rod("hook", 0.01, fx.Circle(1e-4), STEEL)
    bent = STEEL.young * np.pi * 1e-16 / 4.0 / hook.length**2
    robot = replace(
        straight,
        rods=[*straight.rods, hook],
        joints=[*straight.joints, fx.Weld("world", "hook.base", se3.pose((0, 1, 0)))],
        loads=[*straight.loads, fx.PointLoad("bend", "hook.tip", force=(0, bent, 0))],
    )
    rods = {"wire": fx.Spline(), "hook": fx.ConstantStrain(1)}
    result = fx.statics(fx.build(robot, rods=rods), iterations=6)
    assert result.status is fx.Status.COARSE
    (advice,) = result.remarks  # none for the column
    assert advice.startswith("rod 'hook' is too coarse: try ")
    rods["hook"] = eval(advice.removeprefix("rod 'hook' is too coarse: try "), vars(fx))
    assert fx.statics(fx.build(robot, rods=rods), iterations=6).status is fx.Status.UNSTABLE


@pytest.mark.parametrize("rest", [(0.0, 0.0, 3.3), (3.0, 3.0, 3.0), (2.0, 0.0, 6.0)])
@EACH
def test_a_rod_is_found_in_its_rest_shape(rods, rest):
    """Rest shapes that turn by more than half a turn, held where they end."""
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e9, poisson=0.3), rest=rest)
    end = se3.exp(np.array([*rest, 1.0, 0.0, 0.0]))
    for shift in (0.0, 0.02):
        tip = end @ se3.exp(np.full(6, shift))
        held = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", tip)]
        result = fx.statics(fx.build(fx.Robot("held", [rod], held), rods=rods)).unwrap()
        assert result.stable
        assert result.energy <= (1e-20 if shift == 0.0 else 0.03)


def test_the_place_of_a_robot_makes_no_difference():
    rod = fx.Rod("wire", 0.3, fx.Circle(1e-4), STEEL)
    tips = []
    for place in ((0.0, 0.0, 0.0), (10.0, 10.0, 0.0), (1000.0, 1000.0, 0.0), (0.0, 1e5, 0.0)):
        robot = fx.Robot(
            "wire",
            [rod],
            [fx.Weld("world", "wire.base", se3.pose(place))],
            [fx.Gravity(), fx.PointLoad("push", "wire.tip", force=(0.0, 1e-3, 0.0))],
        )
        result = fx.statics(fx.build(robot, rods=fx.LinearStrain(12))).unwrap()
        tips.append(result.pose("wire.tip")[:3, 3] - place)
    np.testing.assert_allclose(tips, np.tile(tips[0], (4, 1)), atol=1e-9)


def test_a_short_rod_between_long_ones():
    rods = [fx.Rod(n, l, fx.Circle(1e-3), STEEL) for n, l in (("a", 1.0), ("b", 1e-4), ("c", 1.0))]
    joints = [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base"), fx.Weld("b.tip", "c.base")]
    robot = fx.Robot("three", rods, joints, [fx.Gravity()])
    tips = [
        fx.statics(fx.build(robot, rods=rods)).unwrap().pose("c.tip")[:3, 3]
        for rods in (fx.LinearStrain(8), fx.VariableStrain())
    ]
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-4)


def four_bar():
    """A crank that turns all around, a coupler, and a rod as rocker."""
    side = fx.Rod("side", 0.35, fx.Circle(0.01), fx.Material(young=70e9, poisson=0.3))
    foot = se3.exp(np.array([0.0, -np.pi / 2.0, 0.0, 0.0, 0.0, 0.0]))
    foot[0, 3] = 0.5
    axis = (0.0, 1.0, 0.0)
    joints = [
        fx.Hinge("drive", "world", "crank", axis, driven=True),
        fx.Hinge("top", fx.At("crank", offset=se3.pose((0.15, 0, 0))), "coupler", axis),
        fx.Hinge("foot", "world", "side.base", axis, offset=foot),
        fx.Hinge("head", "side.tip", fx.At("coupler", offset=se3.pose((0.4, 0, 0))), axis),
    ]
    bodies = [fx.Body("crank"), fx.Body("coupler", mass=0.1)]
    load = fx.PointLoad("weight", "coupler", force=(0.0, 0.0, -0.1))
    return fx.Robot("four bar", [side], joints, [load], bodies=bodies)


@EACH
def test_a_linkage_is_assembled_as_it_is_described(rods):
    """From cold at any angle of the crank as if it had been turned there."""
    model = fx.build(four_bar(), rods=rods)
    turned = None
    for angle in np.linspace(0.0, 6.0, 9):
        turned = fx.statics(model, {"drive": angle}, start=turned).unwrap()
        cold = fx.statics(model, {"drive": angle}).unwrap()
        np.testing.assert_allclose(cold.pose("side.tip"), turned.pose("side.tip"), atol=1e-8)


@pytest.mark.parametrize("stretch", [0.001, 0.005, 0.02])
@pytest.mark.parametrize("elements", [4, 8])
def test_taut_rods_of_linear_strain(elements, stretch):
    """Elements would bend by themselves where N h² > 12 EI; continuous rods tell what is right."""
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e9, poisson=0.3))
    ends = [
        fx.Weld("world", "rod.base"),
        fx.Weld("world", "rod.tip", se3.pose((1 + stretch, 0, 0))),
    ]
    robot = fx.Robot("taut", [rod], ends)
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(elements)))
    bends = rod.stiffness(0.0)[3] * stretch / elements**2 > 12.0 * rod.stiffness(0.0)[1]
    assert any("continuous rods" in remark for remark in result.remarks) == bends
    assert result.stable
    force = result.unwrap().internal_wrench("rod", 0.5)[3]
    assert force == pytest.approx(rod.stiffness(0.0)[3] * stretch, rel=1e-9)


@pytest.mark.parametrize(
    "rods", [fx.ConstantStrain(16), fx.ConstantStrain(17), fx.Spline()], ids=str
)
def test_two_columns_under_a_plate(rods):
    """Raising the load ends at a fold of an unstable path; downhill from there it is stable."""
    columns = [fx.Rod(name, 1.0, fx.Circle(1e-3), STEEL) for name in "ab"]
    beside = se3.pose((0, 0.2, 0))
    joints = [
        fx.Weld("world", "a.base"),
        fx.Weld("world", "b.base", offset=beside),
        fx.Weld("plate", "a.tip"),
        fx.Weld("plate", "b.tip", offset=beside),
    ]
    push = fx.PointLoad("push", "plate", force=(-40.0 * columns[0].stiffness(0.0)[1], 0, 0))
    robot = fx.Robot("press", columns, joints, [push], bodies=[fx.Body("plate")])
    assert fx.statics(fx.build(robot, rods=rods)).unwrap().stable


ELASTIC = fx.Material(young=1e9, poisson=0.3)


@EACH
def test_a_rod_welded_to_itself_is_a_circle(rods):
    """E = ½ EI (2π)²/L, without a turn of torsion."""
    rod = fx.Rod("ring", 1.0, fx.Circle(1e-3), ELASTIC)
    joints = [fx.Weld("world", "ring.base"), fx.Weld("ring.base", "ring.tip")]
    result = fx.statics(fx.build(fx.Robot("ring", [rod], joints), rods=rods)).unwrap()
    assert result.stable
    assert result.energy == pytest.approx(0.5 * rod.stiffness(0.0)[1] * (2 * np.pi) ** 2, rel=1e-3)


@pytest.mark.parametrize("turn", [4.0, 7.0, 13.0])
@EACH
def test_a_straight_rod_keeps_the_turns_of_its_rest_shape(rods, turn):
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), ELASTIC, rest=(turn, 0, 0))
    end = se3.pose((1, 0, 0), (turn, 0, 0))
    joints = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", end)]
    result = fx.statics(fx.build(fx.Robot("held", [rod], joints), rods=rods)).unwrap()
    assert result.energy == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_rods_changes_nothing(seed):
    """Nor that of joints: two chains of curved rods that meet, under their weight."""
    rng = np.random.default_rng(seed)
    rods = [
        fx.Rod(name, rng.uniform(0.3, 0.7), fx.Circle(2e-3), STEEL, rest=rng.uniform(-6, 6, 3))
        for name in "abcd"
    ]
    joints = [
        fx.Weld("world", "a.base"),
        fx.Weld("a.tip", "b.base"),
        fx.Weld("world", "c.base", offset=se3.pose((0, 0.2, 0))),
        fx.Weld("c.tip", "d.base"),
        fx.Weld("b.tip", "d.tip"),
    ]
    loads = [fx.Gravity()]
    energies = []
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        robot = fx.Robot("loop", [rods[i] for i in order], rng.permutation(joints).tolist(), loads)
        energies.append(fx.statics(fx.build(robot)).energy)
    assert energies == pytest.approx([energies[0]] * 3, rel=1e-6)
