"""Inputs that bring frames to their targets: reached, or optimal by conditions checked here."""

import dataclasses
import sys

import numpy as np
import pytest
from tendon_arm import COARSE, CURVED, three_tendons

import flexura as fx
from benchmarks.parallel_robot_constraint_free import cases as parallel
from benchmarks.tendon_newton_lagrange import cases as tendons
from flexura.lie import se3
from flexura.solve.inverse.arrival import Arrival


def optimal(answer, frame, target, bounds, size):
    """Largest violation of the conditions of optimality, relative to slopes of ``size``.

    By the Jacobian of the equilibrium and by hand; the search's own word is not asked.
    """
    worst, result = 0.0, answer.result
    J = result.jacobian(frame, list(answer.using))
    pose = result.pose(frame)
    gradient = (pose[:3, :3] @ J[3:]).T @ (pose[:3, 3] - target)
    for name, slope in zip(answer.using, gradient, strict=True):
        low, high = bounds[name]
        u = float(answer.inputs[name])
        down, up = u > low + 1e-9 * (high - low), u < high - 1e-9 * (high - low)
        worst = max(worst, slope * down, -slope * up)
    return worst / size


@pytest.mark.parametrize("scenario", ["A", "D"])
def test_reachable_targets_are_reached(scenario):
    # the three tendons of A reach all of what they reach by pulling two of them
    robot = tendons.robot(scenario)
    model, tip = fx.build(robot, rods=COARSE), tendons.tip(robot)
    names, random = [t.name for t in robot.tendons], np.random.default_rng(4)
    bounds = dict.fromkeys(names, (0.0, 5.0))
    for _ in range(10):
        pulls = random.uniform(0.0, 5.0, len(names))
        if scenario == "D":
            pulls *= np.repeat([1.0, 0.75, 0.5], 3)
        there = fx.statics(model, dict(zip(names, pulls, strict=True))).unwrap()
        answer = fx.inverse(model, {tip: there.pose(tip)[:3, 3]}, using=names, bounds=bounds)
        assert answer.converged
        again = fx.statics(model, answer.inputs, start=answer.result).unwrap()
        away = np.linalg.norm(again.pose(tip)[:3, 3] - there.pose(tip)[:3, 3])
        assert away <= 1e-9 * sum(rod.length for rod in robot.rods)
        assert all(0.0 <= answer.inputs[name] <= 5.0 for name in names)


def test_platform_is_brought_where_motors_can_bring_it():
    model = fx.build(parallel.three_motors(), rods=fx.LinearStrain(4))
    names, random = list(parallel.MOTORS), np.random.default_rng(5)
    for _ in range(3):
        angles = dict(zip(names, random.uniform(0.0, 0.5, 3), strict=True))
        there = fx.statics(model, angles).unwrap().pose("platform")
        bounds = dict.fromkeys(names, (0.0, 0.6))
        answer = fx.inverse(model, {"platform": there[:3, 3]}, using=names, bounds=bounds)
        assert answer.converged
        again = fx.statics(model, answer.inputs, start=answer.result).unwrap().pose("platform")
        assert np.linalg.norm(again[:3, 3] - there[:3, 3]) <= 1e-9 * model.length


@pytest.mark.parametrize("seed", range(6))
def test_out_of_reach_ends_where_nothing_leads_closer(seed):
    robot = tendons.robot("D" if seed % 2 else "A")
    model, tip = fx.build(robot, rods=COARSE), tendons.tip(robot)
    names = [t.name for t in robot.tendons]
    bounds = dict.fromkeys(names, (0.0, 5.0))
    away = np.random.default_rng(seed).normal(size=3)
    target = 0.35 * away / np.linalg.norm(away)
    answer = fx.inverse(model, {tip: target}, using=names, bounds=bounds)
    assert answer.status is fx.InverseStatus.CLOSEST
    assert not answer.converged
    assert answer.error == pytest.approx(np.linalg.norm(answer.result.pose(tip)[:3, 3] - target))
    # slopes of a tension of 1 N by the length of the robot, times the error
    assert optimal(answer, tip, target, bounds, 0.05 * answer.error) <= 1e-6
    with pytest.raises(fx.NotConverged, match="out of reach"):
        answer.unwrap()
    assert answer.unwrap(closest=True) is answer


