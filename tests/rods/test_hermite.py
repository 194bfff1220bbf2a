"""Cubic Hermite elements: poses and strains at nodes, as a curve and in balance."""

import numpy as np
import pytest
from rods.alone import Cantilever
from support import RUBBER, rod_of

import flexura as fx
from flexura.lie import se3
from flexura.rods.discretization import RodPlan

S = np.linspace(0.0, 1.0, 41)
REFERENCE = fx.VariableStrain((14,) * 6, steps=128)  # fourth order, steps of 1/128: 1e-10


def group_of(elements=4, jumps=(), rest=None):
    rod = fx.Rod("rod", 1.0, fx.Circle(0.02), RUBBER, rest=rest)
    choice = fx.Hermite(elements)
    return choice.group([RodPlan(rod, choice, jumps)])


def random_state(group, rng):
    """Poses not far from rest, strains and forces."""
    links, inner = group.rest()
    nodes = [se3.exp(rng.normal(size=6))]
    for link in links[1:]:
        nodes.append(nodes[-1] @ link @ se3.exp(0.1 * rng.normal(size=6)))
    return np.array(nodes), inner + 0.3 * rng.normal(size=inner.shape)


# As a curve


def test_nodes_have_the_poses_and_strains_of_the_unknowns(rng):
    group = group_of(3)
    nodes, inner = random_state(group, rng)
    pose, strain = group.shape(nodes, inner, 0, group.node_lengths(0))
    np.testing.assert_allclose(pose, nodes, atol=1e-13)
    np.testing.assert_allclose(strain, inner[:, :6], atol=1e-12)


@pytest.mark.parametrize("jumps", [(), (0.5,)], ids=["smooth", "jump"])
def test_strain_and_force_jump_where_they_may(jumps, rng):
    group = group_of(4, jumps)
    nodes, inner = random_state(group, rng)
    beside = np.array([0.5 - 1e-12, 0.5 + 1e-12])
    strain, force = group.shape(nodes, inner, 0, beside)[1], group.force(inner, 0, beside)
    for values in (strain, force):
        assert (np.abs(values[1] - values[0]).max() > 1e-2) == bool(jumps)
    expected = inner[2, :6], inner[2, 12:18] if jumps else inner[2, :6]
    np.testing.assert_allclose(strain, expected, atol=1e-9)


def test_inner_unknowns_are_counted():
    """Strain and force at each node, a force inside each element, and more at a jump."""
    group = group_of(4, jumps=(0.5,))
    assert group.inner_size.tolist() == [9, 12, 21, 12, 12]
    begin, size = group.shared, group.shared_size
    assert begin.tolist() == [0, 0, 0, 12, 0]
    assert set(size.tolist()) == {9}
    assert np.flatnonzero(group.multiplier).tolist() == [6, 7, 8, 9, 10, 11, 18, 19, 20]


def test_constant_rest_strain_is_exact():
    strain = np.array([0.5, 2.0, -1.0, 1.1, 0.05, -0.02])
    rod = rod_of(rest=strain)
    cantilever = Cantilever(rod, fx.Hermite(3))
    pose, found = cantilever.shape(S)
    np.testing.assert_allclose(pose, se3.exp(S[:, None] * strain), atol=1e-13)
    np.testing.assert_allclose(found, np.tile(strain, (len(S), 1)), atol=1e-12)


def test_fit_follows_a_strain_and_its_jumps():
    def strain(s):
        return (1.0 + s[:, None]) * np.arange(6) + np.where(s > 0.5, 1.0, 0.0)[:, None]

    group = group_of(4, jumps=(0.5,))
    inner = group.fit(0, strain)
    s = group.node_lengths(0)
    np.testing.assert_allclose(inner[:, :6], strain(s), atol=1e-8)
    np.testing.assert_allclose(inner[2, 12:18], strain(s[2:3] + 1e-9)[0], atol=1e-8)
    assert not inner[:, group.multiplier].any()


