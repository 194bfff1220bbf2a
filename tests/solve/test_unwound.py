"""Turns that rods have lost on the way are told, with their number; where none were, nothing is."""

from dataclasses import replace

import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3, so3
from flexura.solve.unwound import UNTOLD, UNWOUND, told_if_unwound
from flexura.solve.writhe import writhe

TURN = 2.0 * np.pi
NITINOL = fx.materials.nitinol
WIRE = fx.Rod("wire", 0.5, fx.Circle(radius=0.5e-3), NITINOL)
ANY = so3.exp(np.array([0.7, -1.1, 0.4]))


def lost(turns):
    """What is said of so many turns."""
    return UNWOUND.format(f"{turns} turns")


def told(result):
    """What a result says of lost turns."""
    starts = tuple(remark.split("{")[0] for remark in (UNWOUND, UNTOLD))
    return [remark for remark in result.remarks if remark.startswith(starts)]


def twist_and_writhe(result, rods=("wire",), n=400):
    """Tw + Wr of straight rods one after the other, in turns, of the curve as it is shown."""
    twist, places = 0.0, []
    for name in rods:
        s = np.linspace(0.0, result.model.place(name).rod.length, n + 1)
        twist += np.mean(result.curvature(name, 0.5 * (s[1:] + s[:-1]))[:, 0]) * s[-1] / TURN
        places.append(result.pose(name, s)[:, :3, 3])
    return twist + writhe(np.concatenate(places))


def helix(turns, pitch, n=30):
    """A helix of radius 1 that climbs by an angle."""
    t = np.linspace(0.0, TURN * turns, n * turns + 1)
    return np.column_stack([np.cos(t), np.sin(t), np.tan(pitch) * t])


@pytest.mark.parametrize("pitch", [0.4, 0.8, 1.2])
def test_writhe_of_a_helix(pitch):
    """1 - sin(pitch) for each turn of a long one [Fuller1971], whatever its ends do."""
    longer, shorter = (writhe(helix(turns, pitch)) for turns in (10, 8))
    assert (longer - shorter) / 2.0 == pytest.approx(1.0 - np.sin(pitch), abs=0.01)
    mirrored = helix(8, pitch) * [1.0, 1.0, -1.0]
    assert writhe(mirrored @ ANY.T) == pytest.approx(-shorter)
    assert writhe(7.0 * helix(8, pitch)[::-1] + 3.0) == pytest.approx(shorter)


def test_writhe_of_what_lies_in_a_plane_or_line():
    """None, to rounding, however the line lies."""
    t = np.linspace(0.0, 6.0, 101)
    flat = np.column_stack([np.cos(t), np.sin(t), np.zeros(101)]) @ ANY.T
    line = np.outer(t, ANY[0]) + ANY[1]
    assert [writhe(flat), writhe(line)] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_twist_becomes_writhe_without_loss():
    """A flat figure of eight that is lifted where it crosses itself, to either side: ±1."""
    t = np.linspace(0.0, TURN, 401)
    eight = np.column_stack([np.sin(t), np.sin(2.0 * t), 0.01 * np.cos(t)])
    over, under = writhe(eight), writhe(eight * [1.0, 1.0, -1.0])
    assert over - under == pytest.approx(2.0, abs=0.05)  # as the flat one crosses itself


@pytest.mark.parametrize("turns", [0.6, 0.9, 1.5, 2.0, 2.3, 3.0])
def test_writhe_of_a_flat_coil(turns):
    """None is known where it covers itself; there was noise of the size of its pieces: 214."""
    t = np.linspace(0.0, TURN * turns, 97)
    flat = np.column_stack([np.cos(t), np.sin(t), np.zeros(97)]) @ ANY.T
    assert writhe(flat) == (None if turns > 1.0 else pytest.approx(0.0, abs=1e-9))


def test_writhe_of_flat_curves_that_cross():
    """None is known, wherever they do; a flat ring is closed, and does not cross itself."""
    t = np.linspace(0.0, TURN, 101)
    eight = np.column_stack([np.sin(t + 0.1), np.sin(2.0 * t + 0.2), np.zeros(101)])
    ring = np.column_stack([np.cos(t), np.sin(t), np.zeros(101)])
    cross = np.array([[-1.0, -1, 0], [1, 1, 0], [1, -1, 0], [-1, 1, 0]])
    assert [writhe(x @ ANY.T + 7.0) for x in (eight, cross)] == [None, None]
    assert writhe(ring @ ANY.T + 7.0) == pytest.approx(0.0, abs=1e-9)