def test_within_the_workspace_but_out_of_reach():
    # the objective bends the other way on the way there
    model = fx.build(three_tendons(), rods=CURVED)
    bounds, target = dict.fromkeys(["t1", "t2", "t3"], (0.0, 0.1)), np.array([0.15, 0.0, 0.05])
    answer = fx.inverse(model, {"arm.tip": target}, bounds=bounds)
    assert answer.status is fx.InverseStatus.CLOSEST
    assert answer.iterations <= 200
    assert optimal(answer, "arm.tip", target, bounds, 0.05 * answer.error) <= 1e-6


def test_iterations_are_a_limit():
    model = fx.build(three_tendons(), rods=CURVED)
    for most in (1, 3):
        answer = fx.inverse(model, {"arm.tip": (0.15, 0.0, 0.05)}, iterations=most)
        assert answer.status is fx.InverseStatus.EXHAUSTED
        assert answer.iterations <= most


def test_weights_do_not_decide_what_is_reached():
    model = fx.build(three_tendons(), rods=COARSE)
    there = fx.statics(model, {"t1": 1.0, "t2": 0.4, "t3": 0.2}).unwrap().pose("arm.tip")[:3, 3]
    for weight in (1e-9, 1.0, 1e6):
        answer = fx.inverse(model, {"arm.tip": there}, weights={"arm.tip": weight})
        assert answer.converged
        assert answer.errors["arm.tip"][1] <= 1e-9


@pytest.mark.parametrize("weight", [1e-5, 1e-10])
def test_what_weighs_little_is_reached_too(weight):
    model = fx.build(three_tendons(), rods=COARSE)
    heavy = {"arm.tip": (1.0, weight, 1.0)}
    answer = fx.inverse(model, {"arm.tip": (0.05, 0.02, np.nan)}, weights=heavy)
    assert answer.converged
    assert answer.iterations <= 20


def test_weights_may_name_all_frames_of_a_path():
    model, middle = fx.build(three_tendons(), rods=COARSE), fx.At("arm", 0.1)
    path = [{"arm.tip": (0.05, 0.0, np.nan)}, {middle: (0.01, 0.0, np.nan)}]
    assert fx.inverse(model, path, weights={"arm.tip": 1.0, middle: 2.0}).converged


def test_limits_may_be_open_at_one_end():
    model = fx.build(three_tendons(), rods=COARSE)
    target = {"arm.tip": (0.05, 0.02, np.nan)}
    assert fx.inverse(model, target, bounds={"t1": (1.5, None), "t2": (None, 9.0)}).converged


def test_limits_that_hold_are_named():
    model = fx.build(three_tendons(), rods=COARSE)
    bounds = {"t1": (0.0, 0.3), "t2": (0.0, 0.3), "t3": (0.0, 0.3)}
    answer = fx.inverse(model, {"arm.tip": (0.2, 0.0, 0.0)}, bounds=bounds)
    for name, (low, high) in bounds.items():
        u = float(answer.inputs[name])
        side = "lower" if u <= low + 1e-9 else "upper" if u >= high - 1e-9 else None
        assert answer.active.get(name) == side
    assert "upper" in answer.active.values()


def test_poses_and_inputs_that_are_poses():
    # a rod held at both ends: the pose of its grip brings its middle anywhere
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e6, poisson=0.4))
    grip = fx.Weld("world", "rod.tip", name="grip", offset=se3.pose((0.8, 0.1, 0.0), (0, 0, 0.5)))
    robot = fx.Robot("held", rods=[rod], joints=[fx.Weld("world", "rod.base"), grip])
    model = fx.build(robot, rods=fx.LinearStrain(8))
    middle = fx.At("rod", 0.5)
    there = fx.statics(
        model, {"grip": se3.pose((0.75, 0.05, 0.05), (0.2, -0.3, 0.3))}
    ).unwrap().pose(middle)  # fmt: skip
    answer = fx.inverse(model, {middle: there}, using=["grip"])
    assert answer.converged
    assert np.allclose(answer.result.pose(middle), there, atol=1e-8)
    turn, far = answer.errors[middle]
    assert turn <= 1e-8
    assert far <= 1e-9


