import numpy as np
import pytest
from support import refused

from flexura.errors import ModelError
from flexura.robot import At, Ball, Body, Circle, Hinge, Material, Rod, Slider, Weld

OFFSET = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], dtype=float)


def test_weld():
    weld = Weld("world", "arm.base", offset=OFFSET)
    assert weld.label == "world-arm.base"
    assert Weld("world", "arm.base", name="grip").label == "grip"
    assert Weld("world", At("arm", 0.25)).label == "world-arm@0.25"
    assert np.array_equal(weld.transform, OFFSET)
    assert np.array_equal(Weld("world", "arm.base").transform, np.eye(4))
    assert hash(weld) == hash(Weld("world", "arm.base", OFFSET.tolist()))


@pytest.mark.parametrize("cls", [Hinge, Slider])
def test_joints_with_an_axis(cls):
    joint = cls("j", "world", "arm.base", axis=(0, 3, -4), offset=OFFSET)
    assert joint.axis == (0.0, 0.6, -0.8)
    assert (joint.label, joint.driven) == ("j", False)
    assert np.array_equal(joint.transform, OFFSET)
    same = cls("j", "world", "arm.base", np.array([0, 0.6, -0.8]), OFFSET.tolist(), np.False_)
    assert joint == same
    assert hash(joint) == hash(same)


@pytest.mark.parametrize("axis", [(5e-324, 0, 0), (1.7e308,) * 3, (1e-200, 1e200, 0), (-2, 0, 0)])
def test_axes_of_any_length_become_unit_vectors(axis):
    found = Hinge("h", "world", "arm.base", axis).axis
    assert abs(np.linalg.norm(found) - 1.0) <= 9e-16  # four units in the last place
    largest = np.argmax(np.abs(axis))
    assert np.sign(found[largest]) == np.sign(axis[largest])
    assert Hinge("h", "world", "arm.base", found).axis == found


def test_an_axis_that_is_given_again_stays_the_same():
    for axis in np.random.default_rng(0).normal(size=(1000, 3)):
        once = Slider("s", "world", "arm.base", axis).axis
        assert Slider("s", "world", "arm.base", once).axis == once


def test_a_hinge_turns_about_its_axis_by_the_right_hand():
    hinge = Hinge("h", "world", "arm.base", axis=(0, 0, 2))
    T = hinge.motion(np.pi / 2)
    expected = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(T, expected, atol=1e-15)  # rounding of pi
    np.testing.assert_array_equal(hinge.motion(0), np.eye(4))
    T = Hinge("h", "world", "arm.base", axis=(1, 1, 1)).motion(2 * np.pi / 3)  # x to y to z
    np.testing.assert_allclose(T[:3, :3], np.eye(3)[[2, 0, 1]], atol=1e-15)


def test_a_slider_slides_along_its_axis():
    slider = Slider("s", "world", "arm.base", axis=(0, 3, 4))
    T = slider.motion(-0.5)
    np.testing.assert_array_equal(T[:3, :3], np.eye(3))
    np.testing.assert_allclose(T[:3, 3], (0, -0.3, -0.4), atol=1e-16)
    np.testing.assert_array_equal(slider.motion(0), np.eye(4))


def test_a_ball_has_no_axis():
    ball = Ball("b", "plate", "arm.tip", OFFSET)
    assert ball == Ball("b", "plate", "arm.tip", offset=OFFSET.tolist())
    assert ball.label == "b"
    assert np.array_equal(ball.transform, OFFSET)


def test_where_joints_hold_rods():
    joint = Hinge("h", At("arm", 0.1), At("leg", 0.2), (0, 0, 1))
    assert joint.jumps == (("arm", 0.1), ("leg", 0.2))
    assert Weld("arm.tip", At("plate")).jumps == (("plate", 0.0),)


