"""Products with matrices that are mostly zeros, as rows of contacts are: each moves a few unknowns.

A dense product of n rows and m columns with n_dof unknowns takes n m n_dof multiplications, one by
the entries that are not zero as many as there are of these, times m.
"""

import numpy as np
from scipy.sparse import csr_array

from flexura.typing import Matrix

# Smaller matrices are multiplied before anybody has counted.
SMALL = 20_000
# So much longer than by BLAS an entry takes that is looked up.
LOOKED_UP = 8


def product(thin: Matrix, other: Matrix) -> Matrix:
    """thin @ other, by the entries of the first that are not zero, where these are few.

    What is not a number in the other is told where such an entry meets it.
    """
    if thin.size < SMALL or LOOKED_UP * np.count_nonzero(thin) > thin.size:
        return np.asarray(thin @ other)
    return np.asarray(csr_array(thin) @ np.ascontiguousarray(other))
