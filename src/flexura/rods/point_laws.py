"""What laws add at points, as kernels see it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.typing import Array


class PointLaws(NamedTuple):
    """Arrays of ``discretization.PointForces``, where their names are explained.

    Kernels are called with all of them, one after the other, and put them together again: as one
    argument they would take five times as long on the way.
    """

    stress: Array
    stress_ahead: Array
    stiffness: Array
    posed: NDArray[np.bool_]
    load: Array
    load_tangent: Array
    loose: NDArray[np.bool_]
    end_tangent: Array


class Loads(NamedTuple):
    """Those of them that act on poses."""

    posed: NDArray[np.bool_]
    load: Array
