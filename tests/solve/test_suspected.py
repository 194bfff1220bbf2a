"""What may be wrong by more than a part of its length says so; others are not asked."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.solve import suspected
from flexura.solve.rough import ROUGH

THEORY = Path(__file__).parents[2] / "docs/theory.md"

WIRE = fx.Rod("wire", 1.0, fx.Circle(1e-3), fx.Material(young=1e9, poisson=0.3))
BENDING = WIRE.stiffness(0.0)[1]
ACROSS, BACK = (0.0, 0.0, 1.0), (-1.0, 0.05, 0.02)
FEW = fx.VariableStrain((5, 5, 5, 0, 0, 0))


def pulled(rods, force, parts=1.0):
    """A clamped wire, pulled at its tip, by forces in parts of EI / L²."""
    load = fx.PointLoad("pull", "wire.tip", force=parts * BENDING * np.asarray(force))
    robot = fx.Robot("pulled", [WIRE], joints=[fx.Weld("world", "wire.base")], loads=[load])
    return fx.statics(fx.build(robot, rods))


def wound(rods, turns):
    """A soft shaft between a clamp and a hinge aside, which is driven so many turns."""
    shaft = fx.Rod("shaft", 1.0, fx.Circle(0.01), fx.Material(young=2e10, shear=4e8))
    there = se3.pose((0.5, -0.3, 0.0), (0.0, 0.0, 0.4))
    hinge = fx.Hinge("drive", "world", "shaft.tip", (1, 0, 0), there, driven=True)
    robot = fx.Robot("wound", [shaft], joints=[fx.Weld("world", "shaft.base"), hinge])
    return fx.statics(fx.build(robot, rods), {"drive": 2.0 * np.pi * turns})


@pytest.mark.parametrize(
    ("rods", "force", "parts"),
    [
        (fx.ConstantStrain(4), ACROSS, 1000.0),
        (fx.ConstantStrain(), ACROSS, 1000.0),
        (fx.ConstantStrain(), BACK, 3000.0),
        (fx.Spline(1, 12), ACROSS, 3000.0),
        (fx.Hermite(), ACROSS, 3000.0),
        (FEW, ACROSS, 1000.0),
        (FEW, BACK, 1000.0),
        (fx.LinearStrain(), ACROSS, 100.0),
    ],
    ids=str,
)
def test_what_bends_within_an_element_says_how_wrong_it_may_be(rods, force, parts):
    """All of them were converged without a word; the first was off by 0.10 m."""
    result, fine = pulled(rods, force, parts), pulled(fx.Spline(3, 96), force, parts)
    off = np.linalg.norm(result.pose("wire.tip")[:3, 3] - fine.pose("wire.tip")[:3, 3])
    assert result.accuracy > max(ROUGH, 0.5 * off)  # an estimate, to first order
    assert any("may be wrong by" in remark for remark in result.remarks)
    assert not any("may be wrong" in remark for remark in fine.remarks)


@pytest.mark.parametrize(
    ("rods", "turns"),
    [
        (fx.VariableStrain(), 2),
        (fx.VariableStrain(), 5),
        (fx.ConstantStrain(), 3),
        (fx.RotationInterpolation(4), 3),
    ],
    ids=str,
)
def test_what_is_wound_up_in_few_elements_is_too_coarse(rods, turns):
    """Up to five times the torque, converged and stable before."""
    result = wound(rods, turns)
    assert result.status is fx.Status.COARSE
    assert any("is too coarse: try" in remark for remark in result.remarks)


def test_what_is_wound_up_finely_is_found():
    found, same = wound(fx.Spline(3, 48), 2), wound(fx.LinearStrain(32), 2)
    assert found.converged
    assert same.converged
    # elements of 1/32 that coil once in half a length: turns of 0.4 rad each, squared over 12
    assert found.torque("drive") == pytest.approx(same.torque("drive"), rel=0.4**2 / 12)


def test_an_ordinary_solve_is_not_asked(monkeypatch):
    """It would take several times as long as the solve."""
    monkeypatch.setattr(suspected, "errors", lambda *_, **__: pytest.fail("asked"))
    for rods in (fx.Spline(), fx.LinearStrain(8), fx.VariableStrain(), fx.Hermite(8)):
        assert pulled(rods, ACROSS, 10.0).converged
    assert pulled(fx.ConstantStrain(8), ACROSS).converged


def test_the_theory_says_when_results_are_asked():
    theory = THEORY.read_text()
    part = f"{suspected.SOONER:g}".replace("0.5", "half")
    assert f"may be wrong by {100.0 * ROUGH:g} % of the shortest rod" in theory
    assert f"After more than {suspected.HARD} iterations {part} of it is enough" in theory


def winding(rods, force):
    """A straight wire that is pulled and twisted, its tip on a slider; and Greenhill's angle."""
    wire = fx.Rod("wire", 0.5, fx.Circle(radius=0.5e-3), fx.materials.nitinol)
    joints = [
        fx.Weld("world", "wire.base"),
        fx.Slider("slide", "world", "car", (1, 0, 0), offset=se3.pose((0.5, 0, 0))),
        fx.Hinge("twist", "car", "wire.tip", (1, 0, 0), driven=True),
    ]
    pull, car = fx.PointLoad("pull", "car", (force, 0, 0)), fx.Body("car", 0.1, (1e-4,) * 3)
    torsion, bending = wire.stiffness(0.0)[:2]
    robot = fx.Robot("winder", [wire], joints, [pull], bodies=[car])
    return fx.build(robot, rods), 2.0 * np.sqrt(bending * force) / torsion * wire.length


