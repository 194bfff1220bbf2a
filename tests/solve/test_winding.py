"""Rods that are wound up: turns are counted, or an element says that it cannot."""

from dataclasses import replace

import numpy as np
import pytest
from support import mixed

import flexura as fx
from flexura.lie import se3
from flexura.solve import followed
from flexura.solve.followed import Sought
from flexura.solve.search import Search
from flexura.solve.turned import TWO_WAYS
from flexura.solve.workspace import workspace

ROD = fx.Rod("rod", 1.0, fx.Circle(5e-3), fx.Material(young=1e9, poisson=0.3))
TORSION = ROD.stiffness(0.0)[0]
DESCRIPTIONS = [
    fx.LinearStrain(4),
    fx.Spline(),
    fx.Hermite(4),
    fx.VariableStrain(),
    fx.ConstantStrain(8),
    fx.RotationInterpolation(4),
    fx.Power(3, 4),
]


def name_of(value):
    """The kind of a description, or a number or a word as it is."""
    return str(value) if isinstance(value, float | str) else type(value).__name__


EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=name_of)


def wound(rods):
    """A straight rod between a clamp and a driven hinge along its axis."""
    tip = fx.Hinge("turn", "world", "rod.tip", (1, 0, 0), se3.pose((1, 0, 0)), driven=True)
    return fx.build(fx.Robot("wound", [ROD], [fx.Weld("world", "rod.base"), tip]), rods=rods)


def check(result, angle):
    """The torque is GJ θ / L, a little less where the rod has left its axis, or COARSE."""
    if result.converged:
        assert result.torque("turn") == pytest.approx(TORSION * angle, rel=1e-3)
    else:
        assert result.status is fx.Status.COARSE
        assert any("is too coarse: try" in remark for remark in result.remarks)


@EACH
def test_turns_are_counted_from_solve_to_solve(rods):
    model, result = wound(rods), None
    for quarter in range(1, 25):
        angle = 0.5 * np.pi * quarter
        result = fx.statics(model, {"turn": angle}, start=result)
        check(result, angle)
        assert quarter > 4 or result.converged


@mixed(ids=name_of, rods=DESCRIPTIONS, turns=[0.9, 1.0, 1.5, 4.0])
def test_turns_are_counted_from_cold(rods, turns):
    result = fx.statics(wound(rods), {"turn": 2.0 * np.pi * turns})
    check(result, 2.0 * np.pi * turns)
    assert turns > 1.0 or result.converged
    assert turns > 1.5 or isinstance(rods, fx.LinearStrain) or result.converged


@EACH
def test_turns_are_counted_from_a_start_far_away(rods):
    """Also backwards, and whatever the neighbours in a list are."""
    model, turn = wound(rods), 2.0 * np.pi
    half = fx.statics(model, {"turn": 0.5 * turn})
    check(fx.statics(model, {"turn": 1.2 * turn}, start=half), 1.2 * turn)
    wide = fx.statics(model, {"turn": 0.95 * turn}).unwrap()
    back = fx.statics(model, {"turn": 0.0}, start=wide).unwrap()
    assert back.energy == pytest.approx(0.0, abs=1e-12)
    many = fx.statics_many(model, {"turn": [0.2 * turn, 0.9 * turn]}).unwrap()
    check(many[1], 0.9 * turn)


def test_what_is_too_coarse_says_how_far_it_came():
    """The advice is for all turns that were asked for, and leads to them."""
    result = fx.statics(wound(fx.LinearStrain(4)), {"turn": 8.0 * np.pi})
    assert result.status is fx.Status.COARSE
    assert result.load_factor == pytest.approx(result.inputs["turn"] / (8.0 * np.pi))
    (advice,) = [x for x in result.remarks if "is too coarse: try" in x]
    finer = fx.LinearStrain(int(advice.split("elements=")[1].rstrip(")")))
    check(fx.statics(wound(finer), {"turn": 8.0 * np.pi}).unwrap(), 8.0 * np.pi)


def test_from_a_start_that_is_too_coarse():
    """The answer is for the inputs that were asked for, and forgets no turn."""
    model, result = wound(fx.LinearStrain(4)), None
    for quarter in range(1, 13):
        result = fx.statics(model, {"turn": 0.5 * np.pi * quarter}, start=result)
    assert result.status is fx.Status.COARSE
    back = fx.statics(model, {"turn": 0.4 * np.pi}, start=result)
    assert back.inputs["turn"] == 0.4 * np.pi
    check(back, 0.4 * np.pi)


