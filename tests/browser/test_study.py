import math
from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from flexura.browser.knob import knobs, numbers_of, value_of
from flexura.browser.study import Study
from flexura.browser.words import report
from flexura.lie import se3


def arm(length=0.3, **more):
    steel = fx.Material(young=210e9, poisson=0.3, density=7800.0)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", length, fx.Circle(4e-4), steel)],
        joints=[fx.Weld("world", "arm.base", name="foot")],
        tendons=[fx.Tendon("left", "arm", fx.Parallel(8e-3, 0.0))],
        loads=[fx.PointLoad("tip", at="arm.tip")],
        **more,
    )


@pytest.fixture(scope="module")
def study():
    return Study(fx.build(arm(), fx.LinearStrain(8)))


def test_a_knob_of_a_tendon_bends_the_arm_by_its_length(study):
    """Range of the tendon: τ d L²/2 EI = L for the tip of an arc, rounded to 1, 2, 5."""
    knob = next(k for k in knobs(study.finding.shown) if k.name == "left")
    rod = study.model.robot.rods[0]
    EI = 210e9 * math.pi * rod.section.radius**4 / 4.0
    exact = 2.0 * EI / (8e-3 * rod.length)
    assert knob.low == 0.0
    assert exact / 2.5 <= knob.high <= exact * (1.0 + 1e-3)


def test_forces_and_moments_have_a_range_each(study):
    own = [k for k in knobs(study.finding.shown) if k.name == "tip"]
    assert [k.label for k in own][:1] == ["tip mx [N·m]"]
    assert len({k.high for k in own[:3]}) == len({k.high for k in own[3:]}) == 1
    assert all(k.low == -k.high for k in own)


def test_given_bounds_are_the_range(study):
    knob = next(k for k in knobs(study.finding.shown, {"left": (0, 7.5)}) if k.name == "left")
    assert (knob.low, knob.high) == (0.0, 7.5)


@pytest.mark.parametrize("pair", [(1.0, 0.0), (0.0, math.nan), 3.0, "wide", (0.0, math.inf)])
def test_bounds_that_are_none(study, pair):
    with pytest.raises(fx.ModelError, match="two numbers"):
        knobs(study.finding.shown, {"left": pair})


def test_bounds_of_no_input(study):
    with pytest.raises(fx.UnknownName, match="left"):
        knobs(study.finding.shown, {"lft": (0, 1)})


def test_poses_by_six_numbers(study):
    own = study.model.inputs["foot"]
    pose = se3.pose((0.1, 0.2, 0.3), (0.3, -0.2, 0.5))
    np.testing.assert_allclose(value_of(own, numbers_of(own, pose)), pose, atol=1e-15)


def test_each_equilibrium_begins_at_the_one_before(study):
    """A small move takes fewer iterations from there than from the unloaded robot."""
    study = Study(study.model, {"tip": (0, 0, 0, 0, 0, 0.5)})
    moved = {"tip": (0, 0, 0, 0, 0, 0.5001)}
    found, exact = study.solve(moved), fx.statics(study.model, moved)
    assert found.good
    assert found.result.iterations < exact.iterations
    np.testing.assert_allclose(found.shown.pose("arm.tip"), exact.pose("arm.tip"), atol=1e-12)


def test_the_last_equilibrium_stays_where_there_is_none():
    study = Study(fx.build(arm(), fx.LinearStrain(2)), {"left": 0.5})
    before = study.finding.shown
    found = study.solve({**study.inputs, "tip": (0, 0, 0, 0, 0, -3e4)})  # far too coarse for it
    assert not found.good
    assert found.shown is before
    assert "stays" in report(found, None)


def test_a_target_is_reached_within_bounds(study):
    goal = fx.statics(study.model, {"left": 0.8}).pose("arm.tip")[:3, 3]
    found = study.reach({"arm.tip": goal}, {"left": (0.0, 5.0)})
    assert found.result.inputs["left"] == pytest.approx(0.8, rel=1e-6)
    held = study.reach({"arm.tip": goal}, {"left": (0.0, 0.5)})
    assert held.result.inputs["left"] == pytest.approx(0.5)
    assert held.words


def test_another_description_of_the_same(study):
    study.solve({**study.inputs, "left": 1.0})
    other = study.described(fx.Spline(3, 12))
    assert other.inputs["left"] == pytest.approx(1.0)
    assert 0.0 < study.apart(other) < 1e-5


def test_a_study_follows_another(study):
    other = study.described(fx.Spline(3, 12))
    study.solve({**study.inputs, "left": 0.7})
    other.follow(study)
    before = other.finding
    assert other.inputs["left"] == pytest.approx(0.7)
    other.follow(study)
    assert other.finding is before


def test_another_robot_keeps_what_it_has_too(study):
    """Inputs, descriptions and mechanics of one's own; what it has not is left out."""
    added = []
    own = Study(fx.build(arm(), fx.LinearStrain(4), also=[added.append]), {"left": 1.0})
    steel = own.model.robot.rods[0].material
    second = fx.Rod("second", 0.1, fx.Circle(4e-4), steel)
    longer = arm(0.4)
    joints = [*longer.joints, fx.Weld("world", "second.base")]
    other = own.rebuilt(replace(longer, rods=(*longer.rods, second), joints=joints, loads=()))
    assert other.model.robot.rods[0].length == 0.4
    assert other.inputs["left"] == pytest.approx(1.0)
    assert "tip" not in other.inputs
    assert set(other.model.rods.values()) == {fx.LinearStrain(4)}
    assert len(added) == 2


def test_a_report_says_what_counts(study):
    found = study.solve({**study.inputs, "left": 1.0})
    said = report(found, 2.5e-7)
    for word in ("stable", "energy", "250 nm", "ms"):
        assert word in said