def test_writhe_of_what_is_cut_in_two():
    """That of all of it, about the same."""
    x = helix(4, 0.3)
    assert writhe(x[:31], x[30:]) == pytest.approx(writhe(x), rel=1e-12)
    assert writhe(x[:31]) + writhe(x[30:]) < writhe(x) - 0.4


def sliding(rods=(WIRE,), between=()):
    """Rods in line, the last on a hinge on a car that slides along them."""
    length = sum(rod.length for rod in rods)
    joints = [
        fx.Weld("world", f"{rods[0].name}.base"),
        *between,
        fx.Slider("slide", "world", "car", (1, 0, 0), offset=se3.pose((length, 0, 0))),
        fx.Hinge("twist", "car", f"{rods[-1].name}.tip", (1, 0, 0), driven=True),
    ]
    car = fx.Body("car", 0.1, inertia=(1e-4, 1e-4, 1e-4))
    return fx.Robot("wound", list(rods), joints, bodies=[car])


def held(result, rod=WIRE):
    """Turns that a straight rod holds, by its torque."""
    stiffness = rod.stiffness(0.0)[0] / rod.length
    return result.torque("twist") / stiffness / TURN


@pytest.mark.parametrize("rods", [fx.LinearStrain(16), fx.LinearStrain(8), fx.Spline()], ids=str)
@pytest.mark.parametrize("angle", [9.0, 15.5, 20.0])
def test_a_wire_whose_end_may_move_in_lets_go_of_turns(rods, angle):
    """Its torque tells how many where it is straight; else, as a ring, its writhe does, too."""
    result = fx.statics(fx.build(sliding(), rods=rods), {"twist": angle}).unwrap()
    missing = angle / TURN - twist_and_writhe(result)
    if abs(result.pose("car")[0, 3] - WIRE.length) < 1e-6:
        assert missing == pytest.approx(angle / TURN - held(result), abs=1e-3)
        assert abs(missing - 2 * round(missing / 2)) < 1e-3
    else:  # between a flat ring before its loop is pulled over, one turn, and after that, two
        assert abs(result.pose("car")[0, 3]) < 0.1 * WIRE.length
        assert 0.9 < missing < 1.1 or 1.9 < missing < 2.1
    assert told(result) == ([lost(2)] if missing > 1.5 else [])


@pytest.mark.parametrize("turns", [-4, -2, 0, 2, 4])
def test_each_pair_of_turns_is_told(turns):
    """Of a straight wire that holds less, or more, than its drive was turned by."""
    model = fx.build(sliding(), rods=fx.LinearStrain(4))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    given = model.read_inputs({"twist": 1.0 + TURN * turns})
    assert told(told_if_unwound(replace(result, given=given))) == (
        [lost(abs(turns))] if turns else []
    )


def test_what_was_lost_stays_known():
    """From start to start, and along paths."""
    model = fx.build(sliding(), rods=fx.LinearStrain(8))
    right = fx.statics(model, {"twist": 1.0}).unwrap()
    start = replace(right, given=model.read_inputs({"twist": 1.0 + 2.0 * TURN}))
    on = fx.statics(model, {"twist": 2.0 + 2.0 * TURN}, start=start).unwrap()
    assert held(on) == pytest.approx(2.0 / TURN)
    assert told(on) == [lost(2)]
    back = fx.statics(model, {"twist": 2.0 * TURN - 1.0}, start=on).unwrap()
    assert held(back) == pytest.approx(-1.0 / TURN)
    assert told(back) == [lost(2)]
    for begin, said in ((start, [lost(2)]), (right, [])):
        to = begin.inputs["twist"] + 0.5
        path = fx.continuation(model, "twist", to, start=begin).unwrap()
        assert all(told(each) == said for each in path.results[1:])


