"""A model whose rods stretch and shear more easily: a way into closed loops.

Poses as coordinates make thin rods in closed loops hard to start: a body that six rods hold cannot
move without stretching them, in the linear picture. With stretch and shear softer, but still stiff
beside bending, Newton gets there; from that equilibrium to the true one are a few iterations more.
"""

from dataclasses import replace

import numpy as np

from flexura.model.model import Model, Part
from flexura.model.terms.elastic import Elastic
from flexura.typing import Array, frozen

# Stiffness against stretch and shear, times the square of the length, over that against bending.
STIFF = 2e3


def softened(model: Model) -> Model:
    """The model with stretch and shear no stiffer than ``STIFF`` allows."""
    return replace(model, parts=tuple(_soft(part) for part in model.parts))


def _soft(part: Part) -> Part:
    """A part with softer rods."""
    elastic = part.elastic
    rods = part.group.points.rod
    length = np.bincount(rods, elastic.weight)[rods]
    bending = elastic.stiffness[:, 1:3].min(axis=1)
    most = STIFF * bending / length**2
    stiffness = elastic.stiffness.copy()
    stiffness[:, 3:] = np.minimum(stiffness[:, 3:], most[:, None])
    return replace(part, elastic=_with_stiffness(elastic, stiffness))


def _with_stiffness(elastic: Elastic, stiffness: Array) -> Elastic:
    """The law with another stiffness; forces that are unknowns keep in line with it."""
    compliance = elastic.compliance
    if elastic.assumed is not None:
        compliance = elastic.assumed.compliance(stiffness[:, 3:], elastic.weight)
    return replace(elastic, stiffness=frozen(stiffness), compliance=compliance)
