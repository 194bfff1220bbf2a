"""Cords between two points, from cold: the catenary, and what stiffness adds to it."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.lie import se3
from flexura.rods.cord import cord_between

NYLON = fx.Material(young=2e9, poisson=0.4, density=1150.0)
SILICONE = fx.Material(young=1e5, poisson=0.49, density=1070.0)
G = 9.81
DESCRIPTIONS = [
    fx.Spline(),
    fx.LinearStrain(24),
    fx.VariableStrain(),
    fx.ConstantStrain(24),
    fx.RotationInterpolation(8),
    fx.Hermite(8),
    fx.Power(3, 8),
]
EACH = pytest.mark.parametrize("rods", DESCRIPTIONS, ids=lambda rods: type(rods).__name__)


def cord(ends, span, length=2.0, radius=2e-4, material=NYLON, rise=0.0):
    """A cord between the origin and (span, 0, rise)."""
    end = se3.pose((span, 0.0, rise))
    rod = fx.Rod("cord", length, fx.Circle(radius), material)
    joints = {
        "welds": [fx.Weld("world", "cord.base"), fx.Weld("world", "cord.tip", end)],
        "balls": [fx.Ball("a", "world", "cord.base"), fx.Ball("b", "world", "cord.tip", end)],
        "hinges": [
            fx.Hinge("a", "world", "cord.base", (0, 1, 0)),
            fx.Hinge("b", "world", "cord.tip", (0, 1, 0), offset=end),
        ],
        "hinge and weld": [
            fx.Weld("world", "cord.base", se3.pose(rotation=(0, 1.0, 0))),
            fx.Hinge("b", "world", "cord.tip", (0, 1, 0), offset=end),
        ],
    }
    return fx.Robot("cord", [rod], joints[ends], [fx.Gravity()])


def lowest(result, length=2.0):
    return result.pose("cord", np.linspace(0.0, length, 201))[:, 2, 3].min()


def elastic_sag(span, length, weight, stiffness):
    """Sag of an elastic catenary between points at one height: Irvine, Cable Structures, 1981.

    span = H L / EA + 2 (H / w) asinh(w L / 2 H)
    sag = w L² / 8 EA + (H / w) (sqrt(1 + (w L / 2 H)²) - 1)
    """
    half = 0.5 * weight * length

    def missing(H):
        return H * length / stiffness + 2.0 * H / weight * np.arcsinh(half / H) - span

    H = brentq(missing, 1e-6 * half, 1e6 * half, xtol=1e-14 * half)
    return half * length / (4.0 * stiffness) + H / weight * (np.hypot(1.0, half / H) - 1.0)


@pytest.mark.parametrize("ends", ["balls", "hinges"])
@EACH
def test_a_thin_cord_hangs_in_a_catenary(rods, ends):
    if isinstance(rods, fx.LinearStrain):
        pytest.skip("too coarse for what is so limp")
    result = fx.statics(fx.build(cord(ends, 1.4), rods=rods)).unwrap()
    area = np.pi * 4e-8  # EI / w L³ is 2e-4
    sag = elastic_sag(1.4, 2.0, 1150.0 * G * area, 2e9 * area)
    assert lowest(result) == pytest.approx(-sag, rel=2e-3)
    assert result.iterations < 30


@pytest.mark.parametrize("ends", ["welds", "hinge and weld"])
@EACH
def test_a_clamped_cord_is_the_same_in_every_description(rods, ends):
    robot = cord(ends, 1.4, radius=5e-4)
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    fine = fx.statics(fx.build(robot, rods=fx.Hermite(32))).unwrap()
    s = np.linspace(0.0, 2.0, 21)
    apart = result.pose("cord", s)[:, :3, 3] - fine.pose("cord", s)[:, :3, 3]
    assert np.abs(apart).max() < (1e-3 if isinstance(rods, fx.Hermite) else 1e-2)
    assert result.stable


@EACH
def test_silicone_stretches_in_its_catenary(rods):
    if isinstance(rods, fx.RotationInterpolation | fx.LinearStrain | fx.Power):
        pytest.skip("cannot stretch, or too coarse for what is so limp")
    robot = cord("hinges", 1.4, radius=2e-3, material=SILICONE)
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    area = np.pi * 4e-6
    sag = elastic_sag(1.4, 2.0, 1070.0 * G * area, 1e5 * area)
    assert sag > 0.7  # 0.64 without stretch
    assert lowest(result) == pytest.approx(-sag, rel=2e-3)


@pytest.mark.parametrize("rise", [0.5, -1.2])
@pytest.mark.parametrize("span", [0.3, 1.0, 1.5])
def test_points_at_different_heights(span, rise):
    model = fx.build(cord("hinges", span, radius=1e-3, rise=rise), rods=fx.Hermite(12))
    result = fx.statics(model).unwrap()
    fine = fx.statics(fx.build(model.robot, rods=fx.RotationInterpolation(16))).unwrap()
    s = np.linspace(0.0, 2.0, 21)
    np.testing.assert_allclose(
        result.pose("cord", s)[:, :3, 3], fine.pose("cord", s)[:, :3, 3], atol=2e-4
    )
    assert result.stable is not False


def test_the_first_guess_is_in_balance():
    """Along the guess, the tension changes by the load: (T t)' + w = 0."""
    rod = fx.Rod("cord", 2.0, fx.Circle(1e-3), NYLON)
    rng = np.random.default_rng(3)
    for _ in range(10):
        end = se3.exp(np.concatenate([rng.normal(size=3), 0.6 * rng.normal(size=3)]))
        load = rng.normal(size=3)
        guess = cord_between(rod, end, load)
        if guess is None:
            assert np.linalg.norm(end[:3, 3]) > 2.0 - 1e-6
            continue
        s, h = np.linspace(0.1, 1.9, 7), 1e-5
        np.testing.assert_allclose(guess.poses(np.array([2.0]))[0, :3, 3], end[:3, 3], atol=1e-12)

        def force(at, guess=guess):
            stretch = guess.strain(at)[:, 3] - 1.0
            return (stretch * rod.stiffness(0.0)[3])[:, None] * guess.poses(at)[:, :3, 0]

        change = (force(s + h) - force(s - h)) / (2.0 * h)
        np.testing.assert_allclose(change, np.tile(-load, (7, 1)), atol=1e-6)
        # and its strain is that of its poses
        move = se3.log(se3.inverse(guess.poses(s - h)) @ guess.poses(s + h)) / (2.0 * h)
        np.testing.assert_allclose(move[:, :3], guess.strain(s)[:, :3], atol=1e-6)


