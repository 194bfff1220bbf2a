"""Wrenches inside rods are in balance with all that acts beyond the cut."""

import numpy as np
import pytest
from model.own_mechanics import Bed
from support import rod_of, wrench_along, wrench_at

import flexura as fx
from flexura.lie import se3

EVERY = {
    "spline": fx.Spline(3, 12),
    "plain spline": fx.Spline(3, 16, assumed_strain=False),
    "hermite": fx.Hermite(8),
    "power": fx.Power(3, 8),
    "linear strain": fx.LinearStrain(8),
    "variable strain": fx.VariableStrain(),
    "no stretch": fx.VariableStrain((5, 7, 7, 0, 0, 0)),
    "constant strain": fx.ConstantStrain(16),
    "rotation interpolation": fx.RotationInterpolation(4),
}
EACH = pytest.mark.parametrize("rods", EVERY.values(), ids=EVERY.keys())
S = np.linspace(0.0, 0.999, 12)
FORCE, MOMENT = np.array([0.3, -0.5, 0.8]), np.array([0.1, 0.2, -0.3])


def clamped(*loads, tendons=(), rod=None):
    rod = rod_of(GJ=0.8, EA=1e5) if rod is None else rod
    return fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")], loads, tendons=tendons)


def seen_from_origin(result, s, rod="rod"):
    """The internal wrench as one about the origin, in world axes."""
    wrench, pose = result.internal_wrench(rod, s), result.pose(rod, s)
    return np.einsum("nij,nj->ni", se3.Ad_dual(pose), wrench)


@EACH
def test_a_tip_load_is_carried_everywhere(rods):
    """In world axes the force is the same at all cuts, to the residual of the solve."""
    robot = clamped(fx.PointLoad("tip", "rod.tip", force=FORCE, moment=MOMENT))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    carried = wrench_at(result.pose("rod.tip")[:3, 3], FORCE) + np.append(MOMENT, np.zeros(3))
    np.testing.assert_allclose(seen_from_origin(result, S), np.tile(carried, (12, 1)), atol=1e-8)


@EACH
def test_all_loads_beyond_a_cut_are_carried(rods):
    """Gravity, dead and following line loads and a load inside, added up by other quadrature."""
    density, following = np.array([0.0, 0.4, -0.2]), np.array([0.1, 0.3, 0.2])
    heavy = fx.Material(young=2e7, poisson=0.4, density=1000.0)
    robot = clamped(
        fx.Gravity(),
        fx.LineLoad("dead", "rod", start=0.25, force=density),
        fx.LineLoad("follow", "rod", start=0.0, end=0.6, force=following, follower=True),
        fx.PointLoad("inside", fx.At("rod", 0.5), force=FORCE),
        rod=fx.Rod("rod", 1.0, fx.Circle(0.01), heavy),
    )
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    weight = np.array([0.0, 0.0, -9.81 * 1000.0 * np.pi * 1e-4])
    for s in (0.0, 0.31, 0.5, 0.77):
        acting = wrench_along(result, "rod", s, 1.0, lambda _: weight)
        acting = acting + wrench_along(result, "rod", max(s, 0.25), 1.0, lambda _: density)
        if s < 0.6:
            turned = lambda x: result.pose("rod", x)[:3, :3] @ following  # noqa: E731
            acting = acting + wrench_along(result, "rod", s, 0.6, turned)
        if s < 0.5:
            acting = acting + wrench_at(result.pose("rod", 0.5)[:3, 3], FORCE)
        # Loads are polynomials between two to ten points of a span: 2e-4 of the largest.
        np.testing.assert_allclose(seen_from_origin(result, [s])[0], acting, atol=1e-3)


def test_laws_from_outside_count():
    """A bed of springs: what it exerts beyond a cut, by other quadrature."""
    robot = clamped(fx.PointLoad("tip", "rod.tip", force=(0.0, 0.5, 0.2)))
    model = fx.build(robot, rods=fx.LinearStrain(12), also=[Bed("rod", 3.0)])
    result = fx.statics(model).unwrap()

    def bed(s):
        return -3.0 * (result.pose("rod", s)[:3, 3] - (s, 0.0, 0.0))

    tip = wrench_at(result.pose("rod.tip")[:3, 3], (0.0, 0.5, 0.2))
    for s in (0.0, 0.4, 0.9):
        acting = tip + wrench_along(result, "rod", s, 1.0, bed)
        np.testing.assert_allclose(seen_from_origin(result, [s])[0], acting, atol=1e-6)


@EACH
def test_a_rod_carries_what_its_tendons_do_not(rods):
    """Against the continuous equations; strains themselves are off by up to 20 % here."""
    tendons = [
        fx.Tendon("long", rod="rod", routing=fx.Helical(0.03, 1.0)),
        fx.Tendon("short", rod="rod", routing=fx.Parallel(y=0.02, z=0.01), end=0.6),
    ]
    robot = clamped(fx.PointLoad("tip", "rod.tip", force=(0.0, 0.5, 0.2)), tendons=tendons)
    inputs = {"long": 5.0, "short": 8.0}
    result = fx.statics(fx.build(robot, rods=rods), inputs).unwrap()
    exact = fx.shooting(robot, inputs).unwrap()
    s = np.array([0.0, 0.2, 0.45, 0.59, 0.61, 0.8, 1.0])
    error = result.internal_wrench("rod", s) - exact.internal_wrench("rod", s)
    largest = 0.1 if isinstance(rods, fx.ConstantStrain) else 0.02  # of 14 N and 0.7 N m
    assert np.abs(error).max() < largest


@EACH
def test_the_ends_of_a_held_rod_carry_the_reactions(rods):
    grip = fx.Weld("world", "rod.tip", offset=se3.pose((0.7, 0.2, 0.1), (0.4, 0.3, 0.8)))
    wall = fx.Weld("world", "rod.base")
    robot = fx.Robot("held", [rod_of(GJ=0.8, EA=1e5)], [wall, grip])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    base, tip = result.internal_wrench("rod", [0.0, 1.0])
    np.testing.assert_allclose(base, -result.reaction(wall), atol=1e-7)
    np.testing.assert_allclose(tip, result.reaction(grip), atol=1e-7)


@pytest.mark.parametrize("rods", [fx.Spline(), fx.Hermite(8)], ids=["spline", "hermite"])
def test_shear_and_stretch_belong_to_the_force(rods):
    """Thin rods: from the poses alone, kGA times shear would be 50 N where the force is 1 N."""
    robot = clamped(fx.PointLoad("tip", "rod.tip", force=(0.0, 0.6, 0.8)))
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    exact = fx.shooting(robot).unwrap()
    s = np.linspace(0.0, 1.0, 50)
    error = 1e5 * (result.strain("rod", s) - exact.strain("rod", s))[:, 3:]
    assert np.abs(error).max() < 2e-3


def test_energy_density_has_what_is_stored():
    """Components that are switched off carry forces and store nothing."""
    robot = clamped(fx.PointLoad("tip", "rod.tip", force=FORCE), rod=rod_of(EA=50.0))
    result = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(8))).unwrap()
    x, w = np.polynomial.legendre.leggauss(200)
    stored = 0.5 * w @ result.energy_density("rod", 0.5 * (x + 1.0))
    assert stored == pytest.approx(result.energy, rel=1e-6)
