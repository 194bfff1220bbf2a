"""What contacts give by themselves, beside what the robot does."""

import numpy as np

from flexura.typing import Indices, Matrix


def yields(compliance: Matrix, normal: Indices) -> Matrix:
    """As much as the robot gives to each row alone, or along each surface, (n, n).

    Along a surface it is a matrix, that of the size of what the robot gives: whatever the
    directions that rows have, in whatever frame a robot is written.

    Args:
        compliance: what the robot gives, (n, n).
        normal: first rows of contacts with friction, two along the surface follow each.
    """
    found = np.diag(np.abs(np.diag(compliance)))
    if len(normal):
        along = normal[:, None] + (1, 2)
        places = along[:, :, None], along[:, None, :]
        own = compliance[places]
        size, axes = np.linalg.eigh(0.5 * (own + own.transpose(0, 2, 1)))
        found[places] = (axes * np.abs(size)[:, None, :]) @ axes.transpose(0, 2, 1)
    return found
