import numpy as np
import pytest

from flexura.errors import ModelError, UnknownName
from flexura.robot import At, Frame, Weld, parse_frame

ROTATION = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def pose(rotation=ROTATION, translation=(1.0, 2.0, 3.0)):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation, translation
    return T


def test_names_of_frames():
    rods = ["arm-1", "b"]
    assert parse_frame("world", rods) == Frame("world")
    assert parse_frame("arm-1.base", rods) == Frame("base", "arm-1")
    assert parse_frame("b.tip", rods) == Frame("tip", "b")


@pytest.mark.parametrize(
    ("frame", "suggestion"),
    [
        ("arm.bse", "arm.base"),
        ("amr.tip", "arm.tip"),
        ("wrld", "world"),
        ("arm.base.x", "arm.base"),
    ],
)
def test_unknown_frames_are_suggested(frame, suggestion):
    with pytest.raises(UnknownName, match=f"{frame}.*Did you mean '{suggestion}'"):
        parse_frame(frame, ["arm"])


@pytest.mark.parametrize("frame", ["arm", "arm.", ".base", "", "base"])
def test_half_a_frame_is_none(frame):
    with pytest.raises(UnknownName, match=r"'arm\.base', 'arm\.tip', 'world'"):
        parse_frame(frame, ["arm"])


def test_at_and_its_offset():
    point = At("arm", 1, offset=pose())
    assert point == At("arm", 1.0, offset=pose().tolist())
    assert hash(point) == hash(At("arm", 1.0, pose().tolist()))
    assert np.array_equal(point.transform, pose())
    assert np.array_equal(At("arm", 0.5).transform, np.eye(4))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("arm", -0.1), ["At", "s must be", ">= 0", "-0.1"]),
        (("arm", "tip"), ["s must be", "'tip'", "plain number"]),
        ((None, 0.0), ["rod must be", "None"]),
        (("arm", 0.0, np.eye(3)), ["offset", "4x4", "four rows"]),
        (("arm", 0.0, [[1, 0, 0]] * 4), ["offset[0]", "4 finite numbers"]),
        (("arm", 0.0, np.diag([2.0, 2.0, 2.0, 1.0])), ["offset", "rotation", "3.0e+00", "scale"]),
        (("arm", 0.0, np.diag([1.0, 1.0, -1.0, 1.0])), ["offset", "det R = 1", "mirror"]),
        (("arm", 0.0, pose().T), ["offset", "last row", "last column"]),
        (("arm", 0.0, pose(rotation=1.0001 * ROTATION)), ["rotation", "nine digits"]),
        (("arm", 0.0, pose(rotation=1e200 * ROTATION)), ["rotation", "inf"]),
        (("arm", 0.0, pose(translation=np.nan)), ["offset[0][3]", "nan"]),
        (("arm", 0.0, "here"), ["offset", "'here'"]),
    ],
)
def test_bad_points_are_named(arguments, words):
    with pytest.raises(ModelError) as caught:
        At(*arguments)
    for word in words:
        assert word in str(caught.value)


def test_a_rotation_typed_with_nine_digits_is_one():
    c = round(np.sqrt(0.5), 9)
    At("arm", 0.0, pose(rotation=[[c, -c, 0], [c, c, 0], [0, 0, 1]]))


def test_weld():
    weld = Weld("world", "arm.base", offset=pose())
    assert weld.label == "world-arm.base"
    assert Weld("world", "arm.base", name="grip").label == "grip"
    assert np.array_equal(weld.transform, pose())
    assert np.array_equal(Weld("world", "arm.base").transform, np.eye(4))
    assert hash(weld) == hash(Weld("world", "arm.base", pose().tolist()))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("world", "world"), ["Weld", "another frame", "'world'"]),
        (("world", ""), ["b must be", "''", "At('backbone', s=0.1)"]),
        ((None, "arm.base"), ["a must be", "None"]),
        (("world", 3), ["b must be", "3"]),
        (("world", "arm.base", 1.0), ["offset", "4x4"]),
        (("world", "arm.base", None, ""), ["name", "''"]),
    ],
)
def test_bad_welds_are_named(arguments, words):
    with pytest.raises(ModelError) as caught:
        Weld(*arguments)
    for word in words:
        assert word in str(caught.value)