@pytest.mark.parametrize(
    "rods", [fx.Spline(), fx.LinearStrain(8), fx.Hermite(8)], ids=lambda rods: type(rods).__name__
)
def test_clamped_cords_that_are_too_limp_say_so(rods):
    """What bends this one at its clamps is 3 mm long: the advice leads to what is right."""
    soft = fx.Material(young=1e6, poisson=0.45, density=1000.0)
    robot = cord("welds", 1.0, radius=5e-4, material=soft)
    for _ in range(4):
        result = fx.statics(fx.build(robot, rods=rods))
        if result.status is not fx.Status.COARSE:
            break
        assert result.iterations < 500
        (advice,) = (x for x in result.remarks if "needs at least" in x)
        rods = eval(advice.removeprefix("rod 'cord' needs at least "), vars(fx))
    assert result.unwrap().stable
    area = np.pi * 5e-4**2
    sag = elastic_sag(1.0, 2.0, 1000.0 * area * G, 1e6 * area)
    assert lowest(result) == pytest.approx(-sag, rel=0.01)


@pytest.mark.parametrize("rods", [fx.Spline(), fx.Spline(3, 24), fx.ConstantStrain(24)], ids=str)
def test_a_loop_of_cable_hangs_in_a_plane(rods):
    """Both ends in one clamp: it turns once, in one sense, without torsion."""
    rod = fx.Rod("cord", 2.0, fx.Circle(2e-3), fx.materials.tpu)
    joints = [fx.Weld("world", "cord.base"), fx.Weld("world", "cord.tip")]
    robot = fx.Robot("loop", [rod], joints, [fx.Gravity()])
    result = fx.statics(fx.build(robot, rods=rods)).unwrap()
    assert result.stable is not False
    assert result.iterations < 50
    strain = result.strain("cord", np.linspace(0.0, 2.0, 21))
    assert strain[:, 0] == pytest.approx(0.0, abs=1e-6)
    assert lowest(result) == pytest.approx(-0.9, abs=0.1)
