"""Tendons that cannot be shortened one by one: a robot that does not stretch, and all are taut."""

import numpy as np
import pytest
from tendon_arm import COARSE, UP, WIRE, three_tendons

import flexura as fx
from flexura.solve.derivative.response import Response

NAMES = ["t1", "t2", "t3"]


@pytest.fixture(scope="module")
def model():
    return fx.build(three_tendons(drive="length"), rods=COARSE)


@pytest.fixture(scope="module")
def there(model):
    return fx.statics(model, {"t1": 3e-3, "t2": -1e-3, "t3": -4e-3}).unwrap()


@pytest.mark.parametrize("bounds", [{}, dict.fromkeys(NAMES, (-5e-3, 5e-3))], ids=["free", "bound"])
@pytest.mark.parametrize("start", [None, {"t1": 1e-3, "t2": -1e-3 / 3, "t3": -3e-3}])
def test_targets_within_reach_are_reached(model, there, bounds, start):
    x, y, _ = there.pose("arm.tip")[:3, 3]
    begin = None if start is None else fx.statics(model, start).unwrap()
    answer = fx.inverse(model, {"arm.tip": (x, y, np.nan)}, bounds=bounds, start=begin).unwrap()
    assert answer.iterations <= 10
    # as little tension as does it: that of the equilibrium with a tendon that hangs
    np.testing.assert_allclose(answer.result.tensions, there.tensions, atol=1e-6)
    assert sum(float(u) for u in answer.inputs.values()) == pytest.approx(0.0, abs=1e-8)


def test_a_path_is_followed(model):
    turns = np.linspace(0.0, 2.0 * np.pi, 9)
    path = [{"arm.tip": (0.03 * np.cos(a), 0.03 * np.sin(a), np.nan)} for a in turns]
    answers = fx.inverse(model, path)
    assert answers.converged
    assert max(answer.iterations for answer in answers) <= 10
    assert max(answer.result.tensions.max() for answer in answers) < 1.0


@pytest.mark.parametrize("choice", [COARSE, fx.Spline(3, 6)], ids=str)
def test_an_antagonistic_pair(choice):
    pair = [
        fx.Tendon(name, "arm", fx.Parallel(y, 0.0), drive="length")
        for name, y in (("a", 8e-3), ("b", -8e-3))
    ]
    model = fx.build(fx.Robot("pair", rods=[WIRE], joints=[UP], tendons=pair), rods=choice)
    answer = fx.inverse(model, {"arm.tip": (np.nan, 0.03, np.nan)}).unwrap()
    assert answer.result.tensions[0] < 1.0
    assert answer.result.tensions[1] == pytest.approx(0.0, abs=1e-3)


def test_tensions_that_do_nothing_are_those_that_bend_nothing(model):
    """Three equal ones push a straight arm together; lengths change by what adds up to zero."""
    start = fx.inverse(model, {"arm.tip": (1e-6, 0.0, np.nan)}).result
    response = Response("a test", start, np.arange(3))
    found = response.by_inputs(NAMES)
    assert np.abs(found.multipliers).max() < 1e3  # N/m; bending alone, EI / (l r²)
    np.testing.assert_allclose(
        found.motion.sum(axis=1), 0.0, atol=1e-6 * np.abs(found.motion).max()
    )


def test_steps_limit_how_much_slack_is_taken_up():
    model = fx.build(three_tendons(drive="length", stiffness=2e3), rods=COARSE)
    start = fx.statics(model, {"t1": 2e-3, "t2": -2e-3, "t3": -4e-3}).unwrap()
    assert start.slack("t3")
    x, y, _ = start.pose("arm.tip")[:3, 3]
    path = [{"arm.tip": (x, y, np.nan)}] * 3
    answers = fx.inverse(model, path, start=start, steps=dict.fromkeys(NAMES, 1e-4))
    taken = np.diff([-4e-3, *answers.inputs["t3"]])
    np.testing.assert_allclose(taken, 1e-4, rtol=1e-9)
    assert answers[0].active["t3.step"] == "upper"


@pytest.mark.parametrize("stiffness", [None, 2e3])
def test_a_tendon_that_cannot_be_shortened_may_hang(stiffness):
    """Two tendons bend the arm towards the one between them, which may not be shortened."""
    tendons = [
        fx.Tendon(
            f"t{i}",
            "arm",
            fx.Parallel(8e-3 * np.cos(a), 8e-3 * np.sin(a)),
            drive="length",
            stiffness=stiffness,
        )
        for i, a in enumerate((-np.pi / 3.0, 0.0, np.pi / 3.0), 1)
    ]
    model = fx.build(fx.Robot("fan", rods=[WIRE], joints=[UP], tendons=tendons), rods=COARSE)
    there = fx.statics(model, {"t1": 1e-3, "t3": 1e-3}).unwrap()
    target = there.pose("arm.tip")[:2, 3]
    answer = fx.inverse(model, {"arm.tip": (*target, np.nan)}, bounds={"t2": (None, 0.0)})
    assert answer.converged
    assert answer.result.slack("t2")
    assert float(answer.inputs["t1"]) == pytest.approx(1e-3, rel=1e-6)
