"""Random matrices as those of volumes with what slides through them."""

import numpy as np

from flexura.matrix.sparse import sparse_structure

MULTIPLIERS = 3


def saddle(rng, shift, blocks=40, tied=8):
    """A structure of random blocks, the last ones multipliers and a number; a symmetric matrix."""
    sizes = np.append(rng.choice([3, 3, 3, 6], blocks), np.full(tied, MULTIPLIERS + 1))
    pairs = [(i, j) for i in range(blocks) for j in rng.choice(blocks, 3)]
    pairs += [(blocks + i, j) for i in range(tied) for j in rng.choice(blocks, 4)]
    place = rng.permutation(len(sizes))
    start = np.empty(len(sizes), dtype=np.int64)
    start[place] = np.append(0, np.cumsum(sizes[place])[:-1])
    last = list(range(blocks, blocks + tied))
    structure = sparse_structure(start, sizes, np.array(pairs), last)
    values = structure.symmetric_part(rng.normal(size=structure.n_values))
    multiplier = np.zeros(structure.n, dtype=bool)
    for block in last:
        multiplier[start[block] : start[block] + MULTIPLIERS] = True
    rows, columns = structure.entries
    values[multiplier[rows] & multiplier[columns]] = 0.0
    values[structure.diagonal] += np.where(multiplier, 0.0, shift)
    return structure, values, multiplier
