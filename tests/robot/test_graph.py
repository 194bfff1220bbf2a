from itertools import pairwise

import numpy as np
import pytest

from flexura.errors import ModelError, UnknownName
from flexura.robot import At, Circle, Material, Rod, Weld, rigid_groups, side


def rods(names):
    return [Rod(name, 1.0, Circle(1e-3), Material(1e9, 0.3)) for name in names]


def pose(angle, translation):
    c, s = np.cos(angle), np.sin(angle)
    T = np.eye(4)
    T[:2, :2], T[:3, 3] = [[c, -s], [s, c]], translation
    return T


def frames(groups):
    return [list(group.frames) for group in groups]


def test_a_clamped_rod():
    groups = rigid_groups(rods("a"), [Weld("world", "a.base")])
    assert frames(groups) == [["world", "a.base"], ["a.tip"]]
    assert [group.fixed for group in groups] == [True, False]
    assert [group.reference for group in groups] == ["world", "a.tip"]


def test_a_tree_is_ordered_as_the_rods_are():
    welds = [Weld("c.tip", "a.base"), Weld("b.base", "c.tip"), Weld("c.base", "world")]
    groups = rigid_groups(rods("abc"), welds)
    assert frames(groups) == [
        ["world", "c.base"],
        ["a.base", "c.tip", "b.base"],
        ["a.tip"],
        ["b.tip"],
    ]


def test_poses_are_composed_along_the_welds():
    T_tip_b, T_c_b = pose(0.3, (1, 2, 3)), pose(-1.1, (0, 5, 1))
    welds = [
        Weld("world", "a.base", pose(0.5, (1, 0, 0))),
        Weld("a.tip", "b.base", T_tip_b),
        Weld("c.base", "b.base", T_c_b),
    ]
    world, joint, *_ = rigid_groups(rods("abc"), welds)
    assert np.array_equal(world.frames["a.base"], pose(0.5, (1, 0, 0)))
    assert joint.reference == "a.tip"
    np.testing.assert_array_equal(joint.frames["b.base"], T_tip_b)
    expected = T_tip_b @ np.linalg.inv(T_c_b)
    np.testing.assert_allclose(joint.frames["c.base"], expected, atol=1e-14)  # rounding


def test_a_rod_may_hang_by_its_tip():
    assert frames(rigid_groups(rods("a"), [Weld("world", "a.tip")])) == [
        ["world", "a.tip"],
        ["a.base"],
    ]


@pytest.mark.parametrize(
    ("names", "welds", "expected"),
    [
        ("a", [("world", "a.base"), ("world", "a.tip")], [["world", "a.base", "a.tip"]]),
        ("a", [("world", "a.base"), ("a.base", "a.tip")], [["world", "a.base", "a.tip"]]),
        (
            "ab",
            [("world", "a.base"), ("a.tip", "b.base"), ("b.tip", "world")],
            [["world", "a.base", "b.tip"], ["a.tip", "b.base"]],
        ),
        (
            "ab",
            [("world", "a.base"), ("a.tip", "b.base"), ("b.tip", "a.tip")],
            [["world", "a.base"], ["a.tip", "b.base", "b.tip"]],
        ),
    ],
)
def test_rods_may_close_loops(names, welds, expected):
    assert frames(rigid_groups(rods(names), [Weld(a, b) for a, b in welds])) == expected


def test_sides_of_a_weld():
    welds = [Weld("world", "a.base"), Weld("a.tip", "b.base"), Weld("b.base", "c.base")]
    assert side(welds, welds[0]) == {"a.base"}
    assert side(welds, welds[1]) == {"b.base", "c.base"}
    assert side(welds, welds[2]) == {"c.base"}
    assert side([Weld("a.base", "world")], Weld("a.base", "world")) == {"world"}


@pytest.mark.parametrize(
    ("names", "welds", "words"),
    [
        ("a", [], ["rod 'a' is attached to nothing", "add Weld('world', 'a.base')"]),
        ("ab", [("world", "a.base")], ["rod 'b' is attached to nothing", "'b.base'"]),
        ("ab", [("a.tip", "b.base")], ["rod 'a' is attached to nothing"]),
        ("ab", [("world", "a.base"), ("b.base", "b.tip")], ["rod 'b' is attached to nothing"]),
        (
            "abc",
            [("world", "a.base"), ("b.tip", "c.base"), ("c.tip", "b.base")],
            ["rod 'b' is attached to nothing"],
        ),
        (
            "a",
            [("world", "a.base"), ("world", "a.tip"), ("a.base", "a.tip")],
            ["attached twice", "remove one"],
        ),
        (
            "a",
            [("world", "a.base"), ("a.base", "world")],
            ["'a.base' is attached twice", "'world-a.base'", "'a.base-world'", "remove one"],
        ),
        (
            "ab",
            [("world", "a.base"), ("a.base", "b.base"), ("world", "b.base")],
            ["attached twice", "'a.base-b.base'"],
        ),
        ("a", [("world", At("a", 0.5))], ["welds join rod ends and the world", "At(", "split"]),
    ],
)
def test_frames_attached_twice_and_floating_rods_are_refused(names, welds, words):
    with pytest.raises(ModelError) as caught:
        rigid_groups(rods(names), [Weld(a, b) for a, b in welds])
    for word in words:
        assert word in str(caught.value)


def test_unknown_frames_are_suggested():
    with pytest.raises(UnknownName, match=r"Did you mean 'a\.base'"):
        rigid_groups(rods("a"), [Weld("world", "a.bas")])


def test_a_thousand_rods_take_no_time():
    names = [f"r{i}" for i in range(1000)]
    chain = [Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(names)]
    assert len(rigid_groups(rods(names), [Weld("world", "r0.base"), *chain])) == 1001
    star = [Weld("world", f"{name}.base") for name in names]
    assert len(rigid_groups(rods(names), star)) == 1001
