"""Turns that poses of welds make are counted from result to result, and told if they are lost."""

from dataclasses import replace

import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3, so3
from flexura.solve.unwound import UNTOLD, UNWOUND, told_if_unwound
from flexura.solve.writhe import writhe

TURN = 2.0 * np.pi
WIRE = fx.Rod("wire", 0.6, fx.Circle(radius=5e-4), fx.Material(young=70e9, poisson=0.3))
BASE = fx.Weld("world", "wire.base")
LOST = UNWOUND.format("2 turns")
SPLINE = fx.Spline()


def told(result):
    """What a result says of turns."""
    starts = tuple(remark.split("{")[0] for remark in (UNWOUND, UNTOLD))
    return [remark for remark in result.remarks if remark.startswith(starts)]


def gripped(apart, rods=SPLINE):
    """The wire between a clamp and a pose on its axis."""
    tip = se3.pose((apart, 0, 0))
    joints = [BASE, fx.Weld("world", "wire.tip", tip, name="grip")]
    return fx.build(fx.Robot("gripped", [WIRE], joints), rods=rods), tip


def turned(model, tip, turns, result=None):
    """The wire with its pose turned by so many turns."""
    pose = tip @ se3.pose(rotation=(TURN * ((turns + 0.5) % 1.0 - 0.5), 0, 0))
    return fx.statics(model, {"grip": pose}, start=result).unwrap()


def twist_and_writhe(result):
    """Tw + Wr of the wire, in turns."""
    s = np.linspace(0.0, WIRE.length, 201)
    twist = np.mean(result.curvature("wire", 0.5 * (s[1:] + s[:-1]))[:, 0]) * WIRE.length / TURN
    return twist + writhe(result.pose("wire", s)[:, :3, 3])


