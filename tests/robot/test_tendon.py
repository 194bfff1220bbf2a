import numpy as np
import pytest
from support import refused

from flexura.errors import UnknownName
from flexura.robot import (
    At,
    Circle,
    Convergent,
    Discs,
    Gravity,
    Helical,
    Material,
    Parallel,
    Piecewise,
    PointLoad,
    Robot,
    Rod,
    Routing,
    Tendon,
    Weld,
)

STEEL = Material(1e9, 0.3)
RODS = {name: Rod(name, length, Circle(1e-3), STEEL) for name, length in
        {"a": 0.1, "b": 0.2, "c": 0.3}.items()}  # fmt: skip
WELDS = [Weld("world", "a.base"), Weld("a.tip", "b.base"), Weld("b.tip", "c.base")]
ABC = ("a", "b", "c")
SIDE = Parallel(0.01, 0.0)


def tendon(**changes):
    return Tendon(**{"name": "t", "rod": "a", "routing": SIDE} | changes)


def robot(*tendons, joints=WELDS, loads=()):
    return Robot("arm", list(RODS.values()), joints, loads, tendons=tendons)


def parts(t):
    return [(stretch.rod, stretch.begin, stretch.end) for stretch in t.stretches(RODS)]


def holes(t):
    return [(hole.rod, hole.s, hole.offset.tolist()) for hole in t.holes(RODS)]


def test_equal_tendons_have_equal_hashes():
    first = tendon(rod=["a"], start=0, end=np.float64(0.1), stiffness=1)
    second = tendon(rod="a", start=0.0, end=0.1, stiffness=1.0)
    assert first == second
    assert hash(first) == hash(second)
    assert first.rods == ("a",)
    assert tendon(rod=["a", "b"]).rods == ("a", "b")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [("a", 0.0, 0.1)]),
        ({"start": 0.02, "end": 0.07}, [("a", 0.02, 0.07)]),
        ({"rod": ABC}, [("a", 0.0, 0.1), ("b", 0.0, 0.2), ("c", 0.0, 0.3)]),
        ({"rod": ABC, "start": 0.1}, [("b", 0.0, 0.2), ("c", 0.0, 0.3)]),
        ({"rod": ABC, "end": 0.3}, [("a", 0.0, 0.1), ("b", 0.0, 0.2)]),  # 0.1 + 0.2 > 0.3
        ({"rod": ABC, "end": 0.1 + 0.2 + 0.3}, [("a", 0.0, 0.1), ("b", 0.0, 0.2), ("c", 0.0, 0.3)]),
        ({"rod": ("b", "a"), "start": 0.25}, [("a", pytest.approx(0.05), 0.1)]),
        ({"routing": Discs([0.05], 0, 0)}, []),
    ],
)
def test_stretches_are_on_one_rod_each(changes, expected):
    t = tendon(**changes)
    t.check(RODS)
    assert parts(t) == expected


def test_paths_follow_the_chain():
    t = tendon(rod=("a", "b"), routing=Convergent(0.03, -0.06), start=0.05)
    on_a, on_b = t.stretches(RODS)
    s = np.array([0.05, 0.1])
    for stretch, u in ((on_a, (s - 0.05) / 0.25), (on_b, (s + 0.05) / 0.25)):
        offset, slope = stretch.path(s)
        expected = np.outer(1 - u, [0.0, 0.03, -0.06])
        np.testing.assert_allclose(offset, expected, atol=1e-16)  # rounding
        np.testing.assert_allclose(slope, np.tile([0.0, -0.12, 0.24], (2, 1)), atol=1e-15)


