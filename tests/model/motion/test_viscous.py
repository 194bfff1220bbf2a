"""Kelvin-Voigt: the stress K (ξ - ξ*) + D ξ̇, with ξ̇ = pace ξ + ξ̇₀."""

from types import SimpleNamespace

import numpy as np
import pytest

import flexura as fx
from flexura.model.law import Given
from flexura.model.laws.elastic import Elastic
from flexura.model.laws.viscous import Viscous
from flexura.model.past import Course, Past
from flexura.rods.assumed_strain import AssumedStrain
from flexura.rods.discretization import PointForces

PACE = 40.0
NONE = np.empty(0)
ROUNDING = {"rtol": 1e-12}
# One constant function for the forces of three points.
CONSTANT = AssumedStrain(np.zeros((3, 1), int), np.zeros((3, 1), int), np.ones((3, 1)))


def laws(complementary):
    """Elastic and viscous law at three points of a tapered, curved rod."""
    material = fx.Material(young=1e5, poisson=0.4, viscosity=300.0)
    taper = fx.Taper(fx.Circle(0.03), fx.Circle(0.02))
    rest = (0.3, -0.2, 0.5, 1.1, 0.1, -0.2)
    rod = fx.Rod("rod", 1.0, taper, material, rest)
    points = SimpleNamespace(
        s=np.array([0.1, 0.5, 0.9]), weight=np.array([0.3, 0.4, 0.3]), rod=np.zeros(3, int)
    )
    elastic = Elastic.of([rod], points, complementary)
    return rod, points, elastic, Viscous.of(0, [rod], points, CONSTANT if complementary else None)


def given(rate):
    return Given(NONE, NONE, NONE, Past(PACE, 0.0, (), (rate,), (), Course(NONE, NONE, NONE), NONE))


def added(laws, at, past, n=3):
    out = PointForces(n, 0)
    for law in laws:
        law.add(at, past, out)
    return out


def strains(rng, rod, points):
    return rod.rest_strain(points.s) + 0.1 * rng.normal(size=(3, 6)), rng.normal(size=(3, 6))


def test_stress_of_strains(rng):
    rod, points, elastic, viscous = laws(complementary=False)
    strain, rate = strains(rng, rod, points)
    ahead = strain + 0.1 * rng.normal(size=(3, 6))
    at = SimpleNamespace(strain=strain, strain_ahead=ahead, force=None)
    out = added((elastic, viscous), at, given(rate))
    K, D, w = rod.stiffness(points.s), rod.viscosity(points.s), points.weight[:, None]
    rest = rod.rest_strain(points.s)
    for found, xi in ((out.stress, strain), (out.stress_ahead, ahead)):
        expected = w * (K * (xi - rest) + D * (PACE * xi + rate))
        np.testing.assert_allclose(found, expected, **ROUNDING)
    diagonal = out.stiffness.reshape(3, 6, 6)[:, range(6), range(6)]
    np.testing.assert_allclose(diagonal, w * (K + PACE * D), **ROUNDING)
    xi_rate = PACE * strain + rate
    assert viscous.power(xi_rate, NONE) == pytest.approx(np.sum(w * D * xi_rate**2), rel=1e-12)
    assert viscous.energy(at, given(rate)) == 0.0


def test_forces_that_are_unknowns(rng):
    """Those that belong to the strains miss nothing; what is stored is that of the strains."""
    rod, points, elastic, viscous = laws(complementary=True)
    strain, rate = strains(rng, rod, points)
    strain = viscous.told(strain, NONE)  # such that forces can tell them
    K, D, w = rod.stiffness(points.s), rod.viscosity(points.s), points.weight[:, None]
    change, xi_rate = strain - rod.rest_strain(points.s), PACE * strain + rate
    force = (K * change + D * xi_rate)[:, 3:]
    at = SimpleNamespace(strain=strain, strain_ahead=strain, force=force)
    both, past = (elastic, viscous), given(rate)
    out = added(both, at, past)
    np.testing.assert_allclose(out.excess, 0.0, atol=1e-12)
    expected = w * (K * change + D * xi_rate)
    np.testing.assert_allclose(out.stress, expected, **ROUNDING)
    np.testing.assert_allclose(out.flexibility, w / (K + PACE * D)[:, 3:], **ROUNDING)
    stored = 0.5 * np.sum(w * K * change**2)
    for moves in (past, given(rate + 1.0)):
        energy = sum(law.energy(at, moves) for law in both)
        assert energy == pytest.approx(stored, rel=1e-12)
    other = SimpleNamespace(strain=strain, strain_ahead=strain, force=force + 1.0)
    missed = added(both, other, past).excess
    np.testing.assert_allclose(missed, -out.flexibility, rtol=1e-9)  # it is linear


@pytest.mark.parametrize("complementary", [False, True])
def test_nothing_acts_at_rest(complementary, rng):
    rod, points, _, viscous = laws(complementary)
    strain, _ = strains(rng, rod, points)
    at = SimpleNamespace(strain=strain, strain_ahead=strain, force=np.ones((3, 3)))
    out = added((viscous,), at, Given(NONE, NONE, NONE))
    for found in (out.stress, out.stress_ahead, out.stiffness, out.excess, out.flexibility):
        assert not found.any()
    assert viscous.energy(at, Given(NONE, NONE, NONE)) == 0.0


def test_rods_without_viscosity_have_no_such_law():
    rod, points, _, _ = laws(complementary=False)
    dry = fx.Rod("rod", 1.0, rod.section, fx.Material(young=1e5, poisson=0.4))
    assert Viscous.of(0, [dry], points, None) is None
