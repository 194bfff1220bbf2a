"""Every description keeps its word to the laws: kinematics, and forces and tangents back."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest
from rods.alone import dense
from support import RUBBER

import flexura as fx
from flexura.lie import se3
from flexura.rods.discretization import PointForces, RodPlan

PRODUCTS = (
    *(fx.Spline(degree, 3) for degree in (1, 2, 3, 4, 5)),
    fx.Spline(3, 4, breakpoints=(0.25,), assumed_strain=False),
    fx.Hermite(2),
    fx.Power(1, elements=3),
    fx.Power(4, elements=2),
)
CHOICES = (
    *PRODUCTS,
    fx.LinearStrain(3),
    fx.VariableStrain((2, 3, 3, 1, 2, 2), steps=6),
    fx.VariableStrain((0, 3, 2, 0, 0, 0), "monomial", steps=4),
    fx.ConstantStrain(3),
    fx.RotationInterpolation(2),
)
EACH = pytest.mark.parametrize("choice", CHOICES, ids=str)
STEP = 1e-3  # of differences with one extrapolation, whose error is of its fourth power
DERIVATIVE = 1e-9  # of the largest: that, and rounding over the step
ROUNDING = 1e-13


class Case:
    """Two rods in one group, in a shape far from rest, their ends held or loose."""

    def __init__(self, choice, rng, loose=True):
        rods = [
            fx.Rod("one", 0.9, fx.Circle(0.02), RUBBER, rest=(0.2, 0.5, -0.3)),
            fx.Rod("two", 0.5, fx.Circle(0.02), RUBBER, rest=_curved),
        ]
        self.group = choice.group([RodPlan(rods[0], choice, (0.4,)), RodPlan(rods[1], choice)])
        group, self.n_nodes = self.group, int(self.group.rod_nodes[-1])
        self.loose = np.empty(0, dtype=np.int64)
        if loose and group.integrated:
            self.loose = group.rod_nodes[1:2] - 1  # one is loose, the other held
        links, inner = group.rest()
        self.inner = inner + 0.3 * self._unknowns() * rng.normal(size=inner.shape)
        self.nodes = np.tile(np.eye(4), (self.n_nodes, 1, 1))
        for first, stop in pairwise(group.rod_nodes):
            self.nodes[first] = se3.exp(rng.normal(size=6))
            for n in range(first + 1, stop):
                self.nodes[n] = self.nodes[n - 1] @ links[n] @ se3.exp(0.1 * rng.normal(size=6))
        self.forces = PointForces(len(group.points.s), self.n_nodes, group.components)
        self.forces.posed[:] = rng.random(len(group.points.s)) < 0.6
        self.forces.loose[self.loose] = True
        self.work = group.work()
        self.place()

    def _unknowns(self):
        return np.arange(self.group.n_inner) < self.group.inner_size[:, None]

    def place(self, step=None):
        """Kinematics at the state after a step; poses move along the exponential map."""
        nodes, inner = self.nodes.copy(), self.inner.copy()
        if step is not None:
            d_nodes, d_inner = self.split(step)
            nodes, inner = nodes @ se3.exp(d_nodes), inner + d_inner
        posed = np.flatnonzero(self.forces.posed)
        nodes[self.loose] = np.nan  # not an unknown: it is written
        self.group.kinematics(nodes, inner, posed, self.loose, self.work)
        if step is None:
            self.nodes = nodes
        self.at = nodes, inner
        return self.work

    def split(self, step):
        """Increments of poses and inner unknowns from those of all numbers."""
        return step[: 6 * self.n_nodes].reshape(-1, 6), step[6 * self.n_nodes :].reshape(
            self.inner.shape
        )

    def direction(self, rng):
        """A random step of all unknowns."""
        d_nodes, d_inner = rng.normal(size=(self.n_nodes, 6)), rng.normal(size=self.inner.shape)
        d_nodes[self.loose] = 0.0
        held = self._unknowns()
        if self.group.integrated:
            held[self.loose, -6:] = False
        return np.concatenate([d_nodes.ravel(), (d_inner * held).ravel()])

    def derivative(self, function, direction):
        """Of something along a direction, by central differences with one extrapolation."""
        wide, narrow = (
            (function(h * direction) - function(-h * direction)) / (2.0 * h)
            for h in (STEP, 0.5 * STEP)
        )
        self.place()
        return (4.0 * narrow - wide) / 3.0

    def ends(self):
        """Poses of the ends of integrations, where the last kinematics was."""
        nodes, _ = self.at
        self.group.increments(np.zeros((self.n_nodes, 6)), np.zeros_like(self.inner), self.work)
        found = nodes.copy()
        found[1:] = nodes[:-1] @ self.group.relative_poses(0.0, self.work)[1:]
        return found

    def tied(self):
        """Nodes that multipliers tie to the end of an integration."""
        if not self.group.integrated:
            return np.empty(0, dtype=np.int64)
        inside = np.setdiff1d(np.arange(self.n_nodes), self.group.rod_nodes[:-1])
        return np.setdiff1d(inside, self.loose)

    def carried(self, how, at_ends=None):
        """What a way to carry forces back makes of them, all numbers in a row."""
        force, inner_force = np.zeros((self.n_nodes, 6)), np.zeros_like(self.inner)
        if at_ends is not None:
            force[self.loose] = at_ends
        if how == "ties":
            coupling = self.group.carry_ties(force, inner_force, self.work)
        else:
            carry = self.group.carry_back if how == "back" else self.group.pull_back
            coupling = carry(self.forces, force, inner_force, self.work)
        return np.concatenate([force.ravel(), inner_force.ravel()]), coupling


def _curved(s):
    return (0.3, 3.0 * s, np.sin(5.0 * s))


def fill(forces, rng):
    """Random forces at the points."""
    forces.clear()
    for part in (forces.stress, forces.excess, forces.load):
        part[:] = rng.normal(size=part.shape)
    forces.stress_ahead[:] = forces.stress


def close(found, expected, tolerance):
    size = np.max(np.abs(expected), initial=1.0)
    np.testing.assert_allclose(found, expected, atol=tolerance * size)


# Kinematics


@pytest.mark.parametrize("choice", PRODUCTS, ids=str)
def test_strain_is_the_derivative_of_the_pose(choice, rng):
    """Of products of exponentials; integrated poses are of the order of their steps."""
    case = Case(choice, rng, loose=False)
    h = 1e-4
    for rod, length in enumerate((0.9, 0.5)):
        s = length * np.array([0.013, 0.21, 0.39, 0.61, 0.75, 0.987])
        strain = case.group.shape(*case.at, rod, s)[1]
        twist = [
            se3.log(se3.inverse(behind) @ ahead) / (2.0 * e)
            for e in (h, 0.5 * h)
            for behind, ahead in [[case.group.shape(*case.at, rod, s + x)[0] for x in (-e, e)]]
        ]
        close((4.0 * twist[1] - twist[0]) / 3.0, strain, 1e-8)


@EACH
def test_points_have_the_pose_and_strain_of_the_shape(choice, rng):
    case = Case(choice, rng)
    points, posed = case.group.points, case.forces.posed
    for rod in range(2):
        own = points.rod == rod
        pose, strain = case.group.shape(*case.at, rod, points.s[own])
        close(case.work.strain[own], strain, 1e-12)
        close(case.work.pose[own & posed], pose[posed[own]], 1e-12)
        force = case.group.force(case.inner, rod, points.s[own])
        assert (force is not None) == case.group.complementary
        if force is not None:
            close(case.work.force[own], force, 1e-12)


@EACH
def test_increments_are_the_derivative_of_the_strain(choice, rng):
    case = Case(choice, rng)
    direction = case.direction(rng)
    expected = case.derivative(lambda step: case.place(step).strain.copy(), direction)
    found = case.group.increments(*case.split(direction), case.work)
    close(found, expected, DERIVATIVE)


@EACH
def test_links_lead_from_node_to_node(choice, rng):
    """Where nodes are held they may be elsewhere than the ends of integrations."""
    case = Case(choice, rng)
    first = case.group.rod_nodes[:-1]
    same = np.setdiff1d(np.arange(case.n_nodes), [*first, *case.tied()])
    close(case.ends()[same], case.nodes[same], 1e-12)


@EACH
def test_loose_ends_are_written(choice, rng):
    """Nodes that follow from their rod need not be given."""
    case = Case(choice, rng)
    assert np.isfinite(case.nodes).all()
    np.testing.assert_array_equal(case.forces.loose.nonzero()[0], case.loose)


# Forces and tangents


@EACH
def test_wrenches_anywhere_do_their_work(choice, rng):
    """At ends, at nodes, inside elements: by differences of the pose there."""
    case = Case(choice, rng)
    wrenches, direction = rng.normal(size=(3, 6)), case.direction(rng)
    for rod, length in enumerate((0.9, 0.5)):
        inner_node = case.group.node_lengths(rod)[1]
        for s in (0.0, 0.123 * length, inner_node, 0.4, 0.77 * length, length):
            place = np.array([s])
            home = se3.inverse(case.group.shape(case.nodes, case.inner, rod, place)[0][0])

            def twist(step, rod=rod, place=place, home=home):
                case.place(step)
                return se3.log(home @ case.group.shape(*case.at, rod, place)[0][0])

            expected = wrenches @ case.derivative(twist, direction)
            force, inner = case.group.carry_from(case.nodes, case.inner, rod, s, wrenches)
            d_nodes, d_inner = case.split(direction)
            found = np.tensordot(force, d_nodes, 2) + np.tensordot(inner, d_inner, 2)
            close(found, expected, DERIVATIVE)


@EACH
def test_forces_are_virtual_work(choice, rng):
    """Σ stress·δξ + load·ζ + excess·δn, and what acts at loose ends: by differences."""
    case = Case(choice, rng)
    fill(case.forces, rng)
    at_ends = rng.normal(size=(len(case.loose), 6))
    direction = case.direction(rng)
    posed, pose, end = case.forces.posed, case.work.pose.copy(), case.nodes[case.loose]

    def work_done(step):
        work = case.place(step)
        moved = se3.log(se3.inverse(pose[posed]) @ work.pose[posed])
        total = np.sum(case.forces.stress * work.strain)
        total += np.sum(case.forces.load[posed] * moved)
        if case.group.complementary:
            total += np.sum(case.forces.excess * work.force)
        return total + np.sum(at_ends * se3.log(se3.inverse(end) @ case.at[0][case.loose]))

    found, _ = case.carried("back", at_ends)
    expected = case.derivative(work_done, direction)
    assert found @ direction == pytest.approx(expected, abs=DERIVATIVE * np.abs(found).max())


@EACH
def test_ties_are_the_gradient_of_multipliers_times_gaps(choice, rng):
    case = Case(choice, rng)
    direction, tied = case.direction(rng), case.tied()

    def product(step):
        case.place(step)
        gap = se3.log(se3.inverse(case.ends()[tied]) @ case.at[0][tied])
        return np.sum(case.at[1][tied, -6:] * gap) if len(tied) else 0.0

    found, _ = case.carried("ties")
    expected = case.derivative(product, direction)
    assert found @ direction == pytest.approx(expected, abs=DERIVATIVE * max(1, abs(found).max()))


@EACH
@pytest.mark.parametrize("loose", [False, True], ids=["held", "loose"])
def test_forces_are_carried_back_the_same_way_with_and_without_tangent(choice, loose, rng):
    case = Case(choice, rng, loose)
    fill(case.forces, rng)
    at_ends = rng.normal(size=(len(case.loose), 6))
    back, _ = case.carried("back", at_ends)
    ties, _ = case.carried("ties")
    whole, _ = case.carried("pull", at_ends)
    close(back + ties, whole, ROUNDING)


def act(case, law, at_ends=None):
    """Let a law act where the last kinematics was; forces of all numbers, and the tangent."""
    work, forces, points = case.work, case.forces, case.group.points
    forces.clear()
    known = 3 if case.group.complementary else 6
    for p in range(len(points.s)):
        stiffness = np.zeros((6, 6))
        stiffness[:known, :known] = law["stiffness"][p][:known, :known]
        forces.stiffness[p] = stiffness.ravel()
        forces.stress[p] = stiffness @ work.strain[p]
        if case.group.complementary:
            w = points.weight[p]
            forces.stress[p, 3:] += w * work.force[p]
            forces.excess[p] = w * (work.strain[p, 3:] - law["flexibility"][p] * work.force[p])
            forces.flexibility[p] = w * law["flexibility"][p]
        if forces.posed[p]:
            forces.load[p], forces.load_tangent[p] = dead(work.pose[p], law["load"][p])
    forces.stress_ahead[:] = forces.stress
    ends = np.zeros((len(case.loose), 6))
    for i, n in enumerate(case.loose):
        ends[i], forces.end_tangent[n] = dead(case.at[0][n], law["end"])
    forces.symmetric = law["symmetric"]
    return case.carried("pull", ends)


def dead(pose, wrench):
    """A wrench with fixed axes on a pose: its force and tangent (theory 3.1, 3.2)."""
    m, n = (pose[:3, :3].T @ part for part in (wrench[:3], wrench[3:]))
    hat_m, hat_n = (np.cross(np.eye(3), part) for part in (m, n))
    tangent = 0.5 * np.block([[-hat_m, hat_n], [-hat_n, np.zeros((3, 3))]])
    return -np.concatenate([m, n]), tangent.ravel()


@EACH
@pytest.mark.parametrize("symmetric", [True, False])
def test_tangent_is_the_derivative_of_the_forces(choice, symmetric, rng):
    """In exponential charts; where all loads have a potential it is symmetric."""
    case = Case(choice, rng)
    n = len(case.group.points.s)
    root = rng.normal(size=(n, 6, 6))
    law = {
        "stiffness": root @ np.swapaxes(root, 1, 2),
        "flexibility": rng.random((n, 3)),
        "load": rng.normal(size=(n, 6)),
        "end": rng.normal(size=6),
        "symmetric": symmetric,
    }
    if symmetric:
        law["load"][:, :3] = law["end"][:3] = 0.0
    direction = case.direction(rng)

    def seen(step):
        case.place(step)
        forces, _ = act(case, law)
        d_nodes, _ = case.split(step)
        at_nodes = forces[: d_nodes.size].reshape(-1, 6)
        forces[: d_nodes.size] = np.einsum("nji,nj->ni", se3.dexp(d_nodes), at_nodes).ravel()
        return forces

    _, coupling = act(case, law)
    tangent = dense(case.group, coupling)
    used = np.abs(case.direction(rng)) > 0.0
    if symmetric:
        close((tangent - tangent.T)[used][:, used], 0.0, ROUNDING * np.abs(tangent).max())
    expected, found = case.derivative(seen, direction), tangent @ direction
    close(found[used], expected[used], DERIVATIVE)


# Copies


@EACH
def test_groups_can_be_copied(choice, rng):
    group = choice.group([RodPlan(fx.Rod("one", 0.9, fx.Circle(0.02), RUBBER), choice, (0.4,))])
    nodes = np.array([se3.exp(s * np.eye(6)[3]) for s in group.node_lengths(0)])
    inner, s = group.rest()[1], np.linspace(0.0, 0.9, 7)
    pose, strain = group.shape(nodes, inner, 0, s)
    for other in (copy.deepcopy(group), pickle.loads(pickle.dumps(group))):
        np.testing.assert_array_equal(other.shape(nodes, inner, 0, s)[0], pose)
        np.testing.assert_array_equal(other.shape(nodes, inner, 0, s)[1], strain)
        arrays = {k: v for k, v in vars(other).items() if isinstance(v, np.ndarray)}
        assert not any(array.flags.writeable for array in arrays.values())
    assert pickle.loads(pickle.dumps(choice)) == choice
    assert copy.deepcopy(choice) == choice


def test_point_forces_are_cleared_at_once(rng):
    forces = PointForces(5, 3, components=8)
    fill(forces, rng)
    forces.stiffness[:] = forces.flexibility[:] = forces.load_tangent[:] = 1.0
    assert forces.stress.shape == (5, 8)
    assert forces.stiffness.shape == (5, 64)
    forces.clear()
    for part in ("stress", "stress_ahead", "stiffness", "excess", "flexibility", "load"):
        assert not getattr(forces, part).any()
    assert not forces.load_tangent.any()


def test_kernels_take_the_arrays_of_point_forces():
    """Also those that are shared with others."""
    shared = {"posed": np.ones(5, np.bool_), "loose": np.ones(3, np.bool_)}
    for forces in (PointForces(5, 3), PointForces(5, 3, end_tangent=np.ones((3, 36)), **shared)):
        assert all(getattr(forces, name) is part for name, part in forces.laws._asdict().items())
    assert all(getattr(forces, name) is part for name, part in shared.items())
