"""Signs of eigenvalues of symmetric matrices, against dense ones."""

import numpy as np
import pytest

from flexura.matrix.band import NARROW, half_bandwidth
from flexura.matrix.bordered import Bordered, plain_band
from flexura.matrix.inertia import negative_eigenvalues
from flexura.matrix.sparse import MAX_DENSE, sparse_structure

SHAPES = [(1, 0), (7, 0), (2, 1), (9, 8), (40, 3), (60, 20), (150, NARROW), (300, NARROW + 1)]


def filled(structure, entry):
    """Values of a symmetric matrix: entry(i, j) wherever there may be one, i >= j."""
    rows, columns = np.tril_indices(structure.n)
    there = structure.dense(np.ones(structure.n_values))[rows, columns] != 0.0
    piece = np.append(structure.piece, np.full(structure.n_border, -1))
    there &= (piece[rows] == piece[columns]) | (piece[rows] < 0)  # pieces do not interact
    rows, columns = rows[there], columns[there]
    numbers = np.array([entry(i, j) for i, j in zip(rows, columns, strict=True)])
    values = np.zeros(structure.n_values)
    for i, j in ((rows, columns), (columns, rows)):
        values[structure.slots(i, j)[:, 0]] = numbers
    return values


def saddle(structure, rng, part=0.35):
    """Stiffness of either sign, and multipliers at random places, with zeros between them."""
    multiplier = rng.random(structure.n) < part
    units = 10.0 ** rng.uniform(-3.0, 3.0, size=structure.n)

    def entry(i, j):
        if multiplier[i] and multiplier[j]:
            return 0.0
        return rng.normal() * units[i] * units[j]

    return filled(structure, entry), units


def bordered(rng):
    """Pieces of any size, each meeting a few of the border."""
    w = int(rng.integers(1, 5))
    n_border, n_pieces = int(rng.integers(w + 2, w + 9)), int(rng.integers(1, 6))
    sizes = rng.integers(1, 15, size=n_pieces)
    columns = np.full((n_pieces, w), -1)
    for own in columns:
        first, count = rng.integers(0, n_border - w - 1), rng.integers(0, w + 1)
        own[:count] = np.sort(first + rng.choice(w + 2, size=count, replace=False))
    piece = np.repeat(np.arange(n_pieces), sizes)
    return Bordered(int(rng.integers(0, 7)), w + 1, piece, columns, n_border)


def expected(structure, values, units):
    """Negative eigenvalues, and the smallest size of one; of the matrix without its units."""
    eigenvalues = np.linalg.eigvalsh(structure.dense(values) / np.outer(units, units))
    return int(np.count_nonzero(eigenvalues < 0.0)), np.abs(eigenvalues).min()


@pytest.mark.parametrize(("n", "h"), SHAPES)
def test_bands(n, h, rng):
    """Entries of any sign, the diagonal included."""
    structure = plain_band(n, h)
    values = filled(structure, lambda i, j: rng.normal())
    count, _ = expected(structure, values, np.ones(n))
    assert structure.inertia(values) == count


@pytest.mark.parametrize("beyond", [np.nan, np.inf])
def test_numbers_beyond_floats_have_none(beyond, rng):
    """Nobody waits for ever, or for room without end."""
    structure = plain_band(40, 3)
    values = filled(structure, lambda i, j: beyond if i == j == 20 else rng.normal())
    assert structure.inertia(values) is None
    pairs = np.array([(i, i + 1) for i in range(39)])
    general = sparse_structure(np.arange(40), np.ones(40, dtype=np.int64), pairs)
    numbers = rng.normal(size=general.n_values)
    numbers[7] = beyond
    assert general.inertia(numbers) is None


@pytest.mark.parametrize("h", [2, 9, 30])
def test_bands_without_a_diagonal(h, rng):
    """No pivot of one unknown to begin with."""
    structure = plain_band(200, h)
    values = filled(structure, lambda i, j: 0.0 if i == j else rng.normal())
    count, _ = expected(structure, values, np.ones(structure.n))
    assert structure.inertia(values) == count


def test_multipliers_before_what_they_tie(rng):
    """Zeros first: h multipliers, then h unknowns that they tie, and so on."""
    h = 6
    structure = plain_band(240, 2 * h - 1)
    multiplier = np.arange(structure.n) // h % 2 == 0
    values = filled(
        structure,
        lambda i, j: (
            0.0 if multiplier[i] and multiplier[j] else 0.3 * rng.normal() + 3.0 * (i == j + h)
        ),
    )
    count, least = expected(structure, values, np.ones(structure.n))
    assert least > 1e-9
    assert structure.inertia(values) == count


@pytest.mark.parametrize("seed", range(60))
def test_saddle_points(seed):
    """Bands and borders; of many, some unknowns wait for the border."""
    rng = np.random.default_rng(seed)
    for structure in (plain_band(int(rng.integers(2, 80)), int(rng.integers(1, 9))), bordered(rng)):
        values, units = saddle(structure, rng)
        count, least = expected(structure, values, units)
        if least > 1e-9:  # else there is no sign
            assert structure.inertia(values) == count


def test_more_may_wait_than_there_is_room_for(rng):
    """A hundred multipliers that only the border ties."""
    n = 100
    piece, columns = np.arange(n), np.arange(n)[:, None]
    structure = Bordered(0, 3, piece, columns, n)
    band, right, below, corner = structure.parts(np.zeros(structure.n_values))
    right[:, 0] = below[:, 0] = rng.uniform(1.0, 2.0, size=n)
    corner[:, 2 * half_bandwidth(corner)] = rng.normal(size=n)
    assert negative_eigenvalues(band, right, corner, piece, columns) == n


def test_positive_definite_matrices_have_none(rng):
    for structure in (plain_band(60, 5), bordered(rng)):
        values = filled(structure, lambda i, j: rng.normal() + 40.0 * (i == j))
        assert structure.inertia(values) == 0


def test_large_sparse_matrices(rng):
    """More than are told by a dense matrix: many small ones, shuffled."""
    blocks, size = MAX_DENSE // 4, 5
    n = blocks * size
    place = rng.permutation(n).reshape(blocks, size)
    small = rng.normal(size=(blocks, size, size))
    small += small.swapaxes(1, 2)
    small[:, 0, 0] = 0.0
    count = int(np.count_nonzero(np.linalg.eigvalsh(small) < 0.0))
    rows, columns = (x.ravel() for x in np.broadcast_arrays(place[:, :, None], place[:, None]))
    pairs = np.stack([rows, columns], axis=1)
    structure = sparse_structure(np.arange(n), np.ones(n, dtype=np.int64), pairs)
    values = np.zeros(structure.n_values)
    values[structure.slots(rows, columns)[:, 0]] = small.ravel()
    assert structure.inertia(values) in (count, None)
    values[structure.diagonal] += 20.0
    assert structure.inertia(values) == 0
