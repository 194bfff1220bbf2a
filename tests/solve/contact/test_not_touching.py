"""Forces of contacts that do not touch where a search begins."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.solve.derivative.response import Response
from flexura.solve.inverse.apart import gap_slopes, gaps

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1100.0)


def press(friction=0.0, slides=False):
    """A finger above a ball, which is fixed or slides towards the finger, driven."""
    ball = fx.Sphere(0.02)
    place = se3.pose((0.08, 0.0, -0.03))
    hold = fx.Slider("lift", "world", "ball", (0, 0, 1), offset=place, driven=True)
    return fx.build(
        fx.Robot(
            "press",
            rods=[fx.Rod("finger", 0.1, fx.Circle(radius=5e-3), RUBBER)],
            joints=[fx.Weld("world", "finger.base"), *([hold] if slides else [])],
            tendons=[fx.Tendon("pull", "finger", fx.Parallel(0.0, -4e-3))],
            bodies=[fx.Body("ball", mass=0.02, shape=ball)] if slides else [],
            obstacles=[] if slides else [fx.Obstacle("ball", ball, pose=place)],
            contacts=[fx.Contact("finger", "ball", friction)],
        ),
        rods=fx.Spline(3, 10),
    )


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("with_start", [False, True])
@pytest.mark.parametrize("bounds", [None, {"pull": (0.0, 5.0)}])
def test_a_force_as_a_first_question(friction, with_start, bounds):
    """The least pull that presses as much: another one hangs the finger around the ball."""
    model = press(friction)
    start = fx.statics(model).unwrap() if with_start else None
    asked = {("finger", "ball"): 0.02}
    answer = fx.inverse(model, asked, ["pull"], bounds, start)
    assert answer.status is fx.InverseStatus.REACHED
    assert answer.result.pressing("finger", "ball") == pytest.approx(0.02, rel=2e-6)
    scan = [
        fx.statics(model, {"pull": pull}, start).unwrap().pressing("finger", "ball")
        for pull in np.linspace(0.0, 0.99 * float(answer.inputs["pull"]), 6)
    ]
    assert max(scan) < 0.02


@pytest.mark.parametrize("slides", [False, True])
def test_slopes_of_gaps_are_those_of_differences(slides):
    model = press(slides=slides)
    name, begin, step = ("lift", 1e-3, 1e-5) if slides else ("pull", 0.1, 1e-4)
    ends = [gaps(fx.statics(model, {name: begin + d}).unwrap(), [0])[0] for d in (-step, 0.0, step)]
    assert ends[1] > 0.0
    here = fx.statics(model, {name: begin}).unwrap()
    slope = gap_slopes(here, [0], Response("test", here).by_inputs([name]))
    # the difference is good to the square of the step, and to rounding over it
    assert slope[0, 0] == pytest.approx((ends[2] - ends[0]) / (2.0 * step), rel=1e-4)


def test_what_cannot_touch_says_so():
    answer = fx.inverse(press(), {("finger", "ball"): 0.02}, ["pull"], {"pull": (0.0, 0.05)})
    assert answer.status is fx.InverseStatus.INFEASIBLE
    assert float(answer.inputs["pull"]) == pytest.approx(0.05)  # as near as it may be
    assert any("do not touch" in x and "start=" in x for x in answer.remarks)


def test_what_touches_nothing_is_found_as_if_nothing_were_there():
    """A rod that bends far, away from a ball: steps are short beside contacts, and lead there."""
    parts = {
        "rods": [fx.Rod("finger", 0.1, fx.Circle(radius=5e-3), RUBBER)],
        "joints": [fx.Weld("world", "finger.base")],
        "loads": [fx.PointLoad("tip", "finger.tip", force=(0.0, 0.0, 0.2))],
    }
    ball = fx.Obstacle("ball", fx.Sphere(0.02), pose=se3.pose((0.08, 0.0, -0.03)))
    beside = {"obstacles": [ball], "contacts": [fx.Contact("finger", "ball", 0.3)]}
    alone, found = (fx.statics(fx.build(fx.Robot("bends", **parts, **x))) for x in ({}, beside))
    assert found.status is alone.status is fx.Status.CONVERGED
    tips = (x.pose("finger.tip") for x in (alone, found))
    np.testing.assert_allclose(*tips, atol=1e-9)
