"""Equilibria against closed forms, other descriptions of the same robot, and bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import jv
from support import (
    EVERY_DEGREE,
    OFFSET,
    RUBBER,
    branched,
    cantilever,
    check_weld_reactions,
    rod_of,
    slope,
    wrench_along,
    wrench_at,
)

import flexura as fx
from flexura.lie import se3


def solve(robot, degree=3, spans=12, **kwargs):
    return fx.statics(fx.build(robot, rods=fx.Spline(degree, spans)), **kwargs)


@pytest.mark.parametrize("turns", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_tip_moment_bends_to_a_circle(degree, turns):
    """A constant curvature is in every spline: exact up to rounding."""
    k = 2.0 * np.pi * turns
    result = solve(cantilever(rod_of(EI=2.0), moment=(0.0, 0.0, 2.0 * k)), degree).unwrap()
    tip = (np.sin(k) / k, (1.0 - np.cos(k)) / k, 0.0)
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=1e-10)
    np.testing.assert_allclose(result.strain("rod", 0.37)[:3], (0.0, 0.0, k), atol=1e-8)
    assert result.energy == pytest.approx(0.5 * 2.0 * k**2, rel=1e-10)


def test_torsion_and_stretch_are_linear():
    rod = rod_of(EI=1.0, GJ=0.8, EA=50.0, GA=20.0)
    load = {"moment": (0.6, 0.0, 0.0), "force": (5.0, 0.0, 0.0)}
    result = solve(cantilever(rod, **load)).unwrap()
    expected = np.array([0.6 / 0.8, 0.0, 0.0, 1.0 + 5.0 / 50.0, 0.0, 0.0])
    np.testing.assert_allclose(result.strain("rod", [0.0, 0.5, 1.0]), [expected] * 3, atol=1e-10)


def test_heavy_rod_hangs():
    """Stretch of a rod under its own weight: ρ g L² / 2E."""
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), fx.Material(young=1e6, poisson=0.4, density=1000.0))
    down = se3.pose(rotation=(0.0, np.pi / 2.0, 0.0))  # local x points down
    robot = fx.Robot("r", [rod], [fx.Weld("world", "rod.base", down)], [fx.Gravity()])
    tip = solve(robot).unwrap().pose("rod.tip")
    expected = (0.0, 0.0, -1.0 - 1000.0 * 9.81 / 2e6)
    np.testing.assert_allclose(tip[:3, 3], expected, atol=1e-12)


@pytest.mark.parametrize(("factor", "stable"), [(0.99, True), (1.01, False)])
def test_euler_buckling(factor, stable):
    """The straight rod is stable up to π² EI / 4 L²."""
    critical = np.pi**2 / 4.0
    rod = rod_of(EI=1.0, GJ=1.0, EA=1e7)
    robot = cantilever(rod, force=(-factor * critical, 0.0, 0.0))
    model = fx.build(robot, rods=fx.Spline(3, 40))
    assert fx.statics(model, seek_stable=False).unwrap().stable is stable
    found = fx.statics(model).unwrap()  # bent beyond, and its plane may turn
    assert found.stable
    assert bool(found.pose("rod.tip")[0, 3] < 0.99) is not stable


def test_heavy_column_buckles():
    """Greenhill: a standing column is stable up to q L³ / EI = 7.8373."""
    q = (9.0 / 4.0) * 1.8663508588**2
    assert jv(-1.0 / 3.0, 1.8663508588) == pytest.approx(0.0, abs=1e-9)
    for factor, stable in ((0.995, True), (1.005, False)):
        rod = rod_of(EI=1.0, EA=1e7)
        load = fx.LineLoad("weight", "rod", force=(-factor * q, 0.0, 0.0))
        robot = fx.Robot("column", [rod], [fx.Weld("world", "rod.base")], [load])
        model = fx.build(robot, rods=fx.Spline(3, 40))
        assert fx.statics(model, seek_stable=False).unwrap().stable is stable


def test_buckled_branch_is_found_with_an_imperfection():
    rod = rod_of(EI=1.0)
    force = (-1.5 * np.pi**2 / 4.0, 1e-3, 0.0)
    result = solve(cantilever(rod, force=force)).unwrap()
    assert result.stable
    assert result.pose("rod.tip")[1, 3] > 0.5


def test_shear_and_bending_of_a_short_beam():
    """Timoshenko's tip deflection P L³/3EI + P L/GA, for a small load."""
    rod = rod_of(EI=2.0, EA=1e4, GA=30.0)
    tip = solve(cantilever(rod, force=(0.0, 0.0, 1e-6))).unwrap().pose("rod.tip")
    assert tip[2, 3] == pytest.approx(1e-6 * (1.0 / 6.0 + 1.0 / 30.0), rel=1e-6)


