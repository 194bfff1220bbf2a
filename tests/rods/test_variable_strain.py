"""Strain functions on the smooth pieces of a rod: a chain of elements, and what laws make of it."""

import numpy as np
import pytest
from support import RUBBER, branched, moved, random_state, rod_of

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.rods.discretization import PointForces, RodPlan

ORDERS = (2, 3, 3, 1, 2, 2)
N = sum(ORDERS)
ROD = fx.Rod("rod", 2.0, fx.Circle(0.02), RUBBER, rest=(0.2, 0.5, -0.3))
JUMPS = (0.5, 1.4)
NONE = np.empty(0, dtype=np.int64)
CHOICES = [
    fx.VariableStrain(ORDERS, steps=8),
    fx.VariableStrain(ORDERS, "bspline", steps=8),
    fx.ConstantStrain(4),
]
EACH = pytest.mark.parametrize("choice", CHOICES, ids=["legendre", "bspline", "constant"])


def group_of(choice, jumps=JUMPS, rods=1):
    return choice.group([RodPlan(ROD, choice, jumps)] * rods)


def random_nodes(group, rng):
    """Nodes that lie on the rods but for a violation of the closure, and inner unknowns."""
    _, inner = group.rest()
    inner = inner + 0.3 * rng.normal(size=inner.shape)
    nodes = se3.exp(0.5 * rng.normal(size=(group.n_nodes, 6)))
    return nodes, inner


# Layout


def test_nodes_are_at_jumps_and_each_piece_has_all_functions():
    group = group_of(CHOICES[0], rods=2)
    for rod in range(2):
        np.testing.assert_array_equal(group.node_lengths(rod), [0.0, 0.5, 1.4, 2.0])
    assert group.rod_nodes.tolist() == [0, 4, 8]
    assert group.n_inner == N + 6
    assert np.diff(group.node_steps).tolist() == [0, 2, 4, 2] * 2
    assert group.points.weight.sum() == pytest.approx(2 * ROD.length, rel=1e-14)


def test_jumps_too_close_for_a_piece_are_one():
    lengths = group_of(CHOICES[0], (0.5, 0.5 + 1e-9, 2.0 - 1e-9)).node_lengths(0)
    np.testing.assert_array_equal(lengths, [0.0, 0.5, 2.0])


def test_a_short_piece_has_as_many_points_as_functions():
    """Else a combination of functions would have no stiffness."""
    choice = fx.VariableStrain((0, 9, 0, 0, 0, 0), steps=8)
    group = group_of(choice, (0.01,))
    for n in (1, 2):
        own = slice(2 * group.node_steps[n], 2 * group.node_steps[n + 1])
        assert np.linalg.matrix_rank(group.phi[own]) == 9


def test_sections_of_constant_strain_are_cut_at_jumps():
    lengths = group_of(fx.ConstantStrain(4), (0.7, 1.0)).node_lengths(0)
    np.testing.assert_allclose(lengths, [0.0, 0.5, 0.7, 1.0, 1.5, 2.0], atol=1e-15)


@EACH
def test_shape_meets_the_nodes_and_links(choice, rng):
    group = group_of(choice)
    _, inner = group.rest()
    inner = inner + 0.3 * rng.normal(size=inner.shape)
    work = group.work()
    work.inner[:] = inner
    links = group.relative_poses(0.0, work)
    nodes = links.copy()
    for n in range(1, group.n_nodes):
        nodes[n] = nodes[n - 1] @ links[n]
    pose, _ = group.shape(nodes, inner, 0, group.node_lengths(0))
    np.testing.assert_allclose(pose, nodes, atol=1e-12)


@EACH
def test_shape_gives_what_laws_see_at_the_points(choice, rng):
    group = group_of(choice, rods=2)
    nodes, inner = random_nodes(group, rng)
    work = group.work()
    group.kinematics(nodes, inner, np.arange(len(group.points.s)), NONE, work)
    for rod in range(2):
        own = group.points.rod == rod
        pose, strain = group.shape(nodes, inner, rod, group.points.s[own])
        np.testing.assert_allclose(strain, work.strain[own], atol=1e-12)
        np.testing.assert_allclose(pose, work.pose[own], atol=1e-12)


def test_fit_follows_a_strain_that_jumps():
    """A polynomial on each piece, of the degree of the functions."""
    group = group_of(fx.VariableStrain((3,) * 6, steps=12))

    def strain(s):
        return (s[:, None] - 1.0) ** 2 * np.arange(6) + np.where(s > JUMPS[0], 1.0, 0.0)[:, None]

    inner = group.fit(0, strain)
    s = np.array([0.1, 0.49, 0.51, 1.2, 1.9])
    nodes = np.tile(np.eye(4), (group.n_nodes, 1, 1))
    np.testing.assert_allclose(group.shape(nodes, inner, 0, s)[1], strain(s), atol=1e-12)


# Forces