HALVES = [replace(WIRE, name=name, length=0.25) for name in "ab"]
BETWEEN = {
    "welded": fx.Weld("a.tip", "b.base"),
    "driven": fx.Hinge("mid", "a.tip", "b.base", (1, 0, 0), driven=True),
    "backwards": fx.Hinge("mid", "b.base", "a.tip", (-1, 0, 0), driven=True),
    "free": fx.Hinge("mid", "a.tip", "b.base", (1, 0, 0)),
}


@pytest.mark.parametrize("kind", BETWEEN)
def test_rods_in_series(kind):
    """What drives between them turn counts; where a joint turns freely none is held, or lost."""
    model = fx.build(sliding(HALVES, [BETWEEN[kind]]), rods=fx.LinearStrain(4))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    for twist, mid in ((2, 0), (1, -1), (1, 1)):
        inputs = {"twist": 1.0 + TURN * twist, "mid": TURN * mid}
        if "mid" not in model.inputs:
            inputs = {"twist": 1.0 + TURN * (twist - mid)}
        said = told(told_if_unwound(replace(result, given=model.read_inputs(inputs))))
        assert said == ([] if kind == "free" or twist == mid else [lost(2)])


def ring(rods):
    """A straight rod whose tip is on its base, on a driven hinge about its axis."""
    turn = fx.Hinge("twist", "wire.base", "wire.tip", (1, 0, 0), driven=True)
    return fx.build(fx.Robot("ring", [WIRE], [fx.Weld("world", "wire.base"), turn]), rods=rods)


@pytest.mark.parametrize("rods", [fx.LinearStrain(16), fx.Spline()], ids=str)
@pytest.mark.parametrize(("angle", "turns"), [(10.0, 0), (16.0, 2)])
def test_rings(rods, angle, turns):
    """Flat up to Michell's twist, 2π√3 EI/GJ = 14.5 rad, and flat again with two turns less.

    A ring turns about its clamp as a shape, which steps leave alone.
    """
    result = fx.statics(ring(rods), {"twist": angle}).unwrap()
    assert held(result) == pytest.approx(angle / TURN - turns, rel=2e-3)
    assert told(result) == ([lost(turns)] if turns else [])


def test_what_nothing_resists_takes_no_iterations():
    """Ring after ring from the last one, each turned by half a radian more; red: 55 and more."""
    model, result = ring(fx.LinearStrain(16)), None
    for angle in (0.0, 0.5, 1.0, 1.5, 2.0):
        result = fx.statics(model, {"twist": angle}, start=result).unwrap()
        assert result.load_steps == 1
        assert held(result) == pytest.approx(angle / TURN, rel=2e-3)


def clamped(kind, placed):
    """The wire between two clamps in line, one of which turns about it."""
    tip, along = placed @ se3.pose((WIRE.length, 0, 0)), tuple(placed[:3, 0])
    base, end = fx.Weld("world", "wire.base", placed), fx.Weld("world", "wire.tip", tip)
    if kind == "hinge":
        return [base, fx.Hinge("twist", "world", "wire.tip", (1, 0, 0), tip, driven=True)]
    if kind == "backwards":
        back = se3.inverse(placed)
        return [fx.Hinge("twist", "wire.base", "world", along, back, driven=True), end]
    drives = {"wire.tip": tip}
    return [base, fx.Motor("twist", axis=along, point=tuple(placed[:3, 3]), drives=drives)]


@mixed(
    kind=["hinge", "backwards", "motor"], rods=[fx.LinearStrain(16), fx.Spline()], seed=[0, 1, 2]
)
def test_nothing_is_said_where_nothing_was_lost(kind, rods, seed):
    """A rod between clamps, anywhere, any way round: its torque tells that it holds all turns."""
    rng = np.random.default_rng(seed)
    place = np.zeros(3) if kind == "backwards" else rng.normal(size=3)
    joints = clamped(kind, se3.pose(place, rotation=rng.normal(size=3)))
    model = fx.build(fx.Robot(kind, [WIRE], joints), rods=rods)
    angle = float(rng.uniform(-12.0, 12.0))
    result = fx.statics(model, {"twist": angle}).unwrap()
    assert held(result) == pytest.approx(angle / TURN, rel=1e-3)
    assert told(result) == []
    given = model.read_inputs({"twist": angle + np.copysign(2.0 * TURN, angle)})
    assert told(told_if_unwound(replace(result, given=given))) == [lost(2)]