def test_from_a_start_that_failed():
    """Nothing is followed from there: the answer is for the inputs that were asked for."""
    model = wound(fx.Spline())
    failed = fx.statics(model, {"turn": 6.0 * np.pi}, iterations=20)
    assert not failed.status.equilibrium
    again = fx.statics(model, {"turn": -0.5 * np.pi}, start=failed)
    assert again.inputs["turn"] == -0.5 * np.pi or again.load_factor < 1.0


def test_iterations_are_a_budget_for_all_that_is_followed():
    result = fx.statics(wound(fx.Spline()), {"turn": 6.0 * np.pi}, iterations=20)
    assert not result.converged
    assert result.iterations == 20


@pytest.mark.parametrize("most", [1, 3, 7, 20])
@pytest.mark.parametrize("rods", [fx.Spline(), fx.LinearStrain(8)], ids=str)
def test_iterations_are_a_budget_for_what_is_raised_in_steps(rods, most):
    """What settles without load before took five more."""
    rod = fx.Rod("rod", 1.0, fx.Circle(5e-4), fx.materials.nitinol)
    ends = fx.Weld("world", "rod.base"), fx.Ball("b", "world", "rod.tip", se3.pose((0.7, 0, 0)))
    result = fx.statics(fx.build(fx.Robot("column", [rod], ends), rods=rods), iterations=most)
    assert result.iterations <= most


@EACH
def test_a_path_does_not_lose_turns(rods):
    path = fx.continuation(wound(rods), "turn", 8.0 * np.pi)
    if path.status is not fx.PathStatus.COARSE:
        assert path.unwrap().results[-1].torque("turn") == pytest.approx(8.0 * np.pi * TORSION)


def test_what_was_lost_stays_known():
    """Also where the elements by themselves would look fine again."""
    model, result = wound(fx.LinearStrain(4)), None
    for quarter in range(1, 13):
        result = fx.statics(model, {"turn": 0.5 * np.pi * quarter}, start=result)
    assert result.status is fx.Status.COARSE
    back = result
    for quarter in range(11, 0, -1):  # and comes back where it unwinds
        back = fx.statics(model, {"turn": 0.5 * np.pi * quarter}, start=back)
        check(back, 0.5 * np.pi * quarter)


def driven(name, part, axis=(1, 0, 0), at=0.0, parent="world"):
    """A driven hinge along the axis of a rod."""
    return fx.Hinge(name, parent, part, axis, se3.pose((at, 0, 0)), driven=True)


HALVES = [fx.Rod(name, 0.5, ROD.section, ROD.material) for name in "ab"]
MOTOR = fx.Motor("one", axis=(1, 0, 0), point=(0, 0, 0), drives={"rod.base": np.eye(4)})
AGAINST = {
    "hinges at both ends": ([ROD], [driven("one", "rod.base"), driven("two", "rod.tip", at=1.0)]),
    "motor and hinge": ([ROD], [MOTOR, driven("two", "rod.tip", at=1.0)]),
    "hinges of a chain": (
        HALVES,
        [
            fx.Weld("world", "a.base"),
            driven("one", "b.base", parent="a.tip"),
            driven("two", "b.tip", at=1.0),
        ],
    ),
}


@mixed(ids=name_of, rods=DESCRIPTIONS, name=AGAINST)
def test_turns_of_several_drives_add_up(rods, name):
    """Each of them turns by less than half a turn."""
    model = fx.build(fx.Robot("against", *AGAINST[name]), rods=rods)
    begin, end = {"one": 0.0, "two": 0.0}, {"one": -1.9, "two": 1.9}
    check_two = pytest.approx(3.8 * TORSION, rel=1e-3)
    assert fx.statics(model, end).unwrap().torque("two") == check_two
    assert fx.statics(model, end, start=fx.statics(model)).unwrap().torque("two") == check_two
    assert fx.statics_many(model, [begin, end]).unwrap()[1].torque("two") == check_two


def test_turns_of_poses_add_up():
    """Of a weld with a hinge, and of two welds."""
    tip = fx.Weld("world", "rod.tip", se3.pose((1, 0, 0)), name="two")
    turned = {"two": se3.pose((1, 0, 0), (1.9, 0, 0))}
    stored = pytest.approx(0.5 * TORSION * 3.8**2, rel=1e-3)
    for base, angle in (
        (driven("one", "rod.base"), -1.9),
        (fx.Weld("world", "rod.base", name="one"), se3.pose((0, 0, 0), (-1.9, 0, 0))),
    ):
        model = fx.build(fx.Robot("gripped", [ROD], [base, tip]))
        end = turned | {"one": angle}
        assert fx.statics(model, end).unwrap().energy == stored
        assert fx.statics(model, end, start=fx.statics(model)).unwrap().energy == stored


