"""The third-order interpolation of rotations: as a curve, as an energy, and in equilibrium."""

from dataclasses import replace

import numpy as np
import pytest
from support import (
    OFFSET,
    STEPS,
    branched,
    cantilever,
    check_tangent,
    moved,
    random_state,
    rod_of,
    slope,
    start_of,
)

import flexura as fx
from flexura.lie import se3, so3
from flexura.model.assemble import Assembly
from flexura.model.step import linearise
from flexura.rods.discretization import RodPlan
from flexura.rods.rotation_interpolation import RotationInterpolation
from flexura.rods.variable_strain import VariableStrain

S = np.linspace(0.0, 1.0, 41)
LOADS = [(False, 0.0), (False, 2.0), (True, 0.0), (True, 2.0)]
LOAD_NAMES = ["dead-force", "dead-moment", "follower-force", "follower-moment"]


def solve(robot, elements, **kwargs):
    return fx.statics(fx.build(robot, rods=RotationInterpolation(elements)), **kwargs)


def group_of(elements=1, rest=None, jumps=(), length=1.0):
    choice = RotationInterpolation(elements)
    return choice.group([RodPlan(rod_of(rest=rest, length=length), choice, jumps)])


def nodes_of(group, inner):
    """Poses of the nodes of one rod from the identity, as inner unknowns have them."""
    work, none = group.work(), np.empty(0, dtype=np.int64)
    group.kinematics(np.tile(np.eye(4), (group.n_nodes, 1, 1)), inner, none, none, work)
    group.increments(np.zeros((group.n_nodes, 6)), np.zeros_like(inner), work)
    nodes = [np.eye(4)]
    for link in group.relative_poses(1.0, work)[1:]:
        nodes.append(nodes[-1] @ link)
    return np.array(nodes)


def random_inner(group, rng, size=1.0):
    inner = np.zeros((group.n_nodes, group.n_inner))
    inner[1:, :9] = size * rng.normal(size=(group.n_nodes - 1, 9))
    return inner


def lagrangian(assembly, inputs, state):
    """Potential plus multipliers times gaps, whose gradient the residual is."""
    assembly.evaluate(state, inputs)
    model, total = assembly.model, assembly.potential()
    for i, part in enumerate(model.parts):
        inner = model.inner(state, i)
        where, size = model.layout.inner_dof[part.nodes], model.layout.inner_size[part.nodes]
        for row, values in zip(where[size == 15], inner[size == 15], strict=True):
            total += values[9:] @ assembly.residual[row + 9 : row + 15]
    return total


def open_state(model, rng):
    """A state with large rotations, multipliers and gaps at the ends of its elements."""
    state = random_state(model, rng)
    return moved(model, state, 0.1 * rng.normal(size=model.n_dof))


# As a curve


@pytest.mark.parametrize("elements", [1, 3])
def test_strain_is_the_derivative_of_the_pose(elements, rng):
    group, eps = group_of(elements), 1e-5
    inner = random_inner(group, rng, 0.5)
    nodes = nodes_of(group, inner)
    s = np.linspace(0.011, 0.989, 23)
    _, strain = group.shape(nodes, inner, 0, s)
    ahead, behind = (group.shape(nodes, inner, 0, s + e)[0] for e in (eps, -eps))
    found = se3.log(se3.inverse(behind) @ ahead) / (2.0 * eps)
    np.testing.assert_allclose(found[:, :3], strain[:, :3], atol=1e-7 * np.abs(strain).max())
    # positions are integrals of the polynomial through ten points
    np.testing.assert_allclose(found[:, 3:], strain[:, 3:], atol=1e-5)


def test_end_curvatures_are_the_unknowns(rng):
    group = group_of(length=0.7)
    inner = random_inner(group, rng)
    x1, k0, c = inner[1, :9].reshape(3, 3)
    nodes = nodes_of(group, inner)
    pose, strain = group.shape(nodes, inner, 0, np.array([0.0, 0.7]))
    np.testing.assert_allclose(strain[0, :3], k0 / 0.7, atol=1e-13)
    np.testing.assert_allclose(strain[1, :3], so3.dexp(x1) @ c / 0.7, atol=1e-13)
    np.testing.assert_allclose(pose[0], np.eye(4), atol=1e-15)
    np.testing.assert_allclose(pose[1], nodes[1], atol=1e-14)
    np.testing.assert_allclose(nodes[1, :3, :3], so3.exp(x1), atol=1e-14)


