"""Derivatives by places along rods, also where other places are near: differences of solves."""

import differences
import numpy as np
import pytest
from support import mixed

import flexura as fx

END = 0.15
DESCRIPTIONS = [
    fx.Spline(), fx.VariableStrain(), fx.LinearStrain(), fx.Hermite(), fx.Power(),
    fx.RotationInterpolation(),
]  # fmt: skip


def arm(end=END, at=0.2):
    """A soft arm with a tendon along a part of it, and a load inside."""
    return fx.Robot(
        "arm",
        [fx.Rod("arm", 0.3, fx.Circle(0.01), fx.Material(1e6, 0.45))],
        joints=[fx.Weld("world", "arm.base")],
        tendons=[fx.Tendon("t", "arm", fx.Parallel(8e-3, 0.0), end=end)],
        loads=[fx.PointLoad("p", fx.At("arm", at), force=(0.0, 0.0, 0.3))],
    )


def solved(robot, choice=None):
    return fx.statics(fx.build(robot, rods=choice or fx.Spline()), {"t": 2.0}).unwrap()


def tip(result):
    return result.pose("arm.tip")[:3, 3]


@mixed(apart=[1e-2, 1e-4, -1e-5], choice=DESCRIPTIONS)
def test_places_that_are_close(apart, choice):
    """Closer than a thousandth of the place: steps are made shorter than what is between."""
    at, step = END + apart, 1e-3 * abs(apart)
    result = solved(arm(at=at), choice)
    turn = result.pose("arm.tip")[:3, :3]
    changes = {
        "t.end": lambda x: arm(end=END + x, at=at),
        "p.at.s": lambda x: arm(at=at + x),
    }
    # positions are rounded to 1e-15 m and more, over steps of 1e-8 m
    close = 1e-16 / step + 1e-8
    for path, robot in changes.items():
        around = [tip(solved(robot(k * step), choice)) for k in (-2, -1, 1, 2)]
        expected = differences.slope(around, step)
        for found in (
            turn @ fx.sensitivity(result, "arm.tip", path)[3:],
            fx.sensitivity(result, tip, path),
        ):
            np.testing.assert_allclose(found, expected, atol=30.0 * close, err_msg=path)


def test_an_end_of_an_element_is_a_place():
    """The end of the tendon is just before the middle of the rod, where a section ends."""
    choice, step = fx.ConstantStrain(sections=4), 1e-6
    result = solved(arm(end=END - 1e-5), choice)
    around = [tip(solved(arm(end=END - 1e-5 + k * step), choice)) for k in (-2, -1, 1, 2)]
    found = fx.sensitivity(result, tip, "t.end")
    np.testing.assert_allclose(found, differences.slope(around, step), atol=1e-6)


@pytest.mark.parametrize(
    ("robot", "path"), [(arm(), "t.start"), (arm(at=END), "t.end"), (arm(at=END), "p.at.s")]
)
def test_places_that_make_new_nodes_are_refused(robot, path):
    with pytest.raises(fx.ModelError, match=f"'{path}' cannot be varied.*makes new nodes"):
        fx.sensitivity(solved(robot), "arm.tip", path)


def test_places_that_are_taken_as_one_are_refused():
    """Closer than a millionth of the rod they have one node."""
    with pytest.raises(fx.ModelError, match="makes new nodes"):
        fx.sensitivity(solved(arm(at=END + 1e-8)), "arm.tip", "t.end")