def test_reactions_balance_the_loads():
    """Of a branched robot: total force and moment at the wall, and at each weld."""
    result = solve(branched(), 4, 16).unwrap()
    robot = result.model.robot
    total = wrench_along(result, "stem", 0.1, 0.6, lambda _: np.array([0.0, 3.0, 1.0]))
    for rod in robot.rods:
        total += wrench_along(
            result, rod.name, 0.0, rod.length,
            lambda x, r=rod: r.mass_per_length(x) * np.array([1.0, 2.0, -9.81]),
        )  # fmt: skip
    total += wrench_at(result.pose("left.base")[:3, 3], np.array([1.0, 2.0, 3.0]))
    inside = result.pose(fx.At("stem", 0.4, OFFSET))[:3, 3]
    total += wrench_at(inside, np.array([-1.0, 3.0, 0.5]))
    base = result.pose("stem.base")
    wall = se3.Ad_dual(base) @ result.reaction("world-stem.base")
    np.testing.assert_allclose(wall, -total, atol=1e-6)


def test_reaction_at_a_weld_between_rods():
    """Strains at an end are second order."""
    check_weld_reactions(lambda robot: solve(robot, 4, 16), 1e-4, 1e-9)


def test_a_split_rod_is_the_same_rod():
    load = {"force": (0.2, 1.0, -0.5), "moment": (0.1, 0.0, 0.2)}
    whole = solve(cantilever(rod_of(EA=100.0, rest=(0.5, 1.0, 0.0)), **load), 5, 16).unwrap()
    parts = [rod_of(name=n, length=0.5, EA=100.0, rest=(0.5, 1.0, 0.0)) for n in "ab"]
    robot = fx.Robot(
        "chain",
        parts,
        [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base")],
        [fx.PointLoad("tip", "b.tip", **load)],
    )
    chain = solve(robot, 5, 8).unwrap()
    np.testing.assert_allclose(chain.pose("b.tip"), whole.pose("rod.tip"), atol=1e-7)
    np.testing.assert_allclose(chain.pose("a", 0.3), whole.pose("rod", 0.3), atol=1e-7)


def test_reversing_a_rod_changes_no_shape():
    """Held at its tip instead of its base, with the section's stiffnesses swapped end to end."""
    taper = fx.Taper(fx.Circle(0.03), fx.Circle(0.015))
    back = fx.Taper(fx.Circle(0.015), fx.Circle(0.03))
    force = np.array([0.3, 0.8, -0.4])
    forward = solve(cantilever(fx.Rod("rod", 1.0, taper, RUBBER), force=force), 4, 16).unwrap()
    turn = se3.pose(rotation=(0.0, 0.0, np.pi))
    robot = fx.Robot(
        "reversed",
        [fx.Rod("rod", 1.0, back, RUBBER)],
        [fx.Weld("world", "rod.tip", offset=turn)],
        [fx.PointLoad("p", "rod.base", force)],
    )
    backward = solve(robot, 4, 16).unwrap()
    s = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(
        backward.pose("rod", 1.0 - s)[:, :3, 3], forward.pose("rod", s)[:, :3, 3], atol=2e-6
    )  # the product of exponentials has a direction: equal up to the discretization error


def test_point_load_inside_makes_the_wrench_jump():
    rod = rod_of(EA=20.0)
    load = fx.PointLoad("p", fx.At("rod", 0.4), force=(0.0, 1e-3, 0.0))
    robot = fx.Robot("r", [rod], [fx.Weld("world", "rod.base")], [load])
    result = solve(robot).unwrap()
    before, after = result.internal_wrench("rod", [0.4 - 1e-9, 0.4 + 1e-9])
    assert before[4] == pytest.approx(1e-3, rel=5e-3)  # 2e-3 off at 12 spans, second order
    assert after[4] == pytest.approx(0.0, abs=5e-6)
    tip = result.pose("rod.tip")[1, 3]
    assert tip == pytest.approx(1e-3 * (0.4**2 / 6.0 * (3.0 - 0.4) + 0.4 / 20.0), rel=1e-5)


@pytest.mark.parametrize("degree", EVERY_DEGREE)
def test_convergence_order(degree):
    """Mean position error over the span length, in 3D, at the declared order."""
    robot = cantilever(rod_of(EI=1.0, EA=20.0), force=(1.0, 3.0, -2.0), moment=(0.5, 0.0, 0.0))
    s = np.linspace(0.0, 1.0, 41)
    exact = solve(robot, 5, 200).unwrap().pose("rod", s)[:, :3, 3]
    spans = np.array([8, 16, 32, 64])
    results = [solve(robot, degree, int(n)).unwrap() for n in spans]
    error = [np.linalg.norm(r.pose("rod", s)[:, :3, 3] - exact, axis=1).mean() for r in results]
    order = results[0].model.parts[0].group.order
    assert slope(1.0 / spans, error) == pytest.approx(order, abs=0.3)
    assert slope(1.0 / spans, error) > order - 0.15


def test_a_warm_start_is_followed():
    """From a nearby result in fewer iterations, and around a winding path to the same end."""
    model = fx.build(cantilever(rod_of(), force=(0.0, 1.0, 0.0)))
    result = fx.statics(model)
    for size in np.linspace(1.0, 20.0, 20):
        result = fx.statics(model, {"tip": (0, 0, 0, 0.0, size, 0.0)}, start=result).unwrap()
    cold = fx.statics(model, {"tip": (0, 0, 0, 0.0, 20.0, 0.0)}).unwrap()
    assert result.iterations < cold.iterations
    np.testing.assert_allclose(result.pose("rod.tip"), cold.pose("rod.tip"), atol=1e-10)


def test_the_load_is_raised_in_steps_when_needed():
    result = solve(cantilever(rod_of(), force=(-50.0, 60.0, 60.0)), 3, 24)
    assert result.status is fx.Status.CONTINUED
    assert result.stable
    assert result.load_steps > 1
    assert result.pose("rod.tip")[1, 3] > 0.0  # with the force, not wound around against it


def test_an_unstable_equilibrium_may_be_wanted():
    robot = cantilever(rod_of(), force=(-50.0, 60.0, 60.0))
    model = fx.build(robot, rods=fx.Spline(3, 24))
    found = fx.statics(model, seek_stable=False)
    assert found.status is fx.Status.CONVERGED
    assert found.stable is False
    assert fx.statics(model).stable


def test_no_equilibrium_is_a_status():
    """A follower force that drags a soft rod past all equilibria that can be followed."""
    model = fx.build(branched(follower=True, moment=3000.0), rods=fx.Spline(3, 4))
    result = fx.statics(model, iterations=60)
    assert not result.converged
    assert str(result.status).startswith("not converged")
    assert np.isfinite(result.state.poses).all()
    assert 0.0 <= result.load_factor < 1.0
    with pytest.raises(fx.NotConverged, match="load factor"):
        result.unwrap()


def test_a_mesh_too_coarse_for_the_curl_is_named():
    """Ten turns on six spans: more than half a turn from one control pose to the next."""
    robot = cantilever(rod_of(EI=1.0, EA=100.0), force=(0, 0, 3.0), moment=(0, 0, 20.0 * np.pi))
    result = solve(robot, 3, 6)
    assert result.status is fx.Status.COARSE


def test_the_result_answers_any_arc_length():
    result = solve(cantilever(rod_of(EA=100.0), force=(0.0, 2.0, 0.0))).unwrap()
    assert result.pose("rod", 0.3).shape == (4, 4)
    assert result.pose("rod", np.zeros((2, 3))).shape == (2, 3, 4, 4)
    assert result.strain("rod", [0.1, 0.2]).shape == (2, 6)
    assert result.internal_wrench("rod", np.zeros((2, 3))).shape == (2, 3, 6)
    s, w = np.polynomial.legendre.leggauss(50)
    density = result.energy_density("rod", 0.5 * (s + 1.0))
    assert 0.5 * w @ density == pytest.approx(result.energy, rel=1e-4)
    assert result.inputs["tip"].tolist() == [0.0, 0.0, 0.0, 0.0, 2.0, 0.0]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda r: r.pose("rod.tipp"), "Did you mean 'rod.tip'"),
        (lambda r: r.pose("rod"), "'rod' is a rod: give s="),
        (lambda r: r.pose("rood", 0.1), "no rod 'rood'"),
        (lambda r: r.pose("rod", 1.1), "must be in"),
        (lambda r: r.pose("rod", np.nan), "must be"),
        (lambda r: r.strain("rod", "middle"), "got 'middle'"),
        (lambda r: r.reaction("world"), "no joint 'world'"),
        (lambda r: fx.statics(r.model, start=3), "start must be a StaticResult"),
        (lambda r: fx.statics(r.model.robot), "statics takes the Model"),
    ],
)
def test_bad_questions(ask, message):
    result = solve(cantilever(rod_of(), force=(0.0, 2.0, 0.0)), 2, 3)
    with pytest.raises(fx.ModelError, match=message):
        ask(result)


