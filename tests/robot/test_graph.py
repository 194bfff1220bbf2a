from itertools import pairwise

import numpy as np
import pytest
from support import refused

from flexura.errors import UnknownName
from flexura.robot import (
    Anchor,
    At,
    Ball,
    Body,
    Circle,
    Graph,
    Hinge,
    Material,
    Motor,
    Robot,
    Rod,
    Slider,
    Weld,
)


def rods(names):
    return [Rod(name, 1.0, Circle(1e-3), Material(1e9, 0.3)) for name in names]


def bodies(*names):
    return [Body(name) for name in names]


def pose(angle, translation):
    c, s = np.cos(angle), np.sin(angle)
    T = np.eye(4)
    T[:2, :2], T[:3, 3] = [[c, -s], [s, c]], translation
    return T


def rigid_groups(*parts):
    return Graph.of(*parts).groups


def texts(anchors):
    return [str(anchor) for anchor in anchors]


def frames(groups):
    return [texts(group.frames) for group in groups]


BASE = {name: Anchor(name, "base") for name in "abc"}


def test_a_clamped_rod():
    groups = rigid_groups(rods("a"), [], [Weld("world", "a.base")])
    assert frames(groups) == [["world", "a.base"], ["a.tip"]]
    assert [group.fixed for group in groups] == [True, False]
    assert [group.reference for group in groups] == [Anchor("world"), Anchor("a", "tip")]


def test_a_tree_is_ordered_as_the_rods_are():
    welds = [Weld("c.tip", "a.base"), Weld("b.base", "c.tip"), Weld("c.base", "world")]
    groups = rigid_groups(rods("abc"), [], welds)
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
    world, joint, *_ = rigid_groups(rods("abc"), [], welds)
    assert np.array_equal(world.frames[BASE["a"]], pose(0.5, (1, 0, 0)))
    assert joint.reference == Anchor("a", "tip")
    np.testing.assert_array_equal(joint.frames[BASE["b"]], T_tip_b)
    expected = T_tip_b @ np.linalg.inv(T_c_b)
    np.testing.assert_allclose(joint.frames[BASE["c"]], expected, atol=1e-14)  # rounding


