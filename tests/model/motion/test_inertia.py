"""Inertial wrenches of frames that move, r = M v̇ - ad_vᵀ M v, and how they change with the end."""

import numpy as np
import pytest

import flexura as fx
from flexura.lie import se3
from flexura.model import inertia_kernels as kernels
from flexura.model.law import Given
from flexura.model.past import Course, Past
from flexura.model.term import NodeForces
from flexura.model.terms.inertia import BodyInertia

# Moments and masses, in kg m² and kg: of a rod's section, of a body, of a point.
INERTIAS = [(2e-3, 1e-3, 3e-3, 0.5), (1.0, 1.5, 2.0, 1.0), (0.0, 0.0, 0.0, 2.0)]
PACE, PUSH = 3.0, 20.0
ROUNDING = 1e-12


def random_course(rng, n, turn):
    """Where frames begin, their rates without displacement, and where they end."""
    begin = se3.exp(rng.normal(size=(n, 6)))
    d = np.array([_sized(rng.normal(size=6), turn) for _ in range(n)])
    return Course(begin, rng.normal(size=(n, 6)), rng.normal(size=(n, 6))), begin @ se3.exp(d), d


def _sized(twist, turn):
    return np.concatenate([turn * twist[:3] / np.linalg.norm(twist[:3]), twist[3:]])


def wrench(inertia, course, i, pose, in_space=False):
    """The formula, written out; of momenta that are kept in space, those there."""
    moved = se3.inverse(course.pose[i]) @ pose
    d = se3.log(moved)
    if in_space:
        J, m, R, a = np.array(inertia[:3]), inertia[3], moved[:3, :3], course.acceleration[i]
        spin = PUSH * J * d[:3] + R.T @ (J * a[:3])
        return np.concatenate([spin, m * (R.T @ (PUSH * moved[:3, 3] + a[3:]))])
    v, a = PACE * d + course.velocity[i], PUSH * d + course.acceleration[i]
    M = np.diag(inertia)
    return M @ a - se3.ad(v).T @ M @ v


def in_chart(force, pose, step):
    """A wrench at a moved pose, seen from the pose before: J_rᵀ r."""
    return se3.dexp(step).T @ force(pose @ se3.exp(step))


def derivative(force, pose):
    """Of a wrench in the exponential chart, by central differences extrapolated, (6, 6)."""
    found = np.empty((6, 6))
    for k, e in enumerate(np.eye(6)):
        wide, narrow = (
            (in_chart(force, pose, h * e) - in_chart(force, pose, -h * e)) / (2.0 * h)
            for h in (2e-3, 1e-3)
        )
        found[:, k] = (4.0 * narrow - wide) / 3.0
    return found


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("turn", [1e-9, 0.3, 2.0, 3.1])
@pytest.mark.parametrize("numbers", INERTIAS)
def test_points(numbers, turn, in_space, rng):
    """Up to nearly half a turn in a step; loads are added to, at the points with mass."""
    course, end, _ = random_course(rng, 3, turn)
    inertia = np.tile([*numbers, numbers[3], numbers[3]], (3, 1)) * rng.uniform(1, 2, (3, 1))
    point = np.array([4, 0, 2])
    pose, load, tangent = np.tile(np.eye(4), (5, 1, 1)), np.ones((5, 6)), np.ones((5, 36))
    pose[point] = end
    kernels.add_at_points(point, inertia, *course, PACE, PUSH, in_space, pose, load, tangent, True)
    for i, p in enumerate(point):

        def force(g, i=i):
            return wrench(inertia[i], course, i, g, in_space)

        size = np.abs(force(end[i])).max()
        np.testing.assert_allclose(load[p] - 1.0, force(end[i]), atol=ROUNDING * (1.0 + size))
        expected = derivative(force, end[i])
        # Fourth differences of a chart of radius π: 1e-12 over what is left to half a turn, to the
        # fourth power.
        error = 1e-9 * np.abs(expected).max() * max(1.0, 0.5 / (np.pi - turn)) ** 4
        np.testing.assert_allclose(tangent[p].reshape(6, 6) - 1.0, expected, atol=error)
    assert (load[[1, 3]] == 1.0).all()
    assert (tangent[[1, 3]] == 1.0).all()


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("turn", [0.3, 2.0])
def test_bodies(turn, in_space, rng):
    """Their centres are elsewhere than their nodes; two share one."""
    bodies = [
        fx.Body("a", 1.0, (0.2, 0.3, 0.4), center=(0.3, -0.2, 0.5)),
        fx.Body("b", 2.0, (0.1, 0.1, 0.05)),
        fx.Body("c", 0.5, center=(-1.0, 0.4, 0.2)),
    ]
    nodes = [2, 0, 2]
    term = BodyInertia.of(bodies, nodes)
    course, end, _ = random_course(rng, 3, turn)
    centers = [se3.pose(body.center) for body in bodies]
    pose = np.tile(np.eye(4), (3, 1, 1))
    pose[2], pose[0] = end[0] @ se3.inverse(centers[0]), end[1]
    past = Past(PACE, PUSH, (), (), (), course, np.zeros((2, 0, 3)), in_space)
    force = np.zeros((3, 6))
    out = NodeForces.of(term, force)
    term.add(pose, np.empty(0), Given(np.empty(0), np.empty(0), np.empty(0), past), out)

    def alone(i, g):
        """What acts on the node of a body at a pose."""
        body = bodies[i]
        inertia = (*body.inertia, *[body.mass] * 3)
        at_center = wrench(inertia, course, i, g @ centers[i], in_space)
        return se3.Ad(se3.inverse(centers[i])).T @ at_center

    total = np.zeros((3, 6))
    for i, node in enumerate(nodes):
        total[node] += alone(i, pose[node])
        expected = derivative(lambda g, i=i: alone(i, g), pose[node])
        found = out.blocks[i].reshape(6, 6)
        # Body c turns by whatever the random course has left to half a turn.
        np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(force, total, atol=ROUNDING * np.abs(total).max())


def test_nothing_acts_at_rest():
    term = BodyInertia.of([fx.Body("a", 1.0, (0.2, 0.3, 0.4))], [0])
    force = np.zeros((1, 6))
    out = NodeForces.of(term, force)
    out.blocks[:] = 1.0
    none = np.empty(0)
    term.add(np.eye(4)[None], none, Given(none, none, none), out)
    assert not force.any()
    assert not out.blocks.any()
