"""Stiffness along rods."""

import numpy as np

from flexura.robot import Rod, Taper
from flexura.typing import Array


def stiffnesses(rod: Rod, s: Array) -> Array:
    """Diagonal of the section stiffness of a rod at arc lengths, (n, 6)."""
    if isinstance(rod.section, Taper):
        return np.array([rod.stiffness(x) for x in s]).reshape(-1, 6)
    return np.tile(rod.stiffness(0.0), (len(s), 1))
