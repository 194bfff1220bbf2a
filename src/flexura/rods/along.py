"""What rods have at the points of a group: stiffness, rest strain, inertia, outermost fibres."""

from collections.abc import Callable, Sequence

import numpy as np

from flexura.robot import Rod
from flexura.robot.doubt import fibre_factors
from flexura.rods.discretization import Points
from flexura.typing import Array, Strain


def stiffness_at(rods: Sequence[Rod], points: Points) -> Array:
    """Diagonal of the section stiffness, (n, 6)."""
    return _rod_by_rod(Rod.stiffness, rods, points)


def rest_at(rods: Sequence[Rod], points: Points) -> Strain:
    """Rest strain, (n, 6)."""
    return _rod_by_rod(Rod.rest_strain, rods, points)


def mass_at(rods: Sequence[Rod], points: Points) -> Array:
    """Mass per arc length [kg/m], (n,)."""
    return _rod_by_rod(Rod.mass_per_length, rods, points)


def inertia_at(rods: Sequence[Rod], points: Points) -> Array:
    """Diagonal of the section's inertia per arc length, (n, 6)."""
    return _rod_by_rod(Rod.inertia, rods, points)


def viscosity_at(rods: Sequence[Rod], points: Points) -> Array:
    """Diagonal of the section's resistance to rates of strain, (n, 6)."""
    return _rod_by_rod(Rod.viscosity, rods, points)


def fibres_at(rods: Sequence[Rod], points: Points) -> Array:
    """What strains do to the outermost fibres, (n, 6)."""
    return _rod_by_rod(fibre_factors, rods, points)


def _rod_by_rod(of: Callable[[Rod, Array], Array], rods: Sequence[Rod], points: Points) -> Array:
    """Points of a rod follow each other, and those of the next rod them."""
    ends = np.searchsorted(points.rod, np.arange(1, len(rods)))
    own = zip(rods, np.split(points.s, ends), strict=True)
    return np.ascontiguousarray(np.concatenate([of(rod, s) for rod, s in own]))
