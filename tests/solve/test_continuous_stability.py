"""Stability of continuous rods in the shape of a result, from the equations of its error."""

import numpy as np
import pytest
from support import cantilever

import flexura as fx
from flexura.lie import se3
from flexura.model.balance import balance
from flexura.solve.accuracy.accuracy import judged
from flexura.solve.free_motion import neutral_motions
from flexura.solve.remarks import BY_RODS
from flexura.solve.workspace import workspace

EI = 2e11 * np.pi / 4.0 * 1e-12
WIRE = fx.Rod("rod", 1.0, fx.Circle(1e-3), fx.Material(young=2e11, poisson=0.3))


def rods_stable(result):
    """What continuous rods would do in the shape of a result."""
    with workspace(result.model) as assembly:
        assembly.evaluate(result.state, result.given)
        return judged(result, assembly, balance(assembly), neutral_motions(assembly))[1]


@pytest.mark.parametrize(
    "rods", [fx.Spline(3, 24), fx.LinearStrain(16), fx.VariableStrain(), fx.Hermite(8)], ids=str
)
@pytest.mark.parametrize("part", [0.99, 1.01, 8.9, 9.1])
def test_a_column_at_the_load_of_euler(rods, part):
    """P = π² EI / 4 L²; the continuous column buckles there, in whatever mesh it was found."""
    robot = cantilever(WIRE, force=(-part * np.pi**2 * EI / 4.0, 0.0, 0.0))
    straight = fx.statics(fx.build(robot, rods=rods), seek_stable=False)
    assert rods_stable(straight) is (part < 1.0)


SOFT = fx.Material(young=1e9, poisson=0.3, density=1000.0)
SOFT_EI = 1e9 * np.pi / 4.0 * (2e-3) ** 4
STRETCHED = [
    fx.ConstantStrain(4),
    fx.LinearStrain(4),
    fx.Spline(3, 4),
    fx.Hermite(4),
    fx.VariableStrain(),
]


def pushed(rods, load, spectators=0, balls=True):
    """A column under so many times EI/L², and rods beside it that turn about their axes."""
    column, along = fx.Rod("column", 1.0, fx.Circle(2e-3), SOFT), [fx.Weld("world", "column.base")]
    others = [fx.Rod(f"other {i}", 1.0, column.section, SOFT) for i in range(spectators)]
    for i, other in enumerate(others):
        ends = [se3.pose((x, 1.0 + i, 0.0)) for x in (0.0, 1.0)]
        if balls:
            along += [
                fx.Ball(f"{other.name} {end}", "world", f"{other.name}.{end}", offset=at)
                for end, at in zip(("base", "tip"), ends, strict=True)
            ]
        else:
            hinge = fx.Hinge(other.name, "world", f"{other.name}.base", (1, 0, 0), offset=ends[0])
            along.append(hinge)
    push = fx.PointLoad("push", "column.tip", (-load * SOFT_EI, 0.0, 0.0))
    robot = fx.Robot("pushed", [column, *others], along, [push])
    return fx.statics(fx.build(robot, rods=rods))


@pytest.mark.parametrize(
    ("rods", "load", "spectators", "balls"),
    [
        (fx.RotationInterpolation(2), 10.0, 1, True),
        (fx.RotationInterpolation(4), 5.0, 1, True),
        (fx.ConstantStrain(1), 20.0, 3, True),
        (fx.LinearStrain(1), 100.0, 6, True),
        *((fx.RotationInterpolation(4), load, 1, False) for load in (5.0, 20.0, 100.0)),
        *((rods, load, 1, True) for rods in STRETCHED for load in (5.0, 20.0, 100.0)),
    ],
    ids=str,
)
def test_a_spectator_that_turns_freely_changes_no_answer(rods, load, spectators, balls):
    """Beside the first four, columns beyond 2 to 40 times Euler's load were "stable", straight."""
    alone, beside = pushed(rods, load), pushed(rods, load, spectators, balls)
    assert (beside.status, beside.stable) == (alone.status, alone.stable)
    x, y = (result.pose("column.tip")[:3, 3] for result in (alone, beside))
    assert y[0] == pytest.approx(x[0], abs=1e-3)  # it buckles to any side
    assert np.hypot(*y[1:]) == pytest.approx(np.hypot(*x[1:]), abs=1e-3)


@pytest.mark.parametrize("rods", [fx.Spline(), fx.LinearStrain(8), fx.VariableStrain()], ids=str)
def test_what_slides_away_is_told_at_once(rods):
    """A rod on a body that falls along its slider: 156 to 336 iterations before."""
    rubber = fx.Material(young=1e7, poisson=0.4, density=1000.0)
    joints = [fx.Slider("rail", "world", "cart", (0, 0, 1)), fx.Weld("cart", "rod.base")]
    rod = fx.Rod("rod", 0.5, fx.Circle(5e-3), rubber)
    cart = fx.Body("cart", mass=1.0)
    falls = fx.Robot("falls", [rod], joints, [fx.Gravity()], bodies=[cart])
    result = fx.statics(fx.build(falls, rods=rods))
    assert result.status is fx.Status.UNHELD
    assert result.iterations == 0
    assert "slide freely along (0, 0, 1)" in result.remarks[0]
    # along a level rail nothing pushes it
    level = [fx.Slider("rail", "world", "cart", (1, 0, 0)), joints[1]]
    rests = fx.Robot("rests", [rod], level, [fx.Gravity()], bodies=[cart])
    assert fx.statics(fx.build(rests, rods=rods)).unwrap().stable


@pytest.mark.parametrize(
    "rods", [fx.LinearStrain(24), fx.Power(3, 24), fx.Spline(3, 24), fx.Hermite(24)], ids=str
)
def test_what_moves_freely_is_named_whoever_tells_that_it_is_stable(rods):
    """Elements of the first two buckle by themselves, so that continuous rods judge."""
    cord = fx.Rod("cord", 3.0, fx.Circle(5e-4), fx.materials.ecoflex_00_30)
    at = se3.pose((2.1, 0.0, 0.3))
    balls = [fx.Ball("a", "world", "cord.base"), fx.Ball("b", "world", "cord.tip", offset=at)]
    robot = fx.Robot("cord", [cord], balls, [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable
    assert (BY_RODS in result.remarks) is isinstance(rods, fx.LinearStrain | fx.Power)
    free = [remark for remark in result.remarks if "freely" in remark]
    assert free == ["rod 'cord' turns freely about its own axis, in joints 'a', 'b'"]
