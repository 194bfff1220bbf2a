"""Contacts that shall press and do not touch yet: how far apart their sides are.

A force that is asked for of sides that are apart by a gap g counts as less than none, -k g, so that
what lessens the gap is what the search looks for until they touch.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.touch_rows import touch_rows
from flexura.result.static import StaticResult
from flexura.solve.derivative.tangent import Directions
from flexura.solve.workspace import workspace
from flexura.typing import Array, Indices, Matrix


class Nearest(NamedTuple):
    """Where sides of contacts are nearest to each other.

    Attributes:
        pairs: one of each contact, (k,).
        gap: of these [m], zero of what is out of sight, (k,).
    """

    pairs: Indices
    gap: Array


def gaps(result: StaticResult, contacts: Sequence[int]) -> Array:
    """How far the sides of contacts are apart [m], (k,)."""
    if not contacts:
        return np.zeros(0)
    with workspace(result.model) as scout:
        return _nearest(scout, result, contacts).gap


def gap_slopes(result: StaticResult, contacts: Sequence[int], directions: Directions) -> Matrix:
    """How these gaps change along directions, (k, m)."""
    m = directions.motion.shape[1]
    if not contacts:
        return np.zeros((0, m))
    with workspace(result.model) as scout:
        pairs, gap = _nearest(scout, result, contacts)
        touch = scout.touch
        assert touch is not None
        seen = gap > 0.0
        touch.admit(pairs[seen])
        rows = touch_rows(scout, touch)
        first = np.concatenate([[0], np.cumsum(rows.counts)[:-1]])
        normals = rows.made[first[np.searchsorted(rows.pairs, pairs[seen])]]
        found = np.zeros((len(pairs), m))
        found[seen] = -normals @ rows.base @ directions.motion
        for i, drift in enumerate(directions.drifts):
            if drift is not None:
                found[seen, i] -= (normals @ rows.drifted(scout, touch, [drift]))[:, 0]
        return found


def _nearest(scout: Assembly, result: StaticResult, contacts: Sequence[int]) -> Nearest:
    """The pairs of contacts that are nearest to each other, wherever they are."""
    scout.place(result.state, result.given)
    scout.look(beyond=np.inf)
    touch = scout.touch
    assert touch is not None
    own = [np.where(touch.contacts.contact == i, touch.gap, np.inf) for i in contacts]
    pairs = np.argmin(own, axis=1)
    gap = np.where(touch.found, np.maximum(touch.gap, 0.0), 0.0)
    return Nearest(pairs, gap[pairs])
