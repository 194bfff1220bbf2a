"""Tendons that pull against each other on a robot that does not give: some may as well hang.

Where the gaps of constraints depend on each other, some tensions N s do nothing, N* W = 0, and
lengths can only change together:

    Nᵀ (R dq - G du) = 0,      dλ = W⁺ (...) + N s                                (theory 16.4)

Lengths that are a little off then have no equilibrium, or one of enormous tensions. So those whose
tension can be zero are let out before an equilibrium is sought, and taken up where it is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from flexura.model.inputs import Inputs
from flexura.model.slope import drifting_slope
from flexura.result.static import StaticResult
from flexura.solve.constrained import HeldFactor
from flexura.solve.derivative.tangent import Directions, Tangent
from flexura.solve.inverse.limits import Choice
from flexura.solve.inverse.tension import SUFFIX, Tensions
from flexura.solve.statics import solve_inputs
from flexura.typing import Array, Matrix

# What tensions move that is less than this part of what others do is nothing: the stretch of thin
# wires with wide tendons is ten times as much.
DEPENDENT = 1e-6
# Tendons are let out by as much as they change, and by this part of the length; and taken up but
# for a hair.
OUT, HAIR = 1e-3, 1e-9
# A tension this small beside the largest is none.
NONE = 1e-6


class Idle(NamedTuple):
    """Tensions that do nothing, d combinations of them.

    Attributes:
        stress: those of tendons that have limits, (k, d).
        unmet: what changes of the inputs would have to stretch, (d, n).
        slope: of those tensions by inputs, without the combinations, (k, n).
    """

    stress: Matrix
    unmet: Matrix
    slope: Matrix

    def hanging(self, tensions: Array, least: Array) -> NDArray[np.bool_]:
        """Which tendons carry nothing where tensions are as small as they can be, (k,)."""
        none = np.zeros(len(least), dtype=np.bool_)
        given = np.maximum(tensions, least)
        found = linprog(
            self.stress.sum(axis=0), A_ub=-self.stress, b_ub=given - least,
            bounds=(None, None), method="highs-ds",
        )  # fmt: skip
        if found.x is None:
            return none
        left = given + self.stress @ found.x
        part = np.abs(self.stress).max(axis=1, initial=0.0) > NONE
        return np.asarray(part & (left <= NONE * float(given.max(initial=0.0))))


def idle_of(tangent: Tangent, directions: Directions, tensions: Tensions) -> Idle | None:
    """Tensions that do nothing at an equilibrium; None if all do something."""
    held = tangent.solver
    if len(tensions.pulled) < 2 or not isinstance(held, HeldFactor):
        return None
    active = np.flatnonzero(tangent.active)
    W = held.compliance[: len(active), : len(active)]
    give = np.sqrt(np.abs(np.diag(W)))
    give = np.where(give > 0.0, give, 1.0)
    left, size, right = np.linalg.svd(W / np.outer(give, give))
    small = size < DEPENDENT * size.max(initial=0.0)
    if not small.any():
        return None
    stress, against = right[small].T / give[:, None], left[:, small] / give[:, None]
    assembly, own = tangent.assembly, directions.multipliers[active]
    pairs = zip(directions.changes.T, directions.drifts, strict=True)
    gaps = np.array([drifting_slope(assembly, *pair)[1][active] for pair in pairs]).T
    stretch = held.rows[: len(active)] @ directions.motion + W @ own - gaps
    stretch -= assembly.compliance[active][:, None] * own
    plain = own - stress @ (stress.T @ (give[:, None] ** 2 * own))
    among = np.full(len(tangent.active), len(active))
    among[active] = np.arange(len(active))
    rows = among[tensions.rows]  # of tendons that hang: a row of zeros
    none = np.zeros((1, len(stretch[0]))), np.zeros((1, stress.shape[1]))
    return Idle(
        np.concatenate([stress, none[1]])[rows],
        against.T @ stretch,
        np.concatenate([plain, none[0]])[rows],
    )


def let_out(
    idle: Idle, tensions: Tensions, choice: Choice, here: StaticResult, change: Array
) -> Inputs:
    """Changed inputs, with those tendons let out that carry nothing then.

    Args:
        idle: tensions that do nothing.
        tensions: limits of all.
        choice: the numbers that are chosen.
        here: the equilibrium before.
        change: of those numbers, (n,).
    """
    inputs, out = choice.changed(here.given, change), np.zeros(len(change))
    predicted = here.evaluation.values[tensions.places] + idle.slope @ change
    for i in np.flatnonzero(idle.hanging(predicted, tensions.band.least)).tolist():
        place = _number(choice, inputs, tensions.band.labels[i].removesuffix(SUFFIX))
        if place is not None and tensions.band.least[i] <= 0.0:
            out[place] = -abs(float(change[place])) - OUT * here.model.length
    return choice.changed(inputs, out)


def taken_up(choice: Choice, result: StaticResult) -> StaticResult:
    """The same robot with slack of the tendons that are used taken up, which moves nothing.

    Args:
        choice: the numbers that are chosen.
        result: the robot.
    """
    model, tendons = result.model, result.model.tendons
    if not tendons.by_length.any():
        return result
    change = np.zeros(len(choice.places))
    for i in np.flatnonzero(tendons.by_length):
        name = tendons.names[i]
        place = _number(choice, result.given, name)
        if place is not None and result.slack(name):
            shortened = float(result.inputs[name])
            slack = tendons.rest[i] - shortened - result.tendon_lengths[i]
            change[place] = max(slack - HAIR * model.length, 0.0)
    low, high = choice.room(result.given)
    change = np.clip(change, low, high)
    if not change.any():
        return result
    return solve_inputs(model, choice.changed(result.given, change), result)


def _number(choice: Choice, inputs: Inputs, name: str) -> int | None:
    """Where the number of a tendon is among those that are chosen; None if it is not used."""
    if name not in choice.names:
        return None
    return int(np.flatnonzero(choice.places == inputs.table[name].begin)[0])
