"""Stiffness and rest strain at the points of a group of rods."""

from collections.abc import Callable, Sequence

import numpy as np

from flexura.robot import Rod
from flexura.rods.discretization import Points
from flexura.rods.rest import rest_strains
from flexura.rods.stiffness import stiffnesses
from flexura.typing import Array, Strain


def stiffness_at(rods: Sequence[Rod], points: Points) -> Array:
    """Diagonal of the section stiffness, (n, 6)."""
    return _rod_by_rod(stiffnesses, rods, points)


def rest_at(rods: Sequence[Rod], points: Points) -> Strain:
    """Rest strain, (n, 6)."""
    return _rod_by_rod(rest_strains, rods, points)


def _rod_by_rod(of: Callable[[Rod, Array], Array], rods: Sequence[Rod], points: Points) -> Array:
    """Points of a rod follow each other, and those of the next rod them."""
    ends = np.searchsorted(points.rod, np.arange(1, len(rods)))
    own = zip(rods, np.split(points.s, ends), strict=True)
    return np.concatenate([of(rod, s) for rod, s in own])