@pytest.mark.parametrize(
    ("cls", "arguments", "words"),
    [
        (Weld, ("world", "world"), ["Weld", "another frame", "'world'"]),
        (Weld, ("world", ""), ["b must be", "''", "At('backbone', s=0.1)"]),
        (Weld, (None, "arm.base"), ["a must be", "None"]),
        (Weld, ("world", 3), ["b must be", "3"]),
        (Weld, ("world", "arm.base", 1.0), ["offset", "4x4"]),
        (Weld, ("world", "arm.base", None, ""), ["name", "''"]),
        (Hinge, (None, "world", "arm.base", (0, 0, 1)), ["Hinge: name", "None"]),
        (Hinge, ("h", "arm.tip", "arm.tip", (0, 0, 1)), ["Hinge 'h': b", "another frame than a"]),
        (Hinge, ("h", "world", "arm.base", (0, 0, 0)), ["Hinge 'h': axis", "not all zero"]),
        (Hinge, ("h", "world", "arm.base", (0, -0.0, 0)), ["axis", "(0, 0, 1) for the z axis"]),
        (Hinge, ("h", "world", "arm.base", "z"), ["axis", "3 finite numbers", "'z'"]),
        (Hinge, ("h", "world", "arm.base", (0, np.inf, 0)), ["axis[1]", "inf"]),
        (Hinge, ("h", "world", "arm.base", (0, 0, 1), np.eye(3)), ["Hinge 'h': offset", "4x4"]),
        (Hinge, ("h", "world", "arm.base", (0, 0, 1), None, 1), ["driven", "True or False"]),
        (Slider, ("", "world", "arm.base", (0, 0, 1)), ["Slider: name", "''"]),
        (Slider, ("s", "world", 1, (0, 0, 1)), ["Slider 's': b must be", "1"]),
        (Slider, ("s", "world", "arm.base", (0, 0)), ["Slider 's': axis", "3 finite", "(0, 0)"]),
        (Slider, ("s", "world", "arm.base", (0, 0, 1), None, "yes"), ["driven", "'yes'"]),
        (Ball, ("b", "arm.tip", None), ["Ball 'b': b must be", "None"]),
        (Ball, ("b", "arm.tip", "arm.tip"), ["Ball 'b': b", "another frame than a"]),
        (Ball, (1, "arm.tip", "plate"), ["Ball: name", "1"]),
        (Ball, ("b", "arm.tip", "plate", 2 * np.eye(4)), ["Ball 'b': offset", "last row"]),
    ],
)
def test_bad_joints_are_named(cls, arguments, words):
    with refused(words):
        cls(*arguments)


@pytest.mark.parametrize("value", [None, np.nan, np.inf, "1", (1, 2), 10**400])
def test_bad_coordinates_are_named(value):
    with pytest.raises(ModelError, match="Hinge 'h': angle must be a finite number"):
        Hinge("h", "world", "arm.base", (0, 0, 1)).motion(value)
    with pytest.raises(ModelError, match="Slider 's': displacement must be a finite number"):
        Slider("s", "world", "arm.base", (0, 0, 1)).motion(value)


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        (Weld("arm.base", At("arm")), ["Weld 'arm.base-arm'", "both", "'arm.base'"]),
        (Ball("b", "plate", At("plate", offset=OFFSET)), ["Ball 'b'", "carried by 'plate'"]),
        (Hinge("h", At("arm", 0.3), At("arm", 0.1 + 0.2, OFFSET), (1, 0, 0)), ["'arm@0.3'"]),
        (Slider("s", "world", At("arm", 2.0), (1, 0, 0)), ["Slider 's': b.s", "[0, 1.0] m"]),
        (Slider("s", At("plate", 0.1), "world", (1, 0, 0)), ["Slider 's': a.s must be 0"]),
        (Ball("b", "plat", "world"), ["no frame 'plat'", "Did you mean 'plate'"]),
    ],
)
def test_frames_that_a_joint_cannot_join_are_named(joint, words):
    rods = {"arm": Rod("arm", 1.0, Circle(1e-3), Material(1e9, 0.3))}
    with refused(words):
        joint.check(rods, {"plate": Body("plate")})
