"""A small problem with what the robot gives to its rows: multipliers in their cones."""

from typing import NamedTuple

import numpy as np

from flexura.solve.cone.coulomb import ROUNDS, Solved, solve_coulomb, solve_normal, split
from flexura.solve.cone.projections import SOLVED
from flexura.solve.cone.surface_kernels import leave_to_others
from flexura.solve.contact.problem import Problem
from flexura.typing import Array, Matrix

# In a step, contacts give by this part of what the robot does, for changes of their forces: where
# there are more of them than motions, that makes forces determined. As steps end, nothing gives.
# Where the problem is not solved so, first more, then less and less, from one solution to the next.
YIELDING, AT_FIRST, TIGHTER = 1e-8, 1e-5, 0.1
# A small problem is solved well enough for a step on the way.
ENOUGH = 1e-6


class Small(NamedTuple):
    """A small problem, but for its gaps.

    Attributes:
        problem: its rows.
        compliance: of these, (n, n).
        yields: what the robot gives to each contact by itself, (n, n).
        still: ways below this are rounding [m].
        propped: whether props give, far more than contacts will let them.
    """

    problem: Problem
    compliance: Matrix
    yields: Matrix
    still: float
    propped: bool = False

    def settle(self, b: Array, old: Array, start: Array, rounds: int = ROUNDS) -> Solved:
        """Multipliers of all rows, where contacts give as little as can be solved.

        Args:
            b: gaps of all rows without multipliers.
            old: multipliers for whose changes contacts give.
            start: a guess of multipliers.
            rounds: how often the problem is tried again if it is not solved at once.
        """
        found = self.solve(b, old, start, YIELDING, rounds=0)
        if found.residual <= SOLVED or not rounds:
            return found
        yielding = AT_FIRST
        found = self.solve(b, old, start, yielding, rounds=rounds)
        while found.residual <= SOLVED and yielding > YIELDING / TIGHTER**0.5:
            yielding *= TIGHTER
            tighter = self.solve(b, old, found.multipliers, yielding, rounds=0)
            if tighter.residual > SOLVED:
                break
            found = tighter
        return found

    def solve(self, b: Array, old: Array, start: Array, yielding: float, rounds: int) -> Solved:
        """Multipliers of all rows; contacts give a little for changes from the old ones."""
        rest, kinds = ~self.problem.equal, self.problem.kinds
        b = b - yielding * (self.yields @ old)
        W, c, follow, constant = split(self.compliance, b, ~rest)
        own = self.yields if rest.all() else self.yields[np.ix_(rest, rest)]
        if len(kinds.normal):
            W = np.array(W, order="C")  # this one is changed
            leave_to_others(W, c, kinds.normal, np.diag(self.compliance)[rest], self.still)
            guess, keep = start[rest], self.propped
            found = solve_coulomb(W + yielding * own, c, kinds, guess, rounds=rounds, keep=keep)
        else:
            found = solve_normal(W + yielding * own, c, kinds, start[rest], rounds)
        new = np.empty_like(b)
        new[rest] = found.multipliers
        new[~rest] = constant + follow @ found.multipliers
        return found._replace(multipliers=new)
