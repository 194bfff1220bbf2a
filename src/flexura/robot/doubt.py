"""What in a description looks like a slip of units: questions, not errors."""

from collections.abc import Sequence

import numpy as np

from flexura.robot.rod import Rod
from flexura.robot.section import Section
from flexura.typing import Array, ArrayLike

# Rods of soft robots are at least four times as long as thick; a cube is no rod.
STUBBY = 2.0
# Gels of one kilopascal are the softest that robots are made of; steel in gigapascals is 210.
SOFTEST = 1e3


def doubts(rods: Sequence[Rod]) -> tuple[str, ...]:
    """Rods as thick as they are long, or softer than any gel: one sentence for each kind.

    Where constants of a section are given by themselves, units may be any.
    """
    rods, found = [rod for rod in rods if not isinstance(rod.section, Section)], []
    stubby = [rod for rod in rods if rod.length < STUBBY * thickness(rod)]
    if stubby:
        found.append(
            f"{_named(stubby)} is {stubby[0].length:.3g} m long and about "
            f"{thickness(stubby[0]):.3g} m thick: is that meant? Lengths and sections are in "
            "metres, and a rod is longer than thick"
        )
    soft = [rod for rod in rods if rod.material.young < SOFTEST]
    if soft:
        found.append(
            f"{_named(soft)} has a Young's modulus of {soft[0].material.young:.3g} Pa, softer than "
            "a gel: is that meant? Moduli are in pascals; rubber has about 1e6, steel 210e9"
        )
    return tuple(found)


def thickness(rod: Rod) -> float:
    """Diameter of the round rod that bends as easily as this one does in its middle [m]."""
    return 2.0 * float(_half_heights(rod, 0.5 * rod.length).min())


def fibre_factors(rod: Rod, s: ArrayLike) -> Array:
    """What strains at arc lengths s [m] do to outermost fibres: a distance [m], or 1, (..., 6)."""
    bending = _half_heights(rod, s)
    twist = bending.max(axis=-1, keepdims=True)
    return np.concatenate([twist, bending, np.ones((*twist.shape[:-1], 3))], axis=-1)


def _half_heights(rod: Rod, s: ArrayLike) -> Array:
    """Distance of the outermost fibres from the axis for bending about y and z [m]: 2 √(I / A).

    Exact for a round section, 15 % more than half of its side for a rectangle.
    """
    constants = rod.section_constants(s)
    return np.asarray(2.0 * np.sqrt(constants[..., 1:3] / constants[..., :1]))


def _named(rods: Sequence[Rod]) -> str:
    """The first rod by its name, and how many more there are."""
    more = f", as {len(rods) - 1} more," if len(rods) > 1 else ""
    return f"rod {rods[0].name!r}{more}"
