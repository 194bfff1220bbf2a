import pickle
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm, logm

import flexura as fx
from flexura.errors import ModelError
from flexura.lie import se3
from flexura.robot import Circle, Material, Rod, SplineRest, rest_from_spline


def placed(x, y=0.0, z=0.0, rotation=(0.0, 0.0, 0.0)):
    return se3.pose((x, y, z), rotation)


WAVE = [
    placed(0.0),
    placed(0.010, 0.0, 0.007, (0.0, -1.2, 0.0)),
    placed(0.020, 0.0, 0.007, (0.0, 1.2, 0.0)),
    placed(0.030),
]
TWIST = [  # in space
    placed(0.3, 0.1, 0.2, (0.1, 0.2, 0.3)) @ pose
    for pose in (
        placed(0.0),
        placed(0.010, 0.002, 0.003, (0.2, -0.5, 0.3)),
        placed(0.022, 0.004, 0.002, (0.5, 0.3, 0.1)),
        placed(0.030, 0.002, -0.004, (0.8, 0.6, -0.4)),
        placed(0.041, -0.003, -0.006, (0.6, -0.1, -0.3)),
        placed(0.050, -0.004, -0.004, (0.6, -0.2, 0.1)),
    )
]
DRAWN = [(WAVE, 2), (TWIST, 2), (TWIST, 3), (TWIST, 4), (TWIST, 5)]


# -- the curve of theory 2.1, by the definitions, in complex numbers -------------------------------


def b_spline(knots, i, k, u):
    """B_i of degree k by the recursion of Cox and de Boor."""
    if k == 0:
        return float(knots[i] <= np.real(u) < knots[i + 1])
    total = 0.0
    if knots[i + k] > knots[i]:
        total += (u - knots[i]) / (knots[i + k] - knots[i]) * b_spline(knots, i, k - 1, u)
    if knots[i + k + 1] > knots[i + 1]:
        share = (knots[i + k + 1] - u) / (knots[i + k + 1] - knots[i + 1])
        total += share * b_spline(knots, i + 1, k - 1, u)
    return total


def increments(poses):
    return [np.real(logm(np.linalg.solve(a, b))) for a, b in pairwise(poses)]


def curve(omega, degree, u):
    """g_0⁻¹ g(u)."""
    spans = len(omega) + 1 - degree
    knots = [0.0] * degree + [i / spans for i in range(spans + 1)] + [1.0] * degree
    weights = [b_spline(knots, i, degree, u) for i in range(1, len(omega) + 1)]
    g = np.eye(4, dtype=np.complex128)
    for i, x in enumerate(omega):
        g = g @ expm(sum(weights[i:]) * x)
    return g


def velocity(omega, degree, u):
    """g⁻¹ dg/du as a twist, by a complex step."""
    g = curve(omega, degree, u + 1e-30j)
    return se3.vee(np.linalg.solve(g.real, g.imag / 1e-30))


