"""Inputs as functions of time: constants, functions, samples."""

from itertools import pairwise

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.lie import se3
from flexura.solve.motion.schedule import Schedule


@pytest.fixture(scope="module")
def model():
    robot = fx.Robot(
        "arm",
        rods=[fx.Rod("rod", 0.3, fx.Circle(0.01), RUBBER)],
        bodies=[fx.Body("hand", 0.1)],
        joints=[
            fx.Weld("world", "rod.base", name="wall"),
            fx.Hinge("wrist", "rod.tip", "hand", (0, 1, 0), driven=True),
        ],
        loads=[fx.Gravity(), fx.PointLoad("tip", "rod.tip", force=(0, 0, 1.0))],
        tendons=[
            fx.Tendon("pull", "rod", fx.Parallel(0.005, 0.0)),
            fx.Tendon("wind", "rod", fx.Parallel(-0.005, 0.0), drive="length"),
        ],
    )
    return fx.build(robot, rods=fx.Spline(3, 4))


def test_constants(model):
    schedule = Schedule(model, {"pull": 2, "tip": (1, 2, 3, 4, 5, 6)}, 1.0)
    assert schedule.at(0.0) is schedule.at(0.7)
    assert schedule.at(0.7).value("pull") == 2.0
    np.testing.assert_array_equal(schedule.at(0.1).value("tip"), [1, 2, 3, 4, 5, 6])
    np.testing.assert_array_equal(schedule.at(0.1).value("gravity"), [0, 0, -9.81])
    assert Schedule(model, None, 1.0).at(0.5).value("tip")[5] == 1.0


def test_functions(model):
    schedule = Schedule(model, {"pull": lambda t: 3 * t, "wrist": np.sin}, 1.0)
    assert schedule.at(0.5).value("pull") == 1.5
    assert schedule.at(0.5).value("wrist") == np.sin(0.5)


def test_loads_go_straight_from_sample_to_sample(model):
    """Numbers and wrenches; a load that is taken off at once is given by two near samples."""
    wrenches = np.array([[0.0] * 6, [1, 2, 3, 4, 5, 6.0], [1.0] * 6])
    given = {
        "pull": ([0, 1, 3], [0, 2, 1]),
        "tip": ((0, 1, 3), wrenches),
        "gravity": ([0, 3], [[0, 0, -9.81], [0, 0, 0]]),
    }
    at = Schedule(model, given, 3.0).at
    for t in (0.0, 0.3, 1.0, 2.0, 3.0):
        assert at(t).value("pull") == pytest.approx(np.interp(t, [0, 1, 3], [0, 2, 1]), abs=1e-15)
    np.testing.assert_allclose(at(0.5).value("tip"), 0.5 * wrenches[1], atol=1e-15)
    np.testing.assert_allclose(at(2.0).value("tip"), 0.5 * (wrenches[1] + 1.0), atol=1e-15)
    np.testing.assert_allclose(at(1.5).value("gravity"), [0, 0, -4.905], atol=1e-14)


@pytest.mark.parametrize("name", ["wrist", "wind"])
def test_what_moves_goes_smoothly_through_its_samples(model, name):
    times, values = [0.0, 0.1, 0.25, 0.4, 1.0], [0.0, 0.02, 0.01, 0.01, 0.03]
    at = Schedule(model, {name: (times, values)}, 1.0).at
    for t, value in zip(times, values, strict=True):
        assert at(t).value(name) == pytest.approx(value, abs=1e-15)
    t = np.linspace(0.0, 1.0, 2001)
    course = np.array([at(x).value(name) for x in t])
    assert course.max() <= 0.03 + 1e-15  # beyond no sample
    assert course.min() >= -1e-15
    speed = np.diff(course) / np.diff(t)
    # No kinks: straight lines have some of more than all of the speed.
    assert np.abs(np.diff(speed)).max() < 0.05 * np.abs(speed).max()


