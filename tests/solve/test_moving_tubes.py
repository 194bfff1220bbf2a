"""Motion of fed tubes: that of the rod that is outside of the plate."""

from dataclasses import replace

import numpy as np
import pytest
from support import refused

import flexura as fx

STEEL = fx.Material(young=60e9, shear=23e9, density=6450.0)
RODS = fx.VariableStrain((2, 6, 6, 2, 2, 2), steps=24)
SECTION = fx.Tube(0.6e-3, 0.48e-3)
OUT = {"rod.insertion": 0.1}
GRAVITY = [fx.Gravity()]


def fed(material=STEEL):
    """A tube of 0.2 m in a plate; half of it is outside in the tests."""
    rod = fx.Rod("rod", 0.2, SECTION, material)
    joints = [fx.Weld("world", "set.base")]
    return fx.Robot("fed", tubes=[fx.TubeSet("set", [rod])], joints=joints, loads=GRAVITY)


def held():
    """The same rod, as long as what is outside."""
    rod = fx.Rod("rod", 0.1, SECTION, STEEL)
    return fx.Robot("held", rods=[rod], joints=[fx.Weld("world", "rod.base")], loads=GRAVITY)


@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(), fx.ImplicitEuler()], ids=repr)
def test_a_fed_tube_moves_as_the_rod_that_is_outside(integrator):
    """In a plane, where the spin of the tube does not matter; it drops under its weight."""
    more = {"duration": 0.006, "step": 0.0005, "integrator": integrator}
    moved = fx.simulate(fx.build(fed(), rods=RODS), inputs=OUT, **more)
    known = fx.simulate(fx.build(held(), rods=RODS), **more)
    assert known[-1].kinetic > 1e-9
    for a, b in zip(moved, known, strict=True):
        np.testing.assert_allclose(a.pose("rod.tip"), b.pose("rod.tip"), atol=1e-9)
        assert a.kinetic == pytest.approx(b.kinetic, rel=1e-5, abs=1e-15)
        np.testing.assert_allclose(a.momentum, b.momentum, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("integrator", [fx.Variational(), fx.SymplecticEuler()], ids=repr)
def test_variational_integrators_refuse_sets(integrator):
    model = fx.build(fed(), rods=RODS)
    with refused(["variational", "'fed'", "GeneralizedAlpha", "ImplicitEuler"]):
        fx.simulate(model, inputs=OUT, duration=1e-3, step=1e-4, integrator=integrator)


def test_motion_refuses_viscous_tubes():
    """It would move as if they were not."""
    result = fx.statics(fx.build(fed(replace(STEEL, viscosity=1e5)), rods=RODS), OUT).unwrap()
    words = ["'rod'", "'set'", "100000 Pa·s", "viscosity=0"]
    with refused(words):
        fx.simulate(result.model, inputs=OUT, duration=1e-3, step=1e-4)
    with refused(words):
        fx.modes(result)
    with refused(words):
        fx.linearize(result)


def test_an_insertion_that_jumps_is_told():
    """A motion goes by described insertions where none are given, whatever it begins with."""
    result = fx.statics(fx.build(fed(), rods=RODS), OUT).unwrap()
    more = {"duration": 1e-3, "step": 5e-4, "start": result, "integrator": fx.ImplicitEuler()}
    moved = fx.simulate(result.model, **more)
    assert any("'rod.insertion' jumps" in text for text in moved.remarks)
    still = fx.simulate(result.model, inputs=OUT, **more)
    assert not any("jumps" in text for text in still.remarks)
    assert still[-1].kinetic < 1e-20
