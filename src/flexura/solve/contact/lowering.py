"""Props lowered until contacts carry what they do, as far as these can.

What is free goes down with its props, from one solution of the small problem to the next, by series
and by leaps to what it meets. Where no contact holds it, it goes on for ever: it drifts.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.model.assemble import Assembly
from flexura.solve.cone.coulomb import Solved
from flexura.solve.contact.problem import Problem
from flexura.solve.contact.propped import Propped
from flexura.solve.contact.small import ENOUGH, YIELDING, Small
from flexura.solve.contact.turning import ContactTangent
from flexura.solve.contact.yielding import yields
from flexura.typing import Array

# Props carry nothing any more where motions change by less than this part, from one solution of the
# small problem to the next, of so many at most. Where changes are alike, but for ALIKE of them, and
# as large as this part of those before, they go on for ever.
CARRIED, LOWERINGS, ALIKE, STEADY = 1e-8, 40, 1e-3, 1.0 - 1e-6
# Of so many, after one it is asked whether friction holds what is free at all: not where more than
# this part of what drives it is left. Gaps below this part of the length are closed.
PATIENCE, HELD, NEAR = 4, 1e-7, 1e-7


class Lowered(NamedTuple):
    """What contacts carry in place of props.

    Attributes:
        solved: the last small problem.
        step: of the robot, (n_dof,).
        drift: where it would go on for ever, as no contact holds it, (n_dof,); None if they do.
    """

    solved: Solved
    step: Array
    drift: Array | None = None


def _ratio(before: Array, now: Array) -> float:
    """By how much one change is longer than the one before, if they are alike; else 0."""
    size = float(before @ before)
    if not size > 0.0:
        return 0.0
    ratio = float(before @ now) / size
    return ratio if np.linalg.norm(now - ratio * before) <= ALIKE * np.linalg.norm(now) else 0.0


def _part(change: Array, way: Array) -> float:
    """How large a change is, relative to all of a way."""
    size = float(np.abs(way).max())
    return float(np.abs(change).max()) / size if size > 0.0 else 0.0


def _until_met(problem: Problem, gap: Array, closing: Array) -> float:
    """How many times gaps of rows may close as much as they do, until one is; infinity if none."""
    one_way = np.append(problem.kinds.single, problem.kinds.normal)
    own = np.flatnonzero(~problem.equal)[one_way]
    closes = own[closing[own] > ALIKE * np.abs(closing).max(initial=0.0)]
    times = gap[closes] / closing[closes]
    return float(times[times > 0.0].min(initial=np.inf))


def _until_back(problem: Problem, slip: Array, closing: Array) -> float:
    """How many times more ways slid may change as they do, until one is back; infinity if none is.

    Props let things slide before contacts press as they will: friction brings them back.
    """
    rubs = problem.rubbing[:, None] + (1, 2)
    back, moves = np.sum(slip[rubs] * closing[rubs], axis=1), np.sum(closing[rubs] ** 2, axis=1)
    returns = back > moves
    return float((back[returns] / moves[returns]).min(initial=np.inf)) - 1.0


def lower(
    assembly: Assembly,
    tangent: ContactTangent,
    factor: Propped,
    small: Small,
    increments: Array,
    b: Array,
    old: Array,
) -> Lowered:
    """Multipliers and the step where contacts carry what props do, as far as they can.

    Args:
        assembly: what was evaluated.
        tangent: with props.
        factor: the same without what turns.
        small: the problem with what the tangent gives.
        increments: of the step without contacts.
        b: gaps of all rows without multipliers.
        old: multipliers.
    """
    problem, ways = tangent.problem, tangent.turned(factor.motions)
    lowered, way, last = problem.rows @ ways, np.zeros(ways.shape[1]), np.empty(0)
    new, held = old, False
    for k in range(LOWERINGS):
        solved = small.settle(b - lowered @ way, old, new)
        new = solved.multipliers
        step = increments + ways @ way - tangent.moved @ (new - old)
        reached = factor.along @ step
        change = reached - way
        part, ratio = _part(change, reached), _ratio(last, change)
        creeps = ratio > STEADY and part <= HELD  # as contacts yield
        if part <= CARRIED or creeps or factor.unloaded(change, assembly):
            return Lowered(solved, step)
        left = b - lowered @ way + small.compliance @ new
        goes: Array | None = None
        until: Callable[[Problem, Array, Array], float] = _until_met
        if k % PATIENCE == 1 and new.any() and not tangent.turns:
            touches = left <= NEAR * assembly.model.length
            goes, held = _rate(tangent, factor, small, increments, touches, old, new)
        if goes is None and ratio > STEADY:
            goes = change
            until = _until_back if new.any() else _until_met
        if goes is None:  # a series, as soon as no contact changes any more
            further = ratio / (1.0 - ratio) if ratio > 0.0 else 0.0
            way, last = reached + further * change, np.empty(0) if further else change
            continue
        further = until(problem, left, lowered @ goes)  # another contact, or it has slid back
        if not np.isfinite(further):
            return Lowered(solved, step, factor.motions @ (reached if goes is change else goes))
        way, last = reached + further * goes, np.empty(0)
    # what is held goes nowhere, though which contacts hold it may change from one to the next
    return Lowered(solved, step, None if held else factor.motions @ reached)


def _rate(
    tangent: ContactTangent,
    factor: Propped,
    small: Small,
    increments: Array,
    touches: NDArray[np.bool_],
    old: Array,
    new: Array,
) -> tuple[Array | None, bool]:
    """How what is free goes where no friction holds it, (k,), None else; and whether it is held.

    Parts are rigid and their props a viscous bed, friction is against where things go, not against
    how far they have gone already:

        a = G (f - Vᵀ rowsᵀ λ),    w = -rows V a,    λ in their cones

    Args:
        tangent: with props.
        factor: the same without what turns.
        small: the problem with what the tangent gives.
        increments: of the step without contacts.
        touches: rows of what touches, (n,).
        old: multipliers.
        new: a guess of those that are found.
    """
    problem, give = tangent.problem, factor.along @ tangent.moved
    alone = factor.along @ increments + give @ old
    rows = problem.rows @ factor.motions
    b = -rows @ alone
    one_way = np.append(problem.kinds.single, problem.kinds.normal)
    apart = np.flatnonzero(~problem.equal)[one_way]
    b[apart[~touches[apart]]] = np.abs(b).max(initial=0.0) / YIELDING
    compliance = rows @ give
    # what is soft beside props has no say
    small = Small(problem, compliance, yields(compliance, problem.rubbing), small.still)
    solved = small.solve(b, new, new, YIELDING, rounds=1)
    goes = alone - give @ solved.multipliers
    if solved.residual > ENOUGH:
        return None, False
    held = bool(np.abs(goes).max() <= HELD * np.abs(alone).max())
    return None if held else goes, held
