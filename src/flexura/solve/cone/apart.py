"""Parts of a cone problem that know nothing of each other: contacts of bodies that are apart.

The work for a problem grows with the third power of its rows; that of its parts is little then.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from flexura.solve.cone.rows import Rows
from flexura.typing import Indices, Matrix

# What one row does to another that is less than this part of what both give by themselves is
# nothing: rounding of a compliance.
NOTHING = 1e-16
# Problems of fewer rows are solved before their parts are found.
FEW = 60


def parts_of(W: Matrix, rows: Rows) -> Iterator[tuple[Indices, Rows]]:
    """Rows of each part, and what they are, by their places among these.

    Args:
        W: compliance, (n, n).
        rows: what each row is.
    """
    n, normal = len(W), rows.normal
    if n <= FEW:
        yield np.arange(n), rows
        return
    give = np.sqrt(np.abs(np.diag(W)))
    linked = np.abs(W) > NOTHING * np.outer(give, give)
    linked[normal, normal + 1] = linked[normal, normal + 2] = True
    count, part = connected_components(csr_array(linked), directed=False)
    place = np.empty(n, dtype=np.int64)
    for k in range(count):
        own = np.flatnonzero(part == k)
        place[own] = np.arange(len(own))
        rubs = part[normal] == k
        single = rows.single[part[rows.single] == k]
        yield own, Rows(place[single], place[normal[rubs]], rows.friction[rubs])