def test_functions_get_the_arc_length_of_the_chain_and_never_leave_it():
    def function(s):
        assert 0.05 <= s <= RODS["a"].length + RODS["b"].length
        return s, s * s

    for derivative in (None, lambda s: (function(s)[0] * 0 + 1, 2 * s)):
        t = tendon(rod=("a", "b"), routing=Routing(function, derivative), start=0.05)
        t.check(RODS)
        for stretch, base in zip(t.stretches(RODS), (0.0, 0.1), strict=True):
            s = np.linspace(stretch.begin, stretch.end, 7)
            offset, slope = stretch.path(s)
            x = base + s
            np.testing.assert_allclose(offset, np.stack([0 * x, x, x * x], axis=1), atol=1e-12)
            np.testing.assert_allclose(
                slope, np.stack([0 * x, 0 * x + 1, 2 * x], axis=1), atol=1e-9
            )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"routing": Discs([0.05, 0.1], 1, 2)}, [("a", 0), ("a", 0.05), ("a", 0.1)]),
        ({"routing": Discs([0.05], 1, 2)}, [("a", 0), ("a", 0.05)]),
        ({"routing": Discs([0.05], 1, 2), "end": 0.1}, [("a", 0), ("a", 0.05), ("a", 0.1)]),
        (
            {"rod": ABC, "routing": Discs([0.1, 0.3, 0.6], 1, 2), "start": 0.05},
            [("a", 0.05), ("a", 0.1), ("b", 0.0), ("b", 0.2), ("c", 0.0), ("c", 0.3)],
        ),
        (
            {"rod": ABC, "routing": Discs([0.05, 0.2, 0.5], 1, 2), "end": 0.2},
            [("a", 0), ("a", 0.05), ("b", 0.1)],
        ),
    ],
)
def test_holes_belong_to_rods(changes, expected):
    t = tendon(**changes)
    t.check(RODS)
    assert [hole[0] for hole in holes(t)] == [rod for rod, _ in expected]
    assert [hole[1] for hole in holes(t)] == pytest.approx([s for _, s in expected], abs=1e-16)
    assert all(hole[2] == [0.0, 1.0, 2.0] for hole in holes(t))
    assert holes(tendon()) == []


def test_jumps_are_where_tendons_begin_kink_and_end():
    pieces = Piecewise([(0.06, SIDE), (0.15, Convergent(0.01, 0.0)), (0.25, Parallel(0, 0))])
    bent = tendon(name="bent", rod=ABC, routing=pieces, start=0.02, end=0.25)
    discs = tendon(name="discs", rod=("b", "c"), routing=Discs([0.15, 0.2, 0.3], 0, 0.01))
    names, lengths = zip(*bent.jumps(RODS), strict=True)
    assert names == ("a", "a", "a", "b", "b", "b")
    assert lengths == pytest.approx((0.02, 0.06, 0.1, 0.0, 0.05, 0.15))
    arm = robot(bent, discs, loads=[PointLoad("p", At("a", 0.03))])
    assert arm.jumps("a") == (0.02, 0.03, 0.06)
    assert arm.jumps("b") == pytest.approx((0.05, 0.15))  # where both tendons have one
    assert arm.jumps("c") == pytest.approx((0.1,))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, ["Tendon", "name", "''"]),
        ({"rod": 3}, ["Tendon 't'", "rod must be", "3"]),
        ({"rod": []}, ["rod must be at least one name", "[]"]),
        ({"rod": ["a", None]}, ["rod[1]", "None"]),
        ({"rod": ["a", "b", "a"]}, ["rod[2] must be another rod than rod[0]", "'a'", "once"]),
        ({"routing": (0.01, 0.0)}, ["routing must be Parallel or", "tuple (0.01, 0.0)"]),
        ({"routing": Parallel}, ["routing", "the class Parallel"]),
        ({"start": -0.01}, ["start", ">= 0", "-0.01"]),
        ({"start": "base"}, ["start", "'base'"]),
        ({"end": 0.0}, ["end", "> 0"]),
        ({"end": np.nan}, ["end", "nan"]),
        ({"start": 0.05, "end": 0.05}, ["end must be greater than start = 0.05 m", "base to tip"]),
        ({"start": 0.05, "end": 0.01}, ["end must be greater than start", "0.01"]),
        ({"drive": "tensoin"}, ["no drive 'tensoin'", "'length'", "Did you mean 'tension'?"]),
        ({"drive": 1}, ["drive", "got 1"]),
        ({"drive": np.eye(2)}, ["drive", "array"]),
        ({"stiffness": -1.0}, ["stiffness", "> 0", "-1.0"]),
        ({"stiffness": 0}, ["stiffness", "> 0"]),
    ],
)
def test_bad_values_are_named(changes, words):
    with refused(words):
        tendon(**changes)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"start": 0.1}, "start", ["smaller than its end, 0.1 m"]),
        ({"end": 1e-40}, "start", ["smaller than its end, 1e-40"]),
        ({"start": 0.2}, "start", ["in [0, 0.1] m, on rod 'a'", "0.2"]),
        ({"end": 0.11}, "end", ["in [0, 0.1] m, on rod 'a'", "0.11", "base to tip"]),
        ({"rod": ("a", "b"), "end": 0.31}, "end", ["on rods 'a', 'b'", "0.31"]),
        ({"routing": Discs([0.05, 0.2], 0, 0)}, "routing.at[1]", ["in [0, 0.1] m", "0.2"]),
        ({"routing": Discs([0.05, 0.2], 0, 0), "end": 0.1}, "routing.at[1]", ["0.2"]),
        ({"routing": Discs([0.05], 0, 0), "start": 0.05}, "start", ["its end, 0.05 m"]),
        (
            {"routing": Piecewise([(0.09, SIDE)])},
            "routing.pieces[0][0]",
            ["Piecewise", "0.1 m, where the tendon ends", "0.09"],
        ),
        (
            {"routing": Piecewise([(0.1, Routing(lambda s: s.x))])},
            "routing.pieces[0][1].function",
            ["Piecewise, pieces[0]: Routing: function(s) failed", "AttributeError"],
        ),
        ({"routing": Routing(lambda s: (np.nan, 0))}, "routing.function[0]", ["s = 0 m", "nan"]),
        (
            {"routing": Routing(lambda s: (0.01 if s < 0.04 else 0.02, 0))},
            "routing.function",
            ["jumps, kinks or wiggles near s = 0.04 m", "Piecewise"],
        ),
        ({"routing": Convergent(1e50, 0)}, "routing", ["come out as", "metres"]),
        ({"routing": Helical(1e50, 1e50)}, "routing", ["come out as", "e+10"]),
    ],
)
def test_tendons_that_do_not_fit_their_rods_are_named(changes, field, words):
    with refused(["Tendon 't'", *words]) as caught:
        robot(tendon(**changes))
    assert caught.value.field == field


