"""Negative eigenvalues of sparse symmetric matrices that come without a structure."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from flexura.matrix.inertia import negative_eigenvalues
from flexura.matrix.quick_inertia import quick_inertia
from flexura.typing import frozen

# More multiplications than this are not worth an answer.
DEAR = 1e9


def count_negative(matrix: csr_array) -> int | None:
    """How many there are, by a band of least width; None where that would take too long."""
    n = matrix.shape[0]
    order = reverse_cuthill_mckee(matrix, symmetric_mode=True)
    entries = matrix[order][:, order].tocoo()
    h = int(np.abs(entries.row - entries.col).max(initial=0))
    if n * h * h > DEAR:
        return None
    band = np.zeros((n, 3 * h + 1))
    band[entries.col, 2 * h + entries.row - entries.col] = entries.data
    found = quick_inertia(band)
    if found is not None:
        return found
    one, none = np.zeros(n, dtype=np.int64), np.empty((1, 0), dtype=np.int64)
    return negative_eigenvalues(band, np.empty((n, 0)), np.empty((0, 1)), frozen(one), frozen(none))
