"""Rods too limp for their elements: each by itself, and with advice that leads somewhere."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.solve.remarks import wrong_rods

ECOFLEX = fx.materials.ecoflex_00_30
CORD = fx.Material(young=1e8, poisson=0.45, density=1100.0)
ASIDE = se3.pose((0.0, 5.0, 0.0))
# A beam under 1000 N, and a thread that nothing pulls at.
BEAM = fx.Rod("other", 1.0, fx.Circle(0.02), fx.Material(young=2e11, poisson=0.3))
THREAD = fx.Rod("other", 1.0, fx.Circle(1e-4), fx.Material(young=1e6, poisson=0.3))
PULL = fx.PointLoad("pull", at="other.tip", force=(0.0, 0.0, 1000.0))


def cord(ends=fx.Ball, material=ECOFLEX):
    """Rod and joints of a cord of 2 m between two points."""
    rod, end = fx.Rod("cord", 2.0, fx.Circle(2e-3), material), se3.pose((1.4, 0.0, 0.0))
    if ends is fx.Weld:
        return rod, [fx.Weld("world", "cord.base"), fx.Weld("world", "cord.tip", end)]
    return rod, [fx.Ball("a", "world", "cord.base"), fx.Ball("b", "world", "cord.tip", end)]


def hung(rods, *args):
    rod, joints = cord(*args)
    return fx.statics(fx.build(fx.Robot("cord", [rod], joints, [fx.Gravity()]), rods=rods))


def thread(length, spans):
    """A wire of 1 mm, clamped at one end, that falls from where it is level."""
    wire = fx.Rod("wire", length, fx.Circle(diameter=1e-3), fx.materials.nitinol)
    robot = fx.Robot("wire", [wire], [fx.Weld("world", "wire.base")], [fx.Gravity()])
    return fx.statics(fx.build(robot, rods=fx.Spline(3, spans)))


def advised(result):
    """The description that a coarse result asks for."""
    assert result.status is fx.Status.COARSE
    (advice,) = (x for x in result.remarks if "is too coarse: try" in x)
    return eval(advice.partition("is too coarse: try ")[2], vars(fx))


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("other", "loads"), [(BEAM, [PULL]), (THREAD, [])], ids=["beam", "thread"])
def test_what_nothing_joins_changes_nothing(other, loads, first):
    """Before, the cord needed 456 elements beside the beam, and 29988 beside the thread."""
    rod, end = fx.Rod("cord", 2.0, fx.Circle(2e-3), CORD), se3.pose((1.4, 0.0, 0.0))
    joints = [fx.Weld("world", "cord.base"), fx.Ball("b", "world", "cord.tip", end)]
    alone = fx.Robot("alone", [rod], joints, [fx.Gravity()])
    rods = [other, rod] if first else [rod, other]
    held = [*joints, fx.Weld("world", "other.base", ASIDE)]
    beside = fx.Robot("beside", rods, held, [fx.Gravity(), *loads])
    one, two = (fx.statics(fx.build(x, rods=fx.LinearStrain(6))) for x in (alone, beside))
    assert one.status is two.status is fx.Status.RELAXED
    assert one.remarks == two.remarks
    s = np.linspace(0.0, 2.0, 9)
    apart = one.pose("cord", s)[:, :3, 3] - two.pose("cord", s)[:, :3, 3]
    assert np.abs(apart).max() < 1e-6


def test_each_rod_is_judged_by_its_own_stiffness():
    """Of two cords in one part, only the limp one needs more, as much as it does alone."""
    limp, joints = cord()
    stiff = fx.Rod("other", 2.0, fx.Circle(2e-2), fx.materials.nitinol)
    beside = [*joints, fx.Weld("world", "other.base", ASIDE)]
    robot = fx.Robot("both", [limp, stiff], beside, [fx.Gravity()])
    both = fx.statics(fx.build(robot, rods=fx.LinearStrain(8)))
    assert advised(both) == advised(hung(fx.LinearStrain(8)))


def followed(rods, ends):
    """What following the advice ends in, and how often it was given."""
    result, times = hung(rods, ends), 0
    while result.status is fx.Status.COARSE and times < 3:
        result, times = hung(advised(result), ends), times + 1
    assert result.stable
    return result, times


@pytest.mark.parametrize("elements", [4, 5, 6, 7, 8, 9, 10])
def test_advice_of_limp_cords_is_what_they_need(elements):
    """From 9 on they are found at once; before, all of these asked for more than 300."""
    result, times = followed(fx.LinearStrain(elements), fx.Ball)
    assert times <= 2
    assert (times == 0) is (elements >= 9)
    assert 9 <= result.model.rods["cord"].elements <= 24
    assert result.accuracy < 2e-3


@pytest.mark.parametrize("spans", [6, 8, 12, 16])
def test_advice_of_clamped_cords_is_what_they_need(spans):
    """24 spans are found; before, 16 asked for 46."""
    result, times = followed(fx.Spline(3, spans), fx.Weld)
    assert 1 <= times <= 2
    assert 24 <= result.model.rods["cord"].spans <= 36


@pytest.mark.parametrize("elements", [96, 127, 128, 129])
def test_elements_about_to_bend_by_themselves_do_not_lead_astray(elements):
    """128 were too coarse before, and 96 were not: a first step by 59 rad."""
    result = hung(fx.LinearStrain(elements))
    assert result.stable
    assert result.pose("cord", 1.0)[2, 3] == pytest.approx(-0.71706, abs=2e-4)


@pytest.mark.parametrize(("length", "spans"), [(150.0, 48), (200.0, 40), (200.0, 60)])
def test_what_is_clamped_does_not_move_freely(length, spans):
    result = thread(length, spans)
    assert not any("freely" in remark for remark in result.remarks)
    assert advised(result).spans > spans


def test_a_thread_that_hangs_is_not_unstable():
    """Its elements bend to and fro at the clamp: unstable by itself, without a remark, before."""
    finer = thread(100.0, advised(thread(100.0, 48)).spans)
    assert finer.stable
    assert -100.1 < finer.pose("wire.tip")[2, 3] < -99.85


@pytest.mark.parametrize("sections", [4, 8])
def test_limp_rods_of_few_elements_say_by_how_much_they_are_wrong(sections):
    """3 cm off with 8 sections, and not a word before."""
    rods = fx.ConstantStrain(sections)
    result = hung(rods, fx.Weld)
    fine = hung(fx.Spline(3, 64), fx.Weld)
    off = abs(result.pose("cord", 1.0)[2, 3] - fine.pose("cord", 1.0)[2, 3])
    (remark,) = result.remarks
    assert remark.startswith("rod 'cord' is coarse, and may be wrong by ")
    said = float(remark.partition("wrong by ")[2].partition(" m")[0])
    assert said == pytest.approx(result.accuracy, rel=0.05)
    assert off < said
    assert eval(remark.partition("try ")[2], vars(fx)).sections > sections


def test_what_cannot_be_told_is_no_number_in_words():
    model = hung(fx.ConstantStrain(8), fx.Weld).model
    (remark,) = wrong_rods(model, {"cord": np.inf})
    assert remark.startswith("rod 'cord' is coarse, and may be wrong anywhere; try ")
    assert eval(remark.partition("try ")[2], vars(fx)).sections > 8


def test_a_thread_of_few_spans_says_by_how_much_it_is_wrong():
    result = thread(20.0, 12)
    assert result.stable
    assert any("may be wrong by" in remark for remark in result.remarks)
    assert not thread(20.0, 48).remarks


@pytest.mark.slow
def test_a_thin_rod_is_too_limp_for_the_thick_one_that_hangs_on_it():
    """At its LIMIT with no part of the load, without a remark: only its own weight counted."""
    dragon = fx.materials.dragon_skin_30
    rods = [
        fx.Rod("thick", 0.095, fx.Circle(6e-4), dragon),
        fx.Rod("thin", 0.092, fx.Circle(6e-5), dragon, rest=(2.9, -17.5, -13.8)),
    ]
    turned = [se3.pose(rotation=x) for x in ((1.27, 1.29, 1.80), (-0.86, 0.95, -2.81))]
    joints = [
        fx.Ball("a", "world", "thick.base", turned[0]),
        fx.Hinge("b", "thick.tip", "thin.tip", (0.0, 1.0, 0.0), turned[1]),
        fx.Ball("c", "world", "thin.base", se3.pose((-0.043, 0.06, 0.02), (0.21, 0.9, -0.15))),
    ]
    robot = fx.Robot("limp", rods, joints, [fx.Gravity((8.68, -4.2, -1.8))])
    result = fx.statics(fx.build(robot, fx.LinearStrain(24)))
    assert result.status is fx.Status.COARSE
    (remark,) = result.remarks
    assert remark.startswith("rod 'thin' is too coarse: try ")
    advice = eval(remark.partition("try ")[2], vars(fx))
    finer = fx.statics(fx.build(robot, {"thin": advice, "thick": fx.LinearStrain(24)})).unwrap()
    spline = fx.statics(fx.build(robot)).unwrap()
    assert finer.stable
    assert finer.energy == pytest.approx(spline.energy, rel=1e-2)