def test_several_frames_and_weights():
    model = fx.build(three_tendons(), rods=CURVED)
    middle = fx.At("arm", 0.1)
    targets = {"arm.tip": (0.05, 0.02, 0.18), middle: (0.01, 0.0, 0.1)}
    even = fx.inverse(model, targets)
    tip_first = fx.inverse(model, targets, weights={"arm.tip": 100.0})
    assert even.status is fx.InverseStatus.CLOSEST  # six numbers, three tendons
    assert tip_first.errors["arm.tip"][1] < 0.05 * even.errors["arm.tip"][1]
    assert tip_first.errors[middle][1] > even.errors[middle][1]


def test_preferred_inputs_are_the_closest_that_keep_the_frame():
    robot = tendons.robot("D")
    model, tip = fx.build(robot, rods=COARSE), tendons.tip(robot)
    names = [t.name for t in robot.tendons]
    bounds = dict.fromkeys(names, (0.0, 5.0))
    there = fx.statics(model, dict.fromkeys(names[::2], 2.0)).unwrap().pose(tip)[:3, 3]
    wish = dict.fromkeys(names, 0.5)
    plain = fx.inverse(model, {tip: there}, using=names, bounds=bounds)
    answer = fx.inverse(model, {tip: there}, using=names, bounds=bounds, prefer=wish)
    assert answer.converged
    u = np.array([float(answer.inputs[name]) for name in names])
    other = np.array([float(plain.inputs[name]) for name in names])
    assert np.linalg.norm(u - 0.5) < np.linalg.norm(other - 0.5)
    # closest: what is left of the wish is in the span of the frame's slopes, but for bounds
    pose = answer.result.pose(tip)
    J = pose[:3, :3] @ answer.result.jacobian(tip, names)[3:]
    inside = (u > 1e-9) & (u < 5.0 - 1e-9)
    left = (u - 0.5)[inside]
    off = left - J[:, inside].T @ np.linalg.lstsq(J[:, inside].T, left, rcond=None)[0]
    assert np.abs(off).max() <= 1e-4 * np.abs(left).max()  # a wish is granted to 1e-7 of 5 N


def test_tensions_of_tendons_driven_by_length_stay_within_bounds():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    names = ["t1", "t2", "t3"]
    free = fx.inverse(model, {"arm.tip": (0.15, 0.0, 0.1)}, using=names)
    most = 0.6 * np.ptp(free.result.tensions)  # all that bends is between them
    assert most > 0.5
    bounds = {f"{name}.tension": (0.0, most) for name in names}
    answer = fx.inverse(model, {"arm.tip": (0.15, 0.0, 0.1)}, using=names, bounds=bounds)
    assert answer.result.tensions.max() <= most * (1.0 + 1e-6)
    assert answer.error > free.error
    assert "upper" in [answer.active.get(f"{name}.tension") for name in names]


def test_a_circle_is_followed():
    model = fx.build(three_tendons(), rods=CURVED)
    x, y, z = fx.statics(model, {"t1": 1.0, "t2": 0.5, "t3": 0.3}).unwrap().pose("arm.tip")[:3, 3]
    turns = np.linspace(0.0, 2.0 * np.pi, 25)
    circle = np.hypot(x, y) * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    path = [{"arm.tip": (*point, z)} for point in circle]
    answers = fx.inverse(model, path, bounds=dict.fromkeys(["t1", "t2", "t3"], (0.0, 20.0)))
    assert answers.converged
    assert answers.error.max() <= 1e-9 * 0.2
    pulls = answers.inputs["t1"]
    assert pulls.shape == (25,)
    assert np.abs(np.diff(pulls)).max() < 0.5 * np.ptp(pulls)  # no jumps
    assert abs(pulls[-1] - pulls[0]) <= 1e-6
    assert isinstance(answers[2:5], fx.InverseResults)


