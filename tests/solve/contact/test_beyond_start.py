"""Limits of forces that fall whichever way inputs go: the better side of the start is found."""

from types import SimpleNamespace

import numpy as np
import pytest

import flexura as fx
from flexura.result.inverse import InverseStatus
from flexura.solve.inverse.search import Search

STRAIGHT = [(x, 0, 0) for x in np.arange(-0.35, 0.01, 0.05)]
BEND = [(0.05, 0, 0), (0.1, 0.02, 0), (0.13, 0.06, 0), (0.14, 0.11, 0), (0.14, 0.2, 0)]


@pytest.fixture(scope="module")
def fed():
    """A catheter that was fed around a bend of a vessel, by 0.139 m; it presses with 20 mN."""
    stuff = fx.Material(young=5e7, poisson=0.4, density=1100.0)
    base = fx.lie.se3.pose((-0.3, 0, 0))
    robot = fx.Robot(
        "catheter",
        rods=[fx.Rod("cath", 0.3, fx.Circle(1e-3), stuff)],
        joints=[fx.Slider("feed", "world", "cath.base", (1, 0, 0), offset=base, driven=True)],
        obstacles=[fx.Obstacle("vessel", fx.Vessel([*STRAIGHT, *BEND], radius=4e-3))],
        contacts=[fx.Contact("cath", "vessel", friction=0.05)],
    )
    model, found = fx.build(robot, rods=fx.Spline(degree=3, spans=16)), None
    for feed in (0.0, 0.08, 0.1, 0.115, 0.1275, 0.139):
        found = fx.statics(model, {"feed": feed}, start=found).unwrap()
    return found


def test_a_catheter_is_drawn_back_where_it_shall_press_less(fed):
    """As with a bound that keeps it from being pushed on; statics from the start agrees."""
    target, limit = {"cath.tip": (np.nan, 0.05, np.nan)}, {("cath", "vessel"): (0, 1e-3)}
    free = fx.inverse(fed.model, target, using=["feed"], bounds=limit, start=fed)
    held = limit | {"feed": (0, 0.15)}
    kept = fx.inverse(fed.model, target, using=["feed"], bounds=held, start=fed)
    assert free.status is kept.status is fx.InverseStatus.CLOSEST
    assert free.inputs["feed"] == pytest.approx(kept.inputs["feed"], rel=1e-5)
    assert free.result.pressing("cath", "vessel") <= 1e-3 * (1.0 + 1e-6)
    again = fx.statics(fed.model, free.inputs, start=fed).unwrap()
    np.testing.assert_allclose(again.pose("cath.tip"), free.result.pose("cath.tip"), atol=1e-9)


@pytest.mark.parametrize(
    ("ends", "status", "expected"),
    [
        ((2.0, 3.0), InverseStatus.INFEASIBLE, "start"),
        ((1.0, 3.0), InverseStatus.INFEASIBLE, "start"),
        ((0.5, 3.0), InverseStatus.INFEASIBLE, "end"),
        ((2.0, 1.0), InverseStatus.INFEASIBLE, "end"),
    ],
)
def test_what_is_worse_than_the_start_in_all_is_not_given(ends, status, expected):
    """By how much limits are broken, and the error."""
    start, end = (SimpleNamespace(broken=x, objective=y) for x, y in ((1.0, 2.0), ends))
    search = Search.__new__(Search)
    search.place, search.status = end, status
    search.no_worse_than(start)
    assert search.place is (start if expected == "start" else end)
    assert search.status is status


def test_broken_bounds_of_tensions_are_told_with_their_numbers():
    """A finger whose tendon may not be let out as far as it would take."""
    rubber = fx.Material(young=1e6, poisson=0.45, density=1100.0)
    there = fx.lie.se3.pose((0.07, 0.0, -0.0265))
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("finger", 0.08, fx.Circle(radius=4e-3), rubber)],
        joints=[fx.Weld("world", "finger.base")],
        tendons=[fx.Tendon("flexor", "finger", fx.Parallel(0.0, -3e-3), drive="length")],
        obstacles=[fx.Obstacle("ball", fx.Sphere(0.02), pose=there)],
        contacts=[fx.Contact("finger", "ball")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 6))
    start = None
    for short in (1e-3, 2e-3, 3e-3):
        start = fx.statics(model, {"flexor": short}, start=start).unwrap()
    pull = float(start.tension("flexor"))
    limit = 0.5 * pull
    answer = fx.inverse(
        model,
        {("finger", "ball"): start.pressing("finger", "ball")},
        using=["flexor"],
        bounds={"flexor.tension": (0.0, limit), "flexor": (2.9e-3, 3.1e-3)},
        start=start,
    )
    assert answer.status is fx.InverseStatus.INFEASIBLE
    tension = float(answer.result.tension("flexor"))
    assert answer.active["flexor.tension"] == "above"
    told = f"flexor.tension is {tension:.4g} N, {tension - limit:.4g} N above {limit:.4g} N"
    assert told in answer.remarks
    assert told in str(answer)