def test_poses_go_smoothly_through_their_samples(model):
    """Also by more than half a turn in all, one step at a time less."""
    times, angles = [0.0, 0.2, 0.5, 1.0], [0.0, 2.0, 4.5, 7.0]
    axis = np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)
    start = se3.pose((0.1, 0.0, 0.0), (0.3, 0.2, 0.1))
    poses = [start @ se3.pose((0, a, 0), a * axis) for a in angles]
    at = Schedule(model, {"wall": (times, poses)}, 1.0).at
    for t, T in zip(times, poses, strict=True):
        np.testing.assert_allclose(at(t).value("wall"), T, atol=1e-12)
    t = np.linspace(0.0, 1.0, 1001)
    course = [at(x).value("wall") for x in t]
    steps = np.array([se3.log(se3.inverse(a) @ b) for a, b in pairwise(course)])
    turned = np.cumsum(steps[:, :3] @ axis)
    assert turned[-1] == pytest.approx(7.0, abs=1e-9)  # not seven less a whole turn
    np.testing.assert_allclose(
        np.linalg.norm(steps[:, :3], axis=1), steps[:, :3] @ axis, atol=1e-12
    )


def test_poses_turn_on_however_often(model):
    """Two turns, evenly about a skew axis, and one that wobbles: no sample is a place to go back.

    Evenly is exact; a wobble of 0.05 rad within 2 s, by 16 samples a turn, is a cubic's error off.
    """
    axis, start = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0), se3.pose((0.1, 0, 0), (0.3, -0.2, 0.5))

    def even(t):
        return start @ se3.pose((0, 0, 0), 2.0 * np.pi * t * axis)

    def wobbling(t):
        tilt = se3.pose((0, 0, 0), (0.05 * np.sin(np.pi * t + 0.3), 0, 0))
        return se3.pose((0, 0, 0), (0, 0, 2.0 * np.pi * t)) @ tilt

    for course, n, error in ((even, 17, 1e-12), (wobbling, 33, 1e-3)):
        times = np.linspace(0.0, 2.0, n)
        at = Schedule(model, {"wall": (times, np.array([course(t) for t in times]))}, 2.0).at
        for t in np.linspace(0.0, 2.0, 101):
            assert np.abs(at(t).value("wall") - course(t)).max() <= error


def test_samples_may_reach_beyond_the_motion(model):
    at = Schedule(model, {"pull": ([-1.0, 1.0], [0, 2])}, 0.5).at
    assert at(0.0).value("pull") == pytest.approx(1.0)
    times = np.arange(11) * 0.1  # ends a rounding before or after 1
    Schedule(model, {"pull": (times, times)}, 1.0)


def test_samples_are_what_the_function_is(model):
    """A motion by samples of a load that is straight between them is that by the function."""
    times = [0.0, 0.004, 0.01]

    def pull(t):
        return np.interp(t, times, [0.0, 2.0, 1.0])

    one = fx.simulate(model, 0.01, 1e-3, {"pull": pull}).unwrap()
    other = fx.simulate(model, 0.01, 1e-3, {"pull": (times, [0.0, 2.0, 1.0])}).unwrap()
    np.testing.assert_array_equal(one.pose("hand"), other.pose("hand"))
    np.testing.assert_array_equal(one.inputs["pull"], [pull(t) for t in one.t])


def test_times_count_from_the_beginning_of_the_motion(model):
    """Of each: one that goes on from another's last instant begins its inputs anew."""
    seen = []

    def pull(t):
        seen.append(t)
        return 1.0

    first = fx.simulate(model, 0.01, 1e-3, {"pull": pull}).unwrap()
    seen.clear()
    second = fx.simulate(model, 0.01, 1e-3, {"pull": pull}, start=first[-1]).unwrap()
    assert min(seen) == 0.0
    assert max(seen) == pytest.approx(0.01)
    np.testing.assert_allclose(second.t, 0.01 + 1e-3 * np.arange(11), atol=1e-15)
