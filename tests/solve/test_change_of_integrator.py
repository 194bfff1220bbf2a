"""A motion that another integrator goes on with, from an instant of the first."""

import pytest

import flexura as fx


@pytest.fixture(scope="module")
def model():
    section = fx.Section(area=1.0, iy=0.02, iz=0.02, torsion=0.02)
    soft = fx.Material(young=100.0, shear=100.0)
    rod = fx.Rod("rod", 1.0, section, soft, line_mass=1.0, line_inertia=(0.02, 0.01, 0.01))
    robot = fx.Robot(
        "arm",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity((0.0, -1.0, 0.0))],
    )
    return fx.build(robot, rods=fx.LinearStrain(2))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (fx.GeneralizedAlpha(), fx.Variational()),
        (fx.Variational(), fx.GeneralizedAlpha()),
        (fx.GeneralizedAlpha(), fx.ImplicitEuler()),
    ],
    ids=repr,
)
def test_goes_on_by_another_integrator(model, first, second):
    before = fx.simulate(model, 0.1, 0.002, integrator=first).unwrap()
    after = fx.simulate(model, 0.02, 0.002, start=before[-1], integrator=second).unwrap()
    stepped = fx.Simulation(model, 0.002, integrator=second, start=before[-1]).step()
    assert stepped.pose("rod.tip") == pytest.approx(after[1].pose("rod.tip"), abs=1e-12)
    # Without the accelerations of the beginning, the first step of generalised-alpha loses 1e-5
    # of the energy in motion, 0.01 J; implicit Euler loses a part h/T of it at each step.
    loss = 1e-4 if isinstance(second, fx.ImplicitEuler) else 2e-7
    assert after.energy == pytest.approx(before[-1].energy, abs=loss)