def test_points_have_the_pose_and_strain_of_the_shape(rng):
    group = group_of(3, jumps=(0.3, 0.35, 0.99))
    inner, work = random_inner(group, rng), group.work()
    nodes = nodes_of(group, inner)
    posed = np.arange(len(group.points.s))
    group.kinematics(nodes, inner, posed, posed[:0], work)
    pose, strain = group.shape(nodes, inner, 0, group.points.s)
    np.testing.assert_allclose(work.pose, pose, atol=1e-14)
    np.testing.assert_allclose(work.strain, strain, atol=1e-12)
    assert group.points.weight.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("angle", [0.5, 3.0, 5.5])
@pytest.mark.parametrize("elements", [1, 2])
def test_fit_finds_an_interpolation_again(elements, angle, rng):
    """Past pi too: the rotation vector is followed along the element."""
    group = group_of(elements)
    inner = random_inner(group, rng, 0.3)
    axis = rng.normal(size=3)
    inner[1:, :9] += np.tile(angle * axis / np.linalg.norm(axis), 3)
    nodes = nodes_of(group, inner)
    found = group.fit(0, lambda s: group.shape(nodes, inner, 0, s)[1])
    np.testing.assert_allclose(found, inner, atol=2e-5)  # Magnus steps of L/32


def test_rest_is_the_arc_of_a_constant_curvature():
    kappa = np.array([0.5, 4.0, -3.0])
    group = group_of(2, rest=tuple(kappa))
    links, inner = group.rest()
    exact = se3.exp(0.5 * np.append(kappa, [1.0, 0.0, 0.0]))
    np.testing.assert_allclose(links[1:], np.tile(exact, (2, 1, 1)), atol=1e-14)
    np.testing.assert_allclose(inner[1:, :9], np.tile(0.5 * kappa, (2, 3)), atol=1e-13)


def test_elements_end_at_jumps():
    group = group_of(2, jumps=(0.2, 1e-9, 1.0 - 1e-9, 0.2 + 1e-9))
    np.testing.assert_allclose(group.node_lengths(0), [0.0, 0.2, 0.6, 1.0])


# As an energy


@pytest.mark.parametrize("elements", [1, 3])
def test_force_is_the_gradient_of_the_lagrangian(elements, rng):
    model = fx.build(branched(), rods=RotationInterpolation(elements))
    assembly, inputs = Assembly(model), model.read_inputs(None)
    state, direction = open_state(model, rng), rng.normal(size=model.n_dof)
    energy = lagrangian(assembly, inputs, state)
    power = assembly.residual @ direction
    error = [
        abs(lagrangian(assembly, inputs, moved(model, state, h * direction)) - energy - h * power)
        for h in STEPS
    ]
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(("follower", "moment"), LOADS, ids=LOAD_NAMES)
@pytest.mark.parametrize("elements", [1, 3])
def test_tangent_is_the_force_derivative(elements, follower, moment, rng):
    """Also where the elements do not meet their nodes."""
    model = fx.build(branched(follower, moment), rods=RotationInterpolation(elements))
    state, direction = open_state(model, rng), rng.normal(size=model.n_dof)
    check_tangent(model, state, model.read_inputs(None), direction, 1e-9)


def test_prediction_is_linear_in_the_step(rng):
    """Strain agrees with that at the new state to the square of the step."""
    model = fx.build(branched(), rods=RotationInterpolation(2))
    assembly, inputs = Assembly(model), model.read_inputs(None)
    state, direction = random_state(model, rng), rng.normal(size=model.n_dof)
    error = []
    for h in STEPS:
        assembly.evaluate(state, inputs)
        new, ahead = linearise(assembly, h * direction).advance()
        assembly.evaluate(new, inputs)
        error.append(np.abs(assembly.parts[0].work.strain - ahead.strains[0]).max())
        assert assembly.imbalance()[1] < 1e-12  # an open chain stays closed at its elements
    assert slope(STEPS, error) == pytest.approx(2.0, abs=0.1)
    assembly.evaluate(state, inputs)
    still, _ = linearise(assembly, np.zeros(model.n_dof)).advance()
    np.testing.assert_allclose(still.poses, state.poses, atol=1e-13)