def test_steps_are_limited_from_target_to_target():
    model = fx.build(three_tendons(), rods=CURVED)
    path = [{"arm.tip": (0.08, 0.0, 0.17)}] * 12
    answers = fx.inverse(model, path, steps={"t1": 0.1, "t2": 0.1, "t3": 0.1})
    pulls = np.array([answers.inputs[name] for name in ("t1", "t2", "t3")])
    assert np.abs(np.diff(pulls, axis=1)).max() <= 0.1 * (1.0 + 1e-9)
    assert any(".step" in name for name in answers[0].active)
    assert answers[-1].error < 0.7 * answers[0].error


def test_other_inputs_keep_their_values():
    load = fx.PointLoad("weight", at="arm.tip", force=(0, 0, 0))
    robot = three_tendons()
    robot = fx.Robot(
        "arm", rods=robot.rods, joints=robot.joints, tendons=robot.tendons, loads=[load]
    )
    model = fx.build(robot, rods=COARSE)
    heavy = {"weight": (0, 0, 0, 0, 0, -0.1)}
    answer = fx.inverse(model, {"arm.tip": (0.05, 0.0, 0.19)}, inputs=heavy)
    assert np.array_equal(answer.result.inputs["weight"], heavy["weight"])


def test_inputs_are_those_that_statics_takes():
    """Also what was not used, where it is not as described; a path has all that any answer has."""
    load = fx.PointLoad("weight", at="arm.tip", force=(0, 0, 0))
    robot = dataclasses.replace(three_tendons(), loads=[load])
    model = fx.build(robot, rods=COARSE)
    start = fx.statics(model, {"weight": (0, 0, 0, 0, 0, -0.1), "t2": 0.3}).unwrap()
    asked = {"arm.tip": (np.nan, 0.0, 0.19)}
    for begin in (start, fx.statics(model)):
        path = fx.inverse(model, [asked, asked], ["t1", "t3"], start=begin)
        for i, answer in enumerate(path):
            again = fx.statics(model, answer.inputs, start=begin).unwrap()
            there, pose = (x.pose("arm.tip")[:3, 3] for x in (again, answer.result))
            np.testing.assert_allclose(there, pose, atol=1e-9)  # of both solves
            assert all(np.array_equal(path.inputs[x][i], answer.inputs[x]) for x in answer.inputs)
        assert ("weight" in path.inputs) == (begin is start)


SOFT = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(1e6, 0.45, density=1000.0))


def test_inputs_that_do_little_at_first():
    # a turn about its own axis moves no straight rod; bent ones by all the way around
    roll = fx.Motor("roll", axis=(1, 0, 0), drives={"arm.base": np.eye(4)})
    pull = fx.Tendon("t", "arm", fx.Parallel(8e-3, 0.0))
    for loads in ([], [fx.Gravity()]):
        model = fx.build(fx.Robot("roll", [SOFT], [roll], loads, [pull]))
        there = fx.statics(model, {"roll": 0.8, "t": 1.0}).unwrap().pose("arm.tip")[:3, 3]
        answer = fx.inverse(model, {"arm.tip": there})
        assert answer.converged
        assert abs(answer.inputs["roll"]) < 2.0 * np.pi


def test_a_loaded_rod_is_brought_by_its_base():
    base = fx.Weld("world", "arm.base", name="base")
    model = fx.build(fx.Robot("held", [SOFT], [base], [fx.Gravity()]))
    there = fx.statics(model).unwrap().pose("arm.tip")[:3, 3] + (0.0, 0.05, 0.0)
    answer = fx.inverse(model, {"arm.tip": there}, using=["base"])
    assert answer.converged
    assert np.allclose(answer.result.pose("arm.tip")[:3, 3], there, atol=1e-9)