@pytest.mark.parametrize("full", [False, True], ids=["diagonal", "full"])
def test_a_symmetric_law_gives_the_same_either_way(full, rng):
    """The two passes of an unsymmetric tangent agree where one suffices."""
    group = group_of(CHOICES[0])
    nodes, inner = random_nodes(group, rng)
    n = len(group.points.s)
    forces = PointForces(n, group.n_nodes)
    forces.posed[:] = rng.random(n) < 0.7
    forces.load[:] = rng.normal(size=(n, 6))
    for square in (forces.load_tangent, forces.stiffness):
        K = rng.normal(size=(n, 6, 6))
        square[:] = (K + np.swapaxes(K, 1, 2)).reshape(n, 36)
    if not full:
        forces.stiffness[:] *= np.eye(6).ravel()
    found = []
    for symmetric in (True, False):
        work = group.work()
        force, inner_force = np.zeros((group.n_nodes, 6)), np.zeros_like(inner)
        group.kinematics(nodes, inner, np.flatnonzero(forces.posed), NONE, work)
        forces.symmetric = symmetric
        matrices = group.pull_back(forces, force, inner_force, work).matrices
        found.append((matrices, force, inner_force))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12 * np.abs(one).max())
    matrices = found[0][0]
    np.testing.assert_allclose(
        matrices, np.swapaxes(matrices, 1, 2), atol=1e-13 * np.abs(matrices).max()
    )


@EACH
def test_force_is_the_gradient_of_the_energy_and_the_constraints(choice, rng):
    """Of U + Σ λ·c; the residual of λ is the gap c."""
    model = fx.build(branched(), rods=choice)
    assembly, inputs = Assembly(model), model.read_inputs(None)
    start = random_state(model, rng)
    direction = rng.normal(size=model.n_dof)
    (part,) = model.parts

    def lagrangian(h):
        state = moved(model, start, h * direction)
        assembly.evaluate(state, inputs)
        residual = np.zeros((part.n_nodes, part.group.n_inner))
        model.layout.inner(assembly.residual, part.nodes, residual)
        return assembly.potential() + np.sum(model.inner(state, 0)[:, -6:] * residual[:, -6:])

    wide, narrow = ((lagrangian(h) - lagrangian(-h)) / (2.0 * h) for h in (2e-3, 1e-3))
    assembly.evaluate(start, inputs)
    power = assembly.residual @ direction
    assert (4.0 * narrow - wide) / 3.0 == pytest.approx(power, rel=1e-7)


# In equilibrium


def loaded(rods, joints, place):
    loads = [
        fx.PointLoad("tip", f"{rods[-1].name}.tip", force=(0.5, 2.0, -1.5)),
        fx.PointLoad("inside", place, force=(0.0, 0.4, 1.7), moment=(0.2, 0.0, -0.3)),
    ]
    return fx.Robot("r", rods, joints, loads)


def bent(length, name):
    return rod_of(EI=1.0, GJ=0.8, EA=1e3, length=length, rest=(0.3, 0.0, 0.8), name=name)


def test_a_point_load_inside_leaves_the_convergence_spectral():
    """Each two functions more gain a factor of about 30 or more, down to 1e-11."""
    robot = loaded([bent(1.0, "rod")], [fx.Weld("world", "rod.base")], fx.At("rod", 0.37))
    exact = fx.shooting(robot).unwrap()

    def error(orders, steps):
        model = fx.build(robot, rods=fx.VariableStrain(orders, steps=steps))
        return fx.shape_error(fx.statics(model).unwrap(), exact).max_position

    errors = np.array([error((n,) * 6, 192) for n in (3, 5, 7, 9)])
    assert (errors[:-1] / errors[1:]).min() > 20.0
    assert errors[-1] < 1e-10
    assert error((9, 10, 10, 4, 4, 4), 64) < 1e-7  # 9e-8: four functions for stretch and shear


@pytest.mark.parametrize(
    ("whole", "first", "second"),
    [
        (
            fx.VariableStrain((4, 5, 5, 2, 2, 2), steps=20),
            fx.VariableStrain((4, 5, 5, 2, 2, 2), steps=8),
            fx.VariableStrain((4, 5, 5, 2, 2, 2), steps=12),
        ),
        (fx.ConstantStrain(10), fx.ConstantStrain(4), fx.ConstantStrain(6)),
    ],
    ids=["variable", "constant"],
)
def test_pieces_are_a_chain_of_welded_rods(whole, first, second):
    """Cut at 0.4 of the length, where a load acts: the same unknowns, the same equilibrium."""
    one = loaded([bent(1.0, "rod")], [fx.Weld("world", "rod.base")], fx.At("rod", 0.4))
    welds = [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base")]
    two = loaded([bent(0.4, "a"), bent(0.6, "b")], welds, "a.tip")
    single = fx.statics(fx.build(one, rods=whole)).unwrap()
    chain = fx.statics(fx.build(two, rods={"a": first, "b": second})).unwrap()
    np.testing.assert_allclose(single.pose("rod.tip"), chain.pose("b.tip"), atol=1e-9)
    np.testing.assert_allclose(single.pose("rod", 0.2), chain.pose("a", 0.2), atol=1e-9)
    np.testing.assert_allclose(single.pose("rod", 0.7), chain.pose("b", 0.3), atol=1e-9)
    assert single.energy == pytest.approx(chain.energy, rel=1e-9)
