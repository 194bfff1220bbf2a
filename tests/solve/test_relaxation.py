"""Going downhill: what hangs on a hinge hangs down, whatever pose it starts in."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3, so3

G, LENGTH, DENSITY, YOUNG = 9.81, 0.5, 1000.0, 1e7
DESCRIPTIONS = [
    fx.Spline(),
    fx.Hermite(),
    fx.Power(3, 2),
    fx.LinearStrain(8),
    fx.VariableStrain(),
    fx.ConstantStrain(6),
    fx.RotationInterpolation(2),
]


def raised(b, angle):
    """A hinge about y that starts with the x axis of what it holds raised by an angle."""
    return fx.Hinge("hinge", "world", b, axis=(0, 1, 0), offset=se3.pose(rotation=(0, -angle, 0)))


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.5, 3.0, -0.5])
def test_a_heavy_body_ends_below_its_hinge(angle):
    body = fx.Body("bob", mass=2.0, center=(LENGTH, 0.0, 0.0))
    robot = fx.Robot("pendulum", bodies=[body], joints=[raised("bob", angle)], loads=[fx.Gravity()])
    result = fx.statics(fx.build(robot)).unwrap()
    assert result.stable
    center = result.pose("bob") @ [LENGTH, 0.0, 0.0, 1.0]
    np.testing.assert_allclose(center[:3], [0.0, 0.0, -LENGTH], atol=1e-9)
    np.testing.assert_allclose(np.abs(result.reaction("hinge")[3:]).max(), 2.0 * G, rtol=1e-9)


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("angle", [0.0, 1.0])
def test_a_heavy_rod_ends_below_its_hinge(rods, angle):
    soft = fx.Material(young=YOUNG, poisson=0.4, density=DENSITY)
    rod = fx.Rod("rod", LENGTH, fx.Circle(0.01), soft)
    robot = fx.Robot("rope", rods=[rod], joints=[raised("rod.base", angle)], loads=[fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    # RotationInterpolation does not stretch.
    stretch = 0.5 * DENSITY * G * LENGTH**2 / YOUNG
    stretch = 0.0 if isinstance(rods, fx.RotationInterpolation) else stretch
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], [0, 0, -LENGTH - stretch], atol=1e-6)


def test_an_unstable_equilibrium_is_kept_if_wanted():
    body = fx.Body("bob", mass=2.0, center=(LENGTH, 0.0, 0.0))
    upright = raised("bob", 0.5 * np.pi)
    robot = fx.Robot("pendulum", bodies=[body], joints=[upright], loads=[fx.Gravity()])
    result = fx.statics(fx.build(robot), seek_stable=False).unwrap()
    assert result.stable is False
    assert result.pose("bob")[2, 0] == pytest.approx(1.0)


def test_a_straight_column_does_not_buckle_by_itself():
    """Beyond its critical load it is in equilibrium, and nothing says to which side to fall."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(young=1e9, poisson=0.3))
    load = fx.PointLoad("load", at="rod.tip")
    robot = fx.Robot("column", rods=[rod], joints=[fx.Weld("world", "rod.base")], loads=[load])
    critical = 0.25 * np.pi**2 * rod.stiffness(0.0)[1]
    result = fx.statics(fx.build(robot), {"load": (0, 0, 0, -1.5 * critical, 0, 0)}).unwrap()
    assert result.stable is False or abs(result.pose("rod.tip")[1:3, 3]).max() > 0.1