def test_rigid_motion_changes_no_strain(rng):
    group = group_of(3)
    nodes, inner = random_state(group, rng)
    T = se3.exp(np.array([0.9, -2.0, 1.5, 3.0, -4.0, 5.0]))
    pose, strain = group.shape(nodes, inner, 0, S)
    pose_moved, strain_moved = group.shape(T @ nodes, inner, 0, S)
    np.testing.assert_allclose(strain_moved, strain, atol=1e-11)
    np.testing.assert_allclose(pose_moved, T @ pose, atol=1e-12)


# In balance


@pytest.mark.parametrize("turns", [0.5, 2.0, 4.0])
def test_a_moment_bends_a_rod_to_a_circle(turns):
    """κ = M/EI, also where an element turns by a whole turn: the strains tell."""
    kappa = 2.0 * np.pi * turns
    rod = rod_of(EI=1.0, EA=1e6)
    cantilever = Cantilever(rod, fx.Hermite(4)).solve(tip_moment=(0.0, 0.0, kappa), steps=8)
    pose, strain = cantilever.shape(S)
    expected = se3.exp(S[:, None] * [0.0, 0.0, kappa, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(pose, expected, atol=1e-9)
    np.testing.assert_allclose(strain[:, :3], np.tile([0.0, 0.0, kappa], (41, 1)), atol=1e-8)
    turn = cantilever.group.turn(cantilever.nodes, cantilever.work)
    assert turn == pytest.approx(turns / 4.0 * 2.0 / 3.0, rel=1e-8)


def test_stretch_and_shear_follow_the_law():
    """A short thick rod under an axial force: ν = 1 + F/EA."""
    cantilever = Cantilever(rod_of(EA=50.0), fx.Hermite(2)).solve(tip_force=(10.0, 0.0, 0.0))
    np.testing.assert_allclose(cantilever.shape(S)[1][:, 3], 1.2, atol=1e-12)
    force = cantilever.group.force(cantilever.inner, 0, S)
    np.testing.assert_allclose(force, np.tile([10.0, 0.0, 0.0], (41, 1)), atol=1e-11)


def errors(rod, elements, **load):
    """Largest error of positions with as many elements, against functions of high degree."""
    exact = Cantilever(rod, REFERENCE).solve(**load).shape(S)[0]
    found = [Cantilever(rod, fx.Hermite(n)).solve(**load).shape(S)[0] for n in elements]
    inside = [np.abs(pose - exact)[:, :3, 3].max() for pose in found]
    tip = [np.abs(pose - exact)[-1, :3, 3].max() for pose in found]
    return np.array(inside), np.array(tip)


@pytest.mark.slow
def test_order():
    """Three along the rod, four at the tip."""
    elements = np.array([8, 16, 32])
    inside, tip = errors(rod_of(GJ=0.7, EA=1e4), elements, tip_moment=(0.5, 2.0, 1.0))
    assert np.log2(inside[:-1] / inside[1:]) == pytest.approx(3.0, abs=0.05)
    assert np.log2(tip[0] / tip[1]) == pytest.approx(4.0, abs=0.2)


def test_thin_rods_do_not_lock():
    """The error is that of bending, whatever the stiffness against stretch and shear."""
    load = {"tip_force": (0.5, 2.0, 3.0)}
    found = [errors(rod_of(GJ=0.7, EA=EA), [4], **load)[0][0] for EA in (1e4, 1e6, 1e8)]
    assert found[0] < 6e-5
    np.testing.assert_allclose(found, found[0], rtol=1e-2)


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        (0, "from 1 to 100000, got 0; 4 to 16"),
        (2.5, "got 2.5"),
        (True, "got True"),
        ("3", "got '3"),
    ],
)
def test_bad_options(elements, message):
    with pytest.raises(fx.ModelError, match=f"Hermite elements must be a whole number.*{message}"):
        fx.Hermite(elements)
