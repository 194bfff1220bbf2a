"""Negative eigenvalues of sparse symmetric matrices that come without a structure."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from flexura.matrix.inertia import negative_eigenvalues
from flexura.matrix.quick_inertia import quick_inertia
from flexura.typing import Matrix, frozen

# More multiplications than this are not worth an answer.
DEAR = 1e9


def count_negative(matrix: csr_array, held: Matrix) -> int | None:
    """How many there are where some motions are held, by a band of least width.

    Args:
        matrix: A, (n, n).
        held: C of the motions with C x = 0 that are left, (k, n), of full rank.

    Returns:
        None where that would take too long.
    """
    n, k = matrix.shape[0], len(held)
    order = reverse_cuthill_mckee(matrix, symmetric_mode=True)
    entries = matrix[order][:, order].tocoo()
    h = int(np.abs(entries.row - entries.col).max(initial=0))
    if n * (h + k) ** 2 > DEAR:
        return None
    band = np.zeros((n, 3 * h + 1))
    band[entries.col, 2 * h + entries.row - entries.col] = entries.data
    found = None if k else quick_inertia(band)
    if found is not None:
        return found
    right, corner = np.ascontiguousarray(held[:, order].T), np.zeros((k, 3 * max(k, 1) - 2))
    one, met = np.zeros(n, dtype=np.int64), np.arange(k)[None]
    # of multipliers of what is held there is one each
    return negative_eigenvalues(band, right, corner, frozen(one), frozen(met)) - k
