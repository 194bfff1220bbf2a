"""The small problem of contacts: rows of constraints and of pairs that are near, and vectors there.

Forces of pairs are in the world; in the small problem they have a part along the normal each, and
two along the surface where it rubs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.model.assemble import Assembly
from flexura.model.touch import Touch
from flexura.model.touch_rows import TouchRows, touch_rows
from flexura.solve.cone.rows import Rows
from flexura.solve.contact.thin import product
from flexura.typing import Array, Indices, Matrix


class Problem(NamedTuple):
    """The small problem of an evaluation, but for its gaps.

    Attributes:
        touched: rows of contacts.
        rows: of constraints and contacts, (n, n_dof).
        give: their own compliance, (n,).
        equal: which of them hold whatever the sign of their multipliers, (n,).
        kinds: what the others are, by their places among these.
    """

    touched: TouchRows
    rows: Matrix
    give: Array
    equal: NDArray[np.bool_]
    kinds: Rows

    @property
    def rubbing(self) -> Indices:
        """First rows of contacts with friction, two along the surface follow each."""
        return np.flatnonzero(~self.equal)[self.kinds.normal]


def small_problem(assembly: Assembly, touch: Touch) -> Problem:
    """The small problem where an assembly was evaluated last."""
    own, n = touch_rows(assembly, touch), len(assembly.gap)
    friction = touch.contacts.friction[own.pairs]
    first = n + np.cumsum(own.counts) - own.counts
    more = int(own.counts.sum())
    equal = np.append(assembly.equal, np.zeros(more, dtype=np.bool_))
    place, rubs = np.cumsum(~equal) - 1, friction > 0.0
    single = np.append(np.flatnonzero(~assembly.equal), first[~rubs])
    kinds = Rows(place[single], place[first[rubs]], friction[rubs])
    rows = np.concatenate([assembly.rows, product(own.made, own.base)])
    return Problem(own, rows, np.append(assembly.compliance, np.zeros(more)), equal, kinds)


def gaps(problem: Problem, assembly: Assembly, touch: Touch, gap: Array | None) -> Array:
    """Gaps of all rows of a problem, and ways slid, where the assembly is."""
    own, found = problem.touched, [assembly.gap if gap is None else gap]
    for c, axes, count in zip(own.pairs.tolist(), own.axes, own.counts.tolist(), strict=True):
        found.append(touch.gap[c, None])
        if count > 1:
            found.append(axes[1:] @ touch.slip[c])
    return np.concatenate(found)


def before(problem: Problem, assembly: Assembly, touch: Touch) -> Array:
    """Multipliers of all rows of a problem."""
    own, forces = problem.touched, touch.forces(assembly.state.multipliers)
    found = [assembly.state.multipliers[: touch.first]]
    for c, axes, count in zip(own.pairs.tolist(), own.axes, own.counts.tolist(), strict=True):
        found.append(axes[:count] @ forces[c])
    return np.concatenate(found)


def change_of_forces(problem: Problem, assembly: Assembly, touch: Touch, new: Array) -> Array:
    """Increments of all multipliers of a state, for new ones of the rows."""
    own, forces = problem.touched, touch.forces(assembly.state.multipliers)
    found = -assembly.state.multipliers
    found[: touch.first] += new[: touch.first]
    change, at = found[touch.first :].reshape(-1, 3), touch.first
    for c, axes, count in zip(own.pairs.tolist(), own.axes, own.counts.tolist(), strict=True):
        change[c] = new[at : at + count] @ axes[:count] - forces[c]
        at += count
    return found
