"""Where energy goes: what a robot has, what viscosity takes, what inputs give."""

import numpy as np
import pytest

import flexura as fx

COARSE = {"spline": fx.Spline(3, 2), "hermite": fx.Hermite(1), "linear strain": fx.LinearStrain(2)}
EACH_COARSE = pytest.mark.parametrize("rods", COARSE.values(), ids=COARSE.keys())
SILICONE = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=1000.0)
ROD = fx.Rod("arm", 0.3, fx.Circle(0.01), SILICONE)
HELD = fx.Weld("world", "arm.base")


@EACH_COARSE
@pytest.mark.parametrize("integrator", [fx.GeneralizedAlpha(0.9), fx.Variational()], ids=str)
def test_what_viscosity_takes_is_what_is_missing(rods, integrator):
    """Whatever the mesh; up to the error of the step, which is of second order.

    An arm that falls from the horizontal and swings, its period about 0.4 s: steps of 5 ms are an
    80th of it, and (2π/80)² = 6e-3.
    """
    model = fx.build(fx.Robot("arm", rods=[ROD], joints=[HELD], loads=[fx.Gravity()]), rods=rods)
    missing = []
    for h in (0.005, 0.0025):
        motion = fx.simulate(model, 0.25, h, integrator=integrator).unwrap()
        total = motion.energy + motion.dissipated
        missing.append(np.ptp(total) / motion.dissipated[-1])
    assert missing[0] <= 8e-3
    assert missing[1] <= 0.3 * missing[0]


@pytest.mark.parametrize("rods", [fx.Spline(3, 2), fx.Hermite(2)], ids=str)
def test_rates_of_stretch_and_shear_are_those_of_the_forces(rods, rng):
    """Their means with every function of the forces are those of the strains of poses."""
    taper = fx.Taper(fx.Circle(0.02), fx.Circle(0.01))
    rod = fx.Rod("arm", 0.3, taper, SILICONE, (0.0, 2.0, 0.0, 1.1, 0.0, 0.1))
    model = fx.build(fx.Robot("arm", rods=[rod], joints=[HELD]), rods=rods)
    simulation = fx.Simulation(model, 1e-3)
    (law,) = simulation.instant.tracks.moving.viscous
    strain = law.rest + 0.1 * rng.normal(size=law.rest.shape)
    told, group = law.told(strain), model.parts[0].group
    np.testing.assert_array_equal(told[:, :3], strain[:, :3])
    means = np.zeros((model.parts[0].n_nodes, group.n_inner))
    group.assumed.carry(law.weight[:, None] * (told - strain)[:, 3:], means)
    np.testing.assert_allclose(means, 0.0, atol=1e-15)
    np.testing.assert_allclose(law.told(told), told, rtol=1e-12)
