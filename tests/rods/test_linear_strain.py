"""The linear strain element: as a curve of poses, as an energy, and in equilibrium."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc
from support import (
    OFFSET,
    RUBBER,
    STEPS,
    branched,
    cantilever,
    check_gradient,
    check_tangent,
    moved,
    nodes_at,
    random_state,
    rod_of,
    slope,
    start_of,
    tangent_of,
    wire,
)

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.evaluation import Ahead
from flexura.model.step import linearise
from flexura.rods.discretization import RodPlan
from flexura.rods.linear_strain import LinearStrain

S = np.linspace(0.0, 1.0, 41)


def solve(robot, rods, **kwargs):
    return fx.statics(fx.build(robot, rods=rods), **kwargs)


def single(elements=5, rest=None):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER, rest=rest)
    robot = fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "rod.base")])
    return fx.build(robot, rods=LinearStrain(elements))


def start(model):
    return start_of(model)


def shape(model, state, s):
    nodes = nodes_at(model, state)
    return model.parts[0].group.shape(nodes, model.inner(state, 0), 0, np.asarray(s))


def assembly_of(robot, elements=4):
    model = fx.build(robot, rods=LinearStrain(elements))
    return Assembly(model), model.read_inputs(None)


def tangent_times(assembly, direction):
    """The tangent of the last evaluation times a vector."""
    return tangent_of(assembly) @ direction


# As a curve of poses


def test_strain_is_the_derivative_of_the_pose_to_fourth_order():
    """The truncated Magnus expansion misses terms of h⁵ in Ω(s), hence h⁴ in its derivative."""
    eps = 1e-5
    s = np.linspace(0.0101, 0.9901, 30)  # not at nodes
    elements = np.array([4, 8, 16])
    error = []
    for n in elements:
        model = single(int(n), rest=lambda s: (1.0 - 5.0 * s, 6.0 * s, 2.0, 1.0, 0.0, s))
        state = start(model)
        ahead, behind = (shape(model, state, s + e)[0] for e in (eps, -eps))
        change = se3.log(se3.inverse(behind) @ ahead) / (2.0 * eps)
        error.append(np.abs(change - shape(model, state, s)[1]).max())
    assert slope(1.0 / elements, error) == pytest.approx(4.0, abs=0.3)


def test_nodes_interpolate_from_both_sides(rng):
    model = single(5)
    state = random_state(model, rng)
    nodes = nodes_at(model, state)[:-1]  # the last is the world
    ends = model.parts[0].group.node_lengths(0)
    np.testing.assert_allclose(shape(model, state, ends)[0], nodes, atol=1e-13)
    before, strain = shape(model, state, ends[1:] - 1e-9)
    distance = 1e-9 * np.abs(strain).max() * (1.0 + np.abs(nodes).max())
    np.testing.assert_allclose(before, nodes[1:], atol=2.0 * distance)


def test_strain_is_linear_in_an_element_and_jumps_between_two(rng):
    model = single(4)
    state = random_state(model, rng)
    _, strain = shape(model, state, [0.01, 0.12, 0.23, 0.25 - 1e-9, 0.25 + 1e-9])
    np.testing.assert_allclose(strain[1], 0.5 * (strain[0] + strain[2]), atol=1e-12)
    assert np.abs(strain[4] - strain[3]).max() > 1e-2


def test_any_order_of_arc_lengths(rng):
    model = single(4)
    state = random_state(model, rng)
    order = rng.permutation(len(S))
    for found, expected in zip(shape(model, state, S[order]), shape(model, state, S), strict=True):
        np.testing.assert_array_equal(found, expected[order])


@pytest.mark.parametrize("elements", [1, 4, 7])
def test_constant_rest_strain_is_exact(elements):
    strain = np.array([0.5, 2.0, -1.0, 1.1, 0.05, -0.02])
    model = single(elements, rest=strain)
    pose, found = shape(model, start(model), S)
    np.testing.assert_allclose(pose, se3.exp(S[:, None] * strain), atol=1e-13)
    np.testing.assert_allclose(found, np.tile(strain, (len(S), 1)), atol=1e-12)


def test_linear_rest_strain_is_exact():
    def rest(s):
        return (1.0 - 5.0 * s, 6.0 * s, 2.0, 1.0, 0.1 * s, 0.0)

    model = single(3, rest=rest)
    _, found = shape(model, start(model), S)
    np.testing.assert_allclose(found, [rest(s) for s in S], atol=1e-12)
    assembly = Assembly(model)
    assembly.evaluate(start(model), model.read_inputs(None))
    assert assembly.stored_energy() < 1e-22


def test_rigid_motion_changes_no_strain(rng):
    model = single()
    state = random_state(model, rng)
    nodes = nodes_at(model, state)
    T = se3.exp(np.array([0.9, -2.0, 1.5, 3.0, -4.0, 5.0]))
    group = model.parts[0].group
    pose, strain = group.shape(nodes, model.inner(state, 0), 0, S)
    pose_moved, strain_moved = group.shape(T @ nodes, model.inner(state, 0), 0, S)
    np.testing.assert_allclose(strain_moved, strain, atol=1e-11 * np.abs(strain).max())
    np.testing.assert_allclose(pose_moved, T @ pose, atol=1e-12)


def test_fit_follows_a_strain():
    model = single(3)
    line = np.array([1.0, -2.0, 3.0, 0.0, 0.5, 0.0])
    found = model.parts[0].group.fit(0, lambda s: 1.0 + s[:, None] * line)
    np.testing.assert_allclose(found[1:], np.tile(line, (3, 1)), atol=1e-12)


def test_points_integrate_a_taper():
    """E ∫ A ds of a cone, a polynomial of degree two, on one element."""
    section = fx.Taper(fx.Circle(0.03), fx.Circle(0.01))
    rod = fx.Rod("rod", 2.0, section, RUBBER)
    robot = fx.Robot("r", rods=[rod], joints=[fx.Weld("world", "rod.base")])
    elastic = fx.build(robot, rods=LinearStrain(1)).parts[0].laws[0]
    volume = np.pi * 2.0 / 3.0 * (0.03**2 + 0.03 * 0.01 + 0.01**2)
    assert elastic.stiffness[:, 3].sum() == pytest.approx(1e6 * volume, rel=1e-13)


@settings(max_examples=40, deadline=None)
@given(
    elements=st.integers(1, 9),
    jumps=st.lists(st.floats(0.0, 1.0), max_size=4),
)
def test_any_jumps(elements, jumps):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER)
    choice = LinearStrain(elements)
    group = choice.group([RodPlan(rod, choice, tuple(jumps))])
    ends = group.node_lengths(0)
    assert np.diff(ends).min() > 1e-7
    for s in jumps:
        assert np.abs(ends - s).min() <= 1.01e-6
    assert group.points.weight.sum() == pytest.approx(1.0, rel=1e-12)
    assert (np.diff(group.point_node) >= 0).all()
    assert (group.inside >= 0.0).all()
    assert (group.inside <= group.length[group.point_node] * (1.0 + 1e-9)).all()


# As an energy


def test_force_is_the_energy_gradient(rng):
    model = fx.build(branched(), rods=LinearStrain(4))
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_gradient(model, state, model.read_inputs(None), direction)


@pytest.mark.parametrize("follower", [False, True], ids=["dead", "follower"])
@pytest.mark.parametrize("moment", [0.0, 2.0], ids=["force", "moment"])
def test_tangent_is_the_force_derivative(moment, follower, rng):
    model = fx.build(branched(follower, moment), rods=LinearStrain(4))
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(None), direction, 1e-10, order=True)


@pytest.mark.parametrize(
    ("follower", "moment", "symmetric"),
    [(False, 0.0, True), (True, 0.0, False), (False, 1.0, False)],
)
def test_tangent_is_symmetric_for_loads_with_a_potential(follower, moment, symmetric, rng):
    assembly, inputs = assembly_of(branched(follower, moment))
    assembly.evaluate(random_state(assembly.model, rng), inputs)
    u, v = rng.normal(size=(2, assembly.model.n_dof))
    one, other = u @ tangent_times(assembly, v), v @ tangent_times(assembly, u)
    assert (abs(one - other) < 1e-13 * abs(one)) == symmetric


def test_strain_increments_are_the_derivative_of_the_strain(rng):
    assembly, inputs = assembly_of(branched())
    state = random_state(assembly.model, rng)
    direction = rng.normal(size=assembly.model.n_dof)
    assembly.evaluate(state, inputs)
    strain = assembly.parts[0].work.strain.copy()
    change = linearise(assembly, direction).strains[0].copy()
    error, recomposed = [], []
    for h in STEPS:
        assembly.evaluate(state, inputs)
        new, _ = linearise(assembly, direction).advance(h)
        assembly.evaluate(new, inputs)
        recomposed.append(np.abs(assembly.parts[0].work.strain - strain - h * change).max())
        assembly.evaluate(moved(assembly.model, state, h * direction), inputs)
        error.append(np.abs(assembly.parts[0].work.strain - strain - h * change).max())
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)
    assert slope(STEPS, recomposed) == pytest.approx(2.0, abs=0.1)


def test_only_the_geometric_tangent_takes_the_stress_ahead(rng):
    """The residual does not see it; the tangent is linear in it, and exact at the true stress."""
    assembly, inputs = assembly_of(branched())
    state = random_state(assembly.model, rng)
    direction = rng.normal(size=assembly.model.n_dof)
    assembly.evaluate(state, inputs)
    true, force = assembly.parts[0].forces.stress.copy(), assembly.residual.copy()
    exact = tangent_times(assembly, direction)
    changes = []
    for factor in (0.0, 1.0, 2.0):
        assembly.evaluate(state, inputs, Ahead(inputs, stresses=(factor * true,)))
        np.testing.assert_array_equal(assembly.residual, force)
        changes.append(tangent_times(assembly, direction) - exact)
    size = np.abs(exact).max()
    np.testing.assert_allclose(changes[1], 0.0, atol=1e-14 * size)
    np.testing.assert_allclose(changes[2], -changes[0], atol=1e-13 * size)
    assert np.abs(changes[0]).max() > 1e-3 * size


# In equilibrium


@pytest.mark.parametrize("turns", [0.25, 1.0, 2.0])
def test_tip_moment_bends_to_a_circle(turns):
    """A constant curvature is in every element: exact up to rounding, in one step."""
    k = 2.0 * np.pi * turns
    robot = cantilever(rod_of(EI=2.0), moment=(0.0, 0.0, 2.0 * k))
    result = solve(robot, LinearStrain(8)).unwrap()
    tip = (np.sin(k) / k, (1.0 - np.cos(k)) / k, 0.0)
    np.testing.assert_allclose(result.pose("rod.tip")[:3, 3], tip, atol=1e-10)
    np.testing.assert_allclose(result.strain("rod", 0.37)[:3], (0.0, 0.0, k), atol=1e-8)
    assert result.energy == pytest.approx(0.5 * 2.0 * k**2, rel=1e-10)
    assert result.iterations <= 3


def elastica(k):
    """Tip (x, y)/L of an inextensible cantilever under the transverse dead force k EI/L².

    As tabulated by Mattiasson (1981), by elliptic integrals of the tip angle t.
    """

    def integrals(t):
        m = 0.5 * (1.0 + np.sin(t))
        phi = np.arcsin(1.0 / np.sqrt(2.0 * m))
        return ellipk(m) - ellipkinc(phi, m), ellipe(m) - ellipeinc(phi, m)

    t = brentq(lambda t: integrals(t)[0] - np.sqrt(k), 1e-9, 0.5 * np.pi - 1e-12, xtol=1e-15)
    return np.array([np.sqrt(2.0 * np.sin(t) / k), 1.0 - 2.0 / np.sqrt(k) * integrals(t)[1]])


@pytest.mark.parametrize(
    ("elements", "tolerance"),  # fourth order, but for 1e-5 that the wire stretches and shears
    [(4, 4e-4), (8, 3e-5), (16, 1.2e-5)],
)
def test_a_thin_wire_does_not_lock(elements, tolerance):
    """EA L²/EI = 1.5e6, P L²/EI = 10: the tip of Mattiasson's table on a coarse mesh."""
    rod = wire()
    force = 10.0 * rod.stiffness(0.0)[1] / rod.length**2
    result = solve(cantilever(rod, force=(0.0, force, 0.0)), LinearStrain(elements)).unwrap()
    np.testing.assert_allclose(elastica(10.0), (1.0 - 0.55500, 0.81061), atol=6e-6)
    tip = result.pose("rod.tip")[:2, 3] / rod.length
    np.testing.assert_allclose(tip, elastica(10.0), atol=tolerance)


