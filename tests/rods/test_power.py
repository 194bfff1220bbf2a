"""Power elements: a curve from strains at Gauss points, and in balance."""

import numpy as np
import pytest
from rods.alone import Cantilever
from support import RUBBER, rod_of

import flexura as fx
from flexura.lie import se3
from flexura.rods.discretization import RodPlan

S = np.linspace(0.0, 1.0, 101)
REFERENCE = fx.VariableStrain((14,) * 6, steps=256)  # fourth order, steps of 1/256: 1e-11


def group_of(degree=5, elements=2, jumps=(), rest=None):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER, rest=rest)
    choice = fx.Power(degree, elements)
    return choice.group([RodPlan(rod, choice, jumps)])


def at(group, inner):
    """Nodes at the ends of the elements."""
    work = group.work()
    work.inner[:] = inner
    nodes = [np.eye(4)]
    for link in group.relative_poses(0.0, work)[1:]:
        nodes.append(nodes[-1] @ link)
    return np.array(nodes)


# As a curve


@pytest.mark.parametrize("degree", [1, 2, 5, 9])
def test_strains_at_points_are_the_unknowns(degree, rng):
    group = group_of(degree)
    waves = rng.normal(size=(3, 6))
    inner = group.fit(0, lambda s: np.eye(6)[3] + np.cos(np.outer(s, [1.0, 2.0, 3.0])) @ waves)
    nodes = at(group, inner)
    strain = group.shape(nodes, inner, 0, group.points.s)[1]
    np.testing.assert_allclose(strain, inner[1:, :-6].reshape(-1, 6), atol=1e-11)
    pose = group.shape(nodes, inner, 0, np.array([0.5 - 1e-13, 0.5, 1.0]))[0]
    np.testing.assert_allclose(pose, nodes[[1, 1, 2]], atol=1e-12)


def test_strains_without_a_curve_are_evened_out():
    """They turn to and fro by a turn and more in an element: no product does."""
    group = group_of(3, elements=2)
    waves = np.random.default_rng(3).normal(size=(2, 6)) * [20.0, 20.0, 20.0, 0.0, 0.0, 0.0]
    inner = group.fit(0, lambda s: np.eye(6)[3] + np.cos(np.outer(s, [12.0, 9.0])) @ waves)
    assert np.isfinite(at(group, inner)).all()


def test_elements_end_at_jumps():
    group = group_of(3, elements=2, jumps=(0.3,))
    np.testing.assert_allclose(group.node_lengths(0), [0.0, 0.3, 1.0])
    assert group.inner_size.tolist() == [0, 24, 24]
    assert group.points.weight.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("degree", [1, 4])
def test_constant_rest_strain_is_exact(degree):
    strain = np.array([0.5, 2.0, -1.0, 1.1, 0.05, -0.02])
    pose, found = Cantilever(rod_of(rest=strain), fx.Power(degree, 2)).shape(S)
    np.testing.assert_allclose(pose, se3.exp(S[:, None] * strain), atol=1e-12)
    np.testing.assert_allclose(found, np.tile(strain, (len(S), 1)), atol=1e-11)


def test_a_power_of_twists_is_found_again(rng):
    """Strains of u ↦ Π exp(uⁱ Ωᵢ) at its points give the same curve."""
    twists = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]) + 0.4 * rng.normal(size=(1, 6))
    twists = np.concatenate([twists, 0.3 * rng.normal(size=(3, 6))])

    def curve(u):
        pose = np.eye(4)
        for i, twist in enumerate(twists):
            pose = pose @ se3.exp(u[:, None] ** (i + 1) * twist)
        return pose

    def strain(u):
        ahead, behind = curve(u + 1e-4), curve(u - 1e-4)
        return se3.log(se3.inverse(behind) @ ahead) / 2e-4

    group = group_of(4, elements=1)
    inner = group.fit(0, strain)
    pose = group.shape(at(group, inner), inner, 0, S)[0]
    np.testing.assert_allclose(pose, curve(S), atol=1e-7)  # the difference is of second order


