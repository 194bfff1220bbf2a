import numpy as np
import pytest
from support import refused

from flexura.errors import ModelError, UnknownName
from flexura.robot import Anchor, At, Body, Circle, Material, Rod, anchor_of

ROTATION = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def pose(rotation=ROTATION, translation=(1.0, 2.0, 3.0)):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation, translation
    return T


RODS = {name: Rod(name, 0.3, Circle(1e-3), Material(1e9, 0.3)) for name in ("arm", "b-1")}
BODIES = {"plate": Body("plate")}


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("world", Anchor("world")),
        ("arm.base", Anchor("arm", "base")),
        ("b-1.tip", Anchor("b-1", "tip")),
        ("plate", Anchor("plate")),
    ],
)
def test_frames_with_a_name_are_their_own_anchors(frame, expected):
    found, offset = anchor_of(frame, RODS, BODIES)
    assert found == expected
    assert str(found) == found.frame == frame
    assert np.array_equal(offset, np.eye(4))


def test_anchors_know_what_they_are():
    world, body, end, point = Anchor("world"), Anchor("b"), Anchor("r", "tip"), Anchor("r", s=0.5)
    anchors = [world, body, end, point]
    assert [anchor.is_world for anchor in anchors] == [True, False, False, False]
    assert [anchor.is_body for anchor in anchors] == [False, True, False, False]
    assert [anchor.on_rod for anchor in anchors] == [False, False, True, True]
    assert [str(anchor) for anchor in anchors] == ["world", "b", "r.tip", "r@0.5"]
    assert point.frame == At("r", 0.5)
    assert len({*anchors, Anchor("r", "base"), Anchor("r", s=0.25)}) == 6


def test_names_that_look_like_frames_confuse_nothing():
    rods = {name: Rod(name, 1.0, Circle(1e-3), Material(1e9, 0.3)) for name in ("r", "tip", "base")}
    assert anchor_of("tip.tip", rods, {})[0] == Anchor("tip", "tip")
    assert anchor_of("base.tip", rods, {})[0] == Anchor("base", "tip")
    for text in ("r.tip", "r@0.5", "world"):
        assert Anchor(text) not in (Anchor("r", "tip"), Anchor("r", s=0.5))
        with refused(["name must be", "without '.' and '@'", repr(text)]):
            Body(text)
        with refused(["name must be", "without '.' and '@'", repr(text)]):
            Rod(text, 1.0, Circle(1e-3), Material(1e9, 0.3))


@pytest.mark.parametrize(
    ("point", "name"),
    [
        (At("arm"), "arm.base"),
        (At("arm", 1e-14), "arm.base"),
        (At("arm", 0.3), "arm.tip"),
        (At("arm", 0.1 + 0.2), "arm.tip"),
        (At("arm", 0.3 - 1e-14), "arm.tip"),
        (At("arm", 0.25), "arm@0.25"),
        (At("arm", 0.1 + 0.7 - 0.6), "arm@0.2"),
        (At("plate"), "plate"),
    ],
)
def test_points_have_an_anchor_and_keep_their_offset(point, name):
    found, offset = anchor_of(At(point.rod, point.s, pose()), RODS, BODIES)
    assert str(found) == name
    assert np.array_equal(offset, pose())
    assert np.array_equal(anchor_of(point, RODS, BODIES)[1], np.eye(4))


@pytest.mark.parametrize(
    ("frame", "suggestion"),
    [
        ("arm.bse", "arm.base"),
        ("amr.tip", "arm.tip"),
        ("wrld", "world"),
        ("arm.base.x", "arm.base"),
        ("plte", "plate"),
        ("plate.base", "plate"),
        (At("plte"), "plate"),
        (At("amr", 0.1), "arm"),
    ],
)
def test_unknown_frames_are_suggested(frame, suggestion):
    name = frame.rod if isinstance(frame, At) else frame
    with pytest.raises(UnknownName, match=f"{name}.*Did you mean '{suggestion}'"):
        anchor_of(frame, RODS, BODIES)


@pytest.mark.parametrize("frame", ["arm", "arm.", ".base", "", "base", "arm@0.1"])
def test_half_a_frame_is_none(frame):
    with pytest.raises(UnknownName, match=r"'arm\.base', 'arm\.tip', .*'plate', 'world'"):
        anchor_of(frame, RODS, BODIES)


def test_points_must_be_on_their_rod_or_body():
    with pytest.raises(ModelError, match=r"Rod 'arm': s must be in \[0, 0\.3\] m"):
        anchor_of(At("arm", 0.4), RODS, BODIES)
    with pytest.raises(ModelError, match=r"Pulley 'p': at\.s must be 0, got 0\.1; .* offset="):
        anchor_of(At("plate", 0.1), RODS, BODIES, "Pulley 'p'", "at.s")
    with pytest.raises(UnknownName, match="no rod 'q'; there is 'arm'"):
        anchor_of(At("q"), {"arm": RODS["arm"]}, {})


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
        (("arm", 0.0, pose(rotation=1e49 * ROTATION)), ["rotation", "off by"]),
        (("arm", 0.0, pose(translation=np.nan)), ["offset[0][3]", "nan"]),
        (("arm", 0.0, "here"), ["offset", "'here'"]),
    ],
)
def test_bad_points_are_named(arguments, words):
    with refused(words):
        At(*arguments)


def test_a_rotation_typed_with_nine_digits_is_one():
    c = round(np.sqrt(0.5), 9)
    At("arm", 0.0, pose(rotation=[[c, -c, 0], [c, c, 0], [0, 0, 1]]))


def test_points_as_text():
    assert str(At("arm", 0.25)) == "arm@0.25"
    assert str(At("plate", offset=pose())) == "plate"
