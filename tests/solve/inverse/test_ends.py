"""What searches say where they end: limits are kept, and closest points are minima."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from tendon_arm import COARSE, CURVED, three_tendons

import flexura as fx
from flexura.lie import se3

NAMES = ["t1", "t2", "t3"]
STATUS = fx.InverseStatus


def limits(least, most):
    return {f"{name}.tension": (least, most) for name in NAMES}


# Limits of tensions


@pytest.mark.parametrize("stiffness", [None, 2e4])
@pytest.mark.parametrize("wide", [{}, dict.fromkeys(NAMES, (-2e-2, 2e-2))], ids=["free", "bounds"])
def test_closest_points_keep_stiff_tendons_within_their_tensions(stiffness, wide):
    """The same arm with tendons driven by their tension says where the closest point is."""
    target = {"arm.tip": (0.1, 0.1, 0.1)}
    pulled = fx.build(three_tendons(), rods=CURVED)
    there = fx.inverse(pulled, target, bounds=dict.fromkeys(NAMES, (0.0, 1.0)))
    model = fx.build(three_tendons(drive="length", stiffness=stiffness), rods=CURVED)
    found = fx.inverse(model, target, bounds={**limits(0.0, 1.0), **wide})
    assert found.status is there.status is STATUS.CLOSEST
    np.testing.assert_allclose(found.result.tensions, there.result.tensions, atol=2e-6)
    assert found.error == pytest.approx(there.error, rel=1e-6)
    assert found.active["t1.tension"] == "upper"


def test_limits_that_cannot_be_met_have_a_word():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    bounds = {**dict.fromkeys(NAMES, (-1e-2, 1e-4)), "t1.tension": (5.0, 20.0)}
    found = fx.inverse(model, {"arm.tip": (0.0, 0.0, np.nan)}, bounds=bounds)
    assert found.result.tensions[0] < 5.0
    again = fx.statics(model, found.inputs).unwrap()
    np.testing.assert_allclose(found.result.tensions, again.tensions, rtol=1e-9)
    assert found.status is STATUS.INFEASIBLE
    assert found.active["t1.tension"] == "below"
    with pytest.raises(fx.NotConverged, match="limits broken"):
        found.unwrap(closest=True)


def test_tendons_that_are_not_used_have_limits_too():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    target, bounds = np.array([0.03, 0.0]), {"t3.tension": (0.5, 1.0)}
    asked = {"arm.tip": (*target, np.nan)}
    found = fx.inverse(model, asked, using=["t1", "t2"], bounds=bounds)
    assert found.status is STATUS.CLOSEST
    assert 0.5 - 1e-6 <= found.result.tensions[2] <= 1.0 + 1e-6
    for a in np.linspace(0.9e-3, 1.4e-3, 6):  # none of these is closer within the limits
        for b in np.linspace(-1.3e-3, -0.5e-3, 6):
            other = fx.statics(model, {"t1": a, "t2": b}).unwrap()
            if 0.5 <= other.tensions[2] <= 1.0:
                off = other.pose("arm.tip")[:2, 3] - target
                assert np.linalg.norm(off) >= found.error * (1.0 - 1e-9)


# Saddles and farthest points

STEEL = fx.Material(young=210e9, poisson=0.3, density=7800.0)


@pytest.fixture(scope="module")
def linkage():
    """Two links of 0.1 m, straight, each with a driven hinge."""
    elbow = fx.At("upper", offset=se3.pose((0.1, 0.0, 0.0)))
    robot = fx.Robot(
        "linkage",
        bodies=[fx.Body("upper", mass=0.1), fx.Body("lower", mass=0.1)],
        rods=[fx.Rod("rod", 0.1, fx.Circle(2e-3), STEEL)],
        joints=[
            fx.Hinge("h1", "world", "upper", axis=(0, 0, 1), driven=True),
            fx.Hinge("h2", elbow, "lower", axis=(0, 0, 1), driven=True),
            fx.Weld("lower", "rod.base"),
        ],
    )
    return fx.build(robot, rods=fx.LinearStrain(1))


@pytest.mark.parametrize("x", [0.15, -0.15, 0.0])
@pytest.mark.parametrize("warm", [False, True])
def test_saddles_are_left(linkage, x, warm):
    """Towards its base, and through it, no slope leads a straight arm."""
    start = fx.statics(linkage) if warm else None
    found = fx.inverse(linkage, {"rod.tip": (x, 0.0, 0.0)}, start=start)
    assert found.status is STATUS.REACHED


def test_paths_leave_saddles_too(linkage):
    path = [{"rod.tip": (x, 0.0, 0.0)} for x in (0.2, 0.15)]
    assert fx.inverse(linkage, path).converged


@pytest.mark.parametrize("x", [0.3, -0.3])
def test_out_of_reach_a_straight_arm_is_closest_one_way_only(linkage, x):
    found = fx.inverse(linkage, {"rod.tip": (x, 0.0, 0.0)})
    assert found.status is STATUS.CLOSEST
    assert found.error == pytest.approx(0.1, rel=1e-9)  # stretched towards the target


@pytest.mark.parametrize("whole", [False, True], ids=["position", "pose"])
def test_the_farthest_point_is_not_the_closest(whole):
    """A curved rod on a motor, half a turn away from its target."""
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(1e6, 0.45), rest=(0.0, 0.0, 3.0))
    yaw = fx.Motor("yaw", axis=(0, 0, 1), drives={"arm.base": np.eye(4)})
    model = fx.build(fx.Robot("turret", [rod], [yaw]), rods=fx.LinearStrain(3))
    there = se3.pose((0, 0, 0), (0, 0, np.pi)) @ fx.statics(model).unwrap().pose("arm.tip")
    found = fx.inverse(model, {"arm.tip": there if whole else there[:3, 3]})
    assert found.status is STATUS.REACHED
    assert abs(np.cos(float(found.inputs["yaw"])) + 1.0) <= 1e-12


@pytest.mark.parametrize("drive", [{}, {"drive": "length", "stiffness": 2e3}], ids=str)
def test_tendons_that_do_nothing_at_first_bend_an_arm_around(drive):
    """A straight arm, its target at its base: all tendons at their limits, all slopes zero."""
    model = fx.build(three_tendons(loads=(), **drive), rods=COARSE)
    found = fx.inverse(model, {"arm.tip": (0.0, 0.0, 0.0)})
    assert found.status is STATUS.REACHED


def test_a_large_limit_leaves_the_other_as_it_is():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    start = fx.statics(model, {"t1": 2.75e-3, "t2": -1.3e-3, "t3": -1.3e-3}).unwrap()
    assert start.tensions.min() < 0.3
    target = {"arm.tip": start.pose("arm.tip")[:3, 3]}
    found = fx.inverse(model, target, bounds=limits(0.5, 1e6), start=start)
    assert found.result.tensions.min() >= 0.5 * (1.0 - 1e-6)
    assert "below" not in found.active.values()


# Steps of poses


def reached_from(base, free=(0.3, 0.0, 0.0)):
    """The tip of a straight arm whose base is turned and moved by a twist."""
    return (se3.exp(base) @ se3.pose(free))[:3, 3]


@pytest.mark.parametrize("seed", range(4))
def test_steps_of_poses_are_kept(seed):
    """The closest point with the base within them, by bounded least squares of its twist."""
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.45))
    robot = fx.Robot("moved", [rod], [fx.Weld("world", "arm.base", name="base")])
    model, stride = fx.build(robot, rods=fx.LinearStrain(3)), np.array([0.4] * 3 + [0.05] * 3)
    rng = np.random.default_rng(seed)
    target = reached_from(stride * rng.uniform(1.2, 2.5) * rng.choice((-1.0, 1.0), 6))
    found = fx.inverse(model, {"arm.tip": target}, using=["base"], steps={"base": stride})
    assert (np.abs(se3.log(found.inputs["base"])) <= stride * (1.0 + 1e-9)).all()
    best = least_squares(
        lambda x: reached_from(x) - target, np.zeros(6), bounds=(-stride, stride), xtol=1e-15
    )
    assert found.error == pytest.approx(np.linalg.norm(best.fun), rel=1e-6)
    if np.linalg.norm(best.fun) > 1e-6:
        assert found.status is STATUS.CLOSEST
        assert any(name.endswith(".step") for name in found.active)


# One linearisation each


@pytest.mark.parametrize("most", [3.0, 3.5, 4.0])
def test_a_pursuit_stands_still_at_its_target(most):
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    start = fx.statics(model, {"t1": 1e-3}).unwrap()
    end = fx.statics(model, {"t1": 3e-3, "t2": -1e-3, "t3": -1e-3}).unwrap()
    a, b = (one.pose("arm.tip")[:3, 3] for one in (start, end))
    way = [a + (b - a) * part for part in (*np.linspace(0.0, 1.0, 30), *np.ones(6))]
    path = [{"arm.tip": (*point[:2], np.nan)} for point in way]
    found = fx.inverse(
        model, path, bounds=limits(0.2, most), start=start, tolerance=1e-7, linearised=True
    )
    assert [one.status for one in found[-4:]] == [STATUS.REACHED] * 4
    tensions = np.array([one.result.tensions for one in found])
    assert tensions.max() <= most * (1.0 + 1e-4)  # what one linearisation leaves
    assert tensions[-1].max() <= most * (1.0 + 1e-9)


def test_a_pursuit_from_beyond_a_limit_keeps_it():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    start = fx.statics(model, {"t1": 4e-3}).unwrap()
    there = [{"arm.tip": start.pose("arm.tip")[:3, 3]}] * 6
    bounds = {"t1.tension": (0.0, 2.0)}
    found = fx.inverse(model, there, ["t1"], bounds, start, linearised=True)
    assert [one.status for one in found] == [STATUS.EXHAUSTED] * 6
    assert found[-1].result.tension("t1") == pytest.approx(2.0, rel=1e-9)
