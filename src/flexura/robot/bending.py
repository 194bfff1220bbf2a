"""How stiff a rod bends, along all of it."""

from typing import NamedTuple

import numpy as np

from flexura.robot.elastic import Elastic

# Parts of the length at which its section is looked at: the same from either end.
PLACES = np.linspace(0.0, 1.0, 17)


class Bending(NamedTuple):
    """Bending stiffness about either axis, where it is least and where it is largest [N·m²]."""

    least: float
    most: float


def bending(rod: Elastic) -> Bending:
    """How stiff a rod bends, whichever end it is written from."""
    found = rod.stiffness(rod.length * PLACES)[:, 1:3]
    return Bending(float(found.min()), float(found.max()))