@pytest.mark.parametrize(("poses", "degree"), DRAWN)
def test_strain_is_the_slope_of_the_curve_by_arc_length(poses, degree):
    rest, spans, omega = rest_from_spline(poses, degree), len(poses) - degree, increments(poses)
    nodes, weights = np.polynomial.legendre.leggauss(40)

    def way(a, b):
        u = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        speed = [np.linalg.norm(velocity(omega, degree, x)[3:]) for x in u]
        return 0.5 * (b - a) * (weights @ speed)

    begins = np.cumsum([0.0, *(way(i / spans, (i + 1) / spans) for i in range(spans))])
    # Rounding of logm and of the sum.
    assert rest.length == pytest.approx(begins[-1], abs=1e-13)
    assert rest.knots == pytest.approx(begins[1:-1].tolist(), abs=1e-13)
    for i in range(spans):
        for u in (i / spans, (i + 0.31) / spans, (i + 0.77) / spans):
            twist = velocity(omega, degree, u)
            strain = rest(begins[i] + way(i / spans, u))
            # Series leave 1e-12; rounding of s times the slopes of the strain is less.
            wanted = twist / np.linalg.norm(twist[3:])
            np.testing.assert_allclose(strain, wanted, rtol=0.0, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize(("poses", "degree"), DRAWN)
def test_the_curve_begins_at_the_first_pose_and_ends_at_the_last(poses, degree):
    rest = rest_from_spline(poses, degree)
    g, ends = np.eye(4), [0.0, *rest.knots, rest.length]
    for a, b in pairwise(ends):

        def slope(s, g):
            return (g.reshape(4, 4) @ se3.hat(rest(s))).ravel()

        g = solve_ivp(slope, (a, b), g.ravel(), "DOP853", rtol=1e-10, atol=1e-11).y[:, -1]
    np.testing.assert_allclose(g.reshape(4, 4), se3.inverse(poses[0]) @ poses[-1], atol=1e-8)


@pytest.mark.parametrize(("poses", "degree"), DRAWN)
def test_the_rod_is_not_stretched(poses, degree):
    rest = rest_from_spline(poses, degree)
    for s in np.linspace(0.0, rest.length, 101):
        assert np.linalg.norm(rest(s)[3:]) == pytest.approx(1.0, abs=1e-12)


def test_straight_poses_are_a_straight_rod():
    rest = rest_from_spline([placed(x) for x in (-0.1, 0.0, 0.05, 0.2, 0.3)])
    assert rest.length == pytest.approx(0.4, rel=1e-15)
    for s in np.linspace(0.0, rest.length, 11):
        np.testing.assert_allclose(rest(s), [0, 0, 0, 1, 0, 0], atol=1e-14)


def test_poses_on_a_helix_are_a_helix():
    # Whatever their distances: exponentials of one twist commute.
    strain = np.array([3.0, 4.0, -2.0, 1.0, 0.0, 0.0])
    rest = rest_from_spline([se3.exp(s * strain) for s in (0.0, 0.1, 0.15, 0.3, 0.5)])
    assert rest.length == pytest.approx(0.5, rel=1e-14)
    for s in np.linspace(0.0, 0.5, 11):
        np.testing.assert_allclose(rest(s), strain, rtol=0.0, atol=1e-12)


def test_where_it_is_drawn_does_not_matter():
    here, there = rest_from_spline(TWIST), rest_from_spline([placed(1, 2, 3) @ g for g in TWIST])
    assert here.length == pytest.approx(there.length, rel=1e-13)
    np.testing.assert_allclose(here(0.02), there(0.02), rtol=0.0, atol=1e-10)


def test_equal_drawings_are_equal():
    rest = rest_from_spline(WAVE, degree=2)
    same = SplineRest(np.array(WAVE), np.int64(2))
    assert rest == same
    assert hash(rest) == hash(same)
    assert rest != rest_from_spline(WAVE)
    assert pickle.loads(pickle.dumps(rest)) == rest


# -- what is no rod --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("poses", "degree", "words"),
    [
        (WAVE[:3], 3, ["control_poses", "at least 4 poses", "got 3"]),
        (None, 3, ["control_poses", "got None"]),
        (np.eye(4), 3, ["control_poses[0][0]", "4 finite numbers"]),
        ([np.eye(3)] * 4, 3, ["control_poses[0]", "4x4 pose"]),
        ([*WAVE[:3], 2.0 * WAVE[3]], 2, ["control_poses[3]", "last row"]),
        ([*WAVE[:3], WAVE[3] * [1, 1, 1, np.nan]], 2, ["control_poses[3][0][3]", "nan"]),
        ([*WAVE[:3], np.diag([1, 1, -1, 1])], 2, ["control_poses[3]", "rotation"]),
        (WAVE, 1, ["degree", "from 2 to 5", "got 1"]),
        (WAVE, 2.5, ["degree", "from 2 to 5", "got 2.5"]),
        (WAVE, "cubic", ["degree", "'cubic'"]),
        ([WAVE[0], *WAVE[:3]], 3, ["control_poses[0]", "stands still"]),
        ([np.eye(4)] * 4, 3, ["control_poses[0]", "stands still"]),
        ([*WAVE, WAVE[-1]], 2, ["control_poses[4]", "stands still"]),
        (
            [*WAVE[:3], placed(0.03, rotation=(0, 1.2 + np.pi, 0))],
            2,
            ["control_poses[3]", "half a turn"],
        ),
        ([placed(-x) for x in range(5)], 3, ["control_poses[", "x points along"]),
        ([placed(0, x) for x in range(5)], 3, ["control_poses[", "x points along"]),
        ([placed(1e300 * x) for x in range(4)], 3, ["control_poses[1]", "metres"]),
        (
            [placed(0), placed(1e-6, rotation=(0, 0, 0.1)), placed(0.02), placed(0.03)],
            3,
            ["control_poses[0]", "corner"],
        ),
    ],
)
def test_what_is_no_rod_is_refused(poses, degree, words):
    with pytest.raises(ModelError) as caught:
        rest_from_spline(poses, degree)
    for word in ["SplineRest", *words]:
        assert word in str(caught.value)


