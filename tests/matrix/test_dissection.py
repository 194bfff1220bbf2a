"""Orders by nested dissection."""

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from flexura.matrix.dissection import SMALL, dissected


def lattice(shape):
    """Nodes of a grid, each meeting itself and its neighbours."""
    number = np.arange(np.prod(shape)).reshape(shape)
    pairs = [np.repeat(number.reshape(-1, 1), 2, axis=1)]
    for axis in range(len(shape)):
        rows = np.moveaxis(number, axis, 0)
        ends = np.stack([rows[:-1].ravel(), rows[1:].ravel()], axis=1)
        pairs += [ends, ends[:, ::-1]]
    a, b = np.concatenate(pairs).T
    return csr_array(coo_array((np.ones(len(a)), (a, b)), shape=(number.size, number.size)))


def test_separators_separate():
    """A bar and a cube in one graph: every node once, small parts, all joined again at the end."""
    graph = csr_array(block_diag([lattice((30, 4, 4)), lattice((8, 8, 8))]))
    inner, separators = dissected(graph)
    assert np.array_equal(np.sort(np.concatenate([inner, *separators])), np.arange(graph.shape[0]))
    kept = inner
    pieces, part = connected_components(graph[kept][:, kept], directed=False)
    assert np.bincount(part).max() <= SMALL
    for separator in separators:  # each joins what it lay between
        kept = np.concatenate([kept, separator])
        before, pieces = pieces, connected_components(graph[kept][:, kept], directed=False)[0]
        assert pieces <= before
    assert pieces == 2
    assert max(map(len, separators)) <= 64  # no more than a plane of the cube


def test_what_cannot_be_cut_is_left_whole():
    """Where every node meets every other, there are no two parts."""
    inner, separators = dissected(csr_array(np.ones((SMALL + 20, SMALL + 20))))
    assert len(inner) == SMALL + 20
    assert not separators