def test_searches_do_not_raise_where_columns_buckle():
    rod = fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(1e6, 0.4))
    push = fx.PointLoad("p", "arm.tip")
    model = fx.build(fx.Robot("column", [rod], [fx.Weld("world", "arm.base")], [push]))
    bounds = {"p": ([0, 0, 0, -10, 0, 0], [0, 0, 0, 10, 0, 0])}
    answer = fx.inverse(model, {"arm.tip": (0.2997, 0.0, 0.0)}, using=["p"], bounds=bounds)
    # 0.31 N would shorten it so far, and it buckles at 0.22 N: no closest point, but an end
    assert answer.status is fx.InverseStatus.LOST
    assert answer.inputs["p"][3] == pytest.approx(-0.2153, rel=0.01)


@pytest.mark.parametrize("rods", [COARSE, fx.Spline(3, 6), fx.LinearStrain(6)], ids=str)
def test_tendons_that_are_not_used_may_hang(rods):
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=rods)
    there = fx.statics(model, {"t1": 2e-3}).unwrap().pose("arm.tip")[:3, 3]
    answer = fx.inverse(model, {"arm.tip": there}, using=["t1"])
    assert answer.converged
    assert float(answer.inputs["t1"]) == pytest.approx(2e-3, rel=1e-6)


def test_what_is_no_number_may_be_anything():
    model = fx.build(three_tendons(), rods=CURVED)
    answer = fx.inverse(model, {"arm.tip": (0.05, 0.02, np.nan)})
    assert answer.converged
    assert np.allclose(answer.result.pose("arm.tip")[:2, 3], (0.05, 0.02), atol=1e-9)
    assert answer.errors["arm.tip"][1] <= 1e-9
    weighed = fx.inverse(model, {"arm.tip": (0.05, 0.02, 0.0)}, weights={"arm.tip": (1, 1, 0)})
    assert weighed.converged
    assert weighed.errors["arm.tip"][1] <= 1e-9


def test_limits_far_away_do_not_hold():
    model = fx.build(three_tendons(), rods=COARSE)
    there = fx.statics(model, {"t1": 1.0, "t2": 0.4, "t3": 0.2}).unwrap().pose("arm.tip")[:3, 3]
    bounds = dict.fromkeys(["t1", "t2", "t3"], (0.0, 1e10))
    answer = fx.inverse(model, {"arm.tip": there}, bounds=bounds)
    assert answer.converged
    assert float(answer.inputs["t1"]) > 0.1
    assert "t1" not in answer.active


def bad(**change):
    model = fx.build(three_tendons(), rods=COARSE)
    options = {"targets": {"arm.tip": (0.05, 0.0, 0.19)}, **change}
    return fx.inverse(model, options.pop("targets"), **options)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"targets": {}}, "needs a target"),
        ({"targets": []}, "needs a target"),
        ({"targets": (0.1, 0.0, 0.1)}, "dict of frames"),
        ({"targets": {"arm.tp": (0, 0, 0)}}, "arm.tip"),
        ({"targets": {"arm": (0, 0, 0)}}, "arm.tip"),
        ({"targets": {"arm.tip": (0, 0)}}, "position, three numbers"),
        ({"targets": {"arm.tip": (np.nan,) * 3}}, "position, three numbers"),
        ({"targets": {"arm.tip": (0, 0, np.inf)}}, "position, three numbers"),
        ({"targets": {"arm.tip": (0, 0, 1e200)}}, "position, three numbers"),
        ({"targets": {"arm.tip": 2.0 * np.eye(4)}}, "no pose"),
        ({"using": ["t4"]}, "t1"),
        ({"using": []}, "needs inputs"),
        ({"using": 3}, "list of names"),
        ({"using": [["t1"]]}, "list of names"),
        ({"bounds": 3}, "dict"),
        ({"weights": 3}, "dict"),
        ({"using": ["t1", "t1"]}, "once"),
        ({"bounds": {"t1": (2.0, 1.0)}}, "cross"),
        ({"bounds": {"t1": 1.0}}, "least and most"),
        ({"bounds": {"t1": (-2.0, -1.0)}}, "leave nothing"),
        ({"bounds": {"t9": (0.0, 1.0)}}, "t9"),
        ({"bounds": {"t1.tension": (0.0, 1.0)}}, "driven by its tension"),
        ({"steps": {"t1": 0.0}}, "> 0"),
        ({"weights": {"arm.tip": -1.0}}, "not negative"),
        ({"weights": {"arm.base": 1.0}}, "arm.base"),
        ({"prefer": {"gravity": (0, 0, 0)}, "using": ["t1"]}, "not used"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"iterations": 0}, "iterations"),
        ({"start": 3}, "start"),
        ({"targets": {"arm.tip": (0, 0, np.nan)}, "weights": {"arm.tip": (0, 0, 1)}}, "counts"),
    ],
)
def test_what_makes_no_sense_is_refused(change, words):
    with pytest.raises(fx.FlexuraError, match=words):
        bad(**change)


