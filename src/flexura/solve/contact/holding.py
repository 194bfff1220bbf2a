"""Rows of contacts that hold where a robot is, for what asks how it answers there."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.contact import at_limit
from flexura.model.slips import Slips
from flexura.model.touch import Touch
from flexura.model.touch_rows import TouchRows
from flexura.solve.contact.problem import small_problem
from flexura.typing import Array, Indices, Matrix, Twist

# What turns by less than this part of the most does not.
STILL = 1e-12


class HeldRows(NamedTuple):
    """Rows of contacts that hold.

    Attributes:
        rows: what stays, (n, n_dof).
        columns: what their multipliers exert, (n, n_dof): what slides rubs the more, the more it
            presses.
        give: their own compliance, (n,).
        pairs: that the first of them belong to, (k,).
        ways: forces of these pairs in the world, for multipliers of one, (k, 3).
        made: all rows as combinations of a base, (n, m).
        touched: that base.
    """

    rows: Matrix
    columns: Matrix
    give: Array
    pairs: Indices
    ways: Array
    made: Matrix
    touched: TouchRows

    def drifted(self, assembly: Assembly, drifts: Sequence[Twist | None]) -> Matrix:
        """What the rows do where inputs move nodes besides, k ways, (n, k)."""
        found, touch = np.zeros((len(self.rows), len(drifts))), assembly.touch
        moving = [i for i, drift in enumerate(drifts) if drift is not None]
        if moving and touch is not None:
            ways = [drift for drift in drifts if drift is not None]
            found[:, moving] = self.made @ self.touched.drifted(assembly, touch, ways)
        return found


def held_rows(
    assembly: Assembly,
    touch: Touch,
    slip: Slips | None = None,
    stuck: bool = False,
    multipliers: Array | None = None,
) -> HeldRows:
    """Rows of contacts that hold.

    Normals of all that press, directions along the surface of all that stick; and what turns, as
    springs along the axes of the symmetric part of D: those that push give less than nothing.
    What has slid gives by |w| / (μ λ_n) across its way: friction turns with it.

    Args:
        assembly: what was evaluated.
        touch: its contacts.
        slip: how far pairs have slid; None for friction that does not turn.
        stuck: whether all that rubs holds, as if friction had no limit.
        multipliers: that tell what presses; those of the state if None.
    """
    problem = small_problem(assembly, touch)
    forces = touch.forces(assembly.state.multipliers if multipliers is None else multipliers)
    own, rows, at = problem.touched, problem.rows[touch.first :], 0
    pairs, ways, stays, exerts, give = [], [], [], [], list[float]()
    for c, axes, count in zip(own.pairs.tolist(), own.axes, own.counts.tolist(), strict=True):
        force, here = axes @ forces[c], slice(at, at + count)
        if force[0] > 0.0:
            mu, way = float(touch.contacts.friction[c]), None if slip is None else slip.of(c)
            held = _held(force, np.inf if stuck and mu > 0.0 else mu, way)
            pairs += [c] * len(held.give)
            ways.append(held.exerts @ axes)
            stays.append(
                (held.stays[:, :count] @ rows[here], held.stays[:, :count] @ own.made[here])
            )
            exerts.append(held.exerts[:, :count] @ rows[here])
            give += held.give
        at += count
    turned, gives = _turned(own)
    springs = turned @ own.base
    return HeldRows(
        np.concatenate([*(row for row, _ in stays), springs]),
        np.concatenate([*exerts, springs]),
        np.append(give, gives),
        np.array(pairs, dtype=np.int64),
        np.concatenate([np.empty((0, 3)), *ways]),
        np.concatenate([*(made for _, made in stays), turned]),
        own,
    )


def turning_springs(own: TouchRows) -> tuple[Matrix, Array]:
    """What turns with normals where both sides move, as springs: their rows, and what they give.

    Those that push give less than nothing.
    """
    turned, gives = _turned(own)
    return np.asarray(turned @ own.base), gives


def _turned(own: TouchRows) -> tuple[Matrix, Array]:
    """The same, by the base of rows, (k, m) and (k,)."""
    size, axes = np.linalg.eigh(0.5 * (own.turning + own.turning.T))
    turns = np.abs(size) > STILL * np.abs(size).max(initial=0.0)
    turned = np.zeros((np.count_nonzero(turns), len(own.base)))
    turned[:, len(own.base) - len(size) :] = axes[:, turns].T
    return turned, 1.0 / size[turns]


class _Held(NamedTuple):
    """What holds of one contact, in its axes: normal first, then along the surface.

    Attributes:
        stays: directions in which it does not move, (k, 3).
        exerts: forces of their multipliers, (k, 3).
        give: their compliance, k of them.
    """

    stays: Matrix
    exerts: Matrix
    give: list[float]


def _held(force: Array, mu: float, slip: Array | None) -> _Held:
    """What holds of a contact with a force and a friction that has slid by a way."""
    rubs = float(np.hypot(*force[1:])) if mu > 0.0 else 0.0
    if not at_limit(float(force[0]), rubs, mu):
        return _Held(np.eye(3), np.eye(3), [0.0] * 3)
    stays, exerts = np.eye(3)[:1], np.eye(3)[:1]
    if not rubs:
        return _Held(stays, exerts, [0.0])
    s, t = (force[1:] / rubs).tolist()
    exerts[0, 1:] = mu * s, mu * t
    if slip is None:
        return _Held(stays, exerts, [0.0])
    across = np.array([[0.0, -t, s]])
    gives = [0.0, float(np.linalg.norm(slip)) / rubs]
    return _Held(np.append(stays, across, axis=0), np.append(exerts, across, axis=0), gives)