@pytest.mark.parametrize("apart", [0.0, 0.3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_turns_by_a_pose_are_not_lost_without_a_word(apart, sign, tmp_path):
    """Two turns were gone, RELAXED and then CONVERGED, and no result said so."""
    (model, tip), result = gripped(apart), None
    for turns in np.arange(0.0, 3.01, 0.1):
        result = turned(model, tip, sign * turns, result)
        missing = sign * turns - twist_and_writhe(result)
        assert abs(missing) < 0.6 or 1.4 < sign * missing < 2.6
        assert told(result) == ([LOST] if sign * missing > 1.4 else [])
    assert sign * missing > 1.4
    fx.save_result(result, tmp_path / "lost.npz")
    again = fx.load_result(tmp_path / "lost.npz")
    assert told(turned(model, tip, sign * 2.9, again)) == [LOST]
    path = fx.continuation(model, "grip", tip @ se3.pose(rotation=(1.0, 0, 0)), start=result)
    assert all(told(each) == [LOST] for each in path.unwrap().results)


def test_whole_turns_that_are_held_are_not_said_to_be_lost():
    """Of a straight wire, beyond those that a pose tells: turned on, back, and the other way."""
    (model, tip), result = gripped(WIRE.length, rods=fx.LinearStrain(8)), None
    for turns in (0.0, 0.4, 0.8, 1.2, 1.6, 1.3, 0.9, 0.5, 0.1, -0.3, -0.7, -1.1, -1.5):
        result = turned(model, tip, turns, result)
        assert twist_and_writhe(result) == pytest.approx(turns)
        assert result.evaluation.pose_turns.tolist() == [[pytest.approx(turns), 0.0]]
        assert told(result) == []


KINDS = {
    "tip": lambda tip: [BASE, fx.Weld("world", "wire.tip", tip, name="a")],
    "base": lambda tip: [replace(BASE, name="a"), fx.Weld("world", "wire.tip", tip)],
    "from tip": lambda tip: [BASE, fx.Weld("wire.tip", "world", se3.inverse(tip), name="a")],
    "both": lambda tip: [replace(BASE, name="a"), fx.Weld("world", "wire.tip", tip, name="b")],
    "body": lambda tip: [
        BASE,
        fx.Weld("world", "hand", tip, name="a"),
        fx.Weld("hand", "wire.tip", se3.pose((0, 0, 0), (0.0, 0.4, 0.0)), name="b"),
    ],
}


@mixed(kind=list(KINDS), seed=[0, 1, 2, 3], together=2)
def test_poses_that_move_anyhow(kind, seed):
    """What they turn is Tw + Wr: both change by what ends do, until a loop goes over one."""
    rng = np.random.default_rng([seed, len(kind)])
    bodies = [fx.Body("hand", 0.1)] if kind == "body" else []
    robot = fx.Robot("moves", [WIRE], KINDS[kind](se3.pose((0.54, 0, 0))), bodies=bodies)
    model = fx.build(robot, rods=fx.LinearStrain(24))
    result = fx.statics(model).unwrap()
    at = {name: model.inputs.described.value(name) for name in model.inputs}
    begin = twist_and_writhe(result)
    for step in range(16):
        if step % 4 == 0:
            turn = {name: 0.5 * rng.normal(size=3) * [2.0, 0.4, 0.4] for name in at}
        at = {name: pose @ se3.pose(rotation=turn[name]) for name, pose in at.items()}
        result = fx.statics(model, at, start=result).unwrap()
        made, doubt = result.evaluation.pose_turns.sum(axis=0)
        assert doubt or abs(made - (twist_and_writhe(result) - begin)) < 0.3
        assert told(result) == [] or doubt


def test_a_pose_that_looks_back_is_in_doubt():
    """An end that goes all the way round across may have made a turn or undone one."""
    model, _ = gripped(WIRE.length, rods=fx.LinearStrain(16))
    result = None
    for angle in np.linspace(0.0, TURN, 13):
        result = fx.statics(model, {"grip": se3.pose((0.4, 0, 0), (0, 0, angle))}, start=result)
    made, doubt = result.evaluation.pose_turns[0]
    assert doubt == pytest.approx(1.0)
    held = twist_and_writhe(result)
    assert made == pytest.approx(0.0, abs=1e-6)
    for turns, said in ((1.0, []), (2.0, [UNTOLD.format("grip")]), (3.0, [LOST])):
        known = replace(result.evaluation, pose_turns=np.array([[held + turns, doubt]]))
        assert told(told_if_unwound(replace(result, evaluation=known))) == said


def test_small_ways_around_the_opposite_are_in_doubt():
    """The end of a hairpin that looks about has turned nothing; two turns each were counted."""
    model, _ = gripped(WIRE.length, rods=fx.LinearStrain(16))
    result = None
    for angle in np.linspace(0.0, np.pi - 0.3, 7):
        result = fx.statics(model, {"grip": se3.pose((0, 0.2, 0), (0, 0, angle))}, start=result)
    begin = result.reaction("grip")
    back = so3.exp(np.array([0, 0, np.pi]))
    for angle in TURN * np.arange(1, 25) / 8:
        off = 0.3 * np.array([0, -np.sin(angle), -np.cos(angle)])
        pose = se3.pose((0, 0.2, 0), so3.log(back @ so3.exp(off)))
        result = fx.statics(model, {"grip": pose}, start=result).unwrap()
        assert LOST not in told(result)
    assert result.reaction("grip") == pytest.approx(begin, abs=1e-3 * np.abs(begin).max())
    assert abs(result.evaluation.pose_turns[0, 0]) == pytest.approx(6.0, abs=0.1)


def test_what_turns_beside_no_rod_is_in_doubt():
    """A pose between joints: how far it has turned may be made or undone."""
    joints = [
        BASE,
        fx.Weld("world", "hand", se3.pose((0.6, 0, 0)), name="grip"),
        fx.Hinge("twist", "hand", "wire.tip", (1, 0, 0), driven=True),
    ]
    hand = fx.Body("hand", 0.1)
    model = fx.build(fx.Robot("hand", [WIRE], joints, bodies=[hand]), rods=fx.LinearStrain(8))
    still = fx.statics(model, {"twist": 1.0}).unwrap()
    pose = se3.pose((0.6, 0, 0), (1.5, 0, 0))
    moved = fx.statics(model, {"twist": 1.0, "grip": pose}, start=still).unwrap()
    for result, said in ((still, [LOST]), (moved, [UNTOLD.format("grip")])):
        assert told(result) == []
        given = result.given.changed({"twist": 1.0 + 1.9 * TURN})
        assert told(told_if_unwound(replace(result, given=given))) == said