def test_slenderness_makes_no_difference():
    """Up to EA L²/EI = 1e10 the error stays that of the curvature, 1.4e-5 on 8 elements."""
    for EA in (1e8, 1e10):
        result = solve(cantilever(rod_of(EA=EA), force=(0.0, 10.0, 0.0)), LinearStrain(8)).unwrap()
        np.testing.assert_allclose(result.pose("rod.tip")[:2, 3], elastica(10.0), atol=2e-5)
        assert result.iterations <= 8


@pytest.mark.parametrize(("elements", "tolerance"), [(8, 1e-3), (16, 1.2e-4), (32, 1e-4)])
def test_a_thin_wire_is_solved_at_once(elements, tolerance):
    """P L²/EI = 100 from the straight wire; it stretches by 8e-5 of its length."""
    rod = wire()
    force = 100.0 * rod.stiffness(0.0)[1] / rod.length**2
    result = solve(cantilever(rod, force=(0.0, force, 0.0)), LinearStrain(elements)).unwrap()
    assert result.load_steps == 1
    assert result.iterations <= 10
    assert result.stable
    tip = result.pose("rod.tip")[:2, 3] / rod.length
    np.testing.assert_allclose(tip, elastica(100.0), atol=tolerance)


def orders(robot, elements, finest):
    """Orders of the tip's pose and of the mean position along the rod."""
    exact = solve(robot, LinearStrain(finest)).unwrap().pose("rod", S)
    poses = [solve(robot, LinearStrain(n)).unwrap().pose("rod", S) for n in elements]
    tip = [np.abs(pose[-1] - exact[-1]).max() for pose in poses]
    along = [np.linalg.norm((pose - exact)[:, :3, 3], axis=1).mean() for pose in poses]
    h = 1.0 / np.array(elements)
    return slope(h, tip), slope(h, along)


