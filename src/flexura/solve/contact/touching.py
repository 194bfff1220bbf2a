"""Steps of models with contacts: constraints and pairs that are near, in one small problem.

Where both sides of a contact move, its force turns with both: K + Bᵀ D B is the tangent, B the
motions of the frames of such pairs (``touch_rows``). With what K gives, M = K⁻¹ Bᵀ,

    (K + Bᵀ D B)⁻¹ x = K⁻¹ x - M Q B K⁻¹ x,    Q = (1 + D B M)⁻¹ D.

Far from a solution, forces that turn may push more than anything holds, and the small problem may
have no solution: then the step is that of forces that do not turn.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.touch import Touch
from flexura.model.touch_rows import TouchRows, touch_rows
from flexura.solve.cone.coulomb import ROUNDS, Solved, solve_coulomb, solve_normal, split
from flexura.solve.cone.projections import SOLVED
from flexura.solve.cone.rows import Rows
from flexura.solve.contact.propped import SOFT, Propped
from flexura.solve.contact.thin import product
from flexura.typing import Array, Matrix

# In a step, contacts give by this part of what the robot does, for changes of their forces: where
# there are more of them than motions, that makes forces determined. As steps end, nothing gives.
# Where the problem is not solved so, first more, then less and less, from one solution to the next.
YIELDING, AT_FIRST, TIGHTER = 1e-8, 1e-5, 0.1
# A small problem is solved well enough for a step on the way.
ENOUGH = 1e-6
# Props carry nothing any more where motions change by less than this part, from one solution of the
# small problem to the next, of so many at most. Where changes are alike, but for ALIKE of them, and
# as large as this part of those before, they go on for ever.
CARRIED, LOWERINGS, ALIKE, STEADY = 1e-8, 40, 1e-3, 1.0 - 1e-6
# Of so many, after one it is asked whether friction holds what is free at all: not where more than
# this part of what drives it is left. Gaps below this part of the length are closed.
PATIENCE, HELD, NEAR = 4, 1e-6, 1e-7


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


class ContactTangent:
    """What the tangent of a small problem gives, also where both sides of contacts move.

    Attributes:
        problem: the small problem.
        moved: (K + Bᵀ D B)⁻¹ rowsᵀ, (n_dof, n).
        still: K⁻¹ rowsᵀ, likewise.
    """

    def __init__(self, problem: Problem, factor: Factor, constraints: Matrix) -> None:
        own, self.problem = problem.touched, problem
        base = np.concatenate([constraints, own.base])
        solved = factor.solve(np.asfortranarray(base.T))
        n = len(constraints)
        self.still = np.concatenate([solved[:, :n], product(own.made, solved[:, n:].T).T], axis=1)
        self.moved = self.still
        self._turns: tuple[Matrix, Matrix, Matrix] | None = None
        D = own.turning
        if D.any() and np.isfinite(solved).all():  # else the step is none, whatever turns
            B, M = base[len(base) - len(D) :], solved[:, len(base) - len(D) :]
            Q = np.linalg.lstsq(np.eye(len(D)) + D @ product(B, M), D, rcond=None)[0]
            self._turns = M, np.asarray(Q), B
            self.moved = self.turned(self.moved)

    @property
    def turns(self) -> bool:
        """Whether D is not zero."""
        return self._turns is not None

    def hold_still(self) -> None:
        """Leave D out from now on."""
        self.moved, self._turns = self.still, None

    def turned(self, solved: Array) -> Array:
        """(K + Bᵀ D B)⁻¹ x from K⁻¹ x."""
        if self._turns is None:
            return solved
        M, Q, B = self._turns
        moves = B @ solved if solved.ndim == 1 else product(B, solved)
        return np.asarray(solved - M @ (Q @ moves))


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
    return float(times[times > 1.0].min(initial=np.inf))


def _until_back(problem: Problem, slip: Array, closing: Array) -> float:
    """How many times more ways slid may change as they do, until one is back; infinity if none is.

    Props let things slide before contacts press as they will: friction brings them back.
    """
    rubs = np.flatnonzero(~problem.equal)[problem.kinds.normal][:, None] + (1, 2)
    back, moves = np.sum(slip[rubs] * closing[rubs], axis=1), np.sum(closing[rubs] ** 2, axis=1)
    returns = back > moves
    return float((back[returns] / moves[returns]).min(initial=np.inf)) - 1.0


class Stepping:
    """The small problem of the last tangent, kept for the steps that share it.

    Attributes:
        compliance: of its rows (n, n).
        diagonal: what the robot gives to each row of a contact, (n,).
        solved: how the last small problem was.
        drift: where the last step would go on for ever, as no contact holds it, (n_dof,).
    """

    def __init__(self) -> None:
        self.drift: Array | None = None
        self._factor: Factor | None = None
        self._tangent: ContactTangent | None = None
        self.compliance: Matrix = np.empty((0, 0))
        self.diagonal: Array = np.empty(0)
        self.solved = Solved(np.empty(0), 0.0, 0, 0)

    def step(
        self, assembly: Assembly, factor: Factor, increments: Array, gap: Array | None
    ) -> tuple[Array, Array]:
        """Newton's step with all constraints and contacts in their cones.

        Arguments and what it returns as ``constrained_step`` has them.
        """
        touch = assembly.touch
        assert touch is not None
        tangent = self._for(assembly, touch, factor)
        problem = tangent.problem
        old, change = before(problem, assembly, touch), np.zeros(assembly.model.n_multipliers)
        self.drift = None
        if not len(old):
            if isinstance(factor, Propped) and not factor.rests(assembly):
                self.drift = factor.motions @ (factor.along @ increments)
            return increments, change
        at = gaps(problem, assembly, touch, gap)
        turned, b = self._without(tangent, increments, at, old)
        if not np.isfinite(self.compliance.sum() + b.sum()):
            return np.full_like(increments, np.nan), change
        new, moved = self._settled(assembly, tangent, factor, turned, b, old)
        if self.solved.residual > SOLVED and tangent.turns:
            tangent.hold_still()
            self._take(tangent, touch.first)
            turned, b = self._without(tangent, increments, at, old)
            new, moved = self._settled(assembly, tangent, factor, turned, b, old)
        return moved, change_of_forces(problem, assembly, touch, new)

    def _without(
        self, tangent: ContactTangent, increments: Array, at: Array, old: Array
    ) -> tuple[Array, Array]:
        """The step that multipliers as they are leave, and gaps of all rows without any."""
        turned = tangent.turned(increments)
        return turned, at - tangent.problem.rows @ turned - self.compliance @ old

    def _settled(
        self,
        assembly: Assembly,
        tangent: ContactTangent,
        factor: Factor,
        increments: Array,
        b: Array,
        old: Array,
    ) -> tuple[Array, Array]:
        """Multipliers and the step; arguments as for ``_lower``, with props or without."""
        if isinstance(factor, Propped):
            return self._lower(assembly, tangent, factor, increments, b, old)
        new = self.settle(tangent.problem, b, old, old, rounds=0 if tangent.turns else ROUNDS)
        return new, increments - tangent.moved @ (new - old)

    def _lower(
        self,
        assembly: Assembly,
        tangent: ContactTangent,
        factor: Propped,
        increments: Array,
        b: Array,
        old: Array,
    ) -> tuple[Array, Array]:
        """Multipliers and the step where contacts carry what props do, as far as they can.

        Args:
            assembly: what was evaluated.
            tangent: with props.
            factor: the same without what turns.
            increments: of the step without contacts.
            b: gaps of all rows without multipliers.
            old: multipliers.
        """
        problem, ways = tangent.problem, tangent.turned(factor.motions)
        lowered, way, last = problem.rows @ ways, np.zeros(ways.shape[1]), np.empty(0)
        new, step = old, increments
        for k in range(LOWERINGS):
            new = self.settle(problem, b - lowered @ way, old, new)
            step = increments + ways @ way - tangent.moved @ (new - old)
            reached = factor.along @ step
            change = reached - way
            part, ratio = _part(change, reached), _ratio(last, change)
            creeps = ratio > STEADY and part <= HELD  # as contacts yield
            if part <= CARRIED or creeps or factor.unloaded(change, assembly):
                return new, step
            left = b - lowered @ way + self.compliance @ new
            goes: Array | None = None
            until: Callable[[Problem, Array, Array], float] = _until_met
            if k % PATIENCE == 1 and new.any() and not tangent.turns:
                touches = left <= NEAR * assembly.model.length
                goes = self._rate(tangent, factor, increments, touches, old, new)
            if goes is None and ratio > STEADY:
                goes = change
                until = _until_back if new.any() else _until_met
            if goes is None:  # a series, as soon as no contact changes any more
                further = ratio / (1.0 - ratio) if ratio > 0.0 else 0.0
                way, last = reached + further * change, np.empty(0) if further else change
                continue
            further = until(problem, left, lowered @ goes)  # another contact, or it has slid back
            if not np.isfinite(further):
                self.drift = factor.motions @ (reached if goes is change else goes)
                return new, step
            way, last = reached + further * goes, np.empty(0)
        self.drift = factor.motions @ reached
        return new, step

    def _rate(
        self,
        tangent: ContactTangent,
        factor: Propped,
        increments: Array,
        touches: NDArray[np.bool_],
        old: Array,
        new: Array,
    ) -> Array | None:
        """How what is free goes where no friction holds it, (k,); None where it is held.

        Parts are rigid and their props a viscous bed, friction is against where things go, not
        against how far they have gone already:

            a = G (f - Vᵀ rowsᵀ λ),    w = -rows V a,    λ in their cones

        Args:
            tangent: with props.
            factor: the same without what turns.
            increments: of the step without contacts.
            touches: rows of what touches, (n,).
            old: multipliers.
            new: a guess of those that are found.
        """
        problem, kept = tangent.problem, (self.compliance, self.diagonal, self.solved)
        give = factor.along @ tangent.moved
        alone = factor.along @ increments + give @ old
        rows = problem.rows @ factor.motions
        b = -rows @ alone
        one_way = np.append(problem.kinds.single, problem.kinds.normal)
        apart = np.flatnonzero(~problem.equal)[one_way]
        b[apart[~touches[apart]]] = np.abs(b).max(initial=0.0) / YIELDING
        self.compliance = rows @ give
        self.diagonal = np.abs(np.diag(self.compliance))  # what is soft beside props has no say
        goes = alone - give @ self._solve(problem, b, new, new, YIELDING, rounds=1)
        solved = self.solved.residual <= ENOUGH
        self.compliance, self.diagonal, self.solved = kept
        held = np.abs(goes).max() <= HELD * np.abs(alone).max()
        return goes if solved and not held else None

    def _for(self, assembly: Assembly, touch: Touch, factor: Factor) -> ContactTangent:
        """The small problem of a factor, with the same pairs as long as none comes near."""
        if self._tangent is not None and self._factor is factor:
            known = self._tangent.problem.touched.pairs
            if np.isin(touch.near, known).all():
                return self._tangent
        problem = small_problem(assembly, touch)
        self._tangent = tangent = ContactTangent(problem, factor, assembly.rows)
        self._factor = factor
        self._take(tangent, touch.first)
        return tangent

    def _take(self, tangent: ContactTangent, first: int) -> None:
        """Find what a tangent gives to its rows, the first of which are of constraints."""
        problem = tangent.problem
        self.compliance = product(problem.rows, tangent.moved)
        places = slice(None, None, len(problem.give) + 1)
        self.diagonal = np.abs(self.compliance.flat[places])
        if isinstance(self._factor, Propped):  # of props, as little as of what they stand beside
            props = self._factor.compliance(problem.rows)
            self.diagonal = np.maximum(self.diagonal - props, 0.0) + SOFT * props
        self.diagonal[:first] = 0.0
        self.compliance.flat[places] += problem.give

    def settle(
        self, problem: Problem, b: Array, old: Array, start: Array, rounds: int = ROUNDS
    ) -> Array:
        """Multipliers of all rows, where contacts give as little as can be solved.

        Args:
            problem: the small problem.
            b: gaps of all rows without multipliers.
            old: multipliers for whose changes contacts give.
            start: a guess of multipliers.
            rounds: how often the problem is tried again if it is not solved at once.
        """
        new = self._solve(problem, b, old, start, YIELDING, rounds=0)
        if self.solved.residual <= SOLVED or not rounds:
            return new
        yielding = AT_FIRST
        new = self._solve(problem, b, old, start, yielding, rounds=rounds)
        while self.solved.residual <= SOLVED and yielding > YIELDING / TIGHTER**0.5:
            solved, yielding = self.solved, TIGHTER * yielding
            tighter = self._solve(problem, b, old, new, yielding, rounds=0)
            if self.solved.residual > SOLVED:
                self.solved = solved
                break
            new = tighter
        return new

    def _solve(
        self, problem: Problem, b: Array, old: Array, start: Array, yielding: float, rounds: int
    ) -> Array:
        """Multipliers of all rows; contacts give a little for changes from the old ones."""
        own, equal = yielding * self.diagonal, problem.equal
        W, c, follow, constant = split(self.compliance + np.diag(own), b - own * old, equal)
        start = start[~equal]
        if len(problem.kinds.normal):
            self.solved = solve_coulomb(W, c, problem.kinds, start, rounds=rounds)
        else:
            self.solved = solve_normal(W, c, problem.kinds, start, rounds)
        new = np.empty_like(b)
        new[~equal] = self.solved.multipliers
        new[equal] = constant + follow @ self.solved.multipliers
        return new
