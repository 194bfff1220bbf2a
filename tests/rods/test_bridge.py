"""First guesses for rods between two poses: in balance with their load, and stable."""

import numpy as np
import pytest
from scipy.optimize import minimize

import flexura as fx
from flexura.lie import se3
from flexura.rods.bridge import Curves
from flexura.rods.way_down import newton_step, way_down

STEEL = fx.Material(young=2e11, poisson=0.3, density=7800.0)
LENGTH = 1.2


def wire():
    """Round, and bent at rest."""
    return fx.Rod("wire", LENGTH, fx.Circle(4e-4), STEEL, rest=(0.2, 0.5, -0.3))


def random_ends(count):
    """Ends of a rod within reach, and loads in any direction that do as much as its stiffness."""
    rng, rod = np.random.default_rng(7), wire()
    size = 60.0 * rod.stiffness(0.0)[1] / LENGTH**3
    for _ in range(count):
        way = rng.normal(size=3)
        way *= LENGTH * rng.uniform(0.3, 0.8) / np.linalg.norm(way)
        yield se3.pose(way, rotation=0.5 * rng.normal(size=3)), 0.5 * size * rng.normal(size=3)


def test_curves_are_in_balance_with_their_load():
    """The force in the cut changes by the load, and the moment by what the force does: M' + t×n."""
    rod, seen = wire(), 0
    s, h = np.linspace(0.1, LENGTH - 0.1, 9), 1e-4
    for end, load in random_ends(12):
        curves = Curves(rod, load)
        curve = curves.between(se3.log(end)[:3], end[:3, 3])
        if curve is None:
            continue
        seen += 1
        curve = curves.settled(curve)
        np.testing.assert_allclose(curve.poses(np.array([LENGTH]))[0], end, atol=1e-8)

        def moment(at, curve=curve):
            pose, strain = curve.places(at)
            stress = rod.stiffness(at)[:, :3] * (strain[:, :3] - rod.rest_strain(at)[:, :3])
            return np.einsum("nij,nj->ni", pose[:, :3, :3], stress)

        change = (moment(s + h) - moment(s - h)) / (2.0 * h)
        tangent = curve.poses(s)[:, :3, 0]
        # the force n = n₀ - w s is what fits best; six polynomials leave 3 to 12 %
        known = change + np.cross(tangent, -np.outer(s, load))
        rows = np.concatenate([np.cross(t, np.eye(3)).T for t in tangent])
        force = np.linalg.lstsq(rows, -known.ravel(), rcond=None)[0]
        left = known + np.cross(tangent, force)
        assert np.abs(left).max() < 0.15 * max(np.abs(change).max(), np.linalg.norm(load))
    assert seen > 8


def test_unstable_curves_settle():
    """A wire that stands on its ends falls over; sideways, where clamps hold it upright."""
    rod = fx.Rod("wire", LENGTH, fx.Circle(4e-4), STEEL)
    end = se3.inverse(se3.pose(rotation=(0.0, -1.5, 0.0))) @ se3.pose(
        (0.4 * LENGTH, 0.0, 0.0), rotation=(0.0, 1.5, 0.0)
    )
    down = se3.pose(rotation=(0.0, 1.5, 0.0))[:3, :3] @ np.array([0.0, 0.0, -1.0])
    load = 200.0 * rod.stiffness(0.0)[1] / LENGTH**3 * down
    curves = Curves(rod, load)
    first = curves.between(se3.log(end)[:3], end[:3, 3])
    settled = curves.settled(first)
    assert settled.energy(rod, end, load) < 0.9 * first.energy(rod, end, load)
    again = curves.settled(settled)
    np.testing.assert_allclose(again.inner, settled.inner, atol=1e-5)  # the last step


@pytest.mark.parametrize("seed", range(5))
def test_the_way_down_ends_in_a_minimum(seed):
    """Of a quartic with many saddles, on a plane; the last steps are Newton's."""
    rng = np.random.default_rng(seed)
    coupling = rng.normal(size=(6, 6))
    coupling = 0.3 * (coupling + coupling.T)
    normal = rng.normal(size=(2, 6))
    wanted = rng.normal(size=2)

    def energy(x):
        return float((0.25 * x**4 - x**2).sum() + 0.5 * x @ coupling @ x)

    def equations(x, multipliers):
        tangent = np.diag(3.0 * x**2 - 2.0) + coupling
        matrix = np.block([[tangent, normal.T], [normal, np.zeros((2, 2))]])
        force = x**3 - 2.0 * x + coupling @ x + normal.T @ multipliers
        return matrix, np.concatenate([force, normal @ x - wanted])

    x, multipliers, held = rng.normal(size=6), np.zeros(2), np.arange(8) >= 6
    for _ in range(200):
        matrix, residual = equations(x, multipliers)
        step, aside = way_down(matrix, residual, held)
        if np.abs(step).max() < 1e-12:
            break
        if aside is None:
            np.testing.assert_allclose(step, newton_step(matrix, residual, held), rtol=1e-4)
        step *= min(1.0, 0.5 / np.abs(step).max())
        x, multipliers = x + step[:6], multipliers + step[6:]
    assert aside is None
    np.testing.assert_allclose(normal @ x, wanted, atol=1e-10)
    plane = {"type": "eq", "fun": lambda y: normal @ y - wanted}
    found = minimize(energy, x + 1e-3 * rng.normal(size=6), constraints=plane, tol=1e-12)
    np.testing.assert_allclose(found.x, x, atol=1e-4)