SPATIAL = {"force": (1.0, 3.0, -2.0), "moment": (0.5, 0.0, 0.0)}


def test_convergence_order():
    tip, along = orders(cantilever(rod_of(EA=1e3), **SPATIAL), [4, 8, 16, 32], 256)
    assert tip == pytest.approx(4.0, abs=0.15)
    assert along == pytest.approx(4.0, abs=0.15)


def test_convergence_order_where_shear_matters():
    """A linear shear leaves the position inside an element, not at its ends, at third order."""
    tip, along = orders(cantilever(rod_of(EA=20.0), **SPATIAL), [8, 16, 32, 64], 256)
    assert tip == pytest.approx(4.0, abs=0.15)
    assert 3.0 < along < 4.0


def test_convergence_order_of_a_tapered_curved_heavy_rod():
    section = fx.Taper(fx.Circle(0.03), fx.Circle(0.01))
    rod = fx.Rod("rod", 1.0, section, RUBBER, rest=lambda s: (np.sin(3.0 * s), 2.0, -(s**2)))
    loads = [
        fx.Gravity((0.0, 0.0, -3.0)),
        fx.LineLoad("wind", "rod", (0.0, 0.05, 0.02), start=0.25, end=0.75),
        fx.PointLoad("tip", "rod.tip", (0.01, 0.01, 0.0), (0.0, 0.0, 0.003)),
    ]
    robot = fx.Robot("r", [rod], [fx.Weld("world", "rod.base")], loads)
    tip, along = orders(robot, [4, 8, 16, 32], 128)
    assert tip == pytest.approx(4.0, abs=0.3)
    assert along == pytest.approx(4.0, abs=0.3)