@pytest.mark.parametrize("rods", [fx.VariableStrain(), fx.ConstantStrain(8)], ids=str)
def test_what_cannot_bend_as_its_sections_turn_is_not_stable(rods):
    """Ten turns are ten waves in the frame of the section: it was straight, stable, CONVERGED."""
    model, critical = winding(rods, 10.0)
    assert fx.statics(model, {"twist": 0.8 * critical}).unwrap().stable
    beyond = fx.statics(model, {"twist": 1.2 * critical})
    assert beyond.status is fx.Status.COARSE
    assert any("is too coarse: try" in remark for remark in beyond.remarks)


@pytest.mark.parametrize("turns", [1, 3, 10])
@pytest.mark.parametrize(
    "rods",
    [fx.VariableStrain(), fx.ConstantStrain(8), fx.RotationInterpolation(4), fx.LinearStrain(16)],
    ids=str,
)
def test_what_is_twisted_at_rest_bends_as_it_does_or_says_so(rods, turns):
    """Strips of ten turns hardly bent, 0.4 m off at the tip, and were CONVERGED without a word."""
    rest = (2.0 * np.pi * turns / 0.5, 0.0, 0.0)
    strip = fx.Rod("strip", 0.5, fx.Rectangle(4e-3, 1e-3), fx.materials.nitinol, rest=rest)
    pull = fx.PointLoad("pull", "strip.tip", force=(0.0, 0.3, 1.0))
    robot = fx.Robot("strip", [strip], [fx.Weld("world", "strip.base")], [pull])
    exact = fx.shooting(robot).unwrap().pose("strip.tip")[:3, 3]
    result = fx.statics(fx.build(robot, rods))
    wrong = np.linalg.norm(result.pose("strip.tip")[:3, 3] - exact)
    if wrong > ROUGH * strip.length:
        assert result.status is fx.Status.COARSE or any("is coarse" in x for x in result.remarks)
    else:
        assert result.converged


def test_a_shaft_that_holds_six_turns_for_want_of_waves_is_too_coarse():
    """It sagged by 2 mm instead of 91: the more its sections turn, the less its strains vary."""
    rubber = fx.Material(young=1e6, poisson=0.49, density=1000.0)
    shaft = fx.Rod("shaft", 0.5, fx.Circle(5e-3), rubber)
    joints = [
        fx.Weld("world", "shaft.base"),
        fx.Slider("slide", "world", "car", (1, 0, 0), offset=se3.pose((0.5, 0, 0))),
        fx.Hinge("twist", "car", "shaft.tip", (1, 0, 0), driven=True),
    ]
    loads, car = [fx.PointLoad("pull", "car", (0.2, 0, 0)), fx.Gravity()], fx.Body("car", 1e-6)
    model = fx.build(fx.Robot("sags", [shaft], joints, loads, bodies=[car]), fx.VariableStrain())
    assert fx.statics(model, {"twist": 12.0 * np.pi}).status is fx.Status.COARSE
