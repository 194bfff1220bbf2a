"""The cumulative spline as a curve of poses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import EVERY_DEGREE, RUBBER, nodes_at, random_state, slope, start_of

import flexura as fx
from flexura.lie import se3
from flexura.rods.discretization import RodPlan
from flexura.rods.spline import Spline

S = np.linspace(0.0, 1.0, 41)


def single(degree, spans=5, rest=None, breakpoints=()):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER, rest=rest)
    robot = fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "rod.base")])
    return fx.build(robot, rods=Spline(degree, spans, breakpoints))


def start(model):
    return start_of(model)


def shape(model, state, s):
    nodes = nodes_at(model, state)
    return model.parts[0].group.shape(nodes, model.inner(state, 0), 0, np.asarray(s))


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_strain_is_the_derivative_of_the_pose(degree, rng):
    model = single(degree)
    state = random_state(model, rng)
    h = 1e-6
    s = np.linspace(0.013, 0.987, 30)  # not at knots
    _, strain = shape(model, state, s)
    ahead, behind = shape(model, state, s + h)[0], shape(model, state, s - h)[0]
    change = se3.log(se3.inverse(behind) @ ahead) / (2.0 * h)
    np.testing.assert_allclose(change, strain, atol=1e-7 * np.abs(strain).max())


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_ends_interpolate(degree, rng):
    model = single(degree)
    state = random_state(model, rng)
    nodes = nodes_at(model, state)
    pose, _ = shape(model, state, [0.0, 1.0])
    np.testing.assert_allclose(pose, nodes[[0, -2]], atol=1e-13)  # the last is the world


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_constant_rest_strain_is_exact(degree):
    strain = np.array([0.5, 2.0, -1.0, 1.1, 0.05, -0.02])
    model = single(degree, rest=strain)
    pose, found = shape(model, start(model), S)
    np.testing.assert_allclose(pose, se3.exp(S[:, None] * strain), atol=1e-13)
    np.testing.assert_allclose(found, np.tile(strain, (len(S), 1)), atol=1e-12)


def test_varying_rest_shape_is_approached():
    """The start follows a curved rest shape at second order."""

    def rest(s):
        return (1.0 - s, 3.0 * s, 2.0, 1.0, 0.0, 0.0)

    spans = np.array([8, 16, 32, 64])
    error = []
    for n in spans:
        model = single(3, spans=int(n), rest=rest)
        strain = shape(model, start(model), S)[1]
        error.append(np.abs(strain - [rest(s) for s in S]).max())
    assert slope(1.0 / spans, error) > 0.9  # the slope at the clamped ends is first order


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_rigid_motion_changes_no_strain(degree, rng):
    model = single(degree)
    state = random_state(model, rng)
    nodes = nodes_at(model, state)
    T = se3.exp(np.array([0.9, -2.0, 1.5, 3.0, -4.0, 5.0]))
    group = model.parts[0].group
    pose, strain = group.shape(nodes, model.inner(state, 0), 0, S)
    pose_moved, strain_moved = group.shape(T @ nodes, model.inner(state, 0), 0, S)
    np.testing.assert_allclose(strain_moved, strain, atol=1e-11 * np.abs(strain).max())
    np.testing.assert_allclose(pose_moved, T @ pose, atol=1e-12)


def test_degree_one_has_piecewise_constant_strain(rng):
    model = single(1, spans=4)
    _, strain = shape(model, random_state(model, rng), [0.01, 0.1, 0.24, 0.26, 0.49])
    np.testing.assert_allclose(strain[0], strain[2], atol=1e-12)
    np.testing.assert_allclose(strain[3], strain[4], atol=1e-12)
    assert np.abs(strain[2] - strain[3]).max() > 1e-2


def test_strain_may_jump_at_a_breakpoint_only(rng):
    for breakpoints, jumps in (((0.4,), True), ((), False)):
        model = single(3, breakpoints=breakpoints)
        state = random_state(model, rng)
        _, strain = shape(model, state, [0.4 - 1e-9, 0.4 + 1e-9])
        assert (np.abs(strain[1] - strain[0]).max() > 1e-3) == jumps


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_points_integrate_a_taper(degree):
    """E ∫ A ds of a cone, a polynomial of degree two."""
    section = fx.Taper(fx.Circle(0.03), fx.Circle(0.01))
    rod = fx.Rod("rod", 2.0, section, RUBBER)
    robot = fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "rod.base")])
    elastic = fx.build(robot, rods=Spline(degree, 1)).parts[0].laws[0]
    volume = np.pi * 2.0 / 3.0 * (0.03**2 + 0.03 * 0.01 + 0.01**2)
    assert elastic.stiffness[:, 3].sum() == pytest.approx(1e6 * volume, rel=1e-13)


@settings(max_examples=40, deadline=None)
@given(
    degree=st.integers(1, 5),
    spans=st.integers(1, 9),
    jumps=st.lists(st.floats(0.0, 1.0), max_size=4),
)
def test_any_jumps(degree, spans, jumps):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER)
    choice = Spline(degree, spans)
    group = choice.group([RodPlan(rod, choice, tuple(jumps))])
    for s in jumps:
        assert np.abs(group.node_lengths(0) - s).min() <= 1.01e-6
    assert group.points.weight.sum() == pytest.approx(1.0, rel=1e-12)
    assert (np.diff(group.point_first) >= 0).all()
    assert np.isfinite(group.b).all()
    assert np.isfinite(group.db).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"degree": 0}, "degree must be a whole number from 1 to 5, got 0"),
        ({"degree": 6}, "got 6"),
        ({"degree": 2.5}, "got 2.5"),
        ({"degree": True}, "got True"),
        ({"degree": "3"}, "got '3'"),
        ({"spans": 0}, "spans must be a whole number"),
        ({"spans": -3}, "got -3"),
        ({"spans": float("nan")}, "got nan"),
        ({"breakpoints": 0.3}, "breakpoints must be a sequence"),
        ({"breakpoints": (float("inf"),)}, "breakpoints must be a sequence"),
        ({"breakpoints": ("a",)}, "breakpoints must be a sequence"),
    ],
)
def test_bad_options(arguments, message):
    with pytest.raises(fx.ModelError, match=message):
        Spline(**arguments)


@pytest.mark.parametrize("s", [0.0, 1.0, -0.1, 3.0])
def test_breakpoint_outside_the_rod(s):
    with pytest.raises(fx.ModelError, match="not inside rod 'rod'"):
        single(3, breakpoints=(s,))