def test_missing_rods_are_suggested():
    with pytest.raises(UnknownName, match=r"no rod 'bb'.*Did you mean 'b'"):
        robot(tendon(rod=("a", "bb")))


@pytest.mark.parametrize(
    ("tendons", "joints", "loads", "words"),
    [
        ([tendon(), tendon(rod="b")], WELDS, (), ["tendons[0] and tendons[1]", "'t'"]),
        ([tendon(name="gravity")], WELDS, [Gravity()], ["loads[0] and tendons[0]", "'gravity'"]),
        (
            [tendon(name="grip")],
            [Weld("world", "a.base", name="grip"), *WELDS[1:]],
            (),
            ["joints[0] and tendons[0]", "'grip'", "another name"],
        ),
        ([tendon(rod=("a", "c"))], WELDS, (), ["'a.tip' and 'c.base'", "Weld('a.tip', 'c.base')"]),
        ([tendon(rod=("b", "a"))], WELDS, (), ["Tendon 't'", "joined", "'b.tip' and 'a.base'"]),
        ([SIDE], WELDS, (), ["tendons[0] must be Tendon", "Parallel"]),
        (tendon(), WELDS, (), ["tendons must be a list of Tendon", "tendons=[...]"]),
    ],
)
def test_bad_robots_are_named(tendons, joints, loads, words):
    with refused(words):
        Robot("arm", list(RODS.values()), joints, loads, tendons)


def test_a_tendon_may_span_a_rigid_gap():
    gap = np.eye(4)
    gap[0, 3] = 0.02
    joints = [WELDS[0], Weld("b.base", "a.tip", gap), WELDS[2]]
    assert robot(tendon(rod=ABC), joints=joints).tendons[0].rods == ABC
