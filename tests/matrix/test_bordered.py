"""Structures of matrices, with a border and sparse, against dense matrices."""

import numpy as np
import pytest
from support import RUBBER, random_state

import flexura as fx
from flexura.lie import se3
from flexura.matrix import ordering
from flexura.matrix.bordered import Bordered, plain_band
from flexura.matrix.sparse import Sparse, sparse_structure
from flexura.model.assemble import Assembly
from flexura.solve.stability import is_stable


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


def as_sparse(structure, values):
    """The same matrix in compressed columns: every unknown a block of its own."""
    whole = structure.dense(values)
    n = len(whole)
    pairs = np.argwhere((whole != 0.0) | (whole.T != 0.0))
    sparse = sparse_structure(np.arange(n), np.ones(n, dtype=np.int64), pairs)
    found = np.zeros(sparse.n_values)
    slots = sparse.slots(pairs[:, 0], pairs[:, 1])
    found[slots[:, 0]] = whole[pairs[:, 0], pairs[:, 1]]
    return sparse, found


@pytest.fixture(params=["bordered", "sparse"])
def matrix(request, assembly):
    """A structure, and values of a tangent in it."""
    structure, values = assembly.layout.structure, assembly.values.copy()
    return (structure, values) if request.param == "bordered" else as_sparse(structure, values)


def test_there_is_a_border_of_few_columns(assembly):
    structure = assembly.layout.structure
    assert isinstance(structure, Bordered)
    assert structure.n_border > 0
    assert structure.columns.shape[1] < structure.n_border
    # Rods are pieces of their own: a rod meets what holds its two ends.
    assert structure.piece.max() + 1 >= len(assembly.model.robot.rods) // 2


@pytest.mark.parametrize("definite", [False, True])
def test_solutions_are_those_of_the_whole_matrix(matrix, rng, definite):
    structure, values = matrix
    if not definite:
        values *= rng.uniform(0.9, 1.1, size=values.shape)
    before = values.copy()
    whole, right = structure.dense(values), rng.normal(size=(structure.n, 3))
    factor = structure.factorise(values, definite)
    np.testing.assert_array_equal(values, before)
    for solve, dense in ((factor.solve, whole), (factor.solve_transposed, whole.T)):
        many, one = solve(right), solve(right[:, 1])
        np.testing.assert_allclose(many[:, 1], one, rtol=1e-9, atol=1e-12 * np.abs(one).max())
        backward = np.abs(dense @ many - right).max() / (np.abs(whole).max() * np.abs(many).max())
        assert backward < 1e-12
    assert factor.sign == np.linalg.slogdet(whole)[0]


def test_signs_are_those_of_the_whole_matrix(matrix):
    structure, values = matrix
    whole = structure.dense(values)
    scale = 1.0 / np.sqrt(np.abs(whole).max(axis=1))  # the same inertia, units aside
    whole = scale[:, None] * whole * scale
    expected = int(np.count_nonzero(np.linalg.eigvalsh(whole) < 0.0))
    assert structure.inertia(values) == expected
    assert is_stable(structure, values, True, expected) is True
    assert is_stable(structure, values, True, expected + 1) is False


def test_symmetric_parts(matrix, rng):
    structure, values = matrix
    values *= rng.uniform(0.5, 1.5, size=values.shape)
    whole = structure.dense(values)
    half = structure.dense(structure.symmetric_part(values))
    np.testing.assert_allclose(half, 0.5 * (whole + whole.T), atol=1e-12 * np.abs(whole).max())


def test_the_diagonal(matrix):
    structure, values = matrix
    np.testing.assert_array_equal(values[structure.diagonal], structure.dense(values).diagonal())


def test_entries_and_compressed_rows(matrix, rng):
    """Every value has its row and column, or is room; products are those of the whole matrix."""
    structure, values = matrix
    whole, x = structure.dense(values), rng.normal(size=structure.n)
    rows, columns = structure.entries
    there = rows >= 0
    np.testing.assert_array_equal(there, columns >= 0)
    np.testing.assert_array_equal(values[there], whole[rows[there], columns[there]])
    seen = np.zeros_like(whole, dtype=bool)
    seen[rows[there], columns[there]] = True
    assert not whole[~seen].any()
    assert seen.sum() == there.sum()  # each entry has one place
    np.testing.assert_array_equal(structure.sparse(values).toarray(), whole)
    np.testing.assert_allclose(structure.sparse(values) @ x, whole @ x, rtol=1e-12, atol=1e-9)


def test_slots_of_blocks(matrix, rng):
    """Blocks of any size are added where the dense matrix has them; some have no place."""
    structure, values = matrix
    whole = structure.dense(values)
    changed, i = values.copy(), 3 * (structure.n // 7)
    (slot,) = structure.slots(np.array([i]), np.array([i]))
    changed[slot[0]] += 5.0
    assert structure.dense(changed)[i, i] == pytest.approx(whole[i, i] + 5.0)
    assert structure.slots(np.array([-1, 2]), np.array([4, -1]))[:, 0].tolist() == [-1, -1]


def test_equilibration_finds_small_unknowns(rng):
    """Unknowns of very different units lose no digits."""
    n = 60
    units = 10.0 ** rng.uniform(-9.0, 9.0, size=n)
    i, j = np.indices((n, n))
    whole = np.where(np.abs(i - j) <= 4, rng.normal(size=(n, n)), 0.0) * np.outer(units, units)
    structure = plain_band(n, 4)
    values = np.zeros(structure.n_values)
    pairs = np.argwhere(np.abs(i - j) <= 4)
    values[structure.slots(*pairs.T)[:, 0]] = whole[pairs[:, 0], pairs[:, 1]]
    right = rng.normal(size=n) * units
    exact = np.linalg.solve(whole / np.outer(units, units), right / units) / units
    np.testing.assert_allclose(structure.factorise(values, False).solve(right), exact, rtol=1e-9)


@pytest.mark.parametrize("choice", CHOICES, ids=["spline", "plain spline", "linear strain"])
def test_a_robot_with_a_sparse_matrix_is_solved_alike(choice, monkeypatch):
    """What has no cheap band is stored in compressed columns; the equilibrium is the same."""
    bordered = fx.build(closed(), rods=choice)
    monkeypatch.setattr(ordering, "DEAR", 0.0)
    monkeypatch.setattr(ordering, "EMPTY", 0.0)
    monkeypatch.setattr(ordering, "SMALL", 0)  # no order is remembered
    sparse = fx.build(closed(), rods=choice)
    assert isinstance(bordered.layout.structure, Bordered)
    assert isinstance(sparse.layout.structure, Sparse)
    a, b = (fx.statics(model, {"load": (0, 0, 0, 0.1, 0.2, 0.1)}) for model in (bordered, sparse))
    assert a.status is b.status
    assert a.stable == b.stable
    np.testing.assert_allclose(a.pose("tll.tip"), b.pose("tll.tip"), atol=1e-9)
