"""Rods that are wound up: turns are counted, or an element says that it cannot."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

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
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)


def wound(rods):
    """A straight rod between a clamp and a driven hinge along its axis."""
    tip = fx.Hinge("turn", "world", "rod.tip", (1, 0, 0), se3.pose((1, 0, 0)), driven=True)
    return fx.build(fx.Robot("wound", [ROD], [fx.Weld("world", "rod.base"), tip]), rods=rods)


def check(result, angle):
    """The torque is GJ θ / L, a little less where the rod has left its axis, or none was found."""
    if result.status is fx.Status.COARSE:
        assert any("needs at least" in remark for remark in result.remarks)
    elif result.converged:
        assert abs(result.torque("turn")) == pytest.approx(TORSION * angle, rel=1e-3)


@EACH
def test_turns_are_counted_from_solve_to_solve(rods):
    model, result = wound(rods), None
    for quarter in range(1, 25):
        angle = 0.5 * np.pi * quarter
        result = fx.statics(model, {"turn": angle}, start=result)
        check(result, angle)
        assert quarter > 4 or result.converged


@pytest.mark.parametrize("turns", [0.9, 1.0, 1.5, 4.0])
@EACH
def test_turns_are_counted_from_cold(rods, turns):
    result = fx.statics(wound(rods), {"turn": 2.0 * np.pi * turns})
    check(result, 2.0 * np.pi * turns)
    assert turns > 1.0 or result.converged


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
