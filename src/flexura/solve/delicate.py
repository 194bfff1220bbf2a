"""Elements that buckle by themselves, where the rods that they describe do not."""

from itertools import pairwise

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.work import PartWork
from flexura.rods.discretization import ElementMatrices
from flexura.typing import Matrix


def elements_buckle(assembly: Assembly) -> bool:
    """Whether an element of a delicate rod would move in the last evaluation, its ends held.

    A rod that is one element may buckle like that; others have more than its ends to hold it.
    """
    return any(_buckle(part) for part in assembly.parts if part.part.group.delicate)


def _buckle(part: PartWork) -> bool:
    """Whether the tangent inside an element has more negative eigenvalues than it has ties."""
    group, coupling = part.part.group, part.coupling
    assert isinstance(coupling, ElementMatrices)
    for first, stop in pairwise(group.rod_nodes.tolist()):
        for n in range(first + 1, stop) if stop - first > 2 else ():
            ties = 0 if part.forces.loose[n] else int(group.multiplier.sum())
            free = slice(6, 6 + int((~group.multiplier).sum()) + ties)
            own = coupling.matrices[n, free, free]
            if np.isfinite(own).all() and _negative(own) > ties:
                return True
    return False


def _negative(matrix: Matrix) -> int:
    """Number of negative eigenvalues of the symmetric part."""
    return int(np.count_nonzero(np.linalg.eigvalsh(0.5 * (matrix + matrix.T)) < 0.0))
