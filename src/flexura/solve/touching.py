"""Steps of models with contacts: constraints and pairs that are near, in one small problem.

Where both sides of a contact move, its force turns with both, by λ H u of their motion u against
each other: two rows that give by -1/(λ h) each carry that, h the turning of the normal along them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.matrix.structure import Factor
from flexura.model.assemble import Assembly
from flexura.model.touch import Touch
from flexura.model.touch_rows import TouchRows, touch_rows
from flexura.solve.cone import not_negative
from flexura.solve.coulomb import NEARLY, SOLVED, Rows, Solved, solve_coulomb, split
from flexura.typing import Array, Indices, Matrix

# In a step, contacts give by this part of what the robot does, for changes of their forces: where
# there are more of them than motions, that makes forces determined. As steps end, nothing gives.
# Where the problem is not solved so, more.
YIELDING = (1e-8, 1e-5)
# A force this far inside its cone sticks.
STICKS = 1.0 - 1e-6


class Problem(NamedTuple):
    """The small problem of an evaluation, but for its gaps.

    Attributes:
        touched: rows of contacts.
        rows: of constraints, contacts, and what turns with them, (n, n_dof).
        give: their own compliance, (n,).
        equal: which of them hold whatever the sign of their multipliers, (n,).
        kinds: what the others are, by their places among these.
        turning: pairs whose forces turn, and along which of their axes, (k, 2).
    """

    touched: TouchRows
    rows: Matrix
    give: Array
    equal: NDArray[np.bool_]
    kinds: Rows
    turning: Indices


def small_problem(assembly: Assembly, touch: Touch) -> Problem:
    """The small problem where an assembly was evaluated last."""
    own = touch_rows(assembly, touch)
    friction = touch.contacts.friction[own.pairs]
    n = len(assembly.gap)
    lines, turning, give = [assembly.rows], [], [assembly.compliance]
    equal = [assembly.equal]
    forces = touch.forces(assembly.state.multipliers)[own.pairs]
    pressing = np.einsum("ki,ki->k", forces, own.axes[:, 0])
    normal: list[int] = []
    kept: list[int] = []
    single, at = np.flatnonzero(~assembly.equal).tolist(), n
    for first, mu in zip(own.first.tolist(), friction.tolist(), strict=True):
        count = 3 if mu > 0.0 else 1
        (normal if mu > 0.0 else single).append(at)
        kept += range(first, first + count)
        at += count
    lines.append(own.rows[kept])
    give.append(np.zeros(len(kept)))
    equal.append(np.zeros(len(kept), dtype=np.bool_))
    for i in np.flatnonzero((pressing > 0.0) & ~touch.one_sided[own.pairs]).tolist():
        bend = touch.bend[own.pairs[i]].reshape(3, 3)
        for j in (1, 2):
            h = float(own.axes[i, j] @ bend @ own.axes[i, j])
            if h != 0.0:
                turning.append((i, j))
                lines.append(own.rows[None, own.first[i] + j])
                give.append(np.array([-1.0 / (pressing[i] * h)]))
                equal.append(np.ones(1, dtype=np.bool_))
    which = np.concatenate(equal)
    place = np.cumsum(~which) - 1
    kinds = Rows(
        place[np.array(single, dtype=np.int64)],
        place[np.array(normal, dtype=np.int64)],
        friction[friction > 0.0],
    )
    turns = np.array(turning, dtype=np.int64).reshape(-1, 2)
    return Problem(own, np.concatenate(lines), np.concatenate(give), which, kinds, turns)


def held_rows(assembly: Assembly, touch: Touch) -> tuple[Matrix, Array]:
    """Rows of contacts that hold, and what they give, (n, n_dof) and (n,).

    Normals of all that press, directions along the surface of all that stick, and what turns.
    """
    problem, forces = small_problem(assembly, touch), touch.forces(assembly.state.multipliers)
    own, at = problem.touched, touch.first
    kept: list[int] = []
    for c, axes in zip(own.pairs.tolist(), own.axes, strict=True):
        mu, force = float(touch.contacts.friction[c]), axes @ forces[c]
        if force[0] > 0.0:
            kept.append(at)
            if mu > 0.0 and np.hypot(force[1], force[2]) < STICKS * mu * force[0]:
                kept += [at + 1, at + 2]
        at += 3 if mu > 0.0 else 1
    kept += range(at, at + len(problem.turning))
    return problem.rows[kept], problem.give[kept]


def gaps(problem: Problem, assembly: Assembly, touch: Touch, gap: Array | None) -> Array:
    """Gaps of all rows of a problem, and ways slid, where the assembly is."""
    own, found = problem.touched, [assembly.gap if gap is None else gap]
    friction = touch.contacts.friction
    for c, axes in zip(own.pairs.tolist(), own.axes, strict=True):
        found.append(touch.gap[c, None])
        if friction[c] > 0.0:
            found.append(axes[1:] @ touch.slip[c])
    return np.concatenate([*found, np.zeros(len(problem.turning))])


def before(problem: Problem, assembly: Assembly, touch: Touch) -> Array:
    """Multipliers of all rows of a problem."""
    own, forces = problem.touched, touch.forces(assembly.state.multipliers)
    found = [assembly.state.multipliers[: touch.first]]
    for c, axes in zip(own.pairs.tolist(), own.axes, strict=True):
        count = 3 if touch.contacts.friction[c] > 0.0 else 1
        found.append(axes[:count] @ forces[c])
    return np.concatenate([*found, np.zeros(len(problem.turning))])


def change_of_forces(problem: Problem, assembly: Assembly, touch: Touch, new: Array) -> Array:
    """Increments of all multipliers of a state, for new ones of the rows."""
    own, forces = problem.touched, touch.forces(assembly.state.multipliers)
    found = -assembly.state.multipliers
    found[: touch.first] += new[: touch.first]
    change, at = found[touch.first :].reshape(-1, 3), touch.first
    for c, axes in zip(own.pairs.tolist(), own.axes, strict=True):
        count = 3 if touch.contacts.friction[c] > 0.0 else 1
        change[c] = new[at : at + count] @ axes[:count] - forces[c]
        at += count
    return found


class Stepping:
    """The small problem of the last tangent, kept for the steps that share it.

    Attributes:
        solved: how the last small problem was.
    """

    def __init__(self) -> None:
        self._key: tuple[int, int] | None = None
        self._problem: Problem | None = None
        self._moved: Matrix = np.empty((0, 0))
        self._compliance: Matrix = np.empty((0, 0))
        self._diagonal: Array = np.empty(0)  # of the rows of contacts
        self.solved = Solved(np.empty(0), 0.0, 0, 0)

    def step(
        self, assembly: Assembly, factor: Factor, increments: Array, gap: Array | None
    ) -> tuple[Array, Array]:
        """Newton's step with all constraints and contacts in their cones.

        Arguments and what it returns as ``constrained_step`` has them.
        """
        touch = assembly.touch
        assert touch is not None
        problem = self._for(assembly, touch, factor)
        old, change = before(problem, assembly, touch), np.zeros(assembly.model.n_multipliers)
        if not len(old):
            return increments, change
        b = gaps(problem, assembly, touch, gap) - problem.rows @ increments
        b -= self._compliance @ old
        if not np.isfinite(self._compliance.sum() + b.sum()):
            return np.full_like(increments, np.nan), change
        for yielding in YIELDING:
            own = yielding * self._diagonal
            new = self._solve(problem, self._compliance + np.diag(own), b - own * old, old)
            if self.solved.residual <= SOLVED:
                break
        change = change_of_forces(problem, assembly, touch, new)
        return increments - self._moved @ (new - old), change

    def _for(self, assembly: Assembly, touch: Touch, factor: Factor) -> Problem:
        """The small problem of a factor, with the same pairs as long as none comes near."""
        if self._problem is not None and self._key == (id(factor), id(assembly)):
            known = self._problem.touched.pairs
            if np.isin(touch.near, known).all():
                return self._problem
        self._problem = problem = small_problem(assembly, touch)
        self._key, self._factor = (id(factor), id(assembly)), factor
        self._moved = factor.solve(np.asfortranarray(problem.rows.T))
        self._compliance = problem.rows @ self._moved
        places = slice(None, None, len(problem.give) + 1)
        self._diagonal = np.abs(self._compliance.flat[places])
        self._diagonal[: touch.first] = 0.0
        self._compliance.flat[places] += problem.give
        return problem

    def _solve(self, problem: Problem, compliance: Matrix, b: Array, old: Array) -> Array:
        """Multipliers of all rows."""
        equal = problem.equal
        W, c, follow, constant = split(compliance, b, equal)
        start = old[~equal]
        if (
            not len(problem.kinds.normal)
            and (found := not_negative(W, -c, True, NEARLY)) is not None
        ):
            self.solved = Solved(found, 0.0, 0, 0)
        else:
            self.solved = solve_coulomb(W, c, problem.kinds, start)
        new = np.empty_like(b)
        new[~equal] = self.solved.multipliers
        new[equal] = constant + follow @ self.solved.multipliers
        return new
