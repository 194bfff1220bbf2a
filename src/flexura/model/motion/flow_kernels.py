"""Compiled part of ``Tracks``."""

import numpy as np

from flexura._kernel import allocating
from flexura.lie.kernels.se3 import between_into, log_into


@allocating
def displacements(begin, end, out):
    """log(begin⁻¹ end) of each frame."""
    between = np.empty((4, 4))
    for n in range(len(begin)):
        between_into(between, begin[n], end[n])
        log_into(out[n], between)
