"""Motions that meet no force: what an equilibrium answers for all that, and what it does not.

A rod between two balls spins about itself, and nothing else minds. With such motions V, increments
are found across them, as in ``free_motion``:

    [ K    D V ] [ dq ]   [ f ]
    [ Vᵀ D     ] [ s  ] = [ 0 ].

Where forces of a change act along them, Vᵀ f ≠ 0, there is no answer, and none for a frame that
they move.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.assemble import Assembly
from flexura.solve.constrained import HeldFactor
from flexura.solve.equilibrium import LOOSE
from flexura.solve.free_motion import free_motions, neutral_motions
from flexura.solve.margin import uncertain_stiffness, with_margin
from flexura.typing import Matrix

# What a quick look finds to resist by no more than so many margins is looked at closely: it takes
# any force, of which the softest motion has its share, so it is off by a factor like √n.
NEAR = 1e3
# Parts of a force, or of a row, along a motion that are rounding.
ALONG = 1e-6
# Times that solutions with a margin are put right: each leaves 1e-5 of what was wrong.
CORRECTIONS = 3


def softest(assembly: Assembly, held: HeldFactor) -> float:
    """About how much the softest motion resists, or more [N]."""
    layout, length = assembly.layout, assembly.model.length
    moves = ~layout.multiplier
    if not moves.any():
        return np.inf
    units = np.where(moves, assembly.model.gauge, 1.0)
    force = np.where(moves, np.cos(np.arange(len(units)) ** 2.0), 0.0)  # of no motion in particular
    give = held.solve(force / units, np.zeros(len(held.rows)))[0]
    size = float(np.linalg.norm(np.where(moves, give / units, 0.0)))
    if not np.isfinite(size):
        return 0.0
    return length * float(np.linalg.norm(force)) / size if size > 0.0 else np.inf


class Unresisted:
    """Motions of an equilibrium that meet no force.

    Attributes:
        motions: V, in columns, (n_dof, k).
    """

    def __init__(self, who: str, assembly: Assembly, active: NDArray[np.bool_]) -> None:
        self._who, self._assembly = who, assembly
        self._rows, self._give = assembly.rows[active], assembly.compliance[active]
        self._length = assembly.layout.units * assembly.model.length
        self.motions = neutral_motions(assembly)

    def check(self, covectors: Matrix) -> None:
        """Raise if rows of outputs, or forces, (p, n_dof), have a part along them."""
        length = np.where(self._assembly.layout.multiplier, 1.0, self._length)
        size = np.linalg.norm(covectors * length, axis=1)  # that of motions is 1, or little more
        if (np.abs(covectors @ self.motions) > ALONG * size[:, None]).any():
            assembly = Assembly(self._assembly.model)
            found = free_motions(assembly, self._assembly.state, self._assembly.inputs)
            raise self._error("; ".join(found.remarks) or "it is not told which")

    def solve(self, right: Matrix, gap: Matrix) -> tuple[Matrix, Matrix]:
        """As ``HeldFactor.solve``, across the motions; raise if forces act along them."""
        self.check(right.T)
        K = self._assembly.layout.structure.sparse(self._assembly.values)
        k, own = self.motions.shape[1], len(self._rows)
        wanted = np.concatenate([gap, np.zeros((k, right.shape[1]))])
        dq, change = self._across.solve(np.asfortranarray(right), wanted)
        for _ in range(CORRECTIONS):
            left = right - K @ dq - self._across.rows.T @ change
            more, further = self._across.solve(np.asfortranarray(left), np.zeros_like(wanted))
            dq, change = dq + more, change + further
        return dq, change[:own]

    solve_whole = solve
    touched = None

    @cached_property
    def _across(self) -> HeldFactor:
        """The tangent with a margin, held across the motions."""
        assembly, layout = self._assembly, self._assembly.layout
        values = with_margin(assembly, uncertain_stiffness(assembly), LOOSE)
        factor = layout.structure.factorise(values, definite=False)
        if factor.singular:
            raise self._error("the tangent is singular")
        weight = np.where(layout.multiplier, 0.0, 1.0 / self._length**2)
        rows = np.concatenate([self._rows, (weight[:, None] * self.motions).T])
        moved = factor.solve(np.asfortranarray(rows.T))
        give = np.append(self._give, np.zeros(self.motions.shape[1]))
        return HeldFactor(factor, rows, moved, rows @ moved + np.diag(give))

    def _error(self, which: str) -> ModelError:
        return ModelError(
            f"{self._who}: a motion of {self._assembly.model.name!r} meets no force, so there is "
            f"no certain answer to a small change: {which}"
        )