def test_agrees_with_a_fine_spline():
    robot = cantilever(rod_of(EA=1e3), **SPATIAL)
    spline, linear = (
        solve(robot, fx.Spline(5, 100)).unwrap(),
        solve(robot, LinearStrain(64)).unwrap(),
    )
    positions = [r.pose("rod", S)[:, :3, 3] for r in (linear, spline)]
    np.testing.assert_allclose(*positions, atol=1e-8)
    np.testing.assert_allclose(linear.pose("rod.tip"), spline.pose("rod.tip"), atol=1e-8)
    assert linear.energy == pytest.approx(spline.energy, rel=1e-8)
    np.testing.assert_allclose(
        linear.reaction("world-rod.base"), spline.reaction("world-rod.base"), atol=1e-7
    )


def test_rods_of_different_kinds_in_one_robot():
    rods = [rod_of(name=name, length=0.5, EA=1e3) for name in "ab"]
    robot = fx.Robot(
        "chain",
        rods,
        [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base", OFFSET)],
        [
            fx.PointLoad("tip", "b.tip", (0.2, 1.0, -0.5), (0.1, 0.0, 0.2)),
            fx.LineLoad("wind", "b", (0.0, 0.0, 1.0)),
            fx.PointLoad("inside", fx.At("a", 0.2), (0.0, 0.0, 2.0)),
        ],
    )
    spline, linear = fx.Spline(5, 40), LinearStrain(16)
    expected = solve(robot, spline).unwrap()
    for choices in ({"a": linear, "b": spline}, {"a": spline, "b": linear}, linear):
        found = solve(robot, choices).unwrap()
        for rod in "ab":
            positions = [r.pose(rod, 0.5 * S)[:, :3, 3] for r in (found, expected)]
            np.testing.assert_allclose(*positions, atol=1e-7)
            tips = [r.pose(f"{rod}.tip") for r in (found, expected)]
            np.testing.assert_allclose(*tips, atol=1e-7)
        for joint in ("world-a.base", "a.tip-b.base"):
            np.testing.assert_allclose(found.reaction(joint), expected.reaction(joint), atol=1e-7)


def test_held_at_both_ends():
    rod = wire()
    tip = se3.pose(position=(0.12, 0.02, 0.01), rotation=(0.2, 0.0, 1.5))
    welds = [fx.Weld("world", "rod.base"), fx.Weld("world", "rod.tip", tip)]
    robot = fx.Robot("held", [rod], welds)
    energy = [solve(robot, LinearStrain(n)).unwrap().energy for n in (8, 16, 32)]
    spline = solve(robot, fx.Spline(4, 60)).unwrap().energy
    assert np.log2((energy[0] - energy[1]) / (energy[1] - energy[2])) == pytest.approx(4.0, abs=0.3)
    assert energy[2] == pytest.approx(spline, rel=1e-5)


@pytest.mark.parametrize("gap", [0.0, 1e-8, 1e-5, 1e-3])
def test_loads_that_nearly_meet(gap):
    """No element is so short that rounding of the poses matters, on a stiff wire."""
    loads = [
        fx.PointLoad("one", fx.At("rod", 0.1), (0.0, 0.5, 0.0)),
        fx.PointLoad("other", fx.At("rod", 0.1 * (1.0 + gap)), (0.0, 0.0, 0.5)),
    ]
    robot = fx.Robot("r", [wire()], [fx.Weld("world", "rod.base")], loads)
    tip = solve(robot, LinearStrain(16)).unwrap().pose("rod.tip")
    assert tip[1, 3] == pytest.approx(tip[2, 3], rel=2.0 * gap + 1e-8)


@pytest.mark.parametrize("elements", [0, -3, 100_001, 2.5, float("nan"), True, "4", None])
def test_bad_options(elements):
    with pytest.raises(
        fx.ModelError, match="elements must be a whole number from 1 to 100000, got"
    ) as e:
        LinearStrain(elements)
    assert repr(elements) in str(e.value)
