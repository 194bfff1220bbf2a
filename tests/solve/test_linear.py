"""Factorisation of tangents with a border, against dense matrices."""

import numpy as np
import pytest
from support import RUBBER, random_state

import flexura as fx
from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.solve.linear import (
    BorderedFactor,
    determinant_sign,
    factorise_tangent,
    is_stable,
    negative_eigenvalues,
)


def tree(depth):
    """Rods that fork at every tip."""
    rods, joints = [], []

    def grow(name, parent, level):
        rods.append(fx.Rod(name, 0.3, fx.Circle(0.02), RUBBER, rest=(0.1, 0.2, -0.1 * level)))
        turn = (0.3, 0.5 if name.endswith("l") else -0.5, 0.2)
        joints.append(fx.Weld(parent, f"{name}.base", offset=se3.pose(rotation=turn)))
        if level < depth:
            grow(f"{name}l", f"{name}.tip", level + 1)
            grow(f"{name}r", f"{name}.tip", level + 1)

    grow("t", "world", 0)
    load = fx.PointLoad("load", at="t.tip", force=(1.0, 2.0, 3.0))
    return fx.Robot("tree", rods=rods, joints=joints, loads=[load])


def closed():
    """A tree with a hinge and a ball that close it."""
    robot = tree(2)
    far = se3.pose(position=(0.8, 0.1, -0.2))
    joints = [
        *robot.joints,
        fx.Ball("ball", "world", "tll.tip", offset=far),
        fx.Hinge("hinge", "tlr.tip", "trl.tip", axis=(1.0, 2.0, 0.0), offset=far),
    ]
    return fx.Robot("closed", rods=robot.rods, joints=joints, loads=robot.loads)


ROBOTS = {"tree": tree(3), "closed": closed()}
CHOICES = [fx.Spline(3, 4), fx.Spline(3, 4, assumed_strain=False), fx.LinearStrain(3)]


@pytest.fixture(params=CHOICES, ids=["spline", "plain spline", "linear strain"])
def choice(request):
    return request.param


@pytest.fixture(params=ROBOTS.values(), ids=ROBOTS.keys())
def assembly(request, choice, rng):
    model = fx.build(request.param, rods=choice)
    found = Assembly(model)
    found.evaluate(random_state(model, rng, 0.3), model.read_inputs(None))
    return found


def test_there_is_a_border_of_few_columns(assembly):
    tangent = assembly.tangent
    assert len(tangent.corner) > 0
    assert tangent.right.shape[1] < len(tangent.corner)
    # Rods are pieces of their own: a rod meets what holds its two ends.
    assert tangent.piece.max() + 1 >= len(assembly.model.robot.rods) // 2


@pytest.mark.parametrize("symmetric", [False, True])
def test_solutions_are_those_of_the_whole_matrix(assembly, rng, symmetric):
    tangent = assembly.tangent
    if not symmetric:
        for part in tangent[:4]:
            part *= rng.uniform(0.9, 1.1, size=part.shape)
    whole, right = tangent.dense(), rng.normal(size=(assembly.model.n_dof, 3))
    factor = factorise_tangent(tangent, symmetric, assembly.layout.n_multipliers)
    assert isinstance(factor, BorderedFactor)
    many, one = factor.solve(right), factor.solve(right[:, 1])
    np.testing.assert_allclose(many[:, 1], one, rtol=1e-12)
    backward = np.abs(whole @ many - right).max() / (np.abs(whole).max() * np.abs(many).max())
    assert backward < 1e-12


def test_signs_are_those_of_the_whole_matrix(assembly):
    tangent = assembly.tangent
    whole = tangent.dense()
    scale = 1.0 / np.sqrt(np.abs(whole).max(axis=1))  # the same inertia, units aside
    whole = scale[:, None] * whole * scale
    expected = int(np.count_nonzero(np.linalg.eigvalsh(whole) < 0.0))
    assert negative_eigenvalues(tangent) == expected
    assert determinant_sign(tangent) == np.linalg.slogdet(whole)[0]
    assert is_stable(tangent, True, expected) is True
    assert is_stable(tangent, True, expected + 1) is False


def test_symmetric_part(assembly, rng):
    tangent = assembly.tangent
    for part in tangent[:4]:
        part += (part != 0.0) * rng.normal(size=part.shape)
    whole, half = tangent.dense(), tangent.symmetric_part().dense()
    np.testing.assert_allclose(half, 0.5 * (whole + whole.T), atol=1e-12)


def test_the_diagonal(assembly, rng):
    tangent, change = assembly.tangent.copy(), rng.normal(size=assembly.model.n_dof)
    np.testing.assert_array_equal(tangent.diagonal(), tangent.dense().diagonal())
    tangent.add_diagonal(change)
    np.testing.assert_allclose(
        tangent.dense() - assembly.tangent.dense(), np.diag(change), atol=1e-9
    )