def test_a_rod_may_hang_by_its_tip():
    assert frames(rigid_groups(rods("a"), [], [Weld("world", "a.tip")])) == [
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
    assert frames(rigid_groups(rods(names), [], [Weld(a, b) for a, b in welds])) == expected


def test_what_is_beyond_a_link():
    welds = [Weld("world", "a.base"), Weld("a.tip", "b.base"), Weld("b.base", "c.base")]
    world, joint, *_ = rigid_groups(rods("abc"), [], welds)
    (clamp,), (first, second) = world.links, joint.links
    assert [clamp.joint, first.joint, second.joint] == welds
    assert texts(world.beyond(clamp)) == ["a.base"]
    assert texts(joint.beyond(first)) == ["b.base", "c.base"]
    assert texts(joint.beyond(second)) == ["c.base"]
    world, *_ = rigid_groups(rods("ab"), [], [Weld("a.base", "world"), Weld("b.base", "a.base")])
    assert [texts(world.beyond(link)) for link in world.links] == [["a.base", "b.base"], ["b.base"]]


def test_links_of_a_motor_are_cut_one_by_one():
    drives = {"a.base": np.eye(4), "b.base": np.eye(4)}
    world, *_ = rigid_groups(rods("ab"), [], [Motor("m", (0, 0, 1), drives=drives)])
    assert [link.label for link in world.links] == ["m", "m"]
    assert [texts(world.beyond(link)) for link in world.links] == [["a.base"], ["b.base"]]


def test_driven_joints_and_motors_make_groups_and_free_ones_do_not():
    joints = [
        Motor("motor", (0, 0, 1), drives={"a.base": pose(0.2, (1, 0, 0))}),
        Slider("rail", "world", "cart", (1, 0, 0), driven=True),
        Hinge("elbow", "cart", "b.base", (0, 1, 0), pose(0.1, (0, 0, 2)), driven=True),
        Weld("a.tip", At("plate", offset=pose(0.4, (0, 1, 0)))),
        Ball("wrist", "plate", "b.tip"),
        Hinge("cross", At("a", 0.1 + 0.2), At("b", 0.3), (0, 0, 1)),
        Hinge("again", At("a", 0.3), "third", (0, 0, 1)),
    ]
    groups = rigid_groups(rods("ab"), bodies("plate", "cart", "third"), joints)
    assert frames(groups) == [
        ["world", "a.base", "cart", "b.base"],
        ["a.tip", "plate"],
        ["b.tip"],
        ["third"],
        ["a@0.3"],
        ["b@0.3"],
    ]
    assert [group.fixed for group in groups] == [True] + [False] * 5
    world, hand, *_ = groups
    assert [step.link.label for step in world.path(BASE["b"])] == ["rail", "elbow"]
    np.testing.assert_array_equal(world.frames[BASE["a"]], pose(0.2, (1, 0, 0)))
    np.testing.assert_array_equal(world.frames[BASE["b"]], pose(0.1, (0, 0, 2)))
    expected = np.linalg.inv(pose(0.4, (0, 1, 0)))
    np.testing.assert_allclose(hand.frames[Anchor("plate")], expected, atol=1e-15)  # rounding


def test_poses_of_a_group_follow_its_paths():
    welds = [
        Weld("a.tip", "b.base", pose(0.3, (1, 2, 3))),
        Hinge("h", "plate", "b.base", (0, 0, 1), pose(-1.1, (0, 5, 1)), driven=True),
        Weld("world", "a.base"),
    ]
    for group in rigid_groups(rods("ab"), bodies("plate"), welds):
        for anchor, pose_there in group.frames.items():
            T, at = np.eye(4), group.reference
            for start, link, forward in group.path(anchor):
                assert (start, at) == ((link.a, link.a) if forward else (link.b, link.b))
                T = T @ (link.rest if forward else np.linalg.inv(link.rest))
                at = link.b if forward else link.a
            assert at == anchor
            np.testing.assert_allclose(pose_there, T, atol=1e-14)  # rounding


def test_a_rod_may_be_held_inside_and_hold_others_there():
    joints = [Weld("world", At("a", 0.5)), Weld(At("a", 0.25), "b.base")]
    assert frames(rigid_groups(rods("ab"), [], joints)) == [
        ["world", "a@0.5"],
        ["a.base"],
        ["a.tip"],
        ["b.base", "a@0.25"],
        ["b.tip"],
    ]


def test_points_on_either_side_of_a_rounding_are_one():
    s = 0.30000000000005  # thirteen digits go up or down from here
    before, after = At("a", s - 1e-15), At("a", s + 1e-15)
    welds = [Weld("world", "a.base"), Weld(before, "plate"), Weld(after, "cart")]
    assert frames(rigid_groups(rods("a"), bodies("plate", "cart"), welds)) == [
        ["world", "a.base"],
        ["a.tip"],
        ["plate", "a@0.3", "cart"],
    ]
    with refused(["both of its frames are carried by 'a@0.3'"]):
        Robot("r", rods("a"), [Weld("world", "a.base"), Weld(before, after)])


def test_robots_of_bodies_alone():
    joints = [Hinge("h1", "world", "b1", (0, 0, 1)), Weld("b1", "b2")]
    assert frames(rigid_groups([], bodies("b1", "b2"), joints)) == [["world"], ["b1", "b2"]]


@pytest.mark.parametrize(
    ("names", "welds", "words"),
    [
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
    ],
)
def test_frames_attached_twice_are_refused(names, welds, words):
    with refused(words):
        rigid_groups(rods(names), [], [Weld(a, b) for a, b in welds])


CLAMP = Weld("world", "a.base")
TURN = Motor("turn", (0, 0, 1), drives={"a.base": np.eye(4)})


@pytest.mark.parametrize(
    ("joints", "words"),
    [
        ([CLAMP, TURN], ["'a.base' is attached twice", "Weld 'world-a.base'", "Motor 'turn'"]),
        (
            [CLAMP, Slider("rail", "world", "a.base", (1, 0, 0), driven=True)],
            ["attached twice", "Weld 'world-a.base'", "Slider 'rail'", "remove one"],
        ),
        (
            [Motor("m", (1, 0, 0), drives=[("plate", np.eye(4)), (At("plate"), np.eye(4))])],
            ["'plate' is attached twice", "Motor 'm'"],
        ),
        (
            [
                Weld("world", "a.base", pose(0.1, (9e49, 0, 0))),
                Weld("a.base", "plate", pose(0.1, (9e49, 0, 0))),
            ],
            ["'plate' is farther from 'world'", "'a.base-plate'", "offsets in metres"],
        ),
    ],
)
def test_what_is_attached_twice_is_named(joints, words):
    with refused(words):
        rigid_groups(rods("a"), bodies("plate", "other"), joints)


@pytest.mark.parametrize(
    ("joints", "floating"),
    [
        ([], ("a", "b", "plate", "other")),
        ([CLAMP], ("b", "plate", "other")),
        ([CLAMP, Weld("b.base", "b.tip"), Weld("plate", "other")], ("b", "plate", "other")),
        ([CLAMP, Ball("ball", "a.tip", "b.tip"), Weld("plate", "b.base")], ("other",)),
        ([Weld("plate", "a.base"), Weld("other", "a.tip"), Weld("a.tip", "b.base")],
         ("a", "b", "plate", "other")),
        ([CLAMP, Weld("a.tip", "b.base"), Weld("b.tip", "plate"), Weld("plate", "other")], ()),
    ],
)  # fmt: skip
def test_what_nothing_holds_floats(joints, floating):
    graph = Graph.of(rods("ab"), bodies("plate", "other"), joints)
    assert graph.floating == floating


def test_unknown_frames_are_suggested():
    with pytest.raises(UnknownName, match=r"Did you mean 'a\.base'"):
        rigid_groups(rods("a"), [], [Weld("world", "a.bas")])


def test_the_group_of_each_anchor():
    graph = Graph.of(rods("ab"), bodies("plate"), [Weld("world", "a.base"), Weld("a.tip", "b.base"),
                                                   Ball("ball", "b.tip", "plate")])  # fmt: skip
    assert texts(graph.group_of) == ["world", "a.base", "a.tip", "b.base", "b.tip", "plate"]
    assert graph.group_of[BASE["b"]] is graph.groups[1]
    assert graph.anchor_of(At("b", 1.0))[0] == Anchor("b", "tip")
    assert [joint.label for joint in graph.free] == ["ball"]


def test_a_thousand_rods_take_no_time():
    names = [f"r{i}" for i in range(1000)]
    chain = [Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(names)]
    assert len(rigid_groups(rods(names), [], [Weld("world", "r0.base"), *chain])) == 1001
    star = [Weld("world", f"{name}.base") for name in names]
    assert len(rigid_groups(rods(names), [], star)) == 1001
