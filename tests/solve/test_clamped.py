"""Rods between two clamps in any poses: through limits of the load, and stretched."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3

LENGTH = 0.4
RUBBER = fx.Material(young=1e7, poisson=0.4, density=1000.0)
# One of eighty that ended at a limit of the load before, in a spline.
SNAPPING = (30,)
DESCRIPTIONS = [fx.Spline(3, 24), fx.Hermite(16), fx.VariableStrain((10,) * 6, steps=32)]


def clamped(rod, end):
    """A rod between clamps under its weight."""
    joints = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", end)]
    return fx.Robot("clamped", [rod], joints, [fx.Gravity()])


def drawn(seed, rest, near, far, turned=1.0, thin=False):
    """A rod between clamps whose distance is between two parts of its length."""
    rng = np.random.default_rng(seed)
    section = fx.Circle(np.exp(rng.uniform(*np.log([1e-3, 2e-3] if thin else [2e-3, 6e-3]))))
    rod = fx.Rod("rod", LENGTH, section, RUBBER, rest=tuple(rest * rng.normal(size=3)))
    way = rng.normal(size=3)
    way *= rng.uniform(near, far) * LENGTH / np.linalg.norm(way)
    return clamped(rod, se3.pose(way, rotation=turned * rng.normal(size=3)))


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
@pytest.mark.parametrize("seed", SNAPPING)
def test_weight_takes_curved_rods_through_limits(seed, rods):
    """Where the load cannot be raised any further, the rod snaps to where it can be carried."""
    result = fx.statics(fx.build(drawn(seed, 6.0, 0.2, 0.9, turned=0.0), rods=rods)).unwrap()
    assert result.stable


@pytest.mark.parametrize("seed", range(8))
def test_rods_are_stretched_between_turned_clamps(seed):
    """From a curve that is stretched, not from one that runs backwards: 140 iterations before."""
    robot = drawn(seed, 0.0, 1.02, 1.2)
    spline, hermite = (
        fx.statics(fx.build(robot, rods=x)) for x in (fx.Spline(3, 48), fx.Hermite(48))
    )
    assert spline.unwrap().stable
    assert spline.iterations <= 60
    assert hermite.unwrap().energy == pytest.approx(spline.energy, rel=1e-3)


@pytest.mark.parametrize(
    "seed", [0, 4, *(pytest.param(x, marks=pytest.mark.long) for x in (1, 2, 3, 5, 6, 7))]
)
def test_bends_too_sharp_for_their_elements_are_coarse(seed):
    """Stretched rods turn within √(EI/EAε) at clamps; the advice leads on."""
    robot = drawn(seed, 0.0, 1.1, 1.3, thin=True)
    rods = fx.Spline(3, 12)
    result = fx.statics(fx.build(robot, rods=rods))
    for factor in (2.0, 4.0, 8.0):
        if result.converged:
            break
        assert result.status is fx.Status.COARSE
        result = fx.statics(fx.build(robot, rods=rods.finer(factor)))
    assert result.unwrap().stable


STEEL = fx.Rod("rod", 1.0, fx.Circle(1e-3), fx.Material(young=210e9, poisson=0.3))


@pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)
def test_clamps_behind_each_other_are_found_from_cold(rods):
    """At any distance it is the loop that is reached from a nearer one, and takes no longer."""
    joints = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", name="grip")]
    model, before = fx.build(fx.Robot("behind", [STEEL], joints), rods=rods), None
    for x in (-0.45, -0.5, -0.55, -0.6):
        inputs = {"grip": se3.pose((x, 0.0, 0.0))}
        cold, before = fx.statics(model, inputs).unwrap(), fx.statics(model, inputs, start=before)
        assert cold.stable
        assert cold.iterations <= 8
        assert cold.energy == pytest.approx(before.energy, rel=1e-6)