def test_starts_are_of_the_same_robot():
    rod = fx.Robot("other", rods=[SOFT], joints=[fx.Weld("world", "arm.base", name="base")])
    with pytest.raises(fx.ModelError, match="same robot"):
        bad(start=fx.statics(fx.build(rod, rods=COARSE)))


def test_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "qpsolvers", None)
    with pytest.raises(fx.MissingExtra, match=r"flexura\[inverse\]"):
        bad()


# Inputs and equilibrium at once


def circle(radius, height, count):
    turns = np.linspace(0.0, 1.0, count)
    return [
        {"arm.tip": (radius * np.cos(a), radius * np.sin(a), height)} for a in turns
    ]  # a part of it


@pytest.mark.parametrize("choice", [CURVED, fx.Spline(3, 8), fx.LinearStrain(6)], ids=str)
def test_a_path_ends_at_ordinary_equilibria(choice):
    """Each step takes one equilibrium, which is the one that statics finds from anywhere."""
    model = fx.build(three_tendons(), rods=choice)
    there = fx.statics(model, {"t1": 1.0, "t2": 0.4, "t3": 0.2}).unwrap().pose("arm.tip")[:3, 3]
    path = circle(np.hypot(*there[:2]), there[2], 8)
    first = fx.inverse(model, path[0]).unwrap()
    answers = fx.inverse(model, path, start=first).unwrap()
    assert all(answer.iterations <= 1 for answer in answers)
    for answer, target in zip(answers, path, strict=True):
        assert answer.result.converged
        assert answer.result.stable
        again = fx.statics(model, answer.inputs).unwrap()  # from the unloaded robot
        off = again.pose("arm.tip")[:3, 3] - target["arm.tip"]
        assert np.linalg.norm(off) <= 1e-9 * model.length
        assert again.energy == pytest.approx(answer.result.energy, rel=1e-9)


@pytest.mark.parametrize("drive", ["tension", "length"])
def test_at_once_or_one_after_the_other(drive, monkeypatch):
    """Where the way at once is barred, the search finds the same."""
    elastic = {} if drive == "tension" else {"stiffness": 2e3}
    model = fx.build(three_tendons(drive=drive, **elastic), rods=COARSE)
    pulls = (1.0, 0.4, 0.2) if drive == "tension" else (4e-3, -3e-3, -3e-3)
    there = fx.statics(model, dict(zip(("t1", "t2", "t3"), pulls, strict=True))).unwrap()
    target = {"arm.tip": (*there.pose("arm.tip")[:2, 3], np.nan)}
    found = fx.inverse(model, target).unwrap()
    monkeypatch.setattr(Arrival, "run", lambda *_: None)
    nested = fx.inverse(model, target).unwrap()
    assert nested.iterations > found.iterations
    off = found.result.pose("arm.tip")[:2, 3] - nested.result.pose("arm.tip")[:2, 3]
    assert np.linalg.norm(off) <= 2e-9 * model.length


def test_bounds_hold_on_the_way_at_once():
    """A path along which a tendon comes slack: none pushes, and the targets are reached."""
    model = fx.build(three_tendons(), rods=COARSE)
    tips = [
        fx.statics(model, {"t1": 1.0, "t2": x}).unwrap().pose("arm.tip")[:3, 3]
        for x in np.linspace(0.3, 0.0, 5)
    ]
    start = fx.statics(model, {"t1": 1.0, "t2": 0.3})
    answers = fx.inverse(model, [{"arm.tip": tip} for tip in tips], start=start).unwrap()
    for answer, tip in zip(answers, tips, strict=True):
        assert min(float(x) for x in answer.inputs.values()) >= 0.0
        again = fx.statics(model, answer.inputs, start=answer.result).unwrap()
        assert np.linalg.norm(again.pose("arm.tip")[:3, 3] - tip) <= 1e-9 * model.length


