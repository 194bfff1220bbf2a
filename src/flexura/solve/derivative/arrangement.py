"""Which node each place of a description has: models are alike while these are the same.

Places that pass each other, or shares of elements that are rounded otherwise, can leave as many
unknowns as there were, which belong to other places then.
"""

from itertools import chain

import numpy as np

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.typing import Array, Indices

# Places are on the same side of their nodes, and as far from them, to this part of a rod.
ROUNDING = 1e-11


class Rearranged(ModelError):
    """A model that does not follow from another one by moving its nodes."""


def check_alike(model: Model, other: Model, change: str) -> None:
    """Raise unless a model has the nodes of another one, only moved.

    Args:
        model: where all begins.
        other: the changed one.
        change: what leads from one to the other, in words.

    Raises:
        Rearranged: if it has not.
    """
    if (other.n_dof, other.inputs.n_values) != (model.n_dof, model.inputs.n_values):
        raise Rearranged(
            f"with {change}, the model has {other.n_dof} unknowns instead of {model.n_dof}: a "
            "place at an end of a rod or an element, or where another place is, makes new nodes as "
            "soon as it moves; put it elsewhere"
        )
    for rod in model.places:
        before, after = _places(model, rod), _places(other, rod)
        if len(before) != len(after):
            raise Rearranged(f"with {change}, rod {rod!r} has other places where anything acts")
        if not len(before):
            continue
        (nodes, points, apart), others = _marks(model, rod, before), _marks(other, rod, after)
        near = ROUNDING * model.places[rod].rod.length
        same = np.array_equal(nodes, others[0]) and np.array_equal(points, others[1])
        if not same or np.abs(apart - others[2]).max() > near:
            raise Rearranged(
                f"with {change}, places on rod {rod!r} change their order, or one leaves an end of "
                "the rod or another place, which makes new nodes as soon as it moves; put it "
                "elsewhere"
            )


def stretched(model: Model, other: Model) -> float:
    """By which part of its length the distance between two nodes has changed, at most."""
    found = 0.0
    for rod, place in model.places.items():
        after = other.places[rod]
        before = np.diff(model.parts[place.part].group.node_lengths(place.index))
        now = np.diff(other.parts[after.part].group.node_lengths(after.index))
        change = np.abs(now - before)[before > 0.0] / before[before > 0.0]
        found = max(found, float(change.max(initial=0.0)))
    return found


def _places(model: Model, rod: str) -> Array:
    """Arc lengths where anything acts, in the order of the description [m]."""
    own = (getattr(add, "jumps", lambda _: ())(rod) for add in model.also)
    kinks = model.places[rod].rod.kinks
    return np.array([*model.robot.acting.get(rod, ()), *kinks, *chain.from_iterable(own)])


def _marks(model: Model, rod: str, places: Array) -> tuple[Indices, Indices, Array]:
    """The node of each place, how many points of quadrature are before it, and its distance."""
    own = model.places[rod]
    group = model.parts[own.part].group
    at = group.node_lengths(own.index)
    nodes = np.abs(places[:, None] - at).argmin(axis=1)
    points = np.searchsorted(group.points.s[group.points.rod == own.index], places)
    return nodes, points, places - at[nodes]