@pytest.mark.parametrize(
    "rods",
    [fx.Spline(), fx.Hermite(6), fx.LinearStrain(10), fx.ConstantStrain(20)],
    ids=lambda rods: type(rods).__name__,
)
def test_a_column_too_heavy_to_stand_falls_over_in_few_steps(rods):
    """w L³ = 200 EI, 25 times what lets it buckle: it hangs beside its clamp."""
    limp = fx.Material(young=DENSITY * G * 4.0 / 0.01**2 / 200.0, poisson=0.4, density=DENSITY)
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), limp)
    upright = fx.Weld("world", "rod.base", se3.pose(rotation=(0.0, -0.5 * np.pi, 0.0)))
    robot = fx.Robot("column", [rod], [upright], [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert result.iterations < 90
    other = fx.statics(fx.build(robot, rods=fx.VariableStrain((10,) * 6, steps=60))).unwrap()
    s = np.linspace(0.0, 1.0, 11)
    heights = [x.pose("rod", s)[:, 2, 3] for x in (result, other)]  # it may fall to any side
    np.testing.assert_allclose(*heights, atol=0.02)


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
def test_an_upright_chain_falls_in_few_steps(rods):
    """Four rods on balls, each upon the other: they end straight below."""
    soft = fx.Material(young=YOUNG, poisson=0.4, density=DENSITY)
    chain = [fx.Rod(f"r{i}", 0.3, fx.Circle(0.005), soft) for i in range(4)]
    ends = ["world", *(f"r{i}.tip" for i in range(3))]
    up = se3.pose(rotation=(0.0, -0.5 * np.pi, 0.0))
    joints = [
        fx.Ball(f"b{i}", end, f"r{i}.base", up if i == 0 else None) for i, end in enumerate(ends)
    ]
    robot = fx.Robot("chain", chain, joints, [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert result.iterations < 80
    np.testing.assert_allclose(result.pose("r3.tip")[:3, 3], [0.0, 0.0, -1.2], atol=2e-3)


@pytest.mark.parametrize("height", [3e-3, 0.3, 3.0])
def test_axes_and_order_make_no_difference_on_the_way_down(height):
    """A body upright on a ball, of either body to the other, described in any axes."""
    taken = set()
    for turn in ((0.0, 0.0, 0.0), (0.7, 0.0, 0.0), (0.4, -0.3, 0.9)):
        center = so3.exp(np.array(turn)).T @ (0.0, 0.0, height)
        bodies = [fx.Body("cart", 1.0, (1e-3,) * 3), fx.Body("b", 0.5, center=tuple(center))]
        offset = se3.pose(rotation=turn)
        for ball in (
            fx.Ball("ball", "cart", "b", offset=offset),
            fx.Ball("ball", "b", "cart", offset=se3.inverse(offset)),
        ):
            joints = [fx.Hinge("turn", "world", "cart", axis=(0, 0, 1)), ball]
            robot = fx.Robot("upright", bodies=bodies, joints=joints, loads=[fx.Gravity()])
            result = fx.statics(fx.build(robot)).unwrap()
            place = result.pose("b")[:3, :3] @ center
            np.testing.assert_allclose(place, (0.0, 0.0, -height), atol=1e-7 * height)
            taken.add(result.iterations)
    assert max(taken) - min(taken) <= 1


@pytest.mark.parametrize("rods", [fx.Power(3, 1), fx.Power(5, 1)], ids=str)
@pytest.mark.parametrize("load", [10.0, 20.0])
def test_ways_downhill_end_in_numbers(rods, load):
    """Steps without numbers were taken where elements fold; poses of NaN, or an error of se3."""
    material = fx.Material(young=1e9, poisson=0.3, density=1000.0)
    parts = [fx.Rod(name, 1.0, fx.Circle(2e-3), material) for name in ("column", "spin")]
    force = load * material.young * 0.25 * np.pi * 2e-3**4
    beside = se3.pose((0.0, 1.0, 0.0))
    robot = fx.Robot(
        "column",
        rods=parts,
        joints=[
            fx.Weld("world", "column.base"),
            fx.Hinge("h", "world", "spin.base", axis=(1, 0, 0), offset=beside),
        ],
        loads=[fx.PointLoad("p", "column.tip", force=(-force, 0.0, 0.0))],
    )
    result = fx.statics(fx.build(robot, rods=rods))
    assert np.isfinite(result.pose("column", np.linspace(0.0, 1.0, 9))).all()
    assert np.isfinite(result.energy)
