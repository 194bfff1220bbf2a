"""Turns that rods have lost, in robots of many kinds: what is counted, and what cannot be told."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3
from flexura.solve import unwound
from flexura.solve.unwound import UNTOLD, UNWOUND, told_if_unwound
from flexura.solve.writhe import writhe

TURN = 2.0 * np.pi
NITINOL = fx.materials.nitinol
WIRE = fx.Rod("wire", 0.5, fx.Circle(radius=0.5e-3), NITINOL)
LOST = UNWOUND.format("2 turns")
TIP = se3.pose((WIRE.length, 0, 0))
SIXTEEN = fx.LinearStrain(16)


def told(result):
    """What a result says of turns."""
    starts = tuple(remark.split("{")[0] for remark in (UNWOUND, UNTOLD))
    return [remark for remark in result.remarks if remark.startswith(starts)]


def car(name="car"):
    """A small body."""
    return fx.Body(name, 0.1, inertia=(1e-4, 1e-4, 1e-4))


def sliding(*more, on="world", bodies=(), loads=(), tubes=()):
    """A wire whose tip is on a hinge on a car that slides along it; it lets go of turns."""
    joints = [
        fx.Weld(on, "wire.base"),
        fx.Slider("slide", on, "car", (1, 0, 0), offset=se3.pose((WIRE.length, 0, 0))),
        fx.Hinge("twist", "car", "wire.tip", (1, 0, 0), driven=True),
        *more,
    ]
    return fx.Robot("wound", [WIRE], joints, loads, bodies=[car(), *bodies], tubes=tubes)


def wound_by(result, turns, of="twist"):
    """What is said of a result whose input has turned by so many turns more."""
    value = result.inputs[of] + TURN * turns
    given = result.given.changed({of: value})
    return told(told_if_unwound(replace(result, given=given)))


@pytest.mark.parametrize("turns", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("high", [0.2, 0.3])
def test_a_flat_coil_that_is_pulled_open_has_lost_nothing(turns, high):
    """What it winds to either side has one sign or the other, and nobody has turned it."""
    coil = replace(WIRE, rest=(0.0, TURN * turns / WIRE.length, 0.0))
    tip = fx.Hinge("twist", "world", "wire.tip", (1, 0, 0), se3.pose((0, high, 0)), driven=True)
    robot = fx.Robot("coil", [coil], [fx.Weld("world", "wire.base"), tip])
    assert told(fx.statics(fx.build(robot, rods=fx.LinearStrain(48))).unwrap()) == []


def split(rod, parts):
    """A rod as several ones that are welded to each other, and these welds."""
    names = [f"{rod.name}{i}" for i in range(parts)]
    pieces = [replace(rod, name=name, length=rod.length / parts) for name in names]
    welds = [fx.Weld(f"{a}.tip", f"{b}.base") for a, b in pairwise(names)]
    return pieces, welds


COILED = (30.0 * np.sin(0.3), 30.0 * np.cos(0.3), 0.0)
RESTS = {"straight": (0.0, 0.0, 0.0), "bent": (0.0, 6.0, -3.0), "coiled": COILED}


def held_by(kind, rods, welds):
    """The rods in series, whose ends are held where they are at rest; one of these turns."""
    base, tip = f"{rods[0].name}.base", f"{rods[-1].name}.tip"
    length = sum(rod.length for rod in rods)
    end = se3.exp(length * np.array([*rods[0].rest, 1.0, 0.0, 0.0]))
    joints = {
        "hinge": [fx.Hinge("twist", "world", tip, (1, 0, 0), end, driven=True)],
        "motor": [fx.Motor("twist", tuple(end[:3, 0]), tuple(end[:3, 3]), {tip: end})],
        "weld": [fx.Weld("world", tip, end, name="twist")],
    }[kind]
    return fx.Robot(kind, rods, [fx.Weld("world", base), *welds, *joints]), end


def turned(model, kind, end, angle):
    """What is reached from start to start, by an eighth of a turn each time."""
    result = fx.statics(model)
    for part in np.linspace(0.0, angle, 1 + int(abs(angle) / (TURN / 8)))[1:]:
        value = end @ se3.pose(rotation=(part, 0, 0)) if kind == "weld" else part
        result = fx.statics(model, {"twist": value}, start=result)
    return result


def torsion(result, rods):
    """Turns of torsion of rods, beyond those at rest."""
    found = 0.0
    for rod in rods:
        s = np.linspace(0.0, rod.length, 101)
        wound = result.curvature(rod.name, 0.5 * (s[1:] + s[:-1]))[:, 0] - rod.rest[0]
        found += np.mean(wound) * rod.length / TURN
    return found


@mixed(
    kind=["hinge", "motor", "weld"],
    parts=[1, 2, 3],
    rest=list(RESTS),
    seed=[0, 1, 2, 3],
    together=2,
)
def test_wound_robots(kind, parts, rest, seed):
    """Where torsion is what the rod was turned by nothing is said, and the same of its pieces."""
    rng = np.random.default_rng([seed, parts, ord(kind[0]), len(rest)])
    rod, angle = replace(WIRE, rest=RESTS[rest]), TURN * rng.uniform(-6.0, 6.0)
    found = []
    for many in (1, parts):
        rods, welds = split(rod, many)
        robot, end = held_by(kind, rods, welds)
        model = fx.build(robot, rods=fx.LinearStrain(24 // many))
        result = turned(model, kind, end, angle)
        if not result.status.equilibrium:
            continue
        holds = torsion(result, rods)
        if rest == "straight":
            assert told(result) == []
            stiffness = WIRE.stiffness(0.0)[0] / WIRE.length
            if kind != "weld":
                assert result.torque("twist") == pytest.approx(stiffness * angle, rel=0.1)
        if abs(holds - angle / TURN) <= 0.1 * abs(angle) / TURN:
            assert told(result) == []
        further = [] if kind == "weld" else [wound_by(result, by) for by in (-4.0, -2.0, 2.0)]
        found.append((holds, told(result), further))
    if len(found) == 2 and abs(found[0][0] - found[1][0]) < 0.01:  # the same equilibrium
        assert found[0][1:] == found[1][1:]


def test_pieces_of_a_helix_wind_together():
    """Four turns at rest: one rod and two halves are said to have lost as many."""
    rod = replace(WIRE, length=1.0, rest=(TURN * 4 * np.sin(0.1), TURN * 4 * np.cos(0.1), 0.0))
    said = []
    for parts in (1, 2):
        robot, _ = held_by("hinge", *split(rod, parts))
        result = fx.statics(fx.build(robot, rods=fx.LinearStrain(32 // parts))).unwrap()
        assert told(result) == []
        said.append([wound_by(result, by) for by in (-4.0, -1.6, -1.4, 1.4, 1.6, 4.0)])
    two, four = ([UNWOUND.format(f"{n} turns")] for n in (2, 4))
    assert said == [[four, two, [], [], two, four]] * 2


def test_poses_of_welds_wind_up_beside_a_hinge():
    """Two turns in steps from start to start: the torque is right, and what turned is known."""
    joints = [
        fx.Weld("world", "wire.base", name="hold"),
        fx.Hinge("twist", "world", "wire.tip", (1, 0, 0), se3.pose((0.5, 0, 0)), driven=True),
    ]
    model = fx.build(fx.Robot("held", [WIRE], joints), rods=fx.LinearStrain(8))
    result = fx.statics(model)
    for step in range(1, 17):
        pose = se3.pose(rotation=(step * TURN / 8, 0, 0))
        result = fx.statics(model, {"hold": pose}, start=result)
        assert told(result) == []
    assert abs(torsion(result, [replace(WIRE, rest=(0, 0, 0))])) == pytest.approx(2.0, rel=1e-3)
    assert wound_by(result, -2.0) == wound_by(result, 2.0) == [LOST]


def test_a_pose_where_it_is_described_has_turned_nothing():
    """Two turns of the hinge were in doubt as the clamp has a name. Whole turns are not known."""
    robot = sliding()
    first, *others = robot.joints
    named = replace(first, name="hold")
    model = fx.build(replace(robot, joints=[named, *others]), rods=fx.LinearStrain(4))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    assert told(result) == []
    assert wound_by(result, 2.0) == [LOST]
    unknown = replace(result, evaluation=replace(result.evaluation, pose_turns=None))
    assert wound_by(unknown, 2.0) == [UNTOLD.format("hold")]


def test_robots_with_tubes():
    """A set of tubes beside the wire changes nothing."""
    inner = fx.Rod("inner", 0.1, fx.Circle(radius=0.4e-3), NITINOL)
    outer = fx.Rod("outer", 0.06, fx.Tube(1e-3, 0.6e-3), NITINOL)
    needle = fx.TubeSet("needle", [inner, outer])
    weld = fx.Weld("world", "needle.base", se3.pose((0, 1, 0)))
    robot = sliding(weld, tubes=[needle])
    rods = {"wire": fx.LinearStrain(4), "needle": fx.Spline()}
    result = fx.statics(fx.build(robot, rods=rods), {"twist": 1.0}).unwrap()
    assert told(result) == []
    assert wound_by(result, 2.0) == [LOST]


def crank():
    """The wire between the world and a hub that slides along an arm, which turns across it."""
    joints = [
        fx.Hinge("yaw", "world", "arm", (0, 0, 1), se3.pose((0.5, 0, 0)), driven=True),
        fx.Slider("slide", "arm", "hub", (1, 0, 0)),
        fx.Weld("world", "wire.base"),
        fx.Hinge("twist", "hub", "wire.tip", (1, 0, 0), driven=True),
    ]
    return fx.Robot("crank", [WIRE], joints, bodies=[car("arm"), car("hub")])


def test_turns_about_other_axes():
    """Each may have made a turn or undone one: more than that is lost for sure, less is not."""
    model = fx.build(crank(), rods=fx.LinearStrain(4))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    assert wound_by(result, 2.0) == [LOST]
    for yaw, said in ((0.3, [LOST]), (1.0, [UNTOLD.format("yaw")])):
        there = replace(result, given=result.given.changed({"yaw": TURN * yaw}))
        assert wound_by(there, 0.0) == []
        assert wound_by(there, 2.0) == said
        assert wound_by(there, 4.0)[0].startswith("rods have lost at least")


@pytest.mark.parametrize("tilt", [0.1, -0.5, 0.9])
def test_axes_beside_those_of_rods(tilt):
    """Each turn of a clamp about an axis near that of the rod is one of the rod."""
    tip = se3.pose((WIRE.length, 0, 0))
    axis = (np.cos(tilt), np.sin(tilt), 0)
    turn = fx.Hinge("twist", "world", "wire.tip", axis, tip, driven=True)
    robot = fx.Robot("tilted", [WIRE], [fx.Weld("world", "wire.base"), turn])
    model = fx.build(robot, rods=SIXTEEN)
    result = fx.statics(model).unwrap()
    assert wound_by(result, 2.0) == [LOST]
    assert told(turned(model, "hinge", tip, 2.5 * TURN)) == []


@pytest.mark.parametrize("names", ["ab", "ba"])
@pytest.mark.parametrize("turns", ["a", "b"])
def test_rods_beside_each_other(names, turns):
    """Two wires from the ground to a plate that slides: what is turned is the one on the hinge."""
    rods = [replace(WIRE, name=name) for name in names]
    base = {"a": se3.pose((0, 0.02, 0)), "b": se3.pose((0, -0.02, 0))}
    still = "b" if turns == "a" else "a"
    joints = [
        fx.Slider("slide", "world", "plate", (1, 0, 0), se3.pose((WIRE.length, 0, 0))),
        fx.Hinge("twist", "world", f"{turns}.base", (1, 0, 0), base[turns], driven=True),
        fx.Weld("world", f"{still}.base", base[still]),
        *(fx.Weld("plate", f"{name}.tip", base[name]) for name in names),
    ]
    robot = fx.Robot("pair", rods, joints, bodies=[car("plate")])
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(8)), {"twist": 8.0}).unwrap()
    sign = torsion(result, [replace(WIRE, name=turns, rest=(0, 0, 0))])
    assert sign == pytest.approx(-8.0 / TURN, rel=0.05)
    assert told(result) == []
    assert wound_by(result, 2.0) == [LOST]


@pytest.mark.parametrize("far", [1e-6, 1e-4])
def test_answers_say_it_too(far):
    """The answer of an inverse problem from a start that has lost two turns, near or far."""
    model = fx.build(sliding(loads=[fx.PointLoad("pull", "car")]), rods=SIXTEEN)
    start = fx.statics(model, {"twist": 15.5}).unwrap()
    assert told(start) == [LOST]
    targets = {"car": (start.pose("car")[0, 3] + far, np.nan, np.nan)}
    answer = fx.inverse(model, targets, using=["pull"], start=start)
    assert told(answer.result) == [LOST]


def test_marks_of_paths_say_it_too():
    """Where the wire buckles under a push, 4 π² EI/L², having lost two turns."""
    model = fx.build(sliding(loads=[fx.PointLoad("push", "car")]), rods=fx.LinearStrain(8))
    result = fx.statics(model, {"twist": 0.1}).unwrap()
    start = replace(result, given=result.given.changed({"twist": 0.1 + 2.0 * TURN}))
    most = 1.5 * TURN**2 * WIRE.stiffness(0.0)[1] / WIRE.length**2
    path = fx.continuation(model, "push", (0, 0, 0, -most, 0, 0), start=start)
    assert path.bifurcations
    assert all(told(mark.result) == [LOST] for mark in path.bifurcations)


def test_paths_say_what_their_start_says_once():
    """A start that says it has it in its remarks already."""
    model = fx.build(sliding(), rods=fx.LinearStrain(8))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    start = replace(result, given=result.given.changed({"twist": 1.0 + 2.0 * TURN}))
    path = fx.continuation(model, "twist", 1.5 + 2.0 * TURN, start=told_if_unwound(start)).unwrap()
    assert all(told(each) == [LOST] for each in path.results)


def test_shapes_are_asked_for_where_turns_are_missing_only(monkeypatch):
    """Not of rods whose torsion holds what they were wound up by, however many there are."""
    asked = []
    monkeypatch.setattr(unwound, "writhe", lambda *curves: asked.append(curves) or writhe(*curves))
    robot, _ = held_by("hinge", *split(replace(WIRE, rest=(0.0, 0.0, 0.0)), 40))
    model = fx.build(robot, rods=fx.LinearStrain(1))
    result = fx.statics(model, {"twist": 1.0}).unwrap()
    assert told(fx.statics(model, {"twist": 12.0}).unwrap()) == []
    assert not asked
    assert wound_by(result, 2.0) == [LOST]
    assert asked


def test_rods_on_one_axis():
    """A hinge between a wire and one that leads back on its line: both turn, their sum is open."""
    back = fx.Rod("back", 0.4, fx.Circle(radius=0.5e-3), NITINOL)
    twist = {"axis": (1, 0, 0), "offset": se3.pose(rotation=(0, 0, np.pi)), "driven": True}
    joints = [
        fx.Weld("world", "wire.base"),
        fx.Hinge("twist", "wire.tip", "back.base", **twist),
        fx.Weld("world", "back.tip", se3.pose((0.1, 0, 0), (0, 0, np.pi))),
    ]
    robot = fx.Robot("round", [WIRE, back], joints)
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(4)), {"twist": 16.0}).unwrap()
    each = [torsion(result, [replace(rod, rest=(0.0, 0.0, 0.0))]) for rod in robot.rods]
    assert each == pytest.approx([16.0 / TURN * 0.5 / 0.9, -16.0 / TURN * 0.4 / 0.9])
    assert told(result) == []