def test_the_rod_is_as_long_as_the_curve():
    rest = rest_from_spline(WAVE, 2)
    rod = Rod("r", float(f"{rest.length:.7g}"), Circle(1e-3), Material(1e9, 0.3), rest=rest)
    np.testing.assert_allclose(rod.rest_strain(rod.length), rest(rest.length), atol=1e-2)
    with pytest.raises(ModelError, match=r"Rod 'r': length must be 0\.03805\d+ m.*rest\.length"):
        Rod("r", 0.03, Circle(1e-3), Material(1e9, 0.3), rest=rest)


# -- the unloaded robot ----------------------------------------------------------------------------


@cache
def strip(case):
    poses, degree = DRAWN[case]
    rest = rest_from_spline(poses, degree)
    rod = Rod("strip", rest.length, fx.Rectangle(0.02, 0.001), Material(1e9, 0.3), rest=rest)
    T = placed(1.0, 2.0, 3.0, (0.3, 0.2, 0.1))
    robot = fx.Robot("strip", [rod], [fx.Weld("world", "strip.base", offset=T)])
    return robot, T @ se3.inverse(poses[0]) @ poses[-1]


def missed(result, tip):
    """How far the tip is off: positions over the length of the rod, and rotation."""
    off = np.abs(result.unwrap().pose("strip.tip") - tip)
    off[:3, 3] /= result.model.robot.rods[0].length
    return off.max()


@pytest.mark.parametrize("case", range(len(DRAWN)))
def test_shooting_ends_at_the_last_pose(case):
    robot, tip = strip(case)
    assert missed(fx.shooting(robot), tip) < 1e-10


@pytest.mark.parametrize(
    "rods",
    [
        fx.Spline(3, 64),
        fx.Spline(5, 32),
        fx.LinearStrain(64),
        fx.VariableStrain(steps=64),
        fx.ConstantStrain(64),
    ],
    ids=str,
)
@pytest.mark.parametrize("case", [2, 3, 4])
def test_every_model_ends_at_the_last_pose(case, rods):
    robot, tip = strip(case)
    # 1.3e-6 is measured, on the cubic drawing, whose strain has a kinked slope.
    assert missed(fx.statics(fx.build(robot, rods=rods)), tip) < 3e-6


@pytest.mark.parametrize(
    "rods", [lambda n: fx.Spline(3, n), fx.LinearStrain, lambda n: fx.VariableStrain(steps=n)]
)
def test_the_error_of_the_tip_falls_with_order_four(rods):
    robot, tip = strip(4)  # of one span, hence smooth
    coarse, fine = (missed(fx.statics(fx.build(robot, rods=rods(n))), tip) for n in (32, 64))
    assert np.log2(coarse / fine) > 3.75


@pytest.mark.parametrize("case", [0, 1])
def test_a_kink_takes_a_breakpoint(case):
    robot, tip = strip(case)
    spline = fx.Spline(5, 32, breakpoints=robot.rods[0].rest.knots)
    # 2.4e-8 is measured, in space; without breakpoints a kink leaves 1e-4 on as many spans.
    assert missed(fx.statics(fx.build(robot, rods=spline)), tip) < 1e-7


def test_a_model_without_shear_takes_drawings_without():
    helix = np.array([3.0, 4.0, -2.0, 1.0, 0.0, 0.0])
    for poses, fits in (([se3.exp(0.1 * i * helix) for i in range(5)], True), (TWIST, False)):
        rest = rest_from_spline(poses)
        rod = Rod("r", rest.length, Circle(1e-3), Material(1e9, 0.3), rest=rest)
        robot = fx.Robot("r", [rod], [fx.Weld("world", "r.base")])
        if fits:
            result = fx.statics(fx.build(robot, rods=fx.RotationInterpolation(16))).unwrap()
            np.testing.assert_allclose(result.pose("r.tip"), poses[-1], atol=1e-7)
        else:
            with pytest.raises(ModelError, match="rests with stretch and shear"):
                fx.build(robot, rods=fx.RotationInterpolation(16))