def test_inputs_of_one_kind_count_alike_without_bounds():
    """The sum of squares of what is missing is as small as targets allow, by hand."""
    model = fx.build(three_tendons(), rods=COARSE)
    names = ["t1", "t2", "t3"]
    target = {"arm.tip": (0.04, 0.02, np.nan)}
    answer = fx.inverse(model, target, prefer=dict.fromkeys(names, 0.5)).unwrap()
    u = np.array([float(answer.inputs[name]) for name in names])
    pose = answer.result.pose("arm.tip")
    J = (pose[:3, :3] @ answer.result.jacobian("arm.tip", names)[3:])[:2]
    inside = u > 1e-9
    left = (u - 0.5)[inside]
    off = left - J[:, inside].T @ np.linalg.lstsq(J[:, inside].T, left, rcond=None)[0]
    assert np.abs(off).max() <= 1e-4 * np.abs(left).max()


def test_targets_in_millimetres_are_worth_a_word():
    model = fx.build(three_tendons(), rods=COARSE)
    far = fx.inverse(model, {"arm.tip": (40.0, 20.0, 150.0)}, iterations=5)
    assert any("metres" in remark for remark in far.remarks)
    assert "metres" in str(far)
    assert not fx.inverse(model, {"arm.tip": (0.04, 0.02, 0.15)}, iterations=5).remarks


def test_answers_make_a_table():
    model = fx.build(three_tendons(), rods=COARSE)
    path = [{"arm.tip": (x, 0.02, np.nan)} for x in (0.03, 0.04)]
    table = fx.inverse(model, path).table()
    assert table["reached"].tolist() == [True, True]
    np.testing.assert_allclose(table["arm.tip.x"], [0.03, 0.04], atol=1e-9)
    assert {"t1", "error", "search", "limits", "solves", "energy"} <= set(table)
    assert {len(column) for column in table.values()} == {2}


def test_a_step_of_tracking_is_one_solve():
    """Inputs and equilibrium are found at once; what goes astray falls back on several."""
    model = fx.build(tendons.robot("A"), rods=fx.VariableStrain((5, 7, 7, 3, 3, 3)))
    tip, pulls = tendons.tip(model.robot), list(model.tendons.names)
    first = fx.statics(model, dict(zip(pulls, (2.0, 1.0, 0.5), strict=True))).unwrap()
    x, y, z = first.pose(tip)[:3, 3]
    turns = np.arctan2(y, x) + np.linspace(0.0, 0.3, 6)[1:]
    path = [{tip: (*(np.hypot(x, y) * np.array([np.cos(a), np.sin(a)])), z)} for a in turns]
    answers = fx.inverse(model, path, using=pulls, start=first).unwrap()
    assert [answer.iterations for answer in answers] == [1] * 5


def test_answers_say_what_equilibria_say_of_their_stability():
    """A moment that is fixed in space has no potential: stability is not told, and that is said."""
    nylon = fx.Material(young=2e9, poisson=0.4, density=1150.0)
    rod, turned = fx.Rod("rod", 1.0, fx.Circle(2e-3), nylon), fx.PointLoad("turned", "rod.tip")
    model = fx.build(fx.Robot("turned", [rod], [fx.Weld("world", "rod.base")], [turned]))
    cold = fx.statics(model, {"turned": (0.1, 0.05, 0.05, 0, 0, 0)})
    there = cold.pose("rod.tip")[:3, 3] + (1e-3, 0.0, 0.0)
    found = fx.inverse(model, {"rod.tip": there}, using=["turned"], start=cold).unwrap()
    assert found.result.stable is None
    assert found.result.remarks == cold.remarks != ()
