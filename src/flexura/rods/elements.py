"""Rods that are cut into elements."""

import numpy as np

from flexura.typing import Array, Indices


def element_of(breaks: Array, s: Array) -> Indices:
    """Element of each arc length, from 0; an end belongs to the one after it.

    Args:
        breaks: ends of the elements of a rod [m], (n_elements + 1,).
        s: arc lengths in it [m], (n,).
    """
    return np.clip(np.searchsorted(breaks, s, side="right") - 1, 0, len(breaks) - 2)


def inside(breaks: Array, s: Array) -> tuple[Indices, Array]:
    """Element of each arc length and place in it, in [0, 1]."""
    element = element_of(breaks, s)
    return element, (s - breaks[element]) / np.diff(breaks)[element]