def test_a_start_of_another_model_is_refused():
    result = solve(cantilever(rod_of(), force=(0.0, 2.0, 0.0)), 2, 3)
    other = fx.build(cantilever(rod_of(), force=(0.0, 2.0, 0.0)), rods=fx.Spline(2, 4))
    with pytest.raises(fx.ModelError, match="same model"):
        fx.statics(other, start=result)


@settings(max_examples=30, deadline=None)
@given(
    force=st.tuples(*[st.floats(-1e12, 1e12, allow_nan=False)] * 3),
    moment=st.tuples(*[st.floats(-1e12, 1e12, allow_nan=False)] * 3),
    follower=st.booleans(),
)
def test_any_load_ends_in_a_status_without_nan(force, moment, follower):
    robot = cantilever(rod_of(), force=force, moment=moment, follower=follower)
    result = solve(robot, 2, 4, iterations=60)
    assert np.isfinite(result.state.poses).all()
    assert np.isfinite(result.energy)
    assert np.isfinite(result.residual)
    assert isinstance(result.status, fx.Status)


@pytest.mark.parametrize("far", [0.5, 1.0, 150.0])
def test_ends_far_apart_are_said_to_be(far):
    """UNSTABLE before: a stiff rod that is stretched that far is, too."""
    rod = fx.Rod("rod", 0.2, fx.Circle(1e-3), fx.materials.nitinol)
    ends = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", se3.pose((far, 0.0, 0.0)))]
    result = fx.statics(fx.build(fx.Robot("far", [rod], ends, [fx.Gravity()])))
    assert result.status is fx.Status.FAR