def test_strains_without_twists_are_told():
    """Curvatures that jump to and fro: there is no pose, and the description says so."""
    group = group_of(5, elements=1)
    inner = group.rest()[1]
    inner[1, :30].reshape(5, 6)[:, 1] += [60.0, -60.0, 60.0, -60.0, 60.0]
    nodes, work, none = np.tile(np.eye(4), (2, 1, 1)), group.work(), np.empty(0, dtype=np.int64)
    group.kinematics(nodes, inner, none, np.array([1]), work)
    assert group.turn(nodes, work) > 1.0


# In balance


@pytest.mark.parametrize("turns", [0.5, 2.0])
def test_a_moment_bends_a_rod_to_a_circle(turns):
    """κ = M/EI, by one element too."""
    kappa = 2.0 * np.pi * turns
    cantilever = Cantilever(rod_of(EA=1e6), fx.Power(3, 1))
    cantilever.solve(tip_moment=(0.0, 0.0, kappa), steps=4)
    pose, strain = cantilever.shape(S)
    expected = se3.exp(S[:, None] * [0.0, 0.0, kappa, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(pose, expected, atol=1e-11)
    np.testing.assert_allclose(strain[:, 2], kappa, atol=1e-10)
    assert cantilever.group.turn(cantilever.nodes, cantilever.work) < 1e-9


def test_stretch_follows_the_law():
    cantilever = Cantilever(rod_of(EA=50.0), fx.Power(3, 2)).solve(tip_force=(10.0, 0.0, 0.0))
    np.testing.assert_allclose(cantilever.shape(S)[1][:, 3], 1.2, atol=1e-12)


def errors(rod, choices, **load):
    """Largest error of positions along the rod and at its tip, for each choice."""
    exact = Cantilever(rod, REFERENCE).solve(**load).shape(S)[0]
    found = [Cantilever(rod, choice).solve(**load).shape(S)[0] for choice in choices]
    return np.array([[np.abs(pose - exact)[i, :3, 3].max() for i in (..., -1)] for pose in found])


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_order(degree):
    """degree + 1 along the rod, twice the degree at the tip."""
    choices = [fx.Power(degree, n) for n in (4, 8)]
    coarse, fine = errors(rod_of(GJ=0.7, EA=1e4), choices, tip_force=(0.5, 2.0, 3.0))
    inside, tip = np.log2(coarse / fine)
    assert inside > degree + 1 - 0.1
    assert tip > 2 * degree - 0.1


def test_errors_fall_with_the_degree():
    choices = [fx.Power(degree, 2) for degree in (2, 4, 6, 8)]
    found = errors(rod_of(GJ=0.7, EA=1e4), choices, tip_force=(0.5, 2.0, 3.0))[:, 0]
    assert (found[1:] < 0.1 * found[:-1]).all()
    assert found[-1] < 2e-8


def test_thin_rods_do_not_lock():
    """The error is that of bending, whatever the stiffness against stretch and shear."""
    load = {"tip_force": (0.5, 2.0, 3.0)}
    found = [
        errors(rod_of(GJ=0.7, EA=EA), [fx.Power(4, 2)], **load)[0, 0] for EA in (1e4, 1e6, 1e8)
    ]
    assert found[0] < 6e-5
    np.testing.assert_allclose(found, found[0], rtol=1e-2)


def test_large_loads_converge_at_once():
    """From straight to a bend by more than a quarter turn: Newton's method needs no load steps."""
    rod = rod_of(GJ=0.7, EA=1e6)
    cantilever = Cantilever(rod, fx.Power(5, 4)).solve(tip_force=(2.0, 10.0, 20.0))
    assert cantilever.iterations <= 8
    matrix = cantilever.evaluate(np.array([2.0, 10.0, 20.0]), np.zeros(3))[1]
    free = np.ix_(cantilever.free, cantilever.free)
    negative = (np.linalg.eigvalsh(matrix[free]) < 0.0).sum()
    assert negative == 6 * 3  # the multipliers of three elements that are tied: a stable rod


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"degree": 0}, "degree must be a whole number from 1 to 9, got 0; 2 to 5"),
        ({"degree": 10}, "got 10"),
        ({"degree": 2.5}, "got 2.5"),
        ({"elements": 0}, "elements must be a whole number from 1 to 10000, got 0"),
        ({"elements": True}, "got True"),
    ],
)
def test_bad_options(arguments, message):
    with pytest.raises(fx.ModelError, match=f"Power .*{message}"):
        fx.Power(**arguments)