def test_rigid_motion_changes_no_strain_and_no_force(rng):
    T = se3.pose(position=(1.0, -2.0, 3.0), rotation=(0.5, 1.5, -1.0))
    rod = rod_of(rest=(0.3, 1.0, -2.0))
    here, there = (
        fx.build(
            fx.Robot(
                "r",
                rods=[rod],
                joints=[fx.Weld("world", "rod.base", offset=base)],
                loads=[
                    fx.PointLoad("p", fx.At("rod", 0.4, OFFSET), base[:3, :3] @ (1.0, 2.0, 3.0))
                ],
            ),
            rods=RotationInterpolation(2),
        )
        for base in (np.eye(4), T)
    )
    state = open_state(here, rng)
    residuals, energies = [], []
    moved = replace(state, poses=there.layout.from_world(T @ state.poses))
    for model, at in ((here, state), (there, moved)):
        assembly = Assembly(model)
        assembly.evaluate(at, model.read_inputs(None))
        residuals.append(assembly.residual)
        energies.append(assembly.stored_energy())
    assert energies[1] == pytest.approx(energies[0], rel=1e-13)
    np.testing.assert_allclose(*residuals, atol=1e-12 * np.abs(residuals[0]).max())


# In equilibrium


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.8, 0.36, -0.48)])
@pytest.mark.parametrize(
    ("elements", "angle"), [(1, 1.0), (1, 3.1), (1, 6.0), (2, 3.0), (4, 12.57)]
)
def test_tip_moment_makes_an_exact_arc(elements, angle, axis):
    """Past pi in one element, and a double circle in four.

    Ten points integrate it to rounding; up to a place inside, as a polynomial of degree nine.
    """
    turn = angle * np.array(axis)
    result = solve(cantilever(rod_of(2.0), moment=2.0 * turn, follower=True), elements).unwrap()
    assert result.load_steps == 1
    exact = se3.exp(np.append(turn, [1.0, 0.0, 0.0]) * S[:, None])
    np.testing.assert_allclose(
        result.pose("rod", S), exact, atol=1e-9 * (angle / elements / 3.0) ** 10
    )
    np.testing.assert_allclose(result.pose("rod.tip"), exact[-1], atol=1e-13)


def held(*loads):
    """The fibreglass rod of P001b, its tip at half the length both ways."""
    glass = fx.Material(young=36.5e9, shear=3e9)
    rod = fx.Rod("rod", 1.0, fx.Circle(1e-3), glass)
    grip = fx.Weld("world", "rod.tip", offset=gripped(0.0), name="grip")
    return fx.Robot("held", rods=[rod], joints=[fx.Weld("world", "rod.base"), grip], loads=loads)


def gripped(theta):
    """A quarter turn down, and theta about the rod."""
    T = np.eye(4)
    T[:3, :3] = so3.exp([0.0, np.pi / 2.0, 0.0]) @ so3.exp([theta, 0.0, 0.0])
    T[:3, 3] = 0.5, 0.0, -0.5
    return T


EI = 36.5e9 * np.pi / 4.0 * 1e-12
# Energy over EI by theta, references/rods/P001b_bending_torsion_gentle_reading.json: the first of
# the minima, by shooting.
P001B = {0.0: 4.115276783735485, np.pi / 2: 4.3155307834253085, np.pi: 4.9162891169309155}
# What one element adds to it, as the paper's own method does (strain_models_comparison, V): no
# cubic comes nearer.
ONE_ELEMENT = {0.0: 0.0130, np.pi / 2: 0.0299, np.pi: 0.0707}


@pytest.mark.parametrize("theta", list(P001B))
def test_rod_held_at_both_ends_from_cold(theta):
    exact, error = P001B[theta], []
    for elements in (1, 2, 4, 8, 16):
        result = solve(held(), elements, inputs={"grip": gripped(theta)}).unwrap()
        assert result.load_steps == 1
        assert result.stable
        error.append(result.energy / EI / exact - 1.0)
    assert error[0] == pytest.approx(ONE_ELEMENT[theta], abs=2e-4)
    assert min(error) > 0.0  # a subspace of all inextensible curves, integrated well
    assert slope([4.0, 8.0, 16.0], error[2:]) == pytest.approx(-6.0, abs=0.2)


@pytest.mark.parametrize("elements", [1, 2])
def test_twist_past_pi_is_followed(elements):
    """A rotation has no memory, its vector has: the energy keeps growing."""
    model = fx.build(held(), rods=RotationInterpolation(elements))
    result, energy = None, []
    for theta in np.arange(0.0, 1.76, 0.25) * np.pi:
        result = fx.statics(model, {"grip": gripped(theta)}, start=result).unwrap()
        assert result.load_steps == 1
        energy.append(result.energy / EI)
        np.testing.assert_allclose(result.pose("rod.tip"), gripped(theta), atol=1e-14)
        np.testing.assert_allclose(result.pose("rod", 1.0), gripped(theta), atol=1e-9)
    assert (np.diff(energy, 2) > 0.0).all()
    assert (np.diff(energy) > 0.0).all()
    angle = np.linalg.norm(result.model.inner(result.state, 0)[1:, :3], axis=1).sum()
    assert angle > 1.4 * np.pi