def test_drives_that_turn_a_loop_as_a_whole_are_not_followed():
    """Two rods on the same hub, which turns them by as much: nothing is wound up."""
    hub = se3.pose((0, 0.1, 0))
    motor = fx.Motor(
        "hub", axis=(0, 1, 0), point=(0, 0, 0), drives={"a.base": np.eye(4), "b.base": hub}
    )
    tips = fx.Weld("a.tip", "b.tip", se3.pose((0, 0.1, 0)))
    model = fx.build(fx.Robot("hub", HALVES, [motor, tips]))
    result = fx.statics(model, {"hub": 6.0}).unwrap()
    assert result.iterations <= 1
    assert result.energy == pytest.approx(0.0, abs=1e-12)


def test_another_way_to_close_a_loop_is_told():
    """A rod that is turned by 1.2 turns may as well be turned by 0.2."""
    result = fx.statics(wound(fx.Spline()), {"turn": 2.4 * np.pi}).unwrap()
    check(result, 2.4 * np.pi)
    assert TWO_WAYS in result.remarks
    assert fx.statics(wound(fx.Spline()), {"turn": 0.4 * np.pi}).unwrap().remarks == ()


def test_a_loop_that_cannot_be_followed_says_so(monkeypatch):
    """A crank by a radian, with equal bars: it may be closed crossed, too."""

    class Lost(Search):
        def run(self):
            found = super().run()
            return found if self._cold else replace(found, status=fx.Status.LIMIT)

    bodies = [fx.Body(name, mass=1.0) for name in ("crank", "coupler", "rocker")]
    joints = [
        fx.Hinge("drive", "world", "crank", (0, 0, 1), driven=True),
        fx.Hinge("b", fx.At("crank", offset=se3.pose((0, 1, 0))), "coupler", (0, 0, 1)),
        fx.Hinge("c", fx.At("coupler", offset=se3.pose((2, 0, 0))), "rocker", (0, 0, 1)),
        fx.Hinge(
            "d",
            "world",
            fx.At("rocker", offset=se3.pose((0, -1, 0))),
            (0, 0, 1),
            se3.pose((2, 0, 0)),
        ),
    ]
    model = fx.build(fx.Robot("bars", bodies=bodies, joints=joints))
    said = "could not be followed from their described values"
    assert not any(said in x for x in fx.statics(model, {"drive": 1.0}).unwrap().remarks)
    monkeypatch.setattr(followed, "Search", Lost)
    result = fx.statics(model, {"drive": 1.0}).unwrap()
    assert any(said in x for x in result.remarks)


@pytest.mark.parametrize("rods", [fx.Spline(), fx.LinearStrain(8), fx.VariableStrain()], ids=str)
def test_turns_of_what_follows_a_drive_are_counted(rods, tmp_path):
    """A free hinge forgot them, as poses tell no whole turns. Its shaft drives it half as far."""
    joints = [
        fx.Hinge("drive", "world", "rod.base", (1, 0, 0), driven=True),
        fx.Hinge("bearing", "world", "gear", (1, 0, 0), offset=se3.pose((1, 0, 0))),
        fx.Weld("gear", "rod.tip"),
        fx.Weld("gear", "spring.base"),
        fx.Weld("world", "spring.tip", offset=se3.pose((2, 0, 0))),
    ]
    gear, rods_of = fx.Body("gear", 0.01, (1e-6,) * 3), [ROD, replace(ROD, name="spring")]
    model = fx.build(fx.Robot("shaft", rods_of, joints, bodies=[gear]), rods)
    for angle in (20.0, -14.0):
        result = fx.statics(model, {"drive": angle}).unwrap()
        assert result.coordinate("bearing") == pytest.approx(0.5 * angle, rel=1e-6)
        fx.save_result(result, tmp_path / "shaft.npz")
        again = fx.load_result(tmp_path / "shaft.npz")
        assert again.coordinate("bearing") == result.coordinate("bearing")
        path = fx.continuation(model, "drive", 0.0, start=again).unwrap()
        assert path[-1].coordinate("bearing") == pytest.approx(0.0, abs=1e-6)


def test_what_begins_cold_counts_turns_from_nowhere():
    """It counted from where another search had ended in the same arrays, also if that was lost."""
    joints = [
        fx.Hinge("bearing", "world", "rod.base", (1, 0, 0)),
        fx.Weld("world", "rod.tip", offset=se3.pose((1, 0, 0))),
    ]
    model = fx.build(fx.Robot("shaft", [ROD], joints), fx.Spline())
    before = fx.statics(model).unwrap()
    with workspace(model) as assembly:
        turned = replace(before.evaluation, hinge_turns=np.array([3.0]))
        assembly.count_from(before.given, turned)
        cold = Sought(assembly, before.given, None, 100, True).at_once(100)
    assert cold.converged
    assert cold.coordinate("bearing") == pytest.approx(0.0, abs=1e-9)
