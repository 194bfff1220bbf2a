"""What contacts give by themselves, beside what the robot does."""

import numpy as np

from flexura.typing import Indices, Matrix


def yields(compliance: Matrix, normal: Indices) -> Matrix:
    """As much as the robot gives to each row alone, (n, n).

    Along a surface it is the same in all directions, whichever of them rows have there.

    Args:
        compliance: what the robot gives, (n, n).
        normal: first rows of contacts with friction, two along the surface follow each.
    """
    found = np.abs(np.diag(compliance))
    if len(normal):
        found[normal + 1] = found[normal + 2] = np.maximum(found[normal + 1], found[normal + 2])
    return np.diag(found)