def tapered(follower=False):
    """A curved, tapered rod under its weight and a force at its tip."""
    soft = fx.Material(young=1e6, poisson=0.4, density=900.0)
    section = fx.Taper(fx.Circle(0.03), fx.Circle(0.02))
    rod = fx.Rod("rod", 1.0, section, soft, rest=lambda s: (0.5, 1.0 + 2.0 * s, -0.7))
    return fx.Robot(
        "tapered",
        rods=[rod],
        joints=[fx.Weld("world", "rod.base")],
        loads=[fx.Gravity(), fx.PointLoad("tip", "rod.tip", (-0.1, 0.5, 0.3), follower=follower)],
    )


@pytest.mark.parametrize("follower", [False, True], ids=["dead", "follower"])
def test_meets_the_variable_strain_rod(follower):
    """Positions converge with the fifth power along the rod, with the sixth at the nodes."""
    elements = np.array([8, 16, 32])
    reference = fx.statics(
        fx.build(tapered(follower), rods=VariableStrain((18, 18, 18, 0, 0, 0), steps=1000))
    ).unwrap()
    exact = reference.pose("rod", S)[:, :3, 3]
    along, nodes = [], []
    for n in elements:
        result = solve(tapered(follower), int(n)).unwrap()
        error = np.linalg.norm(result.pose("rod", S)[:, :3, 3] - exact, axis=1)
        along.append(error.max())
        nodes.append(error[[10, 20, 30, 40]].max())
    assert along[-1] < 1e-8
    assert -slope(elements, along) == pytest.approx(5.0, abs=0.4)
    assert -slope(elements, nodes) == pytest.approx(6.0, abs=0.6)
    assert result.model.parts[0].group.order == 5


def test_agrees_with_a_few_strain_functions():
    rods = VariableStrain((9, 9, 9, 0, 0, 0), steps=64)
    robot = held(fx.LineLoad("wind", "rod", (0.0, 0.1, 0.05)))
    other = fx.statics(fx.build(robot, rods=rods)).unwrap()
    result = solve(robot, 8).unwrap()
    difference = result.pose("rod", S)[:, :3, 3] - other.pose("rod", S)[:, :3, 3]
    assert np.abs(difference).max() < 2e-5  # nine functions are off by 9e-6, eight elements by 1e-6
    np.testing.assert_allclose(result.reaction("grip"), other.reaction("grip"), rtol=1e-3)


@pytest.mark.parametrize("force", [1.0, 5.0, 20.0, 100.0])
@pytest.mark.parametrize("elements", [1, 8])
def test_large_tip_forces_need_no_load_steps(elements, force):
    result = solve(cantilever(rod_of(), force=(0.0, 0.0, force)), elements).unwrap()
    assert result.load_steps == 1
    assert result.iterations <= 12


def test_branched_robot_is_balanced():
    result = solve(branched(), 2).unwrap()
    weight = sum(
        rod.mass_per_length(s) * w
        for rod in result.model.robot.rods
        for s, w in zip(*_gauss(rod.length), strict=True)
    ) * np.array([1.0, 2.0, -9.81])
    loads = np.array([1.0, 2.0, 3.0]) + (-1.0, 3.0, 0.5) + 0.5 * np.array([0.0, 3.0, 1.0])
    base = result.pose("stem.base")[:3, :3] @ result.reaction("world-stem.base")[3:]
    np.testing.assert_allclose(np.abs(base), np.abs(weight + loads), rtol=1e-6)


def _gauss(length):
    x, w = np.polynomial.legendre.leggauss(5)
    return 0.5 * length * (1.0 + x), 0.5 * length * w


# What it refuses


@pytest.mark.parametrize("elements", [0, -1, 1.5, True, "2", None, 10_001])
def test_elements_must_be_a_count(elements):
    with pytest.raises(fx.ModelError, match="RotationInterpolation elements"):
        RotationInterpolation(elements)


@pytest.mark.parametrize("rest", [(0.0, 0.0, 0.0, 1.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.1, 0.0)])
def test_stretched_or_sheared_rest_is_refused(rest):
    robot = cantilever(rod_of(rest=rest))
    with pytest.raises(fx.ModelError, match="no stretch and no shear, but rod 'rod' rests"):
        fx.build(robot, rods=RotationInterpolation())


def test_start_is_a_closed_chain(rng):
    model = fx.build(branched(), rods=RotationInterpolation(3))
    inputs, assembly = model.read_inputs(None), Assembly(model)
    assembly.evaluate(start_of(model), inputs)
    assert assembly.imbalance()[1] < 1e-13
